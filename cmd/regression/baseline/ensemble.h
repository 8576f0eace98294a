/* Measures how far round-off moves a film's bodies: runs the same physics several times, without
 * pictures, from positions that differ by a relative 1e-14, or by 1e-7 where the force is in single
 * precision, which would round 1e-14 away. Two correct programs may later differ by about as
 * much. */
#pragma once

#include "cmd/regression/record/record.h"
#include "scenes/scene.h"

#include <signal.h>

enum { ENSEMBLE_MEMBERS_MOST = 64 };

struct ensemble {
    uint32_t members; /* 0: it was not made */
    double perturbation;
    uint64_t count; /* frames */
    /* Arrays of [count], relative to the film itself: the largest RMS distance of a member's
     * bodies, and the relative standard deviation over the members of the energy and of the
     * half-mass radius. */
    double *distance, *energy, *half_mass;
};

void ensemble_create(struct ensemble *out, uint32_t members, uint64_t count);
void ensemble_free(struct ensemble *ensemble); /* accepts a zeroed one */

/* Runs `members` films of the scene's first simulation, without pictures, and measures them at the
 * record's frames, each of which has a sketch and diagnostics in the record. Returns
 * STATUS_MISMATCH when the last states of two members, or of a member and the film, are equal: the
 * perturbation then never reached them, and the ensemble would measure nothing. Free in every
 * case. */
enum status ensemble_make(struct ensemble *out, uint32_t members, const struct scene *scene,
                          const char *backend, int device, const struct record *record,
                          volatile sig_atomic_t *stop);
