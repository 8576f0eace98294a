/* Published figures of others, printed next to the measured ones. NAN: no number was published. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* "Fast N-Body Simulation with CUDA", GPU Gems 3, chapter 31 (2007): one GeForce 8800 GTX, and a
 * Core 2 Duo 6300. 20 flops per interaction. 1e9 interactions/s. */
extern const char *const published_gems3_source;
struct published_gems3 {
    size_t count;       /* number of bodies for its figures */
    double best, first; /* "more than"; without unrolling */
    double steps;       /* per second, at count */
    double two_threads; /* gain of two threads per body, at two_threads_count bodies */
    size_t two_threads_count;
    double serial, sse; /* portable C, tuned SSE */
};
extern const struct published_gems3 published_gems3;

/* Galaxy collision, class project (2008): GeForce 8600M GT, 8,192 bodies, frames/s with one step
 * per frame. By kernel; NAN for other kernels. */
extern const char *const published_evl2008_source;
double published_evl2008(const char *kernel);

/* Tree codes, measured with this project's Plummer sphere: whole steps on one H200, for RMS errors
 * of 1.5e-4 and 8.5e-4, and evaluations by two threads with AVX-512 at 4e-4. Seconds, by the
 * program's name ("Bonsai"). */
extern const char *const published_tree_source;
double published_tree(const char *program, bool cuda, size_t count, double error);

/* Block size and stride at 4,096 bodies: A100, 1e9 interactions/s. */
extern const char *const published_stride_source;
struct published_point {
    unsigned at;
    double rate;
};
extern const double published_stride_serial;
extern const struct published_point published_stride_basic[]; /* by block size; ends with at 0 */
extern const unsigned published_stride_broken; /* the block size whose launch failed; it does not
                                                * count */
double published_stride(unsigned block, unsigned stride);
