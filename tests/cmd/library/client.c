/* A program that uses libgravreel, for test_client.sh.
 *
 *     client bodies             prints a table of bodies: mass x y z vx vy vz
 *     client simulate T OPTION...   moves them to the time T, and prints them
 *     client films A B BAD      makes the same film twice, by two threads at once, while a third
 * fails
 *     client shares             writes frames of all bodies into `whole`, and of two shares of them
 *                               into part.0 and part.1
 */
#include <gravreel.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 200 };

static double mass[N], x[N][3], v[N][3];

static void make(void)
{
    for (int i = 0; i < N; i++) {
        mass[i] = 1.0 / N;
        for (int c = 0; c < 3; c++) {
            x[i][c] = 2.0 * rand() / RAND_MAX - 1;
            v[i][c] = 0.2 * x[i][(c + 1) % 3];
        }
    }
}

static void print(void)
{
    for (int i = 0; i < N; i++)
        printf("%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", mass[i], x[i][0], x[i][1], x[i][2],
               v[i][0], v[i][1], v[i][2]);
}

struct wanted {
    const char *output, *option;
    int code;
    char said[256];
};

static void *film_of(void *user)
{
    struct wanted *wanted = user;
    const char *const options[] = {"plummer", "--size",       "64x36", "--frames",
                                   "6",       wanted->option, NULL};
    struct gravreel_film *film = gravreel_open(wanted->output, options);
    for (int frame = 0; frame < 5; frame++) {
        double moved[N][3];
        for (int i = 0; i < N; i++)
            for (int c = 0; c < 3; c++)
                moved[i][c] = x[i][c] + 0.1 * frame * v[i][c];
        gravreel_bodies(film, 0.1 * frame, N, mass, moved[0], v[0]);
    }
    wanted->code = gravreel_close(film);
    snprintf(wanted->said, sizeof wanted->said, "%s", gravreel_error());
    return NULL;
}

static int films(char **outputs)
{
    struct wanted wanted[3] = {
        {outputs[0], "-y", 0, ""}, {outputs[1], "-y", 0, ""}, {outputs[2], "--typo", 0, ""}};
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, film_of, &wanted[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        printf("%s: %d %s\n", wanted[i].output, wanted[i].code, wanted[i].said);
    return 0;
}

static int shares(void)
{
    static const struct {
        const char *path;
        int first, end;
    } parts[] = {{"whole", 0, N}, {"part.0", 0, 70}, {"part.1", 70, N}};
    int code = 0;
    for (int p = 0; p < 3; p++) {
        struct gravreel_film *film = gravreel_open_stream(parts[p].path);
        for (int frame = 0; frame < 5; frame++) {
            double moved[N][3];
            for (int i = 0; i < N; i++)
                for (int c = 0; c < 3; c++)
                    moved[i][c] = x[i][c] + 0.1 * frame * v[i][c];
            const int first = parts[p].first;
            const struct gravreel_array arrays[] = {
                {.name = "pos", .type = GRAVREEL_F8, .data = moved[first]},
                {.name = "vel", .type = GRAVREEL_F8, .data = v[first]},
                {.name = "mass", .type = GRAVREEL_F8, .data = mass + first},
                {.name = "heat", .unit = "K", .type = GRAVREEL_F8, .data = x[first], .stride = 24},
            };
            gravreel_frame(film, 0.1 * frame, (size_t)(parts[p].end - first), arrays, 4);
        }
        code += gravreel_close(film);
    }
    return code;
}

int main(int argc, char **argv)
{
    make();
    if (argc == 5 && strcmp(argv[1], "films") == 0)
        return films(argv + 2);
    if (argc == 2 && strcmp(argv[1], "shares") == 0)
        return shares();
    if (argc > 2) {
        const int code =
            gravreel_simulate(N, mass, x[0], v[0], atof(argv[2]), (const char *const *)argv + 3);
        if (code != 0)
            fprintf(stderr, "%d: %s\n", code, gravreel_error());
        if (code != 0)
            return code;
    }
    print();
    return 0;
}
