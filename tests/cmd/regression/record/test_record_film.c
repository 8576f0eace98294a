/* Films of a small scene, recorded at every stage. */
#include "tests/support/films/record_fixture.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/record/recorder.h"
#include "cmd/regression/record/readback.h"
#include "render/reader/reader.h"
#include "scenes/scene_check.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 12 };

struct setting {
    const char *key, *value;
};

/* 256 bodies in 128x72, encoded quickly, with further settings up to {0}. */
static struct scene *small_scene(const struct setting *more)
{
    static const struct setting usual[] = {
        {"bodies.count", "256"},
        {"output.size", "128x72"},
        {"output.frames", "12"},
        {"output.threads", "1"},
        {"output.preset", "veryfast"},
        {"simulation.force", "exact"},
        {NULL, NULL},
    };
    struct scene *scene;
    assert_ok(scene_open(&scene, TWO_GALAXIES));
    for (const struct setting *one = usual; one->key; one++)
        assert_ok(scene_set(scene, one->key, one->value, "test"));
    for (const struct setting *one = more; one && one->key; one++)
        assert_ok(scene_set(scene, one->key, one->value, "test"));
    assert_ok(scene_validate(scene));
    return scene;
}

static struct record_request request_of(const struct scene *scene, const char *output)
{
    return (struct record_request){
        .scene = scene, .name = "small", .output = output, .backend = "cpu", .diagnostics = true};
}

static void record_with(const struct record_request *request, struct record *out)
{
    const enum status status = record_film(request, out);
    if (status == STATUS_DEVICE)
        outcome_skip(MISSING_GL, status_text());
    assert_ok(status);
}

static void record_scene(const struct setting *more, const char *output, struct record *out)
{
    struct scene *scene = small_scene(more);
    const struct record_request request = request_of(scene, output);
    record_with(&request, out);
    scene_close(&scene);
}

static void assert_same_text(const struct record *a, const struct record *b)
{
    char *text = record_to_json(a), *other = record_to_json(b);
    assert_string_equal(text, other);
    free(text);
    free(other);
}

TEST(every_stage_is_recorded)
{
    struct record record;
    record_scene(NULL, fixture_path(*state, "a.mp4"), &record);
    assert_int_equal(record.count, FRAMES);
    assert_int_equal(record.bodies, 256);
    assert_string_equal(record.platform.physics, "");
    assert_non_null(strstr(record.platform.drawing, "GL") ? record.platform.drawing
                                                          : strstr(record.platform.drawing, "."));
    assert_contains(record.platform.encoder, "libx264");
    assert_contains(record.platform.encoder, "x264 - core ");
    assert_contains(record.platform.muxer, "libavformat");
    assert_string_equal(record.output_format, "mp4");
    const struct container_record *container = &record.container;
    assert_string_equal(container->codec, "h264");
    assert_string_equal(container->range, "tv");
    assert_string_equal(container->matrix, "bt709");
    assert_string_equal(container->chroma_site, "left");
    assert_int_equal(container->frames, FRAMES);
    assert_int_equal(container->width, 128);
    assert_string_equal(container->pixel_aspect, "");
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(container->shown[f], 512 * f);
    assert_true(fabs(container->duration - FRAMES / 30.0) < 1e-9);
    for (int f = 0; f < FRAMES; f++) {
        const struct frame_record *frame = &record.frames[f];
        assert_int_equal(frame->frame, f);
        assert_true(strlen(frame->state) == 32 && strlen(frame->light) == 32 &&
                    strlen(frame->picture) == 32 && strlen(frame->packet) == 32 &&
                    strlen(frame->decoded) == 32);
        assert_true(frame->light_sum[0] > 1 && frame->light_broken == 0);
        assert_true(frame->picture_light > 0.001 && frame->picture_light < 0.5);
        assert_true(frame->psnr_y > 30 && frame->psnr_y < 90);
        assert_true(frame->packet_bytes > 0 && frame->key == (f == 0));
        assert_true(frame->bodies[0].half_mass > 0.1 && frame->bodies[0].half_mass < 100);
        assert_true(frame->bodies[0].diagnostics.energy < 0 &&
                    frame->bodies[0].diagnostics.mass > 1);
        assert_true(isfinite(frame->bodies[0].sketch[15]));
        assert_true(f == 0 ? frame->time == 0 : frame->time > frame[-1].time);
        assert_true(f == 0 || strcmp(frame->state, frame[-1].state) != 0);
    }
    assert_false(file_exists(fixture_path(*state, "a.scene.yaml")));
    assert_false(file_exists(fixture_path(*state, "a.mp4.parts")));
    record_free(&record);
}

