#include "cmd/regression/compare/compare.h"

#include "base/clock.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/compare/headers.h"
#include "cmd/regression/compare/look.h"
#include "cmd/regression/judge/join.h"
#include "cmd/regression/compare/pairs.h"
#include "cmd/regression/compare/played.h"
#include "cmd/regression/compare/scenes.h"
#include "cmd/regression/compare/side.h"
#include "cmd/regression/judge/picture.h"
#include "render/compare/align.h"
#include "render/reader/shared.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
    const struct compare_params *params;
    struct side a, b;
    struct case_report *one;
    struct stage_report *picture;
    char *scenes;  /* the differences between the scenes; NULL: none known */
    char *missing; /* what was not compared; NULL: nothing */
    struct measure_params measure;
    struct picture_judge *judge;
    struct aligner *aligner;
    struct pair *pairs;
    uint64_t count;
    uint8_t *same; /* [count] for pairs without alignment, see pairs.h */
    uint64_t once; /* number of frames that are decoded once for both sides */
    /* PSNR and SSIM, if requested */
    uint64_t quality_frames;
    double error_sum, error_most, ssim_sum, ssim_least;
    int64_t error_frame, ssim_frame;
};

static enum status open_sides(struct comparison *self)
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

static void open_case(struct comparison *self, struct report *report)
{
    const struct compare_params *params = self->params;
    static const enum judged others[] = {JUDGED_SCENE, JUDGED_START, JUDGED_PHYSICS, JUDGED_LIGHT,
                                         JUDGED_PACKETS};
    char *name = text_format("%s against %s", params->b, params->a);
    self->one = report_add_case(report, name);
    free(name);
    self->one->a = memory_text(params->a);
    self->one->b = memory_text(params->b);
    self->one->frames = self->a.frames;
    if (self->a.info->fps_num > 0)
        self->one->fps = (double)self->a.info->fps_num / self->a.info->fps_den;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        stage_not_applicable(&self->one->stages[others[i]],
                             "two films are compared as they are shown");
    self->picture = &self->one->stages[JUDGED_PICTURE];
}

/* Pairs frames by number until one film ends; the rest of the other film has no partners. */
static void pair_plainly(struct comparison *self)
{
    const uint64_t in_a = self->a.frames, in_b = self->b.frames;
    self->count = in_a > in_b ? in_a : in_b;
    self->pairs = memory_new(self->count, sizeof *self->pairs);
    for (uint64_t i = 0; i < self->count; i++)
        self->pairs[i] = (struct pair){i < in_a ? self->a.first + i : PAIR_NONE,
                                       i < in_b ? self->b.first + i : PAIR_NONE};
}

/* Finds frames of the same number whose packets are the same, in films compared from their
 * start. */
static void find_same(struct comparison *self)
{
    const uint64_t all =
        self->a.stream.count < self->b.stream.count ? self->a.stream.count : self->b.stream.count;
    if (!self->a.info->is_video || !self->b.info->is_video || all == 0)
        return;
    uint8_t *same = memory_new(all, 1);
    self->same = memory_new(self->count, 1);
    shared_find(&self->a.stream, &self->b.stream, all, same);
    for (uint64_t i = 0; i < self->count; i++) {
        const struct pair *pair = &self->pairs[i];
        self->same[i] = pair->a == pair->b && pair->a < all && same[pair->a];
        self->once += self->same[i];
    }
    free(same);
}

static void take_quality(struct comparison *self, int64_t frame, const struct quality *quality)
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

static void tell_quality(struct comparison *self)
{
    const double n = (double)self->quality_frames;
    if (!self->params->quality)
        return;
    if (self->quality_frames == 0)
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
    struct comparison *self = user;
    (void)index;
    if (result->measured)
        picture_judge_add(self->judge, result->pair.a - self->a.first, (int64_t)result->pair.a,
                          &result->measure);
    if (result->has_quality)
        take_quality(self, (int64_t)result->pair.a, &result->quality);
    for (int side = 0; side < 2 && self->aligner; side++)
        if (result->frame[side])
            align_add(self->aligner, side, &result->sketch[side]);
    return STATUS_OK;
}

static enum status run_pairs(struct comparison *self)
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
static void pair_aligned(struct comparison *self, const struct align_step *steps, size_t count)
{
    self->count = self->once = 0;
    free(self->pairs);
    free(self->same);
    self->same = NULL;
    self->pairs = memory_new(count, sizeof *self->pairs);
    for (size_t i = 0; i < count; i++)
        if (steps[i].kind == ALIGN_PAIR || steps[i].kind == ALIGN_SWAPPED)
            self->pairs[self->count++] =
                (struct pair){self->a.first + steps[i].a, self->b.first + steps[i].b};
}

/* Measures frames in pairs of the same number, and measures again only if the alignment of the
 * films turns out to be different. */
static enum status compare_pictures(struct comparison *self)
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

