#include "tests/support/test.h"
#include "tests/support/forces/sphere.h"

#include "tests/support/forces/force_reference.h"
#include "kernels/ladder/ladder.h"

#include <string.h>

enum { COUNT_MAX = 1000, PADDED_MAX = LADDER_PAD };

static const double SOFTENING = 0.01;

static _Alignas(64) float columns[LADDER_MEMORY * PADDED_MAX];
static double want[COUNT_MAX][3], found[COUNT_MAX][3];

static struct ladder_bodies fill(const struct bodies *bodies)
{
    memset(columns, 0xff, sizeof columns);
    ladder_fill(columns, bodies->count, bodies->mass, (const double(*)[3])bodies->position);
    return ladder_lay_out(columns, bodies->count, (float)SOFTENING);
}

TEST(every_cpu_rung_is_right)
{
    static const size_t counts[] = {1, 2, 3, 17, 257, 1000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        struct bodies *bodies = sphere_make(counts[k], false, counts[k]);
        force_reference(bodies->count, bodies->mass, (const double(*)[3])bodies->position,
                        SOFTENING, want, NULL);
        for (const struct ladder_rung *const *rung = ladder_cpu_rungs; *rung; rung++) {
            if ((*rung)->usable && !(*rung)->usable())
                continue;
            struct ladder_bodies memory = fill(bodies);
            assert_int_equal((*rung)->launch(&memory, NULL), 0);
            for (size_t i = 0; i < bodies->count; i++)
                for (int c = 0; c < 3; c++)
                    found[i][c] = (double)memory.acceleration[4 * i + (size_t)c];
            double error = relative_rms(3 * bodies->count, found[0], want[0]);
            if (!(error < 3e-6))
                fail_msg("%s, N = %zu: error %g", (*rung)->name, counts[k], error);
        }
        bodies_destroy(&bodies);
    }
}

TEST(the_reference_agrees_with_the_other)
{
    static double picked[3][3];
    const size_t which[3] = {0, 500, 999};
    struct bodies *bodies = sphere_make(1000, false, 5);
    const double(*position)[3] = (const double(*)[3])bodies->position;
    force_reference(1000, bodies->mass, position, SOFTENING, want, NULL);
    ladder_reference(1000, bodies->mass, position, SOFTENING, 3, which, picked);
    for (int k = 0; k < 3; k++)
        assert_true(relative_rms(3, picked[k], want[which[k]]) < 1e-12);
    bodies_destroy(&bodies);
}

TEST(rungs_are_found_by_name)
{
    for (int cuda = 0; cuda < 2; cuda++)
        for (const struct ladder_rung *const *rung = cuda ? ladder_cuda_rungs : ladder_cpu_rungs;
             *rung; rung++) {
            assert_true((*rung)->launch && (*rung)->cuda == cuda);
            assert_ptr_equal(ladder_find((*rung)->name), *rung);
        }
    assert_non_null(ladder_find("serial"));
    assert_null(ladder_find("parallel"));
}

TEST(the_bound_counts_its_work)
{
    int usable = 0;
    for (const struct ladder_bound *const *bound = ladder_bounds; *bound; bound++) {
        if (!(*bound)->usable())
            continue;
        usable++;
        double once = (*bound)->multiply_adds(1);
        assert_true(once > 1e6);
        assert_true((*bound)->multiply_adds(3) == 3 * once);
        assert_true((*bound)->roots(2) == 2 * (*bound)->roots(1));
        double each = (*bound)->interactions(LADDER_EACH, 1);
        assert_true(each > 1e5);
        assert_true((*bound)->interactions(LADDER_PAIRS, 1) == 2 * each);
        assert_true((*bound)->interactions(LADDER_PAIRS_EQUAL, 1) == 2 * each);
        assert_true((*bound)->interactions(LADDER_EACH_EQUAL, 2) == 2 * each);
    }
    assert_true(usable >= 1);
}

TESTS(NULL, NULL)
