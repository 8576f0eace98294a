#include "cmd/film/script/ellipse.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TRIMS = 8 };

/* Bins of distances, BIN_BITS of the mantissa wide, below the largest. Few distances share one. */
enum { BINS = 256, BIN_BITS = 3, SHARED_MOST = 512 };

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
    return sqrt(square > 0 ? square : 0);
}

/* shells: of the trim, in the order of the light; not read while the scale is infinite. */
static void measure(struct ellipse *out, const struct ellipse_light *light, size_t count,
                    const struct shell *shells, double scale)
{
    double total = 0, sum[2] = {0}, square[2][2] = {{0}};
    const double *origin = out->mean; /* close to the light, so that squares lose no digits */
    for (size_t i = 0; i < count; i++) {
        if (scale < INFINITY && shells[i].distance > scale)
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

/* The bits of numbers >= 0 are in the order of the numbers. */
static uint64_t bin_of(double distance)
{
    uint64_t bits;
    memcpy(&bits, &distance, sizeof bits);
    return bits >> (52 - BIN_BITS);
}

static double sorted_radius(const struct shell *shells, size_t count, double weight)
{
    struct shell *sorted = memory_new(count, sizeof *sorted);
    memcpy(sorted, shells, count * sizeof *sorted);
    const double radius = shells_radius(sorted, count, weight);
    free(sorted);
    return radius;
}

/* shells_radius without sorting most of the shells. The weights are added up in another order, so
 * `weight` must not be that of some shells exactly. */
static double radius_of(const struct shell *shells, size_t count, double weight)
{
    struct shell shared[SHARED_MOST];
    double sum[BINS] = {0}, inside = 0, largest = 0;
    size_t bin = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        largest = shells[i].distance > largest ? shells[i].distance : largest;
    const uint64_t top = bin_of(largest), lowest = top < BINS ? 0 : top + 1 - BINS;
    for (size_t i = 0; i < count; i++) {
        const uint64_t own = bin_of(shells[i].distance);
        sum[own > lowest ? own - lowest : 0] += shells[i].weight;
    }
    while (bin + 1 < BINS && inside + sum[bin] < weight)
        inside += sum[bin++];
    for (size_t i = 0; i < count && used < SHARED_MOST; i++)
        if (bin_of(shells[i].distance) == lowest + bin)
            shared[used++] = shells[i];
    return bin == 0 || used == 0 || used == SHARED_MOST
               ? sorted_radius(shells, count, weight)
               : shells_radius(shared, used, weight - inside);
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
        measure(out, light, count, shells, trim.scale);
        invert(&trim, out);
        for (size_t i = 0; i < count; i++)
            shells[i] = (struct shell){deviations(&trim, light[i].at), light[i].light};
        /* A little less than the weight of any shells, because sums are rounded. */
        out->scale = trim.scale = radius_of(shells, count, part * total * (1 - 1e-12));
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
