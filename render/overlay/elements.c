#include "render/overlay/elements.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/colour/legend.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In letter sizes. */
static const double box_width = 13, box_height = 4.8, labels_width = 2.4, label_gap = 0.4,
                    cap_height = 0.73, row = 1.35, row_gap = 0.6;
static const double text_opacity = 0.8, axis_opacity = 0.45;

enum curve { KINETIC, POTENTIAL, TOTAL, CURVES };

static const float colours[CURVES][3] = {{1, 0.62f, 0.30f}, {0.40f, 0.68f, 1}, {1, 1, 1}};

/* The unit of energy in the graph. */
static double unit_of(const struct energy_point *first)
{
    double total = fabs(first->kinetic + first->potential);
    double size = fmax(fabs(first->kinetic), fabs(first->potential));
    return total > 1e-9 * size ? total : size > 0 ? size : 1;
}

static double value_of(const struct energy_point *point, enum curve curve)
{
    return curve == KINETIC     ? point->kinetic
           : curve == POTENTIAL ? point->potential
                                : point->kinetic + point->potential;
}

/* The smallest of these steps that is at least `value`. */
static double step_up(double value)
{
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15};
    if (!(value > 1e-100 && value < 1e100))
        return value > 0 ? value : 0;
    double power = fn_pow(10, floor(fn_log10(value)));
    int i = 0;
    while (steps[i] * power < value * (1 - 1e-9))
        i++;
    return steps[i] * power;
}

void overlay_energy_limits(const struct energy_point *points, size_t count, double *low,
                           double *high)
{
    double least = 0, most = 0, unit = count > 0 ? unit_of(&points[0]) : 1;
    for (size_t i = 0; i < count; i++)
        for (int curve = 0; curve < CURVES; curve++) {
            least = fmin(least, value_of(&points[i], curve) / unit);
            most = fmax(most, value_of(&points[i], curve) / unit);
        }
    *low = -step_up(-least);
    *high = step_up(most);
    if (*low == 0 && *high == 0)
        *high = 1;
}

/* The box around the curves; y grows downwards. */
struct frame {
    double left, top, width, height, low, high;
};

static double y_of(const struct frame *frame, double value)
{
    return frame->top + frame->height * (frame->high - value) / (frame->high - frame->low);
}

static void paint_curve(struct ink *ink, const struct frame *frame, enum curve curve, double width,
                        const struct energy_point *points, size_t count, double duration)
{
    enum { CHUNK = 256 };
    double path[CHUNK][2];
    size_t used = 0;
    ink_colour(ink, colours[curve]);
    for (size_t i = 0; i < count; i++) {
        double part = duration != 0 ? points[i].time / duration : 0;
        path[used][0] = frame->left + frame->width * fmin(fmax(part, 0), 1);
        path[used++][1] = y_of(frame, value_of(&points[i], curve) / unit_of(&points[0]));
        if (used < CHUNK && i + 1 < count)
            continue;
        ink_line(ink, path, used, width, 1);
        path[0][0] = path[used - 1][0]; /* where the next chunk continues */
        path[0][1] = path[used - 1][1];
        used = 1;
    }
}

static void paint_label(struct ink *ink, const struct frame *frame, double size, double value)
{
    char text[24];
    legend_number(text, sizeof text, value);
    ink_text(ink, frame->left - label_gap * size - ink_width(ink, size, text),
             y_of(frame, value) + cap_height / 2 * size, size, text_opacity, text);
}

static void paint_axes(struct ink *ink, const struct frame *frame, double size)
{
    double thick = fmax(1, round(size / 12)), zero = y_of(frame, 0);
    ink_box(ink, frame->left - thick, frame->top, thick, frame->height, axis_opacity);
    ink_box(ink, frame->left, round(zero - thick / 2), frame->width, thick, axis_opacity);
    paint_label(ink, frame, size, frame->low);
    paint_label(ink, frame, size, frame->high);
    if (frame->low != 0 && frame->high != 0 && zero - frame->top > size &&
        frame->top + frame->height - zero > size)
        paint_label(ink, frame, size, 0);
}

/* "energy / |E0|" with 0 as a subscript. */
static void paint_heading(struct ink *ink, double x, double baseline, double size)
{
    static const char before[] = "energy / |E", zero[] = "0", after[] = "|";
    ink_text(ink, x, baseline, size, text_opacity, before);
    x += ink_width(ink, size, before);
    ink_text(ink, x, baseline + 0.18 * size, 0.7 * size, text_opacity, zero);
    x += ink_width(ink, 0.7 * size, zero);
    ink_text(ink, x, baseline, size, text_opacity, after);
}

