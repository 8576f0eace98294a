/* Two synthetic records judged: each stage alone, in every verdict. */
#include "tests/support/test.h"
#include "tests/support/record_fixture.h"

#include "base/memory.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 24 };

struct fixture {
    struct record before, now;
    struct limits *limits;
    struct comparison comparison;
    struct report report;
    struct case_report *one;
};

static void make_of(struct fixture *f, uint64_t frames_before, uint64_t frames_now)
{
    *f = (struct fixture){0};
    record_fixture_make(&f->before, frames_before);
    record_fixture_make(&f->now, frames_now);
    limits_open(&f->limits);
    f->comparison = (struct comparison){.before = &f->before, .now = &f->now, .limits = f->limits};
    f->one = report_add_case(&f->report, "film");
}

static void make(struct fixture *f)
{
    make_of(f, FRAMES, FRAMES);
}

static void end(struct fixture *f)
{
    report_free(&f->report);
    record_free(&f->before);
    record_free(&f->now);
    limits_close(&f->limits);
}

static void judge(struct fixture *f)
{
    assert_ok(judge_records(&f->comparison, f->one));
    case_conclude(f->one);
    report_conclude(&f->report);
}

static void show(const struct fixture *f)
{
    print_message("%s\n", f->one->sentence);
    for (int i = 0; i < JUDGED_COUNT; i++)
        print_message("  %-10s %-12s %s\n", judged_name((enum judged)i),
                      verdict_name(f->one->stages[i].verdict), f->one->stages[i].sentence);
}

/* Judges, and ends the fixture. `cause` -1: no stage changed. */
static void expect(struct fixture *f, enum verdict verdict, int cause, const char *words)
{
    judge(f);
    if (f->one->verdict != verdict || f->one->stage != cause ||
        !has_words(f->one->sentence, words)) {
        show(f);
        fail_msg("expected %s, cause %d, '%s'", verdict_name(verdict), cause, words);
    }
    assert_lacks(f->one->sentence, "not judged"); /* the verdict names it */
    assert_int_equal(report_status(&f->report),
                     verdict_passes(verdict) ? STATUS_OK : STATUS_MISMATCH);
    end(f);
}

static const struct finding *found(const struct fixture *f, enum rule_name name)
{
    const struct stage_report *stage = &f->one->stages[rules[name].stage];
    for (uint32_t i = 0; i < stage->finding_count; i++)
        if (stage->findings[i].rule == &rules[name])
            return &stage->findings[i];
    return NULL;
}

static void other_bits(char hash[HASH_TEXT])
{
    hash[0] = hash[0] == 'x' ? 'y' : 'x';
}

static void other_platform(struct fixture *f)
{
    record_fixture_text(&f->now.platform.start, "libm probe 0x22222222");
    record_fixture_text(&f->now.platform.physics, "fast on cpu, AVX-512, 16 lanes");
    record_fixture_text(&f->now.platform.drawing, "llvmpipe (LLVM 19.1.0, 256 bits), Mesa 25.0.7");
    record_fixture_text(&f->now.platform.encoder, "H.264 (libx264 165), libavcodec 61.3.100");
    record_fixture_text(&f->now.platform.muxer, "libavformat 61.1.100");
}

/* Replaces every hash, as another platform does, and nothing else. */
static void other_hashes(struct fixture *f)
{
    for (uint64_t i = 0; i < f->now.count; i++) {
        struct frame_record *frame = &f->now.frames[i];
        if (i > 0)
            other_bits(frame->state);
        other_bits(frame->light);
        other_bits(frame->picture);
        other_bits(frame->packet);
        other_bits(frame->decoded);
    }
}

static enum status no_pictures_differ(void *user, const uint64_t *frames, size_t count,
                                      struct stage_report *stage, size_t *measured)
{
    (void)user;
    (void)frames;
    (void)stage;
    *measured = count < 16 ? count : 16;
    return STATUS_OK;
}

/* ---- the same platform: bits ---- */

static void test_equal(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    judge(&f);
    for (int i = 0; i < JUDGED_COUNT; i++) {
        assert_int_equal(f.one->stages[i].verdict, VERDICT_SAME);
        assert_int_equal(f.one->stages[i].first_frame, -1);
        assert_true(f.one->stages[i].compared == f.one->stages[i].planned);
    }
    assert_string_equal(f.one->stages[JUDGED_LIGHT].sentence, "same bits in 24 of 24 frames");
    assert_int_equal(f.one->environment_count, 0);
    assert_int_equal(f.one->frames, FRAMES);
    assert_int_equal(f.one->alignment_count, FRAMES);
    expect(&f, VERDICT_SAME, -1, "'7 of 7' stages");
}

/* One frame of one stage differs in bits while earlier stages are the same; what depends on it
 * differs too. */
