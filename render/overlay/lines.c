#include "render/overlay/lines.h"

#include "base/log.h"
#include "render/overlay/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TITLE, CLOCK, SCALE_BAR, BODIES, FRAME, CAPTION, PANELS };
enum side { LEFT, RIGHT, CENTRE };

static const char *const names[] = {"title", "clock", "scale_bar", "bodies", "frame", "captions"};

/* In parts of the title's size. */
static const double cap_height = 0.73, line_height = 1.5, caption_lift = 2.5, title_lines = 1.7,
                    box_gap = 1.3, bar_height = 0.32;
static const double longest_bar = 0.18;  /* of the picture's width */
static const double longest_number = 20; /* also in parts of the letters' size */
static const double title_opacity = 0.92, small_opacity = 0.8;

/* A line of text, with a bar under it. */
struct line {
    bool on, warned;
    enum side side;
    double size, opacity; /* of its letters, in pixels, and of their ink */
    int edge;             /* where it starts or, for the side RIGHT, ends; its middle for CENTRE */
    int baseline, room;   /* in the picture; pixels that it may take */
    /* What is painted: */
    char text[OVERLAY_TEXT_MAX + 4];
    double bar;
};

struct caption {
    double from, to;
    char text[OVERLAY_TEXT_MAX + 4];
};

struct overlay_lines {
    struct overlay_layout layout;
    struct overlay_params params; /* without its texts */
    struct film_labels labels;    /* as well, and without panels */
    double duration;              /* simulated time of the last frame */
    int plate_height, plate_baseline;
    bool lowest; /* the first panel ends at the picture's lower edge */
    size_t bodies;
    char titles[1 + PANELS_MAX][OVERLAY_TEXT_MAX + 4]; /* the film's, then the panels' */
    struct caption *captions;
    struct line line[OVERLAY_LINES];
};

void overlay_warn_too_small(const char *what, bool *warned)
{
    if (!*warned)
        log_warning("the picture is too small for overlay.%s, which is left out", what);
    *warned = true;
}

static void arrange(struct overlay_lines *lines)
{
    const struct overlay_layout *layout = &lines->layout;
    const bool on[PANELS] = {lines->params.title && lines->titles[0][0],
                             lines->params.clock,
                             lines->params.scale_bar,
                             lines->params.bodies,
                             lines->params.frame,
                             lines->params.caption_count > 0};
    for (int i = 0; i < PANELS; i++) {
        struct line *line = &lines->line[i];
        const bool top = i == TITLE || i == CLOCK, large = top || i == CAPTION;
        line->on = on[i];
        line->side = i == CAPTION ? CENTRE : i == TITLE || i == SCALE_BAR ? LEFT : RIGHT;
        line->size = large ? layout->size : layout->small;
        line->opacity = i == TITLE || i == CAPTION ? title_opacity : small_opacity;
        line->edge = line->side == CENTRE ? layout->width / 2
                     : line->side == LEFT ? layout->margin
                                          : layout->width - layout->margin;
        line->baseline = top ? layout->margin + (int)round(cap_height * line->size)
                             : layout->height - layout->margin;
        line->room = layout->width - 2 * layout->margin;
    }
    lines->line[CAPTION].baseline -= (int)round(caption_lift * layout->size);
    if (on[FRAME] && on[BODIES])
        lines->line[FRAME].baseline -= (int)round(line_height * layout->small);
}

/* In the upper left corner of its part, below the film's title and clock. */
static void arrange_panel(struct overlay_lines *lines, int panel, const struct overlay_label *label)
{
    const struct overlay_layout *layout = &lines->layout;
    struct line *line = &lines->line[PANELS + panel];
    const bool lower = label->y == 0 && (lines->line[TITLE].on || lines->line[CLOCK].on);
    line->on = lines->titles[1 + panel][0] != '\0';
    line->side = LEFT;
    line->size = layout->small;
    line->opacity = title_opacity;
    line->edge = label->x + layout->margin;
    line->baseline = label->y + layout->margin + (int)round(cap_height * line->size) +
                     (lower ? (int)round(title_lines * layout->size) : 0);
    line->room = label->width - 2 * layout->margin;
}

/* The title is fitted once, beside the clock at its widest. */
static void fit_title(struct overlay_lines *lines, struct ink *ink)
{
    char clock[OVERLAY_TEXT_MAX];
    const double size = lines->layout.size;
    double room = lines->line[TITLE].room;
    if (lines->params.clock) {
        overlay_clock_text(clock, sizeof clock, lines->duration, lines->labels.time_myr,
                           lines->duration);
        room -= ink_width(ink, size, clock) + 1.5 * size;
    }
    ink_clean(ink, lines->titles[0]);
    ink_fit(ink, size, room, lines->titles[0]);
}

/* At most OVERLAY_TEXT_MAX bytes, cut between letters. */
static void copy_text(char *out, const char *text)
{
    size_t length = strnlen(text, OVERLAY_TEXT_MAX);
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
}

