#include "cmd/regression/judge/picture_judge.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lit pixels ---- */

/* With fewer lit pixels per frame than this, light and colour are those of an encoder's noise. */
static const double LIT_LEAST = 16;

/* The smallest turn of hue, in degrees, that the commands' help promises to find. */
static const double HUE_SAID = 10;

double lit_worst_channel(const struct lit *lit)
{
    double worst = 0;
    for (int c = 0; c < 3; c++)
        if (fabs(lit_channel(lit, c)) > fabs(worst))
            worst = lit_channel(lit, c);
    return worst;
}

double lit_paler(const struct lit *lit)
{
    const double change = lit_saturation(lit);
    return isnan(change) ? NAN : fmin(change, 0);
}

double lit_richer(const struct lit *lit)
{
    const double change = lit_saturation(lit);
    return isnan(change) ? NAN : fmax(change, 0);
}

/* Returns how many degrees of the hue encoders may have turned. */
static double doubt(const struct lit_judge *judge)
{
    return lit_doubt(&judge->film) * (judge->apart ? 2 : 1);
}

void lit_judge_add(struct lit_judge *judge, const struct measure *measure)
{
    if (measure->equal)
        return;
    judge->frames++;
    lit_add(&judge->film, &measure->lit_sums);
}

static bool is_dark(const struct lit_judge *judge)
{
    return judge->film.pixels < LIT_LEAST * (double)judge->frames;
}

void lit_judge_end(const struct lit_judge *judge, enum lit_rules which, const struct limits *limits,
                   struct stage_report *stage)
{
    if (judge->frames == 0 || is_dark(judge))
        return;
    for (int r = 0; r < RULE_COUNT; r++) {
        const struct rule *rule = &rules[r];
        const bool of_film = strncmp(rule->name, "film.", 5) == 0;
        if (!rule->lit || of_film != (which == LIT_OF_FILM))
            continue;
        double change = rule->lit(&judge->film);
        if (rule->lit == lit_hue && !isnan(change))
            change = fmax(change - doubt(judge), 0);
        if (isnan(change) || (isinf(limits_warn(limits, rule)) && isinf(limits_fail(limits, rule))))
            continue;
        finding_say(stage_measured(stage, limits, rule, fabs(change)), rule->says, change);
    }
}

char *lit_judge_missing(const struct lit_judge *judge, enum lit_rules which,
                        const struct limits *limits)
{
    if (judge->frames == 0)
        return NULL;
    if (is_dark(judge))
        return memory_text("light and colour (too few pixels are lit)");
    if (isnan(lit_hue(&judge->film)))
        return memory_text("hue and saturation (colours are too pale, or too few)");
    /* An encoder may turn a mistake's hue back by as much as it turns an honest one. */
    const double least =
        limits_fail(limits, &rules[which == LIT_OF_FILM ? RULE_FILM_HUE : RULE_PICTURE_HUE]) +
        doubt(judge) + 2 * lit_doubt(&judge->film);
    if (least >= 180)
        return memory_text("hue (a coarse encoder, or pale colours)");
    return least > HUE_SAID
               ? text_format("hues turned by less than %.0f degrees (a coarse encoder, or pale "
                             "colours)",
                             ceil(least))
               : NULL;
}

/* ---- pairs of pictures ---- */

/* Returns the value of a rule, with its sign. */
static double value_of(const struct measure *measure, const struct rule *rule)
{
    const void *at = (const char *)measure + rule->pair.value;
    const double value = rule->pair.kind == PAIRED_REAL ? *(const double *)at
                         : rule->pair.kind == PAIRED_COUNT
                             ? (double)*(const uint64_t *)at
                             : (double)(measure->missing + measure->added);
    return rule->pair.times * value + rule->pair.plus;
}

/* The worst value in all frames so far. */
struct worst {
    double value, warn, fail, share;
    int64_t frame;              /* -1: none yet */
    int32_t place[2];           /* as the rule says; -1: none */
    struct measure_pixel pixel; /* for the colours of counted ones */
    uint64_t missing, added;
};

/* The verdict on one frame. */
struct judged_frame {
    int64_t frame;
    enum verdict verdict;
    double worst;
};

