/* NumPy's archives as written by other programs, and invalid ones. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/formats/npy.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

enum { ROOM = 1 << 20, ROWS = 6000 };

/* How a member is stored in the file. */
struct packing {
    bool deflated, size_follows, wide; /* wide: sizes in a field of 64 bits */
};

/* A zip file being made. */
struct archive {
    unsigned char *bytes;
    size_t size, members;
};

static void put(struct archive *archive, const void *bytes, size_t size)
{
    assert_true(archive->size + size <= ROOM);
    memcpy(archive->bytes + archive->size, bytes, size);
    archive->size += size;
}

static void put_number(struct archive *archive, uint64_t value, size_t bytes)
{
    put(archive, &value, bytes);
}

static size_t deflated(const void *data, size_t size, unsigned char *out)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)data, .avail_in = (unsigned)size};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, 0), Z_OK);
    stream.next_out = out;
    stream.avail_out = ROOM;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return stream.total_out;
}

static void put_member(struct archive *archive, const char *name, const void *data, size_t size,
                       const struct packing *how)
{
    unsigned char *packed = malloc(ROOM);
    assert_non_null(packed);
    const size_t length = how->deflated ? deflated(data, size, packed) : size;
    const unsigned long sum = crc32(0, data, (unsigned)size);
    const bool late = how->size_follows;
    put(archive, "PK\3\4\55\0", 6);
    put_number(archive, late ? 8 : 0, 2);
    put_number(archive, how->deflated ? 8 : 0, 2);
    put_number(archive, 0x210000, 4);
    put_number(archive, late ? 0 : sum, 4);
    put_number(archive, late ? 0 : how->wide ? UINT32_MAX : length, 4);
    put_number(archive, late ? 0 : how->wide ? UINT32_MAX : size, 4);
    put_number(archive, strlen(name), 2);
    put_number(archive, how->wide ? 28 : 0, 2);
    put(archive, name, strlen(name));
    if (how->wide) {
        put(archive, "ab\4\0....\1\0\20\0", 12); /* a field of others before */
        put_number(archive, size, 8);
        put_number(archive, length, 8);
    }
    put(archive, how->deflated ? packed : data, length);
    if (late) {
        put(archive, "PK\7\10", 4);
        put_number(archive, sum, 4);
        put_number(archive, length, how->wide ? 8 : 4);
        put_number(archive, size, how->wide ? 8 : 4);
    }
    archive->members++;
    free(packed);
}

/* The list of members; readers of streams only need it to exist. */
static void put_end(struct archive *archive)
{
    for (size_t i = 0; i < archive->members; i++) {
        unsigned char head[46] = "PK\1\2";
        put(archive, head, sizeof head);
    }
    unsigned char end[22] = "PK\5\6";
    end[20] = 3;
    put(archive, end, sizeof end);
    put(archive, "end", 3);
}

static void put_array(struct archive *archive, const char *name, const char *type,
                      const char *shape, bool by_columns, const void *numbers, size_t size,
                      const struct packing *how)
{
    unsigned char *file = malloc(ROOM);
    char text[160];
    assert_non_null(file);
    const int length =
        snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", type,
                 by_columns ? "True" : "False", shape);
    memcpy(file, "\x93NUMPY\1\0", 8);
    file[8] = (unsigned char)length;
    file[9] = 0;
    memcpy(file + 10, text, (size_t)length);
    memcpy(file + 10 + length, numbers, size);
    put_member(archive, name, file, 10 + (size_t)length + size, how);
    free(file);
}

static struct archive begin(void)
{
    struct archive archive = {.bytes = malloc(ROOM)};
    assert_non_null(archive.bytes);
    return archive;
}

static const char *end(struct archive *archive, const char *name)
{
    put_end(archive);
    const char *path = bodies_file_write(name, archive->bytes, archive->size);
    free(archive->bytes);
    return path;
}

static float positions[ROWS][3];
static double velocities[ROWS][3], masses[ROWS];
static int64_t ids[ROWS];

