/* Distances to neighbours on a CUDA device, bit for bit those of sim/gravity/tree/neighbours.h:
 * both compute a distance with IEEE operations in double precision and pick the k-th smallest.
 *
 * Bodies in the order of Hilbert's curve form chunks of 32, with boxes around each chunk, boxes
 * around 32 boxes, and so on. One warp per chunk searches a little farther than the distances found
 * last: it lists the chunks that its bodies reach together, takes four bodies at a time, eight
 * lanes for each, and picks the k-th nearest of the candidates. Bodies that this fails for, and all
 * bodies in a first search, are searched one per lane in all boxes that may hold a nearer body. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct neighbours_cuda_plan {
    size_t bodies; /* number of bodies that take part */
    unsigned k;
    size_t sort_bytes, bytes; /* scratch memory of sorting; all of `work` */
};

/* bodies: > 0 and below 2^31; k: from 1 to 64. Returns a cudaError_t. */
int neighbours_cuda_plan(size_t bodies, unsigned k, struct neighbours_cuda_plan *plan);

/* Only launches. position: x y z of all `count` bodies. of: the plan->bodies bodies that take part,
 * NULL: all. last [plan->bodies]: the distances found last, all zero before the first search; they
 * make a search faster but do not change its result. work: plan->bytes of device memory, which may
 * hold anything before. distance [count]: the distance to the k-th nearest other body; INFINITY if
 * there are too few bodies, and for a body that does not take part. */
int neighbours_cuda_find(const struct neighbours_cuda_plan *plan, size_t count,
                         const double *position, const unsigned *of, float *last, void *work,
                         float *distance, void *stream);

/* Call after neighbours_cuda_find of `distance` with the same work; only launches. velocity
 * [count][4]: vx vy vz and another number. dispersion [count]: see COLUMN_DISPERSION in sim/view.h;
 * sums are in double precision in an order that depends on the positions alone; 0 for a body that
 * does not take part. */
int neighbours_cuda_dispersion(const struct neighbours_cuda_plan *plan, size_t count,
                               const float *velocity, const unsigned *of, void *work,
                               const float *distance, float *dispersion, void *stream);

enum {
    NEIGHBOURS_CUDA_PARTS = 64,
    NEIGHBOURS_CUDA_BLOCK = 2048, /* bodies that are close together in an order */
};

/* x y z m, vx vy vz 0 and the distance of bodies. */
struct neighbours_cuda_rows {
    float *position, *velocity, *distance;
};

/* Call after neighbours_cuda_find and neighbours_cuda_dispersion with the same work, which must be
 * found again before either is called once more; only launches. starts [parts]: the first body of
 * each part, ascending from 0; parts <= NEIGHBOURS_CUDA_PARTS. Sets order [count] for the bodies
 * that take part, of each part in the order of Hilbert's curve, but in each whole block every 64th
 * body follows another, so that 32 threads side by side have bodies that are apart. along [count]:
 * the rows of body order[i] at place i. Other places are left unchanged. */
int neighbours_cuda_order(const struct neighbours_cuda_plan *plan, const unsigned *of,
                          const unsigned *starts, unsigned parts, void *work,
                          const struct neighbours_cuda_rows *rows, unsigned *order,
                          const struct neighbours_cuda_rows *along, void *stream);

#ifdef __cplusplus
}
#endif