struct picture_judge {
    const struct limits *limits;
    uint64_t frames, compared, differing, failed, warned;
    int64_t first_changed, first_different;
    struct worst worst[RULE_COUNT]; /* of the rules of pairs, as below */
    double *series[RULE_COUNT];
    struct judged_frame *judged; /* [compared] */
    /* only over frames that have light */
    uint64_t lit_frames, brighter, darker;
    double ratio_sum, ratio_squares, noise_squares, bias_sum;
    struct lit_judge lit; /* over frames that are not equal */
};

struct measure_params picture_params(const struct limits *limits)
{
    struct measure_params params = measure_usual;
    params.free = limits_fail(limits, &rules[RULE_PICTURE_FREE]);
    params.counted = limits_fail(limits, &rules[RULE_PICTURE_COUNTS_FROM]);
    params.star = limits_fail(limits, &rules[RULE_PICTURE_STAR]);
    params.light = limits_fail(limits, &rules[RULE_PICTURE_LIGHT_ABOVE]) / 100;
    return params;
}

void picture_judge_open(struct picture_judge **out, const struct limits *limits, uint64_t frames)
{
    struct picture_judge *self = *out = memory_new(1, sizeof *self);
    self->limits = limits;
    self->frames = frames;
    self->first_changed = self->first_different = -1;
    for (int r = 0; r < RULE_COUNT; r++) {
        self->worst[r].frame = -1;
        if (!rules[r].pair.kind)
            continue;
        self->series[r] = memory_new(frames, sizeof *self->series[r]);
        for (uint64_t f = 0; f < frames; f++)
            self->series[r][f] = NAN;
    }
}

void picture_judge_close(struct picture_judge **judge)
{
    if (!*judge)
        return;
    for (int r = 0; r < RULE_COUNT; r++)
        free((*judge)->series[r]);
    free((*judge)->judged);
    free(*judge);
    *judge = NULL;
}

/* Returns how many pixels of a frame may differ visibly: a share of its lit pixels, at least the
 * floor, and at most the rule's own limit. If only the rule's own limit was set, it applies
 * alone. */
static double counted_allowed(const struct limits *limits, const struct measure *measure)
{
    const struct rule *of_lit = &rules[RULE_PICTURE_COUNTED_OF_LIT],
                      *floor = &rules[RULE_PICTURE_COUNTED_FLOOR],
                      *counted = &rules[RULE_PICTURE_COUNTED];
    const double share = limits_fail(limits, of_lit) / 100, least = limits_fail(limits, floor),
                 most = limits_fail(limits, counted);
    if (limits_is_given(limits, counted) && !limits_is_given(limits, of_lit) &&
        !limits_is_given(limits, floor))
        return most;
    return fmin(fmax(share * (double)measure->lit, least), most);
}

/* Returns the severity of a value: its share of the limit. For a limit of 0, it is 1 + the
 * value. */
static double how_far(double value, double limit)
{
    return value == 0 || isinf(limit) ? 0 : limit > 0 ? value / limit : 1 + value;
}

/* *far: raised to the severity of this value, if that is larger. */
static enum verdict judge_pair(struct picture_judge *self, const struct rule *rule, int64_t frame,
                               const struct measure *measure, double *far)
{
    const double value = fabs(value_of(measure, rule)), warn = limits_warn(self->limits, rule),
                 fail = rule == &rules[RULE_PICTURE_COUNTED]
                            ? counted_allowed(self->limits, measure)
                            : limits_fail(self->limits, rule),
                 limit = isfinite(fail) ? fail : warn,
                 share = value == 0  ? 0
                         : limit > 0 ? value / limit
                                     : INFINITY;
    struct worst *worst = &self->worst[rule - rules];
    *far = fmax(*far, how_far(value, fail));
    if (worst->frame < 0 || !(share <= worst->share) ||
        (share == worst->share && value > worst->value)) {
        *worst = (struct worst){
            value, warn, fail, share, frame, {-1, -1}, {0}, measure->missing, measure->added};
        if (rule->pair.at != PAIRED_NOWHERE)
            memcpy(worst->place, (const char *)measure + rule->pair.place, sizeof worst->place);
        if (rule == &rules[RULE_PICTURE_COUNTED])
            worst->pixel = measure->largest;
        if (rule == &rules[RULE_PICTURE_PIXEL])
            worst->pixel = measure->hard;
    }
    return !(value <= fail)   ? VERDICT_CHANGED
           : !(value <= warn) ? VERDICT_WARNED
           : value == 0       ? VERDICT_SAME
                              : VERDICT_WITHIN;
}

