/* The functions of the rules, except for those about bodies (body_motion.c), and the registry of
 * rules. */
#include "cmd/regression/judge/body_motion.h"
#include "cmd/regression/judge/frame_join.h"
#include "cmd/regression/judge/picture_judge.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"
#include "render/sinks.h"
#include "scenes/print.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

static void judge_number(struct walk *walk, const struct rule *rule, uint64_t before, uint64_t now)
{
    struct finding *finding = walk_found(walk, rule, (double)apart(before, now), -1);
    if (before != now)
        finding_say(finding, "%" PRIu64 " %s instead of %" PRIu64, now, rule->unit, before);
}

static void start_bodies(struct walk *walk, const struct rule *rule)
{
    judge_number(walk, rule, walk->before->bodies, walk->now->bodies);
}

/* ---- scene ---- */

static char *say_key(const struct scene_difference *one)
{
    return text_format("%s is %s, was %s", one->key, one->b, one->a);
}

static void keys_of_scenes(struct walk *walk, const struct rule *rule)
{
    enum { LISTED = 64 };
    struct scene_difference found[LISTED];
    const size_t count = scene_differences(walk->before->scene, walk->now->scene, found, LISTED),
                 listed = count < LISTED ? count : LISTED;
    struct finding *finding = walk_found(walk, rule, (double)count, -1);
    scene_differences_say(found, listed, walk->before->encoding, walk->now->encoding);
    char *names = count > 0 ? scene_differences_text(found, listed, say_key)
                            : memory_text("the same in every key");
    finding_say(finding, "%s", names);
    free(names);
}

/* ---- light and pictures ---- */

static bool unsettled(const struct walk *walk)
{
    return !walk->settled;
}

static bool compared(const struct walk *walk)
{
    return walk->stage->compared > 0;
}

static double light_broken(const struct met *met)
{
    return fmax((double)met->before->light_broken, (double)met->now->light_broken);
}

/* Returns the difference of the worst channel, in % of the larger value. */
static double light_sum(const struct met *met)
{
    double worst = 0;
    for (int c = 0; c < 3 && !isnan(worst); c++) {
        const double a = met->before->light_sum[c], b = met->now->light_sum[c],
                     one = a == b ? 0 : 100 * fabs(a - b) / fmax(fabs(a), fabs(b));
        worst = one <= worst ? worst : one;
    }
    return worst;
}

static bool both_whole(const struct walk *walk)
{
    return !walk->comparison->substituted;
}

static void frame_count(struct walk *walk, const struct rule *rule)
{
    judge_number(walk, rule, walk->before->count, walk->now->count);
}

static void frame_order(struct walk *walk, const struct rule *rule)
{
    const struct record *now = walk->now;
    double moved = 0;
    uint64_t first = 0, shows = 0;
    for (uint64_t i = now->count; i-- > 0;) {
        const uint64_t met = join_met(walk->before, &now->frames[i]);
        if (met == now->frames[i].frame)
            continue;
        moved++;
        first = now->frames[i].frame;
        shows = met;
    }
    struct finding *finding = walk_found(walk, rule, moved, moved > 0 ? (int64_t)first : -1);
    if (moved > 0)
        finding_say(finding,
                    "frame %" PRIu64 " shows what was frame %" PRIu64
                    "; %.0f frames are out of place",
                    first, shows, moved);
}

/* Measures the pictures that both sides have, where bits differ. */
static void stored_pictures(struct walk *walk, const struct rule *rule)
{
    const struct comparison_details *details = &walk->comparison->details;
    struct stage_report *stage = walk->stage;
    const uint64_t all = stage->compared;
    const int64_t first = stage->first_frame;
    const uint32_t findings = stage->finding_count;
    uint64_t *frames = memory_new((size_t)walk->now->count, sizeof *frames);
    size_t count = 0;
    struct met met;
    (void)rule;
    for (uint64_t i = 0; walk_next(walk, &i, &met);)
        if (strcmp(met.before->picture, met.now->picture) != 0)
            frames[count++] = met.now->frame;
    if (details->pictures)
        walk->status = details->pictures(details->user, frames, count, stage, &walk->measured);
    free(frames);
    if (stage_has_changed(stage, findings))
        walk->beyond = judge_earlier(walk->beyond, stage->first_frame);
    stage->first_frame = first;
    stage->compared = all;
}

