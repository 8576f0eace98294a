#include "sim/ranks/near.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/gravity/tree/neighbours.h"
#include <stdlib.h>
#include <string.h>
enum status ranks_near_find(const double (*position)[3], size_t count, unsigned k, int threads,
                            float *distance)
{
    size_t n = (size_t)ranks_count(), all = 0, first = 0, *bytes = memory_new(n, sizeof *bytes);
    uint64_t mine = count, *of = memory_new(n, sizeof *of);
    enum status status = ranks_gather_each(&mine, of, sizeof mine);
    for (size_t r = 0; r < n; r++) { bytes[r] = of[r] * 24; if ((int)r < ranks_own()) first += of[r]; all += of[r]; }
    double (*x)[3] = malloc(all * 24), (*rows)[4] = malloc(all * 32);
    float *d = malloc(all * 4);
    if (status == STATUS_OK) status = ranks_gather(position, x, bytes);
    for (size_t i = 0; i < all; i++) { memcpy(rows[i], x[i], 24); rows[i][3] = 1; }
    struct neighbours *near = NULL;
    if (status == STATUS_OK) status = neighbours_open(&near, all, k);
    if (status == STATUS_OK) status = neighbours_find(near, (const double(*)[4])rows, threads, d, NULL);
    memcpy(distance, d + first, count * 4);
    neighbours_close(&near);
    free(x); free(rows); free(d); free(of); free(bytes);
    return status;
}
