/* Distances to neighbours for the views of the CUDA solver. */
#pragma once

#include "sim/solver/cuda/state.h"

/* Allocates the device memory for the search, unless it is allocated already. STATUS_RUNTIME: out
 * of memory. */
enum status cuda_near_open(struct cuda *cuda);
/* Launches the search; the results go into the view's COLUMN_DISTANCE and, if it has one, its
 * COLUMN_DISPERSION. */
enum status cuda_near_find(struct cuda *cuda, struct view *view);
/* Makes the solver's stream wait for the last search, which may still read the last view. */
enum status cuda_near_wait(struct cuda *cuda);
void cuda_near_close(struct cuda *cuda);
