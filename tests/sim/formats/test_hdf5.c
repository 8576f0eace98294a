/* HDF5 of GADGET, AREPO, SWIFT, AMUSE and h5py: every variant made here with libhdf5, real
 * snapshots, written files read back, and malicious files. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "base/log.h"
#include "sim/formats/columns.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/hdf5/hdf5_reader.h"
#include "sim/hdf5/hdf5_table.h"
#include "sim/playback/playback.h"

#include <glob.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HALO = 700, STARS = 300, ALL = HALO + STARS };

static char path[256];

static const char *file_at(const char *name)
{
    snprintf(path, sizeof path, "%s", folder_path(name));
    return path;
}

/* ---- bodies whose numbers all types of numbers hold exactly ---- */

static double *some_numbers(size_t count, size_t first)
{
    double *numbers = calloc(count, sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)((i + first) % 4096) * 0.25 - 300;
    return numbers;
}

static double *some_masses(size_t count, size_t first)
{
    double *numbers = calloc(count, sizeof *numbers);
    assert_non_null(numbers);
    for (size_t i = 0; i < count; i++)
        numbers[i] = 0.5 + (double)((i + first) % 7);
    return numbers;
}

static uint64_t *some_ids(size_t count, size_t first)
{
    uint64_t *ids = calloc(count, sizeof *ids);
    assert_non_null(ids);
    for (size_t i = 0; i < count; i++)
        ids[i] = 5000 + 3 * (i + first);
    return ids;
}

struct recipe {
    const char *what;
    struct maker_layout numbers, ids;
    size_t header; /* length of its arrays; 0: as long as needed */
    bool table_masses, without_ids, wholes_of_64;
};

static void put_type(struct maker *maker, unsigned type, size_t first, size_t count,
                     const struct recipe *recipe)
{
    char name[64];
    double *x = some_numbers(3 * count, 3 * first), *v = some_numbers(3 * count, 3 * first + 17),
           *m = some_masses(count, first);
    uint64_t *ids = some_ids(count, first);
    snprintf(name, sizeof name, "PartType%u", type);
    maker_group(maker, name);
    snprintf(name, sizeof name, "PartType%u/Coordinates", type);
    maker_doubles(maker, name, count, 3, x, &recipe->numbers);
    snprintf(name, sizeof name, "PartType%u/Velocities", type);
    maker_doubles(maker, name, count, 3, v, &recipe->numbers);
    snprintf(name, sizeof name, "PartType%u/Masses", type);
    if (!recipe->table_masses)
        maker_doubles(maker, name, count, 0, m, &recipe->numbers);
    snprintf(name, sizeof name, "PartType%u/ParticleIDs", type);
    if (!recipe->without_ids)
        maker_ids(maker, name, count, ids, &recipe->ids);
    free(ids);
    free(m);
    free(v);
    free(x);
}

static bool beyond_32_bits; /* the header counts 2^32 more of the halo's bodies */

static void put_header(struct maker *maker, const struct recipe *recipe, uint64_t halo,
                       uint64_t stars, uint64_t files)
{
    const uint64_t here[6] = {0, halo, 0, 0, stars, 0},
                   total[6] = {0, files > 1 ? HALO : halo, 0, 0, files > 1 ? STARS : stars, 0};
    const double masses[6] = {0, recipe->table_masses ? 0.75 : 0, 0,
                              0, recipe->table_masses ? 0.25 : 0, 0};
    const size_t length = recipe->header ? recipe->header : 6;
    const size_t bytes = recipe->wholes_of_64 ? 8 : 4;
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, length, bytes);
    maker_wholes(maker, "Header", "NumPart_Total", total, length, bytes);
    if (beyond_32_bits)
        maker_wholes(maker, "Header", "NumPart_Total_HighWord", (const uint64_t[6]){0, 1}, 6, 4);
    maker_numbers(maker, "Header", "MassTable", masses, length);
    maker_number(maker, "Header", "Time", 1.5);
    maker_wholes(maker, "Header", "NumFilesPerSnapshot", &files, 0, 4);
}

static const char *make(const char *name, const struct recipe *recipe)
{
    struct maker *maker = maker_open(file_at(name));
    put_header(maker, recipe, HALO, recipe->header && recipe->header < 5 ? 0 : STARS, 1);
    put_type(maker, 1, 0, HALO, recipe);
    if (!recipe->header || recipe->header >= 5)
        put_type(maker, 4, HALO, STARS, recipe);
    maker_close(&maker);
    return path;
}

static void expect_bodies(const struct snapshot *snapshot, const struct recipe *recipe,
                          size_t count)
{
    const struct bodies *bodies = snapshot->bodies;
    double *x = some_numbers(3 * count, 0), *v = some_numbers(3 * count, 17),
           *m = some_masses(count, 0);
    uint64_t *ids = some_ids(count, 0);
    assert_int_equal(bodies->count, count);
    for (size_t i = 0; recipe->table_masses && i < count; i++)
        m[i] = i < HALO ? 0.75 : 0.25;
    assert_memory_equal(bodies->position, x, 3 * count * sizeof *x);
    assert_memory_equal(bodies->velocity, v, 3 * HALO * sizeof *v);
    assert_memory_equal(bodies->mass, m, count * sizeof *m);
    assert_true((bodies->id == NULL) == recipe->without_ids);
    if (bodies->id)
        assert_memory_equal(bodies->id, ids, count * sizeof *ids);
    assert_true(snapshot->time_known && snapshot->time == 1.5);
    assert_int_equal(bodies->component_count, count == ALL ? 2 : 1);
    assert_string_equal(bodies->components[0].name, "halo");
    assert_int_equal(bodies->components[0].count, HALO);
    if (count == ALL)
        assert_string_equal(bodies->components[1].name, "stars");
    free(ids);
    free(m);
    free(v);
    free(x);
}

TEST(every_layout)
{
    static const struct recipe recipes[] = {
        {.what = "doubles in one piece", {.type = MAKER_F64}, {.type = MAKER_U64}},
        {.what = "floats", {.type = MAKER_F32}, {.type = MAKER_U32}},
        {.what = "big-endian floats",
         {.type = MAKER_F32, .big_endian = true},
         {.type = MAKER_I32, .big_endian = true}},
        {.what = "big-endian doubles",
         {.type = MAKER_F64, .big_endian = true},
         {.type = MAKER_I64, .big_endian = true}},
        {.what = "big-endian ids", {.type = MAKER_F64}, {.type = MAKER_U64, .big_endian = true}},
        {.what = "chunks", {.type = MAKER_F64, .chunk = 64}, {.type = MAKER_U64, .chunk = 1000}},
        {.what = "large chunks",
         {.type = MAKER_F32, .chunk = 300},
         {.type = MAKER_U32, .chunk = 7}},
        {.what = "gzip",
         {.type = MAKER_F64, .chunk = 100, .gzip = true},
         {.type = MAKER_I64, .chunk = 50, .gzip = true}},
        {.what = "shuffled gzip",
         {.type = MAKER_F32, .big_endian = true, .chunk = 128, .gzip = true, .shuffle = true},
         {.type = MAKER_U64, .big_endian = true, .chunk = 128, .gzip = true, .shuffle = true}},
        {.what = "checksums",
         {.type = MAKER_F64, .chunk = 128, .fletcher = true},
         {.type = MAKER_U32, .chunk = 33, .gzip = true, .fletcher = true}},
        {.what = "scale and offset",
         {.type = MAKER_F64, .chunk = 32},
         {.type = MAKER_I64, .chunk = 64, .scale_offset = true}},
        {.what = "fewer bits, packed",
         {.type = MAKER_F22, .chunk = 128, .nbit = true},
         {.type = MAKER_U36, .chunk = 64, .nbit = true, .gzip = true}},
        {.what = "fewer bits in one piece", {.type = MAKER_F22}, {.type = MAKER_U36}},
        {.what = "compact",
         {.type = MAKER_F32, .compact = true},
         {.type = MAKER_U32, .compact = true}},
        {.what = "masses in the header",
         {.type = MAKER_F32},
         {.type = MAKER_U32},
         .table_masses = true},
        {.what = "no ids", {.type = MAKER_F32}, .without_ids = true},
        {.what = "arrays of 2", {.type = MAKER_F32}, {.type = MAKER_U32}, .header = 2},
        {.what = "arrays of 3",
         {.type = MAKER_F32},
         {.type = MAKER_U32},
         .header = 3,
         .table_masses = true},
        {.what = "arrays of 5",
         {.type = MAKER_F32},
         {.type = MAKER_U32},
         .header = 5,
         .wholes_of_64 = true},
    };
    for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
        struct snapshot snapshot;
        const enum status status = format_read(make("layout.hdf5", &recipes[i]), NULL, &snapshot);
        if (status != STATUS_OK)
            fail_msg("%s: %s", recipes[i].what, status_text());
        assert_true(snapshot.single ==
                    (recipes[i].numbers.type == MAKER_F32 || recipes[i].numbers.type == MAKER_F22));
        expect_bodies(&snapshot, &recipes[i],
                      recipes[i].header && recipes[i].header < 5 ? HALO : ALL);
        snapshot_free(&snapshot);
        bodies_file_check_slices(path, NULL);
    }
}

