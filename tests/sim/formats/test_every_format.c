/* Properties of every format that can be written: reading back, packed or not, and broken files. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "base/memory.h"
#include "sim/formats/bytes.h"
#include "sim/formats/formats.h"

#include <lzma.h>
#include <math.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { COUNT = 500 };

/* Each format that can be written. */
static const struct format *format_at(size_t *i)
{
    const struct format *format;
    while ((format = choice_at(&body_format_registry, (*i)++)))
        if (format->write)
            return format;
    return NULL;
}

static const char *write_as(const struct format *format, const struct snapshot *snapshot)
{
    const char *path = folder_path("written");
    assert_ok(format->write(path, snapshot));
    return path;
}

/* The bodies of bodies_file_make, written once; the caller frees them. */
static unsigned char *good(const struct format *format, size_t *size)
{
    char name[64];
    struct snapshot snapshot;
    snprintf(name, sizeof name, "good.%s", format->name);
    const char *path = folder_path(name);
    if (access(path, R_OK) != 0) {
        bodies_file_make(&snapshot, COUNT);
        assert_ok(format->write(path, &snapshot));
        snapshot_free(&snapshot);
    }
    return bodies_file_read(path, size);
}

static const char *good_path(const struct format *format)
{
    char name[64];
    size_t size;
    free(good(format, &size));
    snprintf(name, sizeof name, "good.%s", format->name);
    return folder_path(name);
}

static void assert_bits(double a, double b, const struct format *format, const char *what, size_t i)
{
    if (memcmp(&a, &b, sizeof a) != 0)
        fail_msg("%s: the %s of body %zu is %.17g instead of %.17g", format->name, what, i, a, b);
}

/* Everything that the format keeps. */
static void assert_same(const struct snapshot *found, const struct snapshot *wanted,
                        const struct format *format)
{
    const struct bodies *a = found->bodies, *b = wanted->bodies;
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_bits(a->mass[i], b->mass[i], format, "mass", i);
        for (int k = 0; k < 3; k++) {
            assert_bits(a->position[i][k], b->position[i][k], format, "position", i);
            assert_bits(a->velocity[i][k], b->velocity[i][k], format, "velocity", i);
        }
        if (format->keeps & KEEPS_IDS)
            assert_int_equal(a->id[i], b->id[i]);
    }
    if (format->keeps & KEEPS_COMPONENTS) {
        assert_int_equal(a->component_count, b->component_count);
        for (size_t c = 0; c < a->component_count; c++)
            assert_int_equal(a->components[c].count, b->components[c].count);
    } else
        assert_int_equal(a->component_count, 1);
    if (format->keeps & KEEPS_TIME) {
        assert_true(found->time_known);
        assert_bits(found->time, wanted->time, format, "time", 0);
    }
}

TEST(all_that_is_kept)
{
    const struct format *format;
    struct snapshot snapshot, again;
    bodies_file_make(&snapshot, COUNT);
    for (size_t i = 0; (format = format_at(&i));) {
        assert_ok(format_read(good_path(format), NULL, &again));
        if (strcmp(format->name, "tipsy-native") != 0)
            assert_ptr_equal(again.format, format); /* its content says so */
        assert_true(again.single || !(format->keeps & KEEPS_DOUBLES) || format->text);
        snapshot_sort(&again);
        assert_same(&again, &snapshot, format);
        snapshot_free(&again);
    }
    snapshot_free(&snapshot);
}

/* More bodies than are read and written at a time. */
TEST(many_bodies)
{
    enum { MANY = 70001 };
    const struct format *format;
    struct snapshot snapshot, again;
    bodies_file_make(&snapshot, MANY);
    for (size_t i = 0; (format = format_at(&i));) {
        if (format->text)
            continue;
        assert_ok(format_read(write_as(format, &snapshot), NULL, &again));
        snapshot_sort(&again);
        assert_same(&again, &snapshot, format);
        snapshot_free(&again);
    }
    free(snapshot.bodies->id); /* then others expect the numbers of the bodies */
    snapshot.bodies->id = NULL;
    snapshot.bodies->component_count = 1;
    snapshot.bodies->components[0].count = MANY;
    assert_ok(
        format_read(write_as(choose(&body_format_registry, "hdf5"), &snapshot), NULL, &again));
    for (size_t i = 0; i < MANY; i++)
        assert_int_equal(again.bodies->id[i], i + 1);
    snapshot_free(&again);
    snapshot_free(&snapshot);
}

