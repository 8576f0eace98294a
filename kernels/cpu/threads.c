#include "kernels/cpu/threads.h"

#include <omp.h>

int force_cpu_threads(void)
{
    int threads = omp_get_max_threads();
    return threads > 1 && threads >= omp_get_num_procs() ? threads + 1 : threads;
}
