/* The last frames of all bodies, from which look.trails draws their paths: an entry per frame, so
 * that a view depends only on its frame. Checkpoints include them. */
#pragma once

#include "base/status.h"
#include "sim/view.h"

/* Largest product of bodies and frames, 32 bytes each; every view has a copy. */
enum { TRAIL_MOST = 1 << 20 };

/* STATUS_USAGE, naming look.trails: more than TRAIL_MOST rows, or more bodies than a view's sample
 * has. bodies: of all processes. */
enum status trail_check(size_t bodies, uint64_t room);

/* Memory for `room` >= 1 frames of `bodies`, initially none. */
enum status trail_create(struct view_trail **out, size_t bodies, uint64_t room);
void trail_destroy(struct view_trail **trail); /* accepts a pointer to NULL */

/* Appends the view's frame, replacing the oldest if it is full. The view must be in host memory or
 * have a sample of all bodies. `absent`: [bodies], or NULL if none is. */
void trail_add(struct view_trail *trail, const struct view *view, const bool *absent);

/* Replaces the frames by those of another trail of as many bodies; they must fit. */
void trail_copy(struct view_trail *to, const struct view_trail *from);
