#include "cmd/film/script/ellipse.h"

#include <math.h>
#include <string.h>

enum { TRIMS = 8, NEAR_MOST = 256 };

/* Distances in standard deviations. */
struct trim {
    double inverse[3]; /* xx, xy, yy of the inverse covariance in the picture */
    double mean[2];
};

/* The light that is inside, with its mean and covariance. square: of each light's distance from the
 * trim's mean; not read while `most` is infinite. */
static double measure(struct ellipse *out, const struct ellipse_light *light, size_t count,
                      const double *square, double most)
{
    double total = 0, x1 = 0, y1 = 0, xx = 0, xy = 0, yy = 0;
    /* Close to the light, so that squares lose no digits. */
    const double origin[2] = {out->mean[0], out->mean[1]};
    for (size_t i = 0; i < count; i++) {
        const double inside = most == INFINITY || square[i] <= most ? light[i].light : 0;
        const double x = light[i].at[0] - origin[0], y = light[i].at[1] - origin[1];
        total += inside;
        x1 += inside * x;
        y1 += inside * y;
        xx += inside * x * x;
        xy += inside * x * y;
        yy += inside * y * y;
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

/* Finds the squares of distances, and that within which the light reaches `weight`: near `guess`,
 * or else anywhere. The light is not added up in the order of distances, so `weight` must not be
 * that of some of it exactly. */
static double cut(const struct trim *trim, const struct ellipse_light *light, size_t count,
                  double weight, double guess, const struct ellipse_room *room)
{
    struct shell near[NEAR_MOST];
    const double least = 0.9 * guess, most = 1.15 * guess;
    double *square = room->square, inside = 0, around = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const double x = light[i].at[0] - trim->mean[0], y = light[i].at[1] - trim->mean[1];
        const double own =
            x * x * trim->inverse[0] + 2 * x * y * trim->inverse[1] + y * y * trim->inverse[2];
        square[i] = own > 0 ? own : 0;
        inside += square[i] < least ? light[i].light : 0;
        near[used] = (struct shell){square[i], light[i].light};
        used += (square[i] >= least) & (square[i] <= most) & (used + 1 < NEAR_MOST);
    }
    for (size_t k = 0; k < used; k++)
        around += near[k].weight;
    if (inside < weight && inside + around >= weight && used + 1 < NEAR_MOST)
        return shells_radius(near, used, weight - inside);
    for (size_t i = 0; i < count; i++)
        room->shells[i] = (struct shell){square[i], light[i].light};
    return shells_radius(room->shells, count, weight);
}

/* The largest number with this number's root. */
static double with_root(double square)
{
    while (sqrt(nextafter(square, INFINITY)) <= sqrt(square))
        square = nextafter(square, INFINITY);
    return square;
}

void ellipse_find(struct ellipse *out, const struct ellipse_light *light, size_t count, double part,
                  struct ellipse_room *room)
{
    struct trim trim;
    double most = INFINITY, guess = room->first, total = 0;
    *out = (struct ellipse){0};
    for (int n = 0; n < TRIMS; n++) {
        const struct ellipse before = *out;
        const double inside = measure(out, light, count, room->square, most);
        total = n == 0 ? inside : total;
        if (memcmp(&before, out, sizeof before) == 0) /* neither will the others change it */
            return;
        invert(&trim, out);
        /* A little less than the weight of any shells, because sums are rounded. */
        guess = cut(&trim, light, count, part * total * (1 - 1e-12), guess, room);
        most = with_root(guess);
        out->scale = sqrt(guess);
        room->first = n == 0 ? guess : room->first;
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
