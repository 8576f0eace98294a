/* Plans of films that look otherwise than the simulated scene: a thread makes them from the run,
 * one at a time, so that no picture waits for a pilot run. The latest request takes the place of
 * one that waits. Thread-safe. */
#pragma once

#include "cmd/view/view_motion.h"

struct plans;

enum status plans_open(struct plans **out, const struct view_source *source);
void plans_end(struct plans *plans);
void plans_close(struct plans **plans); /* accepts a pointer to NULL */

/* Sets *out to the plan of this scene in this run, or of the scene with a picture of another size
 * and the same shape, which finds the same (plan_read_near). The caller frees it. NULL: it is being
 * made from now on. A failure is that of making it. */
enum status plans_get(struct plans *plans, struct scene *scene, struct recorded *recorded,
                      char **out);
