/* The operations of a CUDA solver on its state, apart from forces: one launch each. The rules of
 * the launchers in pairs.h hold. State is [count][3] double; rows are x y z m in numbers of
 * `number` bytes: sizeof(float) or sizeof(double). Products and sums are rounded one by one, so
 * that the CPU can produce the same bits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* v += a dt */
int state_cuda_kick(size_t count, double *velocity, const double *acceleration, double dt,
                    void *stream);

/* v *= factor */
int state_cuda_damp(size_t count, double *velocity, double factor, void *stream);

/* First v += a kick and v += a second_kick, rounded as two separate kicks (0: no kick); then x += v
 * dt, and the rows' x y z are updated; dt = 0 only fills the rows. */
int state_cuda_drift(size_t count, double *position, double *velocity, const double *acceleration,
                     double kick, double second_kick, double dt, size_t number, void *rows,
                     void *stream);

/* The same for rows in float that are offsets from the centres of tiles (kernels/rows.h): row k is
 * body order[k] < count, and centres[3 * tiles] are computed from the chosen rows as in
 * sim/solver/tiles.h. */
int state_cuda_drift_tiled(size_t count, const unsigned char *chosen, double *position,
                           double *velocity, const double *acceleration, double kick,
                           double second_kick, double dt, const unsigned *order, double *centres,
                           float *rows, void *stream);

/* part[0 .. ceil(count / subset) - 1]: rows first, first + subset, ..., with subset times their
 * mass; all zero beyond the last row. */
int state_cuda_part(size_t count, size_t number, const void *rows, size_t first, size_t subset,
                    void *part, void *stream);

/* The same for rows in float that are offsets from centres; the centres of the part's tiles are set
 * to those that tiles_of_part (sim/solver/tiles.h) names. */
int state_cuda_part_tiled(size_t count, const float *rows, const double *centres, size_t first,
                          size_t subset, float *part, double *part_centres, void *stream);

/* The same for one number per row; the part's rows beyond the last source are left unchanged. */
int state_cuda_part_halves(size_t count, size_t number, const void *halves, size_t first,
                           size_t subset, void *part, void *stream);

/* *square: the largest square of an acceleration. */
int state_cuda_largest(size_t count, const double *acceleration, double *square, void *stream);

/* The arrays of a view, in float: x y z m, vx vy vz 0 and, unless view_acceleration is NULL, |a|.
 * Only masses are read from the rows; row k is body order[k], or k if order is NULL. */
int state_cuda_view(size_t count, size_t number, const void *rows, const unsigned *order,
                    const double *position, const double *velocity, const double *acceleration,
                    float *view_position, float *view_velocity, float *view_acceleration,
                    void *stream);

/* sample[0 .. ceil(count / stride) - 1]: every stride-th row of a view's positions; may lie in
 * page-locked host memory. */
int state_cuda_sample(size_t count, size_t stride, const float *view_position, float *sample,
                      void *stream);

/* rows[count][8]: position and velocity of the bodies with these numbers; both may lie in
 * page-locked host memory. */
int state_cuda_pick(size_t count, const uint64_t *numbers, const float *view_position,
                    const float *view_velocity, float *rows, void *stream);

/* *body: the first body with a position or velocity that is not finite, UINT_MAX if all are
 * finite. */
int state_cuda_find_broken(size_t count, const double *position, const double *velocity,
                           unsigned *body, void *stream);

#ifdef __cplusplus
}
#endif

/* Steps per body on a CUDA device (sim/solver/solver.h explains rungs): choosing the rung of each
 * body, and kicks of the bodies whose step begins or ends. One launch each; the rules of the
 * launchers in pairs.h hold. Arithmetic is in double and rounded as on the CPU, so that both choose
 * the same rungs. rungs: [count]. */

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNGS_CUDA_MOST = 31 };

struct rungs_cuda_rule {
    double eta, frame_time;
    double softening; /* for bodies without halves */
    int most;         /* rungs 0 to most - 1, at most RUNGS_CUDA_MOST; the value `most`: no rung is
                       * short enough */
};

/* Chooses new rungs, none below `from`, for the bodies from rung `from` on. halves: eps^2 / 2 per
 * body, or NULL. counts [most + 1]: the number of those bodies on each new rung. */
int rungs_cuda_choose(size_t count, const struct rungs_cuda_rule *rule, const double *acceleration,
                      const double *halves, int from, uint8_t *rungs, uint64_t *counts,
                      void *stream);

/* v += a T / 2^rung / 2 for the bodies from rung `from` on. */
int rungs_cuda_kick_half(size_t count, double *velocity, const double *acceleration,
                         double frame_time, const uint8_t *rungs, int from, void *stream);

#ifdef __cplusplus
}
#endif
