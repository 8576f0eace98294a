#include "cmd/regression/compare/compare.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "cmd/regression/compare/films.h"
#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/frame_join.h"
#include "cmd/regression/judge/judge.h"
#include "cmd/regression/judge/picture_judge.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"
#include "render/compare/align.h"
#include "render/reader/stream.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- manifests ---- */

bool manifest_possible(const char *path)
{
    char head[64];
    size_t size;
    if (strcmp(file_extension(path), "json") == 0)
        return true;
    if (file_read_head(path, head, sizeof head, &size) != STATUS_OK)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!strchr(" \t\r\n", head[i]))
            return head[i] == '{';
    return false;
}

static struct case_report *open_case(const char *a, const char *b, struct report *report)
{
    char *name = text_format("%s against %s", b, a);
    struct case_report *one = report_add_case(report, name);
    free(name);
    one->a = memory_text(a);
    one->b = memory_text(b);
    return one;
}

/* Adds the first stage in which the films differ: a changed scene explains the differences, but not
 * where they begin. */
static void tell_parting(struct case_report *one)
{
    int i = JUDGED_START;
    while (i < JUDGED_COUNT && !one->stages[i].follows)
        i++;
    if (one->stage != JUDGED_SCENE || i == JUDGED_COUNT)
        return;
    char at[40] = "";
    if (one->stages[i].first_frame >= 0)
        snprintf(at, sizeof at, ", from frame %" PRId64, one->stages[i].first_frame);
    case_say(one, text_format("%s; the films first differ in the stage %s%s", one->sentence,
                              judged_name((enum judged)i), at));
}

/* A manifest has hashes of its film's boxes, but neither turns nor sound: says so unless all boxes
 * are the same. */
static void tell_unproven(const struct record *a, const struct record *b, struct case_report *one)
{
    uint32_t count = 0;
    char *boxes = boxes_difference(a, b, true, &count);
    const bool films = a->container.fps_num > 0 && b->container.fps_num > 0,
               proven = a->box_count > 0 && b->box_count > 0 && !boxes;
    if (films && !proven && one->stages[JUDGED_CONTAINER].compared > 0)
        case_say(one, text_format("%s; not compared: rotation, crop, sound, subtitles, chapters "
                                  "and title (manifests have none; compare the films)",
                                  one->sentence));
    free(boxes);
}

static void judge(const struct record *a, const struct record *b, const struct limits *limits,
                  struct case_report *one)
{
    const struct comparison comparison = {.before = a, .now = b, .limits = limits};
    const char *nothing = file_same(one->a, one->b)        ? "A and B are one file"
                          : a->count == 0 || b->count == 0 ? "a manifest without frames"
                                                           : NULL;
    for (int i = 0; i < JUDGED_COUNT && nothing; i++)
        stage_not_judged(&one->stages[i], "%s: nothing was compared", nothing);
    if (!nothing) /* cannot fail: only details fail, and there are none */
        judge_records(&comparison, one);
    one->frames = a->count > b->count ? a->count : b->count;
    if (a->container.fps_den > 0)
        one->fps = (double)a->container.fps_num / a->container.fps_den;
    case_conclude(one);
    tell_parting(one);
    if (!nothing)
        tell_unproven(a, b, one);
}

enum status compare_manifests(const char *a, const char *b, const struct limits *limits,
                              struct report *report)
{
    const double began = clock_seconds();
    struct record before, now = {0};
    enum status status = record_read(&before, a);
    if (status == STATUS_OK)
        status = record_read(&now, b);
    if (status == STATUS_OK) {
        struct case_report *one = open_case(a, b, report);
        judge(&before, &now, limits, one);
        one->seconds = clock_seconds() - began;
    }
    record_free(&before);
    record_free(&now);
    return status;
}

/* ---- films ---- */

struct films {
    const struct compare_params *params;
    struct side a, b;
    struct case_report *one;
    struct stage_report *picture;
    char *scenes;  /* the differences between the scenes; NULL: none known */
    char *missing; /* what was not compared; NULL: nothing */
    struct measure_params measure;
    struct picture_judge *judge;
    struct aligner *aligner;
    struct frame_pair *pairs;
    uint64_t count;
    uint8_t *same; /* [count] for pairs without alignment, see pairs.h */
    uint64_t once; /* number of frames that are decoded once for both sides */
    /* PSNR and SSIM, if requested */
    uint64_t quality_frames;
    double error_sum, error_most, ssim_sum, ssim_least;
    int64_t error_frame, ssim_frame;
};

