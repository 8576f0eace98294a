#include "render/compare/stars.h"

#include "render/compare/tile.h"

#include <math.h>
#include <stdlib.h>

enum { RING = 16 };

static int32_t brightest(const struct planes *picture, int32_t x, int32_t y)
{
    const size_t at = (size_t)y * picture->stride + (size_t)x;
    int32_t most = 0;
    for (int c = 0; c < 3; c++)
        most = picture->channel[c][at] > most ? picture->channel[c][at] : most;
    return most;
}

/* By how much the picture is brighter than the other one. */
static int32_t excess(const struct planes *picture, const struct planes *other, int32_t x,
                      int32_t y)
{
    return brightest(picture, x, y) - brightest(other, x, y);
}

static bool inside(const struct planes *picture, int32_t x, int32_t y)
{
    return x >= 0 && y >= 0 && x < (int32_t)picture->width && y < (int32_t)picture->height;
}

static void light_around(const struct planes *picture, int32_t x, int32_t y, double light[3])
{
    for (int c = 0; c < 3; c++)
        light[c] = 0;
    for (int32_t j = y - 1; j <= y + 1; j++)
        for (int32_t i = x - 1; i <= x + 1; i++) {
            if (!inside(picture, i, j))
                continue;
            const size_t at = (size_t)j * picture->stride + (size_t)i;
            for (int c = 0; c < 3; c++)
                light[c] += (double)tile_light((float)picture->channel[c][at] / 65535);
        }
}

/* Whether a neighbour has changed the other way by at least a third. */
static bool is_answered(const struct planes *a, const struct planes *b, int32_t x, int32_t y)
{
    const int32_t own = excess(a, b, x, y);
    for (int32_t j = y - 1; j <= y + 1; j++)
        for (int32_t i = x - 1; i <= x + 1; i++) {
            if (!inside(a, i, j))
                continue;
            const int32_t other = excess(a, b, i, j);
            if ((own > 0 && -3 * other >= own) || (own < 0 && -3 * other <= own))
                return true;
        }
    return false;
}

bool stars_moved(const struct planes *a, const struct planes *b, int32_t x, int32_t y)
{
    if (!is_answered(a, b, x, y))
        return false;
    double in_a[3], in_b[3];
    light_around(a, x, y, in_a);
    light_around(b, x, y, in_b);
    const double all = fmax(in_a[0] + in_a[1] + in_a[2], in_b[0] + in_b[1] + in_b[2]);
    for (int c = 0; c < 3; c++)
        if (!(fabs(in_a[c] - in_b[c]) <= all / 30))
            return false;
    return true;
}

/* Small and sorted often. */
static int32_t median(int32_t *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && values[k - 1] > values[k]; k--) {
            const int32_t kept = values[k];
            values[k] = values[k - 1];
            values[k - 1] = kept;
        }
    return count > 0 ? values[count / 2] : 0;
}

/* The pixels two away: median of the picture, and of its excess. */
static void surroundings(const struct planes *picture, const struct planes *other, int32_t x,
                         int32_t y, int32_t *value, int32_t *more)
{
    int32_t values[RING], mores[RING];
    size_t count = 0;
    for (int32_t j = -2; j <= 2; j++)
        for (int32_t i = -2; i <= 2; i++) {
            if ((abs(i) < 2 && abs(j) < 2) || !inside(picture, x + i, y + j))
                continue;
            values[count] = brightest(picture, x + i, y + j);
            mores[count++] = excess(picture, other, x + i, y + j);
        }
    *value = median(values, count);
    *more = median(mores, count);
}

/* Of equal neighbours the first one is the maximum. Light that a neighbour has gained moved. */
static bool is_maximum(const struct planes *picture, const struct planes *other, int32_t x,
                       int32_t y)
{
    const int32_t own = excess(picture, other, x, y);
    for (int32_t j = y - 1; j <= y + 1; j++)
        for (int32_t i = x - 1; i <= x + 1; i++) {
            if (!inside(picture, i, j) || (i == x && j == y))
                continue;
            const bool earlier = j < y || (j == y && i < x);
            const int32_t more = excess(picture, other, i, j);
            if (more > own || (earlier && more == own) || -3 * more >= own)
                return false;
        }
    return true;
}

int32_t stars_alone(const struct planes *picture, const struct planes *other, int32_t x, int32_t y,
                    int32_t least)
{
    int32_t value, more;
    if (excess(picture, other, x, y) < least || !is_maximum(picture, other, x, y))
        return 0;
    surroundings(picture, other, x, y, &value, &more);
    const int32_t gone = excess(picture, other, x, y) - more;
    const int32_t contrast = brightest(picture, x, y) - value;
    return gone >= least && 2 * gone >= contrast ? gone : 0;
}
