/* What happens between two galaxies, read off the track of their separation.
 *
 * A pericentre is a minimum between two higher places of the track, an apocentre a maximum between
 * two lower ones; ups and downs smaller than a tenth of the separation plus `noise` do not
 * count, nor do the track's two ends. The moment is refined by the parabola through the squared
 * separations of the sample and its neighbours, because the square is smooth also where two centres
 * pass through each other.
 *
 * The galaxies have merged from the moment at which the separation falls below `touch` to stay
 * there to the end of the track, if by then it has turned round below it at least once: two
 * galaxies that are still falling together as the film ends have not merged yet, whereas friction
 * lets a pair that has turned round below it never part again. `touch` is a length below which a
 * viewer sees one galaxy (see pilot.h).
 *
 * Pure; thread-safe. */
#ifndef SIM_PILOT_ENCOUNTER_H
#define SIM_PILOT_ENCOUNTER_H

#include <stdbool.h>
#include <stddef.h>

enum { ENCOUNTER_MAX = 32 };

struct encounter_moment {
    double time, separation;
};

struct encounter {
    size_t pericentre_count, apocentre_count; /* those beyond ENCOUNTER_MAX are not kept */
    struct encounter_moment pericentre[ENCOUNTER_MAX], apocentre[ENCOUNTER_MAX];
    bool merges;
    struct encounter_moment merger;
};

/* separation[k] is at time k * interval, k < count. */
void encounter_find(size_t count, const double *separation, double interval, double noise,
                    double touch, struct encounter *out);

#endif
