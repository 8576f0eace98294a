#include "render/overlay/overlay.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/overlay/card.h"
#include "render/overlay/elements.h"
#include "render/overlay/ink.h"
#include "render/overlay/layout.h"
#include "render/overlay/lines.h"
#include "render/overlay/plates.h"
#include "render/overlay/shade.h"
#include "render/picture/hdr.h"
#include "render/picture/picture.h"
#include "render/picture/projection.h"

#include <math.h>
#include <stdlib.h>

/* In units of the title's letter size. */
static const double apart = 1.5, below = 0.6;
static const double widest = 0.6, highest = 0.4; /* limits of a box, in parts of the picture */
/* How far a box may extend from the edge of its corner, in heights of a small picture. */
static const double farthest = 0.45;

/* Every element may be a box, and one may be repeated in every panel. */
enum { BOXES_MAX = OVERLAY_ELEMENTS_MAX + PANELS_MAX };

struct box {
    const struct overlay_box *ops;
    void *box;
    enum overlay_corner corner;
    struct overlay_area area;
    bool under_card;
    struct shade shade;
};

struct overlay {
    struct overlay_layout layout;
    struct ink *ink;
    struct plates *plates;        /* those of the lines, then of the boxes, then of the card */
    struct card *card;            /* NULL: none */
    struct overlay_params params; /* its pointers are not used */
    double fps;
    struct overlay_lines *lines;
    int line_count, box_count;
    struct box boxes[BOXES_MAX];
};

static bool beside(const struct overlay *overlay, const struct overlay_area *area,
                   const struct overlay_area *other)
{
    const double gap = apart * overlay->layout.size;
    return area->x >= other->x + other->width + gap || other->x >= area->x + area->width + gap;
}

/* Whether the box is too small to dominate the picture. */
static bool is_small(const struct overlay *overlay, const struct overlay_area *area,
                     const struct overlay_area *part)
{
    const bool alone = part->width == overlay->layout.width; /* panels are narrower */
    return area->height <= highest * part->height &&
           (!alone || area->width <= widest * part->width);
}

/* Whether a box, with the lines between it and the edge, leaves the middle free for the bodies. In
 * a small picture letters do not shrink with the picture. */
static bool is_near_corner(const struct overlay *overlay, const struct overlay_area *area,
                           const struct overlay_area *part, bool top)
{
    const struct overlay_layout *layout = &overlay->layout;
    const int inner = top ? area->y + area->height - part->y : part->y + part->height - area->y;
    return layout->size <= layout->true_size || inner <= farthest * part->height;
}

static bool fits(const struct overlay *overlay, const struct overlay_area *area,
                 const struct overlay_area *part, int top)
{
    const struct overlay_layout *layout = &overlay->layout;
    for (int i = 0; i < overlay->box_count; i++) {
        const struct overlay_area *other = &overlay->boxes[i].area;
        if (!beside(overlay, area, other) && area->y < other->y + other->height &&
            other->y < area->y + area->height)
            return false;
    }
    return area->x >= part->x + overlay_inset(layout, part->x) &&
           area->x + area->width <=
               part->x + part->width - overlay_inset(layout, part->x + part->width) &&
           area->y >= part->y + layout->edge + top;
}

/* Moves the box above those that it would overlap. */
static void rise(const struct overlay *overlay, struct overlay_area *area)
{
    const int gap = (int)ceil(apart * overlay->layout.size);
    for (int i = 0; i < overlay->box_count; i++) {
        const struct overlay_area *other = &overlay->boxes[i].area;
        if (!beside(overlay, area, other) && area->y < other->y + other->height + gap &&
            other->y < area->y + area->height + gap)
            area->y = other->y - gap - area->height;
    }
}

