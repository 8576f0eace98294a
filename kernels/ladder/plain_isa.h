/* The plain loop, one thread per processor, as the compiler translates it for each instruction
 * set. */
#pragma once

#include "kernels/ladder/rung.h"

typedef void ladder_plain(const struct ladder_bodies *bodies);

ladder_plain ladder_plain_baseline, ladder_plain_neon, ladder_plain_avx2, ladder_plain_avx512;
