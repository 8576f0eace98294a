/* GADGET's snapshots: variants that the writer does not make, invalid headers, and real files. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/formats/bytes.h"
#include "sim/formats/units.h"
#include "sim/models/models.h"

#include <math.h>
#include <string.h>

enum { HEADER = 256, ROOM = 1 << 16 };

struct maker {
    unsigned char data[ROOM];
    size_t size;
    bool swap, labels, doubles, long_ids;
};

static void put_u32(struct maker *to, uint32_t value)
{
    bytes_put_u32(to->data + to->size, value, to->swap);
    to->size += 4;
}

static void put_number(struct maker *to, double value)
{
    if (to->doubles)
        bytes_put_f64(to->data + to->size, value, to->swap);
    else
        bytes_put_f32(to->data + to->size, (float)value, to->swap);
    to->size += to->doubles ? 8 : 4;
}

static void begin(struct maker *to, const char *label, uint32_t length)
{
    if (to->labels) {
        put_u32(to, 8);
        memcpy(to->data + to->size, label, 4);
        to->size += 4;
        put_u32(to, length + 8);
        put_u32(to, 8);
    }
    put_u32(to, length);
}

/* Halo bodies of one mass each and disk bodies with a mass block; body i of the file is at i, -i,
 * i / 2, and has the id first + i. */
static void make(struct maker *to, uint32_t halo, uint32_t disk, uint32_t files, uint32_t first)
{
    const uint32_t count = halo + disk, bytes = to->doubles ? 8 : 4, wide = to->long_ids ? 8 : 4;
    to->size = 0;
    begin(to, "HEAD", HEADER);
    unsigned char *head = to->data + to->size;
    memset(head, 0, HEADER);
    bytes_put_u32(head + 4, halo, to->swap);
    bytes_put_u32(head + 8, disk, to->swap);
    bytes_put_f64(head + 32, 0.5, to->swap);
    bytes_put_f64(head + 72, 1.25, to->swap);
    bytes_put_u32(head + 124, files, to->swap);
    to->size += HEADER;
    put_u32(to, HEADER);
    for (int block = 0; block < 2; block++) {
        begin(to, block == 0 ? "POS " : "VEL ", 3 * count * bytes);
        for (uint32_t i = 0; i < count; i++) {
            const double x = (double)(first + i);
            put_number(to, x);
            put_number(to, -x);
            put_number(to, x / 2);
        }
        put_u32(to, 3 * count * bytes);
    }
    begin(to, "ID  ", count * wide);
    for (uint32_t i = 0; i < count; i++) {
        bytes_put_u64(to->data + to->size, 0, false);
        if (to->long_ids)
            bytes_put_u64(to->data + to->size, (1ull << 40) + first + i, to->swap);
        else
            bytes_put_u32(to->data + to->size, first + i, to->swap);
        to->size += wide;
    }
    put_u32(to, count * wide);
    begin(to, "MASS", disk * bytes);
    for (uint32_t i = 0; i < disk; i++)
        put_number(to, 1 + first + i);
    put_u32(to, disk * bytes);
}

TEST(every_variant)
{
    static struct maker maker;
    struct snapshot found;
    for (int variant = 0; variant < 16; variant++) {
        maker.swap = variant & 1;
        maker.labels = variant & 2;
        maker.doubles = variant & 4;
        maker.long_ids = variant & 8;
        make(&maker, 20, 10, 1, 1);
        assert_ok(format_read(bodies_file_write("g", maker.data, maker.size), NULL, &found));
        assert_string_equal(found.format->name, maker.labels ? "gadget2" : "gadget1");
        assert_true(found.single == !maker.doubles && found.units_assumed);
        assert_true(found.time_known && found.time == 1.25);
        snapshot_sort(&found);
        const struct bodies *bodies = found.bodies;
        assert_int_equal(bodies->count, 30);
        assert_int_equal(bodies->component_count, 2);
        assert_string_equal(bodies->components[0].name, "halo");
        assert_string_equal(bodies->components[1].name, "disk");
        assert_false(bodies->components[0].draw);
        assert_true(bodies->mass[0] == 0.5 && bodies->mass[19] == 0.5 && bodies->mass[20] == 2);
        assert_true(bodies->position[29][0] == 30 && bodies->velocity[29][2] == 15);
        assert_int_equal(bodies->id[4], (maker.long_ids ? 1ull << 40 : 0) + 5);
        snapshot_free(&found);
    }
}

