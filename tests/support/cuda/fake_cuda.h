/* A fake CUDA runtime for tests without a GPU: device memory is host memory, GL's objects are
 * mapped by reading and writing them through GL, and a copy to the host happens only when it is
 * waited for. Misuse that might go unnoticed on a GPU ends the program. For tests only; one thread.
 */
#pragma once

#include <stddef.h>

int fake_cuda_maps(void);   /* calls of cudaGraphicsMapResources since last asked */
int fake_cuda_mapped(void); /* objects that are mapped now */
int fake_cuda_alive(void);  /* streams, events, memory and objects not freed */

/* There are devices 0 and 1, and GL's objects are on 0. These bytes are on device 1 until the next
 * call. */
void fake_cuda_on_second(const void *from, size_t size);

/* Whether the two have access to each other. */
enum fake_cuda_peers { FAKE_APART, FAKE_THROUGH_HOST, FAKE_STRAIGHT };
void fake_cuda_set_peers(enum fake_cuda_peers peers);
int fake_cuda_peer_copies(void); /* from device 1 to device 0, since last asked */