/* The area of the film, or of one of its panels. */
static struct overlay_area part_of(const struct film_labels *labels,
                                   const struct overlay_layout *layout,
                                   const struct overlay_element *element, int picture)
{
    if (!element->box->by_panel || labels->panel_count == 0)
        return overlay_part(labels, layout, element->corner);
    const struct overlay_label *panel = &labels->panels[picture];
    return (struct overlay_area){panel->x, panel->y, panel->width, panel->height};
}

/* Height that lines take above the lower edge of a panel: lines on the left in the first panel,
 * lines on the right in the last column, and lines in the middle where the box extends that far. */
static int taken_below(const struct overlay *overlay, const struct overlay_area *part,
                       const struct overlay_taken *taken, const struct overlay_area *area,
                       bool left, int picture)
{
    const struct overlay_layout *layout = &overlay->layout;
    const struct overlay_area middle = {.x = (layout->width - taken->middle_width) / 2,
                                        .width = taken->middle_width};
    const bool lowest = part->y + part->height >= layout->height - layout->edge;
    const bool rightmost = part->x + part->width >= layout->width - layout->side;
    int height = 0;
    if (left && picture == 0)
        height = taken->left;
    else if (lowest && (!left || rightmost))
        height = taken->right;
    if (lowest && taken->middle > height && !beside(overlay, area, &middle))
        height = taken->middle;
    return height;
}

static bool is_upper(enum overlay_corner corner)
{
    return corner == TOP_LEFT || corner == TOP_RIGHT;
}

static bool is_taken(const struct overlay *overlay, enum overlay_corner corner)
{
    for (int i = 0; i < overlay->box_count; i++)
        if (overlay->boxes[i].corner == corner)
            return true;
    return false;
}

/* Puts the box's area into a corner of the part, beyond lines and boxes there. */
static void place(const struct overlay *overlay, struct overlay_area *area,
                  const struct overlay_area *part, const struct overlay_taken *taken,
                  enum overlay_corner corner, int picture)
{
    const struct overlay_layout *layout = &overlay->layout;
    const bool left = corner == BOTTOM_LEFT || corner == TOP_LEFT;
    area->x =
        left ? part->x + overlay_inset(layout, part->x)
             : part->x + part->width - overlay_inset(layout, part->x + part->width) - area->width;
    if (is_upper(corner)) {
        area->y = part->y + layout->edge + taken->top + (int)ceil(below * layout->size);
        return;
    }
    area->y = part->y + part->height - layout->edge -
              taken_below(overlay, part, taken, area, left, picture) - area->height;
    rise(overlay, area);
}

static bool suits(const struct overlay *overlay, const struct overlay_area *area,
                  const struct overlay_area *part, const struct overlay_taken *taken,
                  enum overlay_corner corner, bool panels)
{
    return is_small(overlay, area, part) && fits(overlay, area, part, taken->top) &&
           (panels || is_near_corner(overlay, area, part, is_upper(corner)));
}

/* The box's own corner; or, if that is taken, or bright while another one has much less light over
 * the film, the darkest free corner. The corner does not depend on the frame, so a box never
 * jumps. */
static enum overlay_corner choose_corner(const struct overlay *overlay, const struct box *box,
                                         const struct overlay_element *element,
                                         const struct renderer_params *params,
                                         const struct overlay_area *part,
                                         const struct overlay_taken *taken)
{
    enum overlay_corner best = element->corner;
    double own = HUGE_VAL, least = HUGE_VAL;
    if (params->labels.panel_count > 0)
        return best;
    for (int i = -1; i <= BOTTOM_RIGHT; i++) { /* the own corner first */
        const enum overlay_corner corner = i < 0 ? element->corner : (enum overlay_corner)i;
        struct overlay_area area = box->area;
        place(overlay, &area, part, taken, corner, 0);
        const bool taken_now = is_taken(overlay, corner);
        if (i < 0 && !taken_now && !suits(overlay, &area, part, taken, corner, false))
            return best; /* too large for the picture */
        if (taken_now || !suits(overlay, &area, part, taken, corner, false))
            continue;
        const double light =
            shade_light(&params->found.light, &overlay->layout, &area, params->labels.fps, 0, 0);
        if (i < 0)
            own = light;
        else if (light >= least || (own < HUGE_VAL && !shade_leaves(own, light)))
            continue;
        least = light;
        best = corner;
    }
    return best;
}