TEST(what_is_not_read_is_named)
{
    static struct maker maker;
    static const char *const names[] = {"2 blocks behind the masses", "U, RHO"};
    struct snapshot found;
    for (int labels = 0; labels < 2; labels++) {
        maker = (struct maker){.labels = labels};
        make(&maker, 20, 10, 1, 1);
        assert_ok(format_read(bodies_file_write("g", maker.data, maker.size), NULL, &found));
        assert_null(found.unread);
        snapshot_free(&found);
        for (int block = 0; block < 2; block++) {
            begin(&maker, block ? "RHO " : "U   ", 40);
            for (int i = 0; i < 10; i++)
                put_number(&maker, 1);
            put_u32(&maker, 40);
        }
        assert_ok(format_read(bodies_file_write("g", maker.data, maker.size), NULL, &found));
        assert_string_equal(found.unread, names[labels]);
        snapshot_free(&found);
    }
}

/* Of bodies whose places fit float32, and whose masses do not. */
TEST(masses_keep_their_digits)
{
    struct snapshot made, found;
    const struct format *gadget = choose(&body_format_registry, "gadget2");
    bodies_file_make(&made, 30);
    made.single = true;
    for (size_t i = 0; i < 30; i++)
        made.bodies->mass[i] = 1 + (double)i / 3;
    const char *path = bodies_file_write("m.g2", "", 0);
    assert_ok(gadget->write(path, &made));
    assert_ok(format_read(path, NULL, &found));
    assert_false(found.single);
    snapshot_sort(&found);
    double sum = 0;
    for (size_t i = 0; i < 30; i++)
        sum += made.bodies->mass[i] - found.bodies->mass[i];
    assert_true(fabs(sum) < 1e-13);
    snapshot_free(&found);
    snapshot_free(&made);
}

TEST(several_files)
{
    static struct maker maker;
    struct snapshot found;
    maker = (struct maker){.size = 0};
    make(&maker, 3, 2, 3, 100);
    bodies_file_write("s.0", maker.data, maker.size);
    make(&maker, 4, 0, 3, 200);
    bodies_file_write("s.1", maker.data, maker.size - 8); /* without a block of masses */
    make(&maker, 0, 5, 3, 300);
    bodies_file_write("s.2", maker.data, maker.size);
    for (int given = 0; given < 3; given++) { /* any of them */
        char name[16];
        snprintf(name, sizeof name, "s.%d", given);
        assert_ok(format_read(folder_path(name), NULL, &found));
        const struct bodies *bodies = found.bodies;
        static const uint64_t ids[] = {100, 101, 102, 200, 201, 202, 203,
                                       103, 104, 300, 301, 302, 303, 304};
        assert_int_equal(bodies->count, 14);
        assert_int_equal(bodies->components[1].count, 7);
        for (size_t i = 0; i < 14; i++) {
            assert_int_equal(bodies->id[i], ids[i]);
            assert_true(bodies->position[i][1] == -(double)ids[i]);
        }
        snapshot_free(&found);
        bodies_file_check_slices(folder_path(name), NULL);
    }
    make(&maker, 3, 2, 4, 100);
    bodies_file_write("s.1", maker.data, maker.size);
    assert_fails(format_read(folder_path("s.0"), NULL, &found), STATUS_USAGE,
                 "different snapshots");
    bodies_file_check_slices(folder_path("s.0"), NULL);
    unlink(folder_path("s.1"));
    assert_fails(format_read(folder_path("s.0"), NULL, &found), STATUS_IO, "s.1");
    make(&maker, 3, 2, 3, 100);
    bodies_file_check_refusal(NULL, maker.data, maker.size, ".0");
}

TEST(headers_that_lie)
{
    static struct maker maker;
    maker = (struct maker){.size = 0};
    make(&maker, 20, 10, 1, 1);
    bytes_put_u32(maker.data + 4 + 4, 90000000, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "particles");
    bytes_put_u32(maker.data + 4 + 4, UINT32_MAX, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "100000000");
    make(&maker, 20, 10, 1, 1);
    bytes_put_u32(maker.data + 4 + 124, 100000, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "100000 files");
    make(&maker, 20, 10, 1, 1);
    bytes_put_u32(maker.data + 4 + 4, 21, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "block positions particles");
    bodies_file_check_slices(folder_path("refused"), NULL);
    make(&maker, 20, 10, 1, 1);
    bytes_put_f64(maker.data + 4 + 32, -1, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "mass -1");
    make(&maker, 20, 10, 1, 1);
    bytes_put_f32(maker.data + 4 + HEADER + 4 + 4 + 40, NAN, false);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "body 4 mass position");
    make(&maker, 20, 10, 1, 1);
    bytes_put_u32(maker.data + 4 + HEADER + 4 + 4 + 360, 100, false); /* behind the positions */
    bodies_file_check_refusal(NULL, maker.data, maker.size, "block positions");
    make(&maker, 0, 0, 1, 1);
    bodies_file_check_refusal(NULL, maker.data, maker.size, "holds no bodies");
}

