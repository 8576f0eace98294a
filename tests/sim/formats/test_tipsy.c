/* Tipsy's files: variants that the writer does not make, invalid headers, and real files. */
#include "tests/support/files/bodies_file.h"
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/test.h"

#include "base/log.h"
#include "sim/diagnostics.h"
#include "sim/formats/bytes.h"

#include <string.h>

enum { HEADER = 28, PADDING = 4, DARK = 36, COUNT = 50 };

static const struct format *tipsy(void)
{
    return choose(&body_format_registry, "tipsy");
}

/* So many dark particles, whose last words are `word` and up. */
static size_t make(unsigned char *out, bool swap, bool padded, uint32_t word)
{
    const size_t head = HEADER + (padded ? PADDING : 0);
    memset(out, 0, head + COUNT * DARK);
    bytes_put_f64(out, 2.5, swap);
    bytes_put_u32(out + 8, COUNT, swap);
    bytes_put_u32(out + 12, 3, swap);
    bytes_put_u32(out + 20, COUNT, swap);
    for (uint32_t i = 0; i < COUNT; i++) {
        unsigned char *at = out + head + i * DARK;
        for (int k = 0; k < 8; k++)
            bytes_put_f32(at + 4 * k, (float)(i + 1) / (float)(k + 1), swap);
        bytes_put_u32(at + 32, word + i, swap);
    }
    return head + COUNT * DARK;
}

TEST(every_header_and_order)
{
    unsigned char data[HEADER + PADDING + COUNT * DARK];
    struct snapshot found;
    for (int variant = 0; variant < 4; variant++) {
        const bool swap = variant & 1, padded = variant & 2;
        const size_t size = make(data, swap, padded, 0xbf800000); /* potentials of -1 */
        assert_ok(format_read(bodies_file_write("t", data, size), NULL, &found));
        assert_ptr_equal(found.format, tipsy());
        assert_int_equal(found.bodies->count, COUNT);
        assert_null(found.bodies->id);
        assert_string_equal(found.unread, "eps, phi");
        assert_true(found.time_known && found.time == 2.5);
        assert_true(found.bodies->mass[1] == 2);
        assert_true(found.bodies->position[7][1] == (double)(8.0f / 3.0f));
        assert_true(found.bodies->velocity[49][2] == (double)(50.0f / 7.0f));
        snapshot_free(&found);
    }
}

/* ChaNGa's float64 positions, alone or with velocities: only the size tells. */
TEST(double_positions_and_velocities)
{
    unsigned char data[HEADER + PADDING + COUNT * (DARK + 24)];
    struct snapshot found;
    for (int variant = 0; variant < 8; variant++) {
        const bool swap = variant & 1, padded = variant & 2, both = variant & 4;
        const size_t head = HEADER + (padded ? PADDING : 0), size = DARK + (both ? 24 : 12);
        make(data, swap, padded, 0);
        for (uint32_t i = 0; i < COUNT; i++) {
            unsigned char *at = data + head + i * size;
            bytes_put_f32(at, 0.5f, swap);
            for (int k = 0; k < 3; k++) {
                bytes_put_f64(at + 4 + 8 * k, 1.0 / (i + k + 3), swap);
                if (both)
                    bytes_put_f64(at + 28 + 8 * k, -1.0 / (i + k + 3), swap);
                else
                    bytes_put_f32(at + 28 + 4 * k, 0.25f, swap);
            }
            bytes_put_f32(at + size - 8, 0.01f, swap);
            bytes_put_f32(at + size - 4, -1, swap);
        }
        assert_ok(format_read(bodies_file_write("t", data, head + COUNT * size), NULL, &found));
        assert_ptr_equal(found.format, tipsy());
        assert_int_equal(found.bodies->count, COUNT);
        assert_false(found.single);
        assert_string_equal(found.unread, "eps, phi");
        assert_true(found.bodies->mass[49] == 0.5);
        assert_true(found.bodies->position[49][2] == 1.0 / 54);
        assert_true(found.bodies->velocity[49][2] == (both ? -1.0 / 54 : 0.25));
        snapshot_free(&found);
    }
    const size_t short_by_one = HEADER + COUNT * (DARK + 12) - 1;
    bodies_file_check_refusal(NULL, data, short_by_one, "take 1800 bytes");
}

TEST(ids_in_place_of_the_potential)
{
    unsigned char data[HEADER + PADDING + COUNT * DARK];
    static const struct {
        uint32_t first;
        bool ids;
    } cases[] = {{0, true},          {1, true},           {200000000, true},  {536870800, true},
                 {536870900, false}, {0x3f800000, false}, {0x80000000, false}};
    struct snapshot found;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const size_t size = make(data, true, true, cases[n].first);
        assert_ok(format_read(bodies_file_write("t", data, size), NULL, &found));
        assert_true((found.bodies->id != NULL) == cases[n].ids);
        for (size_t i = 0; i < COUNT && found.bodies->id; i++)
            assert_int_equal(found.bodies->id[i], cases[n].first + i);
        snapshot_free(&found);
    }
    const size_t size = make(data, false, true, 0);
    for (uint32_t i = 0; i < COUNT; i++)
        bytes_put_u32(data + HEADER + PADDING + i * DARK + 32, 0, false);
    assert_ok(format_read(bodies_file_write("t", data, size), NULL, &found));
    assert_null(found.bodies->id); /* potentials of zero */
    snapshot_free(&found);
}

