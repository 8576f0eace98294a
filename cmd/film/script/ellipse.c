#include "cmd/film/script/ellipse.h"

#include <math.h>
#include <string.h>

/* Distances in standard deviations. */
struct trim {
    double inverse[3]; /* xx, xy, yy of the inverse covariance in the picture */
    double mean[2];
};

/* The mean and covariance of the light inside. Returns its sum. */
static double measure(struct ellipse *out, const struct ellipse_lights *lights,
                      const double *inside)
{
    double total = 0, x1 = 0, y1 = 0, xx = 0, xy = 0, yy = 0;
    /* Close to the light, so that squares lose no digits. */
    const double origin[2] = {out->mean[0], out->mean[1]};
    for (size_t i = 0; i < lights->count; i++) {
        const double x = lights->at[i][0] - origin[0], y = lights->at[i][1] - origin[1];
        total += inside[i];
        x1 += inside[i] * x;
        y1 += inside[i] * y;
        xx += inside[i] * x * x;
        xy += inside[i] * x * y;
        yy += inside[i] * y * y;
    }
    if (!(total > 0))
        return 0;
    const double mean[2] = {x1 / total, y1 / total};
    out->covariance[0][0] = xx / total - mean[0] * mean[0];
    out->covariance[0][1] = out->covariance[1][0] = xy / total - mean[0] * mean[1];
    out->covariance[1][1] = yy / total - mean[1] * mean[1];
    for (int a = 0; a < 2; a++)
        out->mean[a] += mean[a];
    return total;
}

/* Gives light on a line a small width. */
static void invert(struct trim *trim, const struct ellipse *from)
{
    const double little = 1e-6 * (from->covariance[0][0] + from->covariance[1][1]) + 1e-150;
    const double xx = from->covariance[0][0] + little, yy = from->covariance[1][1] + little;
    const double xy = from->covariance[0][1], determinant = xx * yy - xy * xy;
    trim->inverse[0] = yy / determinant;
    trim->inverse[1] = -xy / determinant;
    trim->inverse[2] = xx / determinant;
    memcpy(trim->mean, from->mean, sizeof trim->mean);
}

/* Finds the squares of distances from the trim's mean. */
static void find_squares(const struct trim *trim, const struct ellipse_lights *lights,
                         double *square)
{
    const double(*at)[2] = (const double(*)[2])lights->at;
#pragma omp simd
    for (size_t i = 0; i < lights->count; i++) {
        const double u = at[i][0] - trim->mean[0], v = at[i][1] - trim->mean[1];
        const double own =
            u * u * trim->inverse[0] + 2 * u * v * trim->inverse[1] + v * v * trim->inverse[2];
        square[i] = own > 0 ? own : 0;
    }
}

/* The largest number with this number's root. */
static double with_root(double square)
{
    while (sqrt(nextafter(square, INFINITY)) <= sqrt(square))
        square = nextafter(square, INFINITY);
    return square;
}

void ellipse_find(struct ellipse *out, const struct ellipse_lights *lights, double part,
                  struct ellipse_buffers *buffers)
{
    const double *light = lights->light, *square = buffers->square;
    struct trim trim;
    double total = 0, *inside = buffers->inside;
    *out = (struct ellipse){0};
    memcpy(inside, light, lights->count * sizeof *inside);
    for (int n = 0; n < ELLIPSE_TRIMS; n++) {
        const struct ellipse before = *out;
        const double sum = measure(out, lights, inside);
        total = n == 0 ? sum : total;
        if (memcmp(&before, out, sizeof before) == 0) /* neither will the others change it */
            return;
        invert(&trim, out);
        find_squares(&trim, lights, buffers->square);
        /* A little less than the weight of any shells, because sums are rounded. */
        buffers->last[n] =
            shells_radius_near(square, light, lights->count, part * total * (1 - 1e-12),
                               buffers->last[n], buffers->shells);
        const double most = with_root(buffers->last[n]);
        out->scale = sqrt(buffers->last[n]);
#pragma omp simd
        for (size_t i = 0; i < lights->count; i++) {
            const double own = light[i];
            inside[i] = square[i] <= most ? own : 0;
        }
    }
}

double ellipse_extent(const struct ellipse *ellipse, const double direction[2], double times)
{
    double middle = 0, square = 0;
    for (int a = 0; a < 2; a++) {
        middle += direction[a] * ellipse->mean[a];
        for (int b = 0; b < 2; b++)
            square += direction[a] * ellipse->covariance[a][b] * direction[b];
    }
    return middle + times * ellipse->scale * sqrt(fmax(square, 0));
}
