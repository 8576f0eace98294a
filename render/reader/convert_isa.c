/* Compiled once per instruction set (render/picture/lanes.h). */
#include "render/reader/convert.h"
#include "render/picture/lanes.h"

typedef uint8_t bytes __attribute__((vector_size(LANES)));
typedef uint16_t half __attribute__((vector_size(LANES)));

enum { SIGN = 0x8000, HALF = 1 << (CONVERT_BITS - 1) };

/* A factor for each of two samples, split into high * 256 + low. */
struct pair {
    lanes high, low;
};

struct factors {
    struct pair red, green_blue, green_red, blue;
};

LANES_INLINE struct pair pair_of(int32_t first, int32_t second)
{
    return (struct pair){
        lanes_both((int16_t)(first >> 8), (int16_t)(second >> 8)),
        lanes_both((int16_t)(first & 255), (int16_t)(second & 255)),
    };
}

LANES_INLINE lanes_wide weigh(lanes samples, const struct pair *by)
{
    return (lanes_dot(samples, by->high) << 8) + lanes_dot(samples, by->low);
}

/* Rounds and clamps. */
LANES_INLINE lanes code(lanes_wide low, lanes_wide high)
{
    const int32_t offset = HALF - (SIGN << CONVERT_BITS);
    return lanes_pack((low + offset) >> CONVERT_BITS, (high + offset) >> CONVERT_BITS) ^
           lanes_all(SIGN);
}

LANES_INLINE lanes read_luma(const uint8_t *from)
{
    bytes samples;
    memcpy(&samples, from, sizeof samples);
    return __builtin_convertvector(samples, lanes);
}

LANES_INLINE lanes_wide read_half(const uint16_t *from)
{
    half samples;
    memcpy(&samples, from, sizeof samples);
    return __builtin_convertvector(samples, lanes_wide);
}

/* In eighths. */
LANES_INLINE lanes read_chroma(const uint16_t *from, size_t x, bool halved)
{
    if (!halved)
        return lanes_load(from + x) * 2;
    const lanes_wide here = read_half(from + x / 2), next = read_half(from + x / 2 + 1);
    return (lanes)(here | here << 16) + (lanes)(here | next << 16);
}

LANES_INLINE void convert(lanes luma, lanes blue, lanes red, const struct factors *by,
                          uint16_t *const rgb[3], size_t x)
{
    const lanes red_low = lanes_low(luma, red), red_high = lanes_high(luma, red);
    const lanes blue_low = lanes_low(luma, blue), blue_high = lanes_high(luma, blue);
    const lanes zero = lanes_all(0);
    lanes_store(rgb[0] + x, code(weigh(red_low, &by->red), weigh(red_high, &by->red)));
    lanes_store(
        rgb[1] + x,
        code(weigh(blue_low, &by->green_blue) + weigh(lanes_low(red, zero), &by->green_red),
             weigh(blue_high, &by->green_blue) + weigh(lanes_high(red, zero), &by->green_red)));
    lanes_store(rgb[2] + x, code(weigh(blue_low, &by->blue), weigh(blue_high, &by->blue)));
}

void OF_ISA(convert_row)(const struct convert_row *row, const struct convert_factors *factors,
                         size_t count, uint16_t *const rgb[3])
{
    const struct factors by = {.red = pair_of(factors->luma, factors->red),
                               .green_blue = pair_of(factors->luma, factors->green_blue),
                               .green_red = pair_of(factors->green_red, 0),
                               .blue = pair_of(factors->luma, factors->blue)};
    const lanes black = lanes_all((uint16_t)factors->black), grey = lanes_all(8 * 128);
    const size_t whole = count - count % LANES, rest = count - whole;
    for (size_t x = 0; x < whole; x += LANES)
        convert(read_luma(row->luma + x) - black, read_chroma(row->blue, x, row->halved) - grey,
                read_chroma(row->red, x, row->halved) - grey, &by, rgb, x);
    if (rest == 0)
        return;
    uint8_t luma[LANES] = {0};
    uint16_t apart[3][LANES];
    uint16_t *const to[3] = {apart[0], apart[1], apart[2]};
    memcpy(luma, row->luma + whole, rest);
    convert(read_luma(luma) - black, read_chroma(row->blue, whole, row->halved) - grey,
            read_chroma(row->red, whole, row->halved) - grey, &by, to, 0);
    for (int c = 0; c < 3; c++)
        memcpy(rgb[c] + whole, apart[c], rest * sizeof *apart[c]);
}
