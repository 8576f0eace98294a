#include "cmd/regression/report/exhibits.h"

#include "base/memory.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKS_MAX = 200 };

static const char *const side_names[] = {"a", "b", "difference"};

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Returns "the baseline" or, for two films, their file names, with their folders if needed to tell
 * the files apart. */
static const char *name_of(const struct report *report, const struct case_report *one, int side)
{
    const char *path = side == SIDE_A ? one->a : one->b;
    const bool films = report->command && strcmp(report->command, "compare") == 0;
    if (!films || !path)
        return side == SIDE_A ? "the baseline" : "now";
    const char *other = side == SIDE_A ? one->b : one->a;
    return other && strcmp(file_of(path), file_of(other)) == 0 ? path : file_of(path);
}

void exhibits_put_names(FILE *out, const struct report *report, const struct case_report *one)
{
    for (int side = SIDE_A; side <= SIDE_B; side++) {
        fprintf(out, " data-%s=\"", side_names[side]);
        escape_markup(out, name_of(report, one, side));
        putc('"', out);
    }
}

/* The output and what is being written to it. */
struct hall {
    FILE *out;
    const struct report *report;
    const struct case_report *one;
    const struct case_pictures *pictures;
    const char *id;
};

static void put_title(const struct hall *hall, int side)
{
    if (side == SIDE_DIFFERENCE) {
        fputs("difference", hall->out);
        return;
    }
    fprintf(hall->out, "%c, ", side == SIDE_A ? 'A' : 'B');
    escape_markup(hall->out, name_of(hall->report, hall->one, side));
}

static void put_picture(const struct hall *hall, const struct embed *embed, int side, int64_t frame,
                        const char *path)
{
    FILE *out = hall->out;
    fprintf(out, "<figure data-side=\"%s\">", side_names[side]);
    if (embed->type) {
        fprintf(out,
                "<img loading=\"lazy\" decoding=\"async\" width=\"%u\" height=\"%u\" "
                "alt=\"Frame %lld, ",
                embed->width, embed->height, (long long)frame);
        put_title(hall, side);
        fputs("\" src=\"", out);
        embed_put(out, embed);
        fputs("\">", out);
    }
    fputs("<figcaption>", out);
    put_title(hall, side);
    if (!hall->report->fleeting) {
        fputs(" <code>", out);
        escape_markup(out, path);
        fputs("</code>", out);
    }
    fputs("</figcaption></figure>", out);
}

static int by_value(const void *a, const void *b)
{
    const struct mark *one = *(const struct mark *const *)a,
                      *other = *(const struct mark *const *)b;
    if (one->value != other->value)
        return one->value > other->value ? -1 : 1;
    return one < other ? -1 : one > other;
}

static void put_marks(FILE *out, const struct shown_frame *shown)
{
    static const char *const kinds[] = {"missing star", "added star", "tile", "pixel"};
    const struct mark **sorted = memory_new(shown->mark_count, sizeof *sorted);
    for (uint32_t m = 0; m < shown->mark_count; m++)
        sorted[m] = &shown->marks[m];
    qsort(sorted, shown->mark_count, sizeof *sorted, by_value);
    if (shown->mark_count > 0)
        fputs("<ol class=\"found\">", out);
    for (uint32_t m = 0; m < shown->mark_count && m < MARKS_MAX; m++)
        fprintf(out,
                "<li data-kind=\"%d\" data-x=\"%d\" data-y=\"%d\" data-size=\"%.3g\">"
                "<b>%s</b> <span>at %d,%d</span> <span>%.3g %s</span></li>",
                (int)sorted[m]->kind, (int)sorted[m]->x, (int)sorted[m]->y, sorted[m]->size,
                kinds[sorted[m]->kind], (int)sorted[m]->x, (int)sorted[m]->y, sorted[m]->value,
                sorted[m]->kind == MARK_TILE ? "× a limit" : "codes");
    if (shown->mark_count > 0)
        fputs("</ol>", out);
    if (shown->mark_count > MARKS_MAX)
        fprintf(out, "<p>and %u smaller ones</p>", shown->mark_count - MARKS_MAX);
    free(sorted);
}

/* Writes a frame. If a frame is shown twice, only the first has the id that links go to. */
static void put_shown(const struct hall *hall, const struct shown_frame *shown, bool again,
                      bool is_worst)
{
    FILE *out = hall->out;
    const struct case_report *one = hall->one;
    const struct frame_pictures *pictures = &hall->pictures->shown[shown - one->shown];
    const char *const paths[] = {shown->a, shown->b, shown->difference};
    fputs("<section class=\"shown\"", out);
    if (!again)
        fprintf(out, " id=\"%s/%lld\"", hall->id, (long long)shown->frame);
    fprintf(out, " data-frame=\"%lld\" data-worst=\"%.4g\"%s><h4>Frame %lld",
            (long long)shown->frame, fmin(summary_worst(one, shown), 1e9),
            is_worst ? " data-is-worst" : "", (long long)shown->frame);
    if (one->fps > 0 && isfinite(one->fps))
        fprintf(out, " <span>%.2f s</span>", (double)shown->frame / one->fps);
    if (is_worst)
        fputs(" <b class=\"worst\">worst</b>", out);
    if (shown->why) {
        fputs(" <span class=\"why\">", out);
        escape_markup(out, shown->why);
        fputs("</span>", out);
    }
    fputs("</h4><div class=\"triple\">", out);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (paths[side])
            put_picture(hall, &pictures->side[side], side, shown->frame, paths[side]);
    fputs("</div>", out);
    put_marks(out, shown);
    fputs("</section>\n", out);
}

