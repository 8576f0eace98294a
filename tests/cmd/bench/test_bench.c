#include "tests/cmd/bench/cells.h"
#include "tests/support/test.h"
#include "tests/support/programs/run.h"
#include "tests/support/films/sink_fixture.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/bench/bed.h"
#include "cmd/bench/bound.h"
#include "cmd/bench/suites/suites.h"
#include "cmd/bench/table.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const struct bench_options quick = {.count = 257, .quick = true, .cpu = true};

static const struct bench_column two_columns[] = {
    {"N", "", 0, false, false},
    {"rate", "1e9/s", 3, true, true},
};

/* ---- tables ---- */

TEST(cells_hold_what_was_set)
{
    struct bench_report report = {0};
    char text[STATUS_TEXT_MAX];
    struct bench_table *table = bench_add_table(&report, "s", 2, two_columns, "title");
    bench_number(table, 0, 7); /* no row yet: nothing happens */
    bench_add_row(table);
    bench_number(table, 0, 1234567);
    bench_number(table, 1, 0.0123456);
    bench_number(table, 2, 1); /* no such column */
    bench_add_row(table);
    bench_text(table, 0, "%d apples", 3);
    bench_failed(table, 1, "it is %s", "broken");
    bench_add_row(table);
    assert_int_equal(table->row_count, 3);
    static const char *const wanted[3][2] = {
        {"1,234,567", "0.0123"}, {"3 apples", "failed: it is broken"}, {"", ""}};
    for (size_t r = 0; r < 3; r++)
        for (size_t c = 0; c < 2; c++) {
            bench_cell_text(table, r, c, text, sizeof text);
            assert_string_equal(text, wanted[r][c]);
        }
    assert_int_equal(bench_cell(table, 2, 1)->kind, BENCH_EMPTY);
    assert_int_equal(table->axes.x, BENCH_NO_COLUMN);
    bench_report_free(&report);
    assert_int_equal(report.table_count, 0);
}

TEST(numbers_are_readable)
{
    static const struct {
        double value;
        const char *text;
    } wanted[] = {{0, "0.00"},        {9.999, "10.0"},       {123.4, "123"},  {4096, "4,096"},
                  {1e12, "1.00e+12"}, {0.00012, "1.20e-04"}, {-2.5, "-2.50"}, {-1500, "-1,500"},
                  {NAN, "nan"},       {999.9, "1,000"}};
    struct bench_report report = {0};
    char text[64];
    struct bench_table *table = bench_add_table(&report, "s", 2, two_columns, "title");
    bench_add_row(table);
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        bench_number(table, 1, wanted[k].value);
        bench_cell_text(table, 0, 1, text, sizeof text);
        assert_string_equal(text, wanted[k].text);
    }
    bench_report_free(&report);
}

/* ---- JSON ---- */

static json_t *read_json(const char *path)
{
    json_error_t error;
    json_t *root = json_load_file(path, 0, &error);
    if (!root)
        fail_msg("%s: line %d: %s", path, error.line, error.text);
    return root;
}

struct heard {
    char text[256];
};

static void hear_row(void *user, const struct bench_table *table, size_t row)
{
    struct heard *heard = user;
    char cell[64];
    bench_cell_text(table, row, 0, cell, sizeof cell);
    snprintf(heard->text + strlen(heard->text), sizeof heard->text - strlen(heard->text), "%s ",
             cell);
}

static void hear_table(void *user, const struct bench_table *table)
{
    struct heard *heard = user;
    snprintf(heard->text + strlen(heard->text), sizeof heard->text - strlen(heard->text), "[%s] ",
             table->title);
}

/* A row is reported when the next one begins, a table when it is complete; each once. */
TEST(what_is_ready_is_told)
{
    static const struct bench_column one[] = {{"x", "", 0, false, false}};
    struct heard heard = {""};
    struct bench_report report = {.watcher = {hear_row, hear_table, &heard}};
    struct bench_table *table = bench_add_table(&report, "s", 1, one, "first");
    bench_add_row(table);
    bench_number(table, 0, 1);
    assert_string_equal(heard.text, "");
    bench_add_row(table);
    bench_number(table, 0, 2);
    assert_string_equal(heard.text, "1 ");
    bench_ready(&report);
    assert_string_equal(heard.text, "1 2 [first] ");
    bench_ready(&report);
    bench_add_table(&report, "s", 1, one, "second");
    bench_ready(&report);
    assert_string_equal(heard.text, "1 2 [first] [second] ");
    bench_report_free(&report);
}

