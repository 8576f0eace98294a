#include "render/overlay/layout.h"

#include <math.h>

/* The height of a line in letter sizes. The margins are shares of the picture's width and height,
 * which leave the title-safe area of SMPTE ST 2046-1, 90 percent of either. */
static const double line_pitch = 1.4, margin_share = 0.05;
static const double smallest = 9; /* pixels */

void overlay_lay_out(struct overlay_layout *out, const struct overlay_params *params,
                     uint32_t width, uint32_t height)
{
    const double side = fmin(width, height);
    out->width = (int)width;
    out->height = (int)height;
    out->true_size = params->size * side / 1080;
    out->size = fmax(out->true_size, smallest);
    out->side = (int)ceil(margin_share * width);
    out->edge = (int)ceil(margin_share * height);
    out->pad = (int)ceil(2 * OVERLAY_SHADOW * out->size);
}

int overlay_inset(const struct overlay_layout *layout, int x)
{
    const bool outer = x <= 0 || x >= layout->width;
    return outer || layout->side < layout->edge ? layout->side : layout->edge;
}

void overlay_clear(double clear[2], const struct overlay_params *params, uint32_t width,
                   uint32_t height)
{
    const bool lines = params->title || params->clock || params->scale_bar || params->bodies ||
                       params->frame || params->caption_count > 0;
    struct overlay_layout layout;
    overlay_lay_out(&layout, params, width, height);
    const int rows = lines + (params->caption_count > 0);
    const double edge = layout.edge + rows * line_pitch * layout.size;
    clear[0] = fmax(0.5, 1 - 2.0 * layout.side / width);
    clear[1] = fmax(0.5, 1 - 2 * edge / height);
}

/* ---- shade ---- */

/* Relative to the picture's average. The core of a galaxy has 20, its outskirts 1, the tails of one
 * 0.2. */
static const double bright = 2;
static const double lit = 0.5; /* enough to hide a box, which covers it */
static const double faint = 0.05;
static const double noticed = 0.04, much_less = 0.75;
static const double readable = 2; /* seconds */

/* The length that cell `index` of a side of `pixels` has in common with from .. from + length. */
static double common(int index, double pixels, double from, double length)
{
    const double cell = pixels / FOUND_LIGHT_SIDE;
    return fmax(0, fmin((index + 1) * cell, from + length) - fmax(index * cell, from));
}

static double brightness_of(const struct found_light *light, int at,
                            const struct overlay_layout *layout, const struct overlay_area *area)
{
    double inside = 0, everywhere = 0;
    for (int row = 0; row < FOUND_LIGHT_SIDE; row++) {
        const double height = common(row, layout->height, area->y, area->height);
        for (int column = 0; column < FOUND_LIGHT_SIDE; column++) {
            const double cell = light->cell[at][row][column];
            everywhere += cell;
            inside += cell * height * common(column, layout->width, area->x, area->width);
        }
    }
    const double mean = everywhere / ((double)layout->width * layout->height) *
                        ((double)area->width * area->height);
    const double whole_cell =
        (double)layout->width * layout->height / (FOUND_LIGHT_SIDE * FOUND_LIGHT_SIDE);
    return mean > 0 ? inside / whole_cell / mean : 0;
}

/* The brightest of the parts into which the area is divided. A part is large enough to contain some
 * of the few bodies in which the light was found. */
static double brightness(const struct found_light *light, int at,
                         const struct overlay_layout *layout, const struct overlay_area *area)
{
    static const double part = 0.08; /* of the picture */
    const int columns = (int)fmax(1, area->width / (part * layout->width));
    const int rows = (int)fmax(1, area->height / (part * layout->height));
    double most = 0;
    for (int i = 0; i < rows * columns; i++) {
        const int left = i % columns * area->width / columns;
        const int right = (i % columns + 1) * area->width / columns;
        const int top = i / columns * area->height / rows;
        const int bottom = (i / columns + 1) * area->height / rows;
        const struct overlay_area one = {area->x + left, area->y + top, right - left, bottom - top};
        most = fmax(most, brightness_of(light, at, layout, &one));
    }
    return most;
}

double shade_light(const struct found_light *light, const struct overlay_layout *layout,
                   const struct overlay_area *area, double fps, double from, double to)
{
    double sum = 0, nearest = HUGE_VAL;
    int count = 0, near = 0;
    for (int i = 0; i < light->times; i++) {
        const double seconds = light->frame[i] / fps, away = fabs(seconds - (from + to) / 2);
        if (away < nearest) {
            nearest = away;
            near = i;
        }
        if (to > from && (seconds < from || seconds > to))
            continue;
        sum += fmin(1, brightness(light, i, layout, area) / bright);
        count++;
    }
    if (light->times == 0)
        return 0;
    return count > 0 ? sum / count : fmin(1, brightness(light, near, layout, area) / bright);
}

bool shade_leaves(double own, double other)
{
    return own >= noticed && other < much_less * own;
}

void shade_find(struct shade *out, const struct found_light *light,
                const struct overlay_layout *layout, const struct overlay_area *area, double fps,
                bool all)
{
    const double most = all ? faint : lit;
    double from = -HUGE_VAL;
    *out = (struct shade){0};
    for (int i = 0; i <= light->times; i++) {
        const bool ends = i == light->times;
        if (!ends && brightness(light, i, layout, area) < most)
            continue;
        /* A place that is bright in one sample may be so from the previous sample to the next. */
        const double to = ends ? HUGE_VAL : i > 0 ? light->frame[i - 1] / fps : -HUGE_VAL;
        if (to - from >= readable) {
            out->dark[out->count].from = from;
            out->dark[out->count++].to = to;
        }
        from = !ends && i + 1 < light->times ? light->frame[i + 1] / fps : HUGE_VAL;
    }
}

double shade_opacity(const struct shade *shade, double seconds, double fade)
{
    for (int i = 0; i < shade->count; i++) {
        const double since = seconds - shade->dark[i].from, left = shade->dark[i].to - seconds;
        if (since < 0 || left <= 0)
            continue;
        const double x = fade > 0 ? fmin(1, fmin(since, left) / fade) : 1;
        return x * x * (3 - 2 * x);
    }
    return 0;
}