static void test_one_frame(void **state)
{
    static const struct {
        enum judged stage;
        uint64_t frame;
        const char *part;
    } cases[] = {
        {JUDGED_START, 0, "the initial state differs at frame 0"},
        {JUDGED_PHYSICS, 7, "physics changed at frame 7"},
        {JUDGED_LIGHT, 0, "same bodies, light differs from frame 0"},
        {JUDGED_LIGHT, 23, "same bodies, light differs from frame 23"},
        {JUDGED_PICTURE, 9, "same bodies, picture differs from frame 9"},
        {JUDGED_PACKETS, 11, "same pictures, packets differ from frame 11"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int depends = 0; depends < 2; depends++) {
            struct fixture f;
            make(&f);
            struct frame_record *frame = &f.now.frames[cases[k].frame];
            char *const hashes[] = {frame->state, frame->light, frame->picture, frame->packet};
            const int first = cases[k].stage == JUDGED_START ? 0 : (int)cases[k].stage - 2;
            for (int h = first; h < (depends ? 4 : first + 1); h++)
                other_bits(hashes[h]);
            expect(&f, VERDICT_CHANGED, (int)cases[k].stage, cases[k].part);
        }
}

/* Other bits of a stage explain those of all later stages. */
static void test_what_explains(void **state)
{
    (void)state;
    for (int first = JUDGED_PHYSICS; first <= JUDGED_PACKETS; first++) {
        struct fixture f;
        make(&f);
        struct frame_record *frame = &f.now.frames[9];
        char *const hashes[] = {frame->state, frame->light, frame->picture, frame->packet};
        for (int h = first - JUDGED_PHYSICS; h < 4; h++)
            other_bits(hashes[h]);
        judge(&f);
        assert_int_equal(f.one->stage, first);
        for (int i = JUDGED_PHYSICS; i <= JUDGED_PACKETS; i++)
            assert_int_equal(f.one->stages[i].follows, i > first);
        end(&f);
    }
}

static void test_what_follows(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    for (uint64_t i = 7; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        other_bits(f.now.frames[i].light);
        other_bits(f.now.frames[i].picture);
        other_bits(f.now.frames[i].packet);
    }
    judge(&f);
    for (int i = JUDGED_LIGHT; i <= JUDGED_PACKETS; i++) {
        assert_true(f.one->stages[i].follows);
        assert_int_equal(f.one->stages[i].verdict, VERDICT_NOT_JUDGED);
        assert_true(strncmp(f.one->stages[i].sentence, "follows from physics: ", 22) == 0);
    }
    assert_int_equal(f.one->stages[JUDGED_CONTAINER].verdict, VERDICT_SAME);
    assert_int_equal(f.one->stage, JUDGED_PHYSICS);

    /* substituted, each is judged by itself */
    struct record drawn;
    record_fixture_make(&drawn, 3);
    struct comparison again = {
        .before = &f.before, .now = &drawn, .limits = f.limits, .substituted = true};
    other_bits(drawn.frames[1].picture);
    assert_ok(judge_stage(&again, JUDGED_LIGHT, &f.one->stages[JUDGED_LIGHT]));
    assert_ok(judge_stage(&again, JUDGED_PICTURE, &f.one->stages[JUDGED_PICTURE]));
    assert_int_equal(f.one->stages[JUDGED_LIGHT].verdict, VERDICT_SAME);
    assert_int_equal(f.one->stages[JUDGED_PICTURE].verdict, VERDICT_CHANGED);
    assert_true(f.one->stages[JUDGED_PICTURE].substituted &&
                !f.one->stages[JUDGED_PICTURE].follows);
    assert_int_equal(f.one->stages[JUDGED_PICTURE].planned, 3);
    assert_int_equal(f.one->stages[JUDGED_PICTURE].first_frame, 1);
    case_conclude(f.one);
    assert_int_equal(f.one->stage, JUDGED_PHYSICS);
    assert_says(f.one->sentence, "also changed picture");
    record_free(&drawn);
    end(&f);
}

static void test_scene(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    record_fixture_text(&f.now.scene,
                        "simulation:\n  dt: 0.02\n  softening: 0.05\n  force: fast\n"
                        "look:\n  exposure: 1\n  bloom: 0.3\noutput:\n  frames: 24\n");
    other_bits(f.now.frames[3].picture);
    judge(&f);
    assert_true(f.one->stages[JUDGED_PICTURE].follows);
    assert_true(found(&f, RULE_SCENE_KEYS)->value == 2);
    expect(&f, VERDICT_CHANGED, JUDGED_SCENE, "scene simulation.dt 0.02 0.01 look.bloom 0.3 0.2");
    /* A value that leaves the choice to the codec is shown with the codec's choice. */
    make(&f);
    record_fixture_text(&f.before.scene, "output:\n  crf: -1\n  preset: \"\"\n  bits: 0\n");
    record_fixture_text(&f.now.scene, "output:\n  crf: 25\n  preset: fast\n  bits: 0\n");
    expect(&f, VERDICT_CHANGED, JUDGED_SCENE, "output.crf 25 default 23 output.preset fast medium");
    make(&f);
    record_fixture_text(&f.before.encoding, "");
    record_fixture_text(&f.now.encoding, "h264_nvenc p5 cq 19.5");
    record_fixture_text(&f.before.scene, "output:\n  crf: -1\n");
    record_fixture_text(&f.now.scene, "output:\n  crf: -2\n");
    expect(&f, VERDICT_CHANGED, JUDGED_SCENE, "crf default 19.5");
    make(&f);
    free(f.now.scene);
    f.now.scene = NULL;
    expect(&f, VERDICT_NOT_JUDGED, -1, "film scene");
}

static void test_time_of_frames(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.now.frames[5].time += 1e-9;
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "1 frame shows simulated time");
}

static void test_order_of_frames(void **state)
{
    struct fixture f;
    (void)state;
    make(&f); /* frames 10 and 11 swapped */
    memcpy(f.now.frames[10].picture, f.before.frames[11].picture, HASH_TEXT);
    memcpy(f.now.frames[11].picture, f.before.frames[10].picture, HASH_TEXT);
    judge(&f);
    assert_true(found(&f, RULE_SEQUENCE_ORDER)->value == 2);
    assert_int_equal(f.one->alignment[10].a, 11);
    assert_int_equal(f.one->alignment[10].kind, STEP_SWAPPED);
    assert_int_equal(f.one->alignment[11].kind, STEP_SWAPPED);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "frame 10 shows 11");

    make(&f); /* one frame late from frame 4 on */
    for (uint64_t i = 4; i < FRAMES; i++)
        memcpy(f.now.frames[i].picture, f.before.frames[i - 1].picture, HASH_TEXT);
    judge(&f);
    assert_int_equal(f.one->alignment[4].kind, STEP_REPEATED);
    assert_int_equal(f.one->alignment[FRAMES].kind, STEP_DROPPED);
    assert_int_equal(f.one->alignment[FRAMES].a, FRAMES - 1);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "frame 4 shows 3 20 frames");

    make(&f); /* three frames late, the largest shift that is searched */
    for (uint64_t i = 8; i < FRAMES; i++)
        memcpy(f.now.frames[i].picture, f.before.frames[i - 3].picture, HASH_TEXT);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "frame 8 shows 5 16 frames");
    make(&f); /* three early */
    for (uint64_t i = 8; i + 3 < FRAMES; i++)
        memcpy(f.now.frames[i].picture, f.before.frames[i + 3].picture, HASH_TEXT);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "frame 8 shows 11 13 frames");

    make_of(&f, FRAMES, FRAMES - 1);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "23 frames instead 24");
    make_of(&f, FRAMES, FRAMES + 1);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "25 frames instead 24");
}

/* The film shows these frames; the packets of all frames have other bits from the third on. */
static void film_shows(struct fixture *f, const uint64_t *shows, uint64_t count)
{
    f->now.shows = memory_new(count, sizeof *f->now.shows);
    memcpy(f->now.shows, shows, count * sizeof *shows);
    f->now.shown = f->now.container.frames = count;
    f->now.container.duration = (double)count / 30;
    for (uint64_t i = 0; i < f->now.count; i++) {
        struct frame_record *frame = &f->now.frames[i];
        if (i > 2)
            other_bits(frame->packet);
        if (i >= count)
            frame->packet[0] = '\0';
        if (record_is_shown(&f->now, i))
            continue;
        frame->decoded[0] = '\0';
        frame->psnr_y = frame->psnr_cb = frame->psnr_cr = frame->ssim = frame->bias = NAN;
    }
}

/* Kind and numbers of a step, as many as there are. */
static void is_step(const struct fixture *f, uint32_t at, int kind, int64_t a, int64_t b)
{
    const struct alignment_step *step = &f->one->alignment[at];
    assert_true(at < f->one->alignment_count);
    assert_int_equal(step->kind, kind);
    assert_int_equal(step->a, a);
    assert_int_equal(step->b, b);
}

static void no_nan(const struct fixture *f)
{
    for (int i = 0; i < JUDGED_COUNT; i++)
        assert_lacks(f->one->stages[i].sentence, "nan");
}