TEST(again_the_same_with_other_threads)
{
    struct scene *scene = small_scene(NULL);
    struct record_request request = request_of(scene, fixture_path(*state, "a.mp4"));
    struct record one, two;
    request.threads = 1;
    record_with(&request, &one);
    request.threads = 2;
    record_with(&request, &two);
    assert_same_text(&one, &two);
    record_free(&one);
    record_free(&two);
    scene_close(&scene);
}

/* Films of several segments, several encoded at once, are the same as those of one encoder. */
TEST(segments_and_encoders_change_nothing)
{
    const struct setting short_segments[] = {{"output.segment", "4"}, {NULL, NULL}};
    struct scene *scene = small_scene(short_segments);
    struct record_request request = request_of(scene, fixture_path(*state, "a.mp4"));
    struct record one, three;
    request.encoders = 1;
    record_with(&request, &one);
    request.encoders = 3;
    record_with(&request, &three);
    assert_same_text(&one, &three);
    for (int f = 0; f < FRAMES; f++)
        assert_int_equal(one.frames[f].key, f % 4 == 0);
    assert_false(file_exists(fixture_path(*state, "a.mp4.parts")));
    record_free(&one);
    record_free(&three);
    scene_close(&scene);
}

TEST(what_changes_is_seen_where_it_changes)
{
    static const struct setting seed[] = {{"bodies.seed", "2"}, {NULL, NULL}},
                                no_glow[] = {{"look.glow", "0"}, {NULL, NULL}},
                                brighter[] = {{"look.exposure", "0.5"}, {NULL, NULL}},
                                larger[] = {{"look.point_size", "4"}, {NULL, NULL}},
                                coarser[] = {{"output.crf", "30"}, {NULL, NULL}},
                                longer[] = {{"simulation.dt", "0.151"}, {NULL, NULL}};
    static const struct {
        const struct setting *settings;
        bool start, state, light, picture, packet; /* that stay the same in frame 1 */
    } changes[] = {
        {seed, false, false, false, false, false},  {longer, true, false, false, false, false},
        {larger, true, true, false, false, false},  {no_glow, true, true, true, false, false},
        {brighter, true, true, true, false, false}, {coarser, true, true, true, true, false},
    };
    struct record usual, other;
    record_scene(NULL, fixture_path(*state, "a.mp4"), &usual);
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        record_scene(changes[c].settings, fixture_path(*state, "b.mp4"), &other);
        const struct frame_record *a = &usual.frames[1], *b = &other.frames[1];
        if ((strcmp(a[-1].state, b[-1].state) == 0) != changes[c].start ||
            (strcmp(a->state, b->state) == 0) != changes[c].state ||
            (strcmp(a->light, b->light) == 0) != changes[c].light ||
            (strcmp(a->picture, b->picture) == 0) != changes[c].picture ||
            (strcmp(a->packet, b->packet) == 0) != changes[c].packet)
            fail_msg("%s is not seen where it changes", changes[c].settings->key);
        assert_true((record_distance(&usual, &a->bodies[0], &b->bodies[0]) > 0) ==
                    !changes[c].state);
        record_free(&other);
    }
    record_free(&usual);
}

/* The pictures of a hash file are those that a sink received. */
TEST(pictures_hash_as_a_hash_file_has_them)
{
    struct record record;
    record_scene(NULL, fixture_path(*state, "a.hash"), &record);
    char *text, line[80];
    assert_ok(file_read(fixture_path(*state, "a.hash"), 1 << 20, &text, NULL));
    for (int f = 0; f < FRAMES; f++) {
        snprintf(line, sizeof line, "%d %s\n", f, record.frames[f].picture);
        assert_contains(text, line);
        assert_string_equal(record.frames[f].decoded, "");
        assert_string_equal(record.frames[f].packet, "");
        assert_true(isnan(record.frames[f].psnr_y));
    }
    free(text);
    record_free(&record);
}