TEST(all_digits_of_doubles)
{
    const struct format *format;
    struct snapshot snapshot, again;
    bodies_file_make(&snapshot, COUNT);
    snapshot.single = false;
    for (size_t i = 0; i < COUNT; i++)
        for (int k = 0; k < 3; k++) {
            snapshot.bodies->position[i][k] *= M_PI;
            snapshot.bodies->velocity[i][k] /= 3;
        }
    for (size_t i = 0; (format = format_at(&i));) {
        char *lost = snapshot_lost(&snapshot, format);
        const bool told = lost && strstr(lost, "digits beyond those of float32");
        free(lost);
        assert_true(told == !(format->keeps & KEEPS_DOUBLES));
        if (told)
            continue;
        assert_ok(format_read(write_as(format, &snapshot), NULL, &again));
        snapshot_sort(&again);
        assert_same(&again, &snapshot, format);
        snapshot_free(&again);
    }
    snapshot_free(&snapshot);
}

/* A statement that numbers have the digits of float32 is believed only if it is true. */
TEST(digits_are_looked_at)
{
    const struct format *format;
    struct snapshot snapshot, again;
    bodies_file_make(&snapshot, COUNT);
    double *const places[] = {&snapshot.bodies->mass[COUNT - 1],
                              &snapshot.bodies->position[COUNT - 1][2],
                              &snapshot.bodies->velocity[COUNT - 1][2]};
    for (size_t i = 0; (format = format_at(&i));)
        for (int n = 0; n < 3 && strstr("npz nemo hdf5", format->name); n++) {
            const double kept = *places[n];
            *places[n] = 1.1;
            assert_ok(format_read(write_as(format, &snapshot), NULL, &again));
            snapshot_sort(&again);
            assert_same(&again, &snapshot, format);
            snapshot_free(&again);
            *places[n] = kept;
        }
    snapshot_free(&snapshot);
}

/* Stated units are lost if a format cannot store them; assumed ones are not reported as lost. */
TEST(what_is_lost_is_told)
{
    const struct format *format;
    struct snapshot snapshot;
    bodies_file_make(&snapshot, 9);
    snapshot.units = (struct snapshot_units){1, 2, 3};
    for (size_t i = 0; (format = format_at(&i));)
        for (int assumed = 0; assumed < 2; assumed++) {
            snapshot.units_assumed = assumed;
            char *lost = snapshot_lost(&snapshot, format);
            assert_true((lost && strstr(lost, "the units")) ==
                        !(assumed || format->keeps & KEEPS_UNITS));
            assert_true((lost && strstr(lost, "the ids")) == !(format->keeps & KEEPS_IDS));
            assert_true((lost && strstr(lost, "the time 0.625")) == !(format->keeps & KEEPS_TIME));
            free(lost);
        }
    uint64_t *const last = &snapshot.bodies->id[snapshot.bodies->count - 1], kept = *last;
    for (size_t i = 0; (format = format_at(&i));) /* ids are kept up to the largest of the format */
        for (uint64_t beyond = 0; beyond < 2 && format->ids_end > 0; beyond++) {
            *last = format->ids_end - 1 + beyond;
            char *lost = snapshot_lost(&snapshot, format);
            assert_true((lost && strstr(lost, "the ids")) == (beyond == 1));
            free(lost);
        }
    *last = kept;
    snapshot_free(&snapshot);
}

TEST(cut_anywhere)
{
    const struct format *format;
    size_t size;
    for (size_t i = 0; (format = format_at(&i));) {
        unsigned char *data = good(format, &size);
        bodies_file_check_cuts(format, data, size, 1000, format->text);
        bodies_file_check_cuts(format, data, size < 400 ? size : 400, 1, format->text);
        free(data);
    }
}

