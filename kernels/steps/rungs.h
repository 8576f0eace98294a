/* Steps per body on a CUDA device (sim/solver/rungs.h says what rungs are): who needs which, and
 * kicks of those whose step begins or ends. One launch each; the rules of the launchers in pairs.h
 * hold. Arithmetic is in double and rounded as on the CPU, so that both choose the same rungs.
 * rungs: [count]. */
#ifndef KERNELS_STEPS_RUNGS_H
#define KERNELS_STEPS_RUNGS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { RUNGS_CUDA_MOST = 31 };

struct rungs_cuda_rule {
    double eta, frame_time;
    double softening; /* of bodies without halves */
    int most;         /* rungs 0 to most - 1, at most RUNGS_CUDA_MOST; most: there is none */
};

/* New rungs for the bodies from rung `from` on, none below it. halves: eps^2 / 2 per body, or NULL.
 * counts [most + 1]: those bodies by their new rung. */
int rungs_cuda_choose(size_t count, const struct rungs_cuda_rule *rule, const double *acceleration,
                      const double *halves, int from, uint8_t *rungs, uint64_t *counts,
                      void *stream);

/* v += a T / 2^rung / 2 of the bodies from rung `from` on. */
int rungs_cuda_kick_half(size_t count, double *velocity, const double *acceleration,
                         double frame_time, const uint8_t *rungs, int from, void *stream);

#ifdef __cplusplus
}
#endif

#endif