static void fill(void)
{
    for (int i = 0; i < ROWS; i++) {
        masses[i] = 1.0 / (1 + i);
        ids[i] = ROWS - i;
        for (int k = 0; k < 3; k++) {
            positions[i][k] = (float)(i * 0.25 + k);
            velocities[i][k] = (i + k) / 7.0;
        }
    }
}

static void expect_all(const char *path)
{
    struct snapshot found;
    assert_ok(format_read(path, NULL, &found));
    assert_string_equal(found.format->name, "npz");
    assert_int_equal(found.bodies->count, ROWS);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(found.bodies->mass[i] == masses[i]);
        for (int k = 0; k < 3; k++) {
            assert_true(found.bodies->position[i][k] == (double)positions[i][k]);
            assert_true(found.bodies->velocity[i][k] == velocities[i][k]);
        }
        assert_int_equal(found.bodies->id[i], ids[i]);
    }
    assert_false(found.single);
    snapshot_free(&found);
}

/* Stored and packed, with sizes before and behind, in 32 bits and 64, in any order. */
TEST(every_packing)
{
    static const struct packing ways[] = {{false, false, false}, {false, false, true},
                                          {true, false, false},  {true, false, true},
                                          {true, true, false},   {true, true, true}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct archive archive = begin();
        put_array(&archive, "IDs.npy", "<i8", "(6000,)", false, ids, sizeof ids, &ways[i]);
        put_array(&archive, "velocities.npy", "<f8", "(6000, 3)", false, velocities,
                  sizeof velocities, &ways[i]);
        put_array(&archive, "unheard.npy", "<U3", "(1, 2, 3)", false, "....", 4, &ways[i]);
        put_array(&archive, "m.npy", "<f8", "(6000,)", false, masses, sizeof masses, &ways[i]);
        put_array(&archive, "pos.npy", "<f4", "(6000,3)", false, positions, sizeof positions,
                  &ways[i]);
        expect_all(end(&archive, "a.npz"));
    }
}

/* For a change of any byte of packed data. */
TEST(damaged_anywhere)
{
    static const struct packing ways[] = {{true, false, true}, {true, true, false}};
    const struct format *npz = choice_find(&body_format_registry, "npz");
    for (size_t i = 0; i < 2; i++) {
        size_t size;
        struct snapshot found;
        struct archive archive = begin();
        put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &ways[i]);
        put_array(&archive, "pos.npy", "<f4", "(6000,3)", false, positions, sizeof positions,
                  &ways[i]);
        put_array(&archive, "vel.npy", "<f8", "(6000,3)", false, velocities, sizeof velocities,
                  &ways[i]);
        unsigned char *bytes = bodies_file_read(end(&archive, "whole.npz"), &size);
        for (size_t at = 0; at < size; at += at < 80 ? 1 : 997) {
            bytes[at] ^= 0x21;
            const char *path = bodies_file_write("damaged.npz", bytes, size);
            bodies_file_limit_memory(16 << 20);
            const enum status status = format_read(path, npz, &found);
            bodies_file_lift_limit();
            snapshot_free(&found);
            if (status != STATUS_USAGE && status != STATUS_OK)
                fail_msg("byte %zu of %zu: status %d, %s", at, size, (int)status, status_text());
            if (status == STATUS_OK && at >= 1000 && at + 400 < size)
                fail_msg("byte %zu of %zu is not missed", at, size);
            bytes[at] ^= 0x21;
        }
        bodies_file_check_cuts(npz, bytes, size, 1000, false);
        free(bytes);
    }
}