TEST(no_number_and_no_mass)
{
    const struct format *format;
    struct snapshot snapshot;
    bodies_file_make(&snapshot, COUNT);
    double *const places[] = {&snapshot.bodies->mass[3], &snapshot.bodies->position[COUNT - 1][2],
                              &snapshot.bodies->velocity[0][0], &snapshot.bodies->mass[COUNT / 2]};
    const double values[] = {-1, INFINITY, -NAN, NAN};
    for (size_t i = 0; (format = format_at(&i));)
        for (size_t n = 0; n < 4; n += 1 + (i + n) % 3) { /* a few of them each */
            struct snapshot again;
            const double kept = *places[n];
            *places[n] = values[n];
            const char *path = write_as(format, &snapshot);
            *places[n] = kept;
            if (format_read(path, format, &again) != STATUS_USAGE)
                fail_msg("%s reads %g", format->name, values[n]);
            assert_null(again.bodies);
        }
    snapshot_free(&snapshot);
}

/* In any of a body's seven numbers. */
TEST(no_number_anywhere)
{
    const struct format *format;
    struct snapshot snapshot, again;
    bodies_file_make(&snapshot, 9);
    struct bodies *bodies = snapshot.bodies;
    double *const places[] = {&bodies->mass[5],        &bodies->position[5][0],
                              &bodies->position[5][1], &bodies->position[5][2],
                              &bodies->velocity[5][0], &bodies->velocity[5][1],
                              &bodies->velocity[5][2]};
    for (size_t i = 0; (format = format_at(&i));)
        for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
            const double kept = *places[n];
            *places[n] = NAN;
            const char *path = write_as(format, &snapshot);
            *places[n] = kept;
            if (format_read(path, format, &again) != STATUS_USAGE)
                fail_msg("%s reads a body whose number %zu is none", format->name, n);
            snapshot_free(&again);
        }
    snapshot_free(&snapshot);
}

TEST(other_first_bytes)
{
    const struct format *format;
    struct snapshot again;
    size_t size;
    for (size_t i = 0; (format = format_at(&i));) {
        unsigned char *data = good(format, &size);
        for (size_t at = 0; at < 64; at++) {
            data[at] ^= 0x55;
            const char *path = bodies_file_write("other", data, size);
            bodies_file_limit_memory(16 << 20);
            const enum status forced = format_read(path, format, &again);
            snapshot_free(&again);
            const enum status guessed = format_read(path, NULL, &again);
            snapshot_free(&again);
            bodies_file_lift_limit();
            if ((forced != STATUS_OK && forced != STATUS_USAGE) ||
                (guessed != STATUS_OK && guessed != STATUS_USAGE))
                fail_msg("%s with byte %zu changed: status %d and %d, %s", format->name, at,
                         (int)forced, (int)guessed, status_text());
            data[at] ^= 0x55;
        }
        free(data);
    }
}

static size_t pack_gzip(const unsigned char *data, size_t size, unsigned char *out, size_t room)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data, .avail_in = (unsigned)size};
    assert_int_equal(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, 0), Z_OK);
    stream.next_out = out;
    stream.avail_out = (unsigned)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

static size_t pack_xz(const unsigned char *data, size_t size, unsigned char *out, size_t room)
{
    size_t used = 0;
    assert_int_equal(
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, data, size, out, &used, room), LZMA_OK);
    return used;
}

static size_t pack_zstd(const unsigned char *data, size_t size, unsigned char *out, size_t room)
{
    const size_t used = ZSTD_compress(out, room, data, size, 1);
    assert_false(ZSTD_isError(used));
    return used;
}

static const struct {
    const char *name;
    size_t (*pack)(const unsigned char *data, size_t size, unsigned char *out, size_t room);
} packers[] = {{"gzip", pack_gzip}, {"xz", pack_xz}, {"zstd", pack_zstd}};

