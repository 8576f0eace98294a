/* Decides which cells act on a sink, and how: the opening criterion for lanes of sources. Compiled
 * once per instruction set and order of expansion (TREE_ORDER), and with KERNEL_SPLINE for spline
 * softening. */
#include "kernels/tree/tree_isa.h"
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

/* Appends the cells of the lanes that are taken. */
static inline void sift(lanes_int taken, const uint32_t *from, struct tree_list *to)
{
#if defined(__AVX512F__)
    __mmask16 mask = _mm512_test_epi32_mask((__m512i)taken, (__m512i)taken);
    _mm512_storeu_si512(to->item + to->count,
                        _mm512_maskz_compress_epi32(mask, _mm512_loadu_si512(from)));
    to->count += (size_t)__builtin_popcount(mask);
#else
    for (int l = 0; l < LANES; l++) {
        to->item[to->count] = from[l];
        to->count += taken[l] != 0;
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
        lanes_int source, valid = first_lanes(count - i);
        lanes_int good = outside_each_other(d2, at[RADIUS], own_radius);
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
        lanes_int opened = ~good & ~leaves & (own_leaf | (~(at[LEAF] > 0) & larger));
#ifdef KERNEL_SPLINE
        lanes eps2 = none;
#else
        lanes eps2 = rule.mixed ? at[HALF] + own_half : none + rule.softening2;
#endif
        lanes_int joined = valid & good & ~met, flat = eps2 <= rule.flat * d2;
        sift(joined & flat, list + i, fates[TREE_JOINED]);
        sift(joined & ~flat, list + i, fates[TREE_JOINED_SOFT]);
        sift(valid & met, list + i, fates[TREE_MET]);
        sift(valid & opened, list + i, fates[TREE_OPENED]);
        sift(valid & ~good & ~met & ~opened, list + i, fates[TREE_LEFT]);
    }
}