static void test_order_in_the_film(void **state)
{
    struct fixture f;
    (void)state;
    uint64_t shows[FRAMES + 1];
    for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
        make(&f); /* frame 5 is dropped */
        for (uint64_t i = 0; i < FRAMES - 1; i++)
            shows[i] = i < 5 ? i : i + 1;
        film_shows(&f, shows, FRAMES - 1);
        if (elsewhere)
            other_platform(&f);
        judge(&f);
        no_nan(&f);
        assert_true(found(&f, RULE_PACKETS_ORDER)->value == 1);
        assert_int_equal(f.one->stages[JUDGED_PACKETS].first_frame, 5);
        assert_true(f.one->stages[JUDGED_CONTAINER].follows);
        assert_int_equal(f.one->alignment_count, FRAMES);
        is_step(&f, 5, STEP_DROPPED, 5, -1);
        is_step(&f, 6, STEP_PAIR, 6, 5);
        expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "pictures packets frame 5 film missing");

        make(&f); /* frame 5 is doubled */
        for (uint64_t i = 0; i < FRAMES + 1; i++)
            shows[i] = i < 6 ? i : i - 1;
        film_shows(&f, shows, FRAMES + 1);
        if (elsewhere)
            other_platform(&f);
        judge(&f);
        no_nan(&f);
        is_step(&f, 6, STEP_REPEATED, 5, 6);
        expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "frame 5 film twice");

        make(&f); /* frames 5 and 6 are swapped */
        for (uint64_t i = 0; i < FRAMES; i++)
            shows[i] = i == 5 ? 6 : i == 6 ? 5 : i;
        film_shows(&f, shows, FRAMES);
        if (elsewhere)
            other_platform(&f);
        judge(&f);
        no_nan(&f);
        is_step(&f, 5, STEP_SWAPPED, 6, 5);
        is_step(&f, 6, STEP_SWAPPED, 5, 6);
        expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "frame 5 frames 6 film swapped");
    }
    /* The last frame is missing: all existing packets are the same. */
    make(&f);
    for (uint64_t i = 0; i < FRAMES; i++)
        shows[i] = i;
    film_shows(&f, shows, FRAMES - 1);
    for (uint64_t i = 3; i < FRAMES - 1; i++)
        memcpy(f.now.frames[i].packet, f.before.frames[i].packet, HASH_TEXT);
    expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "frame 23 film missing");
    /* The same if the container hides the last frame. */
    make(&f);
    film_shows(&f, shows, FRAMES - 1);
    for (uint64_t i = 3; i < FRAMES - 1; i++)
        memcpy(f.now.frames[i].packet, f.before.frames[i].packet, HASH_TEXT);
    f.now.container.hidden = 1;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "23 frames instead 24");
    /* As it was recorded. */
    make(&f);
    film_shows(&f, shows, FRAMES - 1);
    f.before.shows = memory_new(FRAMES, sizeof *shows);
    memcpy(f.before.shows, shows, sizeof shows - sizeof *shows);
    f.before.shown = FRAMES - 1;
    judge(&f);
    assert_true(found(&f, RULE_PACKETS_ORDER) == NULL || found(&f, RULE_PACKETS_ORDER)->value == 0);
    end(&f);
}

/* A value that only one side has cannot pass, and is described in words. */
static void test_loss_of_one_side(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    other_hashes(&f);
    f.comparison.details.pictures = no_pictures_differ;
    f.now.frames[7].psnr_y = NAN;
    judge(&f);
    no_nan(&f);
    expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "PSNR luma frame 7 measured side");
}

/* Pictures in files of their own have no packets, but an order. */
static void test_order_of_files(void **state)
{
    struct fixture f;
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++) {
        uint64_t shows[FRAMES];
        make(&f);
        struct record *const records[] = {&f.before, &f.now};
        for (int r = 0; r < 2; r++) {
            record_fixture_text(&records[r]->output_format, "png");
            for (uint64_t i = 0; i < FRAMES; i++) {
                struct frame_record *frame = &records[r]->frames[i];
                frame->packet[0] = '\0';
                frame->key = false;
                frame->psnr_y = frame->psnr_cb = frame->psnr_cr = INFINITY;
                shows[i] = i == 7 ? 8 : i == 8 ? 7 : i;
            }
        }
        if (swapped) {
            f.now.shows = memory_new(FRAMES, sizeof *shows);
            memcpy(f.now.shows, shows, sizeof shows);
            f.now.shown = FRAMES;
        }
        if (swapped)
            expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "packets frame 7 frames 8 film swapped");
        else
            expect(&f, VERDICT_SAME, -1, "");
    }
}

/* An index that marks other frames as key frames, with the same packets, is the container's fault.
 */
static void test_keys_of_the_index(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.now.frames[5].key = true;
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_CONTAINER].first_frame, 5);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "packets container frame 5 index calls key");
    make(&f);
    f.now.frames[5].key = true;
    other_bits(f.now.frames[5].packet);
    expect(&f, VERDICT_CHANGED, JUDGED_PACKETS, "1 frame GOP side");
}

static void test_broken_light(void **state)
{
    struct fixture f;
    (void)state;
    make(&f); /* on both sides, and with the same bits */
    f.before.frames[8].light_broken = f.now.frames[8].light_broken = 1024;
    expect(&f, VERDICT_CHANGED, JUDGED_LIGHT, "frame 8 1024 pixels infinite NaN");
    for (int side = 0; side < 2; side++) { /* the more of them */
        make(&f);
        (side ? &f.now : &f.before)->frames[8].light_broken = 7;
        (side ? &f.before : &f.now)->frames[8].light_broken = 3;
        expect(&f, VERDICT_CHANGED, JUDGED_LIGHT, "frame 8 7 pixels infinite NaN");
    }
}

static void test_container(void **state)
{
    static const struct {
        size_t offset;
        const char *value, *part;
    } texts[] = {
        {offsetof(struct container_record, format), "matroska", "format is matroska"},
        {offsetof(struct container_record, codec), "hevc", "codec is hevc, was h264"},
        {offsetof(struct container_record, profile), "Main", "profile is Main, was High"},
        {offsetof(struct container_record, pixel_format), "yuv444p", "pixel format is yuv444p"},
        {offsetof(struct container_record, range), "pc", "range is pc, was tv"},
        {offsetof(struct container_record, matrix), "bt470bg", "matrix is bt470bg"},
        {offsetof(struct container_record, transfer), "", "transfer is nothing, was bt709"},
        {offsetof(struct container_record, primaries), "bt2020", "primaries is bt2020"},
        {offsetof(struct container_record, chroma_site), "center", "chroma site is center"},
        {offsetof(struct container_record, time_base), "1/90000", "time base is 1/90000"},
        {offsetof(struct container_record, pixel_aspect), "4:3",
         "pixel aspect ratio is 4:3, was 1:1"},
    };
    struct fixture f;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        make(&f);
        record_fixture_text((char **)(void *)((char *)&f.now.container + texts[i].offset),
                            texts[i].value);
        expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, texts[i].part);
    }
    make(&f);
    f.now.container.fps_num = 30000;
    f.now.container.fps_den = 1001;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "packets container rate 30000/1001 30/1");
    make(&f);
    f.now.container.height = 182;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "size 320x182 320x180");
    make(&f);
    f.now.container.frames--;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "23 frames instead 24");
    make(&f);
    other_bits(f.now.container.times);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "shown other times");
    make(&f);
    f.now.container.duration = NAN;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "lasts nan");
    make(&f);
    f.now.container.bytes = 53000;
    expect(&f, VERDICT_WARNED, -1, "warning container film 53000 bytes 50000");
    make(&f);
    f.now.container.bytes = 44000;
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "film 44000 bytes");
    make(&f);
    record_fixture_text(&f.now.container.format, "");
    expect(&f, VERDICT_NOT_JUDGED, -1, "film file");
}

