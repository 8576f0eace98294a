/* Finds from the pixels which picture each frame of a film shows. This detects a frame that was
 * dropped, doubled or swapped between the renderer and the file, whatever the file's metadata
 * say. */
#pragma once

#include "cmd/regression/record/loss.h"

/* Small copies of the pictures on their way to the encoder, kept until the film is read back. */
struct kept_pictures {
    struct picture_layout layout;
    uint8_t **data; /* [the record's frames] of layout.size bytes; NULL: not kept */
};

struct film_order;

/* Compares the first `pictures` pictures, which were kept without a gap, with the first `frames`
 * frames of the film. `kept` must outlive the order. */
struct film_order *film_order_open(const struct kept_pictures *kept, uint64_t pictures,
                                   uint64_t frames);
void film_order_close(struct film_order **order); /* accepts a pointer to NULL */

/* Adds the next decoded frame. */
void film_order_add(struct film_order *order, const struct decoded *decoded);

/* Call after all frames were added. Sets record->shows, or leaves it NULL if each frame shows its
 * own picture or the order cannot be told, because nothing moves or the encoder loses more than
 * moves. `frames` is the number of frames in the film; those after the last added one are assumed
 * to continue in order. */
void film_order_end(struct film_order *order, uint64_t frames, struct record *record);

/* Describes faults in a film's order, "frame 5 is missing in the film"; the caller frees the text.
 * NULL if every frame shows its own picture. */
struct order_faults {
    char *text;
    uint64_t count; /* frames that are missing, repeated or out of place */
    int64_t first;  /* the first such frame; -1: none */
};
struct order_faults film_order_faults(const struct record *record);

/* Returns whether two films show the same frames in the same order. */
bool film_order_same(const struct record *a, const struct record *b);
