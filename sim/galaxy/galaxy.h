/* A galaxy in equilibrium: disk, gas, bulge and halo in one another's potential, as bodies of a
 * given softening make it, so that it stays what it is until something hits it.
 *
 * Spheroids have the distribution function of their density in the whole potential, the disks'
 * monopole included (speeds.h); disks have Shu's in the plane and the vertical Jeans equation
 * across it (disk.h). So build Kuijken and Dubinski (1995, MNRAS 277, 1341), Widrow and Dubinski
 * (2005, ApJ 631, 838), McMillan and Dehnen (2007, MNRAS 378, 541), with moments instead Springel,
 * Di Matteo and Hernquist (2005, MNRAS 361, 776) and Yurin and Springel (2014, MNRAS 444, 62), with
 * actions Vasiliev (2019, MNRAS 482, 1525). Nothing is relaxed by running it. The gas is a second
 * disk of bodies that attract and do not collide: thin and cold, no fluid. */
#ifndef SIM_GALAXY_GALAXY_H
#define SIM_GALAXY_GALAXY_H

#include "sim/galaxy/parts.h"

#include <stdbool.h>
#include <stdint.h>

/* STATUS_USAGE names the galaxy and the key that makes no sense. */
enum status galaxy_check(const struct galaxy_params *galaxy);

struct galaxy;

/* Whether both have the same tables, however they are called and wherever they lie. */
bool galaxy_same(const struct galaxy_params *a, const struct galaxy_params *b);

/* Its tables, for parameters that galaxy_check() accepts; takes some hundredths of a second.
 * `softening`: Plummer's, of the parts that have none of their own. STATUS_USAGE names the part for
 * which there is no distribution function: where more than half a hundredth of its mass would have
 * a negative one. (A smaller part is made 0.) */
enum status galaxy_open(struct galaxy **out, const struct galaxy_params *galaxy, double softening);
void galaxy_close(struct galaxy **galaxy); /* accepts a pointer to NULL */

/* Which random numbers a part's bodies are made of. Quiet: their radii fill the mass evenly and
 * they come in pairs that lie opposite each other with opposite velocities. Noisy: each by itself.
 */
struct galaxy_draw {
    uint64_t seed;
    uint32_t stream; /* of galaxy and part */
    bool noisy;
};

/* Bodies 0 to count - 1 of a part, about the origin, spin along +z: each the same whatever other
 * parts there are, and by however many threads. None is as fast as what escapes: disks keep below
 * 0.95 of it.
 */
void galaxy_fill(const struct galaxy *galaxy, enum galaxy_part part, const struct galaxy_draw *draw,
                 size_t count, double (*position)[3], double (*velocity)[3]);

/* What is known of a galaxy's disk (GALAXY_DISK, GALAXY_GAS) or spheroid, for tests and reports;
 * NULL where it has none. */
const struct disk *galaxy_disk(const struct galaxy *galaxy, enum galaxy_part part);
const struct speeds *galaxy_speeds(const struct galaxy *galaxy, enum galaxy_part part);

#endif
