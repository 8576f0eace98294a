#include "render/overlay/energy.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/colour/legend.h"
#include "render/overlay/numbers.h"

#include <math.h>
#include <stdlib.h>

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
