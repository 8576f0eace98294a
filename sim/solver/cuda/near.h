/* The distances to neighbours in the CUDA solver's views. */
#ifndef SIM_SOLVER_CUDA_NEAR_H
#define SIM_SOLVER_CUDA_NEAR_H

#include "sim/solver/cuda/state.h"

/* Takes the device memory to find them; nothing where it is taken. STATUS_RUNTIME: there is no
 * room. */
enum status cuda_near_open(struct cuda *cuda);
/* Launches the search into the view's COLUMN_DISTANCE, and into its COLUMN_DISPERSION where it has
 * one. */
enum status cuda_near_find(struct cuda *cuda, struct view *view);
void cuda_near_close(struct cuda *cuda);

#endif