/* Three arrays a vector, column by column, the other order of bytes. */
TEST(other_arrays)
{
    static const struct packing packed = {.deflated = true};
    static float columns[3][ROWS];
    static uint64_t swapped[3][ROWS];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++) {
            columns[k][i] = positions[i][k];
            memcpy(&swapped[k][i], &velocities[i][k], 8);
            swapped[k][i] = __builtin_bswap64(swapped[k][i]);
        }
    struct archive archive = begin();
    put_array(&archive, "xyz.npy", "<f4", "(6000, 3)", true, columns, sizeof columns, &packed);
    put_array(&archive, "vx.npy", ">f8", "(6000,)", false, swapped[0], sizeof swapped[0], &packed);
    put_array(&archive, "vz.npy", ">f8", "(6000,)", false, swapped[2], sizeof swapped[2], &packed);
    put_array(&archive, "vy.npy", ">f8", "(6000,)", true, swapped[1], sizeof swapped[1], &packed);
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &packed);
    put_array(&archive, "iord.npy", "<i8", "(6000,)", false, ids, sizeof ids, &packed);
    expect_all(end(&archive, "a.npz"));
}

static void refused(struct archive *archive, const char *part);

/* Additional columns, some of which precede any array that tells the number of bodies. */
TEST(further_arrays)
{
    static const struct packing ways[] = {{.deflated = false}, {.deflated = true}};
    static float rho[ROWS];
    static double five[5], kinds[ROWS];
    for (int i = 0; i < ROWS; i++) {
        rho[i] = i % 3 ? (float)i / 7 : NAN;
        kinds[i] = i;
    }
    for (size_t i = 0; i < 2; i++) {
        struct archive archive = begin();
        struct snapshot found;
        put_array(&archive, "rho.npy", "<f4", "(6000,)", false, rho, sizeof rho, &ways[i]);
        put_array(&archive, "five.npy", "<f8", "(5,)", false, five, sizeof five, &ways[i]);
        put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &ways[i]);
        put_array(&archive, "pos.npy", "<f4", "(6000,3)", false, positions, sizeof positions,
                  &ways[i]);
        put_array(&archive, "metals.npy", "<f4", "(6000,3)", false, positions, sizeof positions,
                  &ways[i]);
        put_array(&archive, "one.npy", "<f8", "()", false, five, sizeof *five, &ways[i]);
        put_array(&archive, "kind.npy", "<f8", "(6000,)", false, kinds, sizeof kinds, &ways[i]);
        put_array(&archive, "more.npy", "<f8", "(99999999,)", false, five, sizeof five, &ways[i]);
        put_array(&archive, "vel.npy", "<f8", "(6000,3)", false, velocities, sizeof velocities,
                  &ways[i]);
        put_array(&archive, "IDs.npy", "<i8", "(6000,)", false, ids, sizeof ids, &ways[i]);
        const char *path = end(&archive, "f.npz");
        assert_ok(format_read(path, NULL, &found));
        const struct body_columns *columns = &found.bodies->columns;
        assert_int_equal(columns->count, 2);
        assert_true(columns->list[0].single && !columns->list[1].single);
        for (int k = 0; k < ROWS; k++) {
            const double value = columns->list[0].value[k];
            assert_true(k % 3 ? value == (double)rho[k] : isnan(value));
            assert_true(columns->list[1].value[k] == kinds[k]);
        }
        assert_string_equal(columns->list[0].name, "rho");
        assert_string_equal(columns->list[1].name, "kind");
        assert_string_equal(found.unread, "metals, one, more, five");
        snapshot_free(&found);
        expect_all(path);
    }
    /* first, one that promises more than the file contains */
    struct archive archive = begin();
    put_array(&archive, "rho.npy", "<f4", "(99999999,)", false, rho, sizeof rho, &ways[1]);
    refused(&archive, "shorter header");
}