static void paint_names(struct ink *ink, const struct frame *frame, double baseline, double size)
{
    static const char *const names[CURVES] = {"kinetic", "potential", "total"};
    const double right = frame->left + frame->width;
    const double widths[CURVES] = {ink_width(ink, size, names[KINETIC]),
                                   ink_width(ink, size, names[POTENTIAL]),
                                   ink_width(ink, size, names[TOTAL])};
    const double gap = (frame->width - widths[0] - widths[1] - widths[2]) / 2;
    const double x[CURVES] = {frame->left, frame->left + widths[KINETIC] + gap,
                              right - widths[TOTAL]};
    for (int curve = 0; curve < CURVES; curve++) {
        ink_colour(ink, colours[curve]);
        ink_text(ink, x[curve], baseline, size, 1, names[curve]);
    }
    ink_colour(ink, colours[TOTAL]);
}

struct graph {
    double size, duration; /* of the letters; of the film */
    size_t painted;        /* points */
};

static void energy_open(void **out, struct ink *ink, const struct renderer_params *params,
                        const struct overlay_layout *layout, int picture)
{
    (void)picture;
    struct graph *graph = *out = memory_new(1, sizeof *graph);
    (void)ink;
    graph->size = layout->size;
    graph->duration = params->found.duration;
}

static void energy_size(const void *box, int *width, int *height)
{
    const double size = ((const struct graph *)box)->size;
    *width = (int)ceil((labels_width + box_width) * size);
    *height = (int)ceil((cap_height + row + row_gap + box_height + row_gap + cap_height) * size);
}

static bool energy_changed(const void *box, const struct view *view)
{
    return view->energy_count != ((const struct graph *)box)->painted;
}

static void energy_paint(void *box, struct ink *ink, int x, int y, const struct view *view)
{
    struct graph *graph = box;
    const double size = graph->size;
    const struct energy_point *points = view->energy;
    const size_t count = graph->painted = view->energy_count;
    char drift[64];
    struct frame frame = {.left = x + ceil(labels_width * size),
                          .top = y + round((cap_height + row + row_gap) * size),
                          .width = floor(box_width * size),
                          .height = round(box_height * size)};
    overlay_energy_limits(points, count, &frame.low, &frame.high);
    ink_role(ink, INK_LABEL);
    paint_heading(ink, frame.left, y + cap_height * size, size);
    ink_role(ink, INK_TEXT);
    paint_names(ink, &frame, y + (cap_height + row) * size, size);
    ink_role(ink, INK_NUMBER);
    paint_axes(ink, &frame, size);
    const double width = fmax(1.3, size / 8);
    if (count == 0)
        return;
    for (int curve = 0; curve < CURVES; curve++)
        paint_curve(ink, &frame, curve, width, points, count, graph->duration);
    overlay_drift_text(drift, sizeof drift,
                       100 * (value_of(&points[count - 1], TOTAL) - value_of(&points[0], TOTAL)) /
                           unit_of(&points[0]));
    ink_text(ink, frame.left, frame.top + frame.height + (row_gap + cap_height) * size, size,
             text_opacity, drift);
}

const struct overlay_box overlay_energy = {
    .open = energy_open,
    .close = free,
    .size = energy_size,
    .changed = energy_changed,
    .paint = energy_paint,
};

/* ---- elements ---- */

static const double longest_bar = 0.18;  /* of the picture's width */
static const double caption_width = 0.9; /* of the picture's width without margins */
static const double least_middle = 0.4;  /* of the picture's width, for captions beside lines */
static const double title_gap = 1.5;     /* to the clock, in letter sizes */

bool overlay_fit_text(char *out, struct ink *ink, double size, double room, const char *text)
{
    size_t length = strnlen(text, OVERLAY_TEXT_MAX);
    while (length > 0 && text[length] && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--;
    memcpy(out, text, length);
    out[length] = '\0';
    ink_clean(ink, out);
    return ink_fit(ink, size, room, out) && !text[length];
}

static bool title_shown(const struct renderer_params *params)
{
    return params->overlay.title && params->labels.title[0];
}

/* Writes the clock's text at a simulated time of the film. */
static void say_clock(const struct overlay_facts *facts, char out[OVERLAY_TEXT_MAX], double time)
{
    const struct overlay_clock clock = {
        facts->labels.time_myr, facts->duration,    facts->epoch,    facts->event_name,
        facts->event,           facts->event_reach, facts->clock_as, facts->universe.cosmology,
        facts->universe.age};
    overlay_clock_say(&clock, time, out, OVERLAY_TEXT_MAX);
}

/* The larger of the clock's widths at the beginning and at the end of the film. */
static double clock_width(const struct overlay_facts *facts, struct ink *ink, double size)
{
    char clock[OVERLAY_TEXT_MAX];
    say_clock(facts, clock, 0);
    const double first = ink_width(ink, size, clock);
    say_clock(facts, clock, facts->duration);
    return fmax(first, ink_width(ink, size, clock));
}

static double clock_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    return fmax(clock_width(facts, ink, size) + 2 * size, OVERLAY_NUMBER * size);
}

