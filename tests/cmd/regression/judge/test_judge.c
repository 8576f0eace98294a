/* Two synthetic records judged: each row changes records that are the same, in the words of edit(),
 * and says what is found. */
#include "tests/support/test.h"
#include "tests/support/films/record_fixture.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/judge/judge.h"

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

static void open_of(struct fixture *f, uint64_t frames_before, uint64_t frames_now)
{
    *f = (struct fixture){0};
    record_fixture_make(&f->before, frames_before);
    record_fixture_make(&f->now, frames_now);
    limits_open(&f->limits);
    f->comparison = (struct comparison){.before = &f->before, .now = &f->now, .limits = f->limits};
    f->one = report_add_case(&f->report, "film");
}

static void end(struct fixture *f)
{
    report_free(&f->report);
    record_free(&f->before);
    record_free(&f->now);
    limits_close(&f->limits);
}

/* ---- what the records do not hold ---- */

static enum status no_pictures_differ(void *user, const uint64_t *frames, size_t count,
                                      struct stage_report *stage, size_t *measured)
{
    (void)user, (void)frames, (void)stage;
    *measured = count < 16 ? count : 16;
    return STATUS_OK;
}

static enum status pictures_fail(void *user, const uint64_t *frames, size_t count,
                                 struct stage_report *stage, size_t *measured)
{
    (void)user, (void)frames, (void)count, (void)stage;
    *measured = 0;
    return status_fail(STATUS_IO, "objects/ab: damaged");
}

/* Of frame 17: body 18 moves by 1e-4 and 4,211 by 3e-4. */
static const double (*positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    static double a[5000][3], b[5000][3];
    (void)user;
    *count = 5000;
    b[4210][1] = 3e-4;
    b[17][0] = 1e-4;
    return frame != 17 ? NULL : now ? (const double(*)[3])b : (const double(*)[3])a;
}