/* Ids of every type: all that are whole and exact, or none, which is said. */
TEST(ids_of_any_type)
{
    static const struct packing plain = {.deflated = false};
    static double doubles[ROWS];
    static float floats[ROWS];
    static int32_t narrow[ROWS];
    static int64_t wide[ROWS];
    for (int i = 0; i < ROWS; i++) {
        doubles[i] = floats[i] = (float)(i + 1);
        wide[i] = narrow[i] = i + 1;
    }
    static const struct {
        const char *type;
        const void *numbers;
        size_t size;
        double *at;
        double odd;     /* in place of doubles[*at] */
        int64_t eighth; /* in place of wide[7] */
        bool kept, rounded;
    } cases[] = {
        {"<f8", doubles, sizeof doubles, NULL, 0, 8, true, false},
        {"<f4", floats, sizeof floats, NULL, 0, 8, true, false},
        {"<i4", narrow, sizeof narrow, NULL, 0, 8, true, false},
        {"<i8", wide, sizeof wide, NULL, 0, INT64_MAX, true, true},
        {"<u8", wide, sizeof wide, NULL, 0, -1, true, false},
        {"<i8", wide, sizeof wide, NULL, 0, -1, false, false},
        {"<f8", doubles, sizeof doubles, &doubles[ROWS / 2], 1.5, 8, false, false},
        {"<f8", doubles, sizeof doubles, &doubles[0], -1, 8, false, false},
        {"<f8", doubles, sizeof doubles, &doubles[ROWS - 1], 0x1p53, 8, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct snapshot found;
        struct archive archive = begin();
        const double before = cases[i].at ? *cases[i].at : 0;
        if (cases[i].at)
            *cases[i].at = cases[i].odd;
        wide[7] = cases[i].eighth;
        put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
        put_array(&archive, "pos.npy", "<f4", "(6000,3)", false, positions, sizeof positions,
                  &plain);
        put_array(&archive, "vel.npy", "<f8", "(6000,3)", false, velocities, sizeof velocities,
                  &plain);
        put_array(&archive, i % 2 ? "source_id.npy" : "ParticleIDs.npy", cases[i].type, "(6000,)",
                  false, cases[i].numbers, cases[i].size, &plain);
        put_array(&archive, "tag.npy", "<i8", "(6000,)", false, wide, sizeof wide, &plain);
        assert_ok(format_read(end(&archive, "i.npz"), NULL, &found));
        for (int k = 0; cases[i].kept && k < ROWS; k++)
            assert_true(found.bodies->id[k] ==
                        (uint64_t)(k == 7 ? cases[i].eighth : (int64_t)(k + 1)));
        assert_true(cases[i].kept == (found.bodies->id != NULL) &&
                    cases[i].kept == (found.unread == NULL));
        assert_true(cases[i].rounded == (found.rounded != NULL));
        if (cases[i].at)
            *cases[i].at = before;
        snapshot_free(&found);
    }
}

/* Coordinates in an array each, with the names used by other programs. */
TEST(other_names)
{
    static const char *const names[][8] = {
        {"pos_x", "pos_y", "pos_z", "v_x", "v_y", "v_z", "m", "pid"},
        {"x", "y", "z", "vel_x", "vel_y", "vel_z", "masses", "ParticleIDs"}};
    static const struct packing stored = {0};
    static float place[3][ROWS];
    static double speed[3][ROWS];
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < 3; k++) {
            place[k][i] = positions[i][k];
            speed[k][i] = velocities[i][k];
        }
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct archive archive = begin();
        for (int k = 0; k < 8; k++) {
            char name[32];
            snprintf(name, sizeof name, "%s.npy", names[n][k]);
            if (k < 3)
                put_array(&archive, name, "<f4", "(6000,)", false, place[k], sizeof place[k],
                          &stored);
            else if (k < 6)
                put_array(&archive, name, "<f8", "(6000,)", false, speed[k - 3], sizeof *speed,
                          &stored);
            else if (k == 6)
                put_array(&archive, name, "<f8", "(6000,)", false, masses, sizeof masses, &stored);
            else
                put_array(&archive, name, "<i8", "(6000,)", false, ids, sizeof ids, &stored);
        }
        expect_all(end(&archive, "a.npz"));
    }
}

static uint64_t word_at(const unsigned char *at, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, at, bytes);
    return value;
}

/* What readers that start at the end see: the list of members at the stated place, each member
 * where the list says, and arrays of the types that numpy.load gives. */
