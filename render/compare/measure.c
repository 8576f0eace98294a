#include "render/compare/measure.h"

#include "base/memory.h"
#include "render/compare/tile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- colour ---- */

/* Three cone responses of both pictures, padded so that many roots are computed at once. */
enum { CONES = 3, ROOTS = 8 };

/* Cube roots of 0..2, accurate to 1e-6: Halley's method, with a first guess from the exponent. */
static void cube_roots(const float of[ROOTS], float roots[ROOTS])
{
    uint32_t bits[ROOTS];
    float v[ROOTS];
    for (int i = 0; i < ROOTS; i++)
        v[i] = of[i] > 1e-9f ? of[i] : 1e-9f;
    memcpy(bits, v, sizeof bits);
    for (int i = 0; i < ROOTS; i++)
        bits[i] = bits[i] / 3 + 0x2a5137a0;
    memcpy(roots, bits, sizeof bits);
    for (int i = 0; i < ROOTS; i++) {
        float root = roots[i];
        for (int k = 0; k < 2; k++) {
            const float cube = root * root * root;
            root *= (cube + 2 * v[i]) / (2 * cube + v[i]);
        }
        roots[i] = of[i] > 1e-9f ? root : 0;
    }
}

static float mean_light(const uint16_t *samples, size_t stride)
{
    uint32_t columns[COLOUR_SIDE] = {0}, sum = 0;
    for (size_t y = 0; y < COLOUR_SIDE; y++)
        for (size_t x = 0; x < COLOUR_SIDE; x++)
            columns[x] += samples[x + y * stride];
    for (size_t x = 0; x < COLOUR_SIDE; x++)
        sum += columns[x];
    const float light = tile_light((float)sum / (COLOUR_SIDE * COLOUR_SIDE * 65535.0f));
    return light > 0 ? light : 0;
}

static void to_cones(const struct planes *picture, size_t at, float cones[CONES])
{
    float rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = mean_light(picture->channel[c] + at, picture->stride);
    cones[0] = 0.4122214708f * rgb[0] + 0.5363325363f * rgb[1] + 0.0514459929f * rgb[2];
    cones[1] = 0.2119034982f * rgb[0] + 0.6806995451f * rgb[1] + 0.1073969566f * rgb[2];
    cones[2] = 0.0883024619f * rgb[0] + 0.2817188376f * rgb[1] + 0.6299787005f * rgb[2];
}

static void to_lab(const float roots[CONES], float lab[3])
{
    const float l = roots[0], m = roots[1], s = roots[2];
    lab[0] = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
    lab[1] = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
    lab[2] = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
}

/* Distance of the mean colours of the 8 x 8 pixels at `at` samples in each channel. Thread-safe. */
static double colour_distance(const struct planes *a, const struct planes *b, size_t at)
{
    float cones[ROOTS] = {0}, roots[ROOTS], in_a[3], in_b[3], sum = 0;
    to_cones(a, at, cones);
    to_cones(b, at, cones + CONES);
    cube_roots(cones, roots);
    to_lab(roots, in_a);
    to_lab(roots + CONES, in_b);
    for (int c = 0; c < 3; c++)
        sum += (in_a[c] - in_b[c]) * (in_a[c] - in_b[c]);
    return (double)sqrtf(sum);
}

/* ---- measure ---- */

enum { CODE = 257, BIAS_PIXELS = 4096 };

const struct measure_params measure_usual = {.lit = 12, .free = 2, .counted = 8, .star = 12};

struct position {
    int32_t x, y;
};

struct measurer {
    uint32_t width, height, columns, rows; /* columns, rows: number of tiles */
    struct tile_params params;
    double free, star; /* codes */
    size_t block_stride, blocks_size;
    struct tile_block *blocks; /* covers the whole picture, padded to tiles */
    uint8_t *moved;            /* per block */
    struct tile_sums *tiles;
    uint8_t *quiet;           /* per tile: all its differences count as black */
    struct position *counted; /* [MEASURE_COUNTED_MAX] */
    uint32_t counted_size;
    double distances, weights; /* sums of weighted colour distances, and of the weights */
    struct lit_frame frame;
    uint16_t most[TILE_SIDE][TILE_SIDE]; /* of the current tile, see tile_sum */
};

