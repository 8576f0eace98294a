/* Built instead of mpi.c where there is no MPI: ranks.c looks at wire_library first and never calls
 * anything else. */
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

void wire_ask_to_end(void)
{
}

void wire_limit(double seconds)
{
    (void)seconds;
}

enum status wire_largest(uint64_t *values, size_t count)
{
    (void)values;
    (void)count;
    return missing();
}

enum status wire_sum(uint64_t *values, size_t count)
{
    return wire_largest(values, count);
}

enum status wire_share(void *data, size_t bytes, int from)
{
    (void)data;
    (void)bytes;
    (void)from;
    return missing();
}

enum status wire_gather(const void *own, size_t bytes, void *all)
{
    (void)own;
    (void)bytes;
    (void)all;
    return missing();
}

enum status wire_swap(const uint64_t *out, uint64_t *in)
{
    (void)out;
    (void)in;
    return missing();
}

enum status wire_move(const struct wire_part *out, size_t out_count, const struct wire_part *in,
                      size_t in_count)
{
    (void)out;
    (void)out_count;
    (void)in;
    (void)in_count;
    return missing();
}

enum status wire_barrier(void)
{
    return missing();
}

void wire_close(void)
{
}

void wire_abort(int code)
{
    exit(code);
}
