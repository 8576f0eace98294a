/* Steps per body on a CUDA device (sim/solver/rungs.h explains rungs): choosing the rung of each
 * body, and kicks of the bodies whose step begins or ends. One launch each; the rules of the
 * launchers in pairs.h hold. Arithmetic is in double and rounded as on the CPU, so that both choose
 * the same rungs. rungs: [count]. */
#pragma once

#include <stddef.h>
#include <stdint.h>

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
