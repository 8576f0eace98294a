#include "kernels/tree/cuda/hilbert.cuh"
#include "kernels/tree/cuda/space.cuh"

#include <math.h>

static_assert(LEVELS == HILBERT_LEVELS, "keys of the tree");

static const double REACH = 8; /* extent of keys / radius that holds nine bodies of ten */

/* Threads 256 c to 256 c + 255 handle coordinate c of the sample. */
__global__ void __launch_bounds__(3 * SAMPLE)
    hilbert_frame_kernel(size_t count, const double *__restrict__ position, unsigned stride,
                         const unsigned *__restrict__ of, hilbert_frame *frame)
{
    __shared__ double values[3][SAMPLE], found[3], aside[SAMPLE];
    const unsigned c = threadIdx.x / SAMPLE, own = threadIdx.x % SAMPLE;
    if (own == 0)
        found[c] = 0;
    const size_t step = (count + SAMPLE - 1) / SAMPLE;
    const unsigned taken = (unsigned)((count + step - 1) / step);
    const size_t place = own < taken ? step * own : 0;
    const double at = position[stride * (of ? of[place] : place) + c];
    const double centre = of_rank(at, own, taken, taken / 2, values[c], &found[c]);
    values[c][own] = fabs(at - centre);
    __syncthreads();
    if (c == 0)
        aside[own] = fmax(fmax(values[0][own], values[1][own]), values[2][own]);
    __syncthreads();
    if (own == 0) {
        frame->centre[c] = centre;
        found[c] = 0;
    }
    /* the range that holds nine bodies of ten, or all of them */
    const unsigned rank = c == 0 ? taken * 9 / 10 : taken - 1;
    const double most = of_rank(aside[own], own, taken, rank, values[c], &found[c]);
    if (threadIdx.x > 0)
        return;
    const double reach = most > 0 ? most : found[1];
    frame->scale = reach > 0 && reach < INFINITY ? 1 / (REACH * reach) : 0;
}

/* Converts coordinates of LEVELS bits into coordinates whose interleaved bits are the position
 * along Hilbert's curve. Boxes around successive bodies are smaller than with Morton's curve. J.
 * Skilling, "Programming the Hilbert curve", AIP Conf. Proc. 707, 381 (2004). */
static __device__ __forceinline__ void turn_axes(unsigned *axis)
{
    for (unsigned bit = 1u << (LEVELS - 1); bit > 1; bit >>= 1)
        for (int c = 0; c < 3; c++) {
            const unsigned below = bit - 1, swap = (axis[0] ^ axis[c]) & below;
            if (axis[c] & bit) {
                axis[0] ^= below;
            } else {
                axis[0] ^= swap;
                axis[c] ^= swap;
            }
        }
    axis[1] ^= axis[0];
    axis[2] ^= axis[1];
    unsigned all = 0;
    for (unsigned bit = 1u << (LEVELS - 1); bit > 1; bit >>= 1)
        all ^= axis[2] & bit ? bit - 1 : 0;
    for (int c = 0; c < 3; c++)
        axis[c] ^= all;
}

__global__ void __launch_bounds__(THREADS)
    hilbert_key_kernel(size_t count, const double *__restrict__ position, unsigned stride,
                       const unsigned *__restrict__ of, const hilbert_frame *__restrict__ frame,
                       unsigned long long *__restrict__ key, unsigned *__restrict__ body)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned own = of ? of[i] : (unsigned)i;
    unsigned axis[3];
    for (int c = 0; c < 3; c++) {
        const double most = (1 << LEVELS) - 1;
        double at = ((position[stride * (size_t)own + c] - frame->centre[c]) * frame->scale + 1) *
                    (1 << (LEVELS - 1));
        axis[c] = at > 0 ? (unsigned)fmin(at, most) : 0;
    }
    turn_axes(axis);
    key[i] = bits_spread(axis[0]) << 2 | bits_spread(axis[1]) << 1 | bits_spread(axis[2]);
    body[i] = (unsigned)i;
}

int hilbert_cuda_sort(size_t count, const double *position, unsigned stride, const unsigned *of,
                      int levels, const hilbert_space *space, cudaStream_t stream)
{
    hilbert_frame_kernel<<<1, 3 * SAMPLE, 0, stream>>>(count, position, stride, of, space->frame);
    hilbert_key_kernel<<<blocks_for(count), THREADS, 0, stream>>>(
        count, position, stride, of, space->frame, space->key[0], space->body[0]);
    return tree_cuda_order(space->scratch, space->scratch_bytes, space->key, space->body, count,
                           LEVELS - levels, stream);
}

cudaError_t hilbert_cuda_scratch(size_t count, size_t *bytes)
{
    size_t scan_bytes;
    return tree_cuda_scratch(count, bytes, &scan_bytes);
}
