/* The collision table: valid files, invalid files, and the real one if it is available. */
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/log.h"
#include "sim/formats/formats.h"
#include "sim/formats/snapshot.h"
#include "sim/diagnostics.h"
#include "sim/models/models.h"

static char path[256];

static const char *write_bytes(const char *name, const void *data, size_t size)
{
    snprintf(path, sizeof path, "%s", folder_path(name));
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return path;
}

static const char *write_text(const char *text)
{
    return write_bytes("t.tab", text, strlen(text));
}

static const char *write_gzip(const void *data, size_t size)
{
    snprintf(path, sizeof path, "%s", folder_path("t.tab.gz"));
    gzFile file = gzopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, data, (unsigned)size), (int)size);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

static struct bodies_params file_params(const char *file)
{
    return (struct bodies_params){.model = choose(&model_registry, "file"),
                                  .file = (char *)file,
                                  .use = "",
                                  .position_scale = 1,
                                  .velocity_scale = 1,
                                  .mass_scale = 1};
}

static enum status read_table(const char *file, struct bodies **out)
{
    struct bodies_params params = file_params(file);
    return bodies_make(&params, out);
}

static void assert_bad(const char *text, const char *part)
{
    struct bodies *bodies = NULL;
    assert_fails(read_table(write_text(text), &bodies), STATUS_USAGE, part);
    assert_null(bodies);
}

TEST(all_that_is_allowed)
{
    static const char *const texts[] = {
        "1 2 3 4 5 6 7\n.5 -2 +3e1 4 5 6 7",
        "1 2 3 4 5 6 7 \n0.5 -2 30 4 5 6 7 \t \n",
        "# mass x y z vx vy vz\r\n1 2 3 4 5 6 7\r\n\r\n  # more\r\n0.5 -2 30 4 5 6 7\r\n",
        "\n\n  1\t2 3 4 5 6 7\n \n5e-1 -2.0 30. 4 5 6 7\n\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct bodies *bodies;
        const char *name = i % 2 ? write_gzip(texts[i], strlen(texts[i])) : write_text(texts[i]);
        assert_ok(read_table(name, &bodies));
        assert_int_equal(bodies->count, 2);
        assert_int_equal(bodies->component_count, 1);
        assert_string_equal(bodies->components[0].name, "bodies");
        assert_true(bodies->components[0].draw && bodies->components[0].light == 1);
        assert_true(bodies->mass[1] == 0.5 && bodies->position[1][0] == -2);
        assert_true(bodies->position[1][1] == 30 && bodies->velocity[1][2] == 7);
        assert_true(bodies->mass[0] == 1 && bodies->velocity[0][0] == 5);
        bodies_destroy(&bodies);
    }
}

TEST(rows_across_the_buffer)
{
    enum { ROWS = 30000 };
    char *text = malloc(ROWS * 40), *end = text;
    assert_non_null(text);
    for (int i = 0; i < ROWS; i++)
        end += sprintf(end, "%d %d.25 0 0 -%d 0 1%s", i + 1, i, i, i + 1 < ROWS ? " \n" : "");
    for (int zipped = 0; zipped < 2; zipped++) {
        struct bodies *bodies;
        size_t size = (size_t)(end - text);
        const char *name = zipped ? write_gzip(text, size) : write_bytes("t.tab", text, size);
        assert_ok(read_table(name, &bodies));
        assert_int_equal(bodies->count, ROWS);
        for (int i = 0; i < ROWS; i++)
            assert_true(bodies->mass[i] == i + 1 && bodies->position[i][0] == i + 0.25 &&
                        bodies->velocity[i][0] == -i && bodies->velocity[i][2] == 1);
        bodies_destroy(&bodies);
    }
    free(text);
}

