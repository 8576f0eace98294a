/* Near neighbours against all distances. */
#include "tests/support/test.h"
#include "sim/gravity/tree/neighbours.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <string.h>

typedef double (*row_list)[4];

static row_list rows_make(size_t count)
{
    row_list rows = calloc(count, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < count; i++)
        rows[i][3] = 1 + (double)(i % 5);
    return rows;
}

struct near {
    double square;
    size_t body;
};

static int by_distance(const void *a, const void *b)
{
    const struct near *x = a, *y = b;
    if (x->square != y->square)
        return x->square < y->square ? -1 : 1;
    return (x->body > y->body) - (x->body < y->body);
}

static void check_body(size_t count, const double (*rows)[4], unsigned k, size_t i, float distance,
                       float density)
{
    struct near *near = calloc(count, sizeof *near);
    size_t others = 0;
    assert_non_null(near);
    for (size_t j = 0; j < count; j++)
        if (j != i) {
            for (int c = 0; c < 3; c++)
                near[others].square += pow(rows[j][c] - rows[i][c], 2);
            near[others++].body = j;
        }
    qsort(near, others, sizeof *near, by_distance);
    double mass = 0, want = INFINITY;
    if (others >= k)
        want = sqrt(near[k - 1].square);
    for (unsigned n = 0; others >= k && n < k; n++)
        mass += rows[near[n].body][3];
    float thick = (float)(mass / (4 * M_PI / 3 * want * want * want));
    if (distance != (float)want)
        fail_msg("body %zu of %zu: neighbour %u is %g away, not %g", i, count, k, want,
                 (double)distance);
    assert_true(others < k ? density == 0 : density == thick || fabsf(density / thick - 1) < 1e-6f);
    free(near);
}

static void check(size_t count, const double (*rows)[4], unsigned k)
{
    struct neighbours *neighbours;
    float *distance = calloc(3 * count, sizeof *distance), *again = distance + count;
    float *density = distance + 2 * count;
    assert_non_null(distance);
    assert_ok(neighbours_open(&neighbours, count, k));
    assert_ok(neighbours_find(neighbours, rows, 3, again, NULL));
    assert_ok(neighbours_find(neighbours, rows, 1, distance, density));
    assert_memory_equal(distance, again, count * sizeof *distance);
    for (size_t i = 0; i<count; i += count> 1000 ? 37 : 1)
        check_body(count, rows, k, i, distance[i], density[i]);
    neighbours_close(&neighbours);
    free(distance);
}

TEST(as_all_distances_say)
{
    static const size_t counts[] = {1, 2, 3, 8, 9, 33, 300, 6000};
    static const unsigned ks[] = {1, 8, NEIGHBOURS_MOST};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        row_list rows = rows_make(counts[n]);
        uint64_t seed = n;
        for (size_t i = 0; i < counts[n]; i++)
            for (int c = 0; c < 3; c++)
                rows[i][c] = pow(uniform(&seed), 3);
        for (size_t k = 0; k < sizeof ks / sizeof *ks; k++)
            check(counts[n], (const double(*)[4])rows, ks[k]);
        free(rows);
    }
}

/* A stream that is sheared on large scales has the dispersion of its random motions, less what 32
 * bodies take of it by their mean. */
TEST(the_dispersion_is_that_of_random_motions)
{
    enum { COUNT = 6000, NEAR = 32 };
    static float velocity[COUNT][4], distance[COUNT], dispersion[COUNT], again[COUNT];
    struct neighbours *neighbours;
    uint64_t seed = 5;
    double mean = 0, sum[3] = {0}, square = 0;
    row_list rows = rows_make(COUNT);
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++) {
            rows[i][c] = uniform(&seed);
            velocity[i][c] = 100; /* of all */
            for (int n = 0; n < 12; n++)
                velocity[i][c] += (float)(0.3 * (uniform(&seed) - 0.5));
            sum[c] += velocity[i][c] - 100.0;
            square += pow(velocity[i][c] - 100.0, 2);
        }
    assert_ok(neighbours_open(&neighbours, COUNT, NEAR));
    assert_ok(neighbours_find(neighbours, (const double(*)[4])rows, 2, distance, NULL));
    neighbours_dispersion(neighbours, (const float(*)[4])velocity, NULL, 1, distance, dispersion);
    neighbours_dispersion(neighbours, (const float(*)[4])velocity, NULL, 3, distance, again);
    assert_memory_equal(dispersion, again, sizeof again);
    for (int i = 0; i < COUNT; i++)
        mean += pow(dispersion[i], 2) / COUNT;
    for (int c = 0; c < 3; c++)
        square -= sum[c] * sum[c] / COUNT;
    const double expected = square / COUNT / 3 * (NEAR - 1) / NEAR;
    print_message("mean square dispersion: %.5f of what it should be\n", mean / expected);
    assert_true(fabs(mean / expected - 1) < 0.01);
    neighbours_close(&neighbours);
    free(rows);
}

