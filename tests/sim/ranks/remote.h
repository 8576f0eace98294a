/* Solvers of all ranks for tests that one process runs: with the linker's --wrap=solver_open, a
 * solver that rank 0 opens is one of all ranks, where rank 0 has all bodies, and each of its
 * functions is a task (tests/support/programs/tasks.h) in which every rank calls that function. */
#pragma once

#include "sim/solver/solver.h"
#include "tests/support/programs/tasks.h"

bool solver_is_remote(const struct solver *solver);

extern const struct ranks_task remote_task;