TEST(bad_lines_are_named)
{
    assert_bad("1 2 3 4 5 6 7\n1 2 3 4 5\n", "t.tab:2 7 numbers");
    assert_bad("1 2 3 4 5 6 7\n1 2 3 4 5\n", "5");
    assert_bad("# c\n\n1 2 3 4 5 6 7 0 9\n", "t.tab:3 7 8 numbers");
    assert_bad("1 2 3 4 5 6 7\n1 2 3 4 5 6 7 0\n", "t.tab:2 7 numbers");
    assert_bad("1 2 3 4 5 6 7 0\n1 2 3 4 5 6 7\n", "t.tab:2 8 numbers");
    assert_bad("1 2 3 4 5 6 x\n", "t.tab:1 vz column 7 x");
    assert_bad("1 2 3 4 5 6 7x\n", "7x");
    assert_bad("1 2 nan 4 5 6 7\n", "t.tab:1 y column 3 nan finite number");
    assert_bad("1 2 3 -inf 5 6 7\n", "-inf");
    assert_bad("1 2 3 4 1e999 6 7\n", "1e999");
    assert_bad("1 2 3 4 0x10 6 7\n", "0x10");
    assert_bad("1,2,3,4,5,6\n", "6");
    assert_bad("1 2 3 4 5 6 7\n-1e-9 2 3 4 5 6 7\n", "t.tab:2 mass column 1 -1e-9");
    assert_bad("1.5 2 3 4 5 6 7 0.5\n", "galaxy column 8 0.5");
    assert_bad("1.5 2 3 4 5 6 7 -1\n", "-1");
    assert_bad("1.5 2 3 4 5 6 7 1024\n", "1024");
    assert_bad("1.5 2 3 4 5 6 7 1e300\n", "1e300");
    assert_bad("1.5 2 3 4 5 6 7 Andromeda\n", "Andromeda");
}

TEST(empty_files)
{
    assert_bad("", "single body");
    assert_bad("\n\n# nothing\n \t\n", "t.tab:4 file single body");
    struct bodies *bodies;
    assert_fails(read_table(write_gzip("", 0), &bodies), STATUS_USAGE, "single body");
    assert_fails(read_table("", &bodies), STATUS_USAGE, "bodies.file");
}

TEST(garbage)
{
    enum { SIZE = 300000 };
    char *data = malloc(SIZE);
    assert_non_null(data);
    struct bodies *bodies;
    memset(data, 'x', SIZE);
    assert_fails(read_table(write_bytes("t.tab", data, SIZE), &bodies), STATUS_USAGE,
                 "t.tab:1 line 32768 bytes");
    memcpy(data, "1 2 3 4 5 6 7\n", 14);
    assert_fails(read_table(write_gzip(data, SIZE), &bodies), STATUS_USAGE, "t.tab.gz:2 line");
    assert_fails(read_table(write_bytes("t.tab", "1 2 3 4 5 6 7\n1 2\0 3\n", 22), &bodies),
                 STATUS_USAGE, "t.tab:2 line zero byte");
    uint32_t x = 1;
    for (int i = 0; i < SIZE; i++)
        data[i] = (char)((x = x * 1664525u + 1013904223u) >> 24);
    assert_fails(read_table(write_bytes("t.tab", data, SIZE), &bodies), STATUS_USAGE, "t.tab:1");
    free(data);
}

TEST(cut_at_every_byte)
{
    char text[4096], whole[4096], *end = text;
    for (int i = 0; i < 40; i++)
        end += sprintf(end, "%d.125 %d 3 4 5 %d 7\n", i + 1, i * i, i % 7);
    const char *name = write_gzip(text, (size_t)(end - text));
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    size_t size = fread(whole, 1, sizeof whole, file);
    assert_int_equal(fclose(file), 0);
    assert_true(size > 40 && size < sizeof whole);
    struct bodies *bodies;
    for (size_t cut = 2; cut < size; cut++) {
        enum status status = read_table(write_bytes("t.tab.gz", whole, cut), &bodies);
        if (cut < 10) /* a truncated header can look like anything but a table */
            assert_true(status == STATUS_IO || status == STATUS_USAGE);
        else
            assert_int_equal(status, STATUS_IO);
        assert_null(bodies);
    }
    assert_says(status_text(), "middle gzip data");
    for (size_t i = 12; i < size; i++) {
        whole[i] ^= 0x55;
        assert_true(read_table(write_bytes("t.tab.gz", whole, size), &bodies) != STATUS_OK);
        whole[i] ^= 0x55;
    }
}

static size_t gzip_bytes(const char *text, char *out, size_t size)
{
    FILE *file = fopen(write_gzip(text, strlen(text)), "rb");
    assert_non_null(file);
    const size_t got = fread(out, 1, size, file);
    assert_int_equal(fclose(file), 0);
    assert_true(got < size);
    return got;
}

