/* One frame of the simulation as the renderer needs it: float positions and velocities, in host
 * memory or on a CUDA device. A view belongs to the solver that made it; it is written by the
 * simulation thread, then read by the drawing thread, never both at once (queues hand it over). */
#ifndef SIM_VIEW_H
#define SIM_VIEW_H

#include <stddef.h>
#include <stdint.h>

enum view_memory { VIEW_HOST, VIEW_CUDA };

/* The energies of all bodies at one moment, in the scene's units. */
struct energy_point {
    double time, kinetic, potential;
};

struct view {
    enum view_memory memory;
    int device; /* CUDA device ordinal, -1 in host memory */
    size_t count;
    float *position; /* [count][4]: x y z mass, 16-byte aligned */
    float *velocity; /* [count][4]: vx vy vz and the size of the acceleration */
    double time;     /* simulated */
    uint64_t step, frame;
    struct view *next; /* the same frame of the next panel's simulation, or NULL */
    /* The film so far, oldest first; NULL unless it is recorded. Entries below energy_count never
     * change and belong to the simulation, which appends behind them meanwhile. */
    const struct energy_point *energy;
    size_t energy_count;
};

#endif
