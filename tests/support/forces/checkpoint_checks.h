/* Checks of checkpoints for every backend, as functions of a backend's name. */
#pragma once

#include "sim/checkpoint/checkpoint.h"
#include "sim/view.h"

#include <stddef.h>
#include <stdint.h>

/* How a run is made; 0 and NULL: the default. */
struct run_kind {
    const char *force, *integrator;
    double adaptive, damping;
    uint32_t subset;
    size_t count;
};

/* Every integrator, force mode, adaptive and subset; ends with a zeroed one. */
extern const struct run_kind run_kinds[];

/* Copies an array of a view to host memory. */
typedef void (*fetch_floats)(float *out, const float *from, size_t floats);

/* Takes a checkpoint and stores it. */
static inline enum status checkpoint_write(const char *path, struct simulation *const *simulations,
                                           size_t count, const char *scene)
{
    struct checkpoint *checkpoint;
    enum status status = checkpoint_take(simulations, count, &checkpoint);
    if (status == STATUS_OK)
        status = checkpoint_store(checkpoint, path, scene, "", false);
    checkpoint_free(&checkpoint);
    return status;
}

/* A run of six frames gives the same views and states, bit for bit, if a checkpoint is written at
 * its third and another simulation continues from that file in the folder. */
void check_continues(const char *backend, const struct run_kind *kind, const char *folder,
                     fetch_floats fetch);