static const double (*fewer(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    const double(*found)[3] = positions(user, now, 17, count);
    (void)frame;
    *count -= now;
    return found;
}

static const double (*broken(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    static double a[300][3], b[300][3];
    (void)user;
    *count = 300;
    b[17][0] = 1e-4;
    b[210][1] = NAN;
    b[211][2] = 1;
    return frame == 17 ? (const double(*)[3])(now ? b : a) : NULL;
}

/* ---- edits ---- */

static void other_bits(char hash[HASH_TEXT])
{
    hash[0] = hash[0] == 'x' ? 'y' : 'x';
}

static void other_platform(struct record *record)
{
    record_fixture_text(&record->platform.start, "libm probe 0x22222222");
    record_fixture_text(&record->platform.physics, "fast on cpu, AVX-512, 16 lanes");
    record_fixture_text(&record->platform.drawing, "llvmpipe (LLVM 19.1.0, 256 bits), Mesa 25.0.7");
    record_fixture_text(&record->platform.encoder, "H.264 (libx264 165), libavcodec 61.3.100");
    record_fixture_text(&record->platform.muxer, "libavformat 61.1.100");
}

/* The film shows these frames, "0-4,6-23"; the packets of all frames have other bits from the third
 * on. */
static void film_shows(struct record *record, const char *list)
{
    record->shows = memory_new(2 * FRAMES, sizeof *record->shows);
    record->shown = 0;
    for (const char *at = list; *at;) {
        char *next;
        const uint64_t from = strtoull(at, &next, 10),
                       to = *next == '-' ? strtoull(next + 1, &next, 10) : from;
        for (uint64_t i = from; i <= to; i++)
            record->shows[record->shown++] = i;
        at = next + (*next == ',');
    }
    record->container.frames = record->shown;
    record->container.duration = (double)record->shown / 30;
    for (uint64_t i = 0; i < record->count; i++) {
        struct frame_record *frame = &record->frames[i];
        if (i > 2)
            other_bits(frame->packet);
        if (i >= record->shown)
            frame->packet[0] = '\0';
        if (record_is_shown(record, i))
            continue;
        frame->decoded[0] = '\0';
        frame->psnr_y = frame->psnr_cb = frame->psnr_cr = frame->ssim = frame->bias = NAN;
    }
}

/* Ticks of a constant rate, from a frame on later by some. */
static void set_times(struct record *record, int64_t step, int from, int to, int64_t later)
{
    struct container_record *container = &record->container;
    container->shown = memory_new((size_t)container->frames, sizeof *container->shown);
    for (int i = 0; i < (int)container->frames; i++)
        container->shown[i] = step * i + (i >= from && i <= to ? later : 0);
    times_hash(container->shown, container->frames, container->times);
}

enum kind { A_HASH, A_REAL, A_WHOLE, A_SHORT, A_FLAG, A_CODE, A_STRING };

static const struct member {
    const char *name;
    enum kind kind;
    bool of_record;
    size_t offset;
} members[] = {
#define IN_FRAME(kind, name)      {#name, kind, false, offsetof(struct frame_record, name)},
#define HASH(name, doc)           IN_FRAME(A_HASH, name)
#define REAL(name, doc)           IN_FRAME(A_REAL, name)
#define REALS(name, n, doc)       IN_FRAME(A_REAL, name)
#define WHOLE(name, doc)          IN_FRAME(A_WHOLE, name)
#define FLAG(name, doc)           IN_FRAME(A_FLAG, name)
#define FIELD(name, said, unsaid) {#name, A_STRING, true, offsetof(struct record, container.name)},
#include "cmd/regression/record/measures.def"
    IN_FRAME(A_WHOLE, frame) IN_FRAME(A_REAL, time) IN_FRAME(A_CODE, thumbnail)
#define OF_BODIES(kind, name, member)                                                              \
    {name, kind, false, offsetof(struct frame_record, bodies[0].member)},                          \
        {"2:" name, kind, false, offsetof(struct frame_record, bodies[1].member)},
        OF_BODIES(A_HASH, "of_one", state) OF_BODIES(A_REAL, "sketch", sketch) OF_BODIES(
            A_REAL, "mass", diagnostics.mass) OF_BODIES(A_REAL, "kinetic", diagnostics.kinetic)
            OF_BODIES(A_REAL, "energy", diagnostics.energy) OF_BODIES(A_REAL, "centre",
                                                                      diagnostics.centre)
                OF_BODIES(A_REAL, "momentum", diagnostics.momentum) OF_BODIES(
                    A_REAL, "half_mass", half_mass) OF_BODIES(A_REAL, "spin",
                                                              diagnostics.angular_momentum)
#define OF_RECORD(kind, name, member) {name, kind, true, offsetof(struct record, member)},
                    OF_RECORD(A_WHOLE, "bodies", bodies) OF_RECORD(A_STRING, "scene", scene)
                        OF_RECORD(A_STRING, "encoding", encoding) OF_RECORD(A_STRING, "output",
                                                                            output_format)
                            OF_RECORD(A_STRING, "start", platform.start) OF_RECORD(
                                A_STRING, "drawing",
                                platform.drawing) OF_RECORD(A_STRING, "encoder", platform.encoder)
                                OF_RECORD(A_STRING, "panel", other_panel[0]) OF_RECORD(
                                    A_WHOLE, "frames",
                                    container.frames) OF_RECORD(A_WHOLE, "bytes", container.bytes)
                                    OF_RECORD(A_WHOLE, "hidden", container.hidden)
                                        OF_RECORD(A_REAL, "duration", container.duration)
                                            OF_RECORD(A_SHORT, "height", container.height)
                                                OF_RECORD(A_SHORT, "fps", container.fps_num)
                                                    OF_RECORD(A_HASH, "times", container.times)
                                                        OF_RECORD(A_REAL, "softening", softening)};

static double changed(double value, char how, double by, uint64_t frame)
{
    return how == '='   ? by
           : how == '*' ? value * by
           : how == '+' ? value + by
                        : /* ^ */ value + by * (double)(frame * frame);
}

/* Changes a member by "=5", "+1e-9", "*1.1", "^1e-9" (times the square of the frame), or "~" for
 * other bits. */
static void set(void *item, const struct member *member, size_t index, const char *value,
                uint64_t frame)
{
    char *at = (char *)item + member->offset;
    const double by = strtod(value + 1, NULL);
    switch (member->kind) {
    case A_HASH:
        if (*value == '~')
            other_bits(at);
        else
            snprintf(at, HASH_TEXT, "%s", value + 1);
        break;
    case A_REAL:
        ((double *)(void *)at)[index] = changed(((double *)(void *)at)[index], *value, by, frame);
        break;
    case A_WHOLE:
        *(uint64_t *)(void *)at =
            (uint64_t)changed((double)*(uint64_t *)(void *)at, *value, by, frame);
        break;
    case A_SHORT:
        *(uint32_t *)(void *)at = (uint32_t)by;
        break;
    case A_FLAG:
        *(bool *)(void *)at = by != 0;
        break;
    case A_CODE:
        ((uint8_t *)at)[index] = (uint8_t)(((uint8_t *)at)[index] + (int)by);
        break;
    case A_STRING:
        record_fixture_text((char **)(void *)at, value + 1);
        if (strcmp(value, "=(none)") == 0) {
            free(*(char **)(void *)at);
            *(char **)(void *)at = NULL;
        }
        break;
    }
}

/* "b 5-9 light_sum.1*1.1": side, frames ("." for the film), member. */
static void edit_member(struct fixture *f, const char *sides, const char *where, char *what)
{
    char *next;
    const size_t length = strcspn(what, "=+*^~");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, what);
    char *dot = strchr(name, '.');
    const size_t index = dot ? (size_t)atoi(dot + 1) : 0;
    if (dot)
        *dot = '\0';
    const struct member *member = members;
    while (member < members + sizeof members / sizeof *members && strcmp(member->name, name) != 0)
        member++;
    if (member == members + sizeof members / sizeof *members)
        fail_msg("no member '%s'", name);
    const uint64_t from = strtoull(where, &next, 10),
                   to = *next == '-' ? strtoull(next + 1, NULL, 10) : from;
    for (int side = 0; side < 2; side++) {
        struct record *record = side ? &f->now : &f->before;
        if (!strchr(sides, side ? 'b' : 'a'))
            continue;
        if (member->of_record)
            set(record, member, index, what + length, 0);
        for (uint64_t i = from; !member->of_record && i <= to && i < record->count; i++)
            set(&record->frames[i], member, index, what + length, i);
    }
}

/* Frames "4-23" of the film show the baseline's pictures that many frames away. */
static void take_pictures(struct fixture *f, const char *where, int away)
{
    char *next;
    const uint64_t from = strtoull(where, &next, 10),
                   to = *next == '-' ? strtoull(next + 1, NULL, 10) : from;
    for (uint64_t i = from; i <= to; i++)
        memcpy(f->now.frames[i].picture, f->before.frames[(int)i + away].picture, HASH_TEXT);
}

/* A second simulation like the first, whose panel is called 2. */
static void add_panel(struct record *record)
{
    record_fixture_text(&record->other_panel[0], "2");
    for (uint64_t i = 0; i < record->count; i++) {
        struct frame_record *frame = &record->frames[i];
        frame->bodies[1] = frame->bodies[0];
        memcpy(frame->bodies[1].state, frame->state, HASH_TEXT);
    }
}

static void edit(struct fixture *f, char *text)
{
    char *rest = NULL, *words[3] = {NULL};
    int count = 0;
    for (char *at = strtok_r(text, " ", &rest); at && count < 3;
         at = strtok_r(NULL, count < 2 ? " " : "", &rest))
        words[count++] = at;
    const char *verb = words[0];
    struct comparison_details *details = &f->comparison.details;
    struct record *record = count > 1 && *words[1] == 'a' ? &f->before : &f->now;
    if (strcmp(verb, "elsewhere") == 0)
        other_platform(&f->now);
    else if (strcmp(verb, "limit") == 0)
        assert_ok(limits_set(f->limits, words[1]));
    else if (strcmp(verb, "shows") == 0)
        film_shows(record, words[2]);
    else if (strcmp(verb, "take") == 0)
        take_pictures(f, words[1], atoi(words[2]));
    else if (strcmp(verb, "panel") == 0)
        add_panel(record);
    else if (strcmp(verb, "pictures") == 0)
        details->pictures = strcmp(words[1], "fail") == 0 ? pictures_fail : no_pictures_differ;
    else if (strcmp(verb, "positions") == 0)
        details->positions = strcmp(words[1], "fewer") == 0    ? fewer
                             : strcmp(words[1], "broken") == 0 ? broken
                                                               : positions;
    else if (strcmp(verb, "times") == 0) { /* "times b 512,7,7,1": step, from, to, later */
        int step, from, to, later;
        assert_int_equal(sscanf(words[2], "%d,%d,%d,%d", &step, &from, &to, &later), 4);
        set_times(record, step, from, to, later);
    } else if (strcmp(verb, "forget") == 0) { /* as after reading a manifest */
        free(record->container.shown);
        record->container.shown = NULL;
    } else
        edit_member(f, verb, words[1], words[2]);
}

/* ---- what is found ---- */

/* The sentence; then "physics changed from 12", "light follows from 7" for stages that are not the
 * same; "packets.order changed 1 at 5" for rules; "dropped 5 -1" for frames that do not meet. */
static char *summary(const struct fixture *f)
{
    static const char *const kinds[] = {"pair", "dropped", "added", "repeated", "swapped"};
    char *text = text_format("%s", f->one->sentence);
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &f->one->stages[s];
        if (stage->verdict == VERDICT_SAME)
            continue;
        text_append(&text, "\n", "%s %s from %d (%s)", judged_name((enum judged)s),
                    stage->follows ? "follows" : verdict_name(stage->verdict),
                    (int)stage->first_frame, stage->sentence);
        for (uint32_t i = 0; i < stage->finding_count; i++) {
            const struct finding *finding = &stage->findings[i];
            if (finding->verdict != VERDICT_SAME)
                text_append(&text, "\n", "%s %s %.4g at %d (%s)", finding->rule->name,
                            verdict_name(finding->verdict), finding->value, (int)finding->frame,
                            finding->text ? finding->text : "");
        }
    }
    for (uint32_t i = 0; i < f->one->alignment_count; i++)
        if (f->one->alignment[i].kind != STEP_PAIR)
            text_append(&text, "\n", "%s %d %d", kinds[f->one->alignment[i].kind],
                        (int)f->one->alignment[i].a, (int)f->one->alignment[i].b);
    return text;
}

