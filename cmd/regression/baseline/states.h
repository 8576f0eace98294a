/* What the renderer is given of one frame, kept: the views of all simulations in host memory, and
 * the renderer's state before that frame. With it a new renderer draws an old film's frame,
 * whatever became of the physics. Used by one thread at a time. */
#ifndef CMD_REGRESSION_BASELINE_STATES_H
#define CMD_REGRESSION_BASELINE_STATES_H

#include "render/draw.h"
#include "render/renderer.h"
#include "sim/bodies/bodies.h"
#include "sim/simulation.h"

struct state {
    uint64_t frame;
    double renderer[RENDERER_STATE];
    int simulations;              /* 0: nothing is kept */
    struct view view[PANELS_MAX]; /* each leads to the next; their memory is owned */
    /* [count of the first view]: masses, positions and velocities of the first simulation, in the
     * precision of the simulation; NULL where only the views were kept, and masses alone in states
     * that an older program stored. */
    double *mass, (*position)[3], (*velocity)[3];
};

/* Copies the present frame of the simulations; `exact` also keeps the first one's doubles. All but
 * `renderer` is filled. STATUS_RUNTIME when memory is short. Free in every case. */
enum status state_take(struct state *out, struct simulation *const *simulations, int count,
                       bool exact);
void state_free(struct state *state); /* accepts a zeroed one */

/* The caller frees *data. */
enum status state_pack(const struct state *state, void **data, size_t *size);
/* STATUS_IO when it is not such a state. Free in every case. */
enum status state_unpack(const void *data, size_t size, struct state *out);

#endif