/* Accumulates the ratio of both lights, and how much of its spread noise of -2 to 2 codes
 * explains. */
static void follow_light(struct picture_judge *self, const struct measure *measure)
{
    const double least = fmin(measure->light[0], measure->light[1]);
    if (!measure->equal && !(least > 0))
        return;
    const double ratio = measure->equal ? 1 : measure->light[1] / measure->light[0];
    self->lit_frames++;
    self->ratio_sum += ratio - 1;
    self->ratio_squares += (ratio - 1) * (ratio - 1);
    const double noise = measure->equal ? 0 : 2.2 * M_SQRT2 / 255 / sqrt(least);
    self->noise_squares += noise * noise;
    self->bias_sum += measure->bias;
    self->brighter += measure->bias > 0;
    self->darker += measure->bias < 0;
}

enum verdict picture_judge_add(struct picture_judge *self, uint64_t index, int64_t frame,
                               const struct measure *measure)
{
    enum verdict verdict = measure->equal ? VERDICT_SAME : VERDICT_WITHIN;
    double far = 0;
    self->differing += !measure->equal;
    for (int r = 0; r < RULE_COUNT; r++) {
        if (!rules[r].pair.kind)
            continue;
        const enum verdict one = judge_pair(self, &rules[r], frame, measure, &far);
        verdict = one > verdict ? one : verdict;
        if (index < self->frames)
            self->series[r][index] = value_of(measure, &rules[r]);
    }
    follow_light(self, measure);
    lit_judge_add(&self->lit, measure);
    *MEMORY_ADD(self->judged, self->compared) = (struct judged_frame){frame, verdict, far};
    self->failed += verdict == VERDICT_CHANGED;
    self->warned += verdict == VERDICT_WARNED;
    if (verdict == VERDICT_CHANGED && self->first_changed < 0)
        self->first_changed = frame;
    if (!measure->equal && self->first_different < 0)
        self->first_different = frame;
    return verdict;
}

/* ---- frames to look at ---- */

static bool is_candidate(const struct picture_judge *self, const struct judged_frame *judged)
{
    return self->failed > 0 ? judged->verdict == VERDICT_CHANGED : judged->verdict != VERDICT_SAME;
}

struct choosing {
    struct picture_choice *out;
    size_t count, most;
};

/* Chooses the frame, if there is room; the first reason is kept. */
static void choose(struct choosing *choosing, const struct judged_frame *judged, const char *begin,
                   const char *why)
{
    size_t i = 0;
    while (i < choosing->count && choosing->out[i].frame != judged->frame)
        i++;
    if (i == choosing->most)
        return;
    if (i == choosing->count)
        choosing->out[choosing->count++] =
            (struct picture_choice){.frame = judged->frame, .worst = judged->worst};
    struct picture_choice *choice = &choosing->out[i];
    if (!choice->why[0])
        snprintf(choice->why, sizeof choice->why, "%s%s", begin, why);
}

static int by_frame(const void *a, const void *b)
{
    const struct picture_choice *one = a, *other = b;
    return one->frame < other->frame ? -1 : one->frame > other->frame;
}

size_t picture_judge_choose(const struct picture_judge *self, struct picture_choice *out,
                            size_t most)
{
    const struct judged_frame *first = NULL, *last = NULL, *worst = NULL;
    struct choosing choosing = {.out = out, .most = most};
    for (uint64_t f = 0; f < self->compared; f++) {
        const struct judged_frame *one = &self->judged[f];
        if (!is_candidate(self, one))
            continue;
        first = first ? first : one;
        last = one;
        worst = worst && worst->worst >= one->worst ? worst : one;
    }
    if (!first || most == 0)
        return 0;
    const char *does = self->failed > 0 ? "fails" : "differs";
    if (first == last) {
        choose(&choosing, first, "the only one that ", does);
        return choosing.count;
    }
    choose(&choosing, worst, "", "");
    choose(&choosing, first, "the first that ", does);
    choose(&choosing, last, "the last that ", does);
    for (int r = 0; r < RULE_COUNT; r++)
        for (uint64_t f = 0; f < self->compared; f++)
            if (rules[r].pair.kind && self->judged[f].frame == self->worst[r].frame &&
                !(self->worst[r].value <= self->worst[r].fail))
                choose(&choosing, &self->judged[f], "worst by ", rules[r].name);
    qsort(out, choosing.count, sizeof *out, by_frame);
    return choosing.count;
}