/* Returns the change of a frame's light in %; light below FAINT cannot be told from rounding. */
static double light_change(const struct met *met)
{
    static const double FAINT = 1e-4;
    return 100 * ((met->now->picture_light + FAINT) / (met->before->picture_light + FAINT) - 1);
}

static double mean_light(const struct met *met)
{
    return fabs(light_change(met));
}

/* Returns the largest difference of a part of the thumbnail. */
static int worst_part(const struct met *met, int *part)
{
    const uint8_t *a = &met->before->thumbnail[0][0], *b = &met->now->thumbnail[0][0];
    int worst = 0;
    for (int i = 0; i < RECORD_THUMBNAIL_WIDTH * RECORD_THUMBNAIL_HEIGHT; i++)
        if (abs(a[i] - b[i]) > worst) {
            worst = abs(a[i] - b[i]);
            *part = i;
        }
    return worst;
}

static double thumbnail_change(const struct met *met)
{
    int part;
    return worst_part(met, &part);
}

static void thumbnails(struct walk *walk, const struct rule *rule)
{
    judge_worst(walk, rule);
    struct finding *finding = &walk->stage->findings[walk->stage->finding_count - 1];
    if (finding->value == 0)
        return;
    int part = 0;
    const uint64_t frame = (uint64_t)finding->frame;
    const struct met met = {walk, record_frame(walk->before, frame),
                            record_frame(walk->now, frame)};
    const int worst = worst_part(&met, &part);
    finding_say(finding, "part %d,%d of 16 x 9 differs by %d codes", part % RECORD_THUMBNAIL_WIDTH,
                part / RECORD_THUMBNAIL_WIDTH, worst);
}

/* ---- packets ---- */

/* Returns whether a frame was decoded exactly as it was encoded, as far as that was measured. */
static bool is_whole(const struct frame_record *frame)
{
    return frame->psnr_y == INFINITY && (frame->psnr_cb == INFINITY || isnan(frame->psnr_cb)) &&
           (frame->psnr_cr == INFINITY || isnan(frame->psnr_cr));
}

static bool is_lossless(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (!is_whole(&record->frames[i]))
            return false;
    return record->count > 0;
}

static bool has_packets(const struct record *record)
{
    for (uint64_t i = 0; i < record->count; i++)
        if (record->frames[i].packet[0])
            return true;
    return false;
}

static bool same_order(const struct walk *walk)
{
    return film_order_same(walk->before, walk->now);
}

/* Returns whether the order is judged: by pixels, even if bits differ, because it is structure. If
 * a frame's packet is there but hidden, the container is at fault. */
static bool order_is_judged(const struct walk *walk)
{
    const bool hidden = walk->now->container.hidden > walk->before->container.hidden;
    return !walk->settled || (!hidden && !same_order(walk));
}

static void packets_order(struct walk *walk, const struct rule *rule)
{
    const bool same = same_order(walk);
    const struct order_faults faults =
        film_order_faults(walk->now->shows ? walk->now : walk->before);
    const double count = same ? 0 : faults.count > 0 ? (double)faults.count : 1;
    struct finding *finding = walk_found(walk, rule, count, same ? -1 : faults.first);
    if (!same)
        finding_say(finding,
                    walk->now->shows ? "%s" : "every frame is in its place, but before, %s",
                    faults.text ? faults.text : "frames were out of place");
    if (finding->verdict == VERDICT_CHANGED && faults.first >= 0)
        walk->stage->first_frame = faults.first;
    free(faults.text);
}

/* Returns whether the film does not show the frame: it then has no loss that could be measured. */
static bool is_missing(const struct walk *walk, const struct frame_record *now)
{
    return walk->now->shows && !*now->decoded;
}

static bool in_order(const struct walk *walk)
{
    return !walk->settled && same_order(walk);
}

static double other_key(const struct met *met)
{
    return met->before->key != met->now->key;
}

static bool was_lossless(const struct walk *walk)
{
    return !walk->settled && is_lossless(walk->before);
}

static bool was_lossy(const struct walk *walk)
{
    return !walk->settled && !is_lossless(walk->before);
}

static double other_pixels(const struct met *met)
{
    const struct walk *walk = met->walk;
    const bool same_pictures = walk->same_input || walk->comparison->substituted;
    return !is_missing(walk, met->now) &&
           !(is_whole(met->now) && (isnan(met->before->psnr_cb) || !isnan(met->now->psnr_cb)) &&
             (!same_pictures || strcmp(met->before->decoded, met->now->decoded) == 0));
}

