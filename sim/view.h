/* One frame of the simulation for the renderer: float positions, velocities and requested columns,
 * in host memory or on a CUDA device. A view belongs to the simulation that made it; the simulation
 * thread writes it, then the drawing thread reads it, never both at once (queues pass it on). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* How many views of a simulation a film uses at once: one being filled, one being copied for
 * drawing, the others waiting. A solver reserves device memory for this number. Many bodies, whose
 * frames take long, have one view: it has long been copied when it is filled again. */
enum { VIEWS_IN_FLIGHT = 3, VIEWS_LEAST = 1 };

static inline int views_in_flight(size_t bodies)
{
    return bodies < (size_t)1 << 22 ? VIEWS_IN_FLIGHT : VIEWS_LEAST;
}

enum view_memory { VIEW_HOST, VIEW_CUDA };

/* The memory that views lie in. */
struct view_place {
    enum view_memory memory;
    int device; /* number of the CUDA device, -1 in host memory; there, of a run, that of the device
                 * that would simulate */
};

/* A sample for those who look at the bodies themselves: every stride-th body, at most this many.
 * They are the same bodies in every view of the same count. */
enum { VIEW_SAMPLE_MOST = 16384 };

static inline size_t view_sample_stride(size_t count)
{
    return count > VIEW_SAMPLE_MOST ? (count + VIEW_SAMPLE_MOST - 1) / VIEW_SAMPLE_MOST : 1;
}

/* Bodies that are close together in a view's order. */
enum { VIEW_BLOCK = 2048 };

/* The energies of all bodies at one moment, in the scene's units. */
struct energy_point {
    double time, kinetic, potential;
};

/* Single bodies whose motion is wanted in host memory (simulation_watch). */
enum { VIEW_FOLLOWED_MAX = 10 };

enum { VIEW_COLUMNS_MAX = 8 };

/* One number per body, other than position, mass and velocity. */
struct view_column {
    const char *name;
    enum view_memory memory; /* the view's device, or host memory even if the view is on a device */
    bool constant;           /* the same values in all views of the simulation */
    float *value;            /* [count] */
};

/* Columns that a simulation computes for each view if requested (simulation_ask_columns). The
 * distance to the k-th nearest other drawn body, INFINITY if there are fewer and for bodies that
 * are not drawn. */
#define COLUMN_DISTANCE "neighbour_distance"
/* The one-dimensional velocity dispersion of a body and the drawn bodies within that distance,
 * sqrt(<|v - <v>|^2> / 3); 0 for bodies that are not drawn. */
#define COLUMN_DISPERSION "velocity_dispersion"
/* The magnitude of the acceleration. */
#define COLUMN_ACCELERATION "acceleration"
/* 1 for a body that the snapshots around the current time lack and that is therefore not drawn,
 * otherwise 0. */
#define COLUMN_ABSENT "absent"

/* All bodies in the last frames, oldest first; the last frame is the view's own. */
struct view_trail {
    size_t bodies, frames, room; /* frames <= room */
    double *time;                /* [frames] simulated */
    /* [frames][bodies]: rows of view.position and view.velocity; the last number is 1 if the body
     * was absent. */
    float (*rows)[8];
};

struct view {
    enum view_memory memory;
    int device;  /* CUDA device ordinal, -1 in host memory */
    void *ready; /* a CUDA event after which the columns are complete; NULL: they are complete */
    size_t count;
    float *position; /* [count][4]: x y z mass, 16-byte aligned */
    float *velocity; /* [count][4]: vx vy vz 0 */
    struct view_column columns[VIEW_COLUMNS_MAX];
    int column_count;
    /* The bodies of each drawn component in an order in which any VIEW_BLOCK of them, counted from
     * its first, are close together, but successive ones among these are not: a permutation of
     * 0 .. count - 1 that maps each of these components to itself. In the memory of position; NULL:
     * the view has none. Drawing is faster with it and gives the same bits. */
    uint32_t *order;
    /* With an order, and in the same memory: position, velocity and COLUMN_DISTANCE of body
     * order[i] at place i, for bodies that are drawn. */
    struct view_along {
        float *position, *velocity, *distance;
    } along;
    /* For a view on a device: positions of the sample [ceil(count / stride)][4] in host memory,
     * followed by velocities; NULL unless requested, see simulation_sample_views. For a view in
     * host memory the sample is read from position and velocity. */
    float *sample;
    /* For a view of one process's share of the bodies: the same kind of sample, but of all bodies,
     * in host memory, and the number of all bodies; set by whoever makes the view. NULL: the view
     * has all bodies. */
    float *whole_sample;
    size_t whole;
    /* x y z mass, vx vy vz and 1 if it was absent, of the bodies of simulation_follow, also if
     * ranks share them; set by whoever makes the view. */
    float followed[VIEW_FOLLOWED_MAX][8];
    /* The same of those bodies and, from VIEW_FOLLOWED_MAX on, of simulation_watch, in host memory.
     * NULL: none. */
    float (*watched)[8];
    size_t watched_count;
    double time;     /* simulated */
    double interval; /* simulated time from this frame to the next */
    uint64_t step, frame;
    struct view *next; /* the same frame of the next panel's simulation, or NULL */
    /* The film so far, oldest first; NULL unless it is recorded. Entries below energy_count never
     * change; they belong to the simulation, which appends after them. */
    const struct energy_point *energy;
    size_t energy_count;
    struct view_trail *trail; /* NULL unless requested, see simulation_keep_trail */
};

/* x y z mass of body k * stride. The view must have a sample, or be in host memory. */
static inline const float *view_sample_row(const struct view *view, size_t k)
{
    return view->memory == VIEW_HOST ? view->position + 4 * k * view_sample_stride(view->count)
                                     : view->sample + 4 * k;
}

/* vx vy vz of the same body. */
static inline const float *view_sample_velocity(const struct view *view, size_t k)
{
    const size_t stride = view_sample_stride(view->count);
    return view->memory == VIEW_HOST ? view->velocity + 4 * k * stride
                                     : view->sample + 4 * ((view->count + stride - 1) / stride + k);
}

/* Names of columns, all distinct. */
struct column_names {
    const char *list[VIEW_COLUMNS_MAX];
    int count;
};

/* The index of a name; -1: it is not there. */
static inline int column_names_find(const struct column_names *names, const char *name)
{
    for (int k = 0; k < names->count; k++)
        if (strcmp(names->list[k], name) == 0)
            return k;
    return -1;
}

static inline bool column_names_have(const struct column_names *names, const char *name)
{
    return column_names_find(names, name) >= 0;
}

/* Adds a name unless it is already there. */
static inline void column_names_add(struct column_names *names, const char *name)
{
    if (!column_names_have(names, name))
        names->list[names->count++] = name;
}

/* The column with that name; NULL: none. */
static inline const struct view_column *view_column(const struct view *view, const char *name)
{
    for (int i = 0; i < view->column_count; i++)
        if (strcmp(view->columns[i].name, name) == 0)
            return &view->columns[i];
    return NULL;
}

/* Its values, for filling; NULL likewise. */
static inline float *view_values(const struct view *view, const char *name)
{
    const struct view_column *column = view_column(view, name);
    return column ? column->value : NULL;
}
