/* The manifest of a film as text: it is read back, written again as the same text, and no other
 * text is accepted. */
#include "tests/support/films/record_fixture.h"
#include "tests/support/test.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/record/record.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char digits[] = "0123456789abcdef0123456789abcdef";

static void fill_frame(struct frame_record *frame, double x)
{
    struct diagnostics *d = &frame->bodies[0].diagnostics;
    frame->time = 0.1 * x;
    for (int k = 0; k < RECORD_SKETCH; k++)
        frame->bodies[0].sketch[k] = sqrt(x + k);
    d->mass = 1;
    d->kinetic = 1 / 3.0;
    d->potential = -0.0;
    d->energy = DBL_MAX;
    d->virial = DBL_TRUE_MIN;
    for (int c = 0; c < 3; c++)
        d->centre[c] = d->momentum[c] = d->angular_momentum[c] = frame->light_sum[c] = x * c;
    frame->bodies[0].half_mass = 1e22;
    frame->light_broken = (uint64_t)x;
    frame->picture_light = 0.25;
    frame->thumbnail[8][15] = 255;
    frame->packet_bytes = 12345;
    frame->key = x == 0;
    frame->psnr_y = x == 0 ? INFINITY : 41.5;
    frame->psnr_cb = x == 0 ? INFINITY : 43.25;
    frame->psnr_cr = 44;
    frame->ssim = 0.875;
    frame->bias = -0.01;
    if (x > 0) {
        struct bodies_record *other = &frame->bodies[2];
        other->half_mass = 0.5;
        other->diagnostics.energy = -1.25;
        other->sketch[15] = 1 / 7.0;
        memcpy(other->state, digits, sizeof digits);
    }
    char *const hashes[] = {frame->state, frame->light, frame->picture, frame->packet,
                            frame->decoded};
    for (int h = 0; h < 5; h++)
        memcpy(hashes[h], digits, sizeof digits);
}

static void make_record(struct record *record)
{
    assert_ok(record_create(record, 7, 3));
    record->program = memory_text("gravreel 1.0.0");
    record->scene = memory_text("look:\n  title: \"a \\\"b\\\" \xc3\xa9 \t\"\n\nend\n");
    record->scene_hash = memory_text("0123456789abcdef");
    record->platform.drawing = memory_text("llvmpipe");
    record->container.codec = memory_text("h264");
    record->container.width = 128;
    record->container.frames = 3;
    record->container.duration = 0.1;
    record->bodies = 256;
    record->softening = 0.05;
    record->other_panel[1] = memory_text("3 (an \"other\")");
    record->boxes = memory_new(2, sizeof *record->boxes);
    record->box_count = 2;
    record->boxes[0].name = memory_text("moov.trak#2");
    record->boxes[1].name = memory_text("free");
    memcpy(record->boxes[0].hash, digits, sizeof digits);
    memcpy(record->boxes[1].hash, digits, sizeof digits);
    record->shown = 2;
    record->shows = memory_new(2, sizeof *record->shows);
    record->shows[0] = 8;
    record->shows[1] = RECORD_NO_FRAME;
    fill_frame(&record->frames[0], 0);
    fill_frame(&record->frames[1], 5);
}

static char *text_of(void)
{
    struct record record;
    make_record(&record);
    char *text = record_to_json(&record);
    assert_non_null(text);
    record_free(&record);
    return text;
}

