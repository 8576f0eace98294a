#include "render/compare/colour.h"

#include "render/compare/tile.h"

#include <math.h>
#include <string.h>

/* Three cone responses of both pictures, padded so that many roots are computed at once. */
enum { CONES = 3, ROOTS = 8 };

/* Cube roots of 0..2, accurate to 1e-6: Halley's method, with a first guess from the exponent. */
static void cube_roots(const float of[ROOTS], float roots[ROOTS])
{
    uint32_t bits[ROOTS];
    float v[ROOTS];
    for (int i = 0; i < ROOTS; i++)
        v[i] = of[i] > 1e-9f ? of[i] : 1e-9f;
    memcpy(bits, v, sizeof bits);
    for (int i = 0; i < ROOTS; i++)
        bits[i] = bits[i] / 3 + 0x2a5137a0;
    memcpy(roots, bits, sizeof bits);
    for (int i = 0; i < ROOTS; i++) {
        float root = roots[i];
        for (int k = 0; k < 2; k++) {
            const float cube = root * root * root;
            root *= (cube + 2 * v[i]) / (2 * cube + v[i]);
        }
        roots[i] = of[i] > 1e-9f ? root : 0;
    }
}

static float mean_light(const uint16_t *samples, size_t stride)
{
    uint32_t columns[COLOUR_SIDE] = {0}, sum = 0;
    for (size_t y = 0; y < COLOUR_SIDE; y++)
        for (size_t x = 0; x < COLOUR_SIDE; x++)
            columns[x] += samples[x + y * stride];
    for (size_t x = 0; x < COLOUR_SIDE; x++)
        sum += columns[x];
    const float light = tile_light((float)sum / (COLOUR_SIDE * COLOUR_SIDE * 65535.0f));
    return light > 0 ? light : 0;
}

static void to_cones(const struct planes *picture, size_t at, float cones[CONES])
{
    float rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = mean_light(picture->channel[c] + at, picture->stride);
    cones[0] = 0.4122214708f * rgb[0] + 0.5363325363f * rgb[1] + 0.0514459929f * rgb[2];
    cones[1] = 0.2119034982f * rgb[0] + 0.6806995451f * rgb[1] + 0.1073969566f * rgb[2];
    cones[2] = 0.0883024619f * rgb[0] + 0.2817188376f * rgb[1] + 0.6299787005f * rgb[2];
}

static void to_lab(const float roots[CONES], float lab[3])
{
    const float l = roots[0], m = roots[1], s = roots[2];
    lab[0] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    lab[1] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    lab[2] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
}

double colour_distance(const struct planes *a, const struct planes *b, size_t at)
{
    float cones[ROOTS] = {0}, roots[ROOTS], in_a[3], in_b[3], sum = 0;
    to_cones(a, at, cones);
    to_cones(b, at, cones + CONES);
    cube_roots(cones, roots);
    to_lab(roots, in_a);
    to_lab(roots + CONES, in_b);
    for (int c = 0; c < 3; c++)
        sum += (in_a[c] - in_b[c]) * (in_a[c] - in_b[c]);
    return (double)sqrtf(sum);
}
