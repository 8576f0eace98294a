/* A small run of two simulations with everything that a run can have. For tests only. */
#pragma once

#include "sim/run/run.h"

enum { FIXTURE_BODIES = 9, FIXTURE_FRAMES = 6 };

/* What the run is; the caller or a run owns it. */
struct run_about run_fixture_about(uint32_t every);
/* Adds frames from run_count on up to before `end`. */
enum status run_fixture_add(struct run *run, uint64_t from, uint64_t end);
/* A number of frame f in simulation s, as run_fixture_add has it. */
float run_fixture_number(int simulation, uint64_t frame, size_t index);
