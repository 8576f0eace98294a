/* NEMO's structured files, laid out by hand as filestruct(5NEMO) and snapshot(5NEMO) say. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"

#include <math.h>
#include <string.h>

enum { ROOM = 1 << 14 };

static unsigned char bytes[ROOM];
static size_t size;
static bool big;

static void put(const void *from, size_t count)
{
    assert_true(size + count <= ROOM);
    memcpy(bytes + size, from, count);
    size += count;
}

/* A number of so many bytes in the file's order. */
static void put_bits(uint64_t bits, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[size++] = (unsigned char)(bits >> 8 * (big ? count - 1 - i : i));
}

static void put_real(double value, char type)
{
    const float narrow = (float)value;
    uint32_t half;
    uint64_t whole;
    memcpy(&half, &narrow, sizeof half);
    memcpy(&whole, &value, sizeof whole);
    put_bits(type == 'f' ? half : whole, type == 'f' ? 4 : 8);
}

/* dimensions: ends with 0; NULL: one value, or a set. */
static void put_item(const char *type, const char *tag, const uint32_t *dimensions)
{
    put_bits(dimensions ? 013 << 8 | 0222 : 011 << 8 | 0222, 2);
    put(type, 2);
    if (*type != ')')
        put(tag, strlen(tag) + 1);
    for (bool more = dimensions; more; more = *dimensions++ != 0)
        put_bits(*dimensions, 4);
}

static void put_text(const char *tag, const char *text)
{
    put_item("c", tag, (const uint32_t[]){(uint32_t)strlen(text) + 1, 0});
    put(text, strlen(text) + 1);
}

static void put_parameters(uint32_t bodies, double time)
{
    put_item("(", "Parameters", NULL);
    put_item("i", "Nobj", NULL);
    put_bits(bodies, 4);
    put_item("d", "Time", NULL);
    put_real(time, 'd');
    put_item(")", NULL, NULL);
}

static double value_of(size_t body, int column)
{
    return (double)(float)(0.5 * (double)body - 1.25 * column);
}

/* Position and velocity of each body together or apart. */
static void put_particles(uint32_t bodies, char type, bool together, bool keys)
{
    const char letter[2] = {type, 0};
    const uint32_t one[] = {bodies, 0}, three[] = {bodies, 3, 0}, six[] = {bodies, 2, 3, 0};
    put_item("(", "Particles", NULL);
    put_item("i", "CoordSystem", NULL);
    put_bits(0x10302, 4);
    put_item(letter, "Mass", one);
    for (size_t i = 0; i < bodies; i++)
        put_real(1 + (double)i, type);
    put_item(letter, "Potential", one); /* is not read */
    for (size_t i = 0; i < bodies; i++)
        put_real(NAN, type);
    for (int part = 0; part < (together ? 1 : 2); part++) {
        const int first = together ? 0 : 3 * part, last = together ? 6 : first + 3;
        put_item(letter,
                 together ? "PhaseSpace"
                 : part   ? "Velocity"
                          : "Position",
                 together ? six : three);
        for (size_t i = 0; i < bodies; i++)
            for (int k = first; k < last; k++)
                put_real(value_of(i, k), type);
    }
    if (keys)
        put_item("i", "Key", one);
    for (size_t i = 0; keys && i < bodies; i++)
        put_bits(100 - i, 4);
    put_item(")", NULL, NULL);
}

static void begin(bool big_endian)
{
    size = 0;
    big = big_endian;
    put_text("Headline", "made by hand");
    put_text("History", "mkplummer out 4");
    put_item("(", "SnapShot", NULL); /* of diagnostics alone, as integrators write them */
    put_parameters(4, 0);
    put_item("(", "Diagnostics", NULL);
    put_item("d", "Energy", (const uint32_t[]){3, 0});
    for (int i = 0; i < 3; i++)
        put_real(i, 'd');
    put_item("(", "Inner", NULL);
    put_item(")", NULL, NULL);
    put_item(")", NULL, NULL);
    put_item(")", NULL, NULL);
    put_item("(", "SnapShot", NULL);
}

static void expect(const char *path, uint32_t bodies, double time, bool single, bool keys)
{
    struct snapshot found;
    assert_ok(format_read(path, NULL, &found));
    assert_string_equal(found.format->name, "nemo");
    assert_int_equal(found.bodies->count, bodies);
    assert_true(found.time_known && found.time == time && found.single == single);
    assert_true((found.bodies->id != NULL) == keys);
    for (size_t i = 0; i < bodies; i++) {
        assert_true(found.bodies->mass[i] == 1 + (double)i);
        for (int k = 0; k < 3; k++) {
            assert_true(found.bodies->position[i][k] == value_of(i, k));
            assert_true(found.bodies->velocity[i][k] == value_of(i, k + 3));
        }
        if (keys)
            assert_int_equal(found.bodies->id[i], 100 - i);
    }
    snapshot_free(&found);
}

TEST(both_orders)
{
    for (int way = 0; way < 16; way++) {
        const bool together = way & 2, single = way & 4, keys = way & 8;
        begin(way & 1);
        put_parameters(7, 2.5);
        put_particles(7, single ? 'f' : 'd', together, keys);
        put_item(")", NULL, NULL);
        expect(bodies_file_write("a", bytes, size), 7, 2.5, single, keys);
        put_item("(", "SnapShot", NULL); /* a second time */
        put_parameters(7, 3);
        put_particles(7, 'd', true, false);
        put_item(")", NULL, NULL);
        expect(bodies_file_write("a", bytes, size), 7, 2.5, single, keys);
    }
}

