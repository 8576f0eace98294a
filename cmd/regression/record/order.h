/* Finds by their pixels which picture each frame of a film shows: a frame that was dropped, doubled
 * or swapped between the renderer and the file is found, whatever the file says of itself. */
#ifndef CMD_REGRESSION_RECORD_ORDER_H
#define CMD_REGRESSION_RECORD_ORDER_H

#include "cmd/regression/record/loss.h"

/* Small copies of the pictures on their way into the encoder, kept until the film is read back. */
struct kept_pictures {
    struct picture_layout layout;
    uint8_t **data; /* [record's frames]: layout.size bytes; NULL: not kept */
};

struct film_order;

/* The pictures that were kept, from the first one on without a gap, against as many frames of the
 * film. `kept` must outlive it. */
struct film_order *film_order_open(const struct kept_pictures *kept, uint64_t pictures,
                                   uint64_t frames);
void film_order_close(struct film_order **order); /* accepts a pointer to NULL */

/* The next frame, decoded. */
void film_order_add(struct film_order *order, const struct decoded *decoded);

/* After all frames: sets record->shows, or leaves it NULL where each frame shows its own picture or
 * nothing can be told: where nothing moves, or the encoder loses more than moves. `frames` of the
 * film, those beyond the last one that was added show what follows from it. */
void film_order_end(struct film_order *order, uint64_t frames, struct record *record);

/* Describes a film's order, "frame 5 is missing in the film", the caller's to free; NULL where
 * every frame shows its own picture. */
struct order_faults {
    char *text;
    uint64_t count; /* frames missing, shown once more or out of their place */
    int64_t first;  /* of them; -1: none */
};
struct order_faults film_order_faults(const struct record *record);

/* Whether two films show the same frames in the same order. */
bool film_order_same(const struct record *a, const struct record *b);

#endif
