/* The energies of a film so far, at moments that depend on the frame number alone, so that a film
 * that was interrupted has the same ones. Append-only: one thread adds points, others may read
 * those that a view has brought them (see view.h). */
#ifndef SIM_ENERGY_HISTORY_H
#define SIM_ENERGY_HISTORY_H

#include "base/status.h"
#include "sim/view.h"

#include <stdbool.h>

enum { ENERGY_POINTS_MAX = 200 };

struct energy_history {
    uint64_t every, last; /* frames: points are at multiples of `every` and at the last one */
    size_t count, room;   /* room <= ENERGY_POINTS_MAX */
    struct energy_point *points; /* [room]; never moves */
};

/* For a film of `frames` frames, >= 1: the least `every` with which all points have room. */
struct energy_history *energy_history_create(uint64_t frames);
void energy_history_destroy(struct energy_history **history); /* accepts a pointer to NULL */

/* Whether a point belongs at this frame. */
bool energy_history_due(const struct energy_history *history, uint64_t frame);

/* `time` is not before that of the last point; a point for which there is no room is dropped. */
void energy_history_add(struct energy_history *history, const struct energy_point *point);

/* Replaces the points by saved ones, before any view is filled. STATUS_USAGE, leaving all as it is,
 * when there are too many, or one is not finite or not later than the one before it (in the
 * direction of the first two). */
enum status energy_history_restore(struct energy_history *history,
                                   const struct energy_point *points, size_t count);

#endif