static void steady_times(struct record *record)
{
    struct container_record *container = &record->container;
    container->shown = malloc((size_t)container->frames * sizeof *container->shown);
    assert_non_null(container->shown);
    for (uint64_t i = 0; i < container->frames; i++)
        container->shown[i] = 512 * (int64_t)i;
    times_hash(container->shown, container->frames, container->times);
}

static void forget_times(struct record *record)
{
    free(record->container.shown);
    record->container.shown = NULL;
}

/* A baseline stores a hash of its times, which determines them if they are steady. */
static void test_times_of_the_container(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    steady_times(&f.before);
    forget_times(&f.before);
    steady_times(&f.now);
    f.now.container.shown[7] += 7;
    times_hash(f.now.container.shown, 24, f.now.container.times);
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_CONTAINER].first_frame, 7);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "container frame 7 0.233789 0.233333");
    make(&f);
    steady_times(&f.before);
    forget_times(&f.before);
    steady_times(&f.now);
    for (int i = 9; i < 24; i++)
        f.now.container.shown[i]++;
    times_hash(f.now.container.shown, 24, f.now.container.times);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "15 frames times frame 9 0.300065 0.3");
    /* the same times in another time base are told by the time base alone */
    make(&f);
    steady_times(&f.before);
    forget_times(&f.before);
    steady_times(&f.now);
    for (int i = 0; i < 24; i++)
        f.now.container.shown[i] = 1024 * i;
    times_hash(f.now.container.shown, 24, f.now.container.times);
    record_fixture_text(&f.now.container.time_base, "1/30720");
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_CONTAINER].first_frame, -1);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "time base 1/30720 1/15360");
}

/* Other bodies do not excuse the container's metadata; they excuse its size. */
static void test_container_of_another_film(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_bits(f.now.frames[7].state);
    other_bits(f.now.frames[7].picture);
    other_bits(f.now.frames[7].packet);
    f.now.container.bytes = 90000;
    judge(&f);
    assert_true(f.one->stages[JUDGED_CONTAINER].follows);
    record_fixture_text(&f.now.container.range, "pc");
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "container");
}

static void to_png(struct record *record)
{
    record_fixture_text(&record->output_format, "png");
    record_fixture_text(&record->container.format, "png");
    record->container.duration = NAN;
    for (uint64_t i = 0; i < record->count; i++)
        record->frames[i].packet[0] = '\0';
}

static void test_png_has_no_packets(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    to_png(&f.before);
    to_png(&f.now);
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_PACKETS].verdict, VERDICT_NOT_APPLICABLE);
    assert_string_equal(f.one->stages[JUDGED_PACKETS].sentence, "png has no packets");
    assert_int_equal(f.one->stages[JUDGED_CONTAINER].verdict, VERDICT_NOT_APPLICABLE);
    expect(&f, VERDICT_SAME, -1, "'5 of 5' stages");

    make(&f); /* what is missing on one side is not */
    to_png(&f.now);
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_PACKETS].verdict, VERDICT_NOT_JUDGED);
    expect(&f, VERDICT_CHANGED, JUDGED_CONTAINER, "format png");
    make(&f);
    for (uint64_t i = 0; i < FRAMES; i++)
        f.before.frames[i].packet[0] = f.now.frames[i].packet[0] = '\0';
    expect(&f, VERDICT_NOT_JUDGED, -1, "packets");
}

static void test_nothing_recorded(void **state)
{
    static const size_t offsets[] = {
        offsetof(struct frame_record, state), offsetof(struct frame_record, light),
        offsetof(struct frame_record, picture), offsetof(struct frame_record, packet)};
    (void)state;
    for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++)
        for (int sides = 0; sides < 3; sides++)
            for (int all = 0; all < 2; all++) {
                struct fixture f;
                make(&f);
                for (uint64_t i = all ? 0 : 5; i < (all ? FRAMES : 6); i++) {
                    if (sides != 1)
                        ((char *)&f.before.frames[i])[offsets[k]] = '\0';
                    if (sides != 0)
                        ((char *)&f.now.frames[i])[offsets[k]] = '\0';
                }
                expect(&f, VERDICT_NOT_JUDGED, -1, "");
            }
}

static void test_empty(void **state)
{
    struct fixture f;
    (void)state;
    make_of(&f, 0, 0);
    expect(&f, VERDICT_NOT_JUDGED, -1, "baseline frames");
    make_of(&f, FRAMES, 0);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "0 frames instead 24");
    make_of(&f, 0, FRAMES);
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "24 frames instead 0");

    *(&f) = (struct fixture){0}; /* records of nothing at all */
    limits_open(&f.limits);
    f.comparison = (struct comparison){.before = &f.before, .now = &f.now, .limits = f.limits};
    f.one = report_add_case(&f.report, "nothing");
    expect(&f, VERDICT_NOT_JUDGED, -1, "scene baseline");
}

/* Frames with different numbers are not compared. */
static void test_no_frame_in_common(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    for (uint64_t i = 0; i < FRAMES; i++)
        f.now.frames[i].frame += 100;
    judge(&f);
    assert_false(verdict_passes(f.one->verdict));
    assert_int_equal(f.one->stages[JUDGED_PHYSICS].compared, 0);
    assert_int_equal(f.one->stages[JUDGED_PHYSICS].planned, 2 * FRAMES);
    end(&f);
}

static void test_bodies_are_counted(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.now.bodies--;
    for (uint64_t i = 0; i < FRAMES; i++)
        other_bits(f.now.frames[i].state);
    expect(&f, VERDICT_CHANGED, JUDGED_START, "999 bodies instead 1000");
}

static const double (*positions_of(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    static double a[5000][3], b[5000][3];
    (void)user;
    *count = 5000;
    b[4210][1] = 3e-4;
    b[17][0] = 1e-4;
    if (frame != 17)
        return NULL;
    return now ? (const double(*)[3])b : (const double(*)[3])a;
}

static void test_the_body_that_moved(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.comparison.details.positions = positions_of;
    for (uint64_t i = 12; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        f.now.frames[i].bodies[0].diagnostics.energy *= 1 + 1.2e-3;
        f.now.frames[i].bodies[0].sketch[3] += 1e-2;
    }
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS,
           "physics frame 12 body 4,211 moved 3.0e-04 17 jump");
    make(&f); /* the first frame that differs has a state itself */
    f.comparison.details.positions = positions_of;
    for (uint64_t i = 17; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        f.now.frames[i].bodies[0].sketch[3] += 1e-2;
    }
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "physics frame 17 body 4,211 moved 3.0e-04");
}

static const double (*fewer_positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    const double(*found)[3] = positions_of(user, now, 17, count);
    (void)frame;
    *count -= now;
    return found;
}

/* Different numbers of bodies cannot be matched one by one. */
static void test_no_body_moved(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.comparison.details.positions = fewer_positions;
    for (uint64_t i = 12; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        f.now.frames[i].bodies[0].sketch[3] += 1e-2;
    }
    judge(&f);
    assert_lacks(f.one->sentence, "moved");
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "physics frame 12 bodies");
}

