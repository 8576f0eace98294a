/* The bounds of rows: their arithmetic for given rates and counts, and that each row has one. What
 * takes how long is not tested. The suites draw and pipeline take too long here: their bounds are
 * made by the same functions. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/bench/bed.h"
#include "cmd/bench/bound.h"
#include "cmd/bench/suites/suites.h"

#include <math.h>
#include <string.h>

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

TEST(computing_memory_and_copies_overlap)
{
    static const struct bench_bound bound = {
        .slots = 200, .rate = {[LADDER_EACH] = 10}, .by_roots = 50, .memory = 1000, .to_host = 100};
    static const struct {
        struct bench_least least;
        double seconds;
    } cases[] = {
        {{0}, 0},
        {{.interactions = 30}, 3},
        {{.slots = 100}, 0.5},
        {{.interactions = 30, .slots = 100, .by_roots = 50}, 4.5},
        {{.interactions = 30, .slots = 100, .bytes = 3499}, 3.5},
        {{.interactions = 30, .slots = 100, .bytes = 4000}, 4},
        {{.interactions = 30, .bytes = 4000, .to_host = 700}, 7},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(near(bench_least_seconds(&bound, &cases[k].least), cases[k].seconds));
}

/* Without a rate that a row needs there is no bound, whatever the others say. */
TEST(unknown_rates_give_no_bound)
{
    static const struct bench_least all = {1, 1, 1, 1, 1}, memory = {.bytes = 6};
    struct bench_bound bound = {
        .slots = 1, .rate = {[LADDER_EACH] = 1}, .by_roots = 1, .memory = 2};
    assert_true(bench_least_seconds(&bound, &all) == 0);
    assert_true(bench_least_seconds(&bound, &memory) == 3);
    bound.to_host = 1;
    assert_true(bench_least_seconds(&bound, &all) == 3);
    bound.rate[LADDER_EACH] = 0;
    assert_true(bench_least_seconds(&bound, &all) == 0);
    bound.rate[LADDER_EACH] = 1;
    bound.slots = 0;
    assert_true(bench_least_seconds(&bound, &all) == 0);
}

TEST(the_slowest_stage_bounds_a_film)
{
    assert_true(bench_bound_frames(300, 600, 1000, false) == 300);
    assert_true(bench_bound_frames(300, 200, 1000, false) == 200);
    assert_true(bench_bound_frames(300, 200, 100, false) == 100);
    assert_true(near(bench_bound_frames(300, 600, 1000, true), 200));
    assert_true(bench_bound_frames(300, 600, 100, true) == 100);
}

/* A share is next to its bound, in rates and in times. */
TEST(shares_are_next_to_bounds)
{
    static const struct bench_column two[] = {{"bound", "", 3, false, false},
                                              {"of the bound", "%", 3, false, false}};
    struct bench_report report = {0};
    struct bench_table *table = bench_add_table(&report, "s", 2, two, "t");
    bench_add_row(table);
    bench_bound_rate(table, 0, 30, 40);
    bench_add_row(table);
    bench_bound_time(table, 0, 4e-3, 1e-3);
    bench_add_row(table);
    bench_bound_rate(table, 0, 0, 40); /* the kernel failed */
    bench_add_row(table);
    bench_bound_time(table, 0, 1, 0); /* the bound is unknown */
    static const double wanted[][2] = {{40, 75}, {1, 25}, {40, NAN}, {NAN, NAN}};
    for (size_t r = 0; r < 4; r++)
        for (size_t c = 0; c < 2; c++) {
            const struct bench_cell *cell = bench_cell(table, r, c);
            assert_int_equal(cell->kind, isnan(wanted[r][c]) ? BENCH_EMPTY : BENCH_NUMBER);
            assert_true(isnan(wanted[r][c]) || near(cell->number, wanted[r][c]));
        }
    bench_report_free(&report);
}

