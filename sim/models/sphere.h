/* A Hernquist sphere in the field of its galaxy. */
#ifndef SIM_MODELS_SPHERE_H
#define SIM_MODELS_SPHERE_H

#include "sim/bodies/bodies.h"
#include "sim/models/profile.h"
#include "sim/models/random.h"

/* Places bodies first .. first + count - 1 around the origin; masses are left alone. `width`: that
 * of the profile which belongs to the sphere. */
void sphere_fill(struct bodies *bodies, size_t first, size_t count, const struct profile *profile,
                 const struct sphere *sphere, const double *width, struct random *random);

#endif