static enum status open_sides(struct films *self)
{
    const struct compare_params *params = self->params;
    const unsigned half = machine_processors() / 2;
    const int threads = half > 16 ? 16 : half > 0 ? (int)half : 1;
    enum status status = side_open(&self->a, params->a, threads);
    if (status == STATUS_OK)
        status = side_open(&self->b, params->b, threads);
    if (status == STATUS_OK)
        status = side_choose(&self->a, &params->frames);
    return status == STATUS_OK ? side_choose(&self->b, &params->frames) : status;
}

static void open_films(struct films *self, struct report *report)
{
    const struct compare_params *params = self->params;
    self->one = open_case(params->a, params->b, report);
    self->one->frames = self->a.frames;
    if (self->a.info->fps_num > 0)
        self->one->fps = (double)self->a.info->fps_num / self->a.info->fps_den;
    for (int i = 0; i < JUDGED_CONTAINER; i++)
        if (i != JUDGED_PICTURE)
            stage_not_applicable(&self->one->stages[i], "two films are compared as they are shown");
    self->picture = &self->one->stages[JUDGED_PICTURE];
}

/* Pairs frames by number until one film ends; the rest of the other film has no partners. */
static void pair_plainly(struct films *self)
{
    const uint64_t in_a = self->a.frames, in_b = self->b.frames;
    self->count = in_a > in_b ? in_a : in_b;
    self->pairs = memory_new(self->count, sizeof *self->pairs);
    for (uint64_t i = 0; i < self->count; i++)
        self->pairs[i] = (struct frame_pair){i < in_a ? (int64_t)(self->a.first + i) : -1,
                                             i < in_b ? (int64_t)(self->b.first + i) : -1};
}

/* Finds frames of the same number whose packets are the same, in films compared from their
 * start. */
static void find_same(struct films *self)
{
    const uint64_t all =
        self->a.stream.count < self->b.stream.count ? self->a.stream.count : self->b.stream.count;
    if (!self->a.info->is_video || !self->b.info->is_video || all == 0)
        return;
    uint8_t *same = memory_new(all, 1);
    self->same = memory_new(self->count, 1);
    shared_find(&self->a.stream, &self->b.stream, all, same);
    for (uint64_t i = 0; i < self->count; i++) {
        const struct frame_pair *pair = &self->pairs[i];
        self->same[i] = pair->a == pair->b && (uint64_t)pair->a < all && same[pair->a];
        self->once += self->same[i];
    }
    free(same);
}

static void take_quality(struct films *self, int64_t frame, const struct quality *quality)
{
    const bool first = self->quality_frames++ == 0;
    self->error_sum += quality->error;
    self->ssim_sum += quality->ssim;
    if (first || quality->error > self->error_most) {
        self->error_most = quality->error;
        self->error_frame = frame;
    }
    if (first || quality->ssim < self->ssim_least) {
        self->ssim_least = quality->ssim;
        self->ssim_frame = frame;
    }
}

/* Returns the PSNR, at most 100 dB, which stands for equal luma. */
static double psnr_of(double error)
{
    return fmin(quality_psnr(error), 100);
}

static void tell_quality(struct films *self)
{
    const double n = (double)self->quality_frames;
    if (!self->params->quality || self->quality_frames == 0)
        return;
    const double psnr = psnr_of(self->error_sum / n), worst = psnr_of(self->error_most);
    const struct limits *limits = self->params->limits;
    struct finding *finding =
        stage_measured(self->picture, limits, &rules[RULE_PICTURE_PSNR], 100 - psnr);
    finding->frame = self->error_frame;
    finding_say(finding,
                "PSNR of luma %.3f dB, %.3f at frame %" PRId64
                "; SSIM of luma %.6f, %.6f at frame %" PRId64,
                psnr, worst, self->error_frame, self->ssim_sum / n, self->ssim_least,
                self->ssim_frame);
    finding = stage_measured(self->picture, limits, &rules[RULE_PICTURE_PSNR_WORST], 100 - worst);
    finding->frame = self->error_frame;
    finding_say(finding, "PSNR of luma is %.3f dB at frame %" PRId64, worst, self->error_frame);
}

static enum status take(void *user, uint64_t index, const struct pair_result *result)
{
    struct films *self = user;
    (void)index;
    if (result->measured)
        picture_judge_add(self->judge, (uint64_t)result->pair.a - self->a.first, result->pair.a,
                          &result->measure);
    if (result->has_quality)
        take_quality(self, result->pair.a, &result->quality);
    for (int side = 0; side < 2 && self->aligner; side++)
        if (result->frame[side])
            align_add(self->aligner, side, &result->sketch[side]);
    return STATUS_OK;
}

