#include "render/overlay/overlay.h"

#include "render/overlay/energy.h"
#include "render/overlay/ink.h"
#include "render/overlay/legend.h"
#include "render/overlay/lines.h"
#include "render/overlay/plates.h"

#include <math.h>
#include <stdlib.h>

enum { LEGEND = OVERLAY_LINES, ENERGY, PLATES };

/* In parts of the title's size, except the margin: of the picture's shorter side. */
static const double small_size = 0.8, shadow_reach = 0.3, apart = 1.5, margin_share = 0.05;
static const double smallest = 9; /* pixels */

/* A rectangle of the picture. */
struct area {
    int x, y, width, height;
};

struct overlay {
    struct overlay_layout layout;
    double duration;
    struct overlay_lines *lines;
    struct overlay_legend *legend; /* NULL: none */
    struct area legend_at, energy_at;
    bool energy, legend_painted;
    size_t energy_points; /* in the graph as painted */
    struct ink *ink;
    struct plates *plates;
};

static void lay_out(struct overlay_layout *layout, const struct renderer_params *params)
{
    const double side = fmin(params->width, params->height);
    layout->width = (int)params->width;
    layout->height = (int)params->height;
    layout->size = fmax(params->overlay.size * side / 1080, smallest);
    layout->small = fmax(small_size * layout->size, smallest);
    layout->margin = (int)round(margin_share * side);
    layout->pad = (int)ceil(2 * shadow_reach * layout->size);
}

static bool fits(const struct overlay *overlay, const struct area *box, const struct area *part,
                 int top)
{
    const int margin = overlay->layout.margin;
    return box->x >= part->x + margin && box->x + box->width <= part->x + part->width - margin &&
           box->y >= part->y + margin + top;
}

/* In the lower left corner, of the first panel if there are several. */
static void place_legend(struct overlay *overlay, const struct film_labels *labels,
                         const struct overlay_taken *taken)
{
    const struct overlay_layout *layout = &overlay->layout;
    struct area part = {0, 0, layout->width, layout->height}, *box = &overlay->legend_at;
    bool warned = false;
    if (labels->panel_count > 0) {
        const struct overlay_label *first = &labels->panels[0];
        part = (struct area){first->x, first->y, first->width, first->height};
    }
    overlay_legend_size(overlay->legend, &box->width, &box->height);
    box->x = part.x + layout->margin;
    box->y = part.y + part.height - layout->margin - taken->left - box->height;
    if (fits(overlay, box, &part, taken->top))
        return;
    overlay_warn_too_small("legend", &warned);
    overlay_legend_destroy(&overlay->legend);
}

/* In the lower right corner, beside the legend. */
static void place_energy(struct overlay *overlay, const struct overlay_taken *taken)
{
    const struct overlay_layout *layout = &overlay->layout;
    const struct area whole = {0, 0, layout->width, layout->height}, *other = &overlay->legend_at;
    struct area *box = &overlay->energy_at;
    bool warned = false;
    overlay_energy_size(layout->small, &box->width, &box->height);
    box->x = layout->width - layout->margin - box->width;
    box->y = layout->height - layout->margin - taken->right - box->height;
    overlay->energy = fits(overlay, box, &whole, taken->top);
    if (overlay->legend && box->x < other->x + other->width + apart * layout->size &&
        box->y < other->y + other->height && other->y < box->y + box->height)
        overlay->energy = false;
    if (!overlay->energy)
        overlay_warn_too_small("energy", &warned);
}

