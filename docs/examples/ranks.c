/* Films a simulation on ranks: each moves bodies of its own, and hands over only these.
 *
 *     mpicc ranks.c $(pkg-config --cflags --libs gravreel) -lm -o ranks
 *     mpirun -n 4 ./ranks
 *     gravreel render --frames-from 'frames.*' -o film.mp4
 */
#include <gravreel.h>

#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 240, FRAMES = 30 }; /* the number of ranks divides N */

static double mass[N], x[N][3], v[N][3];

/* Adds to a body's velocity what all bodies do to it within dt. */
static void kick(int i, double dt)
{
    for (int j = 0; j < N; j++) {
        const double d[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
        for (int c = 0; c < 3; c++)
            v[i][c] += dt * mass[j] * d[c] / (square * sqrt(square));
    }
}

int main(int argc, char **argv)
{
    int rank, ranks;
    char path[32];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < N; i++) {
        mass[i] = 1.0 / N;
        for (int c = 0; c < 3; c++)
            x[i][c] = 2.0 * rand() / RAND_MAX - 1;
    }
    const int own = N / ranks, first = rank * own;
    snprintf(path, sizeof path, "frames.%04d", rank);
    struct gravreel_film *film = gravreel_open_stream(path);
    for (int frame = 0; frame < FRAMES; frame++) {
        gravreel_bodies(film, 0.05 * frame, own, mass + first, x[first], v[first]);
        for (int i = first; i < first + own; i++)
            kick(i, 0.05);
        for (int i = first; i < first + own; i++)
            for (int c = 0; c < 3; c++)
                x[i][c] += 0.05 * v[i][c];
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE, x, 3 * own, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    const int code = gravreel_close(film);
    if (code != 0)
        fprintf(stderr, "rank %d: %s\n", rank, gravreel_error());
    MPI_Finalize();
    return code;
}
