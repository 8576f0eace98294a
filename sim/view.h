/* One frame of the simulation as the renderer needs it: float positions and velocities, in host
 * memory or on a CUDA device. A view belongs to the solver that made it; it is written by the
 * simulation thread, then read by the drawing thread, never both at once (queues hand it over). */
#ifndef SIM_VIEW_H
#define SIM_VIEW_H

#include <stddef.h>
#include <stdint.h>

/* How many views of a simulation a film uses at once: one being filled, one being drawn, the others
 * waiting. A solver plans the memory of its device for that many. */
enum { VIEWS_IN_FLIGHT = 4 };

enum view_memory { VIEW_HOST, VIEW_CUDA };

/* A sample for those who look at the bodies themselves: every stride-th body, at most this many.
 * They are the same bodies in every view of the same count. */
enum { VIEW_SAMPLE_MOST = 16384 };

static inline size_t view_sample_stride(size_t count)
{
    return count > VIEW_SAMPLE_MOST ? (count + VIEW_SAMPLE_MOST - 1) / VIEW_SAMPLE_MOST : 1;
}

/* The energies of all bodies at one moment, in the scene's units. */
struct energy_point {
    double time, kinetic, potential;
};

/* The acceleration of a body that is not there for the time being, and not drawn. */
#define VIEW_ABSENT 1e30f

/* All bodies in the last frames, oldest first, the last of them the view's own. */
struct view_trail {
    size_t bodies, frames, room; /* frames <= room */
    double *time;                /* [frames] simulated */
    float (*rows)[8];            /* [frames][bodies]: of view.position and of view.velocity */
};

struct view {
    enum view_memory memory;
    int device; /* CUDA device ordinal, -1 in host memory */
    size_t count;
    float *position; /* [count][4]: x y z mass, 16-byte aligned */
    float *velocity; /* [count][4]: vx vy vz and the size of the acceleration; VIEW_ABSENT or more:
                        the body is not drawn */
    /* [count]: distance to the k-th nearest other drawn body, INFINITY where there are not so many
     * and for a body that is not drawn; in `memory`. NULL unless asked for, see
     * simulation_near_views, and where no body is drawn. */
    float *near;
    /* [count], right behind near: the dispersion of the velocities of a body and of the drawn ones
     * that are nearer than its `near`, along one axis: the root of a third of the mean square of
     * what they differ by from their mean. 0 for a body that is not drawn. NULL unless asked for.
     */
    float *dispersion;
    /* On a device: the sample's positions [ceil(count / stride)][4] in host memory, and behind them
     * its velocities; NULL unless asked for, see simulation_sample_views. In host memory the sample
     * is read from position and velocity. */
    float *sample;
    double time;     /* simulated */
    double interval; /* simulated time from this frame to the next */
    uint64_t step, frame;
    struct view *next; /* the same frame of the next panel's simulation, or NULL */
    /* The film so far, oldest first; NULL unless it is recorded. Entries below energy_count never
     * change; they belong to the simulation, which appends behind them. */
    const struct energy_point *energy;
    size_t energy_count;
    struct view_trail *trail; /* NULL unless asked for, see simulation_keep_trail */
};

/* x y z mass of body k * stride. The view has a sample, or lies in host memory. */
static inline const float *view_sample_row(const struct view *view, size_t k)
{
    return view->memory == VIEW_HOST ? view->position + 4 * k * view_sample_stride(view->count)
                                     : view->sample + 4 * k;
}

/* vx vy vz and the size of the acceleration of the same body. */
static inline const float *view_sample_velocity(const struct view *view, size_t k)
{
    const size_t stride = view_sample_stride(view->count);
    return view->memory == VIEW_HOST ? view->velocity + 4 * k * stride
                                     : view->sample + 4 * ((view->count + stride - 1) / stride + k);
}

#endif