static void check_decoded(const struct record *record, const char *path)
{
    static uint16_t rgb[72 * 128 * 3];
    struct reader *reader;
    assert_ok(reader_open(&reader, path));
    for (uint64_t i = 0; i < record->count; i++) {
        char hash[HASH_TEXT];
        const uint64_t first = reader_info(reader)->is_video ? 0 : record->frames[0].frame;
        assert_ok(reader_read(reader, first + i, rgb));
        hash_parts(&(struct hash_part){rgb, sizeof rgb}, 1, hash);
        assert_string_equal(hash, record->frames[i].decoded);
    }
    reader_close(&reader);
}

TEST(decoded_pictures_are_the_file_s)
{
    static const struct setting lossless[] = {{"output.codec", "h264-lossless"}, {NULL, NULL}};
    static const struct setting no_preset[] = {{"output.preset", "\"\""}, {NULL, NULL}};
    struct record record;
    record_scene(lossless, fixture_path(*state, "a.mkv"), &record);
    check_decoded(&record, fixture_path(*state, "a.mkv"));
    for (int f = 0; f < FRAMES; f++)
        assert_true(isinf(record.frames[f].psnr_y));
    record_free(&record);
    record_scene(no_preset, fixture_path(*state, "a.y4m"), &record);
    check_decoded(&record, fixture_path(*state, "a.y4m"));
    assert_string_equal(record.output_format, "y4m");
    for (int f = 0; f < FRAMES; f++)
        assert_true(isinf(record.frames[f].psnr_y));
    record_free(&record);
}

/* A range of a sequence, in a folder that has other files too. */
TEST(sequences)
{
    static const struct setting deep[] = {{"output.png_bits", "16"}, {NULL, NULL}};
    const struct setting *const kinds[] = {NULL, deep};
    for (size_t k = 0; k < 2; k++) {
        struct scene *scene = small_scene(kinds[k]);
        struct record_request request = request_of(scene, fixture_path(*state, "%03d.png"));
        struct record all, part;
        record_with(&request, &all);
        request.has_range = true;
        request.first = 3;
        request.last = 7;
        record_with(&request, &part);
        check_decoded(&part, request.output);
        assert_int_equal(part.count, 5);
        assert_string_equal(part.output_format, "png");
        assert_int_equal(part.container.frames, 5);
        assert_int_equal(part.container.width, 128);
        for (uint64_t i = 0; i < part.count; i++) {
            const struct frame_record *frame = &part.frames[i];
            assert_int_equal(frame->frame, 3 + i);
            assert_memory_equal(frame, record_frame(&all, 3 + i), sizeof *frame);
            assert_true(isinf(frame->psnr_y));
            assert_string_equal(frame->packet, "");
        }
        record_free(&all);
        record_free(&part);
        scene_close(&scene);
    }
}

TEST(other_simulations_are_in_the_state)
{
    static const struct setting two[] = {{"look.panels", "[{title: a}, {title: b, subset: 4}]"},
                                         {NULL, NULL}};
    struct record one, both;
    record_scene(NULL, fixture_path(*state, "a.mp4"), &one);
    record_scene(two, fixture_path(*state, "b.mp4"), &both);
    assert_string_not_equal(one.frames[0].state, both.frames[0].state);
    assert_true(record_distance(&one, &one.frames[5].bodies[0], &both.frames[5].bodies[0]) == 0);
    record_free(&one);
    record_free(&both);
}

