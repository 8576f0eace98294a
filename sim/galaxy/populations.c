#include "sim/galaxy/populations.h"

#include "base/random.h"

#include <math.h>

/* Offset of a part's stream, so that ages and motions use different numbers. */
enum { STREAM = 1 << 16 };

static const double HALO = 12, BULGE = 10, INSIDE = 8, OUTSIDE = 1.5; /* Gyr */
static const double HALFWAY = 2;                                      /* scale lengths */
static const double SCATTER = 0.3, YOUNGEST = 0.1, OLDEST = 13;

static double disk_age(double radius, struct random *random)
{
    const double x = radius / HALFWAY, mean = OUTSIDE + (INSIDE - OUTSIDE) / (1 + x * x);
    return fmin(fmax(mean * (1 + SCATTER * random_normal(random)), YOUNGEST), OLDEST);
}

void populations_fill(enum galaxy_part part, const struct galaxy_draw *draw, double scale,
                      size_t first, size_t count, const double (*position)[3], double *birth_radius,
                      double *age)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        const double *x = position[i];
        struct random random = random_of(draw->seed, draw->stream + STREAM, first + i);
        birth_radius[i] = part < GALAXY_BULGE ? sqrt(x[0] * x[0] + x[1] * x[1]) / scale : NAN;
        age[i] = part == GALAXY_DISK    ? disk_age(birth_radius[i], &random)
                 : part == GALAXY_GAS   ? 0
                 : part == GALAXY_BULGE ? BULGE
                                        : HALO;
    }
}