static const double (*broken_positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    static double a[300][3], b[300][3];
    (void)user;
    *count = 300;
    b[17][0] = 1e-4;
    b[210][1] = NAN;
    b[211][2] = 1;
    return frame == 17 ? (const double(*)[3])(now ? b : a) : NULL;
}

static void test_the_body_that_broke(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.comparison.details.positions = broken_positions;
    for (uint64_t i = 12; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        f.now.frames[i].bodies[0].sketch[3] += 1e-2;
    }
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "body 211 finite position frame 17");
}

/* Different numbers of bodies have no distance. */
static void test_other_bodies_have_no_distance(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    other_bits(f.now.frames[0].state);
    f.now.bodies++;
    judge(&f);
    assert_true(found(&f, RULE_START_BODIES)->value == 1);
    assert_null(found(&f, RULE_START_DISTANCE));
    end(&f);
}

/* ---- another platform: limits ---- */

/* What the first frame's bodies differ by, of the system's scales: M = 1, K = 1/4, W = -1/2, hence
 * v = sqrt(1/2), R = 2. */
static void test_every_sum_of_the_start_counts(void **state)
{
    (void)state;
    const double v = sqrt(0.5), size = 2;
    for (int k = 0; k < 6; k++) {
        struct fixture f;
        make(&f);
        other_platform(&f);
        f.comparison.details.pictures = no_pictures_differ;
        struct diagnostics *now = &f.now.frames[0].bodies[0].diagnostics;
        other_bits(f.now.frames[0].state);
        double *const number[] = {&now->mass,
                                  &now->kinetic,
                                  &now->centre[1],
                                  &now->momentum[2],
                                  &now->angular_momentum[2],
                                  NULL};
        const double scale[] = {1, 0.25, size, v, v * size};
        if (k < 5)
            *number[k] += 1e-6 * scale[k];
        else /* all positions */
            for (int i = 0; i < RECORD_SKETCH; i++)
                f.now.frames[0].bodies[0].sketch[i] += 1e-6 * size * sqrt((double)f.now.bodies);
        judge(&f);
        const double apart = found(&f, RULE_START_DISTANCE)->value;
        if (!(fabs(apart / 1e-6 - 1) < 1e-5))
            fail_msg("number %d: %g apart", k, apart);
        assert_int_equal(found(&f, RULE_START_DISTANCE)->verdict, VERDICT_CHANGED);
        end(&f);
    }
}

static void test_another_platform(void **state)
{
    struct fixture f;
    (void)state;
    make(&f); /* that happens to give the same bits */
    other_platform(&f);
    judge(&f);
    assert_false(f.one->stages[JUDGED_LIGHT].same_platform);
    assert_true(f.one->environment_count >= 5);
    expect(&f, VERDICT_SAME, -1, "'7 of 7' stages");

    make(&f);
    other_platform(&f);
    other_hashes(&f);
    f.comparison.details.pictures = no_pictures_differ;
    judge(&f);
    for (int i = JUDGED_PHYSICS; i <= JUDGED_PACKETS; i++)
        assert_int_equal(f.one->stages[i].verdict, VERDICT_WITHIN);
    assert_string_equal(f.one->stages[JUDGED_PICTURE].sentence,
                        "other bits, but no measured difference");
    expect(&f, VERDICT_WITHIN, -1, "limits '7 of 7'");

    make(&f); /* unknown without pictures */
    other_platform(&f);
    other_hashes(&f);
    expect(&f, VERDICT_NOT_JUDGED, -1, "picture 24 frames pictures");
}

/* One change each on another platform, which bits cannot detect. */
enum change {
    LIGHT,
    LIGHT_NAN,
    MEAN_LIGHT,
    FLICKER,
    THUMBNAIL,
    ENERGY,
    ENERGY_NAN,
    MOMENTUM,
    SPIN,
    CENTRE,
    HALF_MASS,
    SKETCH,
    SKETCH_NAN,
    PSNR,
    PSNR_WORST,
    PSNR_NAN,
    CHROMA,
    CHROMA_WORST,
    CHROMA_NAN,
    SSIM,
    SSIM_WORST,
    BIAS,
    BIAS_NAN,
    KEYS,
    START,
    CHANGES
};

static void apply(enum change change, struct frame_record *frame)
{
    const bool first = frame->frame == 0, late = frame->frame >= 12, one = frame->frame == 12;
    struct diagnostics *d = &frame->bodies[0].diagnostics;
    switch (change) {
    case LIGHT:
        frame->light_sum[1] *= 1.02;
        break;
    case LIGHT_NAN:
        frame->light_sum[2] = NAN;
        break;
    case MEAN_LIGHT:
        frame->picture_light *= 1.02;
        break;
    case FLICKER:
        frame->picture_light *= frame->frame % 2 ? 1.0008 : 0.9992;
        break;
    case THUMBNAIL:
        frame->thumbnail[3][5] += one ? 2 : 0;
        break;
    case ENERGY:
        d->energy *= late ? 1 + 1e-4 : 1;
        break;
    case ENERGY_NAN:
        d->energy = one ? NAN : d->energy;
        break;
    case MOMENTUM:
        d->momentum[0] += late ? 1e-5 : 0;
        break;
    case SPIN:
        d->angular_momentum[2] += late ? 1e-5 : 0;
        break;
    case CENTRE:
        d->centre[2] += late ? 1e-5 : 0;
        break;
    case HALF_MASS:
        frame->bodies[0].half_mass *= late ? 1.02 : 1;
        break;
    case SKETCH:
        frame->bodies[0].sketch[4] += one ? 1e-3 : 0;
        break;
    case SKETCH_NAN:
        frame->bodies[0].sketch[0] = one ? NAN : frame->bodies[0].sketch[0];
        break;
    case PSNR:
        frame->psnr_y -= 0.25;
        break;
    case PSNR_WORST:
        frame->psnr_y -= one ? 1.5 : 0;
        break;
    case PSNR_NAN:
        frame->psnr_y = one ? NAN : frame->psnr_y;
        break;
    case CHROMA:
        frame->psnr_cr -= 0.25;
        break;
    case CHROMA_WORST:
        frame->psnr_cb -= one ? 2.5 : 0; /* was the better plane by 1 */
        break;
    case CHROMA_NAN:
        frame->psnr_cb = one ? NAN : frame->psnr_cb;
        break;
    case SSIM:
        frame->ssim -= 0.07;
        break;
    case SSIM_WORST:
        frame->ssim -= one ? 0.3 : 0;
        break;
    case BIAS:
        frame->bias += 0.12;
        break;
    case BIAS_NAN:
        frame->bias = one ? NAN : frame->bias;
        break;
    case KEYS:
        frame->key = frame->frame % 10 == 0;
        break;
    case START:
        d->kinetic *= first ? 1 + 1e-6 : 1;
        other_bits(frame->state);
        break;
    case CHANGES:
        break;
    }
}

