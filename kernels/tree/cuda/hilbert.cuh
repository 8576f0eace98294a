/* Bodies in the order of Hilbert's curve: what follows one another is close together. */
#ifndef KERNELS_TREE_CUDA_HILBERT_CUH
#define KERNELS_TREE_CUDA_HILBERT_CUH

#include <cuda_runtime_api.h>

struct hilbert_frame {
    double centre[3], scale;
};

/* Device memory; [1] of the pairs is what comes out. */
struct hilbert_space {
    hilbert_frame *frame;
    unsigned long long *key[2]; /* [bodies] */
    unsigned *body[2];          /* [bodies]; [1]: which of them is at a place of the order */
    void *scratch;
    size_t scratch_bytes;
};

/* Takes room for them by take(&pointer, bytes). */
template <class TAKE>
static void hilbert_take(hilbert_space *space, size_t bodies, size_t scratch_bytes,
                         const TAKE &take)
{
    char *scratch = NULL;
    take(&space->frame, sizeof *space->frame);
    for (int k = 0; k < 2; k++) {
        take(&space->key[k], bodies * sizeof *space->key[k]);
        take(&space->body[k], bodies * sizeof *space->body[k]);
    }
    take(&scratch, scratch_bytes);
    space->scratch = scratch;
    space->scratch_bytes = scratch_bytes;
}

cudaError_t hilbert_cuda_scratch(size_t bodies, size_t *bytes);

enum { HILBERT_LEVELS = 21 }; /* of keys, each of 3 bits */

/* Only launches. position: x y z at every stride-th number; of: which ones take part, NULL: all,
 * as they are; levels: of the keys that are looked at. Bodies that these do not tell apart stay in
 * the order that they had. */
int hilbert_cuda_sort(size_t bodies, const double *position, unsigned stride, const unsigned *of,
                      int levels, const hilbert_space *space, cudaStream_t stream);

#endif
