/* The number of threads that the kernels use. */
#pragma once

/* Returns the number of threads a parallel loop should ask for: omp_get_max_threads(), plus one if
 * that takes every processor. GNU's OpenMP lets idle threads spin, up to some milliseconds, unless
 * there are more threads than processors; spinning slows everything that shares the processors,
 * such as the renderer and the encoder. Loops with this many threads should be scheduled
 * dynamically. */
int force_cpu_threads(void);

/* Sets the number of threads that the calling thread asks for from now on, 0: one per processor.
 * Returns the previous value. */
int force_cpu_use_threads(int threads);