/* Returns the PSNR of the worse chroma plane: red and blue bodies are lost in one of the two. */
static double psnr_chroma(const struct met *met)
{
    static const struct rule cb = {OF_DECIBELS(psnr_cb)}, cr = {OF_DECIBELS(psnr_cr)};
    const double blue = rule_member(&cb, met->now), red = rule_member(&cr, met->now);
    return blue <= red || isnan(blue) ? blue : red;
}

/* The values of the frames of both sides, for a rule that reads one side. */
struct film_values {
    double count, sum[2], least[2];
    int64_t frame; /* with the least value now */
};

static double of_frame(const struct walk *walk, const struct rule *rule,
                       const struct frame_record *frame)
{
    const struct met one = {walk, frame, frame};
    return rule->of ? rule->of(&one) : rule_member(rule, frame);
}

/* Returns whether a baseline has the value; those of older programs lack some. */
static bool is_recorded(const struct walk *walk, const struct rule *rule)
{
    for (uint64_t i = 0; i < walk->before->count; i++)
        if (!isnan(of_frame(walk, rule, &walk->before->frames[i])))
            return true;
    return false;
}

/* Returns false if only one film has the value of a frame, or if no frame has a value. With
 * `tells`, a finding says so: it fails for a value that only one film has. */
static bool find_values(struct walk *walk, const struct rule *rule, bool tells,
                        struct film_values *out)
{
    struct met met;
    char what[64]; /* "the bias of luma" */
    snprintf(what, sizeof what, "%.*s", (int)(strstr(rule->says, " is ") - rule->says), rule->says);
    *out = (struct film_values){.least = {INFINITY, INFINITY}, .frame = -1};
    const bool recorded = rule->flags & RULE_IS_RECORDED || is_recorded(walk, rule);
    for (uint64_t i = 0; recorded && walk_next(walk, &i, &met);) {
        const double was = of_frame(walk, rule, met.before), is = of_frame(walk, rule, met.now);
        if (is_missing(walk, met.now) || (isnan(was) && isnan(is)))
            continue;
        if (isnan(was) || isnan(is)) {
            if (tells)
                finding_say(walk_found(walk, rule, NAN, (int64_t)met.now->frame),
                            "%s of frame %" PRIu64 " was measured on one side only", what,
                            met.now->frame);
            return false;
        }
        out->count++;
        out->sum[0] += was;
        out->sum[1] += is;
        out->least[0] = fmin(out->least[0], was);
        if (is < out->least[1]) {
            out->least[1] = is;
            out->frame = (int64_t)met.now->frame;
        }
    }
    if (out->count == 0 && tells) {
        struct finding *finding = stage_add_finding(walk->stage, rule);
        finding->verdict = VERDICT_WARNED;
        finding_say(finding, "not measured: the baseline has no %s; record it again",
                    strncmp(what, "the ", 4) == 0 ? what + 4 : what);
    }
    return out->count > 0;
}

/* Judges the loss by encoding, on average or in the worst frame; larger values are better. */
static void judge_lost(struct walk *walk, const struct rule *rule)
{
    const bool mean = !(rule->flags & RULE_IS_WORST);
    struct film_values values;
    if (!find_values(walk, rule, mean, &values))
        return;
    const double was = mean ? values.sum[0] / values.count : values.least[0],
                 is = mean ? values.sum[1] / values.count : values.least[1];
    struct finding *finding =
        walk_found(walk, rule, was <= is ? 0 : was - is, mean ? -1 : values.frame);
    finding_say(finding, rule->says, is, was);
}

/* Judges the change of the mean over all frames, because single frames vary by chance. */
static void mean_moved(struct walk *walk, const struct rule *rule)
{
    struct film_values values;
    if (!find_values(walk, rule, true, &values))
        return;
    const double was = values.sum[0] / values.count, is = values.sum[1] / values.count;
    finding_say(walk_found(walk, rule, fabs(is - was), -1), rule->says, is, was);
}

/* ---- container ---- */

static const struct {
    const char *name;
    size_t offset;
    const char *unsaid; /* meaning of a field that a film leaves out; NULL: none */
} fields[] = {
#define FIELD(name, said, unsaid) {said, offsetof(struct container_record, name), unsaid},
#include "cmd/regression/record/measures.def"
#undef FIELD
};