/* ---- findings ---- */

/* Sets where the worst value is, and says it. */
static void tell_pair(struct finding *finding, const struct worst *worst)
{
    const struct rule *rule = finding->rule;
    const bool tile = rule->pair.at == PAIRED_TILE;
    char said[128], place[64] = "";
    finding->frame = worst->frame;
    if (worst->place[0] >= 0) {
        finding->x = tile ? -1 : worst->place[0];
        finding->y = tile ? -1 : worst->place[1];
        finding->tile_x = worst->place[0] / (tile ? 1 : PLANES_TILE);
        finding->tile_y = worst->place[1] / (tile ? 1 : PLANES_TILE);
        snprintf(place, sizeof place, ", %s %d,%d", tile ? "tile" : "pixel", worst->place[0],
                 worst->place[1]);
    }
    if (worst->pixel.value > 0) {
        finding->x = worst->pixel.x;
        finding->y = worst->pixel.y;
        memcpy(finding->a, worst->pixel.a, sizeof finding->a);
        memcpy(finding->b, worst->pixel.b, sizeof finding->b);
    }
    if (rule->says)
        snprintf(said, sizeof said, rule->says, worst->value);
    else
        snprintf(said, sizeof said, "%" PRIu64 " %s missing and %" PRIu64 " %s added",
                 worst->missing, worst->missing == 1 ? "star is" : "stars are", worst->added,
                 worst->added == 1 ? "is" : "are");
    finding_say(finding, "%s at frame %" PRId64 "%s", said, worst->frame, place);
}

static void find_flicker(const struct picture_judge *self, struct stage_report *stage)
{
    const double n = (double)self->lit_frames;
    if (self->lit_frames < 2)
        return;
    const double mean = self->ratio_sum / n;
    const double spread = sqrt(fmax(self->ratio_squares / n - mean * mean, 0));
    const double beyond = fmax(spread - 1.6 * sqrt(self->noise_squares / n), 0);
    struct finding *finding =
        stage_measured(stage, self->limits, &rules[RULE_SEQUENCE_LIGHT], 100 * beyond);
    if (beyond > 0)
        finding_say(finding, "the ratio of light flickers by %.3f %% over the frames",
                    100 * beyond);
    const uint64_t one_sign = self->brighter > self->darker ? self->brighter : self->darker;
    const double trend = 10 * one_sign > 9 * self->lit_frames ? fabs(self->bias_sum / n) : 0;
    finding = stage_measured(stage, self->limits, &rules[RULE_SEQUENCE_TREND], trend);
    if (trend > 0)
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames are %s, by %.3f codes on average",
                    one_sign, self->lit_frames,
                    self->brighter > self->darker ? "brighter" : "darker", trend);
}

static void find_frames(const struct picture_judge *self, struct stage_report *stage)
{
    struct finding *finding =
        stage_measured(stage, self->limits, &rules[RULE_SEQUENCE_FAILED], (double)self->failed);
    if (self->failed > 0) {
        finding->frame = self->first_changed;
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames differ, from frame %" PRId64,
                    self->failed, self->compared, self->first_changed);
    }
    if (self->compared == 0)
        return;
    const struct rule *rule = &rules[RULE_SEQUENCE_WARNED];
    const double one = 100 / (double)self->compared, part = limits_fail(self->limits, rule);
    /* in a film so short that one frame exceeds the limit, allow one frame */
    const double fail = limits_is_given(self->limits, rule) ? part : fmax(part, one);
    finding = stage_measured_within(stage, self->limits, rule, one * (double)self->warned,
                                    limits_warn(self->limits, rule), fail);
    if (self->warned > 0)
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames have a warning", self->warned,
                    self->compared);
}

