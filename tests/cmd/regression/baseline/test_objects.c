/* The objects beside a baseline's text: named by their hash; pictures and states as bytes. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/regression/baseline/objects.h"
#include "cmd/regression/baseline/packed.h"
#include "tests/support/films/sink_fixture.h"

#include <string.h>
#include <sys/stat.h>

/* ---- objects ---- */

static void put(const char *folder, const char *text, char name[HASH_TEXT])
{
    assert_ok(object_put(folder, text, strlen(text), name));
}

static enum object_state try(const char *folder, const char *name, size_t limit)
{
    void *data;
    size_t size;
    enum object_state state;
    const enum status status = object_get(folder, name, limit, &data, &size, &state);
    assert_int_equal(status == STATUS_OK, state == OBJECT_WHOLE);
    assert_true(status == STATUS_OK || (status == STATUS_IO && *status_text()));
    free(data);
    return state;
}

TEST(test_objects_are_named_by_content)
{
    char *folder = text_format("%s/a/objects", (char *)*state), name[HASH_TEXT], again[HASH_TEXT];
    void *data;
    size_t size;
    enum object_state found;
    put(folder, "content", name);
    put(folder, "content", again);
    assert_string_equal(name, again);
    assert_int_equal(fixture_count_files(folder), 1);
    assert_int_equal(objects_bytes(folder), 7);
    assert_ok(object_get(folder, name, 7, &data, &size, &found));
    assert_int_equal(size, 7);
    assert_memory_equal(data, "content", 7);
    free(data);
    assert_int_equal(try(folder, name, 6), OBJECT_DAMAGED);
    free(folder);
}

TEST(test_edited_objects_are_refused)
{
    char *folder = text_format("%s/objects", (char *)*state), name[HASH_TEXT];
    put(folder, "content", name);
    char *path = text_format("%s/%s", folder, name);
    assert_ok(file_write(path, "contend", 7));
    assert_int_equal(try(folder, name, 100), OBJECT_DAMAGED);
    assert_says(status_text(), "edited damaged");
    put(folder, "content", name); /* written again if damaged */
    assert_int_equal(try(folder, name, 100), OBJECT_WHOLE);
    unlink(path);
    assert_int_equal(try(folder, name, 100), OBJECT_MISSING);
    mkdir(path, 0777);
    assert_int_equal(try(folder, name, 100), OBJECT_DAMAGED);
    rmdir(path);
    assert_int_equal(mkfifo(path, 0666), 0);
    assert_int_equal(try(folder, name, 100), OBJECT_DAMAGED);
    free(path);
    free(folder);
}

TEST(test_names_stay_in_the_folder)
{
    char *folder = text_format("%s/objects", (char *)*state);
    static const char *const outside[] = {"",
                                          "../../../../../../../etc/passwd",
                                          "0123456789abcdef0123456789abcde",
                                          "0123456789ABCDEF0123456789abcdef",
                                          "0123456789abcdef/123456789abcdef",
                                          "0123456789abcdef0123456789abcdef0"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        assert_false(object_is_name(outside[i]));
        assert_int_equal(try(folder, outside[i], 100), OBJECT_DAMAGED);
    }
    free(folder);
}

static bool is(void *user, const char *name)
{
    return strcmp(user, name) == 0;
}

TEST(test_sweep_keeps_what_is_named)
{
    char *folder = text_format("%s/objects", (char *)*state), kept[HASH_TEXT], gone[HASH_TEXT];
    put(folder, "kept", kept);
    put(folder, "gone", gone);
    char *other = text_format("%s/README", folder);
    assert_ok(file_write(other, "x", 1));
    objects_sweep(folder, is, kept);
    assert_int_equal(try(folder, kept, 100), OBJECT_WHOLE);
    assert_int_equal(try(folder, gone, 100), OBJECT_MISSING);
    assert_true(file_exists(other));
    unlink(other);
    objects_sweep(folder, is, gone);
    assert_false(file_exists(folder));
    free(other);
    free(folder);
}

/* ---- pictures ---- */

TEST(test_pictures_come_back)
{
    for (int format = PICTURE_NV12; format <= PICTURE_RGBA16; format++)
        for (int noisy = 0; noisy < 2; noisy++) {
            struct picture picture, *back;
            void *data;
            size_t size;
            fixture_picture(&picture, (enum picture_format)format, 37, 21);
            (noisy ? fixture_noise : fixture_draw)(&picture, 3);
            picture.frame = 3;
            picture.time = 0.25;
            assert_ok(picture_pack(&picture, &data, &size));
            assert_ok(picture_unpack(data, size, &back));
            assert_int_equal(back->frame, 3);
            assert_true(back->time == 0.25);
            for (int p = 0; p < picture.layout.planes; p++)
                for (uint32_t row = 0; row < picture.layout.plane[p].rows; row++)
                    assert_memory_equal(back->data + back->layout.plane[p].offset +
                                            (size_t)row * back->layout.plane[p].stride,
                                        picture.data + picture.layout.plane[p].offset +
                                            (size_t)row * picture.layout.plane[p].stride,
                                        picture.layout.plane[p].bytes);
            picture_free(&back);
            for (size_t cut = 0; cut < size; cut += 1 + size / 50)
                assert_fails(picture_unpack(data, cut, &back), STATUS_IO, "picture");
            free(data);
            fixture_free(&picture);
        }
}