/* Positions in float64 and velocities in float32, or the other way round. */
TEST(arrays_of_either_width)
{
    for (int way = 0; way < 4; way++) {
        struct snapshot found;
        begin(false);
        put_parameters(3, 2.5);
        put_item("(", "Particles", NULL);
        put_item("f", "Mass", (const uint32_t[]){3, 0});
        for (int i = 0; i < 3; i++)
            put_real(1 + i, 'f');
        for (int part = 0; part < 2; part++) {
            const char type[2] = {way >> part & 1 ? 'd' : 'f', 0};
            put_item(type, part ? "Velocity" : "Position", (const uint32_t[]){3, 3, 0});
            for (size_t i = 0; i < 3; i++)
                for (int k = 3 * part; k < 3 * part + 3; k++)
                    put_real(value_of(i, k), *type);
        }
        put_item(")", NULL, NULL);
        put_item(")", NULL, NULL);
        assert_ok(format_read(bodies_file_write("widths", bytes, size), NULL, &found));
        assert_true(found.single == (way == 0));
        for (size_t i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                assert_true(found.bodies->position[i][k] == value_of(i, k) &&
                            found.bodies->velocity[i][k] == value_of(i, k + 3));
        snapshot_free(&found);
    }
}

/* The written layout is that of the manual, byte for byte. */
TEST(as_written)
{
    struct snapshot snapshot = {.time = 0.5, .time_known = true, .single = true};
    size_t found;
    size = 0;
    big = false;
    put_item("(", "SnapShot", NULL);
    put_parameters(3, 0.5);
    put_item("(", "Particles", NULL);
    put_item("i", "CoordSystem", NULL);
    put_bits(0x10302, 4);
    put_item("f", "Mass", (const uint32_t[]){3, 0});
    for (int i = 0; i < 3; i++)
        put_real(2, 'f');
    put_item("f", "PhaseSpace", (const uint32_t[]){3, 2, 3, 0});
    for (size_t i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++)
            put_real(value_of(i, k), 'f');
    put_item("i", "Key", (const uint32_t[]){3, 0});
    for (size_t i = 0; i < 3; i++)
        put_bits(7 * i, 4);
    for (int i = 0; i < 2; i++)
        put_item(")", NULL, NULL);
    assert_ok(bodies_create(&snapshot.bodies, 3, 1));
    assert_ok(bodies_add_ids(snapshot.bodies, 3));
    snapshot_name_all(&snapshot);
    for (size_t i = 0; i < 3; i++) {
        snapshot.bodies->mass[i] = 2;
        snapshot.bodies->id[i] = 7 * i;
        for (int k = 0; k < 3; k++) {
            snapshot.bodies->position[i][k] = value_of(i, k);
            snapshot.bodies->velocity[i][k] = value_of(i, k + 3);
        }
    }
    const struct format *nemo = choice_find(&body_format_registry, "nemo");
    const char *path = folder_path("written");
    assert_ok(nemo->write(path, &snapshot));
    snapshot_free(&snapshot);
    unsigned char *written = bodies_file_read(path, &found);
    assert_int_equal(found, size);
    assert_memory_equal(written, bytes, size);
    free(written);
}

static void refused(const char *part)
{
    bodies_file_check_refusal(NULL, bytes, size, part);
}

TEST(what_is_refused)
{
    begin(false);
    refused("ends set");
    begin(true);
    put_parameters(0, 0);
    refused("0 bodies");
    begin(false);
    put_parameters(5, 0);
    put_particles(4, 'd', true, false);
    refused("Mass 4 rows 5 bodies");
    begin(false);
    put_item("(", "Particles", NULL);
    put_item("d", "Mass", (const uint32_t[]){90000000, 0});
    refused("Mass");
    begin(true);
    put_item("(", "Particles", NULL);
    put_item("d", "Mass", (const uint32_t[]){2000000000, 0});
    refused("100000000");
    begin(false);
    put_item("(", "Particles", NULL);
    put_item("d", "Acceleration", (const uint32_t[]){4000000000, 4000000000, 3, 0});
    refused("Acceleration item");
    begin(false);
    put_item("(", "Particles", NULL);
    put_item("i", "Mass", (const uint32_t[]){2, 0});
    refused("Mass float double");
    begin(false);
    put_item("(", "Particles", NULL);
    put_item("d", "PhaseSpace", (const uint32_t[]){2, 2, 2, 0});
    refused("dimensions PhaseSpace bodies");
    begin(false);
    put_item("(", "Particles", NULL);
    put_item("i", "CoordSystem", NULL);
    put_bits(0x20302, 4);
    refused("Cartesian");
    begin(true);
    put_item("(", "Particles", NULL);
    put_item(")", NULL, NULL);
    refused("snapshot Mass");
    begin(true);
    put_parameters(4, 0);
    put_item(")", NULL, NULL);
    refused("snapshot particles");
    begin(false);
    for (int depth = 0; depth < 100; depth++)
        put_item("(", "Deep", NULL);
    refused("Deep item");
    begin(false);
    put_item("q", "What", NULL);
    refused("What item");
    begin(false);
    put_parameters(2, 0);
    put_particles(2, 'd', true, false);
    put_item(")", NULL, NULL);
    put("xyz", 3);
    refused("item");
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