static uint16_t code(double value)
{
    const double scaled = value * CODE;
    return scaled >= UINT16_MAX ? UINT16_MAX : scaled > 0 ? (uint16_t)scaled : 0;
}

enum status measurer_open(struct measurer **out, uint32_t width, uint32_t height,
                          const struct measure_params *params)
{
    struct measurer *self = memory_new(1, sizeof *self);
    *out = self;
    self->width = width;
    self->height = height;
    self->columns = (width + TILE_SIDE - 1) / TILE_SIDE;
    self->rows = (height + TILE_SIDE - 1) / TILE_SIDE;
    self->params =
        (struct tile_params){code(params->lit), code(params->free), code(params->counted)};
    self->free = params->free;
    self->star = params->star;
    self->block_stride = (size_t)self->columns * TILE_BLOCKS;
    self->blocks_size = self->block_stride * self->rows * TILE_BLOCKS;
    const size_t tiles = (size_t)self->columns * self->rows;
    self->blocks = malloc(self->blocks_size * sizeof *self->blocks);
    self->moved = malloc(self->blocks_size);
    self->tiles = malloc(tiles * sizeof *self->tiles);
    self->quiet = malloc(tiles);
    self->counted = malloc(MEASURE_COUNTED_MAX * sizeof *self->counted);
    if (self->blocks && self->moved && self->tiles && self->quiet && self->counted)
        return STATUS_OK;
    measurer_close(out);
    return status_fail(STATUS_RUNTIME, "no memory left to compare pictures of %ux%u", width,
                       height);
}

void measurer_close(struct measurer **measurer)
{
    struct measurer *self = *measurer;
    if (!self)
        return;
    free(self->blocks);
    free(self->moved);
    free(self->tiles);
    free(self->quiet);
    free(self->counted);
    free(self);
    *measurer = NULL;
}

/* The difference of two sums of linear light, in white pixels, beyond what noise of -2 to 2 codes
 * explains at 4 standard deviations, relative to the larger sum. The derivative of the light v^2.2
 * is at most 2.2 sqrt(light), and the standard deviation of the noise is sqrt(2) codes, so the
 * standard deviation of the sum is at most 2.2 sqrt(2) / 255 times its root. */
static double measure_light_change(double a, double b)
{
    const double most = fmax(a, b), noise = 4 * 2.2 * M_SQRT2 / 255 * sqrt(most);
    return most > 0 ? fmax(fabs(a - b) - noise, 0) / most : 0;
}

void measure_equal(uint32_t width, uint32_t height, struct measure *measure)
{
    const struct measure_place nowhere = {-1, -1, 0};
    *measure = (struct measure){
        .equal = true,
        .pixels = (uint64_t)width * height,
        .largest = {.x = -1, .y = -1},
        .hard = {.x = -1, .y = -1},
        .tile_counted = nowhere,
        .tile_mean = nowhere,
        .tile_light = nowhere,
        .tile_line = nowhere,
        .light_pixel = nowhere,
        .ssim_mean = 1,
        .ssim_worst = 1,
        .ssim = nowhere,
    };
}

/* The difference of the channel that differs most. */
static int32_t difference_at(const struct planes *a, const struct planes *b, size_t at,
                             int *channel)
{
    int32_t most = -1;
    for (int c = 0; c < 3; c++) {
        const int32_t d = abs(a->channel[c][at] - b->channel[c][at]);
        *channel = d > most ? c : *channel;
        most = d > most ? d : most;
    }
    return most;
}

static void keep_pixel(struct measure_pixel *kept, const struct planes *a, const struct planes *b,
                       int32_t x, int32_t y)
{
    const size_t at = (size_t)y * a->stride + (size_t)x;
    int channel = 0;
    const double value = (double)difference_at(a, b, at, &channel) / CODE;
    if (!(value > kept->value))
        return;
    *kept = (struct measure_pixel){.x = x, .y = y, .channel = channel, .value = value};
    for (int c = 0; c < 3; c++) {
        kept->a[c] = a->channel[c][at];
        kept->b[c] = b->channel[c][at];
    }
}