/* The scale bar is the first panel's, and stands in it. */
static void take_panels(struct overlay_lines *lines, struct ink *ink,
                        const struct film_labels *labels)
{
    const struct overlay_layout *layout = &lines->layout;
    lines->lowest = true;
    if (labels->panel_count > 0) {
        const struct overlay_label *first = &labels->panels[0];
        const int bottom = first->y + first->height;
        lines->lowest = bottom >= layout->height - layout->margin;
        lines->line[SCALE_BAR].edge = first->x + layout->margin;
        lines->line[SCALE_BAR].baseline = bottom - layout->margin;
        lines->line[SCALE_BAR].room = first->width - 2 * layout->margin;
    }
    for (int i = 0; i < labels->panel_count && i < PANELS_MAX; i++) {
        char *title = lines->titles[1 + i];
        copy_text(title, labels->panels[i].text);
        ink_clean(ink, title);
        arrange_panel(lines, i, &labels->panels[i]);
        ink_fit(ink, lines->layout.small, lines->line[PANELS + i].room, title);
    }
}

static enum status copy_captions(struct overlay_lines *lines, struct ink *ink,
                                 const struct renderer_params *params)
{
    const struct overlay_params *wanted = &params->overlay;
    const double room = 0.9 * lines->line[CAPTION].room;
    if (wanted->caption_count == 0)
        return STATUS_OK;
    lines->captions = calloc(wanted->caption_count, sizeof *lines->captions);
    if (!lines->captions)
        return status_fail(STATUS_RUNTIME, "no memory left for the captions");
    for (uint32_t i = 0; i < wanted->caption_count; i++) {
        struct caption *caption = &lines->captions[i];
        caption->from = params->found.captions[i].begins;
        caption->to = params->found.captions[i].ends;
        copy_text(caption->text, wanted->captions[i].text);
        ink_clean(ink, caption->text);
        ink_fit(ink, lines->layout.size, room, caption->text);
    }
    return STATUS_OK;
}

/* No line gets a plate wider than what it can come to say. */
static void limit_rooms(struct overlay_lines *lines, struct ink *ink)
{
    for (int i = 0; i < OVERLAY_LINES; i++) {
        struct line *line = &lines->line[i];
        double widest = longest_number * line->size;
        if (i == TITLE || i >= PANELS)
            widest = ink_width(ink, line->size, lines->titles[i == TITLE ? 0 : 1 + i - PANELS]);
        if (i == SCALE_BAR)
            widest = fmax(widest, longest_bar * lines->layout.width);
        if (i == CAPTION)
            widest = 0;
        for (uint32_t c = 0; i == CAPTION && c < lines->params.caption_count; c++)
            widest = fmax(widest, ink_width(ink, line->size, lines->captions[c].text));
        line->room = (int)fmin(line->room, ceil(widest));
    }
}

enum status overlay_lines_create(struct overlay_lines **out, struct ink *ink,
                                 const struct renderer_params *params,
                                 const struct overlay_layout *layout)
{
    const struct overlay_params *wanted = &params->overlay;
    struct overlay_lines *lines = *out = calloc(1, sizeof *lines);
    if (!lines)
        return status_fail(STATUS_RUNTIME, "no memory left for the overlay");
    lines->layout = *layout;
    lines->params = *wanted;
    lines->params.font = NULL;
    lines->params.captions = NULL;
    lines->labels = params->labels;
    lines->duration = params->found.duration;
    lines->labels.title = NULL;
    lines->labels.panels = NULL;
    lines->bodies = params->count;
    lines->plate_baseline = layout->pad + (int)ceil(layout->size);
    lines->plate_height = lines->plate_baseline + (int)ceil(0.8 * layout->size) + layout->pad;
    if (wanted->title)
        copy_text(lines->titles[0], params->labels.title);
    if (wanted->title && !lines->titles[0][0])
        log_warning("overlay.title is true, but there is none to show; set output.title");
    arrange(lines);
    fit_title(lines, ink);
    take_panels(lines, ink, &params->labels);
    enum status status = copy_captions(lines, ink, params);
    if (status == STATUS_OK)
        limit_rooms(lines, ink);
    else
        overlay_lines_destroy(out);
    return status;
}

void overlay_lines_destroy(struct overlay_lines **lines)
{
    if (!*lines)
        return;
    free((*lines)->captions);
    free(*lines);
    *lines = NULL;
}

void overlay_lines_rooms(const struct overlay_lines *lines, struct plate_room *rooms)
{
    for (int i = 0; i < OVERLAY_LINES; i++)
        if (lines->line[i].on)
            rooms[i] = (struct plate_room){lines->line[i].room + 2 * lines->layout.pad,
                                           lines->plate_height};
}

