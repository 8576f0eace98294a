#include "render/compare/colour.h"

#include "render/compare/tile.h"

#include <math.h>
#include <string.h>

/* Within 1e-6 of the cube root for 0..2: halley's method from a guess by the exponent. */
static float cube_root(float v)
{
    if (!(v > 1e-9f))
        return 0;
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    bits = bits / 3 + 0x2a5137a0;
    float root;
    memcpy(&root, &bits, sizeof root);
    for (int i = 0; i < 2; i++) {
        const float cube = root * root * root;
        root *= (cube + 2 * v) / (2 * cube + v);
    }
    return root;
}

static void to_lab(const struct planes *picture, size_t at, float lab[3])
{
    float rgb[3];
    for (int c = 0; c < 3; c++) {
        uint32_t sum = 0;
        for (size_t y = 0; y < COLOUR_SIDE; y++)
            for (size_t x = 0; x < COLOUR_SIDE; x++)
                sum += picture->channel[c][at + y * picture->stride + x];
        const float light = tile_light((float)sum / (COLOUR_SIDE * COLOUR_SIDE * 65535.0f));
        rgb[c] = light > 0 ? light : 0;
    }
    const float l =
        cube_root(0.4122214708f * rgb[0] + 0.5363325363f * rgb[1] + 0.0514459929f * rgb[2]);
    const float m =
        cube_root(0.2119034982f * rgb[0] + 0.6806995451f * rgb[1] + 0.1073969566f * rgb[2]);
    const float s =
        cube_root(0.0883024619f * rgb[0] + 0.2817188376f * rgb[1] + 0.6299787005f * rgb[2]);
    lab[0] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    lab[1] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    lab[2] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
}

double colour_distance(const struct planes *a, const struct planes *b, size_t at)
{
    float in_a[3], in_b[3], sum = 0;
    to_lab(a, at, in_a);
    to_lab(b, at, in_b);
    for (int c = 0; c < 3; c++)
        sum += (in_a[c] - in_b[c]) * (in_a[c] - in_b[c]);
    return (double)sqrtf(sum);
}
