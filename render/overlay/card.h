/* The title card: the title large in the lower third, or in the middle where it covers
 * the film, and lines below it, for the film's first seconds.
 * Only for the overlay. */
#ifndef RENDER_OVERLAY_CARD_H
#define RENDER_OVERLAY_CARD_H

#include "render/overlay/entry.h"
#include "render/overlay/plates.h"

struct card;

/* Leaves NULL where there is none, or nothing on it, with a warning. */
void card_create(struct card **out, struct ink *ink, const struct renderer_params *params,
                 const struct overlay_layout *layout);
void card_destroy(struct card **card); /* accepts a pointer to NULL */

/* The part of the picture that its letters take. */
struct overlay_area card_area(const struct card *card);

struct plate_room card_room(const struct card *card);

/* Sets plate `index`, of that room, for the view's frame, and paints it once. */
enum status card_update(struct card *card, struct ink *ink, struct plates *plates, int index,
                        const struct view *view);

#endif
