/* Device memory that the matrix-unit kernels share. */
#pragma once

#include "kernels/tensor/plan.h"
#include "kernels/tree/cuda/hilbert.cuh"

#include <cuda_runtime_api.h>

enum { UNIT = TENSOR_UNIT, LANES = 32, STRIP = 16 /* rows and columns of a product */ };

/* The range of softenings in a set of bodies: the smallest and largest eps^2 / 2 or, with splines,
 * the square of the longest support, beyond which the spline has no effect. */
struct tensor_softening {
    float least, most, support2;
};

/* The bounding box of a tile, and its units of length and mass. */
struct tensor_tile {
    double centre[3];
    float half[3], radius; /* of the box: half its sides, half its diagonal */
    unsigned heavy;        /* 1: one of its units is heavy */
    tensor_softening soft;
    float length, mass; /* powers of two, at least the radius and the largest mass */
};

struct tensor_unit {
    double centre[3]; /* of its box */
    double origin[3]; /* median in each coordinate, which a single distant body does not move */
    float half[3];
    unsigned heavy; /* 1: has a body that is near to everything */
    tensor_softening soft;
};

/* Fragments have the layout that mma.m16n8k16 reads: for each strip of 16 rows the values of each
 * lane, so that a warp reads a strip in one access. */
struct tensor_space {
    hilbert_space curve; /* row k is body curve.body[1][k] */
    struct tensor_tile *tile;
    struct tensor_unit *unit;
    uint4 *sink;     /* [rows / 16][32] left operands: x in halves */
    uint4 *source;   /* the same as right operands: -2 x */
    uint2 *weighted; /* [rows / 16][32] m x and m in two halves: right operands */
    float4 *offset;  /* [rows] x y z, from the tile's centre, eps^2 / 2 or 0 (spline) */
    float4 *beside;  /* [rows] x y z m, from the unit's origin */
    float *half;     /* [rows] eps^2 / 2 */
    float4 *moment;  /* [rows / UNIT] sums of m x and m, from the tile's centre */
    float *heavy;    /* mass above which a body is near to everything; few bodies are */
    float *slots;    /* [wave] of sinks, [groups] of sources, one of near units */
};

struct tensor_space tensor_space_of(const struct tensor_cuda_plan *plan, const void *work,
                                    size_t *bytes);

/* Finds the mass above which a body is heavy: the given fraction of the total mass. */
int tensor_cuda_weigh(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                      const double *rows, double part, cudaStream_t stream);

/* Builds the tiles, units and fragments of the bodies in the curve's order. halves: eps^2 / 2 of
 * each body, or NULL if all have `half`. */
int tensor_cuda_rows(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                     const double *rows, double half, const double *halves, bool spline,
                     cudaStream_t stream);
