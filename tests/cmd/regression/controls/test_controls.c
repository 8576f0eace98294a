/* The controls as entries, and their tools: each acts, on exactly what it says. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/controls/canvas.h"
#include "tests/support/controls/samples.h"
#include "tests/support/controls/all.h"
#include "tests/support/controls/boxes.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(entries_are_whole)
{
    const struct control *control;
    size_t acts = 0;
    for (size_t i = 0; (control = choice_at(&all_controls, i)) != NULL; i++) {
        assert_ptr_equal(choice_find(&all_controls, control->name), control);
        assert_true(strlen(control->doc) > 10);
        assert_true(control->stage > JUDGED_SCENE && control->stage < JUDGED_COUNT);
        assert_true(!control->searched || control->size > 0);
        const struct record_hooks *hooks = &control->hooks;
        const int places = !!control->paint + !!control->order + !!hooks->scene + !!hooks->drawing +
                           !!hooks->encoding + !!hooks->sink + !!hooks->file;
        /* Colours are stated in two places. */
        assert_int_equal(places, hooks->sink && hooks->file ? 2 : 1);
        assert_true(!hooks->simulated && !hooks->picture && !hooks->astray);
        /* Mistakes that affect only the encoder are not in the picture. */
        assert_true(!hooks->encoding || control->stage == JUDGED_PACKETS);
        acts++;
    }
    assert_true(acts >= 50);
}

static void is_same(const struct picture *a, const struct picture *b, bool same)
{
    size_t differing = 0;
    for (int p = 0; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < samples_rows(a, p); y++)
            for (uint32_t x = 0; x < samples_columns(a, p); x++)
                differing += samples_get(a, p, x, y) != samples_get(b, p, x, y);
    assert_int_equal(differing == 0, same);
}

static const enum picture_format formats[] = {PICTURE_NV12,    PICTURE_YUV420P,   PICTURE_YUV420P10,
                                              PICTURE_YUV444P, PICTURE_YUV444P10, PICTURE_RGBA8,
                                              PICTURE_RGBA16};

TEST(canvas_keeps_what_is_not_touched)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        struct picture one, two;
        struct canvas canvas;
        fixture_picture(&one, formats[i], 128, 96);
        fixture_picture(&two, formats[i], 128, 96);
        fixture_draw(&one, 3);
        fixture_draw(&two, 3);
        assert_ok(canvas_open(&canvas, &two));
        canvas_write(&canvas, &two);
        is_same(&one, &two, true);
        /* A pixel that becomes white: nothing changes but its own samples. */
        for (int k = 0; k < 3; k++)
            canvas_at(&canvas, 40, 80)[k] = 1;
        canvas_write(&canvas, &two);
        is_same(&one, &two, false);
        const double top = 255 * samples_scale(&two),
                     white = formats[i] >= PICTURE_RGBA8 ? 255 : 235;
        assert_true(fabs(samples_get(&two, 0, 40, 80) - white / 255 * top) <= 2 * top / 255);
        samples_set(&two, 0, 40, 80, samples_get(&one, 0, 40, 80));
        for (int p = 1; p < SAMPLES_PLANES; p++) {
            const uint32_t half = picture_format_halves_height(formats[i]) ? 2 : 1;
            samples_set(&two, p, 40 / half, 80 / half, samples_get(&one, p, 40 / half, 80 / half));
        }
        is_same(&one, &two, true);
        canvas_close(&canvas);
        fixture_free(&one);
        fixture_free(&two);
    }
}

/* A change smaller than a code is made in as many samples as its size says. */
TEST(canvas_rounds_without_bias)
{
    struct picture picture;
    struct canvas canvas;
    double before = 0, after = 0;
    fixture_picture(&picture, PICTURE_YUV420P, 128, 96);
    fixture_draw(&picture, 0);
    assert_ok(canvas_open(&canvas, &picture));
    for (uint32_t y = 0; y < 96; y++)
        for (uint32_t x = 0; x < 128; x++) {
            before += samples_get(&picture, 0, x, y);
            for (int k = 0; k < 3; k++)
                canvas_at(&canvas, x, y)[k] += 0.3f / 219;
        }
    canvas_write(&canvas, &picture);
    for (uint32_t y = 0; y < 96; y++)
        for (uint32_t x = 0; x < 128; x++)
            after += samples_get(&picture, 0, x, y);
    assert_true(fabs((after - before) / (128 * 96) - 0.3) < 0.02);
    canvas_close(&canvas);
    fixture_free(&picture);
}