/* Lost digits of float64 are reported if any type has them. */
TEST(types_of_either_width)
{
    for (int way = 0; way < 4; way++) {
        const struct recipe narrow = {.numbers = {.type = MAKER_F32}, .ids = {.type = MAKER_U32}},
                            wide = {.numbers = {.type = MAKER_F64}, .ids = {.type = MAKER_U64}};
        struct snapshot snapshot;
        struct maker *maker = maker_open(file_at("widths.hdf5"));
        put_header(maker, &wide, HALO, STARS, 1);
        put_type(maker, 1, 0, HALO, way & 1 ? &wide : &narrow);
        put_type(maker, 4, HALO, STARS, way & 2 ? &wide : &narrow);
        maker_close(&maker);
        assert_ok(format_read(path, NULL, &snapshot));
        assert_true(snapshot.single == (way == 0));
        expect_bodies(&snapshot, &wide, ALL);
        snapshot_free(&snapshot);
    }
}

TEST(half_precision)
{
    const struct maker_layout layout = {.type = MAKER_F16};
    const double values[] = {0, -1.5, 0.25, 1000, -65504, 6.103515625e-05};
    double found[6] = {0};
    struct hdf5_file *file;
    struct maker *maker = maker_open(file_at("half.hdf5"));
    maker_doubles(maker, "x", 2, 3, values, &layout);
    maker_close(&maker);
    assert_ok(hdf5_open(&file, path));
    assert_ok(hdf5_numbers(file, "x", 0, 2, found, 3, false));
    assert_memory_equal(found, values, sizeof values);
    hdf5_close(&file);
}

/* Ids of every type: all that are whole and exact, or none; a slice cannot decide that alone. */
TEST(ids_of_any_type)
{
    enum { COUNT = 5 };
    static const struct recipe recipe = {.numbers = {.type = MAKER_F64}, .without_ids = true};
    static const struct {
        enum maker_type type;
        double second; /* the others are whole */
        bool kept;
    } cases[] = {{MAKER_F64, 7, true},    {MAKER_F32, 7, true},       {MAKER_I32, 7, true},
                 {MAKER_F64, 7.5, false}, {MAKER_F64, 0x1p53, false}, {MAKER_F32, 0x1p24, false},
                 {MAKER_I64, -7, false},  {MAKER_F64, -7, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t chunk = 0; chunk < 3; chunk += 2) {
            const struct maker_layout layout = {.type = cases[i].type, .chunk = chunk};
            const double ids[COUNT] = {9, cases[i].second, 3, 0, 12};
            uint64_t whole[COUNT];
            struct snapshot found;
            struct maker *maker = maker_open(file_at("ids.hdf5"));
            put_header(maker, &recipe, COUNT, 0, 1);
            put_type(maker, 1, 0, COUNT, &recipe);
            for (int k = 0; k < COUNT; k++)
                whole[k] = (uint64_t)k;
            maker_doubles(maker, "PartType1/ParticleIDs", COUNT, 0, ids, &layout);
            whole[2] = 9007199254740993u;
            maker_ids(maker, "PartType1/Tag", COUNT, whole,
                      &(struct maker_layout){.type = MAKER_U64, .chunk = chunk});
            maker_close(&maker);
            assert_ok(format_read(path, NULL, &found));
            for (int k = 0; cases[i].kept && k < COUNT; k++)
                assert_true(found.bodies->id[k] == (uint64_t)ids[k]);
            assert_true(cases[i].kept == (found.bodies->id != NULL) &&
                        cases[i].kept == (found.unread == NULL));
            assert_string_equal(found.rounded, "Tag");
            snapshot_free(&found);
            const struct column_choice none = {.all = false};
            if (!cases[i].kept)
                assert_fails(format_read_slice(path, NULL, &none, 0, 2, &found), STATUS_USAGE,
                             "number 2 ParticleIDs several processes");
        }
}

/* A filter of h5py's own: the line that repacks the file. */
TEST(filters_that_are_missing)
{
    struct snapshot found;
    assert_fails(format_read(test_data("../cases/lzf.hdf5"), NULL, &found), STATUS_USAGE,
                 "PartType1/Coordinates h5py's LZF python3 lzf.hdf5 repacked.hdf5");
}

/* ---- several files ---- */

static const struct recipe plain = {.numbers = {.type = MAKER_F64}, .ids = {.type = MAKER_U64}};

static void make_part(const char *stem, unsigned i, uint64_t halo_first, uint64_t halo,
                      uint64_t stars_first, uint64_t stars)
{
    char name[32];
    snprintf(name, sizeof name, "%s.%u.hdf5", stem, i);
    struct maker *maker = maker_open(file_at(name));
    put_header(maker, &plain, halo, stars, 3);
    if (halo)
        put_type(maker, 1, halo_first, halo, &plain);
    if (stars)
        put_type(maker, 4, HALO + stars_first, stars, &plain);
    maker_close(&maker);
}

static void make_parts(const char *stem)
{
    make_part(stem, 0, 0, 200, 0, 0);
    make_part(stem, 1, 200, 0, 0, 100);
    make_part(stem, 2, 200, 500, 100, 200);
}

TEST(several_files)
{
    struct snapshot snapshot;
    make_parts("snap");
    for (unsigned i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "snap.%u.hdf5", i);
        assert_ok(format_read(file_at(name), NULL, &snapshot));
        expect_bodies(&snapshot, &plain, ALL);
        snapshot_free(&snapshot);
    }
    assert_ok(format_read(file_at("snap"), NULL, &snapshot)); /* no file has this name */
    expect_bodies(&snapshot, &plain, ALL);
    snapshot_free(&snapshot);
    assert_true(format_finds(path));
    assert_false(format_finds(file_at("sna")));
    assert_fails(format_read(path, NULL, &snapshot), STATUS_IO, "open");
    assert_ok(format_read(folder_name(), NULL, &snapshot)); /* its only .0.hdf5 */
    expect_bodies(&snapshot, &plain, ALL);
    snapshot_free(&snapshot);
    struct playback_span span; /* of a series it is one snapshot */
    const struct bodies_params series = {.file = (char *)(uintptr_t)file_at("snap.*.hdf5"),
                                         .position_scale = 1,
                                         .velocity_scale = 1};
    assert_fails(playback_measure(&series, &span), STATUS_USAGE, "--bodies-from snap.0.hdf5");
    bodies_file_check_slices(file_at("snap.1.hdf5"), NULL);
    make_part("snap", 1, 200, 0, 0, 90);
    bodies_file_check_slices(file_at("snap.1.hdf5"), NULL);
    assert_fails(format_read(file_at("snap.0.hdf5"), NULL, &snapshot), STATUS_USAGE,
                 "290 bodies type 4 header counts 300");
    beyond_32_bits = true;
    make_parts("many");
    beyond_32_bits = false;
    assert_fails(format_read(file_at("many.0.hdf5"), NULL, &snapshot), STATUS_USAGE,
                 "700 bodies type 1 header counts 4294967996");
    assert_int_equal(unlink(file_at("snap.1.hdf5")), 0);
    assert_fails(format_read(file_at("snap.2.hdf5"), NULL, &snapshot), STATUS_IO, "snap.1.hdf5");
    const char *other = folder_path("alone.hdf5");
    assert_int_equal(rename(file_at("snap.0.hdf5"), other), 0);
    assert_fails(format_read(other, NULL, &snapshot), STATUS_USAGE, "3 files snapshot");
}

