/* Plates: rectangles of ink over the picture, in separate areas of one texture. Only for the
 * overlay; a GL context must be current. */
#pragma once

#include "render/gl/util.h"
#include "render/overlay/ink.h"

#include <stdint.h>

/* Coordinates are pixels of the picture, from its upper left corner. */
struct plate {
    int x, y;          /* position of its upper left corner */
    int width, height; /* visible size, at most that of its area; width 0: nothing */
    double opacity;
};

struct plate_room {
    int width, height;
};

struct plates;

/* STATUS_USAGE when the plates do not fit into a GL texture. White ink is shown as the display
 * value `white`, which is 1 except in high dynamic range. */
enum status plates_create(struct plates **out, const struct plate_room *rooms, int count,
                          double white);
void plates_destroy(struct plates **plates); /* accepts a pointer to NULL */

/* The caller positions it; after creation it is empty and fully opaque. */
struct plate *plates_at(struct plates *plates, int index);

/* Stores what was painted since ink_begin; its size must fit the plate's area. */
enum status plates_store(struct plates *plates, int index, struct ink *ink);
uint64_t plates_stored(const struct plates *plates); /* number of calls of plates_store */

/* Draws all plates in order over `display`, with the picture's upper left corner at (x, y) from the
 * display's. A vertex array must be bound. */
void plates_draw(struct plates *plates, const struct gl_target *display, int x, int y);
