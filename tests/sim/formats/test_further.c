/* Additional columns of files: which are read, with which unit, and how they are written again. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "base/machine.h"
#include "sim/formats/formats.h"
#include "sim/formats/further.h"
#include "sim/formats/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *text_file(const char *name, const char *text)
{
    return bodies_file_write(name, text, strlen(text));
}

static const struct body_column *column_of(const struct snapshot *snapshot, const char *name)
{
    const struct body_column *column = body_columns_find(&snapshot->bodies->columns, name);
    if (!column)
        fail_msg("there is no column %s", name);
    return column;
}

/* ---- text ---- */

TEST(columns_of_a_header)
{
    struct snapshot got;
    assert_ok(format_read(text_file("a.csv", "rho [Msun/pc^3],mass,x,y,z,T (K),vx,vy,vz,name,rho\n"
                                             "7,1,0,0,0,10,0,0,0,first,1\n"
                                             "nan,1,1,0,0,-2e3,0,0,0,second,1\n"
                                             ",1,2,0,0,inf,0,0,0,3,1\n"),
                          NULL, &got));
    const struct body_column *rho = column_of(&got, "rho"), *heat = column_of(&got, "T");
    assert_int_equal(got.bodies->columns.count, 3);
    assert_string_equal(rho->unit, "Msun/pc^3");
    assert_string_equal(heat->unit, "K");
    assert_true(rho->value[0] == 7 && isnan(rho->value[1]) && isnan(rho->value[2]));
    assert_true(heat->value[1] == -2e3 && isinf(heat->value[2]));
    assert_string_equal(got.unread, "rho"); /* the second one */
    snapshot_free(&got);
}

/* A column of words follows its bodies, and is written and read again, whatever its characters.
 * Only its first value tells: a column of numbers with a word in it is none. */
TEST(columns_of_words)
{
    static const char *const names[] = {"Sun", "Halley, 1P", "433", NULL, "a \"b\" #c"};
    struct snapshot got;
    assert_ok(format_read(text_file("w.csv", "mass,x,y,z,vx,vy,vz,name,type,albedo\n"
                                             "1,0,0,0,0,0,0,Sun,,0.5\n"
                                             "1,1,0,0,0,0,0,\"Halley, 1P\",comet,0.04\n"
                                             "1,2,0,0,0,0,0,433,asteroid,dark\n"
                                             "1,3,0,0,0,0,0,,comet,\n"
                                             "1,4,0,0,0,0,0,\"a \"\"b\"\" #c\",nan,\n"),
                          NULL, &got));
    assert_string_equal(got.unread, "albedo");
    for (int k = 0; k < 2; k++) {
        const struct body_column *name = column_of(&got, "name"), *type = column_of(&got, "type");
        for (size_t i = 0; i < 5; i++)
            if (names[i])
                assert_string_equal(body_column_word_of(name, i), names[i]);
            else
                assert_null(body_column_word_of(name, i));
        assert_null(body_column_word_of(type, 0));
        assert_string_equal(body_column_word_of(type, 1), "comet");
        assert_true(type->value[1] == type->value[3] && type->words->count == 3);
        if (k == 1)
            break;
        const struct format *csv = (const void *)choose(&body_format_registry, "csv");
        char *lost = snapshot_lost(&got, csv);
        assert_string_equal(lost, "albedo");
        free(lost);
        lost = snapshot_lost(&got, (const void *)choose(&body_format_registry, "hdf5"));
        assert_string_equal(lost, "albedo, name, type");
        free(lost);
        const char *path = folder_path("v.csv");
        assert_ok(csv->write(path, &got));
        snapshot_free(&got);
        assert_ok(format_read(path, NULL, &got));
    }
    struct bodies *copy;
    assert_ok(bodies_copy(&copy, got.bodies));
    snapshot_free(&got);
    body_columns_swap(&copy->columns, 0, 1);
    assert_string_equal(body_column_word_of(body_columns_find(&copy->columns, "name"), 0),
                        "Halley, 1P");
    body_columns_drop_words(&copy->columns);
    assert_int_equal(copy->columns.count, 0);
    bodies_destroy(&copy);
    /* a film reads columns of numbers alone */
    assert_ok(
        format_read_chosen(folder_path("v.csv"), NULL, &(struct column_choice){.all = true}, &got));
    assert_string_equal(got.unread, "name, type");
    snapshot_free(&got);
}