/* A row of the last file that is no number, which only the last slice reads. */
TEST(slice_of_some_files)
{
    const struct column_choice none = {.all = false};
    const double kept = 217.5, nan = NAN; /* row 690 of the halo */
    struct snapshot slice;
    char *bytes, *at;
    size_t size;
    make_parts("part");
    assert_ok(file_read(path, 1 << 20, &bytes, &size));
    assert_non_null(at = memmem(bytes, size, &kept, sizeof kept));
    memcpy(at, &nan, sizeof nan);
    assert_ok(file_write(path, bytes, size));
    free(bytes);
    assert_fails(format_read(path, NULL, &slice), STATUS_USAGE, "part.2 PartType1 finite");
    for (unsigned part = 0; part < 7; part++) {
        const enum status status = format_read_slice(path, NULL, &none, part, 7, &slice);
        assert_int_equal(status, part == 6 ? STATUS_USAGE : STATUS_OK);
        assert_true(status != STATUS_OK || slice.bodies->components[0].count == HALO / 7);
        snapshot_free(&slice);
    }
}

/* A file as SWIFT writes beside the others: their header, and tables put together from them. */
static const char *make_pointer(uint64_t halo, const char *source)
{
    struct maker *maker = maker_open(file_at("pointer.hdf5"));
    put_header(maker, &plain, halo, STARS, 1);
    maker_group(maker, "PartType1");
    maker_group(maker, "PartType4");
    maker_virtual_table(maker, "PartType1/Coordinates", halo, source, "PartType1/Coordinates");
    maker_virtual_table(maker, "PartType4/Coordinates", STARS, source, "PartType4/Coordinates");
    maker_close(&maker);
    return path;
}

TEST(files_that_point_at_others)
{
    /* folders are ignored */
    static const char *const names[] = {"swift.0.hdf5", "run/out/swift.0.hdf5",
                                        "../../../swift.0.hdf5", "/swift.1.hdf5"};
    struct snapshot snapshot;
    make_parts("swift");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(format_read(make_pointer(HALO, names[i]), NULL, &snapshot));
        expect_bodies(&snapshot, &plain, ALL);
        snapshot_free(&snapshot);
    }
    assert_fails(format_read(make_pointer(HALO - 1, names[0]), NULL, &snapshot), STATUS_USAGE,
                 "numbers bodies");
    assert_fails(format_read(make_pointer(HALO, "pointer.hdf5"), NULL, &snapshot), STATUS_USAGE,
                 "PartType1/Coordinates assembled files");
    assert_fails(format_read(make_pointer(HALO, "/etc/passwd"), NULL, &snapshot), STATUS_IO,
                 "/passwd file");
    assert_fails(format_read(make_pointer(HALO, ".."), NULL, &snapshot), STATUS_USAGE,
                 "regular file");
}

/* ---- units and expanding space ---- */

static void units_of(struct snapshot *out, const char *group, const char *const names[3],
                     const double values[3])
{
    struct maker *maker = maker_open(file_at("units.hdf5"));
    put_header(maker, &plain, HALO, 0, 1);
    put_type(maker, 1, 0, HALO, &plain);
    if (group)
        maker_group(maker, group);
    for (int i = 0; group && i < 3; i++)
        maker_number(maker, group, names[i], values[i]);
    maker_close(&maker);
    assert_ok(format_read(path, NULL, out));
    struct snapshot alone;
    assert_ok(format_read_units(path, NULL, &alone));
    assert_memory_equal(&alone.units, &out->units, sizeof alone.units);
    assert_true(alone.units_assumed == out->units_assumed && alone.time == out->time);
    assert_null(alone.bodies);
}

TEST(units_from_the_file)
{
    static const char *const gadget[] = {"UnitLength_in_cm", "UnitMass_in_g",
                                         "UnitVelocity_in_cm_per_s"},
                             *const swift[] = {"Unit length in cgs (U_L)", "Unit mass in cgs (U_M)",
                                               "Unit time in cgs (U_t)"};
    static const char *const groups[] = {"Units", "Parameters"};
    const double values[] = {3e21, 2e43, 1e5}, times[] = {3e21, 2e43, 3e16};
    struct snapshot snapshot;
    for (size_t i = 0; i < 2; i++) {
        units_of(&snapshot, groups[i], gadget, values);
        assert_true(snapshot.units.length_cm == 3e21 && snapshot.units.mass_g == 2e43 &&
                    snapshot.units.velocity_cms == 1e5 && !snapshot.units_assumed);
        snapshot_free(&snapshot);
    }
    units_of(&snapshot, "Units", swift, times);
    assert_true(snapshot.units.length_cm == 3e21 && snapshot.units.velocity_cms == 1e5);
    assert_string_equal(snapshot.bodies->components[0].name, "dark matter");
    snapshot_free(&snapshot);
    units_of(&snapshot, NULL, NULL, NULL);
    assert_true(snapshot.units_assumed);
    assert_memory_equal(&snapshot.units, &units_gadget, sizeof units_gadget);
    snapshot_free(&snapshot);
}

/* Matter and a cosmological constant, of a universe that is flat or open: H / H0 at a. */
static double expands(double a, double matter, double lambda)
{
    return sqrt(matter / pow(a, 3) + (1 - matter - lambda) / pow(a, 2) + lambda);
}

