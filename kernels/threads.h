/* How many threads the kernels ask for. */
#ifndef KERNELS_THREADS_H
#define KERNELS_THREADS_H

/* How many threads a parallel loop should ask for: omp_get_max_threads(), and one more where that
 * takes every processor. GNU's OpenMP lets idle threads spin, up to some milliseconds, unless there
 * are more of them than processors; spinning holds up whatever shares the processors, such as the
 * renderer and the encoder. Loops with this many threads should be scheduled dynamically. */
int force_cpu_threads(void);

/* Lets the calling thread ask for that many from now on, 0: for one per processor. Returns what
 * held before. */
int force_cpu_use_threads(int threads);

#endif
