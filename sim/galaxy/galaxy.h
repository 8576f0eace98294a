/* A galaxy in equilibrium: disk, gas, bulge and halo in their combined potential with the bodies'
 * softening, so that it is stationary until something disturbs it.
 *
 * Spheroids have the distribution function of their density in the total potential, including the
 * disks' monopole (spheroid.h); disks have Shu's in the plane and the vertical Jeans equation
 * across it (disk.h). The approach is that of Kuijken and Dubinski (1995, MNRAS 277, 1341), Widrow
 * and Dubinski (2005, ApJ 631, 838) and McMillan and Dehnen (2007, MNRAS 378, 541); Springel, Di
 * Matteo and Hernquist (2005, MNRAS 361, 776) and Yurin and Springel (2014, MNRAS 444, 62) use
 * moments instead, Vasiliev (2019, MNRAS 482, 1525) actions. No relaxation run is needed. The gas
 * is a second disk of collisionless bodies: thin and cold, not a fluid. */
#pragma once

#include "sim/galaxy/field.h"

#include <stdbool.h>
#include <stdint.h>

/* STATUS_USAGE names the galaxy and the invalid key. */
enum status galaxy_check(const struct galaxy_params *galaxy);

struct galaxy;

/* Makes a galaxy's tables, for parameters that galaxy_check() accepts; takes about a tenth of a
 * second. Galaxies whose tables are equal share them, and those opened last are kept for the next
 * such call after they are closed; names and positions do not matter. The galaxy is valid until
 * galaxy_close and must not be changed. Thread-safe. `softening`: Plummer's, for parts without
 * their own. STATUS_USAGE names a part without a distribution function: it would be negative for
 * more than 0.5 % of the mass. (For less, it is set to 0.) */
enum status galaxy_open(struct galaxy **out, const struct galaxy_params *galaxy, double softening);
void galaxy_close(struct galaxy **galaxy); /* accepts a pointer to NULL; thread-safe */

/* Random numbers for a part's bodies. Quiet: radii cover the mass evenly, and bodies come in pairs
 * at opposite positions with opposite velocities. Noisy: bodies are independent. */
struct galaxy_draw {
    uint64_t seed;
    uint32_t stream; /* distinct for each galaxy and part */
    bool noisy;
};

/* Bodies first .. first + count - 1 of a part, around the origin, rotating around +z. Each is
 * independent of the other parts and of the number of threads. All are slower than the escape
 * speed; in disks, slower than 0.95 of it. */
void galaxy_fill(const struct galaxy *galaxy, enum galaxy_part part, const struct galaxy_draw *draw,
                 size_t first, size_t count, double (*position)[3], double (*velocity)[3]);

/* Whether the `all` bodies of a part are to be settled: their velocities are scaled to the
 * distribution function's kinetic energy instead of the sample's. With half as many independent
 * velocities as bodies, that would be noisier than for independent bodies. */
bool galaxy_settles(enum galaxy_part part, const struct galaxy_draw *draw, size_t all);
/* Adds bodies as galaxy_fill gave them, in their order, to sums that begin with 0. */
void galaxy_weigh(const struct galaxy *galaxy, enum galaxy_part part, size_t first, size_t count,
                  const double (*position)[3], const double (*velocity)[3], double sums[2]);
/* sums: of all bodies. */
void galaxy_settle(const double sums[2], size_t count, double (*velocity)[3]);

/* The tables of a galaxy's disk (GALAXY_DISK, GALAXY_GAS) or spheroid, for tests and reports; NULL
 * if it has none. */
const struct disk *galaxy_disk(const struct galaxy *galaxy, enum galaxy_part part);
const struct speeds *galaxy_speeds(const struct galaxy *galaxy, enum galaxy_part part);

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

/* For bodies first .. first + count - 1 of a part made by galaxy_fill() with `draw`, around the
 * origin in the disk's plane; `scale`: the disk's scale length. The result does not depend on the
 * number of threads. */
void populations_fill(enum galaxy_part part, const struct galaxy_draw *draw, double scale,
                      size_t first, size_t count, const double (*position)[3], double *birth_radius,
                      double *age);
