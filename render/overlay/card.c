#include "render/overlay/card.h"

#include "base/log.h"
#include "base/memory.h"
#include "render/overlay/lines.h"
#include "render/overlay/paragraph.h"

#include <math.h>
#include <stdlib.h>

/* In units of the other elements' letter size. */
static const double title_size = 2.4, lines_size = 1.2, gap = 0.6, cap_height = 0.73, descent = 0.3;
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
    return card->title[0] && card->lines[0] ? gap * title_letters(card) : 0;
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
    const double left = height - height_of(card->title, room.size) - gap * room.size;
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

void card_create(struct card **out, struct ink *ink, const struct renderer_params *params,
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

void card_destroy(struct card **card)
{
    free(*card);
    *card = NULL;
}

struct overlay_area card_area(const struct card *card)
{
    const struct overlay_layout *layout = &card->layout;
    const int middle = card->alone ? layout->height / 2 : layout->height * 5 / 6;
    const int lowest = layout->height - layout->edge - card->height;
    const int top = middle - card->height / 2 < lowest ? middle - card->height / 2 : lowest;
    return (struct overlay_area){(layout->width - card->width) / 2, top, card->width, card->height};
}

struct plate_room card_room(const struct card *card)
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

enum status card_update(struct card *card, struct ink *ink, struct plates *plates, int index,
                        const struct view *view)
{
    const double seconds = (double)view->frame / card->fps;
    const double opacity = overlay_caption_opacity(seconds, 0, card->seconds, card->fade);
    plates_at(plates, index)->opacity = opacity;
    return card->painted || opacity == 0 ? STATUS_OK : paint(card, ink, plates, index);
}
