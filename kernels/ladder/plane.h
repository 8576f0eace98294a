/* Gravity in a plane with an activity map: the problem of "N-Body Simulation - CUDA Optimizations"
 * (Bondarenko), whose steps of optimization are the rungs of plane_cpu.h and plane_cuda.h.
 *
 * One iteration: accelerations a_i = sum_j m_j d / (|d|^2 + eps^2)^(3/2) with d = p_j - p_i and
 * G = 1; semi-implicit Euler, v += a dt and p += v dt; and the activity map, which counts the
 * bodies of each of PLANE_SIDE x PLANE_SIDE cells over a fixed window. Bodies outside the window
 * are not counted. The window is square, centred, and its half width a power of two, so that a body
 * is put in its cell without rounding and counts can be compared exactly.
 *
 * As in rung.h a rung is a const table entry; it works on memory that the caller prepares and
 * fills (host memory for a CPU rung, device memory for a CUDA rung) and never allocates or waits.
 * Thread-safe as long as runs do not share memory. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLANE_SIDE = 256, PLANE_CELLS = PLANE_SIDE * PLANE_SIDE, PLANE_REASON = 192 };

struct plane_body {
    float x, y, vx, vy, mass;
};

struct plane {
    size_t count;
    float softening, dt;
    float half; /* half width of the window, a power of two */
};

/* One array per attribute, [count] each. */
struct plane_arrays {
    float *x, *y, *vx, *vy;
};

/* A rung reads and writes what its layout names; the rest may be NULL. No padding is needed. */
struct plane_memory {
    struct plane_body *bodies;  /* PLANE_STRUCTURES */
    struct plane_arrays now[2]; /* PLANE_ARRAYS; the second is for a rung with two buffers */
    float *mass;                /* PLANE_ARRAYS */
    float *acceleration;        /* [2][count], all x and then all y: scratch memory */
    unsigned *map;              /* [PLANE_CELLS], row by row from low y */
};

enum plane_layout { PLANE_STRUCTURES, PLANE_ARRAYS };

struct plane_rung {
    const char *name; /* "+ compute" */
    const char *idea; /* what is new compared with the previous rung, in one line */
    enum plane_layout layout;
    int buffers;      /* 2: turn t reads the state from now[t % 2] and writes it to the other */
    double tolerance; /* largest correct relative RMS error of an iteration */
    /* One iteration. Returns 0, or a cudaError_t of the launch. `stream` is a cudaStream_t, NULL
     * for a CPU rung. `turn` counts the iterations from 0. */
    int (*launch)(const struct plane *plane, const struct plane_memory *memory, unsigned turn,
                  void *stream);
};

/* ---- the benchmark problem and its reference results ---- */

/* A cold disk of total mass near 1 inside a window of half width 1; the same bodies for the same
 * count. */
struct plane plane_example(size_t count);
void plane_bodies(size_t count, struct plane_body *bodies);

/* Acceleration of body i in double. */
void plane_reference(const struct plane *plane, const struct plane_body *bodies, size_t i,
                     double acceleration[2]);

/* Computes the map of the bodies' positions by comparing them with the cell borders. */
void plane_reference_map(const struct plane *plane, const struct plane_body *bodies, unsigned *map);

/* Checks one iteration from `before` to `after` against the double reference: all bodies up to
 * 2,048, above that a sample that includes the last 256. *error is the relative RMS error of the
 * change of velocity. Returns 0, with a clause in reason[PLANE_REASON], if the error exceeds
 * `tolerance`, if a position does not follow from its velocity, or if any count of the map is
 * wrong. */
int plane_check(const struct plane *plane, const struct plane_body *before,
                const struct plane_body *after, const unsigned *map, double tolerance,
                double *error, char *reason);

#ifdef __cplusplus
}
#endif
