/* The energies of a film so far, at moments that depend only on the frame number, so that an
 * interrupted film has the same ones. Append-only: one thread adds points; others may read the
 * points that a view has given them (see view.h). */
#pragma once

#include "base/status.h"
#include "sim/view.h"

#include <stdbool.h>

enum { ENERGY_POINTS_MAX = 200 };

struct energy_history {
    uint64_t every, last; /* in frames: points are at multiples of `every` and at the last frame */
    size_t count, room;   /* room <= ENERGY_POINTS_MAX */
    struct energy_point *points; /* [room]; never moves */
};

/* For a film of `frames` >= 1 frames: chooses the smallest `every` with which all points fit. */
struct energy_history *energy_history_create(uint64_t frames);
void energy_history_destroy(struct energy_history **history); /* accepts a pointer to NULL */

/* Whether this frame has a point. */
bool energy_history_due(const struct energy_history *history, uint64_t frame);

/* `time` must not be before the last point's. A point without room is dropped. */
void energy_history_add(struct energy_history *history, const struct energy_point *point);

/* Replaces the points by saved ones, before any view is filled. STATUS_USAGE, leaving everything
 * unchanged, when there are too many, or one is not finite or not later than the previous one (in
 * the direction of the first two). */
enum status energy_history_restore(struct energy_history *history,
                                   const struct energy_point *points, size_t count);
