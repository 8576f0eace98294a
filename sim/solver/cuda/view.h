/* Views of a CUDA solver: in device memory, with a sample in page-locked host memory. */
#pragma once

#include "sim/solver/solver.h"

/* Verbs of struct solver_ops. */
enum status cuda_view_create(struct solver *solver, struct view **out);
enum status cuda_view_fill(struct solver *solver, struct view *view);
enum status cuda_view_read(struct solver *solver, const float *from, size_t count, float *to);
void cuda_view_destroy(struct solver *solver, struct view **view);