TEST(test_round_trip)
{
    struct record record, again;
    (void)state;
    make_record(&record);
    record_set_section(&record, "baseline",
                       "{\"of\": [[1, 2.50], [3]], \"name\": \"x\", \"list\": [1.0, null]}");
    record_set_section(&record, "other", "\"text\"");
    char *text = record_to_json(&record);
    assert_non_null(text);
    assert_ok(record_from_json(&again, text, strlen(text), "x.json"));
    char *twice = record_to_json(&again);
    assert_string_equal(text, twice);
    assert_string_equal(again.scene, record.scene);
    assert_string_equal(again.device, "");
    assert_string_equal(again.other_panel[0], "");
    assert_string_equal(again.other_panel[1], "3 (an \"other\")");
    assert_int_equal(again.count, 3);
    for (int f = 0; f < 2; f++) {
        const struct frame_record *a = &record.frames[f], *b = &again.frames[f];
        assert_memory_equal(a->bodies[0].sketch, b->bodies[0].sketch, sizeof a->bodies[0].sketch);
        assert_memory_equal(&a->bodies[0].diagnostics, &b->bodies[0].diagnostics,
                            sizeof a->bodies[0].diagnostics);
        assert_string_equal(a->bodies[2].state, b->bodies[2].state);
        assert_true(*a->bodies[2].state ? b->bodies[2].half_mass == 0.5 &&
                                              b->bodies[2].diagnostics.energy == -1.25 &&
                                              b->bodies[2].sketch[15] == 1 / 7.0
                                        : isnan(b->bodies[2].half_mass));
        assert_memory_equal(a->thumbnail, b->thumbnail, sizeof a->thumbnail);
        assert_string_equal(a->decoded, b->decoded);
        assert_true(a->time == b->time && a->psnr_y == b->psnr_y && a->psnr_cb == b->psnr_cb &&
                    a->psnr_cr == b->psnr_cr && a->ssim == b->ssim && a->bias == b->bias &&
                    a->key == b->key && a->packet_bytes == b->packet_bytes &&
                    a->light_broken == b->light_broken);
    }
    assert_true(isnan(again.frames[2].time) && isnan(again.frames[2].bodies[0].sketch[0]) &&
                *again.frames[2].state == '\0');
    assert_int_equal(again.box_count, 2);
    assert_string_equal(again.boxes[0].name, "moov.trak#2");
    assert_string_equal(again.boxes[1].hash, digits);
    assert_int_equal(again.shown, 2);
    assert_true(again.shows[0] == 8 && again.shows[1] == RECORD_NO_FRAME);
    assert_true(record_is_shown(&again, 8) && !record_is_shown(&again, 7));
    assert_string_equal(record_section(&again, "other"), "\"text\"");
    assert_string_equal(record_section(&again, "baseline"),
                        "{\n \"of\": [\n  [1, 2.5],\n  [3]\n ],\n \"name\": \"x\",\n"
                        " \"list\": [1.0, null]\n}");
    free(text);
    free(twice);
    record_free(&record);
    record_free(&again);
}

/* A diff shows the frames that changed. */
TEST(test_a_line_per_frame)
{
    char *text = text_of();
    int frames = 0;
    for (const char *at = text; (at = strstr(at, "\n  {\"frame\": ")); at++)
        frames++;
    assert_int_equal(frames, 3);
    assert_contains(text, "\n  {\"frame\": 9}\n");
    assert_contains(text, "\"kinetic\": 0.3333333333333333, \"potential\": -0.0,");
    assert_contains(text, "\"light_sum\": [0.0, 5.0, 10.0], \"light_broken\": 5,");
    assert_contains(text, "\"psnr_y\": \"equal\"");
    free(text);
}

TEST(test_numbers_that_are_none)
{
    struct record record, again;
    (void)state;
    make_record(&record);
    record.frames[0].light_sum[1] = NAN;
    record.frames[0].bodies[0].diagnostics.energy = INFINITY;
    char *text = record_to_json(&record);
    assert_lacks(text, "nan");
    assert_lacks(text, "inf");
    assert_contains(text, "\"light_sum\": [0.0, null, 0.0]");
    assert_ok(record_from_json(&again, text, strlen(text), "x.json"));
    assert_true(isnan(again.frames[0].light_sum[1]) &&
                isnan(again.frames[0].bodies[0].diagnostics.energy));
    free(text);
    record_free(&record);
    record_free(&again);
}

TEST(test_texts_that_are_none)
{
    struct record record;
    (void)state;
    make_record(&record);
    record.device = memory_text("\xff\xfe");
    assert_null(record_to_json(&record));
    assert_fails(record_write(&record, "nowhere/x.json"), STATUS_RUNTIME, "UTF-8");
    free(record.device);
    record.device = NULL;
    record_set_section(&record, "baseline", "{");
    assert_null(record_to_json(&record));
    record_set_section(&record, "baseline", NULL);
    record_set_section(&record, "frames", "[]");
    assert_null(record_to_json(&record));
    record_free(&record);
}

