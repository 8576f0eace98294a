/* Built in place of mpi.c where there is no MPI. ranks.c asks for wire_library first and then calls
 * nothing else. */
#include "base/ranks/wire.h"

#include <stdlib.h>

const char *wire_library(void)
{
    return "";
}

static enum status missing(void)
{
    return status_fail(STATUS_DEVICE, "built without MPI");
}

enum status wire_open(int *count, int *own)
{
    *count = 1;
    *own = 0;
    return missing();
}

void wire_watch(const volatile sig_atomic_t *stop)
{
    (void)stop;
}

void wire_ask_to_end(int number)
{
    (void)number;
}

int wire_stops(void)
{
    return 0;
}

void wire_rest(int lane, bool rests)
{
    (void)lane;
    (void)rests;
}

void wire_limit(double seconds)
{
    (void)seconds;
}

enum status wire_largest(int lane, uint64_t *values, size_t count)
{
    (void)lane;
    (void)values;
    (void)count;
    return missing();
}

enum status wire_sum(int lane, uint64_t *values, size_t count)
{
    return wire_largest(lane, values, count);
}

enum status wire_share(int lane, void *data, size_t bytes, int from)
{
    (void)lane;
    (void)data;
    (void)bytes;
    (void)from;
    return missing();
}

enum status wire_gather(int lane, const void *own, size_t bytes, void *all)
{
    (void)lane;
    (void)own;
    (void)bytes;
    (void)all;
    return missing();
}

enum status wire_swap(int lane, const uint64_t *out, uint64_t *in)
{
    (void)lane;
    (void)out;
    (void)in;
    return missing();
}

enum status wire_move(int lane, const struct wire_part *out, size_t out_count,
                      const struct wire_part *in, size_t in_count)
{
    (void)lane;
    (void)out;
    (void)out_count;
    (void)in;
    (void)in_count;
    return missing();
}

enum status wire_barrier(int lane)
{
    (void)lane;
    return missing();
}

void wire_close(void)
{
}

void wire_abort(int code)
{
    exit(code);
}
