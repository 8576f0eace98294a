#include "cmd/regression/judge/picture.h"

#include "base/memory.h"
#include "cmd/regression/judge/lit.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum where { NOWHERE, A_PIXEL, A_TILE };

struct place {
    enum where where;
    int32_t x, y;
    const struct measure_pixel *pixel; /* for its colours, or NULL */
};

static struct place at_tile(const struct measure_place *tile)
{
    return (struct place){A_TILE, tile->x, tile->y, NULL};
}

static struct place at_pixel(int32_t x, int32_t y)
{
    return (struct place){A_PIXEL, x, y, NULL};
}

/* `says` is a printf format for the value, without a frame number. */
static const struct figure {
    enum rule_name rule;
    const char *says;
} figures[] = {
    {RULE_PICTURE_COUNTED, "%.0f pixels differ visibly"},
    {RULE_PICTURE_PIXEL, "a pixel differs by %.1f codes"},
    {RULE_PICTURE_UNPAIRED_STARS, "%.0f stars are missing or added"},
    {RULE_PICTURE_TILE_COUNTED, "%.0f pixels differ visibly in one tile"},
    {RULE_PICTURE_TILE_MEAN, "a tile differs by %.2f codes on average"},
    {RULE_PICTURE_TILE_LIGHT, "the light of a tile differs by %.2f %%"},
    {RULE_PICTURE_TILE_LINE, "a row or column of a tile differs by %.2f codes in one direction"},
    {RULE_PICTURE_BIAS, "lit pixels differ by %.3f codes in one direction"},
    {RULE_PICTURE_LIGHT, "the light differs by %.3f %%"},
    {RULE_PICTURE_LIGHT_PIXELS, "%.0f pixels differ in their light"},
    {RULE_PICTURE_SSIM, "structure differs by %.4f (1 - SSIM)"},
    {RULE_PICTURE_SSIM_MEAN, "structure differs by %.6f (1 - SSIM) on average"},
    {RULE_PICTURE_COLOUR, "colours differ by %.2f on average"},
};

/* Returns the value of a rule, and its place; NOWHERE: the value is for the whole frame. */
static double figure_of(const struct measure *m, enum rule_name rule, struct place *place)
{
    *place = (struct place){NOWHERE, -1, -1, NULL};
    switch (rule) {
    case RULE_PICTURE_COUNTED:
        *place = at_tile(&m->tile_counted);
        place->pixel = &m->largest;
        return (double)m->counted;
    case RULE_PICTURE_PIXEL:
        *place = at_pixel(m->hard.x, m->hard.y);
        place->pixel = &m->hard;
        return m->hard.value;
    case RULE_PICTURE_UNPAIRED_STARS:
        if (m->star_count > 0)
            *place = at_pixel(m->stars[0].x, m->stars[0].y);
        return (double)(m->missing + m->added);
    case RULE_PICTURE_TILE_COUNTED:
        *place = at_tile(&m->tile_counted);
        return m->tile_counted.value;
    case RULE_PICTURE_TILE_MEAN:
        *place = at_tile(&m->tile_mean);
        return m->tile_mean.value;
    case RULE_PICTURE_TILE_LIGHT:
        *place = at_tile(&m->tile_light);
        return 100 * m->tile_light.value;
    case RULE_PICTURE_TILE_LINE:
        *place = at_tile(&m->tile_line);
        return m->tile_line.value;
    case RULE_PICTURE_BIAS:
        return fabs(m->bias);
    case RULE_PICTURE_LIGHT:
        return 100 * m->light_change;
    case RULE_PICTURE_LIGHT_PIXELS:
        *place = at_pixel(m->light_pixel.x, m->light_pixel.y);
        return (double)m->light_pixels;
    case RULE_PICTURE_SSIM:
        *place = at_pixel(m->ssim.x, m->ssim.y);
        return 1 - m->ssim_worst;
    case RULE_PICTURE_SSIM_MEAN:
        return 1 - m->ssim_mean;
    default:
        return m->colour;
    }
}

enum { FIGURES = sizeof figures / sizeof figures[0] };

