/* Rungs: the step length of a body. A frame of length T is divided into 2^RUNG_MOST ticks; a step
 * on rung k has the length T / 2^k and begins at a multiple of its length. A step may be at most
 * eta sqrt(eps / a) long (C. Power et al., MNRAS 338:14, 2003; V. Springel, MNRAS 364:1105, 2005,
 * eq. 34). */
#pragma once

#include <stdint.h>

enum { RUNG_MOST = 20, RUNGS = RUNG_MOST + 1 };

struct rung_rule {
    double eta, frame_time; /* frame_time may be negative */
};

/* The lowest rung that an acceleration of this magnitude allows; RUNGS: no rung is short enough. 0
 * if it is not finite: the caller that advances the body checks for that. */
int rung_for(const struct rung_rule *rule, double softening, double acceleration);

/* The rung of the longest step that may begin at a tick of a frame. A step of rung k that began
 * earlier ends at this tick if k is at least the returned rung. */
int rung_at(uint64_t tick);

/* The number of ticks in a step. */
static inline uint64_t rung_ticks(int rung)
{
    return (uint64_t)1 << (RUNG_MOST - rung);
}