static void check_universe(double matter, double lambda)
{
    enum { STEPS = 100000 };
    const double a = 0.25, h = 0.5, hubble = h * 100e5 / 3.0856775814913673e24, box = 40;
    struct maker *maker = maker_open(file_at("comoving.hdf5"));
    const uint64_t here[2] = {0, HALO};
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 2, 4);
    maker_number(maker, "Header", "Time", a);
    maker_number(maker, "Header", "Redshift", 1 / a - 1);
    maker_number(maker, "Header", "Omega0", matter);
    maker_number(maker, "Header", "OmegaLambda", lambda);
    maker_number(maker, "Header", "HubbleParam", h);
    maker_number(maker, "Header", "BoxSize", box);
    put_type(maker, 1, 0, HALO, &plain);
    maker_close(&maker);
    struct snapshot got;
    assert_ok(format_read(path, NULL, &got));
    double *x = some_numbers(3 * HALO, 0), *v = some_numbers(3 * HALO, 17), age = 0;
    const double unit_s = got.units.length_cm / got.units.velocity_cms,
                 rate = hubble * expands(a, matter, lambda) * unit_s;
    for (size_t i = 0; i < 3 * HALO; i++) {
        const double position = got.bodies->position[i / 3][i % 3],
                     velocity = got.bodies->velocity[i / 3][i % 3];
        assert_true(fabs(position - x[i] * a / h) <= 1e-12 * fabs(x[i]));
        const double want = v[i] * sqrt(a) + rate * (x[i] - box / 2) * a / h;
        assert_true(fabs(velocity - want) <= 1e-6 * (fabs(want) + 1));
    }
    for (int c = 0; c < 3; c++)
        assert_true(fabs(got.box[c] / (box * a / h) - 1) < 1e-12);
    assert_true(got.scale_factor == a && got.cosmology.h == h);
    assert_true(got.cosmology.matter == matter && got.cosmology.lambda == lambda);
    assert_true(fabs(got.cosmology.hubble / (hubble * unit_s) - 1) < 1e-6);
    assert_true(fabs(got.expansion / rate - 1) < 1e-6);
    assert_true(got.bodies->mass[0] == 0.5 / h);
    for (int i = 0; i < STEPS; i++) /* the integral of da / (a H) */
        age += 1 / (STEPS * (i + 0.5) / STEPS * expands(a * (i + 0.5) / STEPS, matter, lambda));
    assert_true(fabs(got.time * unit_s * hubble / age - 1) < 1e-5);
    if (lambda == 0 && matter == 1)
        assert_true(fabs(got.time * unit_s * hubble - 2.0 / 3 * pow(a, 1.5)) < 1e-9);
    free(v);
    free(x);
    snapshot_free(&got);
}

/* Boxes whose edges differ: three numbers (SWIFT), or factors of the compiler's (AREPO). They are
 * written again. */
TEST(boxes_that_are_no_cubes)
{
    static const double edges[3] = {10, 20, 40};
    for (int kind = 0; kind < 2; kind++) {
        struct maker *maker = maker_open(file_at("long.hdf5"));
        const uint64_t here[2] = {0, HALO};
        maker_group(maker, "Header");
        maker_wholes(maker, "Header", "NumPart_ThisFile", here, 2, 4);
        maker_number(maker, "Header", "Time", 1);
        if (kind == 0) {
            maker_numbers(maker, "Header", "BoxSize", edges, 3);
        } else {
            maker_number(maker, "Header", "BoxSize", edges[0]);
            maker_group(maker, "Config");
            maker_number(maker, "Config", "LONG_Y", 2);
            maker_number(maker, "Config", "LONG_Z", 4);
        }
        put_type(maker, 1, 0, HALO, &plain);
        maker_close(&maker);
        struct snapshot got;
        assert_ok(format_read(path, NULL, &got));
        assert_memory_equal(got.box, edges, sizeof edges);
        assert_true(got.scale_factor == 0 && got.cosmology.hubble == 0);
        assert_ok(format_of_extension("again.hdf5")->write(file_at("again.hdf5"), &got));
        snapshot_free(&got);
        assert_ok(format_read_units(path, NULL, &got));
        assert_memory_equal(got.box, edges, sizeof edges);
        snapshot_free(&got);
    }
}

/* GIZMO's newer names of units and densities. */
TEST(names_of_gizmo)
{
    const double units[] = {3e21, 2e43, 1e5};
    struct maker *maker = maker_open(file_at("gizmo.hdf5"));
    const uint64_t here[2] = {0, HALO};
    struct snapshot got;
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 2, 4);
    maker_number(maker, "Header", "Time", 0.5);
    maker_number(maker, "Header", "Redshift", 1);
    maker_number(maker, "Header", "Omega_Matter", 0.3);
    maker_number(maker, "Header", "Omega_Lambda", 0.7);
    maker_number(maker, "Header", "HubbleParam", 0.7);
    maker_number(maker, "Header", "UnitLength_In_CGS", units[0]);
    maker_number(maker, "Header", "UnitMass_In_CGS", units[1]);
    maker_number(maker, "Header", "UnitVelocity_In_CGS", units[2]);
    put_type(maker, 1, 0, HALO, &plain);
    maker_close(&maker);
    assert_ok(format_read_units(path, NULL, &got));
    assert_true(!got.units_assumed && got.units.length_cm == units[0] &&
                got.units.mass_g == units[1] && got.units.velocity_cms == units[2]);
    assert_true(got.scale_factor == 0.5 && got.cosmology.matter == 0.3 &&
                got.cosmology.lambda == 0.7);
    snapshot_free(&got);
}

TEST(expanding_space)
{
    check_universe(1, 0);
    check_universe(0.3, 0.7);
    check_universe(0.3, 0);
}

TEST(what_is_not_read_is_named)
{
    struct snapshot got;
    struct maker *maker = maker_open(file_at("gas.hdf5"));
    put_header(maker, &plain, HALO, STARS, 1);
    put_type(maker, 1, 0, HALO, &plain);
    put_type(maker, 4, HALO, STARS, &plain);
    double *rho = some_numbers(HALO, 0);
    maker_doubles(maker, "PartType1/Density", HALO, 0, rho, &plain.numbers);
    maker_doubles(maker, "PartType4/Density", STARS, 0, rho, &plain.numbers);
    maker_doubles(maker, "PartType4/Age", STARS, 0, rho, &plain.numbers);
    maker_close(&maker);
    static const char *const columns[] = {"Mass", NULL};
    assert_ok(format_read_chosen(path, NULL, &(struct column_choice){.names = columns}, &got));
    assert_string_equal(got.unread, "Density, Age");
    assert_int_equal(got.bodies->columns.count, 0);
    snapshot_free(&got);
    free(rho);
}

/* ---- AMUSE ---- */

TEST(amuse_units)
{
    static const struct {
        const char *text;
        struct amuse_unit unit;
    } good[] = {
        {"kg", {1, 1, 0, 0, false}},
        {"km / s", {1e3, 0, 1, -1, false}},
        {"km * s**-1", {1e3, 0, 1, -1, false}},
        {"1000.0 * m", {1e3, 0, 1, 0, false}},
        {"units.parsec", {3.0856775814913673e16, 0, 1, 0, false}},
        {"system.get('S.I.').base('mass')", {1, 1, 0, 0, false}},
        {"(1000.0 * (system.get('S.I.').base('length') * (system.get('S.I.').base('time')**-1)))",
         {1e3, 0, 1, -1, false}},
        {"system.get('nbody').base('length')", {1, 0, 1, 0, true}},
        {"g", {1e-3, 1, 0, 0, false}},
        {"MSun", {1.98840987e30, 1, 0, 0, false}},
        {"cm", {1e-2, 0, 1, 0, false}},
        {"AU", {149597870700.0, 0, 1, 0, false}},
        {"au", {149597870700.0, 0, 1, 0, false}},
        {"pc", {3.0856775814913673e16, 0, 1, 0, false}},
        {"kpc", {3.0856775814913673e19, 0, 1, 0, false}},
        {"Mpc", {3.0856775814913673e22, 0, 1, 0, false}},
        {"RSun", {6.957e8, 0, 1, 0, false}},
        {"yr", {365.25 * 86400, 0, 0, 1, false}},
        {"julianyr", {365.25 * 86400, 0, 0, 1, false}},
        {"kyr", {365.25 * 86400e3, 0, 0, 1, false}},
        {"Myr", {365.25 * 86400e6, 0, 0, 1, false}},
        {"Gyr", {365.25 * 86400e9, 0, 0, 1, false}},
        {"kms", {1e3, 0, 1, -1, false}},
        {"ms", {1, 0, 1, -1, false}},
        {"speed", {1, 0, 1, -1, true}},
        {"m / s ^ 2", {1, 0, 1, -2, false}},
    };
    static const char *const bad[] = {"",
                                      "furlong",
                                      "m *",
                                      "(m",
                                      "m)",
                                      "m ** 0.5",
                                      "0 * m",
                                      "1e999 * m",
                                      "system.get('S.I.').base('luck')",
                                      "((((((((((((((((((((((((((((((((((((((((m"};
    struct amuse_unit unit;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(amuse_unit_read(good[i].text, &unit));
        const bool solar = strcmp(good[i].text, "MSun") == 0; /* of seven digits here */
        assert_true(fabs(unit.factor / good[i].unit.factor - 1) < (solar ? 1e-8 : 1e-15));
        assert_true(unit.mass == good[i].unit.mass && unit.length == good[i].unit.length &&
                    unit.time == good[i].unit.time && unit.scaleless == good[i].unit.scaleless);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(amuse_unit_read(bad[i], &unit));
}