/* Columns after one that turns out not to be numeric keep their values. */
TEST(a_column_that_is_none)
{
    struct snapshot got;
    assert_ok(format_read(text_file("b.csv", "mass,x,y,z,vx,vy,vz,a,b,c\n"
                                             "1,0,0,0,0,0,0,1,2,3\n"
                                             "1,1,0,0,0,0,0,4,five,6\n"
                                             "1,2,0,0,0,0,0,7,8,9\n"),
                          NULL, &got));
    const struct body_column *a = column_of(&got, "a"), *c = column_of(&got, "c");
    assert_int_equal(got.bodies->columns.count, 2);
    for (size_t i = 0; i < 3; i++)
        assert_true(a->value[i] == 1 + 3 * (double)i && c->value[i] == 3 + 3 * (double)i);
    assert_string_equal(got.unread, "b");
    snapshot_free(&got);
}

TEST(only_what_is_chosen)
{
    struct snapshot got;
    const struct column_choice none = {.all = false},
                               one = {.names = (const char *const[]){"b", NULL}};
    const char *path = text_file("c.csv", "mass,x,y,z,vx,vy,vz,a,b,c\n1,0,0,0,0,0,0,1,2,3\n");
    assert_ok(format_read_chosen(path, NULL, &none, &got));
    assert_int_equal(got.bodies->columns.count, 0);
    assert_string_equal(got.unread, "a, b, c");
    snapshot_free(&got);
    assert_ok(format_read_chosen(path, NULL, &one, &got));
    assert_int_equal(got.bodies->columns.count, 1);
    assert_true(column_of(&got, "b")->value[0] == 2);
    assert_string_equal(got.unread, "a, c");
    snapshot_free(&got);
}

/* Names that another format would misinterpret or could not write. */
TEST(names_that_are_taken)
{
    static const char *const bad[] = {"",      "vx",   "Mass", "group", "POS",     "time",
                                      "x_kpc", "a/b",  "a,b",  "a;b",   "a[b]",    "a(b)",
                                      "a\"b",  "a\nb", " a",   "a ",    "a\x1b[m", "ParticleIDs"};
    struct snapshot snapshot = {.choice.all = true};
    struct body_columns columns = {0};
    char longest[BODY_COLUMN_NAME + 1];
    memset(longest, 'n', sizeof longest);
    longest[BODY_COLUMN_NAME] = '\0';
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (further_wanted(&snapshot, &columns, bad[i]))
            fail_msg("'%s' is taken as a name", bad[i]);
    assert_false(further_wanted(&snapshot, &columns, longest));
    assert_true(further_wanted(&snapshot, &columns, longest + 1));
    for (int i = 0; i < BODY_COLUMNS_MAX; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        assert_true(further_wanted(&snapshot, &columns, name));
        further_note(&columns, name, "", false);
        assert_false(further_wanted(&snapshot, &columns, name));
    }
    assert_false(further_wanted(&snapshot, &columns, "more"));
    /* a unit that does not fit is left out, not cut off */
    char unit[BODY_COLUMN_UNIT + 1];
    memset(unit, 'u', sizeof unit);
    unit[BODY_COLUMN_UNIT] = '\0';
    further_note(&columns, "too long", unit, false);
    assert_string_equal(columns.list[columns.count - 1].unit, "");
    further_note(&columns, "as long", unit + 1, false);
    assert_string_equal(columns.list[columns.count - 1].unit, unit + 1);
    body_columns_free(&columns);
    snapshot_free(&snapshot);
}

