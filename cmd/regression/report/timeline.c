#include "cmd/regression/report/timeline.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/summary.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_MAX = 1000, WIDTH = 1000, HEIGHT = 100, EXCEPTIONS_MAX = 40, LINKS_MAX = 600 };

/* Points of the drawing; each has the worst value of its frames. */
struct points {
    size_t count;
    double *value;
    double warn, fail;           /* INFINITY: none */
    bool logarithmic, is_signed; /* signed: 0 is in the middle, with limits on both sides */
    double low, high;            /* ends of the scale */
};

static double worst(double a, double b)
{
    return isnan(a) || fabs(b) > fabs(a) ? b : a;
}

static double *gather(const double *values, uint64_t frames, size_t count)
{
    double *out = memory_new(count, sizeof *out);
    for (size_t p = 0; p < count; p++)
        out[p] = NAN;
    for (uint64_t f = 0; f < frames; f++) {
        size_t p = (size_t)(f * count / frames);
        out[p] = worst(out[p], values[f]);
    }
    return out;
}

/* Finds the limits: those in this film's finding, or else the rule's defaults. */
static void find_limits(struct points *points, const struct case_report *one,
                        const struct rule *rule)
{
    const struct stage_report *stage = &one->stages[rule->stage];
    points->warn = rule->warn;
    points->fail = rule->fail;
    for (uint32_t f = 0; f < stage->finding_count; f++)
        if (stage->findings[f].rule == rule) {
            points->warn = stage->findings[f].warn;
            points->fail = stage->findings[f].fail;
        }
}

static void widen(double value, double *least, double *most)
{
    const double size = fmin(fmax(fabs(value), 1e-300), 1e300);
    if (isfinite(value) && value != 0) {
        *least = fmin(*least, size);
        *most = fmax(*most, size);
    }
}

/* Rounds up to a number that is easy to read. */
static double round_up(double value)
{
    static const double steps[] = {1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10};
    const double power = pow(10, floor(log10(value)));
    size_t s = 0;
    while (s + 1 < sizeof steps / sizeof *steps && steps[s] * power < value)
        s++;
    return steps[s] * power;
}

static void fit_scale(struct points *points)
{
    double least = INFINITY, most = 0;
    for (size_t p = 0; p < points->count; p++) {
        widen(points->value[p], &least, &most);
        points->is_signed |= points->value[p] < 0;
    }
    points->logarithmic = most > 1e3 * least && !points->is_signed;
    /* a limit far above all values would flatten them */
    if (points->logarithmic ? points->fail < 1e6 * most : points->fail < 20 * most)
        widen(points->fail, &least, &most);
    if (points->logarithmic ? points->warn < 1e6 * most : points->warn < 20 * most)
        widen(points->warn, &least, &most);
    if (most <= 0)
        most = isfinite(points->fail) && points->fail > 0 ? points->fail : 1;
    points->low = points->logarithmic ? pow(10, floor(log10(least))) : 0;
    points->high = points->logarithmic ? pow(10, ceil(log10(most))) : round_up(1.04 * most);
    if (points->is_signed)
        points->low = -points->high;
}

/* Returns the distance from the top; NAN if there is no value. */
static double height_of(const struct points *points, double value)
{
    if (isnan(value))
        return NAN;
    double share = points->logarithmic ? log(fmax(value, points->low) / points->low) /
                                             log(points->high / points->low)
                                       : (value - points->low) / (points->high - points->low);
    return HEIGHT * (1 - fmin(fmax(share, 0), 1));
}

static double place_of(const struct points *points, size_t p)
{
    return points->count > 1 ? WIDTH * (double)p / (double)(points->count - 1) : WIDTH / 2.0;
}

/* Returns whether some frames were not measured; those that were are then drawn as dots. */
static bool is_sparse(const struct points *points)
{
    size_t measured = 0;
    for (size_t p = 0; p < points->count; p++)
        measured += !isnan(points->value[p]);
    return measured < points->count;
}

static void put_path(FILE *out, const struct points *points, const char *kind, bool dots)
{
    bool begun = false;
    fprintf(out, "<path class=\"%s\" d=\"", kind);
    for (size_t p = 0; p < points->count; p++) {
        const double y = height_of(points, points->value[p]);
        if (!isnan(y))
            fprintf(out, "%c%.4g %.3gh0", begun && !dots ? 'L' : 'M', place_of(points, p), y);
        begun |= !isnan(y);
    }
    fputs("\"/>", out);
}

static void put_line(FILE *out, const struct points *points)
{
    const bool sparse = is_sparse(points);
    put_path(out, points, sparse ? "line sparse" : "line", false);
    if (sparse)
        put_path(out, points, "dots", true);
}

