/* Finds the events between two galaxies from the track of their separation.
 *
 * A pericentre is a minimum between two higher places of the track, an apocentre a maximum between
 * two lower ones. Fluctuations smaller than a tenth of the separation plus `noise` are ignored, and
 * so are the track's ends. The moment is refined by the parabola through the squared separations of
 * the sample and its neighbours, because the square is smooth even where two centres pass through
 * each other.
 *
 * The galaxies have merged at the moment after which the separation stays below `touch` to the end
 * of the track, provided that it has reversed at least once below `touch`: galaxies that are still
 * falling together when the film ends have not merged yet, whereas a pair that has reversed below
 * `touch` never separates again, because of friction. `touch` is a length below which a viewer sees
 * one galaxy (see pilot.h).
 *
 * Pure; thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ENCOUNTER_MAX = 32 };

struct encounter_moment {
    double time, separation;
};

struct encounter {
    size_t pericentre_count, apocentre_count; /* more than ENCOUNTER_MAX are not kept */
    struct encounter_moment pericentre[ENCOUNTER_MAX], apocentre[ENCOUNTER_MAX];
    bool merges;
    struct encounter_moment merger;
};

/* separation[k] is at time k * interval, k < count. */
void encounter_find(size_t count, const double *separation, double interval, double noise,
                    double touch, struct encounter *out);
