/* An exponential disk in the field of its galaxy. */
#ifndef SIM_MODELS_DISK_H
#define SIM_MODELS_DISK_H

#include "sim/bodies/bodies.h"
#include "sim/models/profile.h"
#include "sim/models/random.h"

/* Places bodies first .. first + count - 1 around the origin, spin along +z; masses are left alone.
 */
void disk_fill(struct bodies *bodies, size_t first, size_t count,
               const struct galaxy_params *galaxy, const struct profile *profile,
               struct random *random);

#endif
