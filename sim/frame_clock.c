#include "sim/frame_clock.h"

#include <math.h>
enum { ITERATIONS_MAX = 200 };

/* b and its integral from -1. */
static double bump(double u)
{
    double rest = 1 - u * u;
    return rest > 0 ? rest * rest * rest : 0;
}

static double bump_integral(double u)
{
    if (u <= -1)
        return 0;
    if (u >= 1)
        return 32.0 / 35;
    double square = u * u;
    return 16.0 / 35 + u * (1 - square * (1 - square * (3.0 / 5 - square / 7)));
}

static double even_time(const struct frame_clock *clock, uint64_t frame)
{
    return (double)(frame * clock->steps_per_frame) * clock->dt;
}

double frame_clock_slowness(const struct frame_clock *clock, double time)
{
    double slowness = 1;
    for (size_t k = 0; k < clock->slow_count; k++) {
        const struct slow_motion *slow = &clock->slow[k];
        slowness += (slow->factor - 1) * bump((time - slow->at) / (slow->span / 2));
    }
    return slowness;
}

/* The time at which an even film has reached the same frame. */
static double stretched(const struct frame_clock *clock, double time)
{
    double sum = time;
    for (size_t k = 0; k < clock->slow_count; k++) {
        const struct slow_motion *slow = &clock->slow[k];
        double half = slow->span / 2;
        sum += (slow->factor - 1) * half *
               (bump_integral((time - slow->at) / half) - bump_integral(-slow->at / half));
    }
    return sum;
}

double frame_clock_frame(const struct frame_clock *clock, double time)
{
    return stretched(clock, time) / (clock->dt * (double)clock->steps_per_frame);
}

/* Whether slow motion overlaps the interval. */
static bool is_slow(const struct frame_clock *clock, double from, double to)
{
    for (size_t k = 0; k < clock->slow_count; k++) {
        const struct slow_motion *slow = &clock->slow[k];
        if (to > slow->at - slow->span / 2 && from < slow->at + slow->span / 2)
            return true;
    }
    return false;
}

uint64_t frame_clock_shown(const struct frame_clock *clock, uint64_t frame)
{
    return clock->freezes && frame > clock->freeze_frame ? clock->freeze_frame : frame;
}

double frame_clock_time(const struct frame_clock *clock, uint64_t frame)
{
    const double wanted = even_time(clock, frame_clock_shown(clock, frame));
    if (clock->slow_count == 0 || !is_slow(clock, 0, wanted))
        return wanted;
    /* Newton's method with bisection as a fallback. The bracket follows from s >= 1. */
    double low = 0, high = wanted, time = wanted;
    for (int i = 0; i < ITERATIONS_MAX && low < high; i++) {
        double excess = stretched(clock, time) - wanted;
        if (excess > 0)
            high = time;
        else
            low = time;
        double next = time - excess / frame_clock_slowness(clock, time);
        if (next <= low || next >= high)
            next = low + (high - low) / 2;
        if (next == time || fabs(next - time) <= 1e-16 * wanted)
            break;
        time = next;
    }
    return time;
}

static bool stands_still(const struct frame_clock *clock, uint64_t frame)
{
    return clock->freezes && frame >= clock->freeze_frame;
}

/* The duration of a frame outside all spans. */
static double even_duration(const struct frame_clock *clock)
{
    return clock->dt * (double)clock->steps_per_frame;
}

double frame_clock_duration(const struct frame_clock *clock, uint64_t frame)
{
    if (stands_still(clock, frame))
        return 0;
    if (clock->slow_count == 0)
        return even_duration(clock);
    const double from = frame_clock_time(clock, frame), to = frame_clock_time(clock, frame + 1);
    return is_slow(clock, from, to) ? to - from : even_duration(clock);
}

/* The smallest number of steps that dt allows for this duration. */
static uint64_t steps_for(const struct frame_clock *clock, double duration)
{
    if (duration == even_duration(clock))
        return clock->steps_per_frame;
    const double least = fmax(ceil(duration / clock->dt), 1);
    return (uint64_t)fmin(least, (double)clock->steps_per_frame);
}

uint64_t frame_clock_steps(const struct frame_clock *clock, uint64_t frame)
{
    return stands_still(clock, frame) ? 0 : steps_for(clock, frame_clock_duration(clock, frame));
}

double frame_clock_step(const struct frame_clock *clock, uint64_t frame)
{
    const double duration = frame_clock_duration(clock, frame);
    return duration == even_duration(clock) ? clock->dt
                                            : duration / (double)steps_for(clock, duration);
}

/* The frame of a time, at most `most`; `moved` shifts it by a fraction of a frame, so that rounding
 * does not matter. */
static uint64_t frame_near(const struct frame_clock *clock, double time, double moved,
                           uint64_t most)
{
    const double frame = floor(frame_clock_frame(clock, time)) + moved;
    return frame > 0 ? frame < (double)most ? (uint64_t)frame : most : 0;
}

uint64_t frame_clock_steps_before(const struct frame_clock *clock, uint64_t frame)
{
    const uint64_t shown = frame_clock_shown(clock, frame);
    double first = INFINITY, last = -INFINITY; /* of all spans */
    for (size_t k = 0; k < clock->slow_count; k++) {
        const struct slow_motion *slow = &clock->slow[k];
        first = fmin(first, slow->at - slow->span / 2);
        last = fmax(last, slow->at + slow->span / 2);
    }
    if (clock->slow_count == 0)
        return shown * clock->steps_per_frame;
    const uint64_t begin = frame_near(clock, first, -1, shown);
    const uint64_t end = frame_near(clock, last, 2, shown);
    uint64_t sum = (begin + (shown - end)) * clock->steps_per_frame;
    for (uint64_t f = begin; f < end; f++)
        sum += frame_clock_steps(clock, f);
    return sum;
}
