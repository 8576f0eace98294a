/* Idea: none yet. One body after the other, one source after the other, a square root and a
 * division: the starting point of every such program, compiled as most are. Source: gems3,
 * "portable C". */
#include "kernels/ladder/ladder.h"

#include <math.h>

int ladder_serial(const struct ladder_bodies *bodies, void *stream)
{
    (void)stream;
    float softening2 = bodies->softening * bodies->softening;
    for (size_t i = 0; i < bodies->count; i++) {
        const float *body = bodies->rows + 4 * i;
        float a[3] = {0};
        for (size_t j = 0; j < bodies->count; j++) {
            const float *b = bodies->rows + 4 * j;
            float dx = b[0] - body[0], dy = b[1] - body[1], dz = b[2] - body[2];
            float r2 = dx * dx + dy * dy + dz * dz + softening2;
            float pull = b[3] / (r2 * sqrtf(r2));
            a[0] += pull * dx;
            a[1] += pull * dy;
            a[2] += pull * dz;
        }
        for (int c = 0; c < 3; c++)
            bodies->acceleration[4 * i + (size_t)c] = a[c];
    }
    return 0;
}
