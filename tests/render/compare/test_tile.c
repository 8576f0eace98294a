/* A tile's sums by every instruction set, against sums pixel by pixel. */
#include "tests/support/test.h"

#include "render/compare/tile.h"
#include "render/picture/pixel_isa.h"

#include <stdlib.h>
#include <string.h>

enum { STRIDE = 3 * TILE_SIDE, SAMPLES = STRIDE * TILE_SIDE, AT = TILE_SIDE };

static uint16_t samples[2][3][SAMPLES];
static struct planes a, b;
static const struct tile_params params = {12 * 257, 2 * 257, 8 * 257};

static uint32_t drawn = 1;

static uint32_t next(void)
{
    drawn = drawn * 1664525u + 1013904223u;
    return drawn >> 8;
}

static uint16_t near(int32_t value, uint32_t most)
{
    value += (int32_t)(next() % (2 * most + 1)) - (int32_t)most;
    return (uint16_t)(value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : value);
}

/* Dark or bright, equal, rounded differently, or different pixels. */
static void fill(uint32_t seed)
{
    static const uint32_t apart[] = {0, 1, 400, 520, 3000, 70000}, high[] = {500, 3200, 65535};
    drawn = seed;
    for (int c = 0; c < 3; c++) {
        a.channel[c] = samples[0][c];
        b.channel[c] = samples[1][c];
        for (int i = 0; i < SAMPLES; i++) {
            a.channel[c][i] = (uint16_t)(next() % (high[seed % 3] + 1));
            b.channel[c][i] = near(a.channel[c][i], apart[(seed + next() / 64 % 2) % 6]);
        }
    }
    a.stride = b.stride = STRIDE;
}

static int32_t luma(const struct planes *picture, size_t at)
{
    return 54 * picture->channel[0][at] + 183 * picture->channel[1][at] +
           19 * picture->channel[2][at];
}

static void add_block(struct tile_block *block, bool is_lit, bool differs, size_t at)
{
    const int32_t in_a = luma(&a, at) >> 12, in_b = luma(&b, at) >> 12, mean = (in_a + in_b) / 2;
    const int32_t of_a = differs ? in_a : mean, of_b = differs ? in_b : mean;
    block->lit = (uint16_t)(block->lit + is_lit);
    block->differs = (uint16_t)(block->differs + differs);
    block->a += of_a;
    block->b += of_b;
    block->squares += of_a * of_a + of_b * of_b;
    block->product += of_a * of_b;
}

static void add_pixel(struct tile_sums *sums, struct tile_block *block, size_t at, int32_t *line,
                      int32_t *column, uint16_t *most)
{
    int32_t largest = 0, highest = 0, more = 0;
    for (int c = 0; c < 3; c++) {
        const int32_t in_a = a.channel[c][at], in_b = b.channel[c][at];
        largest = abs(in_a - in_b) > largest ? abs(in_a - in_b) : largest;
        highest = in_a > highest ? in_a : highest;
        highest = in_b > highest ? in_b : highest;
        more += in_b - in_a;
    }
    const bool is_lit = highest >= params.lit, differs = largest > params.free;
    *line += more;
    *column += more;
    *most = (uint16_t)largest;
    sums->largest = largest > sums->largest ? (uint16_t)largest : sums->largest;
    sums->lit += is_lit;
    sums->counted += largest > params.counted;
    sums->differing += differs;
    sums->over += differs ? (uint32_t)largest : 0;
    sums->bias += is_lit ? more : 0;
    sums->light[0] += is_lit ? tile_pixel_light(&a, at) : 0;
    sums->light[1] += is_lit ? tile_pixel_light(&b, at) : 0;
    add_block(block, is_lit, differs, at);
}

static void sum_plainly(struct tile_sums *sums, struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS],
                        uint16_t most[TILE_SIDE][TILE_SIDE])
{
    int32_t columns[TILE_SIDE] = {0};
    memset(sums, 0, sizeof *sums);
    memset(blocks, 0, TILE_BLOCKS * sizeof blocks[0]);
    for (size_t y = 0; y < TILE_SIDE; y++) {
        int32_t line = 0;
        for (size_t x = 0; x < TILE_SIDE; x++)
            add_pixel(sums, &blocks[y / TILE_BLOCK][x / TILE_BLOCK], AT + y * STRIDE + x, &line,
                      &columns[x], &most[y][x]);
        sums->line = abs(line) > sums->line ? abs(line) : sums->line;
    }
    for (size_t x = 0; x < TILE_SIDE; x++)
        sums->line = abs(columns[x]) > sums->line ? abs(columns[x]) : sums->line;
}

static void assert_same(tile_sum_of *sum)
{
    for (uint32_t seed = 1; seed <= 300; seed++) {
        struct tile_sums expected, found;
        struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS], in_blocks[TILE_BLOCKS][TILE_BLOCKS];
        uint16_t most[TILE_SIDE][TILE_SIDE], in_most[TILE_SIDE][TILE_SIDE];
        fill(seed);
        sum_plainly(&expected, blocks, most);
        sum(&a, &b, AT, &params, &found, in_blocks, in_most);
        assert_int_equal(found.lit, expected.lit);
        assert_int_equal(found.counted, expected.counted);
        assert_int_equal(found.differing, expected.differing);
        assert_int_equal(found.largest, expected.largest);
        assert_int_equal(found.over, expected.over);
        assert_int_equal(found.bias, expected.bias);
        assert_int_equal(found.light[0], expected.light[0]);
        assert_int_equal(found.light[1], expected.light[1]);
        assert_int_equal(found.line, expected.line);
        assert_memory_equal(in_blocks, blocks, sizeof blocks);
        assert_memory_equal(in_most, most, sizeof most);
    }
}

TEST(every_instruction_set_sums_alike)
{
    assert_same(tile_sum);
    assert_same(ISA_LEAST_OF(tile_sum));
#ifdef ISA_HAS_AVX2
    if (ISA_HAS_AVX2)
        assert_same(tile_sum_avx2);
    if (ISA_HAS_AVX512)
        assert_same(tile_sum_avx512);
#endif
}

static void fill_all(uint16_t in_a, uint16_t in_b)
{
    for (int i = 0; i < 3 * SAMPLES; i++) {
        samples[0][i / SAMPLES][i % SAMPLES] = in_a;
        samples[1][i / SAMPLES][i % SAMPLES] = in_b;
    }
}

TEST(the_largest_sums_fit)
{
    struct tile_sums expected, found;
    struct tile_block blocks[TILE_BLOCKS][TILE_BLOCKS], in_blocks[TILE_BLOCKS][TILE_BLOCKS];
    uint16_t most[TILE_SIDE][TILE_SIDE];
    for (int turned = 0; turned < 3; turned++) {
        fill(1);
        fill_all(turned == 1 ? 0 : UINT16_MAX, turned == 0 ? 0 : UINT16_MAX);
        sum_plainly(&expected, blocks, most);
        tile_sum(&a, &b, AT, &params, &found, in_blocks, most);
        assert_int_equal(found.bias, expected.bias);
        assert_int_equal(found.line, expected.line);
        assert_int_equal(found.over, expected.over);
        assert_int_equal(found.light[0], expected.light[0]);
        assert_memory_equal(in_blocks, blocks, sizeof blocks);
    }
}

TESTS(NULL, NULL)
