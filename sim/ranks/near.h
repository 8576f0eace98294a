#pragma once
#include "base/status.h"
#include <stddef.h>
enum status ranks_near_find(const double (*position)[3], size_t count, unsigned k, int threads,
                            float *distance);