TEST(test_pictures_of_absurd_sizes)
{
    struct picture picture, *back;
    void *data;
    size_t size;
    fixture_picture(&picture, PICTURE_NV12, 16, 16);
    fixture_draw(&picture, 0);
    assert_ok(picture_pack(&picture, &data, &size));
    for (size_t byte = 20; byte < 44; byte++) { /* format, width, height */
        uint8_t *at = (uint8_t *)data + byte, before = *at;
        *at = 0xff;
        assert_fails(picture_unpack(data, size, &back), STATUS_IO, "picture");
        *at = before;
    }
    free(data);
    fixture_free(&picture);
}

/* ---- states ---- */

enum { BODIES = 100 };

static void make_state(struct state *state, int detail)
{
    static struct energy_point energy[3] = {{0, 1, -2}, {1, 1.1, -2.1}, {2, 1.2, -2.2}};
    static double position[BODIES][3], velocity[BODIES][3], mass[BODIES];
    static float at[BODIES][4], of[BODIES][4], columns[2][BODIES];
    *state = (struct state){.frame = 17, .simulations = 1};
    for (int i = 0; i < BODIES; i++)
        mass[i] = 1 / (1.0 + i);
    for (int i = 0; i < BODIES; i++)
        for (int c = 0; c < 4; c++) {
            if (c < 3) {
                position[i][c] = 0.1 * i + c;
                velocity[i][c] = -0.3 * i * c;
            }
            at[i][c] = c < 3 ? (float)position[i][c] : 0.01f;
            of[i][c] = c < 3 ? (float)velocity[i][c] : 0;
            columns[c % 2][i] = (float)(i * (c - 5));
        }
    for (int k = 0; k < RENDERER_STATE; k++)
        state->renderer[k] = k / 3.0;
    state->view[0] = (struct view){
        .count = BODIES,
        .position = at[0],
        .velocity = of[0],
        .columns = {{.name = "one", .value = columns[0]}, {.name = "another", .value = columns[1]}},
        .column_count = 2,
        .time = 1.5,
        .interval = 0.125,
        .step = 68,
        .energy = energy,
        .energy_count = 3};
    if (detail > 0) {
        state->position = position;
        state->velocity = velocity;
    }
    if (detail > 1)
        state->mass = mass;
}

TEST(test_states_come_back)
{
    for (int detail = 0; detail < 3; detail++) { /* 1: of an older program */
        struct state made, back;
        void *data;
        size_t size;
        make_state(&made, detail);
        state_pack(&made, &data, &size);
        assert_ok(state_unpack(data, size, &back));
        const struct view *a = &made.view[0], *b = &back.view[0];
        assert_int_equal(back.frame, 17);
        assert_int_equal(b->frame, 17);
        assert_int_equal(b->step, 68);
        assert_int_equal(b->count, BODIES);
        assert_true(b->time == 1.5 && b->interval == 0.125 && !b->next);
        assert_memory_equal(a->position, b->position, BODIES * sizeof(float[4]));
        assert_memory_equal(a->velocity, b->velocity, BODIES * sizeof(float[4]));
        assert_memory_equal(a->energy, b->energy, 3 * sizeof *a->energy);
        assert_int_equal(b->column_count, 2);
        for (int k = 0; k < 2; k++) {
            assert_string_equal(a->columns[k].name, b->columns[k].name);
            assert_false(b->columns[k].constant);
            assert_memory_equal(a->columns[k].value, b->columns[k].value, BODIES * sizeof(float));
        }
        assert_memory_equal(made.renderer, back.renderer, sizeof made.renderer);
        assert_int_equal(back.position != NULL, detail > 0);
        assert_int_equal(back.mass != NULL, detail > 1);
        if (detail > 1)
            assert_memory_equal(made.mass, back.mass, BODIES * sizeof *back.mass);
        if (detail > 0) {
            assert_memory_equal(made.position, back.position, BODIES * sizeof *back.position);
            assert_memory_equal(made.velocity, back.velocity, BODIES * sizeof *back.velocity);
        }
        state_free(&back);
        for (size_t cut = 0; cut < size; cut += 1 + size / 60) {
            assert_fails(state_unpack(data, cut, &back), STATUS_IO, "state");
            state_free(&back);
        }
        for (size_t byte = 0; byte < size;
             byte += 1 + size / 200) { /* no crash, whatever is read */
            uint8_t *at = (uint8_t *)data + byte, before = *at;
            *at ^= 0xff;
            (void)!state_unpack(data, size, &back);
            state_free(&back);
            *at = before;
        }
        free(data);
    }
}

TESTS_EACH(fixture_setup, fixture_teardown)
