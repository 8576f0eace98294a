/* PLY points: the written bytes, files of other programs, and invalid files. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/formats/formats.h"

#include <math.h>
#include <string.h>

static const struct format *ply(void)
{
    return choose(&body_format_registry, "ply");
}

static void read_text(const char *header, const void *data, size_t size, struct snapshot *out)
{
    char bytes[2048];
    const size_t length = strlen(header);
    memcpy(bytes, header, length);
    memcpy(bytes + length, data, size);
    assert_ok(format_read(bodies_file_write("a.ply", bytes, length + size), NULL, out));
    assert_ptr_equal(out->format, ply());
}

static void add(struct bodies *bodies, const char *name, double first)
{
    assert_ok(body_columns_add(&bodies->columns, name, "", false, bodies->count));
    struct body_column *column = body_columns_find(&bodies->columns, name);
    for (size_t i = 0; i < bodies->count; i++)
        column->value[i] = i % 2 ? NAN : first + (double)i;
}

/* The header that Blender and Houdini read, and the place of each number behind it. */
TEST(what_is_written)
{
    static const char wanted[] =
        "ply\nformat binary_little_endian 1.0\ncomment bodies, by gravreel\n"
        "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
        "property float vx\nproperty float vy\nproperty float vz\nproperty float mass\n"
        "property int galaxy\nproperty uint id\nproperty float Metallicity\n"
        "property float Star_age\nproperty float _2nd\nproperty float red_\nend_header\n";
    struct snapshot snapshot, again;
    size_t size;
    bodies_file_make(&snapshot, 6);
    add(snapshot.bodies, "Metallicity", 0.5);
    add(snapshot.bodies, "Star age", 7);
    add(snapshot.bodies, "2nd", 9);
    add(snapshot.bodies, "red", 11);
    const char *path = folder_path("written.ply");
    assert_ok(ply()->write(path, &snapshot));
    unsigned char *bytes = bodies_file_read(path, &size);
    enum { RECORD = 13 * 4, FIFTH = 4 };
    assert_int_equal(size, strlen(wanted) + 6 * RECORD);
    assert_memory_equal(bytes, wanted, strlen(wanted));
    const unsigned char *at = bytes + strlen(wanted) + FIFTH * RECORD;
    float number[7], further[4];
    uint32_t whole[2];
    memcpy(number, at, sizeof number);
    memcpy(whole, at + sizeof number, sizeof whole);
    memcpy(further, at + sizeof number + sizeof whole, sizeof further);
    for (int k = 0; k < 3; k++) {
        assert_true(number[k] == (float)snapshot.bodies->position[FIFTH][k]);
        assert_true(number[3 + k] == (float)snapshot.bodies->velocity[FIFTH][k]);
    }
    assert_true(number[6] == (float)snapshot.bodies->mass[FIFTH]);
    assert_int_equal(whole[0], 2);
    assert_int_equal(whole[1], snapshot.bodies->id[FIFTH]);
    assert_true(further[0] == 4.5F && further[1] == 11 && further[2] == 13 && further[3] == 15);
    assert_ok(format_read(path, NULL, &again));
    assert_string_equal(again.bodies->columns.list[1].name, "Star_age");
    assert_true(isnan(again.bodies->columns.list[1].value[5]));
    free(bytes);
    snapshot_free(&again);
    snapshot_free(&snapshot);
}

/* Any order and type of properties, in big-endian numbers. */
TEST(what_others_write)
{
    static const unsigned char data[] = {
        0,    7,                                              /* short kind */
        0x3f, 0xf8, 0, 0, 0,    0,    0, 0,                   /* double x: 1.5 */
        0x40, 0,    0, 0, 0x40, 0x40, 0, 0,                   /* y: 2, z: 3 */
        3,                                                    /* uchar mass */
        0xbf, 0x80, 0, 0, 0x40, 0x80, 0, 0, 0x40, 0xa0, 0, 0, /* -1 4 5 */
        1,    0,    0, 0, 0                                   /* a face, which is ignored */
    };
    struct snapshot got;
    read_text("ply\r\nformat binary_big_endian 1.0\r\nobj_info of a scan\r\n"
              "element vertex 1\r\nproperty short kind\r\nproperty float64 x\r\n"
              "property float y\r\nproperty float32 z\r\nproperty uint8 mass\r\n"
              "property float vx\r\nproperty float vy\r\nproperty float vz\r\nelement face 1\r\n"
              "property list uchar int vertex_indices\r\nend_header\r\n",
              data, sizeof data, &got);
    const double *x = got.bodies->position[0], *v = got.bodies->velocity[0];
    assert_true(x[0] == 1.5 && x[1] == 2 && x[2] == 3 && got.bodies->mass[0] == 3);
    assert_true(v[0] == -1 && v[1] == 4 && v[2] == 5);
    assert_int_equal(got.bodies->columns.count, 1);
    assert_string_equal(got.bodies->columns.list[0].name, "kind");
    assert_true(got.bodies->columns.list[0].value[0] == 7);
    assert_false(got.single);
    snapshot_free(&got);
}

#define TOP   "ply\nformat binary_little_endian 1.0\n"
#define PLACE TOP "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n"

TEST(what_is_refused)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"ply\nformat ascii 1.0\nelement vertex 1\n", "binary file"},
        {TOP "element face 3\n", "element face vertex"},
        {TOP "element vertex -1\n", "number vertices -1"},
        {TOP "element vertex 1\nproperty list uchar int x\n", "type list"},
        {TOP "element vertex 1\nproperty half x\n", "type half number"},
        {TOP "property float x\n", "line 3 PLY header property invalid"},
        {"ply\nelement vertex 1\n", "line 2 PLY header element invalid"},
        {PLACE "property float x\n", "two fields are the x"},
        {PLACE "end_header\n", "field for mass"},
        {PLACE "property float mass\n", "header"},
        {PLACE "property float mass\nproperty float vx\nproperty float vy\nproperty float vz\n"
               "end_header\nabcdefgh",
         "vertices"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        bodies_file_check_refusal(ply(), cases[i].text, strlen(cases[i].text), cases[i].part);
}

TEST(what_float32_cannot_hold)
{
    struct snapshot snapshot;
    bodies_file_make(&snapshot, 6);
    add(snapshot.bodies, "age", 0.1);
    char *lost = snapshot_lost(&snapshot, ply());
    assert_says(lost, "digits beyond float32 age");
    free(lost);
    snapshot.bodies->mass[2] = 2e41;
    assert_fails(ply()->write(folder_path("large.ply"), &snapshot), STATUS_USAGE,
                 "body 3 2e+41 large");
    snapshot.bodies->mass[2] = 1;
    add(snapshot.bodies, "a b", 1);
    add(snapshot.bodies, "a_b", 1);
    assert_fails(ply()->write(folder_path("twice.ply"), &snapshot), STATUS_USAGE,
                 "columns 'a b' a_b property");
    snapshot_free(&snapshot);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
