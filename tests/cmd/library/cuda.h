/* A stand-in for CUDA's driver, libcuda.so.1, that a test loads. The memory of its devices cannot
 * be read by the processor, work that is queued is done when its context is synchronized, and every
 * function can be told to fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum where { OF_DEVICE, OF_POOL, MANAGED, HOST_PINNED, FREED };

/* Functions that can be told to fail. */
enum call { ATTRIBUTES, PUSH, SYNCHRONIZE, COPY, PIN, RETAIN, CALLS };

struct stand_in {
    /* Memory of device 0 or 1, as `where` says; FREED: an address that nothing knows any more. */
    void *(*allocate)(size_t size, enum where where, int number);
    /* Writes these bytes into a device's memory once that context is synchronized. */
    void (*queue)(void *at, const void *data, size_t size);
    int fails[CALLS];                                   /* the error of a function; 0: none */
    int pushed, synchronized, copies, pinned, retained; /* how often; pinned, retained: now */
    size_t most;                                        /* bytes of the largest copy */
    bool wrong;                                         /* a call in the wrong context */
};
