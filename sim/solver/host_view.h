/* Views in host memory, for a solver whose views lie there: functions of its table. */
#pragma once

#include "sim/solver/solver.h"

enum status host_view_create(struct solver *solver, struct view **out);
enum status host_view_read(struct solver *solver, const float *from, size_t count, float *to);
void host_view_destroy(struct solver *solver, struct view **view);
