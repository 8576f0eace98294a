/* Birthplaces and ages of a galaxy's stars:
 *
 * - radius of birth: the distance from the galaxy's axis at the start, in scale lengths of its
 *     disk; NaN in bulge and halo, whose stars have left their birthplaces;
 * - age, in Gyr: halo 12, bulge 10, gas 0 (stars form in it); the disk is younger towards
 *     its edge, because disks grow inside out (Matteucci and Francois 1989, MNRAS 239,
 *     885; Chiappini, Matteucci and Romano 2001, ApJ 554, 1044). Its mean is
 *     1.5 + 6.5 / (1 + (R / 2)^2): 8 at the centre, 4.8 and 2.8 at two and four scale lengths, with
 *     a gradient like that of spirals' colours (MacArthur, Courteau, Bell and Holtzman 2004, ApJS
 *     152, 175). Single bodies scatter around the mean by 0.3 of it, within 0.1 to 13 Gyr. */
#pragma once

#include "sim/galaxy/galaxy.h"

/* For bodies first .. first + count - 1 of a part made by galaxy_fill() with `draw`, around the
 * origin in the disk's plane; `scale`: the disk's scale length. The result does not depend on the
 * number of threads. */
void populations_fill(enum galaxy_part part, const struct galaxy_draw *draw, double scale,
                      size_t first, size_t count, const double (*position)[3], double *birth_radius,
                      double *age);
