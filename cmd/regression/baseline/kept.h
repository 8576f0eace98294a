/* The kept frames of a film: a few states from which the renderer can draw, and pictures as the
 * encoder gets them. They come from a film that is being made (hooks), or from the objects of a
 * baseline, which are read on demand. Used by one thread at a time, except by the hooks of a film.
 */
#pragma once

#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/packed.h"

/* Room for the pictures of a new baseline, and for those beside the pictures of an old one. */
enum { KEPT_PICTURES_MAX = 2 * BASELINE_PICTURES_MAX };

struct kept {
    uint32_t state_count, picture_count;
    struct kept_state {
        uint64_t frame;
        struct state state;     /* no simulations: not seen */
        double (*positions)[3]; /* of the first simulation; NULL: not computed yet */
        void *object;           /* what the state is unpacked from when it is asked for; or NULL */
        size_t size;
    } states[BASELINE_STATES_MAX];
    struct kept_picture {
        uint64_t frame;
        struct picture *picture; /* NULL: not seen */
        bool beside;             /* to be shown beside another one, but not stored */
        void *object;            /* as above */
        size_t size;
    } pictures[KEPT_PICTURES_MAX];
};

/* Chooses frames of a film with `frames` >= 1: states of the first, middle and last frame, and
 * evenly spaced pictures that include the frames of the states. */
void kept_choose(struct kept *out, uint64_t frames);
/* Chooses the frames that the baseline has. */
void kept_choose_like(struct kept *out, const struct baseline *baseline);
/* Also chooses the pictures that the baseline has, to be shown beside them. */
void kept_choose_beside(struct kept *kept, const struct baseline *baseline);

/* Reads the objects of a baseline. A damaged one is a failure; *missing says which one is missing
 * (NULL: none), and the caller frees it. */
enum status kept_read(struct kept *out, const struct baseline *baseline, char **missing);

void kept_free(struct kept *kept); /* accepts a zeroed one */

/* For the hooks of a film: take a frame that was chosen, in this order. */
enum status kept_see_simulations(struct kept *kept, struct simulation *const *simulations,
                                 int count);
void kept_see_renderer(struct kept *kept, const struct renderer *renderer, uint64_t frame);
enum status kept_see_picture(struct kept *kept, const struct picture *picture);

/* Adds a picture, whose frame must be later than all others, and takes ownership of it. */
void kept_add(struct kept *kept, struct picture *picture);

/* Return the state, its positions (*count of them) or the picture of a frame; NULL if it was not
 * seen, or if its object cannot be read. */
const struct state *kept_state(struct kept *kept, uint64_t frame);
const double (*kept_positions(struct kept *kept, uint64_t frame, size_t *count))[3];
const struct picture *kept_picture(struct kept *kept, uint64_t frame);

/* Stores what was seen in the baseline's folder and enters the names in the baseline: states first,
 * then as many pictures as there is room for, spread over the film. */
enum status kept_store(const struct kept *kept, struct baseline *baseline);