static enum status run_pairs(struct films *self)
{
    const struct pairs_params params = {.a = &self->a,
                                        .b = &self->b,
                                        .pairs = self->pairs,
                                        .count = self->count,
                                        .same = self->same,
                                        .measure = self->measure,
                                        .sketches = self->aligner != NULL,
                                        .quality = self->params->quality,
                                        .take = take,
                                        .user = self,
                                        .stop = self->params->stop};
    self->quality_frames = 0;
    self->error_sum = self->ssim_sum = 0;
    picture_judge_close(&self->judge);
    picture_judge_open(&self->judge, self->params->limits, self->one->frames);
    return pairs_run(&params);
}

/* Takes the pairs of the alignment that show the same moment. */
static void pair_aligned(struct films *self, const struct align_step *steps, size_t count)
{
    self->count = self->once = 0;
    free(self->pairs);
    free(self->same);
    self->same = NULL;
    self->pairs = memory_new(count, sizeof *self->pairs);
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind == ALIGN_PAIR || steps[i].kind == ALIGN_SWAPPED)
            self->pairs[self->count++] = (struct frame_pair){(int64_t)(self->a.first + steps[i].a),
                                                             (int64_t)(self->b.first + steps[i].b)};
}

/* Measures frames in pairs of the same number, and measures again only if the alignment of the
 * films turns out to be different. */
static enum status compare_pictures(struct films *self)
{
    pair_plainly(self);
    find_same(self);
    self->aligner = align_open(self->a.frames, self->b.frames);
    enum status status = run_pairs(self);
    if (status != STATUS_OK)
        return status;
    size_t count;
    struct align_step *steps = align_end(self->aligner, &count);
    const char *blind = order_missing(self->aligner);
    if (blind && align_is_plain(steps, count))
        text_append(&self->missing, ", ", "%s", blind);
    align_close(&self->aligner);
    order_judge(&(struct order_params){.first = {self->a.first, self->b.first},
                                       .name = {"A", "B"},
                                       .rule = &rules[RULE_SEQUENCE_ORDER],
                                       .limits = self->params->limits},
                steps, count, self->one);
    const bool plain = align_is_plain(steps, count);
    if (!plain)
        pair_aligned(self, steps, count);
    free(steps);
    return plain ? STATUS_OK : run_pairs(self);
}

/* ---- pictures of the difference ---- */

static enum status read_frame(void *user, int64_t frame, uint16_t *rgb)
{
    return reader_read(user, (uint64_t)frame, rgb);
}

static struct exhibit exhibit_of(const struct films *self, const struct frame_pair *pairs,
                                 size_t count)
{
    struct exhibit exhibit = {
        .note = "", .limits = self->params->limits, .pairs = pairs, .count = count};
    const struct side *const sides[2] = {&self->a, &self->b};
    for (int s = 0; s < 2; s++)
        exhibit.side[s] = (struct exhibit_side){.width = sides[s]->info->width,
                                                .height = sides[s]->info->height,
                                                .picture = read_frame,
                                                .user = sides[s]->reader};
    return exhibit;
}

static enum status write_difference(const struct films *self)
{
    const struct compare_params *params = self->params;
    const struct reader_info *info = self->a.info;
    const struct exhibit exhibit = exhibit_of(self, self->pairs, self->count);
    const bool known = info->fps_num > 0;
    return exhibit_film(&exhibit, params->difference, params->gain, known ? info->fps_num : 30,
                        known ? info->fps_den : 1, params->stop);
}

static const char *why_astray(const struct alignment_step *step)
{
    return step->b < 0                   ? "the first that is missing in B"
           : step->a < 0                 ? "the first that only B has"
           : step->kind == STEP_REPEATED ? "the first that is repeated"
                                         : "the first that is out of order";
}

/* Shows frames chosen by their verdicts, a clip, and the first frame that is out of order, even if
 * no pixel differs. */
static enum status show(const struct films *self)
{
    struct case_report *one = self->one;
    const uint32_t count = one->alignment_count;
    struct frame_pair *pairs = memory_new(count, sizeof *pairs);
    struct exhibit exhibit = exhibit_of(self, pairs, count);
    struct exhibit_frame astray = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct alignment_step *step = &one->alignment[i];
        pairs[i] = (struct frame_pair){step->a, step->b};
        if (step->kind == STEP_PAIR || exhibit.frame_count > 0)
            continue;
        astray = (struct exhibit_frame){pairs[i], 1, why_astray(step)};
        exhibit.frame_count = 1;
    }
    exhibit.frames = &astray;
    exhibit.folder = self->params->pictures;
    exhibit.fps = one->fps;
    exhibit.judge = self->judge;
    const enum status status = exhibit_show(&exhibit, one);
    free(pairs);
    return status;
}

/* ---- what is said ---- */

/* Marks the container as following from the picture if only its frame count and times changed:
 * frames out of order explain both. */