/* `other`: the unit of z, vz; NULL: that of x, vx. */
static const char *make_amuse(const char *root, const char *const units[3], bool any_length,
                              const char *const other[2])
{
    static const char *const names[] = {"mass", "x", "y", "z", "vx", "vy", "vz"};
    const struct maker_layout layout = {.type = MAKER_F64}, keys = {.type = MAKER_U64};
    char name[64];
    struct maker *maker = maker_open(file_at("amuse.hdf5"));
    maker_group(maker, root);
    for (int set = 1; set <= 2; set++) {
        const size_t rows = set == 1 ? 2 : HALO;
        uint64_t *ids = some_ids(rows, 0);
        snprintf(name, sizeof name, "%s/%010d", root, set);
        maker_group(maker, name);
        maker_number(maker, name, "timestamp", 2);
        maker_text(maker, name, "timestamp_unit", "Myr", any_length);
        snprintf(name, sizeof name, "%s/%010d/keys", root, set);
        maker_ids(maker, name, rows, ids, &keys);
        snprintf(name, sizeof name, "%s/%010d/attributes", root, set);
        maker_group(maker, name);
        for (size_t i = 0; i < 7; i++) {
            double *values = i == 0 ? some_masses(rows, 0) : some_numbers(rows, i);
            snprintf(name, sizeof name, "%s/%010d/attributes/%s", root, set, names[i]);
            maker_doubles(maker, name, rows, 0, values, &layout);
            maker_text(maker, name, "units",
                       other && i == 3   ? other[0]
                       : other && i == 6 ? other[1]
                                         : units[i == 0  ? 0
                                                 : i < 4 ? 1
                                                         : 2],
                       any_length);
            free(values);
        }
        free(ids);
    }
    maker_close(&maker);
    return path;
}

/* Whole numbers of every width, sign and order of bytes. */
TEST(whole_numbers_keep_their_sign)
{
    for (unsigned bytes = 1; bytes <= 8; bytes *= 2)
        for (int big = 0; big < 2; big++) {
            const int64_t least = (int64_t)(UINT64_MAX << (8 * bytes - 1)),
                          values[] = {0, 1, -1, -2, least, -(least + 1)};
            enum { VALUES = sizeof values / sizeof *values };
            unsigned char from[8 * VALUES] = {0};
            double numbers[VALUES];
            uint64_t whole[VALUES];
            for (size_t i = 0; i < VALUES; i++)
                for (unsigned b = 0; b < bytes; b++)
                    from[i * bytes + (big ? bytes - 1 - b : b)] =
                        (unsigned char)((uint64_t)values[i] >> 8 * b);
            struct hdf5_table table = {
                .class = HDF5_SIGNED, .bytes = bytes, .columns = 1, .big_endian = big};
            convert_numbers(&table, from, VALUES, numbers, 1);
            convert_whole(&table, from, VALUES, whole);
            for (size_t i = 0; i < VALUES; i++)
                assert_true(numbers[i] == (double)values[i] && whole[i] == (uint64_t)values[i]);
            table.class = HDF5_UNSIGNED;
            convert_numbers(&table, from, VALUES, numbers, 1);
            convert_whole(&table, from, VALUES, whole);
            for (size_t i = 0; i < VALUES; i++) {
                const uint64_t bits = (uint64_t)values[i] << (64 - 8 * bytes) >> (64 - 8 * bytes);
                assert_true(numbers[i] == (double)bits && whole[i] == bits);
            }
        }
}

TEST(particles_of_amuse)
{
    static const char *const si[] = {"MSun", "parsec", "km / s"},
                             *const scaleless[] = {"system.get('nbody').base('mass')",
                                                   "system.get('nbody').base('length')", "speed"},
                             *const odd[] = {"MSun", "furlong", "km / s"},
                             *const mixed[] = {"MSun", "length", "km / s"};
    struct snapshot got;
    assert_ok(format_read(make_amuse("data", si, true, NULL), NULL, &got));
    assert_int_equal(got.bodies->count, HALO);
    assert_true(fabs(got.units.length_cm / 3.0856775814913673e18 - 1) < 1e-15);
    assert_true(fabs(got.units.velocity_cms / 1e5 - 1) < 1e-15);
    assert_true(fabs(got.units.mass_g / 1.9884098706980504e33 - 1) < 1e-15);
    assert_true(got.time_known);
    assert_true(fabs(got.time * got.units.length_cm / got.units.velocity_cms / 6.31152e13 - 1) <
                1e-14);
    for (size_t i = 0; i < HALO; i++) {
        assert_true(got.bodies->mass[i] == 0.5 + (double)(i % 7));
        assert_int_equal(got.bodies->id[i], 5000 + 3 * i);
        for (size_t c = 0; c < 3; c++) {
            assert_true(got.bodies->position[i][c] == (double)(i + c + 1) * 0.25 - 300);
            assert_true(got.bodies->velocity[i][c] == (double)(i + c + 4) * 0.25 - 300);
        }
    }
    snapshot_free(&got);
    assert_ok(format_read(
        make_amuse("data", si, true, (const char *const[]){"kpc", "1000 * m / s"}), NULL, &got));
    for (size_t i = 0; i < HALO; i++) { /* all in the unit of x and vx */
        assert_true(got.bodies->position[i][1] == (double)(i + 2) * 0.25 - 300);
        assert_true(fabs(got.bodies->position[i][2] - 1000 * ((double)(i + 3) * 0.25 - 300)) <
                    1e-9);
        assert_true(fabs(got.bodies->velocity[i][2] - ((double)(i + 6) * 0.25 - 300)) < 1e-12);
    }
    snapshot_free(&got);
    assert_ok(format_read(make_amuse("particles", scaleless, false, NULL), NULL, &got));
    assert_true(got.bodies->count == HALO && got.units.length_cm == 0 && !got.time_known);
    snapshot_free(&got);
    assert_fails(format_read(make_amuse("data", odd, true, NULL), NULL, &got), STATUS_USAGE,
                 "furlong gravreel length");
    assert_fails(format_read(make_amuse("data", mixed, true, NULL), NULL, &got), STATUS_USAGE,
                 "units SI N-body");
}

/* ---- plain arrays ---- */

enum plain {
    PLAIN_WHOLE,
    PLAIN_TIME_INSIDE,
    PLAIN_NO_MASS,
    PLAIN_LONGER,
    PLAIN_FLAT,
    PLAIN_GALAXY
};

