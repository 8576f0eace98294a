/* The order of the rows of a CUDA solver. Bodies are sorted on the host, for which some
 * milliseconds are enough: new tiles are needed once in many steps. */
#ifndef SIM_SOLVER_CUDA_ARRANGE_H
#define SIM_SOLVER_CUDA_ARRANGE_H

#include "sim/solver/cuda/state.h"

/* What rows have besides positions, in the order of the tiles: masses, halves and the order itself.
 * cuda_drift must follow. */
enum status cuda_fill_rows(struct cuda *cuda);

enum status cuda_arrange(struct solver *solver, const uint32_t *order); /* of struct solver_ops */

#endif