/* Figures above the machine's bound are failures. */
TEST(nothing_is_beyond_the_bound)
{
    static const struct bench_column one[] = {{"x", "%", 3, false, false}};
    static const struct {
        double rate, bound;
        enum bench_kind kind;
    } rows[] = {{50, 100, BENCH_NUMBER},   {109, 100, BENCH_NUMBER}, {111, 100, BENCH_FAILED},
                {2228, 100, BENCH_FAILED}, {5, 0, BENCH_EMPTY},      {NAN, 1, BENCH_FAILED}};
    struct bench_report report = {0};
    struct bench_table *table = bench_add_table(&report, "s", 1, one, "t");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bench_add_row(table);
        bench_fraction(table, 0, rows[i].rate, rows[i].bound);
        assert_int_equal(bench_cell(table, i, 0)->kind, rows[i].kind);
    }
    assert_true(bench_cell(table, 0, 0)->number == 50);
    assert_says(bench_cell(table, 3, 0)->text, "2228 bound");
    bench_report_free(&report);
}

TEST(others_on_the_machine_are_seen)
{
    struct load load = {0};
    char note[256] = "";
    assert_false(bench_load_note(&load, note, sizeof note)); /* only begins */
    if (load.all > 64) { /* as if other programs had used everything since the start, in a moment */
        load.clock -= 0.6;
        load.all = 1e-3;
        assert_true(bench_load_note(&load, note, sizeof note));
        assert_says(note, "machine busy 100 rates low times high");
    }
}

TEST(json_has_the_rows)
{
    char *folder = fixture_folder(), *path = text_format("%s/report.json", folder);
    struct bench_report report = {.cpu = strdup("a \"processor\"")};
    struct bench_table *table = bench_add_table(&report, "s", 2, two_columns, "title");
    bench_add_row(table);
    bench_number(table, 0, 5);
    bench_failed(table, 1, "no\nluck");
    bench_add_row(table);
    bench_text(table, 0, "x");
    bench_number(table, 1, NAN);
    bench_add_note(table, "note %d", 1);
    assert_ok(bench_write_json(&report, path));
    json_t *root = read_json(path), *rows, *columns;
    const char *cpu, *suite, *failed, *unit, *text;
    json_t *cuda, *none;
    double number;
    int published;
    assert_int_equal(json_unpack(root, "{s:s, s:o, s:[{s:s, s:o, s:o}]}", "cpu", &cpu, "cuda",
                                 &cuda, "tables", "suite", &suite, "rows", &rows, "columns",
                                 &columns),
                     0);
    assert_string_equal(cpu, "a \"processor\"");
    assert_true(json_is_null(cuda));
    assert_int_equal(
        json_unpack(rows, "[[F, {s:s}], [s, o]]", &number, "failed", &failed, &text, &none), 0);
    assert_true(number == 5);
    assert_string_equal(failed, "no\nluck");
    assert_true(json_is_null(none));
    assert_int_equal(json_unpack(json_array_get(columns, 1), "{s:s, s:b}", "unit", &unit,
                                 "published", &published),
                     0);
    assert_string_equal(unit, "1e9/s");
    assert_true(published);
    json_decref(root);
    assert_fails(bench_write_json(&report, "/nowhere/at/all.json"), STATUS_IO, "/nowhere/at/all");
    bench_report_free(&report);
    fixture_remove_folder(folder);
    free(path);
}

/* ---- kernels ---- */

/* Takes a softening that is one per cent too large. */
static int launch_wrong(const struct ladder_bodies *bodies, void *stream)
{
    struct ladder_bodies lighter = *bodies;
    lighter.softening *= 1.01f;
    return ladder_serial(&lighter, stream);
}

static int launch_nothing(const struct ladder_bodies *bodies, void *stream)
{
    (void)bodies;
    (void)stream;
    return 0;
}

