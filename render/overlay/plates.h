/* Plates: rectangles of ink over the picture, kept in one texture, in which each has its room.
 * Only for the overlay; a GL context must be current. */
#ifndef RENDER_OVERLAY_PLATES_H
#define RENDER_OVERLAY_PLATES_H

#include "render/gl/util.h"
#include "render/overlay/ink.h"

#include <stdint.h>

/* Coordinates are pixels of the picture, from its upper left corner. */
struct plate {
    int x, y;          /* where the plate's upper left corner goes */
    int width, height; /* of what is shown, at most the room's; width 0: nothing */
    double opacity;
};

struct plate_room {
    int width, height;
};

struct plates;

/* STATUS_USAGE when the rooms are more than GL's texture holds. White ink is shown as the display
 * value `white`, 1 but in high dynamic range. */
enum status plates_create(struct plates **out, const struct plate_room *rooms, int count,
                          double white);
void plates_destroy(struct plates **plates); /* accepts a pointer to NULL */

/* To be placed by the caller; shows nothing, at full opacity, after creation. */
struct plate *plates_at(struct plates *plates, int index);

/* Takes over what has been painted since ink_begin, and its size, which is at most the room's. */
enum status plates_store(struct plates *plates, int index, struct ink *ink);
uint64_t plates_stored(const struct plates *plates); /* how often so far */

/* All of them over `display`, in their order, the picture's upper left corner at (x, y) from the
 * display's. A vertex array must be bound. */
void plates_draw(struct plates *plates, const struct gl_target *display, int x, int y);

#endif