static void keep_place(struct measure_place *kept, uint32_t x, uint32_t y, double value)
{
    if (value > kept->value)
        *kept = (struct measure_place){(int32_t)x, (int32_t)y, value};
}

static bool exceeds(const uint16_t row[TILE_SIDE], uint16_t bound)
{
    uint16_t most = 0;
    for (int x = 0; x < TILE_SIDE; x++)
        most = row[x] > most ? row[x] : most;
    return most > bound;
}

static void keep_counted(struct measurer *self, const uint16_t row[TILE_SIDE], uint32_t column,
                         uint32_t y)
{
    for (uint32_t x = 0; x < TILE_SIDE && self->counted_size < MEASURE_COUNTED_MAX; x++)
        if (row[x] > self->params.counted)
            self->counted[self->counted_size++] =
                (struct position){(int32_t)(column * TILE_SIDE + x), (int32_t)y};
}

/* Visits the tile's pixels that need individual treatment: the counted ones, and the largest
 * difference. Beyond the picture's edge nothing differs. */
static void visit_tile(struct measurer *self, const struct planes *a, const struct planes *b,
                       uint32_t column, uint32_t row, struct measure *measure)
{
    const struct tile_sums *sums = &self->tiles[(size_t)row * self->columns + column];
    const bool larger = (double)sums->largest / CODE > measure->largest.value;
    const uint16_t bound = larger && sums->largest <= self->params.counted
                               ? (uint16_t)(sums->largest - 1)
                               : self->params.counted;
    if (sums->counted == 0 && !larger)
        return;
    for (uint32_t y = 0; y < TILE_SIDE; y++) {
        const uint16_t *most = self->most[y];
        if (!exceeds(most, bound))
            continue;
        for (uint32_t x = 0; x < TILE_SIDE && larger; x++)
            if (most[x] == sums->largest)
                keep_pixel(&measure->largest, a, b, (int32_t)(column * TILE_SIDE + x),
                           (int32_t)(row * TILE_SIDE + y));
        if (sums->counted > 0)
            keep_counted(self, most, column, row * TILE_SIDE + y);
    }
}

static void sum_tile(struct measurer *self, const struct planes *a, const struct planes *b,
                     uint32_t column, uint32_t row)
{
    struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS];
    const size_t at = ((size_t)row * a->stride + column) * TILE_SIDE;
    tile_sum(a, b, at, &self->params, &self->tiles[(size_t)row * self->columns + column], blocks,
             self->most);
    struct tile_block *to =
        self->blocks + ((size_t)row * self->block_stride + column) * TILE_BLOCKS;
    for (size_t line = 0; line < TILE_BLOCKS; line++)
        memcpy(to + line * self->block_stride, blocks[line], sizeof blocks[line]);
}

static void skip_tile(struct measurer *self, uint32_t column, uint32_t row)
{
    self->tiles[(size_t)row * self->columns + column] = (struct tile_sums){0};
    struct tile_block *to =
        self->blocks + ((size_t)row * self->block_stride + column) * TILE_BLOCKS;
    for (size_t line = 0; line < TILE_BLOCKS; line++)
        memset(to + line * self->block_stride, 0, TILE_BLOCKS * sizeof *to);
}

/* Adds the colour distance of 8 x 8 pixels, weighted by their light. */
static void add_colour(struct measurer *self, const struct planes *a, const struct planes *b,
                       size_t x, size_t y)
{
    const float whole = COLOUR_SIDE * COLOUR_SIDE * 4095.0f;
    const struct tile_block *upper = &self->blocks[y * self->block_stride + x];
    const struct tile_block *lower = upper + self->block_stride;
    if (!(upper[0].lit | upper[1].lit | lower[0].lit | lower[1].lit))
        return;
    const int32_t in_a = upper[0].a + upper[1].a + lower[0].a + lower[1].a;
    const int32_t in_b = upper[0].b + upper[1].b + lower[0].b + lower[1].b;
    const float light = tile_light((float)(in_a > in_b ? in_a : in_b) / whole);
    const double weight = (double)fmaxf(light, 0);
    self->weights += weight;
    if (upper[0].differs | upper[1].differs | lower[0].differs | lower[1].differs)
        self->distances += weight * colour_distance(a, b, (y * a->stride + x) * TILE_BLOCK);
}

