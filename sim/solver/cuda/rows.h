/* The contents of a CUDA solver's rows besides positions: masses, halves, and the order of the
 * bodies. */
#pragma once

#include "sim/solver/cuda/state.h"

/* Uses the solver's masses and tiles. halves: [padded] in the order of the bodies, or NULL. */
enum status cuda_fill_rows(struct cuda *cuda, const void *halves);