TEST(bodies_anywhere)
{
    enum { COUNT = 300 };
    uint64_t seed = 1;
    row_list rows = rows_make(COUNT);
    check(COUNT, (const double(*)[4])rows, 8); /* all in one place */
    for (int i = 0; i < COUNT; i++)
        rows[i][0] = i / 20; /* twenty in each of fifteen */
    check(COUNT, (const double(*)[4])rows, 8);
    check(COUNT, (const double(*)[4])rows, 25);
    for (int i = 0; i < COUNT; i++)
        rows[i][0] = 1e5 + 1e-3 * i; /* on a line, with equal distances on both sides */
    check(COUNT, (const double(*)[4])rows, 8);
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 2; c++)
            rows[i][c] = uniform(&seed); /* in a plane, one far away */
    rows[7][2] = 1e9;
    check(COUNT, (const double(*)[4])rows, 8);
    free(rows);
}

/* Most bodies at one place, or so close to it that they share the finest cell. */
TEST(crowds)
{
    enum { COUNT = 3000 };
    static const double sizes[] = {0, 1e-12, 1e-30};
    row_list rows = rows_make(COUNT);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t seed = 5;
        for (int i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++)
                rows[i][c] = (i % 10 ? sizes[s] : 1) * (uniform(&seed) - 0.5);
        check(COUNT, (const double(*)[4])rows, 8);
    }
    free(rows);
}

/* However the bodies have moved since the last time: they are looked for near where they were. */
TEST(as_if_looked_for_anew)
{
    enum { COUNT = 5000, K = 32 };
    static const double scales[] = {1, 1.01, 0.2, 30, 0, 1};
    uint64_t seed = 11;
    float *kept = calloc(2 * COUNT, sizeof *kept), *anew = kept + COUNT;
    row_list start = rows_make(COUNT), rows = rows_make(COUNT);
    struct neighbours *neighbours, *fresh;
    assert_non_null(kept);
    assert_ok(neighbours_open(&neighbours, COUNT, K));
    for (size_t i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            start[i][c] = pow(uniform(&seed), 3);
    for (size_t move = 0; move < sizeof scales / sizeof *scales; move++) {
        for (size_t i = 0; i < COUNT; i++)
            for (int c = 0; c < 3; c++)
                rows[i][c] = scales[move] * (start[i][c] + 0.02 * uniform(&seed));
        assert_ok(neighbours_open(&fresh, COUNT, K));
        assert_ok(neighbours_find(neighbours, (const double(*)[4])rows, 2, kept, NULL));
        assert_ok(neighbours_find(fresh, (const double(*)[4])rows, 1, anew, NULL));
        assert_memory_equal(kept, anew, COUNT * sizeof *kept);
        neighbours_close(&fresh);
    }
    neighbours_close(&neighbours);
    free(kept);
    free(start);
    free(rows);
}

static int by_value(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The squares of the sphere against those of all bodies. */
static void check_sphere(size_t count, const double (*rows)[4], unsigned k,
                         const struct neighbours_sphere *sphere, unsigned found,
                         const double *square)
{
    double *all = calloc(count, sizeof *all);
    assert_non_null(all);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < 3; c++)
            all[i] += pow(rows[i][c] - sphere->centre[c], 2);
    qsort(all, count, sizeof *all, by_value);
    size_t within = 0;
    while (within < count && all[within] <= sphere->radius * sphere->radius * (1 + 1e-12))
        within++;
    assert_int_equal(found, within < k ? within : k);
    assert_memory_equal(square, all, found * sizeof *all);
    free(all);
}

TEST(spheres_hold_the_nearest)
{
    enum { COUNT = 3000, SPHERES = 60, K = 8 };
    static struct neighbours_sphere sphere[SPHERES];
    static float distance[COUNT];
    double square[SPHERES * K];
    uint8_t found[SPHERES];
    uint64_t seed = 3;
    row_list rows = rows_make(COUNT);
    struct neighbours *neighbours;
    for (size_t i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            rows[i][c] = floor(30 * uniform(&seed)); /* some at one place, many equal distances */
    for (size_t i = 0; i < SPHERES; i++) {
        for (int c = 0; c < 3; c++)
            sphere[i].centre[c] = 60 * uniform(&seed) - 15;
        sphere[i].radius = i % 10 == 9 ? INFINITY : 3.0 * (double)(i % 10);
    }
    memcpy(sphere[0].centre, rows[5], sizeof sphere[0].centre);
    assert_ok(neighbours_open(&neighbours, COUNT, K));
    assert_ok(neighbours_find(neighbours, (const double(*)[4])rows, 1, distance, NULL));
    neighbours_within(neighbours, sphere, SPHERES, 1, square, found);
    for (size_t i = 0; i < SPHERES; i++)
        check_sphere(COUNT, (const double(*)[4])rows, K, sphere + i, found[i], square + i * K);
    neighbours_close(&neighbours);
    free(rows);
}

TESTS(NULL, NULL)
