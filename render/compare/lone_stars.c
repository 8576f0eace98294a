#include "render/compare/lone_stars.h"

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

/* How much brighter this picture is than the other one. */
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

/* Whether a neighbour changed in the opposite direction by at least a third as much. */
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

struct ring {
    int32_t value[RING], more[RING]; /* brightness, and the excess over the other picture */
    size_t count;
};

/* Reads the 16 pixels at distance two. */
static void find_ring(const struct planes *picture, const struct planes *other, int32_t x,
                      int32_t y, struct ring *ring)
{
    ring->count = 0;
    for (int i = 0; i < RING; i++)
        ring->value[i] = ring->more[i] = INT32_MAX;
    for (int32_t j = -STARS_MARGIN; j <= STARS_MARGIN; j++)
        for (int32_t i = -STARS_MARGIN; i <= STARS_MARGIN; i++) {
            if ((abs(i) < STARS_MARGIN && abs(j) < STARS_MARGIN) || !inside(picture, x + i, y + j))
                continue;
            ring->value[ring->count] = brightest(picture, x + i, y + j);
            ring->more[ring->count++] = excess(picture, other, x + i, y + j);
        }
}

/* Whether the median, the upper one of an even count, is at most the bound; pads with INT32_MAX. */
static bool is_median_within(const int32_t values[RING], size_t count, int32_t bound)
{
    uint32_t within = 0;
    for (size_t i = 0; i < RING; i++)
        within += values[i] <= bound;
    return within > count / 2;
}

/* The median, the upper one of an even count; 0 if there are no values. */
static int32_t median(const int32_t values[RING], size_t count)
{
    int32_t found = INT32_MAX;
    for (size_t i = 0; i < count; i++)
        if (values[i] < found && is_median_within(values, count, values[i]))
            found = values[i];
    return count > 0 ? found : 0;
}

/* Ties go to the first neighbour. Light that a neighbour gained has only moved. */
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
    const int32_t own = excess(picture, other, x, y);
    if (own < least || !is_maximum(picture, other, x, y))
        return 0;
    struct ring ring;
    find_ring(picture, other, x, y, &ring);
    if (ring.count > 0 && !is_median_within(ring.more, ring.count, own - least))
        return 0;
    const int32_t gone = own - median(ring.more, ring.count);
    const int32_t contrast = brightest(picture, x, y) - median(ring.value, ring.count);
    return gone >= least && 2 * gone >= contrast ? gone : 0;
}