static struct show_params show_params_of(const struct comparison *self)
{
    return (struct show_params){.a = &self->a,
                                .b = &self->b,
                                .pairs = self->pairs,
                                .count = self->count,
                                .judge = self->judge,
                                .limits = self->params->limits,
                                .stop = self->params->stop};
}

static enum status write_difference(const struct comparison *self)
{
    const struct show_params params = show_params_of(self);
    return show_difference(&params, self->params->difference, self->params->gain);
}

static enum status show(const struct comparison *self)
{
    const struct show_params params = show_params_of(self);
    return show_films(&params, self->params->pictures, self->one);
}

static void tell_once(struct comparison *self)
{
    char **sentence = &self->picture->sentence;
    if (self->once == 0 || !*sentence || !verdict_passes(self->picture->verdict))
        return;
    text_append(sentence, "; ", "%" PRIu64 " of them from the same packets, decoded once",
                self->once);
}

static const struct finding *order_of(const struct stage_report *picture)
{
    for (uint32_t i = 0; i < picture->finding_count; i++)
        if (picture->findings[i].rule == &rules[RULE_SEQUENCE_ORDER] &&
            picture->findings[i].verdict == VERDICT_CHANGED)
            return &picture->findings[i];
    return NULL;
}

/* Marks the container as following from the picture if only its frame count and times changed:
 * frames out of order explain both. */
static void tell_order(struct comparison *self)
{
    const struct finding *order = order_of(self->picture);
    struct stage_report *container = &self->one->stages[JUDGED_CONTAINER];
    bool follows = order && container->verdict == VERDICT_CHANGED;
    if (order)
        self->picture->first_frame = order->frame;
    for (uint32_t i = 0; i < container->finding_count && follows; i++)
        follows = container->findings[i].verdict != VERDICT_CHANGED ||
                  container->findings[i].rule == &rules[RULE_CONTAINER_FRAMES] ||
                  container->findings[i].rule == &rules[RULE_CONTAINER_TIMES];
    if (!follows)
        return;
    char *differs = container->sentence;
    container->sentence = NULL;
    container->follows = true;
    stage_say(container, "follows from picture: %s", differs);
    stage_conclude(container);
    free(differs);
}

/* Puts the container in front of the picture: if colours have another meaning, the pictures differ
 * as a result. */
static void tell_container(struct comparison *self)
{
    struct case_report *one = self->one;
    const struct stage_report *container = &one->stages[JUDGED_CONTAINER];
    if (container->verdict != VERDICT_CHANGED || one->stage != JUDGED_PICTURE)
        return;
    char *also = strstr(one->sentence, "; also changed: ");
    if (also) /* the sentence already begins with the container */
        *also = '\0';
    case_say(one, text_format("%s; %s", container->sentence, one->sentence));
    one->stage = JUDGED_CONTAINER;
}

/* Puts a damaged tag in front of all other differences. */
static void tell_damage(struct comparison *self)
{
    struct case_report *one = self->one;
    const struct stage_report *scene = &one->stages[JUDGED_SCENE];
    if (scene->verdict != VERDICT_CHANGED)
        return;
    char *said = memory_text(scene->sentence);
    for (int i = JUDGED_SCENE + 1; i < JUDGED_COUNT; i++) {
        const struct stage_report *stage = &one->stages[i];
        if (stage->verdict != VERDICT_CHANGED)
            continue;
        text_append(&said, "; ", "%s: %s", judged_name((enum judged)i),
                    stage->sentence ? stage->sentence : "differs");
    }
    case_say(one, said);
}

static void tell_scenes(struct comparison *self)
{
    struct case_report *one = self->one;
    if (self->scenes && !verdict_passes(one->verdict))
        case_say(one, text_format("%s; %s", one->sentence, self->scenes));
}

static void tell_missing(struct comparison *self)
{
    char *colours = self->judge ? picture_judge_missing(self->judge) : NULL;
    const char *played = self->missing ? self->missing : "";
    if (colours || *played)
        case_say(self->one,
                 text_format("%s; not compared: %s%s%s", self->one->sentence,
                             colours ? colours : "", colours && *played ? ", " : "", played));
    free(colours);
}

static void conclude(struct comparison *self)
{
    stage_conclude(self->picture);
    tell_order(self);
    tell_once(self);
    case_conclude(self->one);
    tell_container(self);
    tell_damage(self);
    tell_scenes(self);
    tell_missing(self);
}

static enum status compare(struct comparison *self)
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
        self->picture->planned += self->pairs[i].a != PAIR_NONE && self->pairs[i].b != PAIR_NONE;
    picture_judge_end(self->judge, self->one, self->picture);
    tell_quality(self);
    return params->difference ? write_difference(self) : STATUS_OK;
}

enum status compare_films(const struct compare_params *params, struct report *report)
{
    const double began = clock_seconds();
    struct comparison self = {.params = params};
    enum status status = open_sides(&self);
    if (status == STATUS_OK) {
        open_case(&self, report);
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