static void add_colours(struct measurer *self, const struct planes *a, const struct planes *b,
                        uint32_t row)
{
    const struct tile_sums *tiles = &self->tiles[(size_t)row * self->columns];
    const size_t begin = (size_t)row * TILE_BLOCKS;
    for (size_t y = begin; y < begin + TILE_BLOCKS; y += 2)
        for (size_t x = 0; x < self->block_stride; x += 2)
            if (tiles[x / TILE_BLOCKS].lit)
                add_colour(self, a, b, x, y);
}

void measure_row(struct measurer *self, const struct planes *a, const struct planes *b,
                 const uint8_t *needed, uint32_t row, struct measure *measure)
{
    if (row == 0) {
        measure_equal(self->width, self->height, measure);
        self->counted_size = 0;
        self->distances = self->weights = 0;
        self->frame = (struct lit_frame){0};
    }
    for (uint32_t column = 0; column < self->columns; column++) {
        const size_t at = (size_t)row * self->columns + column;
        self->quiet[at] = needed && !needed[at];
        if (!self->quiet[at]) {
            sum_tile(self, a, b, column, row);
            visit_tile(self, a, b, column, row, measure);
            self->quiet[at] = self->tiles[at].lit == 0 && self->tiles[at].differing == 0;
            if (self->tiles[at].lit > 0)
                lit_tile(&self->frame, a, b, column * TILE_SIDE, row * TILE_SIDE, self->params.lit);
        }
        if (self->quiet[at])
            skip_tile(self, column, row);
    }
    add_colours(self, a, b, row);
}

/* Blackens pixels x .. x + width - 1 of some rows. */
static void blacken_pixels(struct planes *planes, uint32_t x, uint32_t y, uint32_t width,
                           uint32_t height)
{
    for (int c = 0; c < 3; c++)
        for (uint32_t row = y; row < y + height; row++)
            memset(planes->channel[c] + row * planes->stride + x, 0, width * sizeof(uint16_t));
}

/* Blackens the part of a quiet tile that a tile's star search can see. The quiet tile is `across`
 * columns and `down` rows away. */
static void blacken_rim(const struct measurer *self, struct planes *planes, uint32_t column,
                        uint32_t row, int across, int down)
{
    const uint32_t i = column + (uint32_t)across, j = row + (uint32_t)down; /* may wrap */
    if (i >= self->columns || j >= self->rows || !self->quiet[(size_t)j * self->columns + i])
        return;
    const uint32_t width = across == 0 ? TILE_SIDE : STARS_MARGIN;
    const uint32_t height = down == 0 ? TILE_SIDE : STARS_MARGIN;
    blacken_pixels(planes, i * TILE_SIDE + (across < 0 ? TILE_SIDE - STARS_MARGIN : 0),
                   j * TILE_SIDE + (down < 0 ? TILE_SIDE - STARS_MARGIN : 0), width, height);
}

/* Blackens quiet tiles as far as the star search reads across their edges. */
static void blacken(const struct measurer *self, struct planes *planes)
{
    for (uint32_t row = 0; row < self->rows; row++)
        for (uint32_t column = 0; column < self->columns; column++)
            for (int i = 0; i < 9 && self->tiles[(size_t)row * self->columns + column].counted; i++)
                blacken_rim(self, planes, column, row, i % 3 - 1, i / 3 - 1);
}

/* Corrects the sums for a moved point: its light left one tile and one SSIM window for others. */
static void set_apart(struct measurer *self, const struct planes *a, const struct planes *b,
                      struct position at)
{
    const uint32_t x = (uint32_t)at.x, y = (uint32_t)at.y;
    struct tile_sums *tile = &self->tiles[(size_t)(y / TILE_SIDE) * self->columns + x / TILE_SIDE];
    const size_t sample = y * a->stride + x;
    tile->light[0] -= tile_pixel_light(a, sample);
    tile->light[1] -= tile_pixel_light(b, sample);
    tile->line = 0;
    self->moved[y / TILE_BLOCK * self->block_stride + x / TILE_BLOCK] = 1;
}