static void test_changes_on_another_platform(void **state)
{
    static const struct {
        enum judged stage;
        enum rule_name rule;
    } wanted[CHANGES] = {
        [LIGHT] = {JUDGED_LIGHT, RULE_LIGHT_SUM},
        [LIGHT_NAN] = {JUDGED_LIGHT, RULE_LIGHT_SUM},
        [MEAN_LIGHT] = {JUDGED_PICTURE, RULE_PICTURE_MEAN_LIGHT},
        [FLICKER] = {JUDGED_PICTURE, RULE_SEQUENCE_MEAN_LIGHT},
        [THUMBNAIL] = {JUDGED_PICTURE, RULE_PICTURE_THUMBNAIL},
        [ENERGY] = {JUDGED_PHYSICS, RULE_PHYSICS_ENERGY},
        [ENERGY_NAN] = {JUDGED_PHYSICS, RULE_PHYSICS_ENERGY},
        [MOMENTUM] = {JUDGED_PHYSICS, RULE_PHYSICS_MOMENTUM},
        [SPIN] = {JUDGED_PHYSICS, RULE_PHYSICS_ANGULAR_MOMENTUM},
        [CENTRE] = {JUDGED_PHYSICS, RULE_PHYSICS_CENTRE},
        [HALF_MASS] = {JUDGED_PHYSICS, RULE_PHYSICS_HALF_MASS},
        [SKETCH] = {JUDGED_PHYSICS, RULE_PHYSICS_JUMP},
        [SKETCH_NAN] = {JUDGED_PHYSICS, RULE_PHYSICS_JUMP},
        [PSNR] = {JUDGED_PACKETS, RULE_PACKETS_PSNR_MEAN},
        [PSNR_WORST] = {JUDGED_PACKETS, RULE_PACKETS_PSNR_WORST},
        [PSNR_NAN] = {JUDGED_PACKETS, RULE_PACKETS_PSNR_MEAN},
        [CHROMA] = {JUDGED_PACKETS, RULE_PACKETS_CHROMA_MEAN},
        [CHROMA_WORST] = {JUDGED_PACKETS, RULE_PACKETS_CHROMA_WORST},
        [CHROMA_NAN] = {JUDGED_PACKETS, RULE_PACKETS_CHROMA_MEAN},
        [SSIM] = {JUDGED_PACKETS, RULE_PACKETS_SSIM_MEAN},
        [SSIM_WORST] = {JUDGED_PACKETS, RULE_PACKETS_SSIM_WORST},
        [BIAS] = {JUDGED_PACKETS, RULE_PACKETS_BIAS},
        [BIAS_NAN] = {JUDGED_PACKETS, RULE_PACKETS_BIAS},
        [KEYS] = {JUDGED_PACKETS, RULE_PACKETS_KEYS},
        [START] = {JUDGED_START, RULE_START_DISTANCE},
    };
    (void)state;
    for (int change = 0; change < CHANGES; change++) {
        struct fixture f;
        make(&f);
        other_platform(&f);
        f.comparison.details.pictures = no_pictures_differ;
        const enum judged stage = wanted[change].stage;
        for (uint64_t i = 0; i < FRAMES; i++) {
            struct frame_record *frame = &f.now.frames[i];
            if (stage == JUDGED_PHYSICS && i > 0)
                other_bits(frame->state);
            if (stage == JUDGED_LIGHT)
                other_bits(frame->light);
            if (stage == JUDGED_PICTURE)
                other_bits(frame->picture);
            if (stage == JUDGED_PACKETS)
                other_bits(frame->packet);
            apply((enum change)change, frame);
        }
        judge(&f);
        const struct finding *finding = found(&f, wanted[change].rule);
        if (!finding || finding->verdict != VERDICT_CHANGED || f.one->stage != (int)stage) {
            show(&f);
            fail_msg("change %d: %s is %g", change, rules[wanted[change].rule].name,
                     finding ? finding->value : -1);
        }
        assert_false(f.one->stages[stage].same_platform);
        /* not the first frame with other bits, but the first beyond a limit */
        if (change == ENERGY || change == SPIN || change == THUMBNAIL || change == SKETCH)
            assert_int_equal(f.one->stages[stage].first_frame, 12);
        end(&f);
    }
}

/* Luma that decodes darker is as wrong as luma that decodes brighter. */
static void test_bias_of_either_sign(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct fixture f;
        make(&f);
        other_platform(&f);
        for (uint64_t i = 0; i < FRAMES; i++) {
            other_bits(f.now.frames[i].packet);
            f.now.frames[i].bias += 0.2 * sign;
        }
        judge(&f);
        const struct finding *finding = found(&f, RULE_PACKETS_BIAS);
        assert_true(fabs(finding->value - 0.2) < 1e-12);
        assert_int_equal(finding->verdict, VERDICT_CHANGED);
        end(&f);
    }
}

/* A frame that decodes without loss, as black ones do, counts as 100 dB; a film whose chroma is
 * lossy is not lossless. */
static void test_losses_of_some_frames(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    for (uint64_t i = 0; i < FRAMES; i++)
        other_bits(f.now.frames[i].packet);
    f.before.frames[4].psnr_y = INFINITY;
    f.now.frames[4].psnr_y = 52;
    judge(&f);
    assert_true(fabs(found(&f, RULE_PACKETS_PSNR_MEAN)->value - (100. - 52) / FRAMES) < 1e-9);
    end(&f);
    for (int cr = 0; cr < 2; cr++) {
        make(&f);
        other_platform(&f);
        for (uint64_t i = 0; i < FRAMES; i++) {
            struct frame_record *was = &f.before.frames[i], *is = &f.now.frames[i];
            other_bits(is->packet);
            was->psnr_y = is->psnr_y = INFINITY;
            was->psnr_cb = is->psnr_cb = was->psnr_cr = is->psnr_cr = INFINITY;
            *(cr ? &was->psnr_cr : &was->psnr_cb) = 46;
            *(cr ? &is->psnr_cr : &is->psnr_cb) = 40;
        }
        judge(&f);
        assert_null(found(&f, RULE_PACKETS_DECODED));
        assert_true(found(&f, RULE_PACKETS_CHROMA_MEAN)->value == 6);
        end(&f);
    }
}

/* Each film's drift is relative to its own start. */
static void test_drifts_are_told(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    for (uint64_t i = 0; i < FRAMES; i++) {
        if (i > 0)
            other_bits(f.now.frames[i].state);
        f.before.frames[i].bodies[0].diagnostics.energy *= i + 1 < FRAMES ? 1 : 1.01;
        f.now.frames[i].bodies[0].diagnostics.energy *= i + 1 < FRAMES ? 1.5 : 1.5 * 1.03;
    }
    expect(&f, VERDICT_CHANGED, JUDGED_PHYSICS, "energy drift 3.0e-02 1.0e-02");
}

/* Not the first frame with other bits, but the first that is beyond the limit. */
static void test_light_from_a_frame_on(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    f.comparison.details.pictures = no_pictures_differ;
    for (uint64_t i = 0; i < FRAMES; i++) {
        other_bits(f.now.frames[i].light);
        f.now.frames[i].light_sum[1] *= i < 12 ? 1.0001 : 1.1;
    }
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_LIGHT].verdict, VERDICT_CHANGED);
    assert_int_equal(f.one->stages[JUDGED_LIGHT].first_frame, 12);
    end(&f);
}

