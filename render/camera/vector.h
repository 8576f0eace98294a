/* Vectors of three numbers for the camera's files. Pure. */
#pragma once

#include "base/functions/fn.h"

#include <math.h>

static inline double vector_length(const double a[3])
{
    return fn_hypot(fn_hypot(a[0], a[1]), a[2]);
}

/* out = a + factor * b; out may be a or b. */
static inline void vector_add(double out[3], const double a[3], double factor, const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + factor * b[i];
}

/* out must be neither a nor b. */
static inline void vector_cross(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}