TEST(written_for_others)
{
    static const struct {
        const char *name, *type;
    } members[] = {{"mass.npy", "'<f4'"}, {"pos.npy", "'<f4'"},    {"vel.npy", "'<f4'"},
                   {"id.npy", "'<u8'"},   {"galaxy.npy", "'<i4'"}, {"time.npy", "'<f8'"}};
    enum { MEMBERS = sizeof members / sizeof *members };
    struct snapshot snapshot;
    size_t size;
    bodies_file_make(&snapshot, 100);
    const char *path = folder_path("others.npz");
    assert_ok(format_of_extension(path)->write(path, &snapshot));
    unsigned char *file = bodies_file_read(path, &size);
    const unsigned char *end = file + size - 22, *locator = end - 20,
                        *end_64 = file + word_at(locator + 8, 8);
    assert_memory_equal(end, "PK\5\6", 4);
    assert_memory_equal(locator, "PK\6\7", 4);
    assert_memory_equal(end_64, "PK\6\6", 4);
    assert_ptr_equal(end_64 + 12 + word_at(end_64 + 4, 8), locator);
    assert_true(word_at(end_64 + 24, 8) == MEMBERS && word_at(end_64 + 32, 8) == MEMBERS);
    const unsigned char *at = file + word_at(end_64 + 48, 8);
    assert_ptr_equal(at + word_at(end_64 + 40, 8), end_64);
    for (size_t i = 0; i < MEMBERS; i++) {
        const size_t name = word_at(at + 28, 2), extra = word_at(at + 30, 2);
        assert_memory_equal(at, "PK\1\2", 4);
        assert_int_equal(name, strlen(members[i].name));
        assert_memory_equal(at + 46, members[i].name, name);
        const unsigned char *sizes = at + 46 + name + 4, *member = file + word_at(sizes + 16, 8);
        assert_memory_equal(member, "PK\3\4", 4);
        assert_memory_equal(member + 30, members[i].name, name);
        const unsigned char *array = member + 30 + name + word_at(member + 28, 2);
        assert_int_equal(crc32(0, array, (unsigned)word_at(sizes, 8)), word_at(at + 16, 4));
        assert_memory_equal(array, "\x93NUMPY", 6);
        char header[128] = "";
        memcpy(header, array + 10, 100);
        assert_contains(header, members[i].type);
        at += 46 + name + extra;
    }
    assert_ptr_equal(at, end_64);
    free(file);
    snapshot_free(&snapshot);
}

static void refused(struct archive *archive, const char *part)
{
    size_t size;
    const char *path = end(archive, "harm.npz");
    unsigned char *bytes = bodies_file_read(path, &size);
    bodies_file_check_refusal(NULL, bytes, size, part);
    free(bytes);
}

TEST(what_is_refused)
{
    static const struct packing plain = {.deflated = false}, packed = {.deflated = true};
    static const struct {
        const char *name, *type, *shape, *part;
    } cases[] = {
        {"mass.npy", "<c8", "(6000,)", "array c8"},
        {"mass.npy", "<f8", "(6000, 2)", "shape N"},
        {"pos.npy", "<f8", "(6000,)", "shape N 3"},
        {"mass.npy", "<f8", "(99999999,)", "shorter header"},
        {"mass.npy", "<f8", "(999999999999,)", "100000000"},
        {"mass.npy", "<f8", "(6000,)", "arrays positions"},
        {"galaxy.npy", "<f8", "(6000,)", "whole number"},
        {"time.npy", "<f8", "(6000,)", "one number"},
        {"a.npy", "<f8", "(6000,)", "array masses"},
        {"mass.npy", "<f8", "(-1,)", "numbers ordered"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct archive archive = begin();
        put_array(&archive, cases[i].name, cases[i].type, cases[i].shape, false, masses,
                  sizeof masses, i % 2 ? &packed : &plain);
        refused(&archive, cases[i].part);
    }
    struct archive archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
    put_array(&archive, "vel.npy", "<f8", "(5999, 3)", false, velocities, sizeof velocities - 24,
              &plain);
    refused(&archive, "5999 rows array 6000");
    archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &packed);
    put_array(&archive, "m.npy", "<f8", "(6000,)", false, masses, sizeof masses, &packed);
    refused(&archive, "two arrays mass");
    archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
    archive.bytes[5000] ^= 1;
    refused(&archive, "size checksum");
    archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
    archive.members = 2;
    refused(&archive, "directory members");
    archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
    put_array(&archive, "time.npy", "<f8", "()", false, masses, sizeof *masses, &plain);
    archive.members = 1;
    refused(&archive, "directory members");
    for (int velocity = 0; velocity < 2; velocity++) { /* a vector that is there twice */
        archive = begin();
        put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
        put_array(&archive, "pos.npy", "<f8", "(6000, 3)", false, velocities, sizeof velocities,
                  &plain);
        put_array(&archive, "vel.npy", "<f8", "(6000, 3)", false, velocities, sizeof velocities,
                  &plain);
        put_array(&archive, velocity ? "vy.npy" : "y.npy", "<f8", "(6000,)", false, masses,
                  sizeof masses, &plain);
        refused(&archive, "two arrays are the");
    }
    archive = begin();
    put_member(&archive, "a.npy", "no array at all", 15, &plain);
    refused(&archive, "array masses");
    archive = begin();
    put_member(&archive, "pos.npy", "no array at all", 15, &plain);
    refused(&archive, "NumPy file format");
    archive = begin();
    put_array(&archive, "mass.npy", "<f8", "(6000,)", false, masses, sizeof masses, &plain);
    archive.bytes[6] = 1;
    refused(&archive, "encrypted");
}