/* Consecutive members are one file; rows after a damaged one must not vanish silently. */
TEST(gzip_members)
{
    char whole[1024];
    const size_t first = gzip_bytes("1 2 3 4 5 6 7\n", whole, 512);
    size_t size = first + gzip_bytes("2 2 3 4 5 6 7\n", whole + first, 512);
    struct bodies *bodies;
    assert_ok(read_table(write_bytes("t.tab.gz", whole, size), &bodies));
    assert_int_equal(bodies->count, 2);
    bodies_destroy(&bodies);
    memset(whole + size, 0, 100); /* as tapes fill their blocks */
    assert_ok(read_table(write_bytes("t.tab.gz", whole, size + 100), &bodies));
    assert_int_equal(bodies->count, 2);
    bodies_destroy(&bodies);
    whole[size + 50] = 1;
    assert_fails(read_table(write_bytes("t.tab.gz", whole, size + 100), &bodies), STATUS_IO,
                 "gzip data 28 bytes");
    for (size_t at = first; at < size; at++) {
        const bool told =
            at < first + 4 || at >= first + 10; /* time, flags and system say little */
        whole[at] ^= 0x55;
        enum status status = read_table(write_bytes("t.tab.gz", whole, size), &bodies);
        whole[at] ^= 0x55;
        if (told && status != STATUS_IO)
            fail_msg("byte %zu of the second member: status %d", at - first, (int)status);
        if (status == STATUS_OK) {
            assert_int_equal(bodies->count, 2);
            bodies_destroy(&bodies);
        }
    }
    for (size_t cut = first + 1; cut < size; cut++) {
        assert_fails(read_table(write_bytes("t.tab.gz", whole, cut), &bodies), STATUS_IO,
                     "middle gzip data");
    }
}

TEST(a_byte_order_mark_is_skipped)
{
    static const char text[] = "\xef\xbb\xbf"
                               "1 2 3 4 5 6 7\n2 2 3 4 5 6 7\n";
    struct bodies *bodies;
    for (int zipped = 0; zipped < 2; zipped++) {
        const char *name = zipped ? write_gzip(text, strlen(text)) : write_text(text);
        assert_ok(read_table(name, &bodies));
        assert_int_equal(bodies->count, 2);
        assert_true(bodies->mass[0] == 1);
        bodies_destroy(&bodies);
    }
    assert_ok(read_table(write_text("\xef\xbb\xbf# a comment\n2 2 3 4 5 6 7\n"), &bodies));
    assert_int_equal(bodies->count, 1);
    bodies_destroy(&bodies);
    assert_bad("1 2 3 4 5 6 7\n\xef\xbb\xbf"
               "2 2 3 4 5 6 7\n",
               "t.tab:2 mass");
}

TEST(a_table_has_an_end)
{
    struct bodies bodies = {.count = BODY_ROWS_MAX};
    struct snapshot snapshot = {.bodies = &bodies};
    struct body_rows rows = {.snapshot = &snapshot, .room = BODY_ROWS_MAX + 1};
    assert_fails(body_rows_add(&rows, &(struct body_row){.mass = 1}), STATUS_USAGE,
                 "100000000 bodies");
    assert_ok(body_rows_check("f", BODY_ROWS_MAX));
    assert_fails(body_rows_check("f", BODY_ROWS_MAX + 1ull), STATUS_USAGE, "100000000");
    assert_fails(body_rows_check("f", 0), STATUS_USAGE, "f bodies");
}

TEST(unreadable_files)
{
    struct bodies *bodies;
    assert_fails(read_table("/nowhere/at all.tab", &bodies), STATUS_IO, "/nowhere/at all.tab");
    assert_fails(read_table(folder_name(), &bodies), STATUS_IO, "directory");
    write_bytes("secret.tab", "1 2 3 4 5 6 7\n", 14);
    if (geteuid() == 0)
        return; /* root reads everything */
    assert_int_equal(chmod(path, 0), 0);
    assert_fails(read_table(path, &bodies), STATUS_IO, "ermission");
}