static char *field_of(const struct container_record *container, size_t i)
{
    const char *text = *(char *const *)(const void *)((const char *)container + fields[i].offset);
    return memory_text(text && text[0] ? text : fields[i].unsaid ? fields[i].unsaid : "nothing");
}

/* Takes both texts. */
static void list_field(char **list, double *count, const char *name, char *was, char *is)
{
    if (strcmp(was, is) != 0) {
        text_append(list, ", ", "%s is %s, was %s", name, is, was);
        ++*count;
    }
    free(was);
    free(is);
}

static void container_fields(struct walk *walk, const struct rule *rule)
{
    const struct container_record *a = &walk->before->container, *b = &walk->now->container;
    char *list = NULL;
    double count = 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        list_field(&list, &count, fields[i].name, field_of(a, i), field_of(b, i));
    list_field(&list, &count, "size", text_format("%ux%u", a->width, a->height),
               text_format("%ux%u", b->width, b->height));
    list_field(&list, &count, "rate", text_format("%u/%u", a->fps_num, a->fps_den),
               text_format("%u/%u", b->fps_num, b->fps_den));
    struct finding *finding = walk_found(walk, rule, count, -1);
    if (list)
        finding_say(finding, "%s", list);
    free(list);
}

static void container_frames(struct walk *walk, const struct rule *rule)
{
    judge_number(walk, rule, walk->before->container.frames, walk->now->container.frames);
}

/* Names the frames that are shown at another time than before. Compares seconds, because time bases
 * may differ. Says nothing if the times of one film are unknown. */
static void say_times(const struct walk *walk, struct finding *finding)
{
    const struct container_record *before = &walk->before->container, *now = &walk->now->container;
    int64_t *a = times_of(before), *b = times_of(now);
    uint64_t count = 0, first = 0;
    double was = 0, is = 0;
    for (uint64_t i = before->frames < now->frames ? before->frames : now->frames;
         a && b && i-- > 0;) {
        const double in_a = (double)a[i] * times_tick(before),
                     in_b = (double)b[i] * times_tick(now);
        if (fabs(in_a - in_b) <= 1e-9 * fmax(1, fabs(in_a)))
            continue;
        count++;
        first = walk->now->frames[0].frame + i;
        was = in_a;
        is = in_b;
    }
    free(a);
    free(b);
    if (count == 0)
        return;
    finding->frame = (int64_t)first;
    if (count == 1)
        finding_say(finding, "frame %" PRIu64 " is shown at %.6g s, was %.6g s", first, is, was);
    else
        finding_say(finding,
                    "%" PRIu64 " frames are shown at other times, the first is frame %" PRIu64
                    ": at %.6g s, was %.6g s",
                    count, first, is, was);
}

static void container_times(struct walk *walk, const struct rule *rule)
{
    const struct container_record *before = &walk->before->container, *now = &walk->now->container;
    const bool times = strcmp(before->times, now->times) != 0,
               duration = !(before->duration == now->duration);
    struct finding *finding = walk_found(walk, rule, times + duration, -1);
    if (times && walk->now->count > 0)
        say_times(walk, finding);
    if (times && !finding->text)
        finding_say(finding, "frames are shown at other times");
    if (duration)
        finding_say(finding, "it lasts %.6g s, was %.6g s", now->duration, before->duration);
    if (finding->verdict == VERDICT_CHANGED)
        walk->beyond = judge_earlier(walk->beyond, finding->frame);
}

/* Compares the key flags of equal packets; packets.keys compares the GOPs of other packets. */
static double other_index(const struct met *met)
{
    return other_key(met) && met->before->packet[0] &&
           strcmp(met->before->packet, met->now->packet) == 0;
}

static void container_keys(struct walk *walk, const struct rule *rule)
{
    judge_counted(walk, rule);
    struct finding *finding = &walk->stage->findings[walk->stage->finding_count - 1];
    if (finding->frame >= 0)
        finding_say(finding, "the index calls frame %" PRId64 " %s key frame, with the same packet",
                    finding->frame,
                    record_frame(walk->now, (uint64_t)finding->frame)->key ? "a" : "no");
    if (finding->verdict == VERDICT_CHANGED)
        walk->beyond = judge_earlier(walk->beyond, finding->frame);
}

