#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"
#include "sim/solver/tiles.h"

#include <math.h>
#include <omp.h>

/* Every body once, rows with mass first, heavier ones last in a tile. */
static void check_order(const struct tiles *tiles, const struct bodies *bodies)
{
    char *seen = calloc(bodies->count, 1);
    assert_non_null(seen);
    for (size_t k = 0; k < bodies->count; k++) {
        const uint32_t body = tiles->order[k];
        assert_in_range(body, 0, bodies->count - 1);
        assert_int_equal(seen[body]++, 0);
        assert_true((bodies->mass[body] != 0) == (k < tiles->massive));
        if (k % FORCE_TILE != 0 && k < tiles->massive)
            assert_true(bodies->mass[tiles->order[k - 1]] <= bodies->mass[body]);
    }
    free(seen);
}

/* Half of the longest side of a tile, in the mean. */
static double mean_width(const struct tiles *tiles, const struct bodies *bodies)
{
    double sum = 0;
    for (size_t first = 0; first < bodies->count; first += FORCE_TILE) {
        double longest = 0;
        for (int c = 0; c < 3; c++) {
            double low = INFINITY, high = -INFINITY;
            for (size_t k = first; k < first + FORCE_TILE && k < bodies->count; k++) {
                low = fmin(low, bodies->position[tiles->order[k]][c]);
                high = fmax(high, bodies->position[tiles->order[k]][c]);
            }
            longest = fmax(longest, (high - low) / 2);
        }
        sum += longest;
    }
    return sum / (double)tiles_for(bodies->count);
}

TEST(test_order)
{
    static const size_t counts[] = {1, 2, 127, 128, 129, 255, 257, 1000, 5000, 20000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int equal = 0; equal < 2; equal++) {
            struct bodies *bodies = sphere_make(counts[k], equal, 3 + k);
            struct tiles tiles;
            assert_ok(tiles_open(&tiles, bodies, 0.1));
            check_order(&tiles, bodies);
            tiles_close(&tiles);
            bodies_destroy(&bodies);
        }
}

/* Tiles are smaller than the whole, whose half is 4 wide, one body far away or not. */
TEST(test_neighbours)
{
    for (int outlier = 0; outlier < 2; outlier++) {
        struct bodies *bodies = sphere_make(20000, true, 4);
        struct tiles tiles;
        for (size_t i = 0; i < bodies->count; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = fmin(fmax(bodies->position[i][c], -4), 4);
        if (outlier)
            bodies->position[7][1] = 1e9;
        assert_ok(tiles_open(&tiles, bodies, 0.1));
        bodies->position[7][1] = bodies->position[tiles.order[20]][1];
        double wide = mean_width(&tiles, bodies);
        if (!(wide < 1.5))
            fail_msg("tiles are %g wide", wide);
        tiles_close(&tiles);
        bodies_destroy(&bodies);
    }
}

/* Bodies with a common mass fill separate tiles. */
TEST(test_segments)
{
    const size_t n = 12000;
    struct bodies *bodies = sphere_make(n, true, 5);
    struct tiles tiles;
    for (size_t i = 0; i < n; i++)
        bodies->mass[i] = i % 2 ? 1 : i % 4 ? 2 : 1 + (double)i;
    assert_ok(tiles_open(&tiles, bodies, 0.1));
    check_order(&tiles, bodies);
    assert_int_equal(tiles.segments, 2);
    for (size_t k = tiles.ends[0] + FORCE_TILE; k < n; k++) /* a tile may have both */
        assert_true(bodies->mass[tiles.order[k]] == 1);
    tiles_close(&tiles);
    bodies_destroy(&bodies);
}

static void open_with(int threads, const struct bodies *bodies, struct tiles *tiles)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads);
    assert_ok(tiles_open(tiles, bodies, 0.1));
    omp_set_num_threads(before);
    check_order(tiles, bodies);
}

/* The same for any number of threads, for all bodies at one place, and for NaN. */
TEST(test_threads)
{
    const size_t n = 20000;
    struct bodies *bodies = sphere_make(n, false, 6);
    for (int round = 0; round < 3; round++) {
        struct tiles tiles, other;
        for (size_t i = 0; round == 1 && i < n; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = 1.5;
        for (size_t i = 0; round == 2 && i < n; i += 3)
            bodies->position[i][i % 2] = i % 5 ? NAN : INFINITY;
        open_with(1, bodies, &tiles);
        open_with(4, bodies, &other);
        const size_t all = tiles_for(n);
        assert_memory_equal(tiles.order, other.order, n * sizeof *tiles.order);
        assert_memory_equal(tiles.chosen, other.chosen, all * sizeof *tiles.chosen);
        if (round < 2)
            assert_memory_equal(tiles.weight, other.weight, all * sizeof *tiles.weight);
        tiles_close(&tiles);
        tiles_close(&other);
    }
    bodies_destroy(&bodies);
}

/* The centre of a tile is next to its heavy body, in its dense part, among bodies with mass, and
 * stays with most of the chosen bodies if some leave. */
TEST(test_centres)
{
    enum { N = 100, HEAVY = 17, KNOT = 12 };
    for (int kind = 0; kind < 3; kind++) {
        struct bodies *bodies = sphere_make(N, true, 9);
        struct tiles tiles;
        const double(*x)[3] = (const double(*)[3])bodies->position;
        const double place[3] = {2.5, -1, 0.5};
        for (size_t i = 0; i < N; i++) {
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] += kind == 1 && i < KNOT ? 0 : 1e5;
            if (kind == 1 && i < KNOT)
                for (int c = 0; c < 3; c++)
                    bodies->position[i][c] = 1e5 + place[c] + 1e-3 * bodies->position[i][c];
            if (kind == 2 && i >= KNOT)
                bodies->mass[i] = 0;
        }
        if (kind == 0)
            bodies->mass[HEAVY] = 1e8;
        assert_ok(tiles_open(&tiles, bodies, 0.05));
        for (int leave = 0; leave < 2; leave++) {
            double centre[3], distance2 = 0;
            tiles_centre(tiles.order, tiles.chosen[0], x, centre);
            for (int c = 0; c < 3; c++) {
                const double to = kind == 0 ? x[HEAVY][c] : 1e5 + (kind == 1 ? place[c] : 0);
                distance2 += (centre[c] - to) * (centre[c] - to);
            }
            if (!(distance2 < (kind == 0 ? 0.25 : kind == 1 ? 1e-4 : 4)))
                fail_msg("kind %d, %d leave: the centre is %g away", kind, leave, sqrt(distance2));
            for (int s = 0; s < 4; s += 3) /* one of three medians goes, two stay */
                if (tiles.order[tiles.chosen[0][s]] != HEAVY)
                    bodies->position[tiles.order[tiles.chosen[0][s]]][0] += 1e9;
        }
        tiles_close(&tiles);
        bodies_destroy(&bodies);
    }
}

TESTS(NULL, NULL)