static enum status create_parts(struct overlay *overlay, const struct renderer_params *params)
{
    const struct overlay_layout *layout = &overlay->layout;
    struct plate_room rooms[PLATES] = {{0}};
    struct overlay_taken taken;
    enum status status =
        ink_create(&overlay->ink, params->overlay.font, shadow_reach * layout->size);
    if (status == STATUS_OK)
        status = overlay_lines_create(&overlay->lines, overlay->ink, params, layout);
    if (status == STATUS_OK && params->overlay.legend)
        status = overlay_legend_create(&overlay->legend, overlay->ink, params, layout->small);
    if (status != STATUS_OK)
        return status;
    overlay_lines_taken(overlay->lines, &taken);
    if (overlay->legend)
        place_legend(overlay, &params->labels, &taken);
    if (params->overlay.energy)
        place_energy(overlay, &taken);
    overlay_lines_rooms(overlay->lines, rooms);
    if (overlay->legend)
        rooms[LEGEND] = (struct plate_room){overlay->legend_at.width + 2 * layout->pad,
                                            overlay->legend_at.height + 2 * layout->pad};
    if (overlay->energy)
        rooms[ENERGY] = (struct plate_room){overlay->energy_at.width + 2 * layout->pad,
                                            overlay->energy_at.height + 2 * layout->pad};
    return plates_create(&overlay->plates, rooms, PLATES);
}

static bool shows_something(const struct renderer_params *params)
{
    const struct overlay_params *wanted = &params->overlay;
    for (int i = 0; i < params->labels.panel_count; i++)
        if (params->labels.panels[i].text[0])
            return true;
    return wanted->title || wanted->clock || wanted->scale_bar || wanted->bodies || wanted->frame ||
           wanted->legend || wanted->energy || wanted->caption_count > 0;
}

enum status overlay_create(struct overlay **out, const struct renderer_params *params)
{
    *out = NULL;
    if (!shows_something(params))
        return STATUS_OK;
    struct overlay *overlay = *out = calloc(1, sizeof *overlay);
    if (!overlay)
        return status_fail(STATUS_RUNTIME, "no memory left for the overlay");
    overlay->duration = params->found.duration;
    lay_out(&overlay->layout, params);
    enum status status = create_parts(overlay, params);
    if (status != STATUS_OK)
        overlay_destroy(out);
    return status;
}

void overlay_destroy(struct overlay **overlay)
{
    struct overlay *self = *overlay;
    if (!self)
        return;
    plates_destroy(&self->plates);
    overlay_legend_destroy(&self->legend);
    overlay_lines_destroy(&self->lines);
    ink_destroy(&self->ink);
    free(self);
    *overlay = NULL;
}

uint64_t overlay_paintings(const struct overlay *overlay)
{
    return plates_stored(overlay->plates);
}

/* Begins a plate whose ink lies in `area` of the picture. */
static enum status begin(struct overlay *overlay, int index, const struct area *area)
{
    const int pad = overlay->layout.pad;
    struct plate *plate = plates_at(overlay->plates, index);
    plate->x = area->x - pad;
    plate->y = area->y - pad;
    return ink_begin(overlay->ink, area->width + 2 * pad, area->height + 2 * pad);
}

static enum status update_legend(struct overlay *overlay)
{
    const int pad = overlay->layout.pad;
    if (!overlay->legend || overlay->legend_painted)
        return STATUS_OK;
    enum status status = begin(overlay, LEGEND, &overlay->legend_at);
    if (status != STATUS_OK)
        return status;
    overlay_legend_paint(overlay->legend, overlay->ink, pad, pad);
    overlay->legend_painted = true;
    return plates_store(overlay->plates, LEGEND, overlay->ink);
}

static enum status update_energy(struct overlay *overlay, const struct view *view)
{
    const int pad = overlay->layout.pad;
    if (!overlay->energy || view->energy_count == overlay->energy_points)
        return STATUS_OK;
    enum status status = begin(overlay, ENERGY, &overlay->energy_at);
    if (status != STATUS_OK)
        return status;
    overlay_energy_paint(overlay->ink, pad, pad, overlay->layout.small, view->energy,
                         view->energy_count, overlay->duration);
    overlay->energy_points = view->energy_count;
    return plates_store(overlay->plates, ENERGY, overlay->ink);
}

enum status overlay_draw(struct overlay *overlay, const struct view *view,
                         const struct camera_pose *pose, const struct gl_target *display, int x,
                         int y)
{
    enum status status =
        overlay_lines_update(overlay->lines, overlay->ink, overlay->plates, view, pose);
    if (status == STATUS_OK)
        status = update_legend(overlay);
    if (status == STATUS_OK)
        status = update_energy(overlay, view);
    if (status != STATUS_OK)
        return status;
    plates_draw(overlay->plates, display, x, y);
    return STATUS_OK;
}