/* Truncated packed data are reported as damaged wherever they end. */
static void check_packed(const struct format *format, const struct snapshot *snapshot, size_t p)
{
    enum { ROOM = 1 << 18 };
    size_t size;
    struct snapshot again;
    unsigned char *data = good(format, &size);
    unsigned char *packed = malloc(ROOM);
    assert_non_null(packed);
    const size_t length = packers[p].pack(data, size, packed, ROOM);
    assert_ok(format_read(bodies_file_write("packed", packed, length), NULL, &again));
    snapshot_sort(&again);
    assert_same(&again, snapshot, format);
    snapshot_free(&again);
    bodies_file_check_slices(folder_path("packed"), format);
    for (size_t cut = 100; cut < length; cut += 1000) {
        const char *path = bodies_file_write("packed", packed, cut);
        assert_fails(format_read(path, format, &again), STATUS_IO, packers[p].name);
    }
    /* two parts are one file, which is too long, or has two times */
    memcpy(packed + length, packed, length);
    const char *path = bodies_file_write("packed", packed, 2 * length);
    const enum status status = format_read(path, format, &again);
    assert_true(status == STATUS_USAGE || format->text || strncmp(format->name, "gadget", 6) == 0 ||
                strcmp(format->name, "nemo") == 0);
    snapshot_free(&again);
    memset(packed + length, 'x', 300);
    assert_fails(format_read(bodies_file_write("packed", packed, length + 300), format, &again),
                 STATUS_IO, "damaged");
    free(packed);
    free(data);
}

TEST(packed_files)
{
    const struct format *format;
    struct snapshot snapshot;
    bodies_file_make(&snapshot, COUNT);
    for (size_t i = 0; (format = format_at(&i));)
        for (size_t p = 0; p < sizeof packers / sizeof packers[0]; p++)
            if (strcmp(format->name, "hdf5") != 0)
                check_packed(format, &snapshot, p);
    snapshot_free(&snapshot);
}

/* With a component of one body, and columns where the format has them. */
TEST(slices_of_every_format)
{
    enum { FEW = 20 };
    const struct format *format;
    struct snapshot snapshot;
    bodies_file_make(&snapshot, FEW);
    snapshot.bodies->components[1].count = FEW - 1 - snapshot.bodies->components[1].first;
    snapshot.bodies->components[2].first = FEW - 1;
    snapshot.bodies->components[2].count = 1;
    for (int ids = 1; ids >= 0; ids--) {
        for (size_t i = 0; (format = format_at(&i));)
            bodies_file_check_slices(write_as(format, &snapshot), format);
        free(snapshot.bodies->id);
        snapshot.bodies->id = NULL;
        if (ids)
            assert_ok(body_columns_add(&snapshot.bodies->columns, "hsml", "", true, FEW));
        for (size_t i = 0; ids && i < FEW; i++)
            snapshot.bodies->columns.list[0].value[i] = 1 + (double)i / 4;
    }
    snapshot_free(&snapshot);
}

/* A body that is no number, which only its slice reads where a reader finds the rows of a slice. */
TEST(slices_without_the_rest)
{
    const struct format *format;
    struct snapshot snapshot, slice;
    const struct column_choice none = {.all = false};
    bodies_file_make(&snapshot, COUNT);
    snapshot.bodies->velocity[COUNT - 2][1] = NAN;
    for (size_t i = 0; (format = format_at(&i));) {
        const bool cuts = strcmp(format->name, "hdf5") == 0 || strstr(format->name, "gadget");
        const char *path = write_as(format, &snapshot);
        assert_int_equal(format_read(path, format, &slice), STATUS_USAGE);
        char *why = memory_text(status_text());
        for (unsigned part = 0; part < 3; part++) {
            const enum status status = format_read_slice(path, format, &none, part, 3, &slice);
            assert_int_equal(status, part < 2 && cuts ? STATUS_OK : STATUS_USAGE);
            if (status != STATUS_OK && strcmp(format->name, "hdf5") != 0) /* that names its rows */
                assert_string_equal(status_text(), why);
            snapshot_free(&slice);
        }
        free(why);
    }
    snapshot_free(&snapshot);
}

