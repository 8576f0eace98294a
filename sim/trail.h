/* The last frames of all bodies, from which look.trails draws their paths: an entry per frame, so
 * that what a view shows is a function of its frame alone. Checkpoints carry them. */
#ifndef SIM_TRAIL_H
#define SIM_TRAIL_H

#include "base/status.h"
#include "sim/view.h"

/* Bodies times frames that are kept, 32 bytes each; every view has a copy. */
enum { TRAIL_MOST = 1 << 20 };

/* Room for `room` >= 1 frames of `bodies`; none are in it yet. STATUS_USAGE, naming look.trails:
 * more than TRAIL_MOST rows, or more bodies than a view's sample has. */
enum status trail_create(struct view_trail **out, size_t bodies, uint64_t room);
void trail_destroy(struct view_trail **trail); /* accepts a pointer to NULL */

/* Appends the view's frame, in place of the oldest where there is no room left. The view lies in
 * host memory or has a sample, which is of all bodies. `absent`: [bodies], or
 * NULL where none is. */
void trail_add(struct view_trail *trail, const struct view *view, const bool *absent);

/* Replaces the frames by those of a trail of as many bodies that has no more of them than there is
 * room for. */
void trail_copy(struct view_trail *to, const struct view_trail *from);

#endif
