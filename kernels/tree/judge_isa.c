/* Decides which cells act on a sink, and how: the opening criterion for lanes of sources. Compiled
 * once per instruction set and order of expansion (TREE_ORDER), and with KERNEL_SPLINE for spline
 * softening. */
#include "kernels/tree/tree.h"
#include "kernels/tree/tree_lanes.h"

#ifdef KERNEL_SPLINE
#define OF_SOFTENING(name) OF_ORDER(name##_spline)
#else
#define OF_SOFTENING(name) OF_ORDER(name)
#endif

typedef lanes number;
typedef lanes_int truth;

#define TREE_CRITERION static inline __attribute__((always_inline, unused))

TREE_CRITERION number larger_of(number a, number b)
{
    return choose(a > b, a, b);
}

#include "kernels/tree/criterion.h"

/* condition ? yes : no */
static inline lanes_int choose_fate(lanes_int condition, int yes, lanes_int no)
{
    return (condition & yes) | (~condition & no);
}

#if defined(__AVX2__) && !defined(__AVX512F__)
/* The numbers of a mask's bits, 4 bits each. */
#define BIT(mask, bit)                                                                             \
    (((mask) >> (bit)&1) * (uint32_t)(bit) << 4 * __builtin_popcount((mask) & ((1 << (bit)) - 1)))
#define BITS(mask)                                                                                 \
    (BIT(mask, 1) | BIT(mask, 2) | BIT(mask, 3) | BIT(mask, 4) | BIT(mask, 5) | BIT(mask, 6) |     \
     BIT(mask, 7))
#define BITS_4(mask)  BITS(mask), BITS((mask) + 1), BITS((mask) + 2), BITS((mask) + 3)
#define BITS_16(mask) BITS_4(mask), BITS_4((mask) + 4), BITS_4((mask) + 8), BITS_4((mask) + 12)
#define BITS_64(mask)                                                                              \
    BITS_16(mask), BITS_16((mask) + 16), BITS_16((mask) + 32), BITS_16((mask) + 48)
static const uint32_t bits_of[256] = {BITS_64(0), BITS_64(64), BITS_64(128), BITS_64(192)};

static inline __m256i compress(unsigned mask, __m256i cells)
{
    const __m256i shift = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i from = _mm256_srlv_epi32(_mm256_set1_epi32((int)bits_of[mask]), shift);
    return _mm256_permutevar8x32_epi32(cells, from);
}
#endif

/* Appends the first `count` cells to the lists of their fates. */
static inline void sort_out(lanes_int fate, const uint32_t *from, size_t count,
                            struct tree_list *const fates[TREE_FATES])
{
#if defined(__AVX512F__)
    const __mmask16 valid = (__mmask16)(count < LANES ? (1 << count) - 1 : -1);
    const __m512i cells = _mm512_loadu_si512(from);
    for (int f = 0; f < TREE_FATES; f++) {
        struct tree_list *to = fates[f];
        __mmask16 mask = _mm512_mask_cmpeq_epi32_mask(valid, (__m512i)fate, _mm512_set1_epi32(f));
        _mm512_storeu_si512(to->item + to->count, _mm512_maskz_compress_epi32(mask, cells));
        to->count += (size_t)__builtin_popcount(mask);
    }
#elif defined(__AVX2__)
    const unsigned valid = count < LANES ? (1U << count) - 1 : (1U << LANES) - 1;
    const __m256i cells = _mm256_loadu_si256((const __m256i *)from);
    for (int f = 0; f < TREE_FATES; f++) {
        struct tree_list *to = fates[f];
        const __m256i same = _mm256_cmpeq_epi32((__m256i)fate, _mm256_set1_epi32(f));
        const unsigned mask = (unsigned)_mm256_movemask_ps((__m256)same) & valid;
        _mm256_storeu_si256((__m256i *)(to->item + to->count), compress(mask, cells));
        to->count += (size_t)__builtin_popcount(mask);
    }
#else
    for (size_t l = 0; l < LANES && l < count; l++) {
        struct tree_list *to = fates[fate[l]];
        to->item[to->count++] = from[l];
    }
#endif
}

void OF_SOFTENING(tree_judge)(const struct tree_place *places, uint32_t sink, struct tree_rule rule,
                              size_t count, uint32_t *list,
                              struct tree_list *const fates[TREE_FATES])
{
    const struct tree_place *b = places + sink;
    const lanes none = {0}, own_radius = none + b->radius, own_mass = none + b->mass;
    const lanes own_half = none + b->half, own_spread = none + b->spread;
    lanes own_power[TREE_POWERS - 2];
    for (int k = 0; k < TREE_POWERS - 2; k++)
        own_power[k] = none + b->power[k];
    for (int l = 0; l < LANES; l++)
        list[count + (size_t)l] = sink;
    for (size_t i = 0; i < count; i += LANES) {
        lanes at[16];
        transpose(places->hi, sizeof *places / sizeof(float), list + i, at);
        lanes dx = (b->hi[0] - at[HI]) + (b->lo[0] - at[LO]);
        lanes dy = (b->hi[1] - at[HI + 1]) + (b->lo[1] - at[LO + 1]);
        lanes dz = (b->hi[2] - at[HI + 2]) + (b->lo[2] - at[LO + 2]);
        lanes d2 = dx * dx + dy * dy + dz * dz;
#ifdef KERNEL_SPLINE
        lanes r2 = d2;
#else
        lanes r2 = softened_distance2(
            d2, rule.mixed ? least_softening(at[HALF], at[SPREAD], own_half, own_spread)
                           : none + rule.softening2);
#endif
        lanes inverse = inverse_root(r2); /* infinite or NaN for a cell with itself; the test below
                                           * rejects it */
        lanes t = at[RADIUS] * inverse, s = own_radius * inverse;
        lanes_int source;
        lanes_int good =
            outside_each_other(d2, at[RADIUS], own_radius) | points(at[RADIUS], own_radius);
        if (rule.opening > 0)
            good &= t + s < rule.opening;
        else
            good &= (t + s < TREE_CLOSEST) &
                    error_holds(TREE_ORDER, r2, t, s, at[MASS], at + POWER, none + b->hold) &
                    error_holds(TREE_ORDER, r2, s, t, own_mass, own_power, at[HOLD]);
#ifdef KERNEL_SPLINE
        good &= beyond_support(r2, t, s, at[HALF], at[SPREAD], own_half, own_spread);
#else
        good &= alike_in_softening(r2, at[SPREAD], own_spread, rule.soft);
#endif
        memcpy(&source, list + i, sizeof source);
        lanes_int own_leaf = none + b->leaf > 0;
        lanes_int leaves = own_leaf & (at[LEAF] > 0);
        lanes_int met = leaves & (~good | (at[LEAF] * b->leaf <= (float)TREE_FEW));
        lanes_int larger =
            (at[RADIUS] > b->radius) | ((at[RADIUS] == b->radius) & (source < (int)sink));
        lanes_int opened = own_leaf | (~(at[LEAF] > 0) & larger);
#ifdef KERNEL_SPLINE
        lanes eps2 = none;
#else
        lanes eps2 = rule.mixed ? at[HALF] + own_half : none + rule.softening2;
#endif
        lanes_int none_joined = choose_fate(opened, TREE_OPENED, (lanes_int){0} + TREE_LEFT);
        lanes_int all_joined =
            choose_fate(eps2 <= rule.flat * d2, TREE_JOINED, (lanes_int){0} + TREE_JOINED_SOFT);
        lanes_int fate = (good & all_joined) | (~good & none_joined);
        sort_out(choose_fate(met, TREE_MET, fate), list + i, count - i, fates);
    }
}
