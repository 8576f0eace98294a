#include "kernels/threads.h"

#include <omp.h>

int force_cpu_threads(void)
{
    int threads = omp_get_max_threads();
    return threads > 1 && threads >= omp_get_num_procs() ? threads + 1 : threads;
}

int force_cpu_use_threads(int threads)
{
    const int before = omp_get_max_threads();
    omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
    return before;
}
