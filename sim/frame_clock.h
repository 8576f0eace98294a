/* The simulated time of each frame of a film: even steps, or slow motion around some moments.
 *
 * Frame f is the state at time t with F(t) = f, where
 *
 *         dF/dt = s(t) / (steps_per_frame dt),   s(t) = 1 + sum_k (factor_k - 1) b((t - at_k) /
 *     h_k),
 *         b(u) = (1 - u^2)^3 for |u| < 1, else 0,   h_k = span_k / 2.
 *
 * s is twice continuously differentiable, factor_k at the moment itself and 1 outside its span;
 * contributions of overlapping spans add up. F is a piecewise polynomial and is inverted to the
 * last bits, frame by frame, so that rounding does not accumulate. A frame consists of equal steps:
 * steps_per_frame outside all spans, and within a span as few as dt allows, so that slow motion
 * adds frames but hardly any steps.
 *
 * Time may stand still from some frame on: all later frames show the state of that frame.
 *
 * A plain value; pure functions; thread-safe. The same bits on every machine. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAME_CLOCK_SLOW_MAX = 16 };

struct slow_motion {
    double at, factor, span; /* at: simulated time; factor >= 1; span: full width, > 0 */
};

struct frame_clock {
    double dt; /* > 0 if there is slow motion */
    uint64_t steps_per_frame;
    size_t slow_count; /* <= FRAME_CLOCK_SLOW_MAX; 0: frame f is at f steps_per_frame dt */
    struct slow_motion slow[FRAME_CLOCK_SLOW_MAX];
    bool freezes;
    uint64_t freeze_frame; /* the frame from which time stands still, if it does */
};

/* The frame whose state is shown: the frame itself, or the one from which time stands still. */
uint64_t frame_clock_shown(const struct frame_clock *clock, uint64_t frame);

/* Simulated time of a frame; frame 0 is at 0. */
double frame_clock_time(const struct frame_clock *clock, uint64_t frame);

/* Simulated time from this frame to the next; 0 if time stands still. */
double frame_clock_duration(const struct frame_clock *clock, uint64_t frame);

/* Number of steps in that interval: 0 if time stands still. */
uint64_t frame_clock_steps(const struct frame_clock *clock, uint64_t frame);

/* Length of these steps: dt outside all spans, at most dt within one. */
double frame_clock_step(const struct frame_clock *clock, uint64_t frame);

/* Number of steps from frame 0 to this one; its cost grows with the number of slow-motion frames
 * before it. */
uint64_t frame_clock_steps_before(const struct frame_clock *clock, uint64_t frame);

/* F(t): the frame at this time, with a fraction between frames; also before 0, and ignoring that
 * time may stand still. */
double frame_clock_frame(const struct frame_clock *clock, double time);

/* s(t): the factor by which slow motion slows time down; >= 1. */
double frame_clock_slowness(const struct frame_clock *clock, double time);
