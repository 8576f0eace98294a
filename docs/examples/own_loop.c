/* Films a simulation that is not gravreel's: a cold sphere collapses, by a leapfrog of its own. */
#include <gravreel.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 400, FRAMES = 60 };

static double mass[N], x[N][3], v[N][3], a[N][3];

static void accelerate(void)
{
    for (int i = 0; i < N; i++) {
        a[i][0] = a[i][1] = a[i][2] = 0;
        for (int j = 0; j < N; j++) {
            const double d[3] = {x[j][0] - x[i][0], x[j][1] - x[i][1], x[j][2] - x[i][2]};
            const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01;
            for (int c = 0; c < 3; c++)
                a[i][c] += mass[j] * d[c] / (square * sqrt(square));
        }
    }
}

/* Adds `by` times the rates to the values. */
static void advance(double (*value)[3], const double (*rate)[3], double by)
{
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 3; c++)
            value[i][c] += by * rate[i][c];
}

int main(int argc, char **argv)
{
    const double dt = 0.02;
    const char *const options[] = {"--size", "320x180", "--frames", "60", "-y", NULL};
    for (int i = 0; i < N; i++) {
        mass[i] = 1.0 / N;
        for (int c = 0; c < 3; c++)
            x[i][c] = 2.0 * rand() / RAND_MAX - 1;
    }
    struct gravreel_film *film = gravreel_open(argc > 1 ? argv[1] : "collapse.mp4", options);
    accelerate();
    for (int frame = 0; frame < FRAMES; frame++) {
        gravreel_bodies(film, frame * dt, N, frame == 0 ? mass : NULL, x[0], v[0]);
        advance(v, a, 0.5 * dt);
        advance(x, v, dt);
        accelerate();
        advance(v, a, 0.5 * dt);
    }
    if (gravreel_close(film) == 0)
        return 0;
    fprintf(stderr, "no film: %s\n", gravreel_error());
    return 1;
}
