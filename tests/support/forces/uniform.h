/* Random numbers for tests, the same each time. */
#pragma once

#include "base/random.h"

/* 0 <= x < 1, evenly. */
static inline double uniform(uint64_t *seed)
{
    *seed += SPLITMIX_STEP;
    return (double)(splitmix64(*seed) >> 11) * 0x1p-53;
}