TEST(wrong_kernels_are_not_timed)
{
    struct ladder_rung kernel = {.name = "wrong"};
    struct bench_outcome outcome;
    struct bench_bed *bed;
    assert_ok(bench_bed_open(&bed, &quick, 257, false, NULL));
    assert_ok(bench_bed_kernel(bed, ladder_find("serial"), &outcome));
    assert_true(outcome.seconds > 0 && outcome.rate > 0 && outcome.error < 1e-5);

    kernel.launch = launch_nothing;
    assert_fails(bench_bed_kernel(bed, &kernel, &outcome), STATUS_RUNTIME, "relative error");
    assert_true(outcome.seconds == 0);
    kernel.launch = launch_wrong;
    assert_fails(bench_bed_kernel(bed, &kernel, &outcome), STATUS_RUNTIME, "relative error");
    assert_true(outcome.seconds == 0 && outcome.error > BENCH_ERROR_MAX);
    struct bench_report report = {0};
    char text[STATUS_TEXT_MAX];
    struct bench_table *table = bench_add_table(&report, "s", 2, two_columns, "title");
    bench_add_row(table);
    bench_bed_cell(bed, table, 1, &kernel);
    assert_int_equal(bench_cell(table, 0, 1)->kind, BENCH_FAILED);
    bench_cell_text(table, 0, 1, text, sizeof text);
    assert_memory_equal(text, "failed: relative error", strlen("failed: relative error"));
    bench_report_free(&report);
    bench_bed_close(&bed);
}

TEST(cuda_kernels_need_a_device)
{
    struct ladder_rung kernel = {.name = "c", .cuda = true, .launch = launch_nothing};
    struct bench_outcome outcome;
    struct bench_bed *bed;
    assert_ok(bench_bed_open(&bed, &quick, 10, true, NULL));
    assert_fails(bench_bed_kernel(bed, &kernel, &outcome), STATUS_RUNTIME, "CUDA device");
    bench_bed_close(&bed);
}

struct script {
    int calls;
    double clock;
};

/* Takes 1, 2, 3, ... milliseconds per call. */
static enum status slower_and_slower(void *user, unsigned calls, double *seconds)
{
    struct script *script = user;
    *seconds = 0;
    for (unsigned k = 0; k < calls; k++)
        *seconds += 1e-3 * ++script->calls;
    return script->calls > 1000 ? status_fail(STATUS_RUNTIME, "too often") : STATUS_OK;
}

static enum status as_slow(void *user, unsigned calls, double *seconds)
{
    (void)user;
    *seconds = 5.0 * calls;
    return STATUS_OK;
}

static enum status broken(void *user, unsigned calls, double *seconds)
{
    (void)user;
    (void)calls;
    *seconds = 0;
    return status_fail(STATUS_RUNTIME, "a broken sample");
}

TEST(the_median_is_of_enough_samples)
{
    struct bench_options slow = {0};
    struct script script = {0};
    double seconds = -1;
    assert_ok(bench_median(&slow, slower_and_slower, &script, &seconds));
    assert_true(script.calls >= 6);
    assert_true(seconds > 1e-3 && seconds < 1e-3 * script.calls);
    assert_ok(bench_median(&slow, as_slow, NULL, &seconds));
    assert_true(seconds == 5);
    assert_fails(bench_median(&slow, broken, NULL, &seconds), STATUS_RUNTIME, "broken sample");
}

/* ---- suites ---- */

/* Every kind of bodies is within the requested error; the table has the amount of work. */
TEST(the_tree_is_judged)
{
    struct bench_options options = quick;
    struct bench_report report = {0};
    options.count = 3000;
    assert_ok(bench_run_suite(choice_find(&bench_suite_registry, "tree"), &options, &report));
    const struct bench_table *table = report.tables[0];
    assert_int_equal(table->row_count, 2 * 7);
    for (size_t r = 0; r < table->row_count; r++) {
        const bool exact = r % 2;
        assert_true(number(table, r, "N") == 3000);
        const double asked = number(table, r, "error limit"), rms = number(table, r, "RMS");
        assert_string_equal(cell(table, r, "force")->text, exact ? "tree-exact" : "tree");
        assert_true(asked == (exact ? 8e-4 : 4e-4) && rms > 0 && rms <= asked);
        const bool heavy = strcmp(cell(table, r, "bodies")->text, "heavy body") == 0;
        const double share[] = {number(table, r, "99 %"), number(table, r, "99.9 %"),
                                number(table, r, "worst")};
        assert_true(heavy || share[0] >= rms / 2);
        assert_true(share[0] <= share[1] && share[1] <= share[2]);
        assert_true(share[1] <= 10 * 4e-4 && share[2] <= 15 * 4e-4);
        static const char *const parts[] = {"build", "moments", "walk", "total", "pairs", "joins"};
        for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
            assert_true(number(table, r, parts[p]) > 0);
        static const char *const peers[] = {"Bonsai", "Ryoanji", "FDPS"};
        for (size_t p = 0; p < sizeof peers / sizeof *peers; p++)
            assert_int_equal(cell(table, r, peers[p])->kind, BENCH_EMPTY);
    }
    bench_report_free(&report);
}

