/* Bodies from CSV files, NumPy arrays and standard input. */
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "sim/formats/formats.h"
#include "sim/models/models.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

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

static enum status read_file(const char *file, struct bodies **out)
{
    struct bodies_params params = {.model = choose(&model_registry, "file"),
                                   .file = (char *)file,
                                   .use = "",
                                   .position_scale = 1,
                                   .velocity_scale = 1,
                                   .mass_scale = 1};
    return bodies_make(&params, out);
}

static enum status read_text(const char *text, struct bodies **out)
{
    return read_file(write_bytes("bodies.csv", text, strlen(text)), out);
}

/* Two bodies with masses 1 and 2, body i at 10 i + 1, 10 i + 2, 10 i + 3, and velocities that
 * continue the sequence. */
static void expect_two(struct bodies *bodies)
{
    assert_int_equal(bodies->count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(bodies->mass[i] == (double)i + 1);
        for (int c = 0; c < 3; c++) {
            assert_true(bodies->position[i][c] == 10.0 * (double)i + c + 1);
            assert_true(bodies->velocity[i][c] == 10.0 * (double)i + c + 4);
        }
    }
    bodies_destroy(&bodies);
}

TEST(columns_by_their_names)
{
    static const char *const texts[] = {
        "mass,x,y,z,vx,vy,vz\n1,1,2,3,4,5,6\n2,11,12,13,14,15,16\n",
        "# made elsewhere\n\nid;VZ;VY;VX;\"z\";y ;x;M\r\n"
        "7;6;5;4;3;2;1;1\r\n8;16;15;14;13;12;11;2\r\n",
        "m pos_x pos_y pos_z vel_x vel_y vel_z\n1 1 2 3 4 5 6\n2 11 12 13 14 15 16",
        "1, 1, 2, 3, 4, 5, 6\n\"2\",11,12,13,14,15,16\n",
        "mass,\tx\t,y,z,vx,vy,vz\n1,1,2\t,3,\t4,5,6\n2,11,12,13,14,15,16\t\n",
        "mass,x,y,z,vx,vy,vz,note\n1,1,2,3,4,5,6,a;b\n2,11,12,13,14,15,16,;\n",
        "mass,x,y,z,vx,vy,vz,a;b\n1,1,2,3,4,5,6,0\n2,11,12,13,14,15,16,0\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct bodies *bodies;
        assert_ok(read_text(texts[i], &bodies));
        expect_two(bodies);
    }
}

/* UTF-8 as written by spreadsheets; the mark may also precede a comment or a gzip file. */
TEST(tables_behind_a_byte_order_mark)
{
#define MARK "\xef\xbb\xbf"
    static const char *const texts[] = {
        MARK "mass,x,y,z,vx,vy,vz\n1,1,2,3,4,5,6\n2,11,12,13,14,15,16\n",
        MARK "\"mass\";x;y;z;vx;vy;vz\r\n1;1;2;3;4;5;6\r\n2;11;12;13;14;15;16\r\n",
        MARK "m pos_x pos_y pos_z vel_x vel_y vel_z\n1 1 2 3 4 5 6\n2 11 12 13 14 15 16",
        MARK "1,1,2,3,4,5,6\n2,11,12,13,14,15,16\n",
        MARK "# made elsewhere\nmass,x,y,z,vx,vy,vz\n1,1,2,3,4,5,6\n2,11,12,13,14,15,16\n",
        MARK "\n\nmass,x,y,z,vx,vy,vz\n1,1,2,3,4,5,6\n2,11,12,13,14,15,16\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct bodies *bodies;
        assert_ok(read_text(texts[i], &bodies));
        expect_two(bodies);
        gzFile packed = gzopen(write_bytes("bodies.csv.gz", "", 0), "wb");
        assert_true(gzputs(packed, texts[i]) > 0);
        assert_int_equal(gzclose(packed), Z_OK);
        assert_ok(read_file(path, &bodies));
        expect_two(bodies);
    }
    struct bodies *bodies;
    assert_fails(read_text(MARK, &bodies), STATUS_USAGE, "single body");
}

TEST(galaxies_are_a_column)
{
    struct bodies *bodies;
    assert_ok(read_text("galaxy,mass,x,y,z,vx,vy,vz\n5,1,1,1,1,0,0,0\n2,1,1,1,1,0,0,0\n", &bodies));
    assert_int_equal(bodies->component_count, 2);
    assert_string_equal(bodies->components[0].galaxy, "galaxy 2");
    assert_string_equal(bodies->components[1].galaxy, "galaxy 5");
    bodies_destroy(&bodies);
}

