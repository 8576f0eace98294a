/* The paths of bodies in a page: decoded, they err by no more than the tolerance. */
#include "tests/support/test.h"

#include "base/memory.h"
#include "cmd/film/turn/paths.h"

#include <math.h>
#include <stdlib.h>

enum { BODIES = 60, FRAMES = 121 };

/* Circles of periods from 3 to 300 frames, straight lines, rest, and a body that jumps. */
static void place(size_t body, double time, struct path_row *out)
{
    const double radius = 0.1 + 0.05 * (double)body, rate = 2 * M_PI / (3 + 5 * (double)body);
    *out = (struct path_row){0};
    if (body % 10 == 9)
        return;
    if (body % 10 == 8) {
        out->position[0] = (float)(3 * time - 70);
        out->velocity[0] = 3;
        return;
    }
    const double jump = body % 10 == 7 && time > 40 ? 25 : 0;
    out->position[0] = (float)(radius * cos(rate * time) + jump);
    out->position[1] = (float)(radius * sin(rate * time));
    out->position[2] = 1e3f;
    out->velocity[0] = (float)(-rate * radius * sin(rate * time));
    out->velocity[1] = (float)(rate * radius * cos(rate * time));
}

struct film {
    double time[FRAMES];
    struct path_row *rows;
    struct paths paths;
    double error, speed; /* largest errors */
};

/* `slow`: frames are closer in time in the middle; `backwards`: time runs to the past. */
static void make(struct film *film, uint32_t frames, bool slow, bool backwards)
{
    *film = (struct film){.rows = memory_new(BODIES * frames, sizeof *film->rows)};
    double time = 0;
    for (uint32_t f = 0; f < frames; f++) {
        film->time[f] = backwards ? -time : time;
        for (size_t body = 0; body < BODIES; body++)
            place(body, film->time[f], &film->rows[body * frames + f]);
        time += slow && f > 30 && f < 60 ? 0.1 : slow && f == 80 ? 0 : 1;
    }
    film->paths = (struct paths){BODIES, frames, film->time, film->rows};
}

static double apart(const float a[3], const float b[3])
{
    double square = 0;
    for (int i = 0; i < 3; i++)
        square += pow((double)a[i] - (double)b[i], 2);
    return sqrt(square);
}

static void take(void *user, size_t body, const struct path_row *rows)
{
    struct film *film = user;
    const struct path_row *right = film->rows + body * film->paths.frames;
    for (uint32_t f = 0; f < film->paths.frames; f++) {
        film->error = fmax(film->error, apart(rows[f].position, right[f].position));
        film->speed = fmax(film->speed, apart(rows[f].velocity, right[f].velocity));
    }
}

TEST(paths_err_by_no_more_than_the_tolerance)
{
    static const double tolerances[] = {0.3, 0.01, 1e-3};
    static const uint32_t frames[] = {1, 2, 3, 64, FRAMES};
    for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; t++)
        for (size_t n = 0; n < sizeof frames / sizeof *frames; n++)
            for (int kind = 0; kind < 4; kind++) {
                struct film film;
                struct path_streams streams;
                make(&film, frames[n], kind & 1, kind & 2);
                paths_code(&film.paths, tolerances[t], &streams);
                assert_int_equal(paths_decode(&film.paths, tolerances[t], &streams, take, &film),
                                 STATUS_OK);
                /* positions of a thousand have floats 6e-5 apart */
                assert_true(film.error <= tolerances[t] + 1e-4);
                path_streams_free(&streams);
                free(film.rows);
            }
}

TEST(a_smaller_tolerance_takes_more_moments)
{
    struct film film;
    struct path_streams coarse, fine;
    make(&film, FRAMES, false, false);
    paths_code(&film.paths, 0.1, &coarse);
    paths_code(&film.paths, 0.001, &fine);
    assert_true(coarse.moments < fine.moments);
    assert_true(coarse.size < fine.size);
    assert_true(fine.moments < BODIES * FRAMES);
    assert_true(fine.size < BODIES * FRAMES * sizeof *film.rows / 3);
    /* a body at rest has its two ends, and one on a line too */
    struct paths few = film.paths;
    few.bodies = 1;
    few.rows = film.rows + 9 * FRAMES;
    path_streams_free(&coarse);
    paths_code(&few, 0.001, &coarse);
    assert_int_equal(coarse.moments, 2);
    few.rows = film.rows + 8 * FRAMES;
    path_streams_free(&coarse);
    paths_code(&few, 0.001, &coarse);
    assert_int_equal(coarse.moments, 2);
    path_streams_free(&coarse);
    path_streams_free(&fine);
    free(film.rows);
}

TEST(velocities_are_kept_too)
{
    struct film film;
    struct path_streams streams;
    make(&film, FRAMES, false, false);
    film.paths.bodies = 7; /* without the body that jumps */
    paths_code(&film.paths, 1e-4, &streams);
    assert_int_equal(paths_decode(&film.paths, 1e-4, &streams, take, &film), STATUS_OK);
    assert_true(film.speed < 0.02); /* circles with speeds up to 0.2 */
    path_streams_free(&streams);
    free(film.rows);
}

TEST(damage_is_noticed)
{
    struct film film;
    struct path_streams streams;
    make(&film, FRAMES, false, false);
    paths_code(&film.paths, 0.01, &streams);
    for (size_t cut = 1; cut < streams.size; cut += streams.size / 7) {
        struct path_streams shorter = streams;
        shorter.size -= cut;
        assert_int_equal(paths_decode(&film.paths, 0.01, &shorter, take, &film), STATUS_IO);
    }
    streams.bytes[0] ^= 1; /* divided, or not */
    assert_int_equal(paths_decode(&film.paths, 0.01, &streams, take, &film), STATUS_IO);
    path_streams_free(&streams);
    free(film.rows);
}

TESTS(NULL, NULL)