static void keep_star(struct measure *measure, struct position at, int32_t contrast, bool added)
{
    if (added)
        measure->added++;
    else
        measure->missing++;
    if (measure->star_count < MEASURE_STARS_MAX)
        measure->stars[measure->star_count++] =
            (struct measure_star){at.x, at.y, (double)contrast / CODE, added};
}

static bool is_lit(const struct measurer *self, const struct planes *a, const struct planes *b,
                   struct position at)
{
    const size_t sample = (size_t)at.y * a->stride + (size_t)at.x;
    for (int c = 0; c < 3; c++)
        if (a->channel[c][sample] >= self->params.lit || b->channel[c][sample] >= self->params.lit)
            return true;
    return false;
}

/* Beyond this many counted pixels, differences are not moved points. */
static void visit_counted(struct measurer *self, const struct planes *a, const struct planes *b,
                          struct measure *measure)
{
    const bool all = measure->counted <= MEASURE_COUNTED_MAX;
    memset(self->moved, 0, self->blocks_size);
    if (!all)
        measure->hard = measure->largest;
    for (uint32_t i = 0; all && i < self->counted_size; i++) {
        const struct position at = self->counted[i];
        if (is_lit(self, a, b, at) && stars_moved(a, b, at.x, at.y)) {
            set_apart(self, a, b, at);
            measure->moved++;
            continue;
        }
        keep_pixel(&measure->hard, a, b, at.x, at.y);
    }
    for (uint32_t i = 0; i < self->counted_size; i++) {
        const struct position at = self->counted[i];
        const int32_t least = (int32_t)(self->star * CODE);
        const int32_t missing = stars_alone(a, b, at.x, at.y, least);
        const int32_t added = stars_alone(b, a, at.x, at.y, least);
        if (missing > 0)
            keep_star(measure, at, missing, false);
        if (added > 0)
            keep_star(measure, at, added, true);
    }
}

static void add_tiles(const struct measurer *self, struct measure *measure)
{
    int64_t bias = 0;
    for (size_t i = 0; i < (size_t)self->columns * self->rows; i++) {
        measure->lit += self->tiles[i].lit;
        measure->counted += self->tiles[i].counted;
        bias += self->tiles[i].bias;
        for (int side = 0; side < 2; side++)
            measure->light[side] += self->tiles[i].light[side] / TILE_WHITE;
    }
    measure->bias = (double)bias / (3.0 * CODE) /
                    (double)(measure->lit > BIAS_PIXELS ? measure->lit : BIAS_PIXELS);
    measure->light_change = measure_light_change(measure->light[0], measure->light[1]);
}

static void judge_tiles(const struct measurer *self, struct measure *measure)
{
    for (uint32_t row = 0; row < self->rows; row++)
        for (uint32_t column = 0; column < self->columns; column++) {
            const struct tile_sums *tile = &self->tiles[(size_t)row * self->columns + column];
            keep_place(&measure->tile_counted, column, row, tile->counted);
            keep_place(&measure->tile_mean, column, row,
                       (double)tile->over / (CODE * TILE_SIDE * TILE_SIDE));
            const double line = (double)tile->line / (3.0 * CODE * TILE_SIDE);
            if (line > self->free)
                keep_place(&measure->tile_line, column, row, line);
            keep_place(
                &measure->tile_light, column, row,
                measure_light_change(tile->light[0] / TILE_WHITE, tile->light[1] / TILE_WHITE));
        }
}

/* SSIM of the 8 x 8 pixels that four blocks form (Wang, Bovik, Sheikh and Simoncelli 2004, K1 =
 * 0.01, K2 = 0.03). */