TEST(eighth_column_sorts_by_galaxy)
{
    struct bodies *bodies;
    struct bodies_params params = file_params(write_text("1 0 0 0 0 0 0 5\n2 0 0 0 0 0 0 1\n"
                                                         "3 0 0 0 0 0 0 5\n4 0 0 0 0 0 0 1.0"));
    params.format = choose(&body_format_registry, "table"); /* the masses could be ids */
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->component_count, 2);
    assert_string_equal(bodies->components[0].galaxy, "galaxy 1");
    assert_string_equal(bodies->components[1].name, "galaxy 5");
    static const double order[] = {2, 4, 1, 3};
    for (int i = 0; i < 4; i++)
        assert_true(bodies->mass[i] == order[i]);
    assert_int_equal(bodies->components[1].first, 2);
    bodies_destroy(&bodies);
}

static const char ten_rows[] = "1 0 0 0 0 0 0\n2 0 0 0 0 0 0\n3 0 0 0 0 0 0\n4 0 0 0 0 0 0\n"
                               "5 0 0 0 0 0 0\n6 0 0 0 0 0 0\n7 0 0 0 0 0 0\n8 0 0 0 0 0 0\n"
                               "9 0 0 0 0 0 0\n10 0 0 0 0 0 0\n";

TEST(components_by_rows)
{
    struct component_params ranges[] = {{"disk", "B", 7, 8, true, 2, 0},
                                        {"halo", "A", 2, 4, false, 1, 0}};
    struct bodies_params params = file_params(write_text(ten_rows));
    params.components = ranges;
    params.component_count = 2;
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->count, 5);
    static const double order[] = {7, 8, 2, 3, 4};
    for (int i = 0; i < 5; i++)
        assert_true(bodies->mass[i] == order[i]);
    assert_string_equal(bodies->components[0].name, "disk");
    assert_string_equal(bodies->components[1].galaxy, "A");
    assert_true(bodies->components[0].light == 2 && !bodies->components[1].draw);
    assert_int_equal(bodies->components[1].first, 2);
    assert_int_equal(bodies->components[1].count, 3);
    bodies_destroy(&bodies);

    params.use = "B/disk";
    params.count = 1;
    params.mass_scale = 2;
    assert_ok(bodies_make(&params, &bodies));
    assert_true(bodies->count == 1 && bodies->mass[0] == 30);
    bodies_destroy(&bodies);
    params.count = 3;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "2");
}

TEST(components_that_do_not_fit)
{
    static const struct {
        struct component_params ranges[2];
        const char *part;
    } cases[] = {
        {{{"disk", "A", 1, 11, true, 1, 0}, {"halo", "A", 2, 4, true, 1, 0}}, "A/disk rows 1 11"},
        {{{"disk", "", 0, 3, true, 1, 0}, {"halo", "", 4, 5, true, 1, 0}}, "disk rows 0 3"},
        {{{"disk", "", 1, 3, true, 1, 0}, {"halo", "", 6, 5, true, 1, 0}}, "halo rows 6 5"},
        {{{"disk", "", 3, 5, true, 1, 0}, {"halo", "", 1, 3, true, 1, 0}}, "row 3"},
        {{{"disk", "", 1, 9, true, 1, 0}, {"halo", "", 2, 3, true, 1, 0}}, "row 2"},
        {{{"disk", "", 1, UINT64_MAX, true, 1, 0}, {"h", "", 2, 3, true, 1, 0}}, "rows 1 10"},
        {{{"disk", "", 1, 2, true, -1, 0}, {"halo", "", 3, 4, true, 1, 0}}, "light -1"},
        {{{"a name that is much too long to be the name of a component", "", 1, 2, true, 1, 0},
          {"halo", "", 3, 4, true, 1, 0}},
         "47 bytes"},
    };
    struct bodies_params params = file_params(write_text(ten_rows));
    params.component_count = 2;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct component_params ranges[2];
        memcpy(ranges, cases[i].ranges, sizeof ranges);
        params.components = ranges;
        struct bodies *bodies;
        params.components_optional = false;
        assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, cases[i].part);
        params.components_optional = true;
        assert_ok(bodies_make(&params, &bodies));
        assert_int_equal(bodies->count, 10);
        assert_int_equal(bodies->component_count, 1);
        assert_string_equal(bodies->components[0].name, "bodies");
        bodies_destroy(&bodies);
    }
}