/* The worst value in all frames so far. */
struct worst {
    double value, warn, fail, share;
    int64_t frame; /* -1: none yet */
    struct place place;
    struct measure_pixel pixel;
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
    struct worst worst[FIGURES];
    double *series[FIGURES];
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
    for (size_t i = 0; i < FIGURES; i++) {
        self->worst[i].frame = -1;
        self->series[i] = memory_new(frames, sizeof *self->series[i]);
        for (uint64_t f = 0; f < frames; f++)
            self->series[i][f] = NAN;
    }
}

void picture_judge_close(struct picture_judge **judge)
{
    if (!*judge)
        return;
    for (size_t i = 0; i < FIGURES; i++)
        free((*judge)->series[i]);
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

static double share_of(double value, double limit)
{
    return value == 0 ? 0 : limit > 0 ? value / limit : INFINITY;
}

/* Returns the severity of a value: its share of the limit. For a limit of 0, it is 1 + the
 * value. */
static double how_far(double value, double limit)
{
    return value == 0 || isinf(limit) ? 0 : limit > 0 ? value / limit : 1 + value;
}

/* *far: raised to the severity of this value, if that is larger. */
static enum verdict judge_figure(struct picture_judge *self, size_t i, int64_t frame,
                                 const struct measure *measure, double *far)
{
    const struct rule *rule = &rules[figures[i].rule];
    struct place place;
    const double value = figure_of(measure, figures[i].rule, &place);
    double warn = limits_warn(self->limits, rule), fail = limits_fail(self->limits, rule);
    if (figures[i].rule == RULE_PICTURE_COUNTED)
        fail = counted_allowed(self->limits, measure);
    *far = fmax(*far, how_far(value, fail));
    const double share = isfinite(fail) ? share_of(value, fail) : share_of(value, warn);
    struct worst *worst = &self->worst[i];
    if (worst->frame < 0 || !(share <= worst->share) ||
        (share == worst->share && value > worst->value))
        *worst = (struct worst){.value = value,
                                .warn = warn,
                                .fail = fail,
                                .share = share,
                                .frame = frame,
                                .place = place,
                                .missing = measure->missing,
                                .added = measure->added};
    if (worst->place.pixel) {
        worst->pixel = *worst->place.pixel;
        worst->place.pixel = NULL;
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
    for (size_t i = 0; i < FIGURES; i++) {
        const enum verdict one = judge_figure(self, i, frame, measure, &far);
        struct place place;
        verdict = one > verdict ? one : verdict;
        if (index < self->frames)
            self->series[i][index] = figures[i].rule == RULE_PICTURE_BIAS
                                         ? measure->bias
                                         : figure_of(measure, figures[i].rule, &place);
    }
    follow_light(self, measure);
    lit_judge_add(&self->lit, measure);
    self->judged = memory_grow(self->judged, (size_t)self->compared + 1, sizeof *self->judged);
    self->judged[self->compared++] = (struct judged_frame){frame, verdict, far};
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

static bool fails(const struct picture_judge *self, size_t figure)
{
    return !(self->worst[figure].value <= self->worst[figure].fail);
}

struct choosing {
    struct picture_choice *out;
    size_t count, most;
};

/* Returns the entry for the frame; NULL if there is no room for another one. */
static struct picture_choice *choice_of(struct choosing *choosing,
                                        const struct judged_frame *judged)
{
    size_t i = 0;
    while (i < choosing->count && choosing->out[i].frame != judged->frame)
        i++;
    if (i == choosing->most)
        return NULL;
    if (i == choosing->count)
        choosing->out[choosing->count++] =
            (struct picture_choice){.frame = judged->frame, .worst = judged->worst};
    return &choosing->out[i];
}

/* Appends the reason to those already recorded for the frame. */
static void choose(struct choosing *choosing, const struct judged_frame *judged, const char *begin,
                   const char *why)
{
    struct picture_choice *choice = choice_of(choosing, judged);
    if (!choice)
        return;
    const size_t used = strlen(choice->why);
    const bool begun = *begin && strstr(choice->why, begin);
    snprintf(choice->why + used, sizeof choice->why - used, "%s%s%s", used > 0 ? ", " : "",
             begun ? "" : begin, why);
}

static void choose_by_rules(const struct picture_judge *self, struct choosing *choosing)
{
    for (size_t i = 0; i < FIGURES; i++)
        for (uint64_t f = 0; f < self->compared && fails(self, i); f++)
            if (self->judged[f].frame == self->worst[i].frame) {
                choose(choosing, &self->judged[f], "worst by ", rules[figures[i].rule].name);
                break;
            }
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
    choice_of(&choosing, worst);
    choose(&choosing, first, "the first that ", does);
    choose(&choosing, last, "the last that ", does);
    choose_by_rules(self, &choosing);
    qsort(out, choosing.count, sizeof *out, by_frame);
    return choosing.count;
}

/* ---- findings ---- */

static void tell_place(struct finding *finding, const struct worst *worst)
{
    finding->frame = worst->frame;
    if (worst->place.where == A_TILE) {
        finding->tile_x = worst->place.x;
        finding->tile_y = worst->place.y;
    } else if (worst->place.where == A_PIXEL && worst->place.x >= 0) {
        finding->x = worst->place.x;
        finding->y = worst->place.y;
        finding->tile_x = worst->place.x / PLANES_TILE;
        finding->tile_y = worst->place.y / PLANES_TILE;
    }
    if (worst->pixel.value > 0) {
        finding->x = worst->pixel.x;
        finding->y = worst->pixel.y;
        for (int c = 0; c < 3; c++) {
            finding->a[c] = worst->pixel.a[c];
            finding->b[c] = worst->pixel.b[c];
        }
    }
}

static void tell_figure(struct finding *finding, const struct figure *figure,
                        const struct worst *worst)
{
    char said[128], place[96] = "";
    snprintf(said, sizeof said, figure->says, worst->value);
    if (figure->rule == RULE_PICTURE_UNPAIRED_STARS)
        snprintf(said, sizeof said, "%" PRIu64 " %s missing and %" PRIu64 " %s added",
                 worst->missing, worst->missing == 1 ? "star is" : "stars are", worst->added,
                 worst->added == 1 ? "is" : "are");
    if (worst->place.where == A_TILE && worst->place.x >= 0)
        snprintf(place, sizeof place, ", tile %d,%d", worst->place.x, worst->place.y);
    else if (worst->place.where == A_PIXEL && worst->place.x >= 0)
        snprintf(place, sizeof place, ", pixel %d,%d", worst->place.x, worst->place.y);
    finding_say(finding, "%s at frame %" PRId64 "%s", said, worst->frame, place);
}

static void find_figure(const struct picture_judge *self, size_t i, struct stage_report *stage)
{
    const struct worst *worst = &self->worst[i];
    struct finding *finding = stage_measured_within(stage, self->limits, &rules[figures[i].rule],
                                                    worst->value, worst->warn, worst->fail);
    if (worst->value == 0)
        return;
    tell_place(finding, worst);
    tell_figure(finding, &figures[i], worst);
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

static void give_series(struct picture_judge *self, struct case_report *one)
{
    for (size_t i = 0; i < FIGURES; i++) {
        one->series = memory_grow(one->series, one->series_count + (size_t)1, sizeof *one->series);
        one->series[one->series_count++] =
            (struct series){.rule = &rules[figures[i].rule], .value = self->series[i]};
        self->series[i] = NULL;
    }
}

void picture_judge_end(struct picture_judge *self, struct case_report *one,
                       struct stage_report *stage)
{
    stage->compared = self->compared;
    stage->first_frame = self->first_changed >= 0 ? self->first_changed : self->first_different;
    if (self->compared > 0) {
        find_bits(self, stage);
        for (size_t i = 0; i < FIGURES; i++)
            find_figure(self, i, stage);
        lit_judge_end(&self->lit, LIT_OF_PICTURES, self->limits, stage);
        find_flicker(self, stage);
        find_frames(self, stage);
    }
    give_series(self, one);
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
