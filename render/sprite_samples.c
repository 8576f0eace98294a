#include "render/sprite_samples.h"

#include <math.h>

static const double golden = 0.61803398874989485;

/* The binary digits of i behind the point, in reversed order. */
static double van_der_corput(unsigned i)
{
    double sum = 0;
    for (double digit = 0.5; i > 0; i >>= 1, digit /= 2)
        sum += (i & 1) * digit;
    return sum;
}

void sprite_samples_make(struct sprite_sample *out, unsigned count)
{
    double mean = 0;
    for (unsigned i = 0; i < count; i++) {
        double whole;
        unsigned before = 0;
        for (unsigned k = 0; k < count; k++)
            before += van_der_corput(k) < van_der_corput(i);
        out[i].x = (float)((i + 0.5) / count - 0.5);
        out[i].y = (float)(modf((i + 0.5) * golden, &whole) - 0.5);
        out[i].moment = (float)((before + 0.5) / count - 0.5);
        mean += out[i].y / count;
    }
    for (unsigned i = 0; i < count; i++)
        out[i].y -= (float)mean;
}
