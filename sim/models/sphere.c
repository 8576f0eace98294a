#include "sim/models/sphere.h"

#include <math.h>

enum { TRIES = 100 };

/* Radii are stratified (body i lies in the i-th shell of equal mass): less noise in the potential
 * than independent draws. Velocities are a Maxwellian cut off at the limit, made wider by as much
 * as the cut takes from its dispersion (after Hernquist 1993, section 2.2). */
void sphere_fill(struct bodies *bodies, size_t first, size_t count, const struct profile *profile,
                 const struct sphere *sphere, const double *width, struct random *random)
{
    double edge = sphere->edge / (sphere->edge + sphere->scale), whole = edge * edge;
    for (size_t i = 0; i < count; i++) {
        double *x = bodies->position[first + i], *v = bodies->velocity[first + i];
        double q = sqrt(whole * ((double)i + random_uniform(random)) / (double)count);
        double r = sphere->scale * q / (1 - q);
        random_direction3(random, x);
        for (int k = 0; k < 3; k++)
            x[k] *= r;

        double sigma = profile_value(profile, width, r);
        double limit = profile_limit(profile, r), speed = INFINITY;
        for (int try = 0; try < TRIES && speed > limit; try++) {
            for (int k = 0; k < 3; k++)
                v[k] = sigma * random_normal(random);
            speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        for (int k = 0; k < 3 && speed > limit; k++)
            v[k] *= limit / speed;
    }
}
