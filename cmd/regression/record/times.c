#include "cmd/regression/record/times.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES_MAX = 1 << 24 };

void times_hash(const int64_t *ticks, uint64_t count, char out[HASH_TEXT])
{
    hash_parts(&(struct hash_part){ticks, (size_t)count * sizeof *ticks}, 1, out);
}

double times_tick(const struct container_record *container)
{
    long num, den;
    const char *base = container->time_base ? container->time_base : "";
    return sscanf(base, "%ld/%ld", &num, &den) == 2 && num > 0 && den > 0
               ? (double)num / (double)den
               : NAN;
}

int64_t *times_of(const struct container_record *container)
{
    const size_t count = (size_t)container->frames;
    const double step =
        container->fps_den / (container->fps_num * times_tick(container)); /* ticks of a frame */
    if (count == 0 || count > FRAMES_MAX || (!container->shown && !isfinite(step)))
        return NULL;
    int64_t *ticks = memory_new(count, sizeof *ticks);
    char hash[HASH_TEXT];
    for (size_t i = 0; i < count; i++)
        ticks[i] = container->shown ? container->shown[i] : llround((double)i * step);
    times_hash(ticks, count, hash);
    if (container->shown || strcmp(hash, container->times) == 0)
        return ticks;
    free(ticks);
    return NULL;
}
