/* Snapshots written during a film, at the first frame at or after each multiple of a simulated
 * time. */
#pragma once

#include "cmd/film/snapshots/snapshots.h"
#include "scenes/scene.h"
#include "sim/simulation.h"

struct beside;

struct beside_params {
    struct snapshot_names names;
    double every;
    const struct scene *scene;
    struct simulation *simulation; /* at the frame from which the run continues */
    double end;                    /* simulated time of the run's last frame */
    bool resumed, overwrite;
};

/* STATUS_USAGE if a file of the series exists, unless the run is resumed, which keeps existing
 * ones. Writes frame 0 immediately, the others while the simulation advances, on its thread. Params
 * are copied; what they point to must outlive it. */
enum status beside_open(struct beside **out, const struct beside_params *params);

/* Accepts a pointer to NULL. */
void beside_close(struct beside **beside);