TEST(lines_that_are_wrong)
{
    struct bodies *bodies;
    assert_ok(read_text("mass,x,y,z,vx,vy,vz,galaxy\n1,1,1,1,1,1,1,1023\n", &bodies));
    bodies_destroy(&bodies);
    assert_fails(read_text("mass,x,y,z,vx,vy,vz,galaxy\n1,1,1,1,1,1,1,1024\n", &bodies),
                 STATUS_USAGE, "bodies.csv galaxy 1024 index number 0 1023");
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"mass,x,y,z,vx,vy\n1,1,1,1,1,1\n", ":1 line names column vz must name"},
        {"mass,x,x,y,z,vx,vy,vz\n", ":1 two columns x"},
        {"mass,x,y,z,vx,vy,vz\n1,1,1,1,1,1\n", ":2 7 columns line 6"},
        {"mass,x,y,z,vx,vy,vz\n1,1,,1,1,1,1\n", ":2 y column 3 finite number"},
        {"mass,x,y,z,vx,vy,vz\n1,1,nan,1,1,1,1\n", ":2 y column 3 nan"},
        {"mass,x,y,z,vx,vy,vz\n\"12,1,1,1,1,1,1\n", ":2 quotes column 1 separator"},
        {"mass,x,y,z,vx,vy,vz\n-1,1,1,1,1,1,1\n", ":2 mass -1"},
        {"mass,x,y,z,vx,vy,vz,galaxy\n1,1,1,1,1,1,1,0.5\n", ":2 galaxy 0.5"},
        {"mass,x,y,z,vx,vy,vz\n", "single body"},
        {"mass,x,y,z,vx\n", ":1 line names columns vy vz"},
        {"1,2,3\n", "7 8 numbers"},
        {"1,2,3\n", "line names"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_fails(read_text(wrong[i].text, &bodies), STATUS_USAGE, wrong[i].part);
}

/* Writes a .npy file with this header, version and numbers; returns its size. */
static size_t make_array(char *out, int version, const char *header, const void *numbers,
                         size_t size)
{
    const size_t length = strlen(header), prefix = version == 1 ? 10 : 12;
    memcpy(out, "\x93NUMPY", 6);
    out[6] = (char)version;
    out[7] = 0;
    memset(out + 8, 0, prefix - 8);
    out[8] = (char)(length & 255);
    out[9] = (char)(length >> 8);
    memcpy(out + prefix, header, length);
    memcpy(out + prefix + length, numbers, size);
    return prefix + length + size;
}

#define DOUBLES "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 7), }     \n"
static const double doubles[] = {1, 1, 2, 3, 4, 5, 6, 2, 11, 12, 13, 14, 15, 16};

TEST(arrays_of_either_width)
{
    char file[1024];
    float floats[16];
    struct bodies *bodies;
    for (int version = 1; version <= 2; version++) {
        size_t size = make_array(file, version, DOUBLES, doubles, sizeof doubles);
        assert_ok(read_file(write_bytes("a.npy", file, size), &bodies));
        expect_two(bodies);
    }
    for (int i = 0; i < 14; i++)
        floats[i + i / 7] = (float)doubles[i];
    floats[7] = 3;
    floats[15] = 4;
    size_t size = make_array(file, 1, "{'shape': (2,8), 'fortran_order': False, 'descr': '<f4'}\n",
                             floats, sizeof floats);
    assert_ok(read_file(write_bytes("a.npy", file, size), &bodies));
    assert_int_equal(bodies->component_count, 2);
    assert_string_equal(bodies->components[1].galaxy, "galaxy 4");
    expect_two(bodies);
    size = make_array(file, 1, DOUBLES, doubles, sizeof doubles);
    gzFile packed = gzopen(write_bytes("a.npy.gz", "", 0), "wb");
    assert_int_equal(gzwrite(packed, file, (unsigned)size), (int)size);
    assert_int_equal(gzclose(packed), Z_OK);
    assert_ok(read_file(path, &bodies));
    expect_two(bodies);
    char bytes[1024];
    FILE *whole = fopen(path, "rb");
    size = fread(bytes, 1, sizeof bytes, whole);
    fclose(whole);
    for (size_t cut = size - 9; cut > 40; cut -= 7) /* behind what says that it is an array */
        assert_fails(read_file(write_bytes("a.npy.gz", bytes, cut), &bodies), STATUS_IO,
                     "middle gzip data");
    bytes[size / 2] ^= 0x55;
    assert_fails(read_file(write_bytes("a.npy.gz", bytes, size), &bodies), STATUS_IO, "gzip data");
}

TEST(arrays_that_are_wrong)
{
    static const struct {
        int version;
        const char *header, *part;
        size_t size;
        enum status status;
    } wrong[] = {
        {1, "{'descr': '<c8', 'fortran_order': False, 'shape': (2, 7)}", "array c8", 112,
         STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (7, 2)}", "shape", 112,
         STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 7", "numbers ordered", 112,
         STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 7)}", "shape", 0, STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (999999999999, 7)}",
         "999999999999 bodies", 112, STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 7)}", "numbers", 112,
         STATUS_USAGE},
        {1, DOUBLES, "numbers", 111, STATUS_USAGE},
        {1, "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 7)}", "data", 112, STATUS_USAGE},
        {3, DOUBLES, "format 3", 112, STATUS_USAGE},
    };
    char file[1024];
    struct bodies *bodies;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        size_t size = make_array(file, wrong[i].version, wrong[i].header, doubles, wrong[i].size);
        assert_fails(read_file(write_bytes("a.npy", file, size), &bodies), wrong[i].status,
                     wrong[i].part);
    }
    for (size_t size = 6; size < 70; size++) { /* cut short anywhere */
        make_array(file, 1, DOUBLES, doubles, sizeof doubles);
        assert_fails(read_file(write_bytes("a.npy", file, size), &bodies), STATUS_USAGE,
                     "ends within");
    }
}

TEST(standard_input_is_read_twice)
{
    static const char text[] = "1 1 2 3 4 5 6\n2 11 12 13 14 15 16\n";
    int ends[2], before = dup(STDIN_FILENO);
    struct bodies *bodies;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
    close(ends[1]);
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    for (int i = 0; i < 2; i++) {
        assert_ok(read_file("-", &bodies));
        expect_two(bodies);
    }
    dup2(before, STDIN_FILENO);
    close(before);
}

TESTS(folder_set_up, folder_tear_down)