static uint32_t word_at(const unsigned char *file, size_t at)
{
    return bytes_u32(file + at, false);
}

/* As in the user guide: before each block a label and the distance to the next; the counts of this
 * file and of all; a common mass of a type in the header, other masses in a block; ids of 8 bytes
 * if needed. */
TEST(written_as_the_guide_says)
{
    enum { ALIKE = 4, COUNT = 7 };
    struct snapshot snapshot = {.time = 0.5, .time_known = true, .single = true};
    size_t size, at = 0;
    assert_ok(bodies_create(&snapshot.bodies, COUNT, 2));
    assert_ok(bodies_add_ids(snapshot.bodies, COUNT));
    for (size_t i = 0; i < COUNT; i++) {
        snapshot.bodies->mass[i] = i < ALIKE ? 0.25 : (double)i;
        snapshot.bodies->id[i] = i == 2 ? UINT64_C(1) << 40 : i;
    }
    snapshot.bodies->components[0] = (struct component){.name = "halo", .count = ALIKE};
    snapshot.bodies->components[1] =
        (struct component){.name = "disk", .first = ALIKE, .count = COUNT - ALIKE};
    const char *path = folder_path("guide");
    assert_ok(
        ((const struct format *)choose(&body_format_registry, "gadget2"))->write(path, &snapshot));
    unsigned char *file = bodies_file_read(path, &size), *const head = file + 20;
    static const struct {
        const char *label;
        uint32_t bytes;
    } blocks[] = {{"HEAD", HEADER},
                  {"POS ", COUNT * 12},
                  {"VEL ", COUNT * 12},
                  {"ID  ", COUNT * 8},
                  {"MASS", (COUNT - ALIKE) * 4}};
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++) {
        const uint32_t bytes = blocks[b].bytes;
        assert_memory_equal(file + at + 4, blocks[b].label, 4);
        assert_true(word_at(file, at) == 8 && word_at(file, at + 8) == bytes + 8 &&
                    word_at(file, at + 12) == 8 && word_at(file, at + 16) == bytes &&
                    word_at(file, at + 20 + bytes) == bytes);
        at += 24 + bytes;
    }
    assert_int_equal(at, size);
    for (size_t t = 0; t < 6; t++) {
        const uint32_t count = t == 1 ? ALIKE : t == 2 ? COUNT - ALIKE : 0;
        assert_true(word_at(head, 4 * t) == count && word_at(head, 96 + 4 * t) == count);
        assert_true(bytes_f64(head + 24 + 8 * t, false) == (t == 1 ? 0.25 : 0));
    }
    assert_true(bytes_f64(head + 72, false) == 0.5 && word_at(head, 124) == 1);
    free(file);
    snapshot_free(&snapshot);
}

/* Bodies of a scene that states no units are in kpc and km/s, with masses for which G = 1. */
TEST(units_of_a_scene)
{
    static struct maker maker;
    struct bodies *bodies;
    maker = (struct maker){.size = 0};
    make(&maker, 20, 10, 1, 1);
    struct bodies_params params = {.model = choose(&model_registry, "file"),
                                   .file = (char *)bodies_file_write("u", maker.data, maker.size),
                                   .use = "",
                                   .position_scale = 1,
                                   .velocity_scale = 1,
                                   .mass_scale = 1};
    assert_ok(bodies_make(&params, &bodies));
    assert_true(fabs(bodies->mass[0] / (0.5 * 43009.17) - 1) < 1e-6);
    assert_true(bodies->position[2][0] == 3 && bodies->velocity[2][1] == -3);
    bodies_destroy(&bodies);
    params.units = (struct units_params){.length_kpc = 10, .velocity_kms = 200};
    assert_ok(bodies_make(&params, &bodies));
    assert_true(fabs(bodies->position[2][0] / 0.3 - 1) < 1e-12);
    assert_true(fabs(bodies->velocity[2][0] / 0.015 - 1) < 1e-12);
    assert_true(fabs(bodies->mass[0] / (0.5 * 43009.17 / (200. * 200 * 10)) - 1) < 1e-6);
    bodies_destroy(&bodies);
    params.file_units = choose(&unit_system_registry, "none");
    assert_ok(bodies_make(&params, &bodies));
    assert_true(bodies->mass[0] == 0.5 && bodies->position[2][0] == 3);
    bodies_destroy(&bodies);
}