/* Places the box; warns and leaves it out where it does not fit. */
static void add_box(struct overlay *overlay, const struct overlay_element *element,
                    const struct renderer_params *params, const struct overlay_taken *taken,
                    int picture)
{
    const struct overlay_layout *layout = &overlay->layout;
    const struct overlay_area part = part_of(&params->labels, layout, element, picture);
    const struct projection *projection = params->camera.projection;
    struct box *box = &overlay->boxes[overlay->box_count];
    struct overlay_area *area = &box->area;
    box->ops = element->box;
    box->ops->open(&box->box, overlay->ink, params, layout, picture);
    if (!box->box)
        return;
    box->ops->size(box->box, &area->width, &area->height);
    box->corner = choose_corner(overlay, box, element, params, &part, taken);
    place(overlay, area, &part, taken, box->corner, picture);
    if (suits(overlay, area, &part, taken, box->corner, params->labels.panel_count > 0)) {
        shade_find(&box->shade, &params->found.light, layout, area, params->labels.fps,
                   projection && projection->whole_sphere);
        overlay->box_count++;
        return;
    }
    overlay_warn_too_small(layout, element->name);
    box->ops->close(box->box);
}

static void add_boxes(struct overlay *overlay, const struct renderer_params *params,
                      const struct overlay_taken *taken)
{
    const struct overlay_element *element;
    const int panels = params->labels.panel_count;
    for (size_t i = 0; (element = choice_at(&overlay_registry, i)); i++) {
        if (!element->box || !overlay_shows(element, params))
            continue;
        const int count = element->box->by_panel && panels > 0 ? panels : 1;
        for (int picture = 0; picture < count; picture++)
            add_box(overlay, element, params, taken, picture);
    }
}

/* Whether the box is hidden until the title card is gone. */
static bool is_under_card(const struct overlay *overlay, const struct overlay_area *area)
{
    const struct overlay_area card = card_area(overlay->card);
    return !beside(overlay, area, &card) && area->y < card.y + card.height &&
           card.y < area->y + area->height;
}

static enum status fill(struct overlay *overlay, const struct renderer_params *params)
{
    const struct overlay_layout *layout = &overlay->layout;
    struct plate_room rooms[OVERLAY_LINES_MAX + BOXES_MAX + 1];
    struct overlay_taken taken;
    overlay_lay_out(&overlay->layout, &params->overlay, params->width, params->height);
    enum status status =
        ink_create(&overlay->ink, params->overlay.font, OVERLAY_SHADOW * layout->size);
    if (status != STATUS_OK)
        return status;
    if (look_prints(&params->look))
        ink_print(overlay->ink);
    if (params->overlay.weights)
        ink_weigh(overlay->ink);
    overlay_lines_create(&overlay->lines, overlay->ink, params, layout);
    overlay_lines_taken(overlay->lines, &params->labels, &taken);
    add_boxes(overlay, params, &taken);
    overlay->line_count = overlay_lines_rooms(overlay->lines, rooms);
    for (int i = 0; i < overlay->box_count; i++)
        rooms[overlay->line_count + i] =
            (struct plate_room){overlay->boxes[i].area.width + 2 * layout->pad,
                                overlay->boxes[i].area.height + 2 * layout->pad};
    int count = overlay->line_count + overlay->box_count;
    card_create(&overlay->card, overlay->ink, params, layout);
    if (overlay->card)
        rooms[count++] = card_room(overlay->card);
    for (int i = 0; overlay->card && i < overlay->box_count; i++)
        overlay->boxes[i].under_card = is_under_card(overlay, &overlay->boxes[i].area);
    if (overlay->card && !params->overlay.card_covers) {
        const struct overlay_area area = card_area(overlay->card);
        overlay_lines_clear_card(overlay->lines, &area);
    }
    const double white = fn_pow(hdr_headroom(picture_format_hdr(params->format)), -1 / 2.2);
    return plates_create(&overlay->plates, rooms, count, white);
}