static int set_up(void **state)
{
    log_set_level(LOG_ERROR);
    fill();
    return folder_set_up(state);
}

/* A .npy file of these bytes. */
static const char *write_npy(const char *descr, bool by_columns, const char *shape,
                             const void *data, size_t size)
{
    static unsigned char file[1 << 16];
    const int length = snprintf((char *)file + 10, sizeof file - 10,
                                "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n", descr,
                                by_columns ? "True" : "False", shape);
    memcpy(file, "\x93NUMPY\1\0", 8);
    file[8] = (unsigned char)length;
    file[9] = (unsigned char)(length >> 8);
    assert_true(10 + (size_t)length + size <= sizeof file);
    memcpy(file + 10 + length, data, size);
    return bodies_file_write("a.npy", file, 10 + (size_t)length + size);
}

enum { FEW_ROWS = 20 };

/* Column c of body i: whole numbers that any type holds. */
static int number_of(int i, int c)
{
    return c == 0 ? 1 + i : (7 * i + 3 * c) % 50 - 20;
}

static void expect_few(const char *path, bool single, bool with_ids)
{
    struct snapshot found;
    assert_ok(format_read(path, NULL, &found));
    assert_string_equal(found.format->name, "npy");
    assert_int_equal(found.bodies->count, FEW_ROWS);
    assert_true(found.single == single && (found.bodies->id != NULL) == with_ids);
    for (int i = 0; i < FEW_ROWS; i++) {
        assert_true(found.bodies->mass[i] == number_of(i, 0));
        for (int k = 0; k < 3; k++) {
            assert_true(found.bodies->position[i][k] == number_of(i, 1 + k));
            assert_true(found.bodies->velocity[i][k] == number_of(i, 4 + k));
        }
        if (with_ids)
            assert_int_equal(found.bodies->id[i], 100 - i);
    }
    snapshot_free(&found);
}

/* The bits of a small whole number in half precision. */
static uint16_t half_of(int value)
{
    const unsigned size = (unsigned)abs(value);
    const int top = size ? 31 - __builtin_clz(size) : 0;
    const unsigned bits = size ? (unsigned)(top + 15) << 10 | ((size << (10 - top)) & 1023) : 0;
    return (uint16_t)(bits | (value < 0 ? 0x8000u : 0));
}

