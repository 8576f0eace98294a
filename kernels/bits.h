/* Takes numbers apart and puts them together by their bits: one text for C and CUDA. */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define KERNELS_INLINE static __host__ __device__ __forceinline__
#else
#define KERNELS_INLINE static inline
#endif

/* Inserts two zero bits between each two of the lowest 21 bits. */
KERNELS_INLINE uint64_t bits_spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

/* x = hi + lo. Works on the bits, because some compilers (gcc 12), when they vectorize two
 * conversions, take a double that went through float and back for the original double, so that lo
 * would be 0. */
KERNELS_INLINE void bits_halve(double x, float *hi, float *lo)
{
    uint64_t bits;
    double upper;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(uint64_t)0x1fffffff;
    memcpy(&upper, &bits, sizeof upper);
    *hi = (float)upper;
    *lo = (float)(x - upper);
}

/* The constants of the reciprocal square root that the exact force mode uses on every device.
 *
 * The steps are an integer guess from halving the exponent (as in the early N-body and graphics
 * codes; the constants of the guess and its Newton step are those of J. Kadlec, "Improving the fast
 * inverse square root", 2010), one Newton step without its last factor k, which leaves an error of
 * 6.5e-4, and a series for the remaining error. With x = r^2 and y = k^(-1) x^(-1/2) (1 + error):
 *
 *     y = as_float(GUESS - (as_int(x) >> 1));  y = y fma(-x, y y, NEWTON)
 *     g = fma(-x, y y, SQUARE)                 SQUARE = k^-2, so that k^2 g = h = 1 - k^2 x y^2
 *     r^-3 = (y (y y)) fma(g, fma(g, CUBE_2, CUBE_1), CUBE_0)      k^3 (1 + 3/2 h + 15/8 h^2)
 *     r^-1 = y fma(g, fma(g, ROOT_2, ROOT_1), ROOT_0)              k   (1 + 1/2 h + 3/8 h^2)
 *
 * k = 0.70388996526 is chosen so that CUBE_0 and SQUARE round to single precision with an error
 * under 1e-9: over all x the mean error is 3e-10, the RMS error 4.6e-8. Denormal numbers are
 * kept. */

#define EXACT_GUESS  0x5f1ffff9
#define EXACT_NEWTON 2.38924456f
#define EXACT_SQUARE 2.01832199f
#define EXACT_CUBE_0 0.348750085f
#define EXACT_CUBE_1 0.259188142f
#define EXACT_CUBE_2 0.160522047f
#define EXACT_ROOT_0 0.703889965f
#define EXACT_ROOT_1 0.174375042f
#define EXACT_ROOT_2 0.0647970355f