TEST(formats_by_extension)
{
    static const struct {
        const char *path, *name;
    } cases[] = {
        {"a.tab", "table"},     {"/x.y/a.CSV", "csv"}, {"a.npy.gz", "npy"}, {"a.tipsy", "tipsy"},
        {"a.g2", "gadget2"},    {"a.npz", "npz"},      {"a.nemo", "nemo"},  {"a.gadget", "gadget1"},
        {"a.tab.zst", "table"}, {"a.txt.xz", "table"}, {"a", NULL},         {"a.unheard", NULL},
        {"a.gz", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct format *format = format_of_extension(cases[i].path);
        assert_true((format && cases[i].name && strcmp(format->name, cases[i].name) == 0) ||
                    (!format && !cases[i].name));
    }
}

TEST(formats_that_are_known)
{
    static const struct {
        const char *bytes, *part;
    } cases[] = {
        {"# SDF 1.0\nparameter int x = 1;\n", "SDF file gravreel"},
        {"SIMPLE  =                    T", "FITS file"},
        {"PK\3\4....", "zip file arrays NumPy"},
        {"PAR1....", "Parquet file"},
        {"# vtk DataFile Version 3.0\n", "VTK file"},
        {"....ftypisom", "film bodies"},
        {"REBOUND Binary File. Version: 4.4.1\0x", "SimulationArchive rebound.Simulation"},
        {"2\n3\n0.25\n0.5\n0.5\n1 2 3\n4 5 6\n0 0 0\n0 0 0\n", "NEMO atos"},
        {"0\n2\n0.5\n0 0.5 1 2 3 0 0 0\n1 0.5 1 2 3 0 0 0\n", "phiGRAPE tail +4"},
        {"0 1 0.25\n0.5 1 2 3 0 0 0 0 0 1 0 0\n", "ASCII PeTar awk"},
        {"0 1 0.25 0 0 0 0 0 0\n0.5 1 2 3 0 0 0 0 0 1 0 0\n", "ASCII PeTar"},
        {"(Particle\n  N = 3\n", "Starlab AMUSE"},
        {")O+_06 Big-body initial data  (WARNING: Do not delete this line!!)\n", "Mercury mass"},
        {"*****\nEphemeris / WWW_USER Wed Jan  1\n", "Horizons $$SOE"},
        {"MINOR PLANET CENTER ORBIT DATABASE (MPCORB)\n", "MPCORB elements"},
        {"\"Ceres\" \"Sol\" {\n EllipticalOrbit {\n", "Celestia"},
        {"ncpu        =          4\n", "RAMSES"},
        {"ARROW1\1\1", "Arrow read_feather"},
        {"Title: x\nByte-by-byte Description of file: a.txt\n", "MRT astropy"},
        {"|  x   |\n|double|\n  1.0\n", "IPAC ascii.ipac CSV"},
        {"\\begin{deluxetable}{cc}\n\\startdata\n1 & 2\n", "AASTeX ascii.aastex"},
        {"\\begin{table}\n1 & 2\n", "LaTeX ascii.latex CSV"},
        {"PK\3\4....[Content_Types].xml", "spreadsheet read_excel"},
        {"PK\3\4....simulation.json", "Universe Sandbox"},
        {"MATLAB 5.0 MAT-file, Platform: GLNXA64", "MATLAB loadmat squeeze_me"},
        {"MATLAB 7.3 MAT-file, Platform: GLNXA64", "MATLAB h5py squeeze"},
        {"7z\xbc\xaf\x27\x1c", "7z unpack"},
        {"BZh91AY", "bzip2 bunzip2"},
        {"{\"bodies\": [1]}", "JSON CSV"},
        {"[\n [1, 2]]", "JSON CSV"},
        {"<!DOCTYPE html><html>", "web page"},
        {"#usda 1.0\n", "USD points CSV"},
        {"<?xml version='1.0'?>\n<!-- by hand -->\n<VOTABLE version='1.3'>", "VOTable"},
        {"<VOTABLE version='1.3'>", "VOTable"},
        {"2\nwater at 300 K\nO 0.0 0.0 0.1\nH 1 0 0\n", "XYZ file"},
        {"  2 \n\n Si -1.5e0 2 3 0.1\n", "XYZ file"},
        {"2\r\n\r\n8 0.0 0.0 0.1 \r\n1 1 0 0\r\n", "XYZ file"},
        {"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n", "dump LAMMPS"},
        {"HEADER    VIRUS\nTITLE     X\nATOM      1  N   MET A   1", "PDB file"},
        {"ATOM      1  N   MET A   1      38.1  13.2  -1.1", "PDB file"}};
    static const char *const others[] = {"2 0.5\n1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n",
                                         "mass,x,y,z,vx,vy,vz\n1,0,0,0,0,0,0\n",
                                         "TITLE mass x y z vx vy vz\n1 0 0 0 0 0 0\n",
                                         "1\n2\n3\n",
                                         "1\n\n1 0 0 0 0 0 0\n",
                                         "1 2 3 0 0 0 0 0 0\n1 2 3 0 0 0 0 0 0\n",
                                         "7 1 2 3 0 0 0 0\n8 1 2 3 0 0 0 0\n"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct format *found;
        assert_ok(
            format_of_file(bodies_file_write("o", others[i], strlen(others[i])), NULL, &found));
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        bodies_file_check_refusal(NULL, cases[i].bytes, strlen(cases[i].bytes), cases[i].part);
}

/* The advice for text files is a command of the shell, which makes a file that can be read. */
TEST(advice_for_text)
{
    static const char atoms[] = "ITEM: ATOMS id type mass x y z vx vy vz\n";
    static const struct {
        const char *head, *rows, *command, *made;
    } cases[] = {
        {"ITEM: TIMESTEP\n0\n", "1 1 9 9 0 0 0 0 0\nITEM: TIMESTEP\n1\n", "awk", "bodies.tab"},
        {"0\n2\n0.5\n", "0 0.5 1 2 3 0 0 0\n1 0.25 4 5 6 0 0 0\n", "tail", "bodies.ids"},
        {"0 2 0.5\n", "0.5 1 2 3 0 0 0 7 7 7 7\n0.25 4 5 6 0 0 0 7 7 7 7\n", "awk", "bodies.tab"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct snapshot snapshot;
        char text[512], command[1024];
        snprintf(text, sizeof text, "%s%s%s%s%s", cases[i].head, i == 0 ? atoms : "", cases[i].rows,
                 i == 0 ? atoms : "", i == 0 ? "1 1 0.5 1 2 3 0 0 0\n2 1 0.25 4 5 6 0 0 0\n" : "");
        const char *path = bodies_file_write("FILE", text, strlen(text));
        assert_fails(format_read(path, NULL, &snapshot), STATUS_USAGE, "does not read");
        const char *advice = strstr(status_text(), cases[i].command);
        assert_non_null(advice);
        snprintf(command, sizeof command, "cd '%s' && %s", folder_name(), advice);
        assert_int_equal(system(command), 0);
        assert_ok(format_read(folder_path(cases[i].made), NULL, &snapshot));
        assert_int_equal(snapshot.bodies->count, 2);
        assert_true(snapshot.bodies->mass[0] == 0.5 && snapshot.bodies->mass[1] == 0.25);
        assert_true(snapshot.bodies->position[1][2] == 6);
        snapshot_free(&snapshot);
    }
}

/* Fortran's records and other numbers, in either byte order. */
TEST(known_by_numbers)
{
    static const struct {
        uint32_t words[7];
        const char *part;
    } cases[] = {{{16, 100, 1, 1, 30, 16, 4 * (30 + 8 * 100)}, "NBODY6 u3tos"},
                 {{4, 8, 4, 4, 3, 4, 4}, "RAMSES yt"},
                 {{28, 60769, 1, 60878, 0, 0, 0}, "Phantom splash"},
                 {{0x65df65df, 0x65df65df, 0, 0, 0, 0, 0}, "GSD numpy.savez gsd.hoomd"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int swap = 0; swap < (i < 3 ? 2 : 1); swap++) {
            unsigned char data[40] = {0};
            for (int w = 0; w < 7; w++)
                bytes_put_u32(data + 4 * w, cases[i].words[w], swap);
            bytes_put_u32(data + 32, 4, swap); /* ends RAMSES' number of particles */
            bodies_file_check_refusal(NULL, data, sizeof data, cases[i].part);
        }
    unsigned char petar[24 + 2 * 200] = {0};
    bytes_put_u64(petar + 8, 2, false);
    bytes_put_f64(petar + 16, 0.5, false);
    bodies_file_check_refusal(NULL, petar, sizeof petar, "PeTar binary petar.format.transfer");
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