struct row {
    const char *edits; /* separated by ";" */
    enum verdict verdict;
    int stage; /* that names the cause; -1: none changed */
    const char *words, *lacks;
};

#define SAME       VERDICT_SAME, -1
#define WITHIN     VERDICT_WITHIN, -1
#define WARNED     VERDICT_WARNED, -1
#define NOT_JUDGED VERDICT_NOT_JUDGED, -1
#define CHANGED(s) VERDICT_CHANGED, JUDGED_##s
/* Replaces every hash, as another platform does, and nothing else. */
#define ALL_BITS                                                                                   \
    "elsewhere;b 1-23 state~;b 0-23 light~;b 0-23 picture~;b 0-23 packet~;b 0-23 decoded~;"
#define MOVED "elsewhere;pictures same;b 1-23 state~;"
#define LIT   "elsewhere;pictures same;b 0-23 light~;"
#define DRAWN "elsewhere;pictures same;b 0-23 picture~;"
#define CODED "elsewhere;pictures same;b 0-23 packet~;"
#define PNG   "ab . output=png;ab 0-23 packet=;"
#define WHOLE_FILM                                                                                 \
    "b . encoder=FFV1;ab 0-23 psnr_y=inf;ab 0-23 psnr_cb=inf;ab 0-23 psnr_cr=inf;b 0-23 packet~;"