static void tell_order(struct films *self)
{
    const struct finding *order = NULL;
    struct stage_report *picture = self->picture, *container = &self->one->stages[JUDGED_CONTAINER];
    for (uint32_t i = 0; i < picture->finding_count && !order; i++)
        if (picture->findings[i].rule == &rules[RULE_SEQUENCE_ORDER] &&
            picture->findings[i].verdict == VERDICT_CHANGED)
            order = &picture->findings[i];
    bool follows = order && container->verdict == VERDICT_CHANGED;
    if (order)
        picture->first_frame = order->frame;
    for (uint32_t i = 0; i < container->finding_count && follows; i++)
        follows = container->findings[i].verdict != VERDICT_CHANGED ||
                  container->findings[i].rule->flags & RULE_IS_TIED;
    if (!follows)
        return;
    char *differs = container->sentence;
    container->sentence = NULL;
    container->follows = true;
    stage_say(container, "follows from picture: %s", differs);
    stage_conclude(container);
    free(differs);
}

/* Says the case's sentence: what differs, the differences between the scenes, and what was not
 * compared. A damaged tag comes first. The container comes before the picture: if colours have
 * another meaning, the pictures differ as a result. */
static void tell_case(struct films *self)
{
    struct case_report *one = self->one;
    const struct stage_report *scene = &one->stages[JUDGED_SCENE],
                              *container = &one->stages[JUDGED_CONTAINER];
    if (container->verdict == VERDICT_CHANGED && one->stage == JUDGED_PICTURE) {
        char *also = strstr(one->sentence, "; also changed: ");
        if (also) /* the sentence already begins with the container */
            *also = '\0';
        case_say(one, text_format("%s; %s", container->sentence, one->sentence));
        one->stage = JUDGED_CONTAINER;
    }
    char *said = memory_text(scene->verdict == VERDICT_CHANGED ? scene->sentence : one->sentence);
    for (int i = JUDGED_SCENE + 1; i < JUDGED_COUNT && scene->verdict == VERDICT_CHANGED; i++)
        if (one->stages[i].verdict == VERDICT_CHANGED)
            text_append(&said, "; ", "%s: %s", judged_name((enum judged)i),
                        one->stages[i].sentence ? one->stages[i].sentence : "differs");
    if (self->scenes && !verdict_passes(one->verdict))
        text_append(&said, "; ", "%s", self->scenes);
    char *missing = self->judge ? picture_judge_missing(self->judge) : NULL;
    if (self->missing)
        text_append(&missing, ", ", "%s", self->missing);
    if (missing)
        text_append(&said, "; ", "not compared: %s", missing);
    free(missing);
    case_say(one, said);
}

static void conclude(struct films *self)
{
    char **sentence = &self->picture->sentence;
    stage_conclude(self->picture);
    tell_order(self);
    if (self->once > 0 && *sentence && verdict_passes(self->picture->verdict))
        text_append(sentence, "; ", "%" PRIu64 " of them from the same packets, decoded once",
                    self->once);
    case_conclude(self->one);
    tell_case(self);
}

static enum status compare(struct films *self)
{
    const struct compare_params *params = self->params;
    self->measure = picture_params(params->limits);
    self->scenes = scenes_compare(&self->a, &self->b, params->limits, self->one);
    self->missing = headers_compare(&self->a, &self->b, params->limits, params->lossy, self->one);
    if (side_same(&self->a, &self->b)) {
        stage_not_judged(self->picture, "A and B are one file: nothing was compared");
        return STATUS_OK;
    }
    if (!headers_match(&self->a, &self->b, params->limits, self->picture))
        return STATUS_OK;
    enum status status = compare_pictures(self);
    if (status != STATUS_OK)
        return status;
    self->picture->planned = 0;
    for (uint64_t i = 0; i < self->count; i++)
        self->picture->planned += self->pairs[i].a >= 0 && self->pairs[i].b >= 0;
    picture_judge_end(self->judge, self->one, self->picture);
    tell_quality(self);
    return params->difference ? write_difference(self) : STATUS_OK;
}

enum status compare_films(const struct compare_params *params, struct report *report)
{
    const double began = clock_seconds();
    struct films self = {.params = params};
    enum status status = open_sides(&self);
    if (status == STATUS_OK) {
        open_films(&self, report);
        status = compare(&self);
    }
    if (status == STATUS_OK)
        conclude(&self);
    if (status == STATUS_OK && params->pictures && self.judge && !verdict_passes(self.one->verdict))
        status = show(&self);
    if (status == STATUS_OK)
        self.one->seconds = clock_seconds() - began;
    picture_judge_close(&self.judge);
    align_close(&self.aligner);
    free(self.pairs);
    free(self.same);
    free(self.scenes);
    free(self.missing);
    side_close(&self.a);
    side_close(&self.b);
    return status;
}