/* A file cannot use more than a part of the memory. */
TEST(columns_that_take_too_much)
{
    struct snapshot snapshot = {.choice.all = true};
    struct body_columns columns = {0};
    const size_t bodies = (size_t)(machine_memory() / 4 / sizeof(double) / 2);
    for (int i = 0; i < 5; i++) {
        char name[16];
        snprintf(name, sizeof name, "c%d", i);
        further_note(&columns, name, "", false);
    }
    body_rows_fit(&snapshot, &columns, bodies);
    assert_int_equal(columns.count, 2);
    assert_string_equal(snapshot.unread, "c4, c3, c2");
    body_columns_free(&columns);
    snapshot_free(&snapshot);
}

/* ---- NumPy ---- */

/* An array's header and its numbers, as written by numpy.save. */
static size_t put_array(unsigned char *out, const char *type, const char *shape,
                        const void *numbers, size_t size)
{
    const int length = sprintf(
        (char *)out + 10, "{'descr': %s, 'fortran_order': False, 'shape': %s, }\n", type, shape);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (unsigned char)length;
    out[9] = (unsigned char)(length >> 8);
    memcpy(out + 10 + length, numbers, size);
    return 10 + (size_t)length + size;
}

TEST(fields_of_records)
{
    struct __attribute__((packed)) record {
        double mass, pos[3], vel[3];
        float rho;
        int32_t kind;
        double pair[2];
        char name[4];
    } records[3] = {{.mass = 1, .rho = 0.1f, .kind = -4, .name = "a"},
                    {.mass = 2, .rho = NAN, .kind = 5, .name = "b"},
                    {.mass = 3, .rho = 7, .kind = 6, .name = "c"}};
    unsigned char file[4096];
    struct snapshot got;
    const size_t size = put_array(file,
                                  "[('mass', '<f8'), ('pos', '<f8', (3,)), ('vel', '<f8', (3,)), "
                                  "('rho', '<f4'), ('kind', '<i4'), ('pair', '<f8', (2,)), "
                                  "('name', '|S4')]",
                                  "(3,)", records, sizeof records);
    assert_ok(format_read(bodies_file_write("r.npy", file, size), NULL, &got));
    const struct body_column *rho = column_of(&got, "rho"), *kind = column_of(&got, "kind");
    assert_int_equal(got.bodies->columns.count, 2);
    assert_true(rho->single && !kind->single);
    assert_true(rho->value[0] == (double)0.1f && isnan(rho->value[1]) && rho->value[2] == 7);
    assert_true(kind->value[0] == -4 && kind->value[2] == 6);
    assert_string_equal(got.unread, "pair, name");
    snapshot_free(&got);
}

/* ---- HDF5 ---- */

enum { GAS = 40, DARK = 30, STARS = 50 };

static const struct maker_layout doubles = {.type = MAKER_F64}, floats = {.type = MAKER_F32},
                                 packed = {.type = MAKER_F32, .chunk = 16, .gzip = true},
                                 wholes = {.type = MAKER_I32}, ids = {.type = MAKER_U64};

static void put_type(struct maker *maker, unsigned type, size_t count, uint64_t first)
{
    char name[64];
    double numbers[3 * STARS];
    uint64_t numbers_of[STARS];
    for (size_t i = 0; i < 3 * count; i++)
        numbers[i] = 1 + 0.5 * (double)i;
    for (size_t i = 0; i < count; i++)
        numbers_of[i] = first + i;
    snprintf(name, sizeof name, "PartType%u", type);
    maker_group(maker, name);
    snprintf(name, sizeof name, "PartType%u/Coordinates", type);
    maker_doubles(maker, name, count, 3, numbers, &floats);
    snprintf(name, sizeof name, "PartType%u/Velocities", type);
    maker_doubles(maker, name, count, 3, numbers, &floats);
    snprintf(name, sizeof name, "PartType%u/Masses", type);
    maker_doubles(maker, name, count, 0, numbers, &floats);
    snprintf(name, sizeof name, "PartType%u/ParticleIDs", type);
    maker_ids(maker, name, count, numbers_of, &ids);
}

static void put_header(struct maker *maker, const uint64_t here[6], const uint64_t total[6],
                       uint64_t files)
{
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 6, 4);
    maker_wholes(maker, "Header", "NumPart_Total", total, 6, 4);
    maker_number(maker, "Header", "Time", 1);
    maker_wholes(maker, "Header", "NumFilesPerSnapshot", &files, 0, 4);
}