/* mass, pos, vel, id, heat, two that are no columns, and a group. */
static const char *make_plain(enum plain how)
{
    const struct maker_layout doubles = {.type = MAKER_F64},
                              packed = {.type = MAKER_F32, .chunk = 100, .gzip = true},
                              ids = {.type = MAKER_I64};
    double *mass = some_masses(HALO, 0), *numbers = some_numbers(3 * HALO + 1, 0);
    uint64_t *id = some_ids(HALO, 0);
    struct maker *maker = maker_open(file_at("plain.h5"));
    if (how != PLAIN_NO_MASS)
        maker_doubles(maker, "mass", how == PLAIN_LONGER ? HALO - 1 : HALO, 0, mass, &doubles);
    maker_doubles(maker, "pos", HALO, how == PLAIN_FLAT ? 2 : 3, numbers, &packed);
    maker_doubles(maker, "Velocities", HALO, 3, numbers + 1, &packed);
    maker_ids(maker, "id", HALO, id, &ids);
    maker_doubles(maker, "heat", HALO, 0, numbers + 2, &packed);
    maker_text(maker, "heat", "unit", "K", true);
    maker_doubles(maker, "few", 3, 0, numbers, &doubles);
    maker_text_table(maker, "words", HALO);
    maker_group(maker, "x"); /* is no array */
    if (how == PLAIN_GALAXY)
        maker_doubles(maker, "galaxy", HALO, 0, mass, &doubles);
    if (how == PLAIN_TIME_INSIDE)
        maker_doubles(maker, "time", 1, 0, &(double){2.5}, &doubles);
    else
        maker_number(maker, "/", "time", 2.5);
    maker_close(&maker);
    free(mass);
    free(numbers);
    free(id);
    return path;
}

TEST(plain_arrays)
{
    struct snapshot got;
    for (enum plain how = PLAIN_WHOLE; how <= PLAIN_TIME_INSIDE; how++) {
        assert_ok(format_read(make_plain(how), NULL, &got));
        const struct bodies *bodies = got.bodies;
        assert_true(bodies->count == HALO && bodies->component_count == 1 &&
                    bodies->columns.count == 1);
        const struct body_column *heat = body_columns_find(&bodies->columns, "heat");
        assert_true(heat && heat->single && strcmp(heat->unit, "K") == 0);
        for (size_t i = 0; i < HALO; i++) {
            assert_true(bodies->mass[i] == 0.5 + (double)(i % 7));
            assert_int_equal(bodies->id[i], 5000 + 3 * i);
            assert_true(heat->value[i] == (double)(i + 2) * 0.25 - 300);
            for (size_t c = 0; c < 3; c++) {
                assert_true(bodies->position[i][c] == (double)(3 * i + c) * 0.25 - 300);
                assert_true(bodies->velocity[i][c] == (double)(3 * i + c + 1) * 0.25 - 300);
            }
        }
        assert_true(got.time_known && got.time == 2.5 && got.units.length_cm == 0 && got.single);
        assert_string_equal(got.unread, "few, words");
        snapshot_free(&got);
        assert_ok(format_read_time(path, NULL, &got));
        assert_true(got.time_known && got.time == 2.5 && !got.bodies);
        snapshot_free(&got);
    }
    assert_fails(format_read(make_plain(PLAIN_NO_MASS), NULL, &got), STATUS_USAGE,
                 "masses h5py file['mass']");
    assert_fails(format_read(make_plain(PLAIN_LONGER), NULL, &got), STATUS_USAGE,
                 "mass 699 rows 700");
    assert_fails(format_read(make_plain(PLAIN_FLAT), NULL, &got), STATUS_USAGE, "pos shape (N, 3)");
    assert_fails(format_read(make_plain(PLAIN_GALAXY), NULL, &got), STATUS_USAGE,
                 "galaxy body 1 0.5 whole");
}

/* ---- what is written ---- */

static void make_snapshot(struct snapshot *out, bool ids)
{
    static const char *const names[][2] = {{"halo", "Milky Way"},      {"disk", "Milky Way"},
                                           {"halo", "Andromeda"},      {"bulge", ""},
                                           {"old stars", "Andromeda"}, {"gas", ""}};
    enum { COMPONENTS = sizeof names / sizeof *names };
    *out = (struct snapshot){.time = 0.1, .time_known = true, .units = {3e21, 2e43, 1.1e5}};
    assert_ok(bodies_create(&out->bodies, ALL, COMPONENTS));
    if (ids)
        assert_ok(bodies_add_ids(out->bodies, ALL));
    struct bodies *bodies = out->bodies;
    for (size_t i = 0; i < ALL; i++) {
        bodies->mass[i] = 1.0 / (double)(i + 3);
        for (int c = 0; c < 3; c++) {
            bodies->position[i][c] = sin((double)(3 * i + (size_t)c));
            bodies->velocity[i][c] = cos((double)(5 * i + (size_t)c)) * 1e-7;
        }
        if (ids)
            bodies->id[i] = UINT64_MAX - 7 * i;
    }
    for (size_t c = 0; c < COMPONENTS; c++) {
        const size_t first = c * (ALL / COMPONENTS);
        bodies->components[c] = (struct component){
            .first = first,
            .count = (c + 1 < COMPONENTS ? (c + 1) * (ALL / COMPONENTS) : ALL) - first,
            .draw = c != 0,
            .light = (double)c / 4,
            .softening = 0.01 * (double)c};
        snprintf(bodies->components[c].name, BODIES_NAME_MAX, "%s", names[c][0]);
        snprintf(bodies->components[c].galaxy, BODIES_NAME_MAX, "%s", names[c][1]);
    }
}

static void expect_same(const struct snapshot *a, const struct snapshot *b)
{
    const struct bodies *x = a->bodies, *y = b->bodies;
    assert_int_equal(x->count, y->count);
    assert_memory_equal(x->mass, y->mass, x->count * sizeof *x->mass);
    assert_memory_equal(x->position, y->position, x->count * sizeof *x->position);
    assert_memory_equal(x->velocity, y->velocity, x->count * sizeof *x->velocity);
    assert_int_equal(x->component_count, y->component_count);
    for (size_t c = 0; c < x->component_count; c++) {
        assert_string_equal(x->components[c].name, y->components[c].name);
        assert_string_equal(x->components[c].galaxy, y->components[c].galaxy);
        assert_int_equal(x->components[c].first, y->components[c].first);
        assert_int_equal(x->components[c].count, y->components[c].count);
        assert_true(x->components[c].draw == y->components[c].draw &&
                    x->components[c].light == y->components[c].light &&
                    x->components[c].softening == y->components[c].softening);
    }
    assert_true(a->time == b->time && a->time_known == b->time_known);
    assert_memory_equal(&a->units, &b->units, sizeof a->units);
}