static void test_light_that_is_no_number(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    for (uint64_t i = 0; i < FRAMES; i++)
        other_bits(f.now.frames[i].picture);
    f.now.frames[7].picture_light = NAN;
    judge(&f);
    static const enum rule_name names[] = {RULE_PICTURE_MEAN_LIGHT, RULE_SEQUENCE_MEAN_LIGHT};
    for (int k = 0; k < 2; k++) {
        assert_true(isnan(found(&f, names[k])->value));
        assert_int_equal(found(&f, names[k])->verdict, VERDICT_CHANGED);
    }
    end(&f);
}

/* Without pictures, light and thumbnails cannot clear a film, but they can accuse one. */
static void test_light_alone_accuses(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    record_fixture_text(&f.now.platform.drawing, "another");
    for (uint64_t i = 0; i < FRAMES; i++)
        other_bits(f.now.frames[i].picture);
    for (uint64_t i = 6; i < FRAMES; i++)
        f.now.frames[i].picture_light *= 1.02;
    expect(&f, VERDICT_CHANGED, JUDGED_PICTURE, "bodies picture frame 6 light 2");
}

/* The same small differences within the limits. */
static void test_noise_of_another_platform(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    other_hashes(&f);
    f.comparison.details.pictures = no_pictures_differ;
    for (uint64_t i = 1; i < FRAMES; i++) {
        struct frame_record *frame = &f.now.frames[i];
        frame->bodies[0].sketch[5] += 1e-9 * (double)(i * i);
        frame->bodies[0].diagnostics.energy *= 1 + 1e-7;
        frame->light_sum[0] *= 1.0003;
        frame->picture_light *= 1.0001;
        frame->thumbnail[1][1] ^= 1;
        frame->psnr_y -= 0.1;
    }
    f.now.container.bytes += 2000;
    judge(&f);
    assert_int_equal(f.one->stages[JUDGED_PHYSICS].verdict, VERDICT_WITHIN);
    assert_says(f.one->stages[JUDGED_PHYSICS].sentence, "grows round-off");
    assert_int_equal(f.one->stages[JUDGED_LIGHT].verdict, VERDICT_WITHIN);
    assert_int_equal(f.one->stages[JUDGED_PACKETS].verdict, VERDICT_WITHIN);
    expect(&f, VERDICT_WITHIN, -1, "limits '7 of 7' stages");
}

/* Bodies that differ by round-off may explain another picture: it is not judged, and does not pass.
 */
static void test_round_off_explains_pictures(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    other_hashes(&f);
    f.comparison.details.pictures = no_pictures_differ;
    for (uint64_t i = 1; i < FRAMES; i++)
        f.now.frames[i].bodies[0].sketch[5] += 1e-9 * (double)(i * i);
    f.now.frames[20].picture_light *= 1.5;
    judge(&f);
    assert_true(f.one->stages[JUDGED_PICTURE].follows);
    expect(&f, VERDICT_NOT_JUDGED, -1, "picture physics");
}

static void test_lossless(void **state)
{
    (void)state;
    for (int broken = 0; broken < 5; broken++) {
        struct fixture f;
        make(&f);
        record_fixture_text(&f.now.platform.encoder, "FFV1 (libavcodec 61.3.100)");
        for (uint64_t i = 0; i < FRAMES; i++) {
            f.before.frames[i].psnr_y = f.now.frames[i].psnr_y = INFINITY;
            f.before.frames[i].psnr_cb = f.now.frames[i].psnr_cb = INFINITY;
            f.before.frames[i].psnr_cr = f.now.frames[i].psnr_cr = INFINITY;
            other_bits(f.now.frames[i].packet);
        }
        if (broken == 1)
            other_bits(f.now.frames[4].decoded);
        if (broken == 2)
            f.now.frames[4].psnr_y = 60;
        if (broken == 3)
            f.now.frames[4].psnr_cr = 60;
        if (broken == 4)
            f.now.frames[4].psnr_cb = NAN;
        expect(&f, broken ? VERDICT_CHANGED : VERDICT_WITHIN, broken ? JUDGED_PACKETS : -1,
               broken ? "1 frame lossless film decodes" : "within limits");
    }
}

/* Functions that differ in the last digit give other bits of the start, which is a change on the
 * same platform only; older baselines do not record the functions. */
static void test_functions_of_another_library(void **state)
{
    static const char *const before[] = {"libm probe 0x11111111", "libm probe 0x22222222", ""};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct fixture f;
        make(&f);
        record_fixture_text(&f.before.platform.start, before[i]);
        record_fixture_text(&f.now.platform.start, "libm probe 0x22222222");
        other_bits(f.now.frames[0].state);
        judge(&f);
        assert_int_equal(f.one->stages[JUDGED_START].verdict,
                         i == 0 ? VERDICT_WITHIN : VERDICT_CHANGED);
        end(&f);
    }
}

/* A second simulation, whose panel is called 2. */
static void add_panel(struct record *record)
{
    record_fixture_text(&record->other_panel[0], "2");
    for (uint64_t i = 0; i < FRAMES; i++) {
        struct frame_record *frame = &record->frames[i];
        struct bodies_record *other = &frame->bodies[1 + 0];
        memcpy(other->state, frame->state, HASH_TEXT);
        memcpy(other->sketch, frame->bodies[0].sketch, sizeof other->sketch);
        other->diagnostics = frame->bodies[0].diagnostics;
        other->half_mass = frame->bodies[0].half_mass;
    }
}

/* Its bodies diverge from frame 10 on, those of the first simulation are the same. */
static void test_a_panel_is_judged(void **state)
{
    (void)state;
    enum { SAME, MOVED, MOVED_ON_THE_SAME_PLATFORM, ROUNDED, WIDER, NOT_RECORDED, GONE, CASES };
    for (int c = 0; c < CASES; c++) {
        struct fixture f;
        make(&f);
        if (c != MOVED_ON_THE_SAME_PLATFORM)
            other_platform(&f);
        f.comparison.details.pictures = no_pictures_differ;
        if (c != NOT_RECORDED)
            add_panel(&f.before);
        if (c != GONE)
            add_panel(&f.now);
        for (uint64_t i = 1; i < FRAMES && c != SAME; i++) {
            struct bodies_record *other = &f.now.frames[i].bodies[1 + 0];
            other_bits(f.now.frames[i].state);
            other_bits(other->state);
            if (c == ROUNDED)
                other->sketch[5] += 1e-9 * (double)(i * i);
            else if (i >= 10 && c == WIDER)
                other->half_mass *= 1.05;
            else if (i >= 10 && c < ROUNDED)
                other->sketch[4] += 1e-2;
        }
        judge(&f);
        const struct stage_report *physics = &f.one->stages[JUDGED_PHYSICS];
        const struct finding *jump = found(&f, RULE_PHYSICS_JUMP);
        if (c == MOVED || c == MOVED_ON_THE_SAME_PLATFORM) {
            assert_int_equal(f.one->stage, JUDGED_PHYSICS);
            assert_says(physics->sentence, "panel 2");
            assert_non_null(jump);
            assert_says(jump->text, "panel 2");
            assert_int_equal(jump->frame, 10);
        } else if (c == WIDER) {
            const struct finding *wider = found(&f, RULE_PHYSICS_HALF_MASS);
            assert_int_equal(wider->verdict, VERDICT_CHANGED);
            assert_says(wider->text, "panel 2 half-mass radii 5.0e+00");
        } else if (c == SAME || c == ROUNDED) {
            assert_true(verdict_passes(physics->verdict));
            assert_int_equal(!!jump, c == ROUNDED);
        } else {
            const struct finding *finding = found(&f, RULE_PHYSICS_POSITIONS);
            for (uint32_t i = 0; i < physics->finding_count; i++)
                if (physics->findings[i].text && strstr(physics->findings[i].text, "panel 2"))
                    finding = &physics->findings[i];
            assert_says(finding->text, "panel 2");
            assert_int_equal(finding->verdict, c == GONE ? VERDICT_CHANGED : VERDICT_WARNED);
        }
        end(&f);
    }
}

