/* The title card, shown for the first seconds of the film: the title large in the lower third, or
 * in the middle if the card covers the film, with lines below it. Only for the overlay. */
#include "render/overlay/overlay.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/overlay/ink.h"
#include "render/overlay/labels.h"
#include "render/overlay/layout.h"
#include "render/overlay/plates.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdlib.h>

/* In units of the other elements' letter size. */
static const double title_size = 2.4, lines_size = 1.2, card_gap = 0.6, cap_height = 0.73,
                    descent = 0.3;
static const double card_width = 0.9; /* of the picture's width without margins */
static const double crowded = 1.5;    /* factor on the proportional size; beyond it no lines */
static const double title_opacity = 0.95, lines_opacity = 0.9;

struct card {
    struct overlay_layout layout;
    double seconds, fade, fps;
    int width, height; /* of the ink */
    char title[OVERLAY_TEXT_MAX + 4], lines[OVERLAY_TEXT_MAX + 4];
    bool alone; /* the card covers the film */
    bool painted;
};

static double lines_letters(const struct card *card)
{
    return fmax(lines_size * card->layout.true_size, card->layout.size);
}

static double title_letters(const struct card *card)
{
    return fmax(title_size * card->layout.true_size, lines_size * card->layout.size);
}

/* Height from the upper edge of the first line to the baseline of the last one. */
static double height_of(const char *text, double size)
{
    return text[0] ? (cap_height + PARAGRAPH_PITCH * (paragraph_lines(text) - 1)) * size : 0;
}

static double between(const struct card *card)
{
    return card->title[0] && card->lines[0] ? card_gap * title_letters(card) : 0;
}

static void fit(struct card *card, struct ink *ink, const struct renderer_params *params)
{
    const struct overlay_layout *layout = &card->layout;
    const double width = card_width * (layout->width - 2 * layout->side);
    const double height = layout->height - 2.0 * layout->edge;
    struct paragraph_room room = {.size = title_letters(card), .width = width, .wraps = true};
    room.lines = (int)fmax(1, floor(0.75 * height / (PARAGRAPH_PITCH * room.size)));
    ink_role(ink, INK_TITLE);
    if (params->labels.title)
        paragraph_fit(card->title, ink, &room, params->labels.title);
    const double left = height - height_of(card->title, room.size) - card_gap * room.size;
    room.size = lines_letters(card);
    room.lines = (int)fmax(1, floor(left / (PARAGRAPH_PITCH * room.size)));
    ink_role(ink, INK_TEXT);
    const bool has_lines = params->overlay.subtitle && params->overlay.subtitle[0];
    const bool crowds = room.size > crowded * lines_size * layout->true_size;
    if (has_lines && crowds)
        overlay_warn_too_small(layout, "subtitle");
    else if (has_lines)
        paragraph_fit(card->lines, ink, &room, params->overlay.subtitle);
}

/* accepts a pointer to NULL */
static void card_destroy(struct card **card)
{
    free(*card);
    *card = NULL;
}

/* Sets *out to NULL if there is no card; warns and does so if the card would be empty. */
static void card_create(struct card **out, struct ink *ink, const struct renderer_params *params,
                        const struct overlay_layout *layout)
{
    const struct overlay_params *overlay = &params->overlay;
    *out = NULL;
    if (!(overlay->card > 0))
        return;
    struct card *card = *out = memory_new(1, sizeof *card);
    card->layout = *layout;
    card->alone = overlay->card_covers;
    card->seconds = overlay->card;
    card->fade = overlay->fade;
    card->fps = params->labels.fps;
    fit(card, ink, params);
    const double size = title_letters(card);
    const double lines = paragraph_width(ink, lines_letters(card), card->lines);
    ink_role(ink, INK_TITLE);
    card->width = (int)ceil(fmax(paragraph_width(ink, size, card->title), lines));
    card->height = (int)ceil(height_of(card->title, size) + between(card) +
                             height_of(card->lines, lines_letters(card)) + descent * size);
    if (card->title[0] || card->lines[0])
        return;
    log_warning("overlay.card asks for a title card, but there is nothing to write on it; set "
                "output.title or overlay.subtitle");
    card_destroy(out);
}

/* The area of the picture that its letters occupy. */
static struct overlay_area card_area(const struct card *card)
{
    const struct overlay_layout *layout = &card->layout;
    const int middle = card->alone ? layout->height / 2 : layout->height * 5 / 6;
    const int lowest = layout->height - layout->edge - card->height;
    const int top = middle - card->height / 2 < lowest ? middle - card->height / 2 : lowest;
    return (struct overlay_area){(layout->width - card->width) / 2, top, card->width, card->height};
}

static struct plate_room card_room(const struct card *card)
{
    const int pad = card->layout.pad;
    return (struct plate_room){card->width + 2 * pad, card->height + 2 * pad};
}

/* Writes centred lines downwards from `top`, which moves to their end. */
static void write_lines(const struct card *card, struct ink *ink, const char *text, double size,
                        double opacity, double *top)
{
    char line[OVERLAY_TEXT_MAX + 4];
    const double middle = card->layout.pad + card->width / 2.0;
    double baseline = *top + cap_height * size;
    *top += height_of(text, size);
    for (const char *at = text[0] ? text : NULL; paragraph_next(&at, line);) {
        ink_text(ink, middle - ink_width(ink, size, line) / 2, baseline, size, opacity, line);
        baseline += PARAGRAPH_PITCH * size;
    }
}