static void refuse(const char *text, enum status want, const char *part)
{
    struct record record;
    assert_fails(record_from_json(&record, text, strlen(text), "x.json"), want, part);
    record_free(&record);
}

/* The text with one part replaced. */
static void refuse_change(const char *from, const char *to, enum status want, const char *part)
{
    char *text = text_of(), *at = strstr(text, from);
    assert_non_null(at);
    char *changed = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    refuse(changed, want, part);
    free(changed);
    free(text);
}

TEST(test_strict)
{
    refuse("", STATUS_IO, "not film's manifest");
    refuse("{", STATUS_IO, "not film's manifest");
    refuse("[]", STATUS_IO, "not film's manifest");
    refuse("{}", STATUS_IO, "not film's manifest");
    refuse("{\"gravreel_manifest\": 1}", STATUS_IO, "damaged");
    refuse("{\"gravreel_manifest\": -1}", STATUS_IO, "not film's manifest");
    refuse("{\"gravreel_manifest\": \"1\"}", STATUS_IO, "not film's manifest");
    refuse("{\"gravreel_manifest\": 1, \"gravreel_manifest\": 1}", STATUS_IO,
           "not film's manifest");
    refuse("{\"gravreel_manifest\": 2}", STATUS_USAGE, "format 2 gravreel 1");
    const char *const changes[][2] = {
        {"\"frame\": 8", "\"frame\": 7"},
        {"\"frame\": 8", "\"frame\": -8"},
        {"\"frame\": 8", "\"frame\": 8.5"},
        {"\"frame\": 8", "\"frame\": 99999999999999999999"},
        {"\"time\": 0.5", "\"time\": \"0.5\""},
        {"\"time\": 0.5", "\"time\": 0.50"},
        {"\"time\": 0.5", "\"time\": 1e999"},
        {"\"time\": 0.5", "\"time\": null"},
        {"\"time\": 0.5", "\"time\": NaN"},
        {"0123456789abcdef0", "0123456789abcdeg0"},
        {"\"key\": true", "\"key\": 1"},
        {"\"equal\"", "\"alike\""},
        {"\"light_sum\": [0.0, 0.0, 0.0]", "\"light_sum\": [0.0, 0.0]"},
        {"\"light_sum\": [0.0, 0.0, 0.0]", "\"light_sum\": 1"},
        {"\"width\": 128", "\"width\": 4294967296"},
        {"\"scene\": [", "\"scene\": [1,"},
        {"\"platform\": {", "\"platform\": [{"},
        {"\"frames\": [", "\"frames\": [[],"},
        {"\"frames\": [", "\"frame\": ["},
        {"\"codec\": \"h264\"", "\"codec\": \"h265\""}, /* only the checksum reveals it */
        {"look:", "like:"},
        {"xxh3_128", "xxh3_127"},
        {"{\n \"grav", "{\n\n \"grav"},
        {"00ff\"", "ff00\""},
    };
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++)
        refuse_change(changes[c][0], changes[c][1], STATUS_IO, "x.json");
    refuse_change("\"codec\": \"h264\"", "\"codec\": \"h265\"", STATUS_IO, "damaged");
}

/* Every prefix, and every byte changed. */
TEST(test_damaged_anywhere)
{
    char *text = text_of();
    const size_t size = strlen(text);
    for (size_t at = 0; at < size; at += 3) {
        struct record record;
        assert_int_equal(record_from_json(&record, text, at, "x.json"), STATUS_IO);
        record_free(&record);
        const char old = text[at];
        text[at] = (char)(old ^ (1 << at % 7));
        const enum status status = record_from_json(&record, text, size, "x.json");
        if (status != STATUS_IO && status != STATUS_USAGE)
            fail_msg("byte %zu changed, and the status is %d", at, (int)status);
        record_free(&record);
        text[at] = old;
    }
    free(text);
}

TESTS(NULL, NULL)