TEST(arrays_of_all_kinds)
{
    static const char *const types[] = {"'<f8'", "'<f4'", "'<f2'", "'>f2'",
                                        "'<i2'", "'>i4'", "'|i1'"};
    static const size_t bytes[] = {8, 4, 2, 2, 2, 4, 1};
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int by_columns = 0; by_columns < 2; by_columns++) {
            unsigned char data[FEW_ROWS * 7 * 8], *at = data;
            for (int n = 0; n < 7 * FEW_ROWS; n++) {
                const int value =
                    by_columns ? number_of(n % FEW_ROWS, n / FEW_ROWS) : number_of(n / 7, n % 7);
                const double wide = value;
                const float narrow = (float)value;
                const uint16_t half = half_of(value), swapped = __builtin_bswap16(half);
                const int16_t whole = (int16_t)value;
                const uint32_t big = __builtin_bswap32((uint32_t)value);
                const int8_t small = (int8_t)value;
                const void *const from[] = {&wide, &narrow, &half, &swapped, &whole, &big, &small};
                memcpy(at, from[t], bytes[t]);
                at += bytes[t];
            }
            expect_few(write_npy(types[t], by_columns, "(20, 7)", data, (size_t)(at - data)),
                       t >= 1 && t <= 3, false);
        }
}

/* IEEE 754: subnormal numbers have no leading 1, the largest exponent has no numbers. */
TEST(half_precision)
{
    static const struct {
        uint16_t bits;
        double value;
    } cases[] = {
        {0x0001, 0x1p-24},        {0x03ff, 1023 * 0x1p-24}, {0x0400, 0x1p-14},   {0x8002, -0x1p-23},
        {0x3555, 1365 * 0x1p-12}, {0x7bff, 65504},          {0xfc00, -INFINITY}, {0x0000, 0}};
    const struct number_type type = {.kind = 'f', .bytes = 2};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(number_at(&type, (const unsigned char *)&cases[i].bits) == cases[i].value);
    assert_true(isnan(number_at(&type, (const unsigned char[]){0x01, 0x7c})));
}

/* By the names of their fields, with others and padding between. */
TEST(arrays_of_records)
{
    struct {
        float shape;
        int16_t id, pad;
        double vel[3];
        float pos[3], mass;
    } records[FEW_ROWS] = {0};
    _Static_assert(sizeof records[0] == 48, "without other padding");
    for (int i = 0; i < FEW_ROWS; i++) {
        records[i].id = (int16_t)(100 - i);
        records[i].mass = (float)number_of(i, 0);
        for (int k = 0; k < 3; k++) {
            records[i].pos[k] = (float)number_of(i, 1 + k);
            records[i].vel[k] = number_of(i, 4 + k);
        }
    }
    const char *path =
        write_npy("[('shape', '<f4'), ('ID', '<i2'), ('', '|V2'), ('velocities', '<f8', (3,)), "
                  "('pos', '<f4', (3,)), ('mass', '<f4')]",
                  false, "(20,)", records, sizeof records);
    struct snapshot found;
    expect_few(path, false, true);
    assert_ok(format_read(path, NULL, &found));
    assert_null(found.unread);
    assert_string_equal(found.bodies->columns.list[0].name, "shape");
    snapshot_free(&found);
    expect_few(write_npy("[('name', '<U1'), ('pid', '<i2'), ('', '|V2'), ('vx', '<f8'), "
                         "('vy', '<f8'), ('vz', '<f8'), ('x', '<f4'), ('y', '<f4'), "
                         "('z', '<f4'), ('m', '<f4')]",
                         true, "(20,)", records, sizeof records),
               false, true);
    static const struct {
        const char *descr, *says;
    } refused[] = {
        {"[('mass', '<f8'), ('x', '<f8'), ('pos', '<f4', (3,))]", "two fields x"},
        {"[('mass', '<f8'), ('pos', '<f4', (3,))]", "field records vx"},
        {"[('mass', '|O')]", "nested objects"},
        {"[('a', [('mass', '<f8')])]", "nested objects"},
        {"[('a', '<f8', (999, 999, 999))]", "nested objects"},
        {"'<c16'", "array c16"},
        {"'<f8'", "shape"},
    };
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        assert_fails(
            format_read(write_npy(refused[k].descr, false, "(20,)", records, sizeof records), NULL,
                        &found),
            STATUS_USAGE, refused[k].says);
}

TESTS(set_up, folder_tear_down)
