#include "kernels/ladder/plane_cuda.h"

/* Float sums of 64,000 terms and more have rounding errors near 1e-6. One Newton step from the
 * integer guess leaves an error of 1.8e-3 in the root and three times that in its cube; two steps
 * leave 4.7e-6. */
#define FLOAT_SUM 2e-5
#define ONE_STEP  8e-3
#define TWO_STEPS 4e-5

static const struct plane_rung baseline = {
    .name = "baseline",
    .idea = "the CPU's loop, one thread per body; pow(r2, 1.5) in double; every cell of the map "
            "tests every body",
    .layout = PLANE_STRUCTURES,
    .buffers = 1,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_baseline,
};

static const struct plane_rung compute = {
    .name = "+ compute",
    .idea = "one denominator per pair, sqrtf(d * d * d), no double",
    .layout = PLANE_STRUCTURES,
    .buffers = 1,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_compute,
};

static const struct plane_rung activity = {
    .name = "+ activity",
    .idea = "the cell from the position, one atomic integer addition per body",
    .layout = PLANE_STRUCTURES,
    .buffers = 1,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_activity,
};

static const struct plane_rung arrays = {
    .name = "SoA",
    .idea = "one array per attribute: neighbouring threads read neighbouring words",
    .layout = PLANE_ARRAYS,
    .buffers = 1,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_soa,
};

static const struct plane_rung read_only = {
    .name = "read only",
    .idea = "two buffers and const __restrict__ sources; one kernel per iteration",
    .layout = PLANE_ARRAYS,
    .buffers = 2,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_read_only,
};

static const struct plane_rung shared = {
    .name = "shared",
    .idea = "256 sources per block staged in shared memory, each block starting at its own tile",
    .layout = PLANE_ARRAYS,
    .buffers = 2,
    .tolerance = FLOAT_SUM,
    .launch = plane_cuda_shared,
};

static const struct plane_rung rsqrt1 = {
    .name = "rsqrt, 1 step",
    .idea = "root from the integer guess 0x5f3759df and one Newton step; error near 0.2 %",
    .layout = PLANE_ARRAYS,
    .buffers = 2,
    .tolerance = ONE_STEP,
    .launch = plane_cuda_rsqrt1,
};

static const struct plane_rung rsqrt2 = {
    .name = "rsqrt, 2 steps",
    .idea = "the same with two Newton steps; error near 1e-5",
    .layout = PLANE_ARRAYS,
    .buffers = 2,
    .tolerance = TWO_STEPS,
    .launch = plane_cuda_rsqrt2,
};

const struct plane_rung *const plane_cuda_rungs[] = {
    &baseline, &compute, &activity, &arrays, &read_only, &shared, &rsqrt1, &rsqrt2, NULL};
