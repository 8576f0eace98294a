/* Checks of the force modes, as functions of a backend's name and path (see solver_params.kernel).
 */
#pragma once

#include "kernels/pairs/force_cpu.h"
#include "sim/simulation.h"

#include <stdbool.h>

/* Bodies from integer arithmetic alone, so that they have the same bits everywhere; unequal masses,
 * some of them 0. */
struct bodies *cube_make(size_t count, uint64_t seed);

struct solver *mode_open(const char *backend, const char *path, const char *mode, uint32_t subset,
                         const struct bodies *bodies, double softening);

/* Hash of positions, velocities, accelerations and potential energy after steps of the leapfrog. */
uint64_t state_hash(const char *backend, const char *path, const char *mode, uint32_t subset,
                    size_t count, int steps);

/* The same for given bodies, which have their last state afterwards. */
uint64_t hash_of_run(const char *backend, const char *path, const char *mode, uint32_t subset,
                  struct bodies *bodies, int steps);

/* Accelerations (to `got`) and potential energy within `limit`, relative, of what they must be.
 * Returns the potential energy that `phi` gives. */
double check_against(struct solver *solver, const struct bodies *bodies, const double (*want)[3],
                     const double *phi, double limit, double (*got)[3]);

/* Accelerations and potential against the double reference of bodies that single precision can
 * hold.
 */
void check_mode_accuracy(const char *backend, const char *path, const char *mode, size_t count,
                         double limit);

/* The mean over `subset` evaluations is the evaluation with all sources. */
void check_subset(const char *backend, const char *mode, double limit);
void check_subset_of(const char *backend, const char *mode, double limit,
                     const struct bodies *bodies);

/* The hashes that every device must give, each from a function such as state_hash. */
struct known_hash {
    size_t count;
    int steps;
    uint32_t subset;
    uint64_t hash;
};
typedef uint64_t (*hash_of)(const char *backend, const char *path, const char *mode,
                            uint32_t subset, size_t count, int steps);

/* Errors stay within those of the arithmetic for two spheres far apart, wherever the origin is, and
 * for one body 1e8 times heavier than the others. */
void check_origin(const char *backend, const char *path, const char *mode, size_t count);

void check_known_hashes(const char *backend, const char *path, const char *mode, hash_of hash,
                        const struct known_hash *known, size_t known_count);

/* Those of `exact`. */
void check_exact_everywhere(const char *backend, const char *path);

/* One step of each operation of the integrators, by hand; keep and restore. */
void check_verbs(const char *backend);

/* Halving the step divides the energy error by 2^order; forward and back ends where it began. */
void check_integrators(const char *backend);

/* Adaptive steps on an eccentric orbit: frames on time, energy held, the same bits twice. */
void check_adaptive(const char *backend, uint64_t frames);

/* The narrowest instruction set that is built. */
const struct force_cpu *least_cpu(void);

/* Runs the check on every instruction set that this processor has, with one thread and with two. */
void on_cpu_paths(void (*check)(const char *backend, const char *path));
