/* Between the files of the simulation only: what a run consists of. */
#ifndef SIM_SIMULATION_RUN_H
#define SIM_SIMULATION_RUN_H

#include "sim/integrators/adaptive.h"
#include "sim/frame_clock.h"
#include "sim/simulation.h"

struct simulation {
    struct solver *solver;
    const struct integrator *integrator;
    struct bodies *bodies; /* masses and components, and room for diagnostics */
    double damping;        /* a step of dt */
    struct frame_clock clock;
    struct adaptive adaptive; /* eta 0: every step is the clock's */
    uint64_t step, frame;
    struct simulation_observer observer;
    struct energy_history *energy; /* NULL: not kept */
};

#endif