/* A baseline of an older program: missing measurements give a message; the other way round it
 * fails. */
static void test_loss_that_was_not_recorded(void **state)
{
    (void)state;
    for (int lost = 0; lost < 2; lost++) {
        struct fixture f;
        make(&f);
        record_fixture_text(&f.now.platform.encoder, "another");
        for (uint64_t i = 0; i < FRAMES; i++) {
            struct frame_record *frame = lost ? &f.now.frames[i] : &f.before.frames[i];
            frame->psnr_cb = frame->psnr_cr = frame->ssim = frame->bias = NAN;
            other_bits(f.now.frames[i].packet);
        }
        judge(&f);
        static const enum rule_name names[] = {RULE_PACKETS_CHROMA_MEAN, RULE_PACKETS_SSIM_MEAN,
                                               RULE_PACKETS_BIAS};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            const struct finding *finding = found(&f, names[i]);
            assert_non_null(finding);
            assert_int_equal(finding->verdict, lost ? VERDICT_CHANGED : VERDICT_WARNED);
            if (!lost)
                assert_says(finding->text, "record");
        }
        expect(&f, lost ? VERDICT_CHANGED : VERDICT_WARNED, lost ? JUDGED_PACKETS : -1, "");
    }
}

static enum status fails(void *user, const uint64_t *frames, size_t count,
                         struct stage_report *stage, size_t *measured)
{
    (void)user;
    (void)frames;
    (void)count;
    (void)stage;
    *measured = 0;
    return status_fail(STATUS_IO, "objects/ab: damaged");
}

static void test_pictures_that_cannot_be_read(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    other_platform(&f);
    other_hashes(&f);
    f.comparison.details.pictures = fails;
    assert_fails(judge_records(&f.comparison, f.one), STATUS_IO, "objects/ab");
    case_conclude(f.one);
    assert_int_equal(f.one->verdict, VERDICT_NOT_JUDGED);
    assert_says(f.one->sentence, "objects/ab");
    end(&f);
}

static void test_overridden_limits(void **state)
{
    struct fixture f;
    (void)state;
    make(&f);
    f.now.container.bytes = 58000;
    assert_ok(limits_set(f.limits, "container.size=20"));
    judge(&f);
    assert_string_equal(found(&f, RULE_CONTAINER_SIZE)->because, "given as an option");
    expect(&f, VERDICT_WITHIN, -1, "within limits");
}

static void test_timelines(void **state)
{
    struct fixture f;
    (void)state;
    make_of(&f, FRAMES, FRAMES - 1);
    f.before.softening = 1e6; /* so that something is allowed in every frame */
    f.now.frames[3].picture_light *= 1.01;
    f.now.frames[3].light_sum[1] *= 1.1;
    f.now.frames[3].bodies[0].diagnostics.energy *= 1.25;
    for (int i = 0; i < RECORD_SKETCH; i++) /* of the size, 2, of which a millionth is allowed */
        f.now.frames[0].bodies[0].sketch[i] += 1e-5 * 2 * sqrt((double)f.now.bodies);
    judge(&f);
    bool seen = false;
    for (uint32_t i = 0; i < f.one->series_count; i++) {
        const struct series *series = &f.one->series[i];
        assert_true(isnan(series->value[FRAMES - 1]));
        if (series->rule == &rules[RULE_PHYSICS_POSITIONS])
            assert_true(fabs(series->value[0] - 10) < 1e-6 && series->value[2] == 0);
        if (series->rule == &rules[RULE_PHYSICS_ENERGY])
            assert_true(fabs(series->value[3] - 0.25) < 1e-12);
        if (series->rule == &rules[RULE_LIGHT_SUM]) /* the worst channel */
            assert_true(fabs(series->value[3] - 100 * (1 - 1 / 1.1)) < 1e-9);
        if (series->rule != &rules[RULE_PICTURE_MEAN_LIGHT])
            continue;
        seen = true;
        assert_true(series->value[2] == 0 && fabs(series->value[3] - 1) < 0.02);
    }
    assert_true(seen);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal),
        cmocka_unit_test(test_one_frame),
        cmocka_unit_test(test_what_explains),
        cmocka_unit_test(test_what_follows),
        cmocka_unit_test(test_scene),
        cmocka_unit_test(test_time_of_frames),
        cmocka_unit_test(test_order_of_frames),
        cmocka_unit_test(test_order_in_the_film),
        cmocka_unit_test(test_loss_of_one_side),
        cmocka_unit_test(test_order_of_files),
        cmocka_unit_test(test_keys_of_the_index),
        cmocka_unit_test(test_broken_light),
        cmocka_unit_test(test_container),
        cmocka_unit_test(test_times_of_the_container),
        cmocka_unit_test(test_container_of_another_film),
        cmocka_unit_test(test_png_has_no_packets),
        cmocka_unit_test(test_nothing_recorded),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_no_frame_in_common),
        cmocka_unit_test(test_bodies_are_counted),
        cmocka_unit_test(test_the_body_that_moved),
        cmocka_unit_test(test_no_body_moved),
        cmocka_unit_test(test_the_body_that_broke),
        cmocka_unit_test(test_other_bodies_have_no_distance),
        cmocka_unit_test(test_every_sum_of_the_start_counts),
        cmocka_unit_test(test_another_platform),
        cmocka_unit_test(test_changes_on_another_platform),
        cmocka_unit_test(test_bias_of_either_sign),
        cmocka_unit_test(test_losses_of_some_frames),
        cmocka_unit_test(test_drifts_are_told),
        cmocka_unit_test(test_light_from_a_frame_on),
        cmocka_unit_test(test_light_that_is_no_number),
        cmocka_unit_test(test_light_alone_accuses),
        cmocka_unit_test(test_noise_of_another_platform),
        cmocka_unit_test(test_round_off_explains_pictures),
        cmocka_unit_test(test_lossless),
        cmocka_unit_test(test_loss_that_was_not_recorded),
        cmocka_unit_test(test_functions_of_another_library),
        cmocka_unit_test(test_a_panel_is_judged),
        cmocka_unit_test(test_pictures_that_cannot_be_read),
        cmocka_unit_test(test_overridden_limits),
        cmocka_unit_test(test_timelines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
