/* When each frame of a film is, in simulated time: even steps, or slow motion around some moments.
 *
 * Frame f is the state at time t with F(t) = f, where
 *
 *     dF/dt = s(t) / (steps_per_frame dt),   s(t) = 1 + sum_k (factor_k - 1) b((t - at_k) / h_k),
 *     b(u) = (1 - u^2)^3 for |u| < 1, else 0,   h_k = span_k / 2.
 *
 * s is twice continuously differentiable, factor_k at the moment itself and 1 outside its span;
 * where spans overlap, what they add to 1 adds up. F is a piecewise polynomial and is inverted to
 * the last bits, frame by frame, so that no rounding accumulates. A frame is made of equal steps:
 * steps_per_frame of them outside all spans, within one as few as dt allows, so that slow motion
 * makes frames and hardly any steps.
 *
 * From a frame on time may stand still: all later ones show the state of that one.
 *
 * A plain value; pure functions; thread-safe. The same bits on every machine. */
#ifndef SIM_FRAME_CLOCK_H
#define SIM_FRAME_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_CLOCK_SLOW_MAX = 16 };

struct slow_motion {
    double at, factor, span; /* simulated time; factor >= 1; span > 0, from its first to its last */
};

struct frame_clock {
    double dt; /* > 0 where there is slow motion */
    uint64_t steps_per_frame;
    size_t slow_count; /* <= FRAME_CLOCK_SLOW_MAX; 0: frame f is at f steps_per_frame dt */
    struct slow_motion slow[FRAME_CLOCK_SLOW_MAX];
    bool freezes;
    uint64_t freeze_frame; /* from which time stands still, if it does */
};

/* The frame whose state this one shows: itself, or the one from which time stands still. */
uint64_t frame_clock_shown(const struct frame_clock *clock, uint64_t frame);

/* Simulated time of a frame; frame 0 is at 0. */
double frame_clock_time(const struct frame_clock *clock, uint64_t frame);

/* Simulated time from this frame to the next; 0 where time stands still. */
double frame_clock_duration(const struct frame_clock *clock, uint64_t frame);

/* How many steps that takes: 0 where time stands still. */
uint64_t frame_clock_steps(const struct frame_clock *clock, uint64_t frame);

/* Their length: dt itself outside all spans, within one at most dt. */
double frame_clock_step(const struct frame_clock *clock, uint64_t frame);

/* Steps from frame 0 to this one; takes a time that grows with the frames of slow motion before it.
 */
uint64_t frame_clock_steps_before(const struct frame_clock *clock, uint64_t frame);

/* F(t): which frame shows this time, with a fraction between two; also before 0, and after time
 * stands still as if it went on. */
double frame_clock_frame(const struct frame_clock *clock, double time);

/* s(t): how many times slower than without slow motion time passes; >= 1. */
double frame_clock_slowness(const struct frame_clock *clock, double time);

#endif