#define DT       "simulation:\n  dt: "
#define SOFT     "\n  softening: 0.05\n  force: fast\nlook:\n  exposure: 1\n  bloom: "
#define END      "\noutput:\n  frames: 24\n"
#define UNSTORED "times a 512,0,0,0;forget a;"
#define PANELS   "pictures same;panel a;panel b;"
#define OTHERS   "b 1-23 state~;b 1-23 2:of_one~;"

static const struct row rows[] = {
    {"", SAME, "'7 of 7' stages", "dropped"},
    /* one frame of one stage differs in bits; what depends on it follows */
    {"b 0 state~", CHANGED(START), "'the initial state differs at frame 0'", NULL},
    {"b 7 state~", CHANGED(PHYSICS), "'physics changed at frame 7'", NULL},
    {"b 23 light~", CHANGED(LIGHT), "'same bodies, light differs from frame 23'", NULL},
    {"b 9 picture~", CHANGED(PICTURE), "'same bodies, picture differs from frame 9'", NULL},
    {"b 11 packet~", CHANGED(PACKETS), "'same pictures, packets differ from frame 11'", NULL},
    {"b 7 state~;b 7 light~;b 7 picture~;b 7 packet~", CHANGED(PHYSICS),
     "'light follows from 7' 'picture follows from 7' 'packets follows from 7' 'follows from "
     "physics'",
     "container"},
    {"b 0 light~;b 0 picture~;b 0 packet~", CHANGED(LIGHT), "'picture follows' 'packets follows'",
     NULL},
    {"b 5 time+1e-9", CHANGED(PHYSICS), "1 frame shows another simulated time", NULL},
    /* the scene */
    {"b . scene=" DT "0.02" SOFT "0.3" END ";b 3 picture~", CHANGED(SCENE),
     "scene simulation.dt 0.02 0.01 look.bloom 0.3 0.2 'scene.keys changed 2' 'picture follows'",
     NULL},
    /* a value that leaves the choice to the codec is shown with the codec's choice */
    {"a . scene=output:\n  crf: -1\n  preset: \"\"\n;b . scene=output:\n  crf: 25\n  preset: "
     "fast\n",
     CHANGED(SCENE), "output.crf 25 default 23 output.preset fast medium", NULL},
    {"a . encoding=;b . encoding=h264_nvenc p5 cq 19.5;a . scene=output:\n  crf: -1\n;"
     "b . scene=output:\n  crf: -2\n",
     CHANGED(SCENE), "crf default 19.5", NULL},
    {"b . scene=(none)", NOT_JUDGED, "film scene", NULL},
    /* order before encoding */
    {"b 4-23 picture~;b . frames=24", CHANGED(PICTURE), "'picture changed from 4'", NULL},
    {"take 10 1;take 11 -1", CHANGED(PICTURE),
     "'frame 10 shows what was frame 11' 'swapped 11 10' 'sequence.order changed 2'", NULL},
    {"take 4-23 -1", CHANGED(PICTURE), "frame 4 shows 3 20 frames 'repeated 3 4' 'dropped 23 -1'",
     NULL},
    {"take 8-23 -3", CHANGED(PICTURE), "frame 8 shows 5 16 frames", NULL},
    {"take 8-20 3", CHANGED(PICTURE), "frame 8 shows 11 13 frames", NULL},
    {"make 24 23", CHANGED(PICTURE), "23 frames instead 24 'dropped 23 -1'", NULL},
    {"make 24 25", CHANGED(PICTURE), "25 frames instead 24", NULL},
    {"make 0 0", NOT_JUDGED, "baseline frames", NULL},
    {"make 24 0", CHANGED(PICTURE), "0 frames instead 24", NULL},
    {"make 0 24", CHANGED(PICTURE), "24 frames instead 0", NULL},
    {"b 0-23 frame+100", NOT_JUDGED, "'added -1 100' 'dropped 0 -1'", NULL},
    /* order in the film, on any platform */
    {"shows b 0-4,6-23", CHANGED(PACKETS),
     "'frame 5 is missing in the film' 'packets changed from 5' 'packets.order changed 1' "
     "'container follows' 'dropped 5 -1'",
     "nan"},
    {"elsewhere;shows b 0-4,6-23", CHANGED(PACKETS), "'frame 5 is missing' 'dropped 5 -1'", "nan"},
    {"shows b 0-5,5-23", CHANGED(PACKETS), "frame 5 film twice 'repeated 5 6'", "nan"},
    {"elsewhere;shows b 0-4,6,5,7-23", CHANGED(PACKETS),
     "'frames 5 and 6 are swapped' 'swapped 6 5' 'swapped 5 6'", "nan"},
    {"shows b 0-22;b 3-22 packet~;b 3-22 packet~", CHANGED(PACKETS), "frame 23 missing", NULL},
    {"shows b 0-22;a 3-22 packet~;b . hidden=1", CHANGED(CONTAINER), "23 frames instead 24", NULL},
    {"shows a 0-22;shows b 0-22", NOT_JUDGED, "23 of 24 frames", "packets.order"},
    {PNG "ab 0-23 key=0;ab 0-23 psnr_y=inf;ab 0-23 psnr_cb=inf;ab 0-23 psnr_cr=inf", SAME, "",
     NULL},
    {PNG "ab 0-23 psnr_y=inf;ab 0-23 psnr_cb=inf;ab 0-23 psnr_cr=inf;shows b 0-6,8,7,9-23;"
         "ab 0-23 packet=",
     CHANGED(PACKETS), "frames 7 8 film swapped", NULL},
    /* light that is no light, on both sides too */
    {"ab 8 light_broken=1024", CHANGED(LIGHT), "frame 8 1024 pixels infinite NaN", NULL},
    {"a 8 light_broken=7;b 8 light_broken=3", CHANGED(LIGHT), "frame 8 7 pixels", NULL},
    /* the container */
    {"b . codec=hevc", CHANGED(CONTAINER), "'codec is hevc, was h264'", NULL},
    {"b . transfer=", CHANGED(CONTAINER), "'transfer is nothing, was bt709'", NULL},
    {"b . pixel_aspect=4:3", CHANGED(CONTAINER), "'pixel aspect ratio is 4:3, was 1:1'", NULL},
    {"b . fps=25", CHANGED(CONTAINER), "'rate is 25/1, was 30/1'", NULL},
    {"b . height=182", CHANGED(CONTAINER), "320x182 320x180", NULL},
    {"b . frames=23", CHANGED(CONTAINER), "23 frames instead 24", NULL},
    {"b . times~", CHANGED(CONTAINER), "shown other times", NULL},
    {"b . duration=nan", CHANGED(CONTAINER), "lasts nan", NULL},
    {"b . bytes=53000", WARNED, "warning container film 53000 bytes 50000", NULL},
    {"b . bytes=44000", CHANGED(CONTAINER), "film 44000 bytes", NULL},
    {"b . bytes=58000;limit container.size=20", WITHIN, "within limits", NULL},
    {"b . format=", NOT_JUDGED, "film file", NULL},
    {"b 5 key=1", CHANGED(CONTAINER), "packets 'container changed from 5' index calls key", NULL},
    {"b 5 key=1;b 5 packet~", CHANGED(PACKETS), "1 frame begins GOP side", NULL},
    {UNSTORED "times b 512,7,7,7", CHANGED(CONTAINER), "'changed from 7' 0.233789 0.233333", NULL},
    {UNSTORED "times b 512,9,23,1", CHANGED(CONTAINER), "15 frames frame 9 0.300065 0.3", NULL},
    {UNSTORED "times b 1024,0,0,0;b . time_base=1/30720", CHANGED(CONTAINER),
     "'container changed from -1' 1/30720 1/15360", NULL},
    /* other bodies do not excuse the container's metadata; they excuse its size */
    {"b 7 state~;b 7 picture~;b 7 packet~;b . bytes=90000", CHANGED(PHYSICS), "'container follows'",
     NULL},
    {"b 7 state~;b 7 picture~;b 7 packet~;b . range=pc", CHANGED(PHYSICS), "'container changed'",
     NULL},
    /* nothing recorded */
    {PNG "ab . format=png;ab . duration=nan", SAME, "'5 of 5' 'png has no packets'", NULL},
    {"b . output=png;b 0-23 packet=", NOT_JUDGED, "packets", NULL},
    {"ab 0-23 packet=", NOT_JUDGED, "packets", NULL},
    {"a 5 state=", NOT_JUDGED, "", NULL},
    {"b 0-23 state=", NOT_JUDGED, "", NULL},
    {"ab 5 light=", NOT_JUDGED, "", NULL},
    {"b 5 picture=", NOT_JUDGED, "", NULL},
    /* bodies */
    {"b . bodies=999;b 0-23 state~", CHANGED(START), "999 bodies instead 1000", "start.distance"},
    {"positions all;b 12-23 state~;b 12-23 energy*1.0012;b 12-23 sketch.3+1e-2", CHANGED(PHYSICS),
     "physics frame 12 body 4,211 moved 3.0e-04 17 jump", NULL},
    {"positions fewer;b 12-23 state~;b 12-23 sketch.3+1e-2", CHANGED(PHYSICS), "frame 12 bodies",
     "moved"},
    {"positions broken;b 12-23 state~;b 12-23 sketch.3+1e-2", CHANGED(PHYSICS),
     "body 211 finite position frame 17", NULL},
    {"b 1-23 state~;a 23 energy*1.01;b 0-22 energy*1.5;b 23 energy*1.545", CHANGED(PHYSICS),
     "energy drift 3.0e-02 1.0e-02", NULL},
    /* another platform: the same bits, other bits, and what cannot be told */
    {"elsewhere", SAME, "'7 of 7' stages", NULL},
    {ALL_BITS "pictures same", WITHIN, "limits '7 of 7' 'bits differ, but no measured value does'",
     NULL},
    {ALL_BITS, NOT_JUDGED, "picture 24 frames pictures", NULL},
    {ALL_BITS "pictures fail", NOT_JUDGED, "objects/ab damaged", NULL},
    {"b . start=another;b 0 state~", WITHIN, "", NULL},
    {"a . start=;b 0 state~", CHANGED(START), "", NULL}, /* an older record */
    {ALL_BITS
     "pictures same;b 1-23 sketch.5^1e-9;b 1-23 energy*1.0000001;b 1-23 light_sum*1.0003;"
     "b 1-23 picture_light*1.0001;b 1-23 thumbnail.17+1;b 1-23 psnr_y+-0.1;b . bytes=52000",
     WITHIN, "limits '7 of 7' 'grows as round-off does'", NULL},
    /* bodies that differ by round-off may explain another picture, which is then not judged */
    {ALL_BITS "pictures same;b 1-23 sketch.5^1e-9;b 20 picture_light*1.5", NOT_JUDGED,
     "'picture follows' physics", NULL},
    /* every sum of the start counts, in the system's scales: M = 1, K = 1/4, v = sqrt(1/2), R = 2
     */
    {"elsewhere;pictures same;b 0 state~;b 0 mass+1e-6", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    {"elsewhere;pictures same;b 0 state~;b 0 kinetic+0.25e-6", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    {"elsewhere;pictures same;b 0 state~;b 0 centre.1+2e-6", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    {"elsewhere;pictures same;b 0 state~;b 0 momentum.2+0.70710678e-6", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    {"elsewhere;pictures same;b 0 state~;b 0 spin.2+1.41421356e-6", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    {"elsewhere;pictures same;b 0 state~;b 0 sketch.1+2.529822e-4", CHANGED(START),
     "'start.distance changed 1e-06'", NULL},
    /* one change each, from the first frame beyond a limit on */
    {LIT "b 0-11 light_sum.1*1.0001;b 12-23 light_sum.1*1.1", CHANGED(LIGHT),
     "'light changed from 12' 'light.sum changed'", NULL},
    {LIT "b 3 light_sum.2=nan", CHANGED(LIGHT), "'light.sum changed nan'", NULL},
    {DRAWN "b 6-23 picture_light*1.02", CHANGED(PICTURE),
     "'picture changed from 6' 'picture.mean_light changed'", NULL},
    {"b . drawing=other;b 0-23 picture~;b 6-23 picture_light*1.02", CHANGED(PICTURE),
     "'picture changed from 6'", NULL}, /* without pictures, light can accuse a film */
    {DRAWN "b 7 picture_light=nan", CHANGED(PICTURE),
     "'picture.mean_light changed nan' 'sequence.mean_light changed nan'", NULL},
    {DRAWN "b 12 thumbnail.53+2", CHANGED(PICTURE),
     "'picture changed from 12' 'part 5,3 of 16 x 9 differs by 2 codes'", NULL},
    {MOVED "b 12-23 energy*1.0001", CHANGED(PHYSICS), "'physics changed from 12' physics.energy",
     NULL},
    {MOVED "b 12 energy=nan", CHANGED(PHYSICS), "'physics.energy changed nan'", NULL},
    {MOVED "b 12-23 momentum+1e-5", CHANGED(PHYSICS), "'physics.momentum changed'", NULL},
    {MOVED "b 12-23 spin.2+1e-5", CHANGED(PHYSICS), "'changed from 12' physics.angular_momentum",
     NULL},
    {MOVED "b 12-23 centre.2+1e-5", CHANGED(PHYSICS), "'physics.centre changed'", NULL},
    {MOVED "b 12-23 half_mass*1.02", CHANGED(PHYSICS), "'physics.half_mass changed'", NULL},
    {MOVED "b 12 sketch.4+1e-3", CHANGED(PHYSICS), "'changed from 12' 'physics.jump changed'",
     NULL},
    {MOVED "b 12 sketch=nan", CHANGED(PHYSICS), "'physics.jump changed nan'", NULL},
    {CODED "b 0-23 psnr_y+-0.25", CHANGED(PACKETS), "'packets.psnr_mean changed 0.25'", NULL},
    {CODED "b 12 psnr_y+-1.5", CHANGED(PACKETS), "'packets.psnr_worst changed'", NULL},
    {CODED "b 7 psnr_y=nan", CHANGED(PACKETS), "PSNR luma frame 7 measured side", NULL},
    {CODED "a 4 psnr_y=inf;b 4 psnr_y=52", CHANGED(PACKETS), "'packets.psnr_mean changed 2'", NULL},
    {CODED "b 0-23 psnr_cr+-0.25", CHANGED(PACKETS), "'packets.chroma_mean changed 0.25'", NULL},
    {CODED "b 12 psnr_cb+-2.5", CHANGED(PACKETS), "'packets.chroma_worst changed 1.5'", NULL},
    {CODED "b 12 psnr_cb=nan", CHANGED(PACKETS), "'packets.chroma_mean changed nan'", NULL},
    {CODED "b 0-23 ssim+-0.07", CHANGED(PACKETS), "'packets.ssim_mean changed 0.07'", NULL},
    {CODED "b 12 ssim+-0.3", CHANGED(PACKETS), "'packets.ssim_worst changed 0.3'", NULL},
    {CODED "b 0-23 bias+0.2", CHANGED(PACKETS), "'packets.bias changed 0.2'", NULL},
    {CODED "b 0-23 bias+-0.2", CHANGED(PACKETS), "'packets.bias changed 0.2'", NULL},
    {CODED "b 12 bias=nan", CHANGED(PACKETS), "bias luma frame 12 measured side", NULL},
    {CODED "b 5 key=1", CHANGED(PACKETS), "'packets.keys changed 1 at 5'", NULL},
    /* an older baseline lacks losses: a warning; the other way round it fails */
    {"b . encoder=other;b 0-23 packet~;a 0-23 psnr_cb=nan;a 0-23 psnr_cr=nan;a 0-23 ssim=nan;"
     "a 0-23 bias=nan",
     WARNED,
     "'packets.chroma_mean warned' 'packets.ssim_mean warned' 'packets.bias warned' 'record it'",
     NULL},
    {"b . encoder=other;b 0-23 packet~;b 0-23 psnr_cb=nan;b 0-23 psnr_cr=nan;b 0-23 ssim=nan;"
     "b 0-23 bias=nan",
     CHANGED(PACKETS), "packets.chroma_mean packets.ssim_mean packets.bias", NULL},
    /* a lossless film; one whose chroma is lossy is none */
    {WHOLE_FILM, WITHIN, "within limits", NULL},
    {WHOLE_FILM "b 4 decoded~", CHANGED(PACKETS), "1 frame lossless film decodes", NULL},
    {WHOLE_FILM "b 4 psnr_y=60", CHANGED(PACKETS), "1 frame lossless film decodes", NULL},
    {WHOLE_FILM "b 4 psnr_cr=60", CHANGED(PACKETS), "1 frame lossless film decodes", NULL},
    {WHOLE_FILM "b 4 psnr_cb=nan", CHANGED(PACKETS), "1 frame lossless film decodes", NULL},
    {WHOLE_FILM "a 0-23 psnr_cr=46;b 0-23 psnr_cr=40", CHANGED(PACKETS),
     "'packets.chroma_mean changed 6'", "packets.decoded"},
    /* a further simulation, those of the first being the same */
    {"elsewhere;" PANELS, SAME, "", NULL},
    {"elsewhere;" PANELS OTHERS "b 10-23 2:sketch.4+1e-2", CHANGED(PHYSICS),
     "'panel 2' 'physics.jump changed' 'at 10'", NULL},
    {PANELS OTHERS "b 10-23 2:sketch.4+1e-2", CHANGED(PHYSICS), "'panel 2' 'at 10'", NULL},
    {"elsewhere;" PANELS OTHERS "b 1-23 2:sketch.5^1e-9", WITHIN, "physics.jump 'panel 2'", NULL},
    {"elsewhere;" PANELS OTHERS "b 10-23 2:half_mass*1.05", CHANGED(PHYSICS),
     "'physics.half_mass changed 5' 'panel 2'", NULL},
    {"elsewhere;pictures same;panel b;b 1-23 state~", WARNED, "'panel 2' 'not compared'", NULL},
    {"elsewhere;pictures same;panel a;b 1-23 state~", CHANGED(PHYSICS), "'panel 2' 'no longer'",
     NULL},
};

TEST(rows_are_judged)
{
    int wrong = 0;
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const struct row *row = &rows[r];
        char *copy = memory_text(row->edits), *rest = copy;
        int made[2] = {FRAMES, FRAMES};
        struct fixture f;
        if (sscanf(copy, "make %d %d", &made[0], &made[1]) == 2)
            *copy = '\0';
        open_of(&f, (uint64_t)made[0], (uint64_t)made[1]);
        for (char *one; (one = strsep(&rest, ";"));)
            if (*one)
                edit(&f, one);
        const enum status status = judge_records(&f.comparison, f.one);
        assert_int_equal(status, strstr(row->edits, "fail") ? STATUS_IO : STATUS_OK);
        case_conclude(f.one);
        report_conclude(&f.report);
        char *found = summary(&f);
        if (f.one->verdict != row->verdict || f.one->stage != row->stage ||
            !has_words(found, row->words) || (row->lacks && strstr(found, row->lacks))) {
            print_message("'%s': expected %s, stage %d, %s\n%s: stage %d: %s\n\n", row->edits,
                          verdict_name(row->verdict), row->stage, row->words,
                          verdict_name(f.one->verdict), f.one->stage, found);
            wrong++;
        }
        assert_int_equal(report_status(&f.report),
                         verdict_passes(row->verdict) ? STATUS_OK : STATUS_MISMATCH);
        free(found);
        free(copy);
        end(&f);
    }
    assert_int_equal(wrong, 0);
}

/* A stage that follows is judged by itself with a record that was made from the stored states. */
TEST(substituted_stages_are_judged_alone)
{
    struct fixture f;
    struct record drawn;
    (void)state;
    open_of(&f, FRAMES, FRAMES);
    for (uint64_t i = 7; i < FRAMES; i++) {
        other_bits(f.now.frames[i].state);
        other_bits(f.now.frames[i].picture);
    }
    assert_ok(judge_records(&f.comparison, f.one));
    record_fixture_make(&drawn, 3);
    other_bits(drawn.frames[1].picture);
    const struct comparison again = {
        .before = &f.before, .now = &drawn, .limits = f.limits, .substituted = true};
    struct stage_report *picture = &f.one->stages[JUDGED_PICTURE];
    assert_true(picture->follows);
    assert_ok(judge_stage(&again, JUDGED_PICTURE, picture));
    assert_int_equal(picture->verdict, VERDICT_CHANGED);
    assert_true(picture->substituted && !picture->follows);
    assert_int_equal(picture->planned, 3);
    assert_int_equal(picture->first_frame, 1);
    case_conclude(f.one);
    assert_int_equal(f.one->stage, JUDGED_PHYSICS);
    assert_says(f.one->sentence, "also changed picture");
    record_free(&drawn);
    end(&f);
}

TEST(test_timelines)
{
    struct fixture f;
    (void)state;
    open_of(&f, FRAMES, FRAMES - 1);
    f.before.softening = 1e6; /* so that something is allowed in every frame */
    f.now.frames[3].picture_light *= 1.01;
    f.now.frames[3].light_sum[1] *= 1.1;
    f.now.frames[3].bodies[0].diagnostics.energy *= 1.25;
    for (int i = 0; i < RECORD_SKETCH; i++) /* of the size, 2, of which a millionth is allowed */
        f.now.frames[0].bodies[0].sketch[i] += 1e-5 * 2 * sqrt((double)f.now.bodies);
    assert_ok(judge_records(&f.comparison, f.one));
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

TESTS(NULL, NULL)
