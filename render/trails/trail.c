#include "render/trails/trail.h"

#include <math.h>

/* Upper bound on the length of a cubic's tangents, in chord lengths: shorter tangents cause no
 * loops. */
static const double longest_tangent = 3;

static double size(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

void trail_span_make(struct trail_span *out, const float from[8], const float to[8],
                     double interval)
{
    double chord[3], middle[3];
    *out = (struct trail_span){.from = from, .to = to};
    for (int c = 0; c < 3; c++)
        chord[c] = (double)to[c] - (double)from[c];
    const double most = longest_tangent * size(chord);
    for (int end = 0; end < 2; end++) {
        double *tangent = out->tangent[end];
        for (int c = 0; c < 3; c++)
            tangent[c] = (double)(end ? to : from)[4 + c] * interval;
        const double length = size(tangent), factor = length > most ? most / length : 1;
        for (int c = 0; c < 3; c++)
            tangent[c] *= factor;
    }
    /* A cubic's derivative lies within the triangle of its control points' differences. */
    for (int c = 0; c < 3; c++)
        middle[c] = 3 * chord[c] - out->tangent[0][c] - out->tangent[1][c];
    out->fastest = fmax(size(middle), fmax(size(out->tangent[0]), size(out->tangent[1])));
}

double trail_span_at(const struct trail_span *span, double u, float row[8])
{
    const double v = 1 - u;
    double slope[3];
    for (int c = 0; c < 3; c++) {
        const double a = (double)span->from[c], b = (double)span->to[c];
        const double s = span->tangent[0][c], t = span->tangent[1][c];
        row[c] = (float)(v * v * ((1 + 2 * u) * a + u * s) + u * u * ((1 + 2 * v) * b - v * t));
        slope[c] = 6 * u * v * (b - a) + v * (v - 2 * u) * s + u * (u - 2 * v) * t;
    }
    for (int c = 3; c < 8; c++)
        row[c] = (float)(v * (double)span->from[c] + u * (double)span->to[c]);
    return size(slope);
}

double trail_left(double age)
{
    const double left = age < 1 ? 1 - age : 0;
    return left * left;
}
