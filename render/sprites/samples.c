#include "render/sprites/samples.h"

#include <math.h>

static const double golden = 0.61803398874989485, silver = 0.41421356237309505;

static double fraction(double value)
{
    return value - floor(value);
}

void sprite_samples_make(struct sprite_sample *out, unsigned count)
{
    double mean = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned before = 0;
        for (unsigned k = 0; k < count; k++)
            before += fraction((k + 0.5) * silver) < fraction((i + 0.5) * silver);
        out[i].x = (float)((i + 0.5) / count - 0.5);
        out[i].y = (float)(fraction((i + 0.5) * golden) - 0.5);
        out[i].moment = (float)((before + 0.5) / count - 0.5);
        mean += out[i].y / count;
    }
    for (unsigned i = 0; i < count; i++)
        out[i].y -= (float)mean;
}
