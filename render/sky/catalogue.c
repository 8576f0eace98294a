#include "render/sky/catalogue.h"

#include "base/functions/fn.h"
#include "base/random.h"
#include "render/colour/black_body.h"

#include <math.h>
#include <string.h>

/* Stream of the random number generator; no model of bodies uses it. */
enum { STREAM = 0x57a25 };

enum { FIRST_MAGNITUDE = 3, COUNTS = 6 };
/* Number of stars brighter than magnitude 3, 4, ... 8. */
static const double brighter[COUNTS] = {172, 511, 1600, 4968, 15328, 40858};

double sky_magnitude(size_t i)
{
    const double rank = brighter[0] + (double)i + 0.5;
    int k = 0;
    while (k + 2 < COUNTS && rank > brighter[k + 1])
        k++;
    return FIRST_MAGNITUDE + k + fn_log(rank / brighter[k]) / fn_log(brighter[k + 1] / brighter[k]);
}

/* Spectral types B, A, F, G, K, M: cumulative share of all stars, and range of temperatures; giants
 * and dwarfs together. */
static const struct {
    double up_to, hottest, coolest;
} types[] = {{0.10, 25000, 10000}, {0.32, 10000, 7500}, {0.51, 7500, 6000},
             {0.65, 6000, 5000},   {0.97, 5000, 3800},  {1.00, 3800, 3200}};

enum { SHADES = 256 };

/* The reciprocal of the temperature, with which colours change evenly. */
static double reciprocal(double share)
{
    int k = 0;
    while (share > types[k].up_to)
        k++;
    const double from = k > 0 ? types[k - 1].up_to : 0;
    const double within = (share - from) / (types[k].up_to - from);
    return (1 - within) / types[k].hottest + within / types[k].coolest;
}

void sky_catalogue(struct sky_star *out, size_t count, uint64_t seed)
{
    float shades[SHADES][3];
    for (int i = 0; i < SHADES; i++)
        black_body_shown(1 / reciprocal((i + 0.5) / SHADES), shades[i]);
    for (size_t i = 0; i < count; i++) {
        struct random random = random_of(seed, STREAM, i);
        double direction[3];
        random_direction3(&random, direction);
        for (int axis = 0; axis < 3; axis++)
            out[i].direction[axis] = (float)direction[axis];
        out[i].light = (float)fn_pow(10, -0.4 * (sky_magnitude(i) - SKY_MAGNITUDE));
        const float *shade = shades[(int)(SHADES * random_uniform(&random))];
        memcpy(out[i].shown, shade, sizeof out[i].shown);
    }
}
