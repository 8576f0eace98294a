/* The suites that measure a CUDA device, without a device: runtime and launchers are fakes. The
 * kernels' results are tested on a GPU. */
#include "tests/support/cuda/fake_device.h"
#include "tests/cmd/bench/cells.h"
#include "tests/support/test.h"

#include "cmd/bench/bed.h"
#include "cmd/bench/suites/suites.h"

#include <math.h>
#include <string.h>

extern const struct bench_suite suite_gems3, suite_tree;

static const struct bench_options quick = {.count = 300, .quick = true, .cuda = true};

/* ---- what is pretended ---- */

static const struct ladder_rung tile = {"shared tile", true, NULL, ladder_serial},
                                unrolled = {"shared tile, unroll 4", true, NULL, ladder_serial},
                                sample = {"sample's shape", true, NULL, ladder_serial};
const struct ladder_rung *const ladder_cuda_rungs[] = {&tile, &unrolled, &sample, NULL};

static bool has_units = true;
static double softened = 1; /* by how much all softenings are too large */

int __wrap_tensor_cuda_runs(int device);
int __wrap_tensor_cuda_runs(int device)
{
    return device == 0 && has_units ? 0 : 1;
}

int __real_fake_device_launch(void *stream, const struct fake_launch *launch);
int __wrap_fake_device_launch(void *stream, const struct fake_launch *launch);
int __wrap_fake_device_launch(void *stream, const struct fake_launch *launch)
{
    struct fake_launch changed = *launch;
    changed.value[0] *= softened;
    return __real_fake_device_launch(stream, &changed);
}

static int nothing_left(void **state)
{
    (void)state;
    has_units = true;
    softened = 1;
    return fake_device_alive();
}

/* ---- tables ---- */

/* Two interactions for each of 16 reciprocal roots a clock, 132 multiprocessors at 1.98 GHz. */
static void the_ladder_ends_with_matrix_units(void **state)
{
    (void)state;
    struct bench_report report = {0};
    assert_ok(suite_gems3.run(&quick, &report));
    assert_int_equal(report.table_count, 2);
    for (size_t t = 0; t < report.table_count; t++)
        for (size_t r = 0; r < report.tables[t]->row_count; r++)
            for (size_t c = 0; c < report.tables[t]->column_count; c++)
                if (bench_cell(report.tables[t], r, c)->kind == BENCH_FAILED)
                    fail_msg("%s", bench_cell(report.tables[t], r, c)->text);
    assert_true(number(report.tables[0], 0, "matrix units") > 0);
    assert_true(fabs(number(report.tables[0], 0, "CUDA bound") - 4 * 32 * 132 * 1.98 * 2 / 15) <
                1e-6);

    const struct bench_table *ladder = report.tables[1];
    const size_t last = ladder->row_count - 1;
    assert_string_equal(ladder->title, "kernel by kernel, 300 bodies, CUDA");
    assert_string_equal(cell(ladder, 0, "kernel")->text, "shared tile");
    assert_string_equal(cell(ladder, last, "kernel")->text, "matrix units");
    assert_says(cell(ladder, last, "what changed, and why it is faster")->text, "reciprocal root");
    const double rate = number(ladder, last, "rate"), bound = number(ladder, last, "bound");
    assert_true(fabs(bound - 2 * 16 * 132 * 1.98) < 1e-9 * bound);
    assert_true(fabs(number(ladder, last, "of the bound") - 100 * rate / bound) < 1e-9);
    assert_true(fabs(number(ladder, last, "speed-up") - rate / number(ladder, 0, "rate")) < 1e-9);
    assert_true(number(ladder, last, "error") < 1e-12); /* which is double here */
    assert_true(fabs(number(ladder, last - 1, "bound") - 4 * 32 * 132 * 1.98 * 2 / 15) < 1e-6);
    bench_report_free(&report);
}

