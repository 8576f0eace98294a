/* Where and when a galaxy's stars were born:
 *
 * - radius of birth: the distance from the galaxy's axis at the start, in scale lengths of its
 *   disk; NaN in bulge and halo, whose stars have left where they were born;
 * - age, in Gyr: halo 12, bulge 10, gas 0, for the stars that form in it, and the disk younger
 *   towards its edge, because disks grow from inside out (Matteucci and Francois 1989, MNRAS 239,
 *   885; Chiappini, Matteucci and Romano 2001, ApJ 554, 1044). Its mean is
 *   1.5 + 6.5 / (1 + (R / 2)^2): 8 at the centre, 4.8 and 2.8 at two and four scale lengths, with
 *   a gradient as colours of spirals show it (MacArthur, Courteau, Bell and Holtzman 2004, ApJS
 *   152, 175). Single bodies scatter about the mean by 0.3 of it, from 0.1 to 13 Gyr. */
#ifndef SIM_GALAXY_POPULATIONS_H
#define SIM_GALAXY_POPULATIONS_H

#include "sim/galaxy/galaxy.h"

/* For bodies of a part as galaxy_fill() makes them with `draw`, about the origin in the disk's
 * plane; `scale`: the disk's scale length. The same numbers by however many threads. */
void populations_fill(enum galaxy_part part, const struct galaxy_draw *draw, double scale,
                      size_t count, const double (*position)[3], double *birth_radius, double *age);

#endif