static void container_size(struct walk *walk, const struct rule *rule)
{
    const uint64_t before = walk->before->container.bytes, now = walk->now->container.bytes;
    struct finding *finding =
        walk_found(walk, rule, 100 * fabs((double)now / (double)before - 1), -1);
    if (before != now)
        finding_say(finding, "the film has %" PRIu64 " bytes, was %" PRIu64, now, before);
}

/* ---- stages without a comparison ---- */

/* Returns the format of both records if it has no packets: pictures in files of their own, or no
 * file. */
static const char *no_film(const struct walk *walk)
{
    const char *before = walk->before->output_format, *now = walk->now->output_format;
    const struct sink_ops *sink;
    const bool known =
        before && *before && now && strcmp(before, now) == 0 &&
        sink_choose(&(struct sink_params){.path = "", .format = before}, &sink) == STATUS_OK;
    return known && !sink->film ? before : NULL;
}

static bool set_scene_aside(struct walk *walk)
{
    const char *before = walk->before->scene, *now = walk->now->scene;
    walk->stage->planned = 1;
    walk->stage->same_platform = true;
    if (!before || !now)
        stage_not_judged(walk->stage, "%s has no scene", before ? "the film" : "the baseline");
    else
        walk->stage->compared = 1;
    return !before || !now;
}

/* Sets packets aside if pictures in files of their own are in the same order as before and, if the
 * baseline's were lossless, still lossless. */
static bool set_packets_aside(struct walk *walk)
{
    const char *format = no_film(walk);
    if (!format || has_packets(walk->before) || has_packets(walk->now))
        return false;
    const bool lossless = is_lossless(walk->before);
    if (same_order(walk) && (!lossless || is_lossless(walk->now))) {
        stage_not_applicable(walk->stage, "%s has no packets", format);
        return true;
    }
    walk->stage->planned = walk->stage->compared = walk->now->count;
    packets_order(walk, &rules[RULE_PACKETS_ORDER]);
    if (lossless)
        judge_counted(walk, &rules[RULE_PACKETS_DECODED]);
    return true;
}

static bool set_container_aside(struct walk *walk)
{
    const char *a = walk->before->container.format, *b = walk->now->container.format,
               *format = no_film(walk);
    if (format) {
        stage_not_applicable(walk->stage, "%s has no container", format);
        return true;
    }
    walk->stage->planned = 1;
    walk->stage->compared = a && *a && b && *b;
    if (!walk->stage->compared)
        stage_say(walk->stage, "%s has no data about its file",
                  a && *a ? "the film" : "the baseline");
    return !walk->stage->compared;
}

bool rules_set_aside(struct walk *walk, enum judged stage)
{
    return stage == JUDGED_SCENE       ? set_scene_aside(walk)
           : stage == JUDGED_START     ? bodies_set_aside(walk)
           : stage == JUDGED_PACKETS   ? set_packets_aside(walk)
           : stage == JUDGED_CONTAINER ? set_container_aside(walk)
                                       : false;
}

/* ---- the registry ---- */

static const struct choice stages[JUDGED_COUNT] = {
    [JUDGED_SCENE] = {"scene", "the resolved scene, key by key"},
    [JUDGED_START] = {"start", "bodies at frame 0"},
    [JUDGED_PHYSICS] = {"physics", "states of the bodies, frame by frame"},
    [JUDGED_LIGHT] = {"light", "linear light before exposure and tone curve"},
    [JUDGED_PICTURE] = {"picture", "pixels before encoding"},
    [JUDGED_PACKETS] = {"packets", "encoded frames, and their loss"},
    [JUDGED_CONTAINER] = {"container", "the file's metadata: format, colours, times, size"},
};

const struct registry judged_registry = REGISTRY_OF("stage", stages);

const char *judged_name(enum judged stage)
{
    return stages[stage].name;
}

const struct rule rules[RULE_COUNT] = {
#define RULE(id, of_stage, called, in, warns, fails, why, means, ...)                              \
    {.name = called,                                                                               \
     .doc = means,                                                                                 \
     .stage = JUDGED_##of_stage,                                                                   \
     .unit = in,                                                                                   \
     .warn = warns,                                                                                \
     .fail = fails,                                                                                \
     .because = why,                                                                               \
     __VA_ARGS__},
#include "cmd/regression/record/measures.def"
};

const struct registry rule_registry = REGISTRY_OF("rule", rules);
