/* Rungs: how short the step of a body is. A frame of length T is divided into 2^RUNG_MOST ticks; a
 * step on rung k has the length T / 2^k and begins at a multiple of itself. A step may be at most
 * eta sqrt(eps / a) long (C. Power et al., MNRAS 338:14, 2003; V. Springel, MNRAS 364:1105, 2005,
 * eq. 34). */
#ifndef SIM_SOLVER_RUNGS_H
#define SIM_SOLVER_RUNGS_H

#include <stdint.h>

enum { RUNG_MOST = 20, RUNGS = RUNG_MOST + 1 };

struct rung_rule {
    double eta, frame_time; /* frame_time may be negative */
};

/* The least rung that an acceleration of this size allows; RUNGS: there is none. 0 where it is not
 * finite: whoever advances the body checks that. */
int rung_for(const struct rung_rule *rule, double softening, double acceleration);

/* The rung of the longest step that may begin at a tick of a frame. A step of rung k that began
 * earlier ends there if k is at least this. */
int rung_at(uint64_t tick);

/* Ticks of a step. */
static inline uint64_t rung_ticks(int rung)
{
    return (uint64_t)1 << (RUNG_MOST - rung);
}

#endif