/* Every control of pictures changes a picture with light, in the same way each time. */
TEST(pictures_are_changed)
{
    const struct control *control;
    for (size_t i = 0; (control = choice_at(&all_controls, i)) != NULL; i++) {
        struct picture one, two, other;
        struct control_run run;
        struct scene *scene;
        if (!control->paint && !control->hooks.encoding)
            continue;
        assert_ok(scene_open(&scene, "plummer"));
        enum picture_format format = PICTURE_YUV444P10;
        fixture_picture(&one, format, 128, 96);
        fixture_picture(&two, format, 128, 96);
        fixture_picture(&other, format, 128, 96);
        fixture_draw(&one, 4);
        fixture_draw(&two, 4);
        fixture_draw(&other, 4);
        one.frame = two.frame = other.frame = 4;
        control_run_open(&run, control, 12);
        assert_int_equal(run.first, 4);
        const struct record_hooks hooks = control_hooks(&run);
        /* Changes either the record or the encoder's input. */
        assert_int_equal(!hooks.picture + !hooks.encoding, 1);
        enum status (*change)(void *, struct picture *) =
            hooks.picture ? hooks.picture : hooks.encoding;
        assert_ok(change(hooks.user, &two));
        assert_ok(change(hooks.user, &other));
        is_same(&two, &other, true);
        /* The fixture's picture has neither lone stars nor black sky, and colours by blocks;
         * there is no reel. */
        if (strncmp(control->name, "star_", 5) != 0 &&
            strcmp(control->name, "chroma_halved") != 0 &&
            strcmp(control->name, "twice_at_join") != 0) {
            assert_true(run.changed > 0);
            is_same(&one, &two, false);
        }
        control_run_close(&run);
        fixture_free(&one);
        fixture_free(&two);
        fixture_free(&other);
        scene_close(&scene);
    }
}

TEST(orders_are_of_the_film)
{
    const struct control *control;
    for (size_t i = 0; (control = choice_at(&all_controls, i)) != NULL; i++) {
        struct control_run run;
        uint64_t moved = 0;
        if (!control->order)
            continue;
        control_run_open(&run, control, 12);
        for (uint64_t f = 0; f < 12; f++) {
            const uint64_t from = control->order(&run, f, 12);
            assert_true(from < 12);
            moved += from != f;
        }
        assert_true(moved > 0);
        control_run_close(&run);
    }
}

TEST(a_lone_star_is_taken)
{
    const struct control *gone = choice_find(&all_controls, "star_gone"),
                         *added = choice_find(&all_controls, "star_added");
    struct picture one, two;
    struct control_run run;
    fixture_picture(&one, PICTURE_RGBA8, 64, 64);
    fixture_picture(&two, PICTURE_RGBA8, 64, 64);
    for (int p = 0; p < SAMPLES_PLANES; p++)
        for (uint32_t y = 0; y < 64; y++)
            for (uint32_t x = 0; x < 64; x++) {
                samples_set(&one, p, x, y, x == 30 && y == 20 ? 12 : 0);
                samples_set(&two, p, x, y, x == 30 && y == 20 ? 12 : 0);
            }
    control_run_open(&run, gone, 1);
    assert_ok(control_hooks(&run).picture(&run, &two));
    assert_true(run.changed > 0);
    assert_true(samples_get(&two, 0, 30, 20) == 0);
    control_run_close(&run);
    control_run_open(&run, added, 1);
    assert_ok(control_hooks(&run).picture(&run, &one));
    double most = 0;
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            if (x != 30 || y != 20)
                most = fmax(most, samples_get(&one, 1, x, y));
    assert_true(most == 12);
    control_run_close(&run);
    fixture_free(&one);
    fixture_free(&two);
}

TEST(boxes_are_found_and_bad_ones_refused)
{
    static const char film[] = "\0\0\0\x0c"
                               "ftypmp42"
                               "\0\0\0\x18"
                               "moov"
                               "\0\0\0\x10"
                               "trak"
                               "\0\0\0\x08"
                               "edts"
                               "\0\0\0\x0a"
                               "mdatAB";
    size_t at, bytes;
    const size_t size = sizeof film - 1;
    assert_true(boxes_find(film, size, "mdat", &at, &bytes));
    assert_int_equal(bytes, 2);
    assert_memory_equal(film + at, "AB", 2);
    assert_true(boxes_find(film, size, "edts", &at, &bytes));
    assert_int_equal(bytes, 0);
    assert_false(boxes_find(film, size, "colr", &at, &bytes));
    for (size_t cut = 0; cut < size; cut++)
        boxes_find(film, cut, "colr", &at, &bytes);
    assert_false(boxes_find(film, size - 1, "mdat", &at, &bytes));
    assert_false(boxes_find("\xff\xff\xff\xffmdat", 8, "mdat", &at, &bytes));
    assert_false(boxes_find("\0\0\0\0mdat", 8, "mdat", &at, &bytes));
    char number[4];
    boxes_set(number, 0x80010203);
    assert_memory_equal(number, "\x80\1\2\3", 4);
    assert_int_equal(boxes_get(number), 0x80010203);
}

TESTS(NULL, NULL)