static double window_ssim(const struct tile_block *const four[4])
{
    const double most = 4095, c1 = 0.01 * most * 0.01 * most, c2 = 0.03 * most * 0.03 * most;
    const double n = 4 * TILE_BLOCK * TILE_BLOCK;
    int64_t a = 0, b = 0, squares = 0, product = 0;
    for (int i = 0; i < 4; i++) {
        a += four[i]->a;
        b += four[i]->b;
        squares += four[i]->squares;
        product += four[i]->product;
    }
    if (a == b && squares == 2 * product)
        return 1;
    const double mean_a = (double)a / n, mean_b = (double)b / n;
    const double means = mean_a * mean_a + mean_b * mean_b;
    const double variances = (double)squares / n - means;
    const double covariance = (double)product / n - mean_a * mean_b;
    return (2 * mean_a * mean_b + c1) * (2 * covariance + c2) / ((means + c1) * (variances + c2));
}

/* The next window, from here on, that overlaps a tile with a lit pixel. */
static size_t next_window(const struct measurer *self, size_t x, size_t y)
{
    const struct tile_sums *upper = &self->tiles[y / TILE_BLOCKS * self->columns],
                           *lower = &self->tiles[(y + 1) / TILE_BLOCKS * self->columns];
    size_t column = x / TILE_BLOCKS;
    while (column < self->columns && !(upper[column].lit | lower[column].lit))
        column++;
    const size_t begin = column * TILE_BLOCKS;
    return begin > x + 1 ? begin - 1 : x;
}

static void judge_structure(const struct measurer *self, struct measure *measure)
{
    uint64_t windows = 0;
    double sum = 0;
    measure->ssim_worst = 1;
    for (size_t y = 0; y + 1 < (size_t)self->rows * TILE_BLOCKS; y++)
        for (size_t x = next_window(self, 0, y); x + 1 < self->block_stride;
             x = next_window(self, x + 1, y)) {
            const size_t at = y * self->block_stride + x, below = at + self->block_stride;
            const struct tile_block *const four[4] = {&self->blocks[at], &self->blocks[at + 1],
                                                      &self->blocks[below],
                                                      &self->blocks[below + 1]};
            const bool moved = self->moved[at] || self->moved[at + 1] || self->moved[below] ||
                               self->moved[below + 1];
            if (moved || !(four[0]->lit | four[1]->lit | four[2]->lit | four[3]->lit))
                continue;
            windows++;
            if (!(four[0]->differs | four[1]->differs | four[2]->differs | four[3]->differs)) {
                sum += 1;
                continue;
            }
            const double ssim = window_ssim(four);
            sum += ssim;
            if (ssim < measure->ssim_worst) {
                measure->ssim_worst = ssim;
                measure->ssim =
                    (struct measure_place){(int32_t)x * TILE_BLOCK, (int32_t)y * TILE_BLOCK, ssim};
            }
        }
    measure->ssim_mean = windows > 0 ? sum / (double)windows : 1;
}

static void judge_shift(const struct measurer *self, struct lit *lit)
{
    const size_t stride = self->block_stride;
    for (size_t y = 1; y + 1 < (size_t)self->rows * TILE_BLOCKS; y++)
        for (size_t x = 1; x + 1 < stride; x++) {
            const struct tile_block *here = &self->blocks[y * stride + x], *left = here - 1,
                                    *right = here + 1, *above = here - stride,
                                    *below = here + stride;
            lit_shifted(lit, right->a + right->b - left->a - left->b,
                        below->a + below->b - above->a - above->b, here->b - here->a);
        }
}

void measure_end(struct measurer *self, struct planes *a, struct planes *b, const uint8_t *needed,
                 struct measure *measure)
{
    blacken(self, a);
    blacken(self, b);
    add_tiles(self, measure);
    visit_counted(self, a, b, measure);
    judge_tiles(self, measure);
    judge_structure(self, measure);
    judge_shift(self, &self->frame.lit);
    lit_finish(&self->frame);
    measure->lit_sums = self->frame.lit;
    measure->lit_sums.pixels = (double)measure->lit;
    measure->colour = self->weights > 0 ? 100 * self->distances / self->weights : 0;
    measure->equal = !needed && measure->largest.x < 0;
}

void measure_pictures(struct measurer *self, struct planes *a, struct planes *b,
                      const uint8_t *needed, struct measure *measure)
{
    for (uint32_t row = 0; row < self->rows; row++)
        measure_row(self, a, b, needed, row, measure);
    measure_end(self, a, b, needed, measure);
}