static enum status paint(struct card *card, struct ink *ink, struct plates *plates, int index)
{
    const struct overlay_area area = card_area(card);
    struct plate *plate = plates_at(plates, index);
    const struct plate_room room = card_room(card);
    const int pad = card->layout.pad;
    double top = pad;
    enum status status = ink_begin(ink, room.width, room.height);
    if (status != STATUS_OK)
        return status;
    ink_role(ink, INK_TITLE);
    write_lines(card, ink, card->title, title_letters(card), title_opacity, &top);
    top += between(card);
    ink_role(ink, INK_TEXT);
    write_lines(card, ink, card->lines, lines_letters(card), lines_opacity, &top);
    plate->x = area.x - pad;
    plate->y = area.y - pad;
    card->painted = true;
    return plates_store(plates, index, ink);
}

/* Updates plate `index`, which has this area, for the view's frame, and paints it once. */
static enum status card_update(struct card *card, struct ink *ink, struct plates *plates, int index,
                               const struct view *view)
{
    const double seconds = (double)view->frame / card->fps;
    const double opacity = overlay_caption_opacity(seconds, 0, card->seconds, card->fade);
    plates_at(plates, index)->opacity = opacity;
    return card->painted || opacity == 0 ? STATUS_OK : paint(card, ink, plates, index);
}

/* ---- overlay ---- */

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
    struct plates *plates; /* those of the lines, then of the boxes, then of the card */
    struct card *card;     /* NULL: none */
    struct labels *labels; /* NULL: none */
    struct overlay_taken taken;
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
    for (int i = -1; i <= BOTTOM_RIGHT; i++) { /* its own corner first */
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

static void clean_words(struct ink *ink, const struct overlay_params *params)
{
    for (uint32_t i = 0; i < params->word_count; i++) {
        char *copy = memory_text(params->words[i].as); /* warns of letters that no font has */
        ink_clean(ink, copy);
        free(copy);
    }
    ink_words(ink, params->words, params->word_count);
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
    clean_words(overlay->ink, &params->overlay);
    overlay_lines_create(&overlay->lines, overlay->ink, params, layout);
    overlay_lines_taken(overlay->lines, &params->labels, &taken);
    overlay->taken = taken;
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
    status = plates_create(&overlay->plates, rooms, count, white);
    return status == STATUS_OK
               ? labels_create(&overlay->labels, overlay->ink, params, &overlay->layout)
               : status;
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
    return params->overlay.card > 0 || params->overlay.label_count > 0;
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

void overlay_tune(struct overlay *overlay, const struct overlay_params *params)
{
    overlay->params.transparency = params->transparency;
    overlay->params.label_transparency = params->label_transparency;
}

void overlay_destroy(struct overlay **overlay)
{
    struct overlay *self = *overlay;
    if (!self)
        return;
    for (int i = 0; i < self->box_count; i++)
        self->boxes[i].ops->close(self->boxes[i].box);
    card_destroy(&self->card);
    labels_destroy(&self->labels);
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
        plates_draw(overlay->plates, display, x, y, 1 - overlay->params.transparency);
    return status;
}

/* The room that the overlay's lines leave in a picture. Around a sphere, there are none. In a dome,
 * letters stay in front of the audience, where they are upright: from the middle down to the lower
 * edge of the overlay. */
static struct overlay_area room_in(const struct overlay *overlay, const struct overlay_sight *sight)
{
    const struct overlay_layout *layout = &overlay->layout;
    const struct overlay_taken *taken = &overlay->taken;
    const int width = (int)sight->eye.width, height = (int)sight->eye.height;
    const int left = overlay_inset(layout, sight->x);
    const int right = overlay_inset(layout, sight->x + width);
    const bool lowest = sight->y + height >= layout->height;
    const int top = layout->edge + (sight->y == 0 ? taken->top : 0);
    const int bottom =
        layout->edge +
        (lowest ? (int)fmax(taken->middle, fmax(taken->left, taken->right)) : taken->left);
    if (sight->eye.dome > 0)
        return (struct overlay_area){-sight->x, height / 2, layout->width,
                                     layout->height - sight->y - height / 2 - bottom};
    if (sight->eye.whole_sphere)
        return (struct overlay_area){0, 0, width, height};
    return (struct overlay_area){left, top, width - left - right, height - top - bottom};
}

void overlay_draw_labels(struct overlay *overlay, const struct overlay_sight *sight,
                         const struct gl_target *display, int x, int y)
{
    const double seconds = (double)sight->view->frame / overlay->fps;
    const struct overlay_area room = room_in(overlay, sight);
    struct labels_obstacle obstacles[BOXES_MAX + 1];
    int count = 0;
    if (!overlay->labels)
        return;
    for (int i = 0; i < overlay->box_count; i++)
        obstacles[count++] = (struct labels_obstacle){
            overlay->boxes[i].area,
            shade_opacity(&overlay->boxes[i].shade, seconds, overlay->params.fade)};
    if (overlay->card)
        obstacles[count++] = (struct labels_obstacle){card_area(overlay->card),
                                                      overlay_card(&overlay->params, seconds)};
    for (int i = 0; i < count; i++) {
        obstacles[i].area.x -= sight->x;
        obstacles[i].area.y -= sight->y;
    }
    labels_draw(overlay->labels, sight, &room, obstacles, count,
                (1 - overlay->params.transparency) * (1 - overlay->params.label_transparency) *
                    (1 - overlay_cover(&overlay->params, seconds)),
                display, x + sight->x, y + sight->y);
}
