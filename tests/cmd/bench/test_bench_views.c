/* The pipeline suite where a view cannot be created: the reason is in the table, and what was never
 * created is not destroyed. simulation_view_create is replaced at link time. */
#include "tests/support/test.h"

#include "cmd/bench/suites/suites.h"
#include "sim/simulation.h"

static int views_left;

enum status __real_simulation_view_create(struct simulation *simulation, struct view **out);
enum status __wrap_simulation_view_create(struct simulation *simulation, struct view **out);

enum status __wrap_simulation_view_create(struct simulation *simulation, struct view **out)
{
    if (views_left-- > 0)
        return __real_simulation_view_create(simulation, out);
    return status_fail(STATUS_RUNTIME, "no memory for a view");
}

TEST(reasons_are_in_the_table)
{
    const struct bench_options options = {.quick = true, .cpu = true};
    const struct bench_suite *suite = choice_find(&bench_suite_registry, "pipeline");
    /* None for the simulation alone; one, which leaves none for drawing alone. */
    for (int views = 0; views < 2; views++) {
        struct bench_report report = {0};
        views_left = views;
        assert_ok(bench_run_suite(suite, &options, &report));
        const struct bench_table *table = report.tables[0];
        assert_int_equal(table->row_count, 2);
        size_t failed = 0;
        for (size_t k = 0; k < table->row_count * table->column_count; k++)
            if (table->cells[k].kind == BENCH_FAILED) {
                assert_string_equal(table->cells[k].text, "no memory for a view");
                failed++;
            }
        assert_int_equal(failed, 2);
        bench_report_free(&report);
    }
}

TESTS(NULL, NULL)
