#include "sim/solver/cuda/cuda.h"
#include "sim/solver/cuda/blocks.h"
#include "sim/solver/cuda/device.h"
#include "sim/solver/cuda/force.h"
#include "sim/solver/cuda/graph.h"
#include "sim/solver/cuda/open.h"
#include "sim/solver/cuda/state.h"
#include "sim/solver/cuda/view.h"

const struct solver_ops solver_cuda = {
    .name = "cuda",
    .doc = "an NVIDIA GPU",
    .views = VIEW_CUDA,
    .numbered = true,
    .probe = cuda_probe,
    .describe = cuda_describe,
    .open = cuda_open,
    .accelerate = cuda_accelerate,
    .kick = cuda_kick,
    .drift = cuda_drift,
    .damp = cuda_damp,
    .repeat = cuda_repeat,
    .blocks = &cuda_blocks,
    .keep = cuda_keep,
    .restore = cuda_restore,
    .potential = cuda_potential,
    .save = cuda_save,
    .load = cuda_load,
    .find_broken = cuda_find_broken,
    .accelerations = cuda_accelerations,
    .largest = cuda_largest,
    .view_create = cuda_view_create,
    .view_fill = cuda_view_fill,
    .view_read = cuda_view_read,
    .view_destroy = cuda_view_destroy,
    .memory = cuda_memory,
    .close = cuda_close,
};
