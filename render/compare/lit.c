#include "render/compare/lit.h"

#include "base/functions/fn.h"

#include <math.h>
#include <stddef.h>
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

/* ---- lit ---- */

enum {
    SIDE = PLANES_TILE,
    CODE = 16,   /* luma has 12 bits */
    DIM = 8,     /* codes; parts of less have no certain brightness */
    BRIGHT = 17, /* codes; a coarse encoder leaves the layout of such contrast as it is */
    BLOCK = 4,   /* pixels */
    PART = 8,    /* pixels */
    WINDOW = 16, /* pixels */
};

/* The least colour of a part, in codes. An encoder rounds paler colours to a code or two, which
 * turns them at will. */
static const double PALE = 3.5;

/* With fewer coloured parts in a frame, an encoder's noise turns the colour of all. */
static const double FEW = 1;

/* Degrees of doubt where an encoder changed the luma by as much as there is colour. It rounds
 * chroma as coarsely as luma, which turns colours, the more the paler they are; the coarseness is
 * measured in the luma because a turned hue leaves it as it is. */
static const double DOUBT = 10;

static const double STEP = 0.005; /* of the changes of brightness */

struct luma {
    int32_t code[SIDE][SIDE];
    int32_t block[SIDE / BLOCK][SIDE / BLOCK]; /* sums */
};

