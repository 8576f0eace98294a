#include "sim/pilot/encounter.h"

#include <math.h>

/* Factor by which an extremum must exceed the noise: with few bodies, the cores of a wide pair
 * waver more. */
static const double swing = 1.1;

/* Refines the extremum near sample k, 0 < k < count - 1. */
static struct encounter_moment refine(const double *separation, size_t k, double interval)
{
    double before = separation[k - 1] * separation[k - 1], here = separation[k] * separation[k],
           after = separation[k + 1] * separation[k + 1];
    double curvature = before - 2 * here + after;
    double shift = curvature != 0 ? 0.5 * (before - after) / curvature : 0;
    if (!(fabs(shift) <= 1)) /* not the extremum of the three */
        shift = 0;
    double square = here - 0.25 * (before - after) * shift;
    return (struct encounter_moment){((double)k + shift) * interval, sqrt(fmax(square, 0))};
}

static void keep(size_t *count, struct encounter_moment *list, struct encounter_moment moment)
{
    if (*count < ENCOUNTER_MAX)
        list[(*count)++] = moment;
}

/* Finds the track's extrema: an extreme value since the last one is accepted once the track has
 * reversed by more than the noise. */
static void find_turns(size_t count, const double *separation, double interval, double noise,
                       struct encounter *out)
{
    size_t lowest = 0, highest = 0;
    int direction = 0; /* of the track: 0 until it has moved by more than the noise */
    for (size_t k = 1; k < count; k++) {
        lowest = separation[k] < separation[lowest] ? k : lowest;
        highest = separation[k] > separation[highest] ? k : highest;
        if (direction <= 0 && separation[k] > swing * separation[lowest] + noise) {
            if (direction < 0)
                keep(&out->pericentre_count, out->pericentre, refine(separation, lowest, interval));
            direction = 1;
            highest = k;
        } else if (direction >= 0 && separation[k] < separation[highest] / swing - noise) {
            if (direction > 0)
                keep(&out->apocentre_count, out->apocentre, refine(separation, highest, interval));
            direction = -1;
            lowest = k;
        }
    }
}

static void find_merger(size_t count, const double *separation, double interval, double touch,
                        struct encounter *out)
{
    size_t first = count;
    while (first > 0 && separation[first - 1] < touch)
        first--;
    if (first == 0 || first == count)
        return; /* close from the start, or apart at the end */
    bool turned = false, rose = false;
    for (size_t k = first + 1; k < count; k++) {
        rose = rose || separation[k] > separation[k - 1];
        turned = turned || (rose && separation[k] < separation[k - 1]);
    }
    double above = separation[first - 1] - touch, below = touch - separation[first];
    out->merges = turned;
    out->merger = (struct encounter_moment){
        ((double)(first - 1) + above / (above + below)) * interval, touch};
}

void encounter_find(size_t count, const double *separation, double interval, double noise,
                    double touch, struct encounter *out)
{
    *out = (struct encounter){0};
    find_turns(count, separation, interval, noise, out);
    find_merger(count, separation, interval, touch, out);
}