static void assert_same_frame(const struct frame_record *a, const struct frame_record *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

/* Results for unchanged data are taken from the expected record, and nothing else. */
TEST(a_record_that_is_expected)
{
    static const struct setting longer[] = {{"simulation.dt", "0.151"}, {NULL, NULL}};
    struct scene *scene = small_scene(NULL), *other = small_scene(longer);
    struct record_request request = request_of(scene, fixture_path(*state, "a.mp4"));
    struct record usual, again, changed, plain;
    record_with(&request, &usual);
    for (int f = 0; f < FRAMES; f++) /* marks that show what was copied */
        usual.frames[f].bodies[0].half_mass += 1000;
    request.expected = &usual;
    record_with(&request, &again);
    assert_true(again.frames[0].bodies[0].half_mass < 1000);
    again.frames[0].bodies[0].half_mass = usual.frames[0].bodies[0].half_mass;
    for (int f = 0; f < FRAMES; f++)
        assert_same_frame(&again.frames[f], &usual.frames[f]);
    request.scene = other;
    record_with(&request, &changed);
    request.expected = NULL;
    record_with(&request, &plain);
    assert_same_text(&changed, &plain);
    for (int f = 1; f < FRAMES; f++)
        assert_true(changed.frames[f].bodies[0].half_mass < 1000);
    record_free(&usual);
    record_free(&again);
    record_free(&changed);
    record_free(&plain);
    scene_close(&scene);
    scene_close(&other);
}

/* ---- hooks ---- */

struct calls {
    const struct setting *set;
    double crf;
    int simulated, drawing, pictures, encoding, files;
    bool scratches_picture, scratches_encoded, shows_first;
    enum status failure;
};

static void on_scene(void *user, struct scene *scene)
{
    const struct calls *calls = user;
    if (calls->set)
        assert_ok(scene_set(scene, calls->set->key, calls->set->value, "test"));
}

static void on_sink(void *user, struct sink_params *params)
{
    const struct calls *calls = user;
    if (calls->crf > 0)
        params->output.crf = calls->crf;
}

static enum status on_simulated(void *user, struct simulation *const *simulations, int count)
{
    struct calls *calls = user;
    if (simulation_frame(simulations[0]) == (uint64_t)calls->simulated && count == 1)
        calls->simulated++;
    return calls->failure ? status_fail(calls->failure, "the hook has had enough") : STATUS_OK;
}

static enum status on_drawing(void *user, struct renderer *renderer, struct view *view)
{
    struct calls *calls = user;
    assert_non_null(renderer);
    calls->drawing++;
    if (calls->shows_first)
        view->frame = 0;
    return STATUS_OK;
}

static void scratch(struct picture *picture)
{
    for (uint64_t x = 0; x < 40; x++)
        picture->data[(8 * picture->frame + x) % 128] = 200;
}

static enum status on_picture(void *user, struct picture *picture)
{
    struct calls *calls = user;
    calls->pictures++;
    if (calls->scratches_picture)
        scratch(picture);
    return STATUS_OK;
}

static enum status on_encoding(void *user, struct picture *picture)
{
    struct calls *calls = user;
    calls->encoding++;
    if (calls->scratches_encoded)
        scratch(picture);
    return STATUS_OK;
}

static enum status on_file(void *user, const char *path)
{
    struct calls *calls = user;
    calls->files += file_exists(path);
    return STATUS_OK;
}

static enum status record_hooked(struct calls *calls, const char *output, struct record *out)
{
    struct scene *scene = small_scene(
        (const struct setting[]){{"camera.orbit", "360"}, {"look.exposure", "20"}, {NULL, NULL}});
    struct record_request request = request_of(scene, output);
    const struct record_hooks hooks = {calls,      on_scene,    on_sink, on_simulated, on_drawing,
                                       on_picture, on_encoding, on_file, NULL};
    request.hooks = &hooks;
    const enum status status = record_film(&request, out);
    scene_close(&scene);
    if (status == STATUS_DEVICE)
        outcome_skip(MISSING_GL, status_text());
    return status;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

TEST(hooks_change_their_stage)
{
    static const struct setting dt = {"simulation.dt", "0.16"};
    const char *output = fixture_path(*state, "a.mp4");
    struct calls none = {0};
    struct record usual, other;
    assert_ok(record_hooked(&none, output, &usual));
    assert_true(none.simulated == FRAMES && none.drawing == FRAMES && none.pictures == FRAMES &&
                none.encoding == FRAMES && none.files == 1);
    struct calls changes[] = {{.set = &dt},
                              {.shows_first = true},
                              {.scratches_picture = true},
                              {.scratches_encoded = true},
                              {.crf = 40}};
    for (size_t c = 0; c < sizeof changes / sizeof changes[0]; c++) {
        assert_ok(record_hooked(&changes[c], output, &other));
        const struct frame_record *a = &usual.frames[7], *b = &other.frames[7];
        assert_string_equal(usual.scene, other.scene);
        assert_true(same(a->state, b->state) == (c > 0));
        assert_true(same(a->light, b->light) == (c > 1));
        assert_true(same(a->picture, b->picture) == (c > 2));
        assert_false(same(a->packet, b->packet));
        assert_int_equal(b->frame, 7);
        if (c == 3)
            assert_true(b->psnr_y < a->psnr_y - 1);
        record_free(&other);
    }
    record_free(&usual);
}

/* ---- frames in the film's order ---- */

/* What happens to the finished film. */
struct damage {
    struct remux remux;
    char path[512];
    uint32_t astray; /* frames passed to the hook */
    uint64_t first;
};

static enum status damage_film(void *user, const char *path)
{
    struct damage *damage = user;
    snprintf(damage->path, sizeof damage->path, "%s.mkv", path);
    remux(path, damage->path, &damage->remux);
    assert_int_equal(rename(damage->path, path), 0);
    return STATUS_OK;
}

static enum status see_astray(void *user, const struct picture *drawn, const uint16_t *rgb,
                              uint32_t width, uint32_t height)
{
    struct damage *damage = user;
    damage->first = damage->astray++ ? damage->first : drawn->frame;
    assert_true(width == 128 && height == 72 && drawn->layout.width == 128);
    assert_true(rgb || damage->remux.drop);
    return STATUS_OK;
}

static void record_damaged(const char *output, struct remux what, struct damage *damage,
                           struct record *out)
{
    static const struct setting lossless[] = {
        {"output.codec", "ffv1"}, {"output.preset", "\"\""}, {NULL, NULL}};
    struct scene *scene = small_scene(lossless);
    *damage = (struct damage){.remux = what};
    const struct record_hooks hooks = {.user = damage, .file = damage_film, .astray = see_astray};
    struct record_request request = request_of(scene, output);
    request.hooks = &hooks;
    record_with(&request, out);
    scene_close(&scene);
}

/* A packet that is left out, written twice or swapped is reported as a frame; the other frames have
 * lost nothing. */
TEST(frames_out_of_order_are_named)
{
    static const struct {
        struct remux what;
        const char *says;
        uint64_t count, frames, first; /* first: shown to the hook, two before the first astray */
    } cases[] = {
        {{0}, NULL, 0, FRAMES, 0},
        {{.drop = 6}, "frame 5 film missing", 1, FRAMES - 1, 3},
        {{.drop = 12}, "frame 11 film missing", 1, FRAMES - 1, 9},
        {{.repeat = 6}, "frame 5 film twice", 1, FRAMES + 1, 4},
        {{.repeat = 12}, "frame 11 film twice", 1, FRAMES + 1, 10},
        {{.swap = 6}, "frames 5 6 film swapped", 2, FRAMES, 3},
        {{.swap = 11}, "frames 10 11 film swapped", 2, FRAMES, 8},
        {{.drop = 3, .repeat = 9}, "frame 2 film 8 twice missing", 2, FRAMES, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct record record;
        struct damage damage;
        record_damaged(fixture_path(*state, "a.mkv"), cases[i].what, &damage, &record);
        struct order_faults faults = film_order_faults(&record);
        if (!cases[i].says) {
            assert_null(faults.text);
            assert_null(record.shows);
        } else {
            assert_non_null(faults.text);
            assert_says(faults.text, cases[i].says);
            assert_int_equal(record.shown, cases[i].frames);
            assert_int_equal(damage.first, cases[i].first);
        }
        assert_int_equal(faults.count, cases[i].count);
        assert_int_equal(damage.astray > 0, cases[i].says != NULL);
        for (uint64_t f = 0; f < record.count; f++)
            if (record_is_shown(&record, f))
                assert_true(record.frames[f].psnr_y == INFINITY);
            else
                assert_true(isnan(record.frames[f].psnr_y) && !*record.frames[f].decoded);
        free(faults.text);
        record_free(&record);
    }
}

/* Files of a sequence are swapped, or the last one is missing. */
static enum status meddle_with_files(void *user, const char *pattern)
{
    char five[512], six[512], aside[512];
    char *folder = file_folder(pattern);
    snprintf(five, sizeof five, "%s/000005.png", folder);
    snprintf(six, sizeof six, "%s/000006.png", folder);
    snprintf(aside, sizeof aside, "%s/aside", folder);
    if (*(bool *)user) {
        assert_int_equal(rename(five, aside), 0);
        assert_int_equal(rename(six, five), 0);
        assert_int_equal(rename(aside, six), 0);
    } else {
        snprintf(five, sizeof five, "%s/000011.png", folder);
        assert_int_equal(remove(five), 0);
    }
    free(folder);
    return STATUS_OK;
}

TEST(files_out_of_order_are_named)
{
    static const char *const says[] = {"frame 11 is missing in the film",
                                       "frames 5 and 6 are swapped in the film"};
    for (int swap = 0; swap < 2; swap++) {
        bool swaps = swap;
        struct scene *scene =
            small_scene((const struct setting[]){{"output.preset", "\"\""}, {NULL, NULL}});
        const struct record_hooks hooks = {.user = &swaps, .file = meddle_with_files};
        struct record_request request = request_of(scene, fixture_path(*state, "f/%06d.png"));
        struct record record;
        request.hooks = &hooks;
        record_with(&request, &record);
        struct order_faults faults = film_order_faults(&record);
        assert_non_null(faults.text);
        assert_string_equal(faults.text, says[swap]);
        free(faults.text);
        record_free(&record);
        scene_close(&scene);
    }
}

/* The packet, counted from 1, that a segment's muxer drops silently; 0: none. */
struct AVPacket;
struct muxer;
static int lose;
static struct muxer *loser;

enum status __real_muxer_write(struct muxer *muxer, struct AVPacket *packet);
enum status __wrap_muxer_write(struct muxer *muxer, struct AVPacket *packet);
enum status __wrap_muxer_write(struct muxer *muxer, struct AVPacket *packet)
{
    if (lose == 0 || --lose > 0)
        return __real_muxer_write(muxer, packet);
    loser = muxer;
    return STATUS_OK;
}

uint64_t __real_muxer_packets(const struct muxer *muxer);
uint64_t __wrap_muxer_packets(const struct muxer *muxer);
uint64_t __wrap_muxer_packets(const struct muxer *muxer)
{
    /* Once: another muxer may get the same memory. */
    const bool loses = muxer == loser;
    loser = loses ? NULL : loser;
    return __real_muxer_packets(muxer) + loses;
}

/* A segment that lacks a frame is still joined, so that the frame is named. */
TEST(a_frame_that_a_segment_lacks_is_named)
{
    struct record record;
    struct scene *scene = small_scene((const struct setting[]){{"output.codec", "ffv1"},
                                                               {"output.preset", "\"\""},
                                                               {"output.segment", "4"},
                                                               {NULL, NULL}});
    struct record_request request = request_of(scene, fixture_path(*state, "a.mkv"));
    request.encoders = 1;
    lose = 7;
    record_with(&request, &record);
    scene_close(&scene);
    struct order_faults faults = film_order_faults(&record);
    assert_non_null(faults.text);
    assert_string_equal(faults.text, "frame 6 is missing in the film");
    assert_int_equal(record.container.frames, FRAMES - 1);
    free(faults.text);
    record_free(&record);
    loser = NULL;
}

TEST(failures)
{
    struct record record;
    struct calls calls = {.failure = STATUS_RUNTIME};
    const char *output = fixture_path(*state, "a.mp4");
    assert_fails(record_hooked(&calls, output, &record), STATUS_RUNTIME, "enough");
    assert_int_equal(record.count, 0);
    record_free(&record);
    struct scene *scene =
        small_scene((const struct setting[]){{"output.preset", "\"\""}, {NULL, NULL}});
    volatile sig_atomic_t stop = 1;
    struct record_request request = request_of(scene, output);
    request.stop = &stop;
    assert_int_equal(record_film(&request, &record), STATUS_STOPPED);
    request.stop = NULL;
    request.output = "-";
    request.format = "mp4";
    assert_fails(record_film(&request, &record), STATUS_USAGE, "");
    request.format = "y4m";
    assert_fails(record_film(&request, &record), STATUS_USAGE, "standard output");
    request.output = "/dev/null";
    assert_fails(record_film(&request, &record), STATUS_USAGE, "cannot");
    request.format = "null";
    assert_fails(record_film(&request, &record), STATUS_USAGE, "discarded");
    request.format = "";
    request.output = "/proc/none/a.mp4";
    assert_fails(record_film(&request, &record), STATUS_IO, "/proc/none");
    assert_int_equal(record.count, 0);
    scene_close(&scene);
}

TESTS_EACH(fixture_setup, fixture_teardown)
