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

/* Time of an even film that has come to the same frame. */
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

/* Whether some slow motion falls between the two times. */
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
    /* Newton's method, and halving where it would leave the bracket: time passes at s >= 1. */
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

/* Whether time stands still or passes evenly from this frame to the next. */
static bool stands_still(const struct frame_clock *clock, uint64_t frame)
{
    return clock->freezes && frame >= clock->freeze_frame;
}

static bool is_even(const struct frame_clock *clock, uint64_t frame)
{
    return clock->slow_count == 0 ||
           !is_slow(clock, frame_clock_time(clock, frame), frame_clock_time(clock, frame + 1));
}

double frame_clock_duration(const struct frame_clock *clock, uint64_t frame)
{
    if (stands_still(clock, frame))
        return 0;
    return is_even(clock, frame)
               ? clock->dt * (double)clock->steps_per_frame
               : frame_clock_time(clock, frame + 1) - frame_clock_time(clock, frame);
}

uint64_t frame_clock_steps(const struct frame_clock *clock, uint64_t frame)
{
    if (stands_still(clock, frame))
        return 0;
    if (is_even(clock, frame))
        return clock->steps_per_frame;
    const double least = ceil(frame_clock_duration(clock, frame) / clock->dt);
    return least < 1                                ? 1
           : least > (double)clock->steps_per_frame ? clock->steps_per_frame
                                                    : (uint64_t)least;
}

double frame_clock_step(const struct frame_clock *clock, uint64_t frame)
{
    if (stands_still(clock, frame))
        return 0;
    if (is_even(clock, frame))
        return clock->dt;
    return frame_clock_duration(clock, frame) / (double)frame_clock_steps(clock, frame);
}

uint64_t frame_clock_steps_before(const struct frame_clock *clock, uint64_t frame)
{
    const uint64_t shown = frame_clock_shown(clock, frame);
    if (clock->slow_count == 0)
        return shown * clock->steps_per_frame;
    uint64_t sum = 0;
    for (uint64_t f = 0; f < shown; f++)
        sum += frame_clock_steps(clock, f);
    return sum;
}