void overlay_lines_taken(const struct overlay_lines *lines, struct overlay_taken *out)
{
    const struct overlay_layout *layout = &lines->layout;
    const struct line *line = lines->line;
    const double gap = box_gap * layout->small, letters = cap_height * layout->small;
    const int numbers = line[BODIES].on + line[FRAME].on;
    const double captions = line[CAPTION].on ? (caption_lift + cap_height) * layout->size + gap : 0;
    const double left = line[SCALE_BAR].on ? 2 * bar_height * layout->small + letters + gap : 0;
    const double right =
        numbers > 0 ? (numbers - 1) * line_height * layout->small + letters + gap : 0;
    const double top = line[TITLE].on || line[CLOCK].on ? title_lines * layout->size : 0;
    *out = (struct overlay_taken){
        .top = (int)ceil(top + (line[PANELS].on ? title_lines * layout->small : 0)),
        .left = (int)ceil(lines->lowest ? fmax(left, captions) : left),
        .right = (int)ceil(fmax(right, captions))};
}

/* The one that shows, and how much of it. While none does, the last one stays painted, unseen. */
static double say_caption(const struct overlay_lines *lines, uint64_t frame, char *text)
{
    const double seconds = (double)frame / lines->labels.fps;
    double shown = 0;
    strcpy(text, lines->line[CAPTION].text);
    for (uint32_t i = 0; i < lines->params.caption_count; i++) {
        const struct caption *caption = &lines->captions[i];
        double opacity =
            overlay_caption_opacity(seconds, caption->from, caption->to, lines->params.fade);
        if (opacity == 0)
            continue;
        shown = opacity;
        strcpy(text, caption->text);
    }
    return shown;
}

static void say(const struct overlay_lines *lines, int index, const struct view *view,
                const struct camera_pose *pose, char *text, double *bar, double *opacity)
{
    struct overlay_scale scale;
    *bar = 0;
    *opacity = 1;
    switch (index) {
    case TITLE:
        strcpy(text, lines->titles[0]);
        break;
    case CLOCK:
        overlay_clock_text(text, OVERLAY_TEXT_MAX, view->time, lines->labels.time_myr,
                           lines->duration);
        break;
    case SCALE_BAR:
        overlay_scale_bar(&scale, pose->pixels_per_unit, longest_bar * lines->layout.width,
                          lines->labels.length_kpc, lines->params.length_unit);
        strcpy(text, scale.label);
        *bar = scale.pixels;
        break;
    case BODIES:
        overlay_count_text(text, OVERLAY_TEXT_MAX, lines->bodies);
        break;
    case FRAME:
        snprintf(text, OVERLAY_TEXT_MAX, "frame %" PRIu64, view->frame);
        break;
    case CAPTION:
        *opacity = say_caption(lines, view->frame, text);
        break;
    default:
        strcpy(text, lines->titles[1 + index - PANELS]);
    }
}

/* A line with a stroke upwards at either end; its outer edges are the length. */
static double paint_bar(const struct overlay_lines *lines, struct ink *ink, const struct line *line)
{
    double thick = fmax(1, round(line->size / 12)), tall = round(bar_height * line->size);
    double left = lines->layout.pad, bottom = lines->plate_baseline;
    ink_box(ink, left, bottom - thick, line->bar, thick, small_opacity);
    if (line->bar >= 2 * thick) {
        ink_box(ink, left, bottom - tall, thick, tall - thick, small_opacity);
        ink_box(ink, left + line->bar - thick, bottom - tall, thick, tall - thick, small_opacity);
    }
    return tall + round(bar_height * line->size);
}

static enum status paint(struct overlay_lines *lines, struct ink *ink, struct plates *plates,
                         int index)
{
    struct line *line = &lines->line[index];
    struct plate *plate = plates_at(plates, index);
    const int pad = lines->layout.pad;
    double length = fmax(ink_width(ink, line->size, line->text), line->bar), lift = 0;
    plate->width = 0;
    if (length > line->room) {
        overlay_warn_too_small(index < PANELS ? names[index] : "title", &line->warned);
        return STATUS_OK;
    }
    if (line->text[0] == '\0')
        return STATUS_OK;
    const int width = (int)ceil(length);
    enum status status = ink_begin(ink, width + 2 * pad, lines->plate_height);
    if (status != STATUS_OK)
        return status;
    if (line->bar > 0)
        lift = paint_bar(lines, ink, line);
    ink_text(ink, pad + (line->side == RIGHT ? ceil(length) - length : 0),
             lines->plate_baseline - lift, line->size, line->opacity, line->text);
    plate->x = line->edge - pad -
               (line->side == RIGHT    ? width
                : line->side == CENTRE ? width / 2
                                       : 0);
    plate->y = line->baseline - lines->plate_baseline;
    return plates_store(plates, index, ink);
}

enum status overlay_lines_update(struct overlay_lines *lines, struct ink *ink,
                                 struct plates *plates, const struct view *view,
                                 const struct camera_pose *pose)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < OVERLAY_LINES && status == STATUS_OK; i++) {
        struct line *line = &lines->line[i];
        char text[OVERLAY_TEXT_MAX + 4];
        double bar;
        if (!line->on)
            continue;
        say(lines, i, view, pose, text, &bar, &plates_at(plates, i)->opacity);
        if (strcmp(text, line->text) == 0 && bar == line->bar)
            continue;
        strcpy(line->text, text);
        line->bar = bar;
        status = paint(lines, ink, plates, i);
    }
    return status;
}
