/* The title card, shown for the first seconds of the film: the title large in the lower third, or
 * in the middle if the card covers the film, with lines below it. Only for the overlay. */
#pragma once

#include "render/overlay/entry.h"
#include "render/overlay/plates.h"

struct card;

/* Sets *out to NULL if there is no card; warns and does so if the card would be empty. */
void card_create(struct card **out, struct ink *ink, const struct renderer_params *params,
                 const struct overlay_layout *layout);
void card_destroy(struct card **card); /* accepts a pointer to NULL */

/* The area of the picture that its letters occupy. */
struct overlay_area card_area(const struct card *card);

struct plate_room card_room(const struct card *card);

/* Updates plate `index`, which has this area, for the view's frame, and paints it once. */
enum status card_update(struct card *card, struct ink *ink, struct plates *plates, int index,
                        const struct view *view);