/* ---- the program ---- */

TEST(the_program_writes_json)
{
    struct run run;
    run_program(&run, NULL,
                ARGUMENTS("bench", "--suite", "solver", "-n", "300", "--quick", "--backend", "cpu",
                          "--json"));
    assert_int_equal(run.code, 0);
    json_error_t error;
    json_t *root = json_loads(run.out, 0, &error);
    if (!root)
        fail_msg("line %d: %s\n%s", error.line, error.text, run.out);
    json_t *tables = json_object_get(root, "tables");
    assert_int_equal(json_array_size(tables), 3);
    json_t *rows = json_object_get(json_array_get(tables, 1), "rows");
    assert_int_equal(json_array_size(rows), 4);
    assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 0)) == 300);
    assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 2)) > 0);
    json_t *columns = json_object_get(json_array_get(tables, 1), "columns");
    assert_string_equal(json_string_value(json_object_get(json_array_get(columns, 3), "heading")),
                        "bound");
    assert_true(json_number_value(json_array_get(json_array_get(rows, 0), 3)) > 0);
    json_decref(root);
    run_free(&run);
}

TEST(the_program_prints_and_writes)
{
    char *folder = fixture_folder(), *path = text_format("%s/b.json", folder);
    struct run run;
    run_program(&run, NULL,
                ARGUMENTS("bench", "--json", path, "--suite", "gems3", "-n", "300", "--quick",
                          "--backend", "cpu"));
    assert_int_equal(run.code, 0);
    assert_contains(run.out, "gems3: interactions per second");
    assert_contains(run.out, "plain loop");
    assert_lacks(run.out, "failed");
    assert_lacks(run.out, "No CUDA");
    assert_says(run.err, "gems3"); /* a row is logged before its table */
    json_t *root = read_json(path);
    assert_int_equal(json_array_size(json_object_get(root, "tables")), 1);
    json_decref(root);
    run_free(&run);
    fixture_remove_folder(folder);
    free(path);
}

TEST(the_program_lists_suites)
{
    struct run run;
    run_program(&run, NULL, ARGUMENTS("bench", "--suite", "help"));
    assert_int_equal(run.code, 0);
    const struct choice *suite;
    for (size_t i = 0; (suite = choice_at(&bench_suite_registry, i)); i++)
        assert_contains(run.out, suite->name);
    run_free(&run);
}

TEST(the_program_refuses)
{
    static const struct {
        const char *arguments[6], *said;
        int code;
    } cases[] = {
        {{"bench", "--suite", "solvr"}, "solver", 2},
        {{"bench", "--suite", "xyzzy"}, "suite xyzzy solver", 2},
        {{"bench", "-n", "0"}, "-n number 1", 2},
        {{"bench", "-n", "-5"}, "-n number", 2},
        {{"bench", "-n", "12x"}, "-n number", 2},
        {{"bench", "-n", "99999999999999999999"}, "-n number", 2},
        {{"bench", "--device", "x"}, "--device number", 2},
        {{"bench", "--backend", "opencl"}, "opencl", 2},
        {{"bench", "--plot", "a.gif"}, "a.gif .svg", 2},
        {{"bench", "tree"}, "--suite tree", 2},
        {{"bench", "--json", "--qick"}, "--quick", 2},
        {{"bench", "--backend", "cuda", "--device", "4711"}, "", 4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct run run;
        run_program(&run, NULL, cases[k].arguments);
        if (run.code != cases[k].code || !has_words(run.err, cases[k].said))
            fail_msg("case %zu: code %d, said %s", k, run.code, run.err);
        assert_string_equal(run.out, "");
        run_free(&run);
    }
}

TESTS(NULL, NULL)