static uint32_t least_of(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static int32_t largest(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* Linear light of a sample, as in tile_sums.light. */
static inline int32_t light_of(uint16_t sample)
{
    const float light = tile_light((float)(int32_t)sample * (1 / 65535.0f));
    return (int32_t)((light > 0 ? light : 0) * (float)TILE_WHITE + 0.5f);
}

static void add_light(struct lit_frame *frame, const struct planes *a, const struct planes *b,
                      size_t at, uint32_t count, uint16_t least)
{
    const struct planes *const both[2] = {a, b};
    int32_t lit[SIDE], any = 0;
    for (uint32_t i = 0; i < count; i++) {
        int32_t most = 0;
        for (int c = 0; c < 3; c++)
            most = largest(most, largest(a->channel[c][at + i], b->channel[c][at + i]));
        lit[i] = most >= least ? -1 : 0;
        any |= lit[i];
    }
    for (int side = 0; side < 2 && any; side++)
        for (int c = 0; c < 3; c++) {
            const uint16_t *from = both[side]->channel[c] + at;
            int32_t sum = 0;
            for (uint32_t i = 0; i < count; i++)
                sum += light_of(from[i]) & lit[i];
            frame->light[side][c] += (uint64_t)sum;
        }
}

/* Beyond the picture's edge everything is 0. */
static void fill_luma(struct luma *luma, const struct planes *planes, size_t at)
{
    for (size_t y = 0; y < SIDE; y++) {
        const size_t row = at + y * planes->stride;
        for (size_t x = 0; x < SIDE; x++)
            luma->code[y][x] =
                (54 * planes->channel[0][row + x] + 183 * planes->channel[1][row + x] +
                 19 * planes->channel[2][row + x]) >>
                12;
    }
    for (int j = 0; j < SIDE / BLOCK; j++)
        for (int i = 0; i < SIDE / BLOCK; i++) {
            int32_t sum = 0;
            for (int y = 0; y < BLOCK; y++)
                for (int x = 0; x < BLOCK; x++)
                    sum += luma->code[j * BLOCK + y][i * BLOCK + x];
            luma->block[j][i] = sum;
        }
}

static double detail_of(const struct luma *luma)
{
    uint64_t sum = 0;
    for (int y = 1; y < SIDE; y++) {
        uint32_t line = 0;
        for (int x = 1; x < SIDE; x++) {
            const int32_t across = luma->code[y][x] - luma->code[y][x - 1],
                          down = luma->code[y][x] - luma->code[y - 1][x];
            line += (uint32_t)(across * across) + (uint32_t)(down * down);
        }
        sum += line;
    }
    return (double)sum;
}

static void add_brightness(struct lit *lit, const struct luma *a, const struct luma *b)
{
    for (int j = 0; j < SIDE / BLOCK; j += PART / BLOCK)
        for (int i = 0; i < SIDE / BLOCK; i += PART / BLOCK) {
            double sum[2] = {0};
            for (int y = j; y < j + PART / BLOCK; y++)
                for (int x = i; x < i + PART / BLOCK; x++) {
                    sum[0] += a->block[y][x];
                    sum[1] += b->block[y][x];
                }
            if (sum[0] + sum[1] < 2 * DIM * CODE * PART * PART || sum[0] == 0)
                continue;
            const double most = STEP * (LIT_BINS / 2),
                         change = fmin(fmax((sum[1] - sum[0]) / sum[0], -most), most);
            const double square = sum[0] * sum[0];
            lit->brightness[(int)floor((change + most) / STEP + 0.5)] += square * square;
        }
}

/* Returns the mean colour of the part at `at`. */
static void colour_of(const struct planes *planes, size_t at, double z[2])
{
    double mean[3];
    for (int c = 0; c < 3; c++) {
        uint32_t sum = 0;
        for (size_t y = 0; y < PART; y++)
            for (size_t x = 0; x < PART; x++)
                sum += planes->channel[c][at + y * planes->stride + x];
        mean[c] = sum / (257.0 * PART * PART);
    }
    const double luma = 0.2126 * mean[0] + 0.7152 * mean[1] + 0.0722 * mean[2];
    z[0] = (mean[2] - luma) / 1.8556;
    z[1] = (mean[0] - luma) / 1.5748;
}

/* Returns the mean squared difference of the luma of a part, in codes. */
static double noise_of(const struct luma *a, const struct luma *b, size_t y, size_t x)
{
    double sum = 0;
    for (size_t j = y; j < y + PART; j++)
        for (size_t i = x; i < x + PART; i++) {
            const double d = b->code[j][i] - a->code[j][i];
            sum += d * d;
        }
    return sum / (CODE * CODE * PART * PART);
}

static void add_colour(struct lit_colour *colour, const double a[2], const double b[2],
                       double noise)
{
    colour->parts++;
    colour->square += a[0] * a[0] + a[1] * a[1];
    colour->turned[0] += a[0] * b[0] + a[1] * b[1];
    colour->turned[1] += a[0] * b[1] - a[1] * b[0];
    colour->noise += noise;
}

/* Beyond the picture's edge everything is 0. */
static void add_colours(struct lit *lit, const struct planes *a, const struct planes *b,
                        size_t at_a, size_t at_b, const struct luma luma[2])
{
    for (size_t y = 0; y < SIDE; y += PART)
        for (size_t x = 0; x < SIDE; x += PART) {
            double za[2], zb[2];
            colour_of(a, at_a + y * a->stride + x, za);
            const double square = (za[0] * za[0] + za[1] * za[1]) / (PALE * PALE);
            if (square < 1)
                continue;
            int strength = 0;
            while (strength + 1 < LIT_COLOURS && square >= 2 << strength)
                strength++;
            colour_of(b, at_b + y * b->stride + x, zb);
            add_colour(&lit->colour[strength], za, zb, noise_of(&luma[0], &luma[1], y, x));
        }
}

static void add_window(struct lit *lit, const struct luma *a, const struct luma *b, int j, int i)
{
    const int n = WINDOW / BLOCK * (WINDOW / BLOCK);
    double in_a = 0, in_b = 0, aa = 0, bb = 0, ab = 0;
    for (int y = j; y < j + WINDOW / BLOCK; y++)
        for (int x = i; x < i + WINDOW / BLOCK; x++) {
            const double va = (double)a->block[y][x] / (BLOCK * BLOCK),
                         vb = (double)b->block[y][x] / (BLOCK * BLOCK);
            in_a += va;
            in_b += vb;
            aa += va * va;
            bb += vb * vb;
            ab += va * vb;
        }
    const double var_a = (aa - in_a * in_a / n) / n, var_b = (bb - in_b * in_b / n) / n,
                 common = (ab - in_a * in_b / n) / n;
    if (fmax(var_a, var_b) < BRIGHT * CODE * BRIGHT * CODE)
        return;
    const bool related = fmin(var_a, var_b) > CODE * CODE / 4.0 && common > 0;
    lit->layout[0] += related ? 1 - common * common / (var_a * var_b) : 1;
    lit->layout[1]++;
}

void lit_tile(struct lit_frame *frame, const struct planes *a, const struct planes *b, uint32_t x,
              uint32_t y, uint16_t least)
{
    const size_t at_a = (size_t)y * a->stride + x, at_b = (size_t)y * b->stride + x;
    const uint32_t below = least_of(y + SIDE, a->height) - y;
    struct luma luma[2];
    for (uint32_t row = 0; row < below; row++)
        add_light(frame, a, b, at_a + (size_t)row * a->stride, least_of(SIDE, a->width - x), least);
    fill_luma(&luma[0], a, at_a);
    fill_luma(&luma[1], b, at_b);
    add_colours(&frame->lit, a, b, at_a, at_b, luma);
    for (int side = 0; side < 2; side++)
        frame->lit.detail[side] += detail_of(&luma[side]);
    add_brightness(&frame->lit, &luma[0], &luma[1]);
    for (int j = 0; j < SIDE / BLOCK; j += WINDOW / BLOCK)
        for (int i = 0; i < SIDE / BLOCK; i += WINDOW / BLOCK)
            add_window(&frame->lit, &luma[0], &luma[1], j, i);
}

void lit_shifted(struct lit *lit, double across, double down, double difference)
{
    /* the gradient of the mean of both pictures, in codes per block */
    const double x = across / 4, y = down / 4;
    lit->xx += x * x;
    lit->xy += x * y;
    lit->yy += y * y;
    lit->x += x * difference;
    lit->y += y * difference;
}

void lit_finish(struct lit_frame *frame)
{
    frame->lit.frames = 1;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < 3; c++)
            frame->lit.light[side][c] = (double)frame->light[side][c] / TILE_WHITE;
}

void lit_add(struct lit *sum, const struct lit *one)
{
    const double *from = (const double *)one;
    double *to = (double *)sum;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

static double change(double a, double b)
{
    return a > 0 ? 100 * (b - a) / a : NAN;
}

static double luminance(const double rgb[3])
{
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
}

double lit_light(const struct lit *lit)
{
    return change(luminance(lit->light[0]), luminance(lit->light[1]));
}

double lit_channel(const struct lit *lit, int channel)
{
    return change(lit->light[0][channel], lit->light[1][channel]);
}

double lit_brightness(const struct lit *lit)
{
    double all = 0, below = 0;
    for (int i = 0; i < LIT_BINS; i++)
        all += lit->brightness[i];
    for (int i = 0; i < LIT_BINS && all > 0; i++) {
        const double here = lit->brightness[i];
        if (here > 0 && below + here >= all / 2)
            return 100 * STEP * (i - LIT_BINS / 2 - 0.5 + (all / 2 - below) / here);
        below += here;
    }
    return NAN;
}

/* Sums the strongest colours, of which there must be enough; false: there are too few. */
static bool best(const struct lit *lit, struct lit_colour *sum)
{
    *sum = (struct lit_colour){0};
    for (int i = LIT_COLOURS - 1; i >= 0; i--) {
        const struct lit_colour *one = &lit->colour[i];
        sum->parts += one->parts;
        sum->square += one->square;
        sum->turned[0] += one->turned[0];
        sum->turned[1] += one->turned[1];
        sum->noise += one->noise;
        if (sum->parts > 0 && sum->parts >= FEW * lit->frames)
            return true;
    }
    return false;
}

double lit_doubt(const struct lit *lit)
{
    struct lit_colour sum;
    return best(lit, &sum) ? DOUBT * sum.noise / sum.square : NAN;
}

double lit_hue(const struct lit *lit)
{
    struct lit_colour sum;
    if (!best(lit, &sum))
        return NAN;
    return fabs(fn_atan2(sum.turned[1], sum.turned[0])) * 180 / M_PI;
}

double lit_saturation(const struct lit *lit)
{
    struct lit_colour sum;
    return best(lit, &sum) ? 100 * (fn_hypot(sum.turned[0], sum.turned[1]) / sum.square - 1) : NAN;
}

double lit_detail(const struct lit *lit)
{
    return change(lit->detail[0], lit->detail[1]);
}

double lit_layout(const struct lit *lit)
{
    return lit->layout[1] > 0 ? lit->layout[0] / lit->layout[1] : NAN;
}

double lit_shift(const struct lit *lit)
{
    const double determinant = lit->xx * lit->yy - lit->xy * lit->xy;
    if (!(determinant > 1e-6 * lit->xx * lit->yy))
        return NAN;
    return BLOCK * fn_hypot((lit->yy * lit->x - lit->xy * lit->y) / determinant,
                            (lit->xx * lit->y - lit->xy * lit->x) / determinant);
}