/* The clock has the name of its event where the title can stand beside it. */
static void take_clock(struct overlay_facts *facts, struct ink *ink,
                       const struct renderer_params *params, double room)
{
    const double size = facts->layout.size;
    if (!params->found.counts_from_event)
        return;
    facts->event = params->found.event;
    facts->event_reach = params->found.event_reach;
    facts->event_name = params->overlay.clock_event ? params->overlay.clock_event : "";
    ink_role(ink, INK_NUMBER);
    const double clock = clock_widest(facts, ink, size);
    ink_role(ink, INK_TITLE);
    const double title =
        params->overlay.title ? ink_width(ink, size, params->labels.title) + title_gap * size : 0;
    if (clock + title > room)
        facts->event_name = "";
}

/* Fits the title once, next to the clock at its widest. */
static void take_title(struct overlay_facts *facts, struct ink *ink,
                       const struct renderer_params *params, double room)
{
    const double size = facts->layout.size;
    if (!title_shown(params))
        return;
    if (params->overlay.clock) {
        ink_role(ink, INK_NUMBER);
        room -= clock_width(facts, ink, size) + title_gap * size;
    }
    ink_role(ink, INK_TITLE);
    if (!overlay_fit_text(facts->title, ink, size, room, params->labels.title))
        log_warning("the title has no room in one line and is cut to '%s'; shorten output.title or "
                    "choose a smaller overlay.size",
                    facts->title);
}

/* The width of the picture's middle that lines in the lower corners leave free. */
static double free_middle(const struct overlay_facts *facts, struct ink *ink,
                          const struct renderer_params *params)
{
    const struct overlay_layout *layout = &facts->layout;
    const struct overlay_element *element;
    double taken = 0;
    for (size_t i = 0; (element = choice_at(&overlay_registry, i)); i++) {
        if (element->box || !overlay_shows(element, params) ||
            (element->corner != BOTTOM_LEFT && element->corner != BOTTOM_RIGHT))
            continue;
        ink_role(ink, element->role);
        taken = fmax(taken, element->widest ? element->widest(facts, ink, layout->size)
                                            : OVERLAY_NUMBER * layout->size);
    }
    return layout->width - 2 * (layout->side + (taken > 0 ? taken + layout->size : 0));
}

/* Captions grow upwards from the lower edge, at most to one line below the title. They stand
 * between the lines in the lower corners where that leaves enough room, else above them. */
static void take_captions(struct overlay_facts *facts, struct ink *ink,
                          const struct renderer_params *params, double room)
{
    const struct overlay_params *overlay = &params->overlay;
    const struct overlay_layout *layout = &facts->layout;
    const double pitch = PARAGRAPH_PITCH * layout->size;
    const double narrow = fmin(caption_width * room, free_middle(facts, ink, params));
    const bool beside = overlay->wrap && narrow >= least_middle * layout->width;
    const struct paragraph_room fits = {
        .size = layout->size,
        .width = beside ? narrow : caption_width * room,
        .lines =
            (int)fmax(1, floor((layout->height - 2 * layout->edge - 5 * layout->size) / pitch)),
        .wraps = overlay->wrap,
    };
    ink_role(ink, INK_LABEL);
    facts->caption_count = overlay->caption_count;
    facts->captions = memory_new(overlay->caption_count, sizeof *facts->captions);
    for (uint32_t i = 0; i < overlay->caption_count; i++) {
        struct overlay_caption *caption = &facts->captions[i];
        caption->from = params->found.captions[i].begins;
        caption->to = params->found.captions[i].ends;
        if (caption->to <= caption->from)
            continue;
        const char *text = params->found.captions[i].text;
        const int lines =
            paragraph_fit(caption->text, ink, &fits, text ? text : overlay->captions[i].text);
        facts->caption_lines = lines > facts->caption_lines ? lines : facts->caption_lines;
        facts->captions_lifted |= paragraph_width(ink, layout->size, caption->text) > narrow;
    }
}