TEST(written_and_read_back)
{
    const struct format *hdf5 = format_of_extension("snapshot.hdf5");
    struct snapshot written, got;
    make_snapshot(&written, true);
    assert_ok(hdf5->write(file_at("out.hdf5"), &written));
    assert_ok(format_read(path, NULL, &got));
    expect_same(&written, &got);
    bodies_file_check_slices(path, NULL);
    assert_memory_equal(written.bodies->id, got.bodies->id, ALL * sizeof(uint64_t));
    char *first, *again;
    size_t first_size, again_size;
    assert_ok(file_read(path, 1 << 20, &first, &first_size));
    assert_ok(hdf5->write(path, &got));
    assert_ok(file_read(path, 1 << 20, &again, &again_size));
    assert_int_equal(first_size, again_size);
    assert_memory_equal(first, again, first_size);
    free(again);
    free(first);
    snapshot_free(&got);
    written.bodies->components[1].first = written.bodies->components[2].first;
    written.bodies->components[0].count += written.bodies->components[1].count;
    written.bodies->components[1].count = 0;
    assert_ok(hdf5->write(path, &written));
    bodies_file_check_slices(path, NULL);
    snapshot_free(&written);

    make_snapshot(&written, false);
    written.units = (struct snapshot_units){0, 0, 0};
    written.time_known = false;
    written.time = 0;
    assert_ok(hdf5->write(path, &written));
    assert_ok(format_read(path, NULL, &got));
    expect_same(&written, &got);
    assert_false(got.units_assumed);
    for (size_t i = 0; i < ALL; i++)
        assert_int_equal(got.bodies->id[i], i + 1);
    snapshot_free(&got);
    assert_fails(hdf5->write("/dev/null", &written), STATUS_USAGE, "pipe device");
    assert_fails(hdf5->write(file_at("out.hdf5.gz"), &written), STATUS_USAGE, "not written packed");
    assert_fails(hdf5->write(file_at("nowhere/out.hdf5"), &written), STATUS_IO, "nowhere");
    snapshot_free(&written);
}

/* ---- real snapshots ---- */

static int by_number(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A kpc over a km/s is 0.97779222 Gyr, in which pynbody finds the time. */
TEST(times_are_in_gyr_too)
{
    struct snapshot written;
    struct hdf5_file *file;
    struct hdf5_attribute time;
    make_snapshot(&written, false);
    written.units = units_gadget;
    written.time = 2;
    assert_ok(format_of_extension("snapshot.hdf5")->write(file_at("gyr.hdf5"), &written));
    assert_ok(hdf5_open(&file, path));
    assert_ok(hdf5_attribute(file, "Header", "Time_GYR", &time));
    assert_true(time.count == 1 && fabs(time.number[0] / (2 * 0.977792221681) - 1) < 1e-9);
    hdf5_close(&file);
    written.units.mass_g = 0; /* then it is the one for which G is 1 */
    assert_ok(format_of_extension("snapshot.hdf5")->write(path, &written));
    assert_ok(hdf5_open(&file, path));
    assert_ok(hdf5_attribute(file, "Units", "UnitMass_in_g", &time));
    assert_true(fabs(time.number[0] * 6.6743e-8 / (1e10 * 3.0856775814913673e21) - 1) < 1e-12);
    hdf5_close(&file);
    snapshot_free(&written);
}

/* Numbers after a dot, but not in the name of a hidden file or a folder. */
TEST(names_of_several_files)
{
    static const struct {
        const char *path, *third, *whole;
    } names[] = {{"a/snap_003.0.hdf5", "a/snap_003.2.hdf5", "a/snap_003.hdf5"},
                 {"snap.17", "snap.2", NULL},
                 {"snap.5.h5", "snap.2.h5", "snap.h5"},
                 {"a/.0.hdf5", NULL, NULL},
                 {"a.1/snap", NULL, NULL},
                 {"snap.hdf5", NULL, NULL},
                 {".4", NULL, NULL}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *third = parts_name(names[i].path, 2), *whole = parts_whole(names[i].path);
        if (names[i].third ? !third || strcmp(third, names[i].third) != 0 : third != NULL)
            fail_msg("the third of '%s' is '%s'", names[i].path, third ? third : "none");
        if (names[i].whole ? !whole || strcmp(whole, names[i].whole) != 0 : whole != NULL)
            fail_msg("'%s' is one of '%s'", names[i].path, whole ? whole : "none");
        free(third);
        free(whole);
    }
}

TEST(snapshots_of_another_code)
{
    static const double times[] = {0, 0.498046875, 0.99609375, 1.50390625};
    for (int i = 0; i < 4; i++) {
        char name[64];
        struct snapshot got, again;
        snprintf(name, sizeof name, "gadget_hdf5/snapshot_%03d.hdf5", i);
        assert_ok(format_read(test_data(name), NULL, &got));
        const struct bodies *bodies = got.bodies;
        assert_int_equal(bodies->count, 60000);
        assert_int_equal(bodies->component_count, 2);
        assert_string_equal(bodies->components[0].name, "halo");
        assert_string_equal(bodies->components[1].name, "disk");
        assert_int_equal(bodies->components[0].count, 40000);
        assert_true(got.time_known && got.time == times[i] && got.single && !got.units_assumed);
        assert_true(got.units.length_cm == 3.085678e21 && got.units.mass_g == 1.989e43 &&
                    got.units.velocity_cms == 1e5);
        assert_true(fabs(bodies->mass[0] / 0.00104634 - 1) < 1e-5);
        assert_true(fabs(bodies->mass[59999] / 0.00023252 - 1) < 1e-5);
        assert_ok(got.format->write(file_at("real.hdf5"), &got));
        assert_ok(format_read(path, NULL, &again));
        expect_same(&got, &again);
        assert_true(again.single);
        assert_memory_equal(got.bodies->id, again.bodies->id, 60000 * sizeof(uint64_t));
        snapshot_free(&again);
        qsort(got.bodies->id, 60000, sizeof(uint64_t), by_number);
        for (size_t b = 0; b < 60000; b++)
            assert_int_equal(got.bodies->id[b], b + 1);
        snapshot_free(&got);
    }
}

/* The first snapshot of the run is its start: a file of another format, matched by id. */
TEST(bodies_of_the_binary)
{
    struct snapshot first, binary;
    assert_ok(format_read(test_data("gadget2/galaxy_littleendian.dat"), NULL, &binary));
    assert_ok(format_read(test_data("gadget_hdf5/snapshot_000.hdf5"), NULL, &first));
    assert_int_equal(first.bodies->count, binary.bodies->count);
    assert_non_null(binary.bodies->id);
    static size_t row[60001];
    for (size_t i = 0; i < binary.bodies->count; i++) {
        assert_in_range(binary.bodies->id[i], 1, 60000);
        row[binary.bodies->id[i]] = i;
    }
    for (size_t i = 0; i < first.bodies->count; i++) {
        const size_t other = row[first.bodies->id[i]];
        assert_memory_equal(first.bodies->position[i], binary.bodies->position[other],
                            sizeof *first.bodies->position);
        assert_memory_equal(first.bodies->velocity[i], binary.bodies->velocity[other],
                            sizeof *first.bodies->velocity);
        assert_true(fabs(first.bodies->mass[i] / binary.bodies->mass[other] - 1) < 1e-5);
    }
    snapshot_free(&first);
    snapshot_free(&binary);
}

/* ---- files out to do harm ---- */

static void refused(const char *part, enum status want)
{
    struct snapshot snapshot;
    assert_fails(format_read(path, NULL, &snapshot), want, part);
    assert_null(snapshot.bodies);
    assert_null(strchr(status_text(), '\n'));
}

/* A header that counts HALO bodies of type 1, whose group is there and empty. */
static struct maker *begin(void)
{
    struct maker *maker = maker_open(file_at("harm.hdf5"));
    put_header(maker, &plain, HALO, 0, 1);
    maker_group(maker, "PartType1");
    return maker;
}

static void put_field(struct maker *maker, const char *name, size_t columns, double value)
{
    const struct maker_layout layout = {.type = MAKER_F64};
    double numbers[3 * HALO] = {0};
    char field[64];
    numbers[1234 % (columns ? 3 * HALO : HALO)] = value;
    snprintf(field, sizeof field, "PartType1/%s", name);
    maker_doubles(maker, field, HALO, columns, numbers, &layout);
}

TEST(refused_fields)
{
    struct maker *maker = begin();
    maker_close(&maker);
    refused("PartType1 Coordinates though header counts 700 bodies", STATUS_USAGE);

    maker = begin();
    put_field(maker, "Coordinates", 3, 0);
    maker_close(&maker);
    refused("PartType1 Velocities", STATUS_USAGE);

    maker = begin();
    put_field(maker, "Coordinates", 3, 0);
    put_field(maker, "Velocities", 3, 0);
    maker_close(&maker);
    refused("PartType1 Masses header MassTable mass", STATUS_USAGE);

    maker = begin();
    put_field(maker, "Coordinates", 3, NAN);
    put_field(maker, "Velocities", 3, 0);
    put_field(maker, "Masses", 0, 0);
    maker_close(&maker);
    refused("number PartType1/Coordinates rows 1 700 finite", STATUS_USAGE);

    maker = begin();
    put_field(maker, "Coordinates", 3, 0);
    put_field(maker, "Velocities", 3, 0);
    put_field(maker, "Masses", 0, -2);
    maker_close(&maker);
    refused("PartType1/Masses -2 none negative", STATUS_USAGE);

    maker = begin();
    put_field(maker, "Coordinates", 0, 0);
    maker_close(&maker);
    refused("PartType1/Coordinates 1 columns 3", STATUS_USAGE);

    maker = begin();
    maker_empty_table(maker, "PartType1/Coordinates", 0, 8, false);
    maker_close(&maker);
    refused("PartType1/Coordinates 0 rows header counts 700 bodies", STATUS_USAGE);
    bodies_file_check_slices(path, NULL);

    maker = maker_open(file_at("harm.hdf5"));
    maker_group(maker, "Header");
    maker_close(&maker);
    refused("snapshot GADGET AREPO SWIFT", STATUS_USAGE);
}

TEST(refused_ways)
{
    char inside[256];
    snprintf(inside, sizeof inside, "%s", make("layout.hdf5", &plain));

    struct maker *maker = begin();
    maker_soft_link(maker, "PartType1/Coordinates", "/Header");
    maker_close(&maker);
    refused("PartType1/Coordinates link", STATUS_USAGE);

    maker = begin();
    maker_external_link(maker, "PartType1/Coordinates", inside, "PartType1/Coordinates");
    maker_close(&maker);
    refused("PartType1/Coordinates link", STATUS_USAGE);

    maker = begin();
    maker_external_table(maker, "PartType1/Coordinates", HALO, "/etc/passwd");
    maker_close(&maker);
    refused("PartType1/Coordinates numbers files", STATUS_USAGE);

    maker = begin();
    maker_virtual_table(maker, "PartType1/Velocities", HALO, inside, "PartType1/Velocities");
    put_field(maker, "Coordinates", 3, 0);
    maker_close(&maker);
    refused("PartType1/Velocities assembled files", STATUS_USAGE);

    maker = begin();
    maker_text_table(maker, "PartType1/Coordinates", HALO);
    maker_close(&maker);
    refused("PartType1/Coordinates plain integers float32 float64", STATUS_USAGE);
}

/* Memory is not allocated in proportion to the promised size: there is room for little more than
 * the program. */
TEST(promises)
{
#ifdef __SANITIZE_ADDRESS__
    outcome_skip(MISSING_ALLOCATOR, "it needs all addresses");
#endif
    struct rlimit before, small;
    static const struct {
        uint64_t rows;
        size_t chunk;
        bool gzip;
        const char *part;
        enum status status;
    } lies[] = {
        {90000000, 0, false, "PartType1/Coordinates", STATUS_USAGE},
        {90000000, 100000, false, "90000000 rows bytes", STATUS_USAGE},
        {90000000, 100000, true, "90000000 rows bytes", STATUS_USAGE},
        {90000000, 1, false, "16 million", STATUS_USAGE},
        {90000000, 20000000, false, "chunks 256 MiB", STATUS_USAGE},
        {200000000, 100000, true, "200000000 bodies", STATUS_USAGE},
    };
    char line[256];
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_true(file && fgets(line, sizeof line, file) && sscanf(line, "%lu", &pages) == 1);
    (void)fclose(file);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const uint64_t here[2] = {0, lies[i].rows};
        struct maker *maker = maker_open(file_at("harm.hdf5"));
        maker_group(maker, "Header");
        maker_wholes(maker, "Header", "NumPart_ThisFile", here, 2, 4);
        maker_group(maker, "PartType1");
        maker_empty_table(maker, "PartType1/Coordinates", lies[i].rows, lies[i].chunk,
                          lies[i].gzip);
        maker_empty_table(maker, "PartType1/Velocities", lies[i].rows, lies[i].chunk, lies[i].gzip);
        maker_close(&maker);
        assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
        small = before;
        small.rlim_cur = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (64 << 20);
        assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
        refused(lies[i].part, lies[i].status);
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    }
}