/* A kpc per Myr, of Julian years, is 977.79222 km/s; G is 4.30091727e-6 kpc (km/s)^2 per Msun. */
TEST(units_follow_from_each_other)
{
    struct snapshot_units units =
        units_of_scene(&(struct units_params){.length_kpc = 1, .time_myr = 1});
    assert_true(fabs(units.velocity_cms / 97779222.1681 - 1) < 1e-9);
    units = units_of_scene(&(struct units_params){.length_kpc = 2, .mass_msun = 1e10});
    assert_true(fabs(units.velocity_cms / 1e5 / sqrt(4.30091727e-6 * 1e10 / 2) - 1) < 1e-6);
    assert_true(fabs(units.mass_g / 1.98841e43 - 1) < 1e-5);
    const struct units_params scene =
        units_for_scene(&(struct units_params){.length_kpc = 1, .velocity_kms = 977.792221681},
                        &(struct snapshot_units){1, 0, 1});
    assert_true(fabs(scene.time_myr - 1) < 1e-9);
    const struct unit_factors factors =
        units_factors(/* a mass for which G is 1 in either */
                      &(struct units_params){.length_kpc = 1, .velocity_kms = 1},
                      &(struct snapshot_units){2 * 3.0856775814913673e21, 0, 3e5});
    assert_true(fabs(factors.position - 2) < 1e-12 && fabs(factors.velocity - 3) < 1e-12 &&
                fabs(factors.mass - 18) < 1e-11);
    const struct unit_factors close =
        units_factors(/* round-off alone is none */
                      &(struct units_params){.length_kpc = 1, .velocity_kms = 1},
                      &(struct snapshot_units){3.0856775814913673e21 * 1.0001, 0,
                                               1e5 * (1 + 1e-14)});
    assert_true(fabs(close.position - 1.0001) < 1e-12 && close.velocity == 1);
    assert_true(fabs(scene.mass_msun * 4.30091727e-6 / (977.792221681 * 977.792221681) - 1) < 1e-6);
}

/* Any two of the four determine the others, and stated units stay. */
TEST(two_units_give_the_rest)
{
    static const double whole[4] = {3.2, 13.0372, 240, 4.2856e10}; /* kpc, Myr, km/s, Msun */
    for (int a = 0; a < 4; a++)
        for (int b = a; b < 4; b++) {
            double given[4] = {0};
            given[a] = whole[a];
            given[b] = whole[b];
            const struct units_params all =
                units_complete(&(struct units_params){given[0], given[1], given[2], given[3]});
            const double found[4] = {all.length_kpc, all.time_myr, all.velocity_kms, all.mass_msun};
            for (int i = 0; i < 4; i++)
                if (a == b)
                    assert_true(found[i] == given[i]);
                else
                    assert_true(fabs(found[i] / whole[i] - 1) < 1e-4);
            assert_true(found[a] == whole[a] && found[b] == whole[b]);
        }
    const struct units_params said =
        units_complete(&(struct units_params){.length_kpc = 1, .velocity_kms = 1, .time_myr = 5});
    assert_true(said.time_myr == 5);
}

TEST(real_files_of_both_orders)
{
    struct snapshot little, big;
    assert_ok(format_read(test_data("gadget2/galaxy_littleendian.dat"), NULL, &little));
    assert_ok(format_read(test_data("gadget2/galaxy_bigendian.dat"), NULL, &big));
    const struct bodies *a = little.bodies, *b = big.bodies;
    assert_int_equal(a->count, 60000);
    assert_int_equal(a->components[1].count, 40000);
    assert_int_equal(a->components[2].count, 20000);
    assert_true(a->mass[0] == 0.0010463387006893754 && a->mass[59999] == 0.00023251971288118511);
    assert_memory_equal(a->mass, b->mass, a->count * sizeof *a->mass);
    assert_memory_equal(a->position, b->position, a->count * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, a->count * sizeof *a->velocity);
    assert_memory_equal(a->id, b->id, a->count * sizeof *a->id);
    for (size_t i = 0; i < a->count; i++)
        assert_int_equal(a->id[i], i + 1);
    double apart[3] = {0}; /* of the disks, ids 40001 to 50000 and the others */
    for (size_t i = 40000; i < 60000; i++)
        for (int k = 0; k < 3; k++)
            apart[k] += (i < 50000 ? -1 : 1) * a->position[i][k] / 10000;
    const double distance = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    if (!(fabs(distance - 200) < 0.1))
        fail_msg("the disks are %.9g apart", distance);
    snapshot_free(&little);
    snapshot_free(&big);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