static int by_frame(const void *a, const void *b)
{
    const struct shown_frame *one = *(const struct shown_frame *const *)a;
    const struct shown_frame *other = *(const struct shown_frame *const *)b;
    if (one->frame != other->frame)
        return one->frame < other->frame ? -1 : 1;
    return one < other ? -1 : one > other;
}

static const struct shown_frame *worst_of(const struct case_report *one)
{
    const struct shown_frame *worst = one->shown;
    for (uint32_t s = 1; s < one->shown_count; s++)
        if (summary_worst(one, &one->shown[s]) > summary_worst(one, worst))
            worst = &one->shown[s];
    return one->shown_count > 1 ? worst : NULL;
}

static void put_frames(const struct hall *hall, bool measured)
{
    const struct case_report *one = hall->one;
    const struct shown_frame *worst = worst_of(one);
    const struct shown_frame **sorted = memory_new(one->shown_count, sizeof *sorted);
    int64_t before = -1;
    for (uint32_t s = 0; s < one->shown_count; s++)
        sorted[s] = &one->shown[s];
    qsort(sorted, one->shown_count, sizeof *sorted, by_frame);
    for (uint32_t s = 0; s < one->shown_count; s++) {
        if (measured && !pictures_has_sides(&hall->pictures->shown[sorted[s] - one->shown]))
            continue;
        put_shown(hall, sorted[s], sorted[s]->frame == before, sorted[s] == worst);
        before = sorted[s]->frame;
    }
    free(sorted);
}

/* Writes "17" if both frames have the same number, "20 16" if not, "20 -" if B has no frame. */
static void put_clip_frames(FILE *out, const struct clip *clip)
{
    for (uint32_t f = 0; f < clip->count; f++) {
        const struct clip_frame *frame = &clip->frames[f];
        fputs(f > 0 ? "," : "", out);
        if (frame->a >= 0)
            fprintf(out, "%lld", (long long)frame->a);
        else
            putc('-', out);
        if (frame->b >= 0 && frame->b != frame->a)
            fprintf(out, " %lld", (long long)frame->b);
        else if (frame->b < 0)
            fputs(" -", out);
    }
}

static void put_clip(const struct hall *hall)
{
    FILE *out = hall->out;
    const struct clip *clip = &hall->one->clip;
    const struct embed *embed = &hall->pictures->clip;
    if (!embed->type)
        return;
    fprintf(out, "<div class=\"clip\" data-fps=\"%.6g\" data-frames=\"",
            clip->fps > 0 ? clip->fps : 24);
    put_clip_frames(out, clip);
    fputs("\"><h4>Clip</h4><video controls muted playsinline preload=\"auto\" "
          "aria-label=\"A, B and their difference side by side\" src=\"",
          out);
    embed_put(out, embed);
    fputs("\"></video><div class=\"thirds\">", out);
    for (int side = 0; side < SIDE_COUNT; side++) {
        fputs("<span>", out);
        put_title(hall, side);
        if (side == SIDE_DIFFERENCE && clip->gain > 1)
            fprintf(out, " × %.3g", clip->gain);
        fputs("</span>", out);
    }
    fputs("</div></div>\n", out);
}

static void put_left_out(const struct hall *hall)
{
    const struct case_report *one = hall->one;
    if (hall->pictures->left_out > 0)
        fprintf(hall->out,
                "<p class=\"left\">%u of %u frames are left out, because the page would be too "
                "large or a file could not be read%s.</p>",
                hall->pictures->left_out, one->shown_count,
                hall->report->fleeting ? "" : "; their names are in the JSON");
    if (one->clip.path && !hall->pictures->clip.type)
        fputs("<p class=\"left\">The clip is left out: it is too large, or no film.</p>",
              hall->out);
}

void exhibits_put(FILE *out, const struct report *report, const struct case_report *one,
                  const struct case_pictures *pictures, bool measured, const char *id)
{
    const struct hall hall = {out, report, one, pictures, id};
    if (one->shown_count == 0 && !one->clip.path)
        return;
    fputs("<section class=\"pictures\"><h3>Pictures</h3>\n<div class=\"here\"></div>"
          "<div class=\"frames\">\n",
          out);
    put_frames(&hall, measured);
    fputs("</div>\n", out);
    put_clip(&hall);
    put_left_out(&hall);
    fputs("</section>\n", out);
}
