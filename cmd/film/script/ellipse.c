#include "cmd/film/script/ellipse.h"

#include <math.h>
#include <string.h>

enum { TRIMS = 8 };

/* The light within `scale` of the ellipse's current mean; all of it if that is infinite. */
struct trim {
    double inverse[3]; /* xx, xy, yy of the inverse covariance in the picture */
    double mean[2], scale;
};

static double deviations(const struct trim *trim, const double at[2])
{
    const double x = at[0] - trim->mean[0], y = at[1] - trim->mean[1];
    const double square =
        x * x * trim->inverse[0] + 2 * x * y * trim->inverse[1] + y * y * trim->inverse[2];
    return sqrt(fmax(square, 0));
}

static void measure(struct ellipse *out, const struct ellipse_light *light, size_t count,
                    const struct trim *trim)
{
    double total = 0, sum[2] = {0}, square[2][2] = {{0}};
    const double *origin = out->mean; /* close to the light, so that squares lose no digits */
    for (size_t i = 0; i < count; i++) {
        if (deviations(trim, light[i].at) > trim->scale)
            continue;
        total += light[i].light;
        for (int a = 0; a < 2; a++) {
            const double part = light[i].light * (light[i].at[a] - origin[a]);
            sum[a] += part;
            for (int b = 0; b < 2; b++)
                square[a][b] += part * (light[i].at[b] - origin[b]);
        }
    }
    for (int a = 0; a < 2 && total > 0; a++)
        for (int b = 0; b < 2; b++)
            out->covariance[a][b] = square[a][b] / total - sum[a] / total * (sum[b] / total);
    for (int a = 0; a < 2 && total > 0; a++)
        out->mean[a] += sum[a] / total;
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

void ellipse_find(struct ellipse *out, const struct ellipse_light *light, size_t count, double part,
                  struct shell *shells)
{
    struct trim trim = {.scale = INFINITY};
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += light[i].light;
    *out = (struct ellipse){0};
    for (int n = 0; n < TRIMS && total > 0; n++) {
        measure(out, light, count, &trim);
        invert(&trim, out);
        for (size_t i = 0; i < count; i++)
            shells[i] = (struct shell){deviations(&trim, light[i].at), light[i].light};
        out->scale = trim.scale = shells_radius(shells, count, part * total * (1 - 1e-12));
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
