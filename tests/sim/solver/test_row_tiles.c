#include "tests/support/test.h"
#include "tests/support/sphere.h"
#include "sim/solver/tiles.h"

#include <math.h>
#include <omp.h>
#include <string.h>

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

static double widest(const struct tiles *tiles, const struct bodies *bodies)
{
    double sum = 0;
    for (size_t first = 0; first < bodies->count; first += FORCE_TILE) {
        double centre[3], largest = 0;
        size_t chosen = tiles_chosen(first, bodies->count, tiles->massive);
        tiles_centre(tiles->order, first, chosen, (const double(*)[3])bodies->position, centre);
        for (size_t k = first; k < first + chosen; k++)
            for (int c = 0; c < 3; c++)
                largest = fmax(largest, fabs(bodies->position[tiles->order[k]][c] - centre[c]));
        sum += largest;
    }
    return sum / (double)tiles_for(bodies->count);
}

static void test_order(void **state)
{
    (void)state;
    static const size_t counts[] = {1, 2, 127, 128, 129, 255, 257, 1000, 5000, 20000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
        for (int equal = 0; equal < 2; equal++) {
            struct bodies *bodies = sphere_make(counts[k], equal, 3 + k);
            struct tiles tiles;
            assert_ok(tiles_open(&tiles, bodies));
            check_order(&tiles, bodies);
            tiles_close(&tiles);
            bodies_destroy(&bodies);
        }
}

/* Tiles are smaller than the whole, whose width is 8, one body far away or not. */
static void test_neighbours(void **state)
{
    (void)state;
    for (int outlier = 0; outlier < 2; outlier++) {
        struct bodies *bodies = sphere_make(20000, true, 4);
        struct tiles tiles;
        for (size_t i = 0; i < bodies->count; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = fmin(fmax(bodies->position[i][c], -4), 4);
        if (outlier)
            bodies->position[7][1] = 1e9;
        assert_ok(tiles_open(&tiles, bodies));
        bodies->position[7][1] = bodies->position[tiles.order[20]][1];
        double wide = widest(&tiles, bodies);
        if (!(wide < 2))
            fail_msg("tiles are %g wide", wide);
        tiles_close(&tiles);
        bodies_destroy(&bodies);
    }
}

/* A mass that many have fills tiles of its own. */
static void test_segments(void **state)
{
    (void)state;
    const size_t n = 12000;
    struct bodies *bodies = sphere_make(n, true, 5);
    struct tiles tiles;
    for (size_t i = 0; i < n; i++)
        bodies->mass[i] = i % 2 ? 1 : i % 4 ? 2 : 1 + (double)i;
    assert_ok(tiles_open(&tiles, bodies));
    check_order(&tiles, bodies);
    assert_int_equal(tiles.segments, 2);
    for (size_t k = tiles.ends[0] + FORCE_TILE; k < n; k++) /* a tile may have both */
        assert_true(bodies->mass[tiles.order[k]] == 1);
    tiles_close(&tiles);
    bodies_destroy(&bodies);
}

/* The same order for any number of threads, whatever it was before; all in one place; numbers that
 * are none. */
static void test_sorting_again(void **state)
{
    (void)state;
    const size_t n = 20000;
    struct bodies *bodies = sphere_make(n, false, 6);
    struct tiles tiles, other;
    assert_ok(tiles_open(&tiles, bodies));
    assert_ok(tiles_open(&other, bodies));
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; round > 0 && i < n; i++)
            for (int c = 0; c < 3; c++)
                bodies->position[i][c] = round == 2 ? 1.5 : -2 * bodies->position[i][c];
        omp_set_num_threads(1);
        tiles_sort(&tiles, bodies->mass, (const double(*)[3])bodies->position);
        omp_set_num_threads(4);
        tiles_sort(&other, bodies->mass, (const double(*)[3])bodies->position);
        assert_memory_equal(tiles.order, other.order, n * sizeof *tiles.order);
        check_order(&tiles, bodies);
    }
    for (size_t i = 0; i < n; i += 3)
        bodies->position[i][i % 2] = i % 5 ? NAN : INFINITY;
    tiles_sort(&tiles, bodies->mass, (const double(*)[3])bodies->position);
    check_order(&tiles, bodies);
    tiles_set(&other, tiles.order);
    assert_memory_equal(tiles.order, other.order, n * sizeof *tiles.order);
    tiles_close(&tiles);
    tiles_close(&other);
    bodies_destroy(&bodies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_segments),
        cmocka_unit_test(test_sorting_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