/* Gas has rho, temp, eps, metals, phi after its velocity, dark matter eps, phi, and stars metals,
 * tform, eps, phi. */
TEST(softenings_are_where_others_read_them)
{
    static const size_t words[] = {12, 9, 11}, eps[] = {9, 7, 9};
    struct snapshot snapshot;
    size_t size;
    bodies_file_make(&snapshot, 3 * COUNT);
    for (size_t c = 0; c < 3; c++)
        snapshot.bodies->components[c].softening = 0.25 * (double)(c + 1);
    const char *path = folder_path("softenings");
    assert_ok(tipsy()->write(path, &snapshot));
    unsigned char *data = bodies_file_read(path, &size), *at = data + HEADER + PADDING;
    assert_int_equal(size, HEADER + PADDING + COUNT * 4 * (12 + 9 + 11));
    for (size_t c = 0; c < 3; c++)
        for (size_t i = 0; i < COUNT; i++, at += 4 * words[c])
            for (size_t w = 7; w + 1 < words[c]; w++)
                assert_true((double)bytes_f32(at + 4 * w, true) ==
                            (w == eps[c] ? 0.25 * (double)(c + 1) : 0));
    free(data);
    snapshot_free(&snapshot);
}

TEST(headers_that_lie)
{
    unsigned char data[HEADER + PADDING + COUNT * DARK];
    const size_t size = make(data, true, true, 0);
    bytes_put_u32(data + 8, 90000000, true);
    bytes_put_u32(data + 20, 90000000, true);
    bodies_file_check_refusal(NULL, data, size, "3240000000 bytes header");
    bytes_put_u32(data + 8, 2000000000, true);
    bytes_put_u32(data + 20, 2000000000, true);
    bodies_file_check_refusal(NULL, data, size, "100000000");
    bytes_put_u32(data + 8, COUNT + 1, true);
    bytes_put_u32(data + 20, COUNT, true);
    bodies_file_check_refusal(tipsy(), data, size, "Tipsy total");
    make(data, true, true, 0);
    bytes_put_u32(data + 12, 2, true);
    bodies_file_check_refusal(NULL, data, size, "2 dimensions");
    make(data, true, true, 0);
    bodies_file_check_refusal(NULL, data, size - 1, "1800 bytes 1803");
}

TEST(a_real_galaxy)
{
    struct snapshot found;
    struct diagnostics energies;
    assert_ok(format_read(test_data("tipsy/galaxy_20K.bin"), NULL, &found));
    snapshot_sort(&found);
    const struct bodies *bodies = found.bodies;
    assert_int_equal(bodies->count, 20000);
    assert_int_equal(bodies->component_count, 2);
    assert_string_equal(bodies->components[0].name, "dark");
    assert_int_equal(bodies->components[0].count, 2500);
    assert_false(bodies->components[0].draw);
    assert_string_equal(bodies->components[1].name, "stars");
    assert_true(bodies->components[1].draw);
    assert_non_null(bodies->id);
    assert_int_equal(bodies->id[0], 200000000);
    assert_int_equal(bodies->id[2500], 100000000);
    assert_int_equal(bodies->id[5000], 0);
    assert_int_equal(bodies->id[19999], 14999);
    diagnostics_compute(bodies, 0, &energies);
    assert_about(energies.kinetic, 97.63939, 1e-4);
    snapshot_free(&found);
}

/* Of gas and stars: what is not 0 in any record. */
TEST(what_is_not_read_is_named)
{
    unsigned char data[HEADER + PADDING + 12 * 4 + 11 * 4] = {0};
    struct snapshot found;
    bytes_put_u32(data + 8, 2, true);
    bytes_put_u32(data + 12, 3, true);
    bytes_put_u32(data + 16, 1, true);
    bytes_put_u32(data + 24, 1, true);
    bytes_put_f32(data + 32, 1, true);
    bytes_put_f32(data + 32 + 48, 1, true);
    assert_ok(format_read(bodies_file_write("t", data, sizeof data), NULL, &found));
    assert_null(found.unread);
    snapshot_free(&found);
    bytes_put_f32(data + 32 + 4 * 8, 1e4f, true);
    bytes_put_f32(data + 32 + 48 + 4 * 8, 0.5f, true);
    bytes_put_f32(data + 32 + 48 + 4 * 7, 0.02f, true);
    assert_ok(format_read(bodies_file_write("t", data, sizeof data), NULL, &found));
    assert_string_equal(found.unread, "temp, metals, tform");
    snapshot_free(&found);
}

TEST(a_real_sphere)
{
    struct snapshot found;
    assert_ok(format_read(test_data("tipsy/king_soft.bin"), NULL, &found));
    snapshot_sort(&found);
    assert_int_equal(found.bodies->count, 36000);
    assert_int_equal(found.bodies->component_count, 1);
    assert_true(found.bodies->components[0].draw); /* there is nothing else to see */
    assert_null(found.bodies->id);
    snapshot_free(&found);
}

int main(void)
{
    log_set_level(LOG_ERROR);
    return tests_run(__FILE__, folder_set_up, folder_tear_down);
}