static const char *make_snapshot(void)
{
    static const uint64_t here[6] = {GAS, DARK, 0, 0, STARS, 0};
    const char *path = folder_path("s.hdf5");
    double values[3 * STARS];
    struct maker *maker = maker_open(path);
    for (size_t i = 0; i < 3 * STARS; i++)
        values[i] = 0.25 * (double)i - 3;
    values[3] = NAN;
    put_header(maker, here, here, 1);
    put_type(maker, 0, GAS, 1);
    put_type(maker, 1, DARK, 1000);
    put_type(maker, 4, STARS, 2000);
    maker_doubles(maker, "PartType0/Density", GAS, 0, values, &packed);
    maker_number(maker, "PartType0/Density", "mass_scaling", 1);
    maker_number(maker, "PartType0/Density", "length_scaling", -3);
    maker_number(maker, "PartType0/Density", "velocity_scaling", 0);
    maker_number(maker, "PartType0/Density", "h_scaling", 2);
    maker_doubles(maker, "PartType0/Age", GAS, 0, values, &doubles);
    maker_text(maker, "PartType0/Age", "Expression for physical CGS units", "a^2 U_t  [ s ] ",
               false);
    maker_doubles(maker, "PartType4/Age", STARS, 0, values, &floats);
    maker_doubles(maker, "PartType4/Kind", STARS, 1, values, &wholes);
    maker_doubles(maker, "PartType4/Metals", STARS, 3, values, &floats);
    maker_doubles(maker, "PartType4/Short", STARS - 1, 0, values, &floats);
    maker_text_table(maker, "PartType4/Text", STARS);
    maker_external_table(maker, "PartType4/Elsewhere", STARS, "/etc/passwd");
    maker_soft_link(maker, "PartType4/Link", "/PartType4/Age");
    maker_group(maker, "PartType4/Group");
    maker_close(&maker);
    return path;
}

TEST(datasets_of_types)
{
    struct snapshot got;
    assert_ok(format_read(make_snapshot(), NULL, &got));
    const struct body_column *density = column_of(&got, "Density"), *age = column_of(&got, "Age"),
                             *kind = column_of(&got, "Kind");
    assert_int_equal(got.bodies->columns.count, 3);
    assert_string_equal(density->unit, "U_M U_L^-3 h^2");
    assert_string_equal(age->unit, "a^2 U_t");
    assert_string_equal(kind->unit, "");
    assert_true(density->single && !age->single && !kind->single);
    for (size_t i = 0; i < GAS + DARK + STARS; i++) {
        const bool gas = i < GAS, stars = i >= GAS + DARK;
        const size_t own = stars ? i - GAS - DARK : i;
        const double value = own == 3 ? NAN : 0.25 * (double)own - 3;
        assert_true(gas && own != 3 ? density->value[i] == value : isnan(density->value[i]));
        assert_true((gas || stars) && own != 3 ? age->value[i] == value : isnan(age->value[i]));
        if (stars && own != 3)
            assert_true(kind->value[i] == trunc(value));
        else if (!stars)
            assert_true(isnan(kind->value[i]));
    }
    for (size_t i = 0; i < 6; i++) {
        static const char *const left[] = {"Metals", "Short", "Text", "Link", "Elsewhere", "Group"};
        if (!strstr(got.unread, left[i]))
            fail_msg("%s is not named in '%s'", left[i], got.unread);
    }
    snapshot_free(&got);
}