TEST(notes_name_the_rates)
{
    static const struct bench_bound bound = {.slots = 2e12, .memory = 3e9, .unknown = "no clock"};
    struct bench_report report = {0};
    struct bench_table *table = bench_add_table(&report, "s", 0, NULL, "t");
    bench_note_bound(table, NULL, "%d things.", 3);
    bench_note_bound(table, &bound, "all.");
    assert_int_equal(table->note_count, 3);
    assert_string_equal(table->notes[0], "Bound: 3 things.");
    assert_string_equal(table->notes[1], "Bound: all. Per second: 2e+03e9 instructions on lanes, "
                                         "3 GB of memory read and written.");
    assert_says(table->notes[2], "no clock");
    bench_report_free(&report);
}

/* ---- what a join takes ---- */

/* The number of products in a function of the code that generate.c has written. */
static int products(const char *code, const char *function)
{
    char *begin = text_format("NAMED(%s)(", function);
    const char *at = strstr(code, begin);
    assert_non_null(at);
    const char *const end = strstr(at, "\n}");
    assert_non_null(end);
    int count = 0;
    while ((at = strstr(at, " * ")) && at < end) {
        count++;
        at += 2;
    }
    free(begin);
    return count;
}

TEST(products_of_joins_are_those_of_the_code)
{
    for (int order = 4; order <= 5; order++) {
        char *path = text_format("%s/expansion%d.h", EXPANSIONS, order), *code = NULL;
        size_t size;
        assert_ok(file_read(path, 1 << 20, &code, &size));
        assert_int_equal(bench_join_products(false, order),
                         products(code, "flat_derivatives") + products(code, "flat_translate"));
        assert_int_equal(bench_join_products(true, order),
                         products(code, "derivatives") + products(code, "translate"));
        free(code);
        free(path);
    }
}

/* ---- every row ---- */

static bool is_share(const struct bench_column *column)
{
    return strcmp(column->unit, "%") == 0;
}

/* A share can fail where others use the machine, nothing else. */
static size_t bounds_of(const struct bench_table *table, size_t row)
{
    size_t found = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        const struct bench_cell *cell = bench_cell(table, row, c);
        if (cell->kind == BENCH_FAILED && !is_share(&table->columns[c]))
            fail_msg("%s: %s: %s", table->suite, table->columns[c].heading, cell->text);
        if (!strstr(table->columns[c].heading, "bound") || is_share(&table->columns[c]) ||
            cell->kind == BENCH_EMPTY)
            continue;
        assert_true(isfinite(cell->number) && cell->number > 0);
        found++;
    }
    return found;
}

/* The tables of limits have rates of the machine itself. */
TEST(every_row_has_its_bound)
{
    static const struct bench_options options = {.count = 257, .quick = true, .cpu = true};
    static const struct {
        const char *suite;
        size_t tables, rows; /* rows of the last table; 0: any number */
    } wanted[] = {{"solver", 3, 0}, {"gems3", 1, 1}, {"tree", 1, 2 * 7}, {"files", 1, 2}};
    for (size_t s = 0; s < sizeof wanted / sizeof *wanted; s++) {
        const struct bench_suite *suite = choice_find(&bench_suite_registry, wanted[s].suite);
        struct bench_report report = {0};
        assert_ok(bench_run_suite(suite, &options, &report));
        assert_int_equal(report.table_count, wanted[s].tables);
        if (wanted[s].rows > 0)
            assert_int_equal(report.tables[report.table_count - 1]->row_count, wanted[s].rows);
        for (size_t t = 0; t < report.table_count; t++) {
            const struct bench_table *table = report.tables[t];
            const bool limits = strstr(table->title, "limits of this");
            size_t notes = 0;
            for (size_t n = 0; n < table->note_count; n++)
                notes += strncmp(table->notes[n], "Bound: ", 7) == 0;
            assert_int_equal(notes, !limits);
            for (size_t r = 0; r < table->row_count; r++)
                if (bounds_of(table, r) == 0 && !limits)
                    fail_msg("%s, %s: row %zu has no bound", table->suite, table->title, r);
        }
        bench_report_free(&report);
    }
}

TESTS(NULL, NULL)