static bool shows_something(const struct renderer_params *params)
{
    const struct overlay_element *element;
    for (size_t i = 0; (element = choice_at(&overlay_registry, i)); i++)
        if (overlay_shows(element, params))
            return true;
    for (int i = 0; i < params->labels.panel_count; i++)
        if (params->labels.panels[i].text[0])
            return true;
    return params->overlay.card > 0;
}

enum status overlay_create(struct overlay **out, const struct renderer_params *params)
{
    *out = NULL;
    if (params->overlay.title && !params->labels.title[0])
        log_warning("overlay.title is true, but there is no title to show; set output.title");
    if (!shows_something(params))
        return STATUS_OK;
    *out = memory_new(1, sizeof **out);
    (*out)->params = params->overlay;
    (*out)->fps = params->labels.fps;
    enum status status = fill(*out, params);
    if (status != STATUS_OK)
        overlay_destroy(out);
    return status;
}

void overlay_destroy(struct overlay **overlay)
{
    struct overlay *self = *overlay;
    if (!self)
        return;
    for (int i = 0; i < self->box_count; i++)
        self->boxes[i].ops->close(self->boxes[i].box);
    card_destroy(&self->card);
    plates_destroy(&self->plates);
    overlay_lines_destroy(&self->lines);
    ink_destroy(&self->ink);
    free(self);
    *overlay = NULL;
}

void overlay_letters(const struct overlay *overlay, char out[OVERLAY_LETTERS])
{
    _Static_assert((int)OVERLAY_LETTERS == (int)INK_LETTERS, "one text");
    ink_letters(overlay->ink, out);
}

uint64_t overlay_paintings(const struct overlay *overlay)
{
    return plates_stored(overlay->plates);
}

static enum status update_box(struct overlay *overlay, int index, const struct view *view,
                              double card, double covered)
{
    const struct box *box = &overlay->boxes[index];
    const int pad = overlay->layout.pad, at = overlay->line_count + index;
    struct plate *plate = plates_at(overlay->plates, at);
    plate->opacity =
        (1 - (box->under_card ? fmax(card, covered) : covered)) *
        shade_opacity(&box->shade, (double)view->frame / overlay->fps, overlay->params.fade);
    if (!box->ops->changed(box->box, view))
        return STATUS_OK;
    plate->x = box->area.x - pad;
    plate->y = box->area.y - pad;
    enum status status =
        ink_begin(overlay->ink, box->area.width + 2 * pad, box->area.height + 2 * pad);
    if (status != STATUS_OK)
        return status;
    box->ops->paint(box->box, overlay->ink, pad, pad, view);
    return plates_store(overlay->plates, at, overlay->ink);
}

enum status overlay_draw(struct overlay *overlay, const struct view *view,
                         const struct camera_pose *pose, const struct gl_target *display, int x,
                         int y)
{
    const double seconds = (double)view->frame / overlay->fps;
    const double card = overlay->card ? overlay_card(&overlay->params, seconds) : 0;
    const double covered = overlay_cover(&overlay->params, seconds);
    enum status status = overlay_lines_update(overlay->lines, overlay->ink, overlay->plates, view,
                                              pose, card, covered);
    for (int i = 0; i < overlay->box_count && status == STATUS_OK; i++)
        status = update_box(overlay, i, view, card, covered);
    if (overlay->card && status == STATUS_OK)
        status = card_update(overlay->card, overlay->ink, overlay->plates,
                             overlay->line_count + overlay->box_count, view);
    if (status == STATUS_OK)
        plates_draw(overlay->plates, display, x, y);
    return status;
}