/* Lists frames whose bits differ; where bits need not agree, that is not a failure by itself. */
static void find_bits(const struct picture_judge *self, struct stage_report *stage)
{
    if (stage->same_platform)
        return;
    struct finding *finding = stage_measured_within(stage, self->limits, &rules[RULE_PICTURE_BITS],
                                                    (double)self->differing, INFINITY, INFINITY);
    if (self->differing == 0)
        finding_say(finding, "the same pixels in %" PRIu64 " of %" PRIu64 " frames", self->compared,
                    self->compared);
    else
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames are not the same to every bit",
                    self->differing, self->compared);
    finding->frame = self->first_different;
}

static void find_pair(struct picture_judge *self, int r, struct case_report *one,
                      struct stage_report *stage)
{
    const struct worst *worst = &self->worst[r];
    if (self->compared > 0) {
        struct finding *finding = stage_measured_within(stage, self->limits, &rules[r],
                                                        worst->value, worst->warn, worst->fail);
        if (worst->value != 0)
            tell_pair(finding, worst);
    }
    *MEMORY_ADD(one->series, one->series_count) =
        (struct series){.rule = &rules[r], .value = self->series[r]};
    self->series[r] = NULL;
}

void picture_judge_end(struct picture_judge *self, struct case_report *one,
                       struct stage_report *stage)
{
    stage->compared = self->compared;
    stage->first_frame = self->first_changed >= 0 ? self->first_changed : self->first_different;
    if (self->compared > 0)
        find_bits(self, stage);
    for (int r = 0; r < RULE_COUNT; r++)
        if (rules[r].pair.kind)
            find_pair(self, r, one, stage);
    if (self->compared == 0)
        return;
    lit_judge_end(&self->lit, LIT_OF_PICTURES, self->limits, stage);
    find_flicker(self, stage);
    find_frames(self, stage);
}

char *picture_judge_missing(const struct picture_judge *self)
{
    return isinf(limits_fail(self->limits, &rules[RULE_PICTURE_HUE]))
               ? NULL
               : lit_judge_missing(&self->lit, LIT_OF_PICTURES, self->limits);
}

/* Adds a mark for a tile; a tile that breaks several limits has only one mark. */
static void add_tile(struct mark *marks, uint32_t *count, const struct measure_place *tile,
                     double far)
{
    const int32_t x = tile->x * PLANES_TILE + PLANES_TILE / 2,
                  y = tile->y * PLANES_TILE + PLANES_TILE / 2;
    uint32_t i = 0;
    while (i < *count && (marks[i].kind != MARK_TILE || marks[i].x != x || marks[i].y != y))
        i++;
    if (i == *count)
        marks[(*count)++] = (struct mark){MARK_TILE, x, y, PLANES_TILE / 2, far};
    marks[i].value = fmax(marks[i].value, far);
}

struct mark *picture_marks(const struct measure *measure, const struct limits *limits,
                           uint32_t *count)
{
    struct mark *marks = memory_new(measure->star_count + (size_t)5, sizeof *marks);
    uint32_t n = 0;
    for (uint32_t i = 0; i < measure->star_count; i++) {
        const struct measure_star *star = &measure->stars[i];
        marks[n++] = (struct mark){star->added ? MARK_ADDED_STAR : MARK_MISSING_STAR, star->x,
                                   star->y, 6, star->value};
    }
    const struct {
        const struct measure_place *tile;
        double value;
        enum rule_name rule;
    } tiles[] = {
        {&measure->tile_counted, measure->tile_counted.value, RULE_PICTURE_TILE_COUNTED},
        {&measure->tile_mean, measure->tile_mean.value, RULE_PICTURE_TILE_MEAN},
        {&measure->tile_light, 100 * measure->tile_light.value, RULE_PICTURE_TILE_LIGHT},
        {&measure->tile_line, measure->tile_line.value, RULE_PICTURE_TILE_LINE},
    };
    for (size_t i = 0; i < sizeof tiles / sizeof tiles[0]; i++) {
        const double limit = limits_fail(limits, &rules[tiles[i].rule]);
        if (!(tiles[i].value <= limit))
            add_tile(marks, &n, tiles[i].tile, how_far(tiles[i].value, limit));
    }
    if (measure->hard.x >= 0)
        marks[n++] =
            (struct mark){MARK_PIXEL, measure->hard.x, measure->hard.y, 1, measure->hard.value};
    *count = n;
    return marks;
}