/* If one of the files has no such table, its bodies lack the column. */
TEST(datasets_of_several_files)
{
    static const uint64_t total[6] = {2 * GAS};
    double values[GAS];
    struct snapshot got;
    for (int k = 0; k < 2; k++) {
        const uint64_t here[6] = {GAS};
        char name[32];
        snprintf(name, sizeof name, "m.%d.hdf5", k);
        struct maker *maker = maker_open(folder_path(name));
        for (size_t i = 0; i < GAS; i++)
            values[i] = 100 * k + (double)i;
        put_header(maker, here, total, 2);
        put_type(maker, 0, GAS, 1 + (uint64_t)k * GAS);
        maker_doubles(maker, "PartType0/Both", GAS, 0, values, k ? &doubles : &floats);
        maker_doubles(maker, k ? "PartType0/Second" : "PartType0/First", GAS, 0, values, &floats);
        maker_close(&maker);
    }
    assert_ok(format_read(folder_path("m.1.hdf5"), NULL, &got));
    const struct body_column *both = column_of(&got, "Both"), *first = column_of(&got, "First"),
                             *second = column_of(&got, "Second");
    assert_false(both->single);
    for (size_t i = 0; i < 2 * GAS; i++) {
        const double value = (double)(i / GAS * 100 + i % GAS);
        assert_true(both->value[i] == value);
        assert_true(i < GAS ? first->value[i] == value : isnan(first->value[i]));
        assert_true(i < GAS ? isnan(second->value[i]) : second->value[i] == value);
    }
    snapshot_free(&got);
}

/* ---- written and read again ---- */

static void make_columns(struct snapshot *out, size_t count)
{
    static const char *const names[] = {"Density", "Star age", "nowhere", "x1"};
    bodies_file_make(out, count);
    struct body_columns *columns = &out->bodies->columns;
    for (int c = 0; c < 4; c++)
        assert_ok(body_columns_add(columns, names[c], c == 1 ? "km s^-1 (a)" : "", c % 2, count));
    for (size_t i = 0; i < count; i++) {
        columns->list[0].value[i] = i % 5 ? 1 / (1 + (double)i) : NAN;
        columns->list[1].value[i] = i < count / 3 ? (double)((float)i / 3) : NAN; /* the gas's */
        columns->list[2].value[i] = NAN;
        columns->list[3].value[i] = i % 7 ? -1e-300 * (double)i : INFINITY; /* no float32 */
    }
}

TEST(they_are_written_again)
{
    enum { COUNT = 20001 }; /* more than are written at a time */
    static const char *const formats[] = {"hdf5", "csv", "npz"};
    struct snapshot snapshot, again;
    make_columns(&snapshot, COUNT);
    for (size_t f = 0; f < 3; f++) {
        const struct format *format = choose(&body_format_registry, formats[f]);
        const char *path = folder_path("again");
        assert_ok(format->write(path, &snapshot));
        assert_ok(format_read(path, NULL, &again));
        snapshot_sort(&again);
        assert_null(again.unread);
        assert_int_equal(again.bodies->columns.count, 4);
        for (size_t c = 0; c < 4; c++) {
            const struct body_column *from = &snapshot.bodies->columns.list[c],
                                     *to = column_of(&again, from->name);
            assert_string_equal(to->unit, format->keeps & KEEPS_COLUMN_UNITS ? from->unit : "");
            assert_true(to->single == (c == 1 && f != 1));
            for (size_t i = 0; i < COUNT; i++)
                if (!(isnan(from->value[i]) ? isnan(to->value[i]) : to->value[i] == from->value[i]))
                    fail_msg("%s: %s of body %zu is %.17g instead of %.17g", format->name,
                             from->name, i, to->value[i], from->value[i]);
        }
        snapshot_free(&again);
    }
    snapshot_free(&snapshot);
}

TEST(what_is_lost_of_them)
{
    const struct format *format;
    struct snapshot snapshot;
    make_columns(&snapshot, 9);
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++) {
        if (!format->write)
            continue;
        char *lost = snapshot_lost(&snapshot, format);
        const bool names = lost && strstr(lost, "Density, Star age, nowhere, x1"),
                   units = lost && strstr(lost, "the units of Star age");
        if (names != !(format->keeps & KEEPS_COLUMNS) ||
            units != (format->keeps & KEEPS_COLUMNS && !(format->keeps & KEEPS_COLUMN_UNITS)))
            fail_msg("%s: %s", format->name, lost ? lost : "nothing");
        free(lost);
    }
    snapshot_free(&snapshot);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