TEST(scales_that_overflow)
{
    struct bodies_params params = file_params(write_text("1 1e300 0 0 0 0 0\n"));
    params.position_scale = 1e10;
    struct bodies *bodies;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "body 1");
}

static double kinetic(const struct bodies *bodies)
{
    struct diagnostics d;
    diagnostics_compute(bodies, 0, &d);
    return d.kinetic;
}

/* The rows, masses and centres as described in the archive. */
TEST(the_real_collision)
{
    const char *file = test_data("dubinski/dubinski.tab.gz");
    struct component_params ranges[] = {
        {"disk", "Milky Way", 1, 16384, true, 1, 0},
        {"bulge", "Milky Way", 32769, 40960, true, 1, 0},
        {"halo", "Milky Way", 49153, 65536, false, 1, 0},
        {"disk", "Andromeda", 16385, 32768, true, 1, 0},
        {"bulge", "Andromeda", 40961, 49152, true, 1, 0},
        {"halo", "Andromeda", 65537, 81920, false, 1, 0},
    };
    static const double masses[] = {0.817421, 0.430641, 10.215096, 1.712538, 0.902210, 21.401108};
    static const double centres[2][6] = {{1.746, -19.038, 6.796, -0.4310, 0.8564, -0.3779},
                                         {-0.833, 9.087, -3.244, 0.2057, -0.4088, 0.1804}};
    struct bodies_params params = file_params(file);
    params.components = ranges;
    params.component_count = 6;
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->count, 81920);
    assert_about(kinetic(bodies), 28.670287, 1e-6);
    double sum[2] = {0}, moment[2][6] = {{0}};
    for (size_t c = 0; c < 6; c++) {
        double mass = 0;
        for (size_t i = 0; i < bodies->components[c].count; i++) {
            size_t j = bodies->components[c].first + i;
            mass += bodies->mass[j];
            for (int k = 0; k < 6; k++)
                moment[c / 3][k] +=
                    bodies->mass[j] * (k < 3 ? bodies->position[j][k] : bodies->velocity[j][k - 3]);
        }
        assert_about(mass, masses[c], 1e-6);
        sum[c / 3] += mass;
    }
    for (int g = 0; g < 2; g++)
        for (int k = 0; k < 6; k++)
            assert_about(moment[g][k] / sum[g], centres[g][k], k < 3 ? 6e-4 : 6e-5);
    bodies_destroy(&bodies);

    static const size_t counts[] = {1, 2, 3, 5, 6, 7, 1021, 16384, 81919};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        params.count = counts[n];
        assert_ok(bodies_make(&params, &bodies));
        assert_int_equal(bodies->count, counts[n]);
        for (size_t c = 0; counts[n] >= 6 && c < 6; c++) {
            double mass = 0;
            for (size_t i = 0; i < bodies->components[c].count; i++)
                mass += bodies->mass[bodies->components[c].first + i];
            assert_about(mass / masses[c], 1, 1e-6);
        }
        bodies_destroy(&bodies);
    }
    params.count = 81921;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "81920");
}

TEST(the_real_file_with_galaxies)
{
    const char *file = test_data("dubinski/dubinski_disks_bulges_8col.tab.gz");
    struct bodies *bodies;
    assert_ok(read_table(file, &bodies));
    assert_int_equal(bodies->count, 49152);
    assert_int_equal(bodies->component_count, 2);
    static const double masses[] = {0.817421 + 0.430641, 1.712538 + 0.902210};
    for (size_t c = 0; c < 2; c++) {
        double mass = 0;
        assert_int_equal(bodies->components[c].count, 24576);
        for (size_t i = 0; i < 24576; i++)
            mass += bodies->mass[c * 24576 + i];
        assert_about(mass, masses[c], 2e-6);
    }
    bodies_destroy(&bodies);
}

/* A file that no other format claims is read as a table, whose messages say what is wrong. */
TEST(formats_are_registered)
{
    const struct format *format, *last = NULL;
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++) {
        assert_true(format->name[0] && format->doc[0] && format->probe && format->read);
        last = format;
    }
    assert_ptr_equal(last, choice_find(&body_format_registry, "table"));
    assert_true(last->probe(&(struct format_head){.bytes = NULL}));
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