/* ---- the processes that read ---- */

static bool forked;

static void note_fork(void)
{
    forked = true;
}

/* The children of this process, by their name; -1: there is none. */
static pid_t find_child(const char *name)
{
    glob_t found;
    pid_t child = -1;
    assert_int_equal(glob("/proc/[0-9]*/stat", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char own[64] = "";
        int process = 0, parent = 0;
        FILE *file = fopen(found.gl_pathv[i], "re");
        if (file && fscanf(file, "%d (%63[^)]) %*c %d", &process, own, &parent) == 3 &&
            parent == getpid() && strcmp(own, name) == 0)
            child = process;
        if (file)
            fclose(file);
    }
    globfree(&found);
    return child;
}

/* Other threads may hold locks at any moment, and a copy of this process would keep them. Once its
 * server is killed, the next file gets another. */
TEST(this_process_is_never_copied)
{
    struct snapshot snapshot;
    assert_int_equal(pthread_atfork(note_fork, NULL, NULL), 0);
    for (int i = 0; i < 2; i++) {
        forked = false;
        assert_ok(format_read(make("layout.hdf5", &plain), NULL, &snapshot));
        snapshot_free(&snapshot);
        assert_false(forked);
        const pid_t launcher = find_child("gravreel-hdf5");
        assert_true(launcher > 0);
        assert_int_equal(kill(launcher, SIGKILL), 0);
    }
    assert_ok(format_read(path, NULL, &snapshot));
    snapshot_free(&snapshot);
}

TEST(cut_short)
{
    char *bytes;
    size_t size;
    assert_ok(file_read(make("layout.hdf5", &plain), 1 << 20, &bytes, &size));
    file_at("cut.hdf5");
    for (size_t at = 0; at < size; at += 1000) {
        struct snapshot snapshot;
        assert_ok(file_write(path, bytes, at));
        const enum status status =
            format_read(path, choose(&body_format_registry, "hdf5"), &snapshot);
        assert_int_equal(status, STATUS_USAGE);
        assert_says(status_text(), at < 8 ? "HDF5 packed" : "bytes");
        snapshot_free(&snapshot);
    }
    /* Zeros in place of the rest, so that the length is as promised. */
    for (size_t at = 1000; at < size; at += 5000) {
        struct snapshot snapshot;
        char *hollow = calloc(1, size);
        assert_non_null(hollow);
        memcpy(hollow, bytes, at);
        assert_ok(file_write(path, hollow, size));
        free(hollow);
        const enum status status = format_read(path, NULL, &snapshot);
        assert_true(status == STATUS_OK || status == STATUS_USAGE);
        snapshot_free(&snapshot);
    }
    free(bytes);
}

static int make_folder(void **state)
{
    log_set_level(LOG_ERROR);
    return folder_set_up(state);
}

TESTS(make_folder, folder_tear_down)