static void put_limit(FILE *out, const struct points *points, const char *kind, double limit)
{
    if (!isfinite(limit) || limit > points->high || (points->logarithmic && !(limit > 0)))
        return;
    fprintf(out, "<path class=\"%s\" d=\"M0 %.4gH%d", kind, height_of(points, limit), WIDTH);
    if (points->is_signed)
        fprintf(out, "M0 %.4gH%d", height_of(points, -limit), WIDTH);
    fputs("\"/>", out);
}

/* Draws dots where a value is beyond the limit or not a number. */
static void put_failures(FILE *out, const struct points *points)
{
    fputs("<path class=\"over\" d=\"", out);
    for (size_t p = 0; p < points->count; p++)
        if (!isnan(points->value[p]) && !(fabs(points->value[p]) <= points->fail))
            fprintf(out, "M%.4g %.3gh0", place_of(points, p), height_of(points, points->value[p]));
    fputs("\"/>", out);
}

static size_t worst_point(const struct points *points)
{
    size_t at = 0;
    for (size_t p = 1; p < points->count; p++)
        if (worst(points->value[at], points->value[p]) != points->value[at])
            at = p;
    return at;
}

static void put_caption(FILE *out, const struct points *points, const struct case_report *one,
                        const struct rule *rule)
{
    char word[TEXT_WORD];
    char value[32], limit[32];
    const size_t at = worst_point(points);
    const bool known = !isnan(points->value[at]);
    summary_number(points->value[at], value, sizeof value);
    summary_number(points->fail, limit, sizeof limit);
    fputs("<figcaption><span class=\"what\">", out);
    escape_markup(out, rule->doc);
    fprintf(out, "</span> <code>%s</code><span class=\"worst\">", rule->name);
    if (known)
        fprintf(out, "worst %s %s at frame %llu", value,
                text_of_count(rule->unit, points->value[at], word),
                (unsigned long long)(at * one->frames / points->count));
    else
        fputs("not measured", out);
    if (isfinite(points->fail))
        fprintf(out, "; limit %s%s", limit,
                !known                                    ? ""
                : fabs(points->value[at]) <= points->fail ? ", kept"
                                                          : ", <b>exceeded</b>");
    fprintf(out, "%s</span></figcaption>", points->logarithmic ? "; logarithmic" : "");
}

static void put_values(FILE *out, const struct points *points)
{
    fputs(" data-values=\"", out);
    for (size_t p = 0; p < points->count; p++)
        if (isnan(points->value[p]))
            fprintf(out, "%s-", p ? " " : "");
        else
            fprintf(out, "%s%.4g", p ? " " : "", points->value[p]);
    fputc('"', out);
}

double timeline_share(const struct case_report *one, const struct series *series)
{
    struct points points;
    double most = NAN;
    find_limits(&points, one, series->rule);
    for (uint64_t f = 0; f < one->frames; f++)
        most = worst(most, series->value[f]);
    if (isnan(most) || most == 0)
        return 0;
    const double share = isinf(points.fail) ? 0 : fabs(most) / points.fail;
    return share > 1e-12 ? share : 1e-12;
}

