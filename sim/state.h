/* The state of a simulation, from which a run continues bit for bit on the same kind of device;
 * everything else follows from the arguments of simulation_open. */
#pragma once

#include "base/status.h"
#include "sim/bodies/bodies.h"
#include "sim/integrators/integrator.h"
#include "sim/view.h"

#include <stdint.h>

/* The rows of a state, with one or three numbers per body. */
enum simulation_rows { ROWS_MASS, ROWS_POSITION, ROWS_VELOCITY, ROWS_ACCELERATION, ROWS };

static inline size_t simulation_row_width(enum simulation_rows kind)
{
    return kind == ROWS_MASS ? 1 : 3;
}

struct simulation_state {
    uint64_t frame, step;
    uint64_t turn; /* see solver.h */
    size_t count;
    double *mass; /* [count] */
    double (*position)[3], (*velocity)[3],
        (*acceleration)[3]; /* [count]; the latest acceleration */
    struct integrator_state integrator;
    /* If the arrays are NULL: gives some of the bodies, for simulations whose bodies ranks share.
     */
    enum status (*give)(void *user, enum simulation_rows kind, size_t first, size_t count,
                        double *out);
    void *giver;
};

/* Room for `count` bodies; all else zero. STATUS_RUNTIME when they do not fit in memory. */
enum status simulation_state_create(size_t count, struct simulation_state *out);
void simulation_state_free(struct simulation_state *state); /* accepts a zeroed one */

/* STATUS_USAGE when it cannot be the state of these bodies: another number of them, other masses, a
 * number that is not finite. Does not compare the masses of shared bodies,
 * nor check numbers that a function gives. */
enum status simulation_state_check(const struct simulation_state *state,
                                   const struct bodies *bodies);
enum status simulation_state_other_masses(void); /* the failure for other masses */
/* The check of some numbers. */
enum status simulation_state_check_finite(size_t count, const double *numbers);
/* The array of a kind. */
double *simulation_state_rows(const struct simulation_state *state, enum simulation_rows kind);

/* The last frames of all bodies, from which look.trails draws their paths: an entry per frame, so
 * that a view depends only on its frame. Checkpoints include them. */

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