void overlay_facts_open(struct overlay_facts *out, struct ink *ink,
                        const struct renderer_params *params, const struct overlay_layout *layout)
{
    const struct overlay_params *overlay = &params->overlay;
    const double room = layout->width - 2 * layout->side;
    *out = (struct overlay_facts){.layout = *layout,
                                  .labels = params->labels,
                                  .duration = params->found.duration,
                                  .epoch = params->found.epoch,
                                  .bodies =
                                      params->sum.add ? (size_t)params->sum.bodies : params->count,
                                  .length_unit = overlay->length_unit,
                                  .clock_as = overlay->clock_as,
                                  .universe = params->found.universe,
                                  .fade = overlay->fade};
    out->labels.title = NULL;
    out->labels.panels = NULL;
    take_clock(out, ink, params, room);
    take_title(out, ink, params, room);
    take_captions(out, ink, params, room);
}

static void title_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    strcpy(words->text, facts->title);
}

static double title_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    return ink_width(ink, size, facts->title);
}

static void clock_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    say_clock(facts, words->text, facts->view->time);
}

static void scale_bar_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    struct overlay_scale scale;
    overlay_scale_bar(&scale, facts->pose->pixels_per_unit, longest_bar * facts->layout.width,
                      facts->labels.length_kpc *
                          length_unit_scale(facts->length_unit, facts->universe.cosmology.h),
                      facts->length_unit, facts->universe.comoving);
    strcpy(words->text, scale.label);
    words->bar = scale.pixels;
}

static double scale_bar_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    (void)ink;
    return fmax(OVERLAY_NUMBER * size, longest_bar * facts->layout.width);
}

static void bodies_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    overlay_count_text(words->text, OVERLAY_TEXT_MAX, facts->bodies);
}

static void frame_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    snprintf(words->text, OVERLAY_TEXT_MAX, "frame %" PRIu64, facts->view->frame);
}

static bool captions_shown(const struct renderer_params *params)
{
    return params->overlay.caption_count > 0;
}

/* Between captions the last one stays painted, but transparent. */
static void captions_say(const struct overlay_facts *facts, struct overlay_words *words)
{
    const double seconds = (double)facts->view->frame / facts->labels.fps;
    words->opacity = 0;
    for (uint32_t i = 0; i < facts->caption_count; i++) {
        const struct overlay_caption *caption = &facts->captions[i];
        const double opacity =
            overlay_caption_opacity(seconds, caption->from, caption->to, facts->fade);
        if (opacity == 0)
            continue;
        words->opacity = opacity;
        strcpy(words->text, caption->text);
    }
}

static double captions_widest(const struct overlay_facts *facts, struct ink *ink, double size)
{
    double widest = 0;
    for (uint32_t i = 0; i < facts->caption_count; i++)
        widest = fmax(widest, paragraph_width(ink, size, facts->captions[i].text));
    return widest;
}

static int captions_lines(const struct overlay_facts *facts)
{
    return facts->caption_lines;
}

#define KEY(field) .name = #field, .key = offsetof(struct overlay_params, field)

static const struct overlay_element elements[] = {
    {KEY(title), .doc = "the film's title", .shown = title_shown, .corner = TOP_LEFT,
     .role = INK_TITLE, .bright = true, .on_card = true, .say = title_say, .widest = title_widest},
    {KEY(clock), .doc = "the simulated time", .corner = TOP_RIGHT, .role = INK_NUMBER,
     .say = clock_say, .widest = clock_widest},
    {KEY(scale_bar), .doc = "a length at the target's distance", .corner = BOTTOM_LEFT,
     .role = INK_NUMBER, .bar_height = 0.32, .say = scale_bar_say, .widest = scale_bar_widest},
    {KEY(bodies), .doc = "the number of bodies", .corner = BOTTOM_RIGHT, .role = INK_NUMBER,
     .say = bodies_say},
    {KEY(frame), .doc = "the number of the frame", .corner = BOTTOM_RIGHT, .role = INK_NUMBER,
     .say = frame_say},
    {KEY(captions), .doc = "texts for parts of the film", .shown = captions_shown,
     .corner = BOTTOM_MIDDLE, .role = INK_LABEL, .bright = true, .timed = true, .say = captions_say,
     .lines = captions_lines, .widest = captions_widest},
    {KEY(legend), .doc = "what the colours mean", .corner = BOTTOM_LEFT, .box = &overlay_legend},
    {KEY(energy), .doc = "a graph of the energies so far", .corner = BOTTOM_RIGHT,
     .box = &overlay_energy},
};

_Static_assert(sizeof elements / sizeof *elements <= OVERLAY_ELEMENTS_MAX,
               "raise OVERLAY_ELEMENTS_MAX");

const struct registry overlay_registry = REGISTRY_OF("element of the overlay", elements);

bool overlay_shows(const struct overlay_element *element, const struct renderer_params *params)
{
    const char *overlay = (const char *)&params->overlay;
    return element->shown ? element->shown(params) : *(const bool *)(overlay + element->key);
}