void timeline_put(FILE *out, const struct case_report *one, const struct series *series)
{
    struct points points = {.count = (size_t)fmin((double)one->frames, POINTS_MAX)};
    if (points.count == 0)
        return;
    char low[32], high[32];
    points.value = gather(series->value, one->frames, points.count);
    find_limits(&points, one, series->rule);
    fit_scale(&points);
    summary_number(points.low, low, sizeof low);
    summary_number(points.high, high, sizeof high);
    fprintf(out, "<figure class=\"timeline\" data-frames=\"%llu\" data-unit=\"%s\"",
            (unsigned long long)one->frames, series->rule->unit);
    put_values(out, &points);
    putc('>', out);
    put_caption(out, &points, one, series->rule);
    fprintf(out,
            "<div class=\"plot\"><span class=\"high\">%s</span><span class=\"low\">%s</span>"
            "<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            high, low, WIDTH, HEIGHT);
    put_limit(out, &points, "warn", points.warn);
    put_limit(out, &points, "limit", points.fail);
    put_line(out, &points);
    put_failures(out, &points);
    fprintf(
        out,
        "</svg></div><div class=\"axis\"><span>frame 0</span><span>%llu</span></div></figure>\n",
        (unsigned long long)one->frames - 1);
    free(points.value);
}

/* ---- alignment ---- */

static const char *const kinds[] = {"pair", "dropped", "added", "repeated", "swapped"};

/* Writes "frame 4 of A is", "frames 4 to 7 of A are". */
static void put_run(FILE *out, int64_t first, uint32_t length, char side)
{
    if (length > 1)
        fprintf(out, "frames %lld to %lld of %c are ", (long long)first,
                (long long)first + length - 1, side);
    else
        fprintf(out, "frame %lld of %c is ", (long long)first, side);
}

/* Writes one exception, which covers `length` steps of its kind in a row. */
static void put_exception(FILE *out, const struct alignment_step *step, uint32_t length)
{
    fprintf(out, "<li class=\"%s\">", kinds[step->kind]);
    if (step->b < 0) {
        put_run(out, step->a, length, 'A');
        fputs("missing in B", out);
    } else if (step->a < 0) {
        put_run(out, step->b, length, 'B');
        fputs("not in A", out);
    } else if (step->kind == STEP_REPEATED)
        fprintf(out, "frame %lld of B repeats frame %lld of A", (long long)step->b,
                (long long)step->a);
    else if (step->kind == STEP_SWAPPED)
        fprintf(out, "frame %lld of B is frame %lld of A: swapped", (long long)step->b,
                (long long)step->a);
    else
        fprintf(out, "from here on frame %lld of A is paired with frame %lld of B",
                (long long)step->a, (long long)step->b);
    fputs("</li>", out);
}

/* Returns whether a step does not follow from the one before. */
static bool is_exception(const struct case_report *one, uint32_t s, int64_t *shift)
{
    const struct alignment_step *step = &one->alignment[s];
    if (step->kind != STEP_PAIR)
        return true;
    const bool moved = step->b - step->a != *shift;
    *shift = step->b - step->a;
    return moved;
}

/* Draws the pairs, only some of them for a long film, and as many exceptions as can be told
 * apart. */
static void put_links(FILE *out, const struct case_report *one)
{
    int64_t most = 1;
    for (uint32_t s = 0; s < one->alignment_count; s++) {
        most = one->alignment[s].a > most ? one->alignment[s].a : most;
        most = one->alignment[s].b > most ? one->alignment[s].b : most;
    }
    fprintf(out,
            "<div class=\"strip\"><span>A</span><svg viewBox=\"0 0 %d 40\" "
            "preserveAspectRatio=\"none\" aria-hidden=\"true\">",
            WIDTH);
    const double step_width = (double)(WIDTH - 8) / (double)most;
    const uint32_t every = 1 + one->alignment_count / LINKS_MAX;
    uint32_t drawn = 0;
    for (uint32_t s = 0; s < one->alignment_count; s++) {
        const struct alignment_step *step = &one->alignment[s];
        if (step->kind == STEP_PAIR ? s % every > 0 : drawn++ > LINKS_MAX)
            continue;
        const double a = 4 + step_width * (double)step->a, b = 4 + step_width * (double)step->b;
        if (step->b < 0)
            fprintf(out, "<path class=\"%s\" d=\"M%.4g 2v14\"/>", kinds[step->kind], a);
        else if (step->a < 0)
            fprintf(out, "<path class=\"%s\" d=\"M%.4g 24v14\"/>", kinds[step->kind], b);
        else
            fprintf(out, "<path class=\"%s\" d=\"M%.4g 2L%.4g 38\"/>", kinds[step->kind], a, b);
    }
    fputs("</svg><span>B</span></div>", out);
}

/* Returns how many steps from this one on are adjacent and missing on the same side; 1: only this
 * one. */
static uint32_t run_length(const struct case_report *one, uint32_t s)
{
    const struct alignment_step *first = &one->alignment[s];
    uint32_t length = 1;
    while ((first->a < 0 || first->b < 0) && s + length < one->alignment_count) {
        const struct alignment_step *next = &one->alignment[s + length];
        if (next->kind != first->kind ||
            (first->b < 0 ? next->b >= 0 || next->a != first->a + length
                          : next->a >= 0 || next->b != first->b + length))
            break;
        length++;
    }
    return length;
}

static void put_exceptions(FILE *out, const struct case_report *one)
{
    uint32_t said = 0;
    int64_t shift = 0;
    fputs("<ul>", out);
    for (uint32_t s = 0; s < one->alignment_count;) {
        const uint32_t length = run_length(one, s);
        if (is_exception(one, s, &shift) && said++ < EXCEPTIONS_MAX)
            put_exception(out, &one->alignment[s], length);
        s += length;
    }
    if (said > EXCEPTIONS_MAX)
        fprintf(out, "<li>and %u more</li>", said - EXCEPTIONS_MAX);
    fputs("</ul>", out);
}

void timeline_put_alignment(FILE *out, const struct case_report *one)
{
    uint32_t exceptions = 0, pairs = 0;
    int64_t shift = 0;
    for (uint32_t s = 0; s < one->alignment_count; s++) {
        exceptions += is_exception(one, s, &shift);
        pairs += one->alignment[s].kind == STEP_PAIR;
    }
    if (one->alignment_count == 0)
        return;
    fprintf(out,
            "<section class=\"alignment\"><h3>Alignment</h3><p>%u frame%s of A paired with one of "
            "B%s</p>",
            pairs, pairs == 1 ? "" : "s",
            exceptions ? ", with these exceptions:" : "; none was dropped, repeated or swapped");
    put_links(out, one);
    if (exceptions > 0)
        put_exceptions(out, one);
    fputs("</section>\n", out);
}