/* Below compute capability 8.0. */
static void without_matrix_units_the_ladder_says_so(void **state)
{
    (void)state;
    struct bench_report report = {0};
    has_units = false;
    assert_ok(suite_gems3.run(&quick, &report));
    assert_int_equal(cell(report.tables[0], 0, "matrix units")->kind, BENCH_EMPTY);
    const struct bench_table *ladder = report.tables[1];
    const struct bench_cell *rate = cell(ladder, ladder->row_count - 1, "rate");
    assert_int_equal(rate->kind, BENCH_FAILED);
    assert_says(rate->text, "compute capability 8.0");
    bench_report_free(&report);

    assert_ok(suite_tree.run(&quick, &report));
    assert_int_equal(report.tables[0]->row_count, 7);
    assert_string_equal(report.tables[0]->title, "the tree, whole evaluations, CUDA");
    bench_report_free(&report);
}

static void matrix_units_are_judged_on_all_kinds_of_bodies(void **state)
{
    (void)state;
    struct bench_report report = {0};
    assert_ok(suite_tree.run(&quick, &report));
    const struct bench_table *table = report.tables[0];
    assert_int_equal(table->row_count, 2 * 7);
    for (size_t r = 0; r < table->row_count; r++) {
        const bool tensor = r % 2;
        const double rms = number(table, r, "RMS"), seconds = 1e-3 * number(table, r, "total");
        assert_string_equal(cell(table, r, "force")->text, tensor ? "tensor" : "tree");
        assert_string_equal(cell(table, r, "bodies")->text, cell(table, r - r % 2, "bodies")->text);
        assert_true(rms <= number(table, r, "error limit"));
        assert_true(number(table, r, "worst") >= number(table, r, "99 %"));
        assert_int_equal(cell(table, r, "rate")->kind, tensor ? BENCH_NUMBER : BENCH_EMPTY);
        assert_true(isfinite(number(table, r, "bound")) && number(table, r, "bound") > 0);
        assert_int_equal(cell(table, r, "pairs")->kind, tensor ? BENCH_EMPTY : BENCH_NUMBER);
        if (tensor)
            assert_true(fabs(number(table, r, "rate") * seconds - 300 * 300 * 1e-9) < 1e-12);
    }
    /* equal masses: 1e-2 / sqrt(300) */
    assert_true(fabs(number(table, 1, "error limit") - 1e-2 / sqrt(300)) < 1e-12);
    bench_report_free(&report);

    softened = 3;
    assert_ok(suite_tree.run(&quick, &report));
    const struct bench_cell *total = cell(report.tables[0], 1, "total");
    assert_int_equal(total->kind, BENCH_FAILED);
    assert_says(total->text, "limit 0.00058");
    assert_true(number(report.tables[0], 1, "RMS") > 5.8e-4); /* reported nevertheless */
    assert_int_equal(cell(report.tables[0], 1, "rate")->kind, BENCH_EMPTY);
    bench_report_free(&report);
}

/* Few bodies have larger errors on matrix units, and pass within the force's own bound. */
static void a_force_is_held_to_what_it_promises(void **state)
{
    (void)state;
    struct bench_bed *bed;
    struct bench_outcome outcome;
    assert_ok(bench_bed_open(&bed, &quick, 300, true, NULL));
    softened = 1.0001;
    assert_ok(bench_bed_solver(bed, &solver_cuda, "tensor", NULL, &outcome));
    assert_true(outcome.error > BENCH_ERROR_MAX && outcome.error < 1e-2 / sqrt(300));
    assert_fails(bench_bed_solver(bed, &solver_cuda, "double", NULL, &outcome), STATUS_RUNTIME,
                 "1e-05");
    softened = 1.05;
    assert_fails(bench_bed_solver(bed, &solver_cuda, "tensor", NULL, &outcome), STATUS_RUNTIME,
                 "0.00058");
    bench_bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_ladder_ends_with_matrix_units, nothing_left),
        cmocka_unit_test_teardown(without_matrix_units_the_ladder_says_so, nothing_left),
        cmocka_unit_test_teardown(matrix_units_are_judged_on_all_kinds_of_bodies, nothing_left),
        cmocka_unit_test_teardown(a_force_is_held_to_what_it_promises, nothing_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
