/* Stands in for CUDA's runtime and for the launchers of kernels/pairs/cuda/ where a test has no
 * GPU, so that the host code of the CUDA solver runs: device memory is host memory that nobody
 * cleared, what is launched or copied waits in its stream until somebody waits for the stream, and
 * kernels are those of the CPU. Misuse that a GPU would punish by chance ends the program. For
 * tests only; one thread. */
#pragma once

#include "kernels/pairs/cuda/direct.h"
#include "kernels/pairs/cuda/plan.h"

#include <stdbool.h>
#include <stddef.h>

/* One launch or copy with its arguments; which ones mean what is `run`'s affair. */
struct fake_launch {
    void (*run)(const struct fake_launch *launch);
    size_t count, number, size[3];
    double value[3];
    const void *from[7];
    void *to[4];
    struct force_cuda_plan plan;
    struct force_direct_plan direct;
};

/* Puts a launch into a stream, or into the graph that the stream records. Returns a cudaError_t. */
int fake_device_launch(void *stream, const struct fake_launch *launch);

void fake_device_insist(bool right, const char *what); /* ends the program unless it is right */
int fake_device_alive(void);                /* streams, events, graphs, memory not given back */
int fake_device_launches(void);             /* what ran since last asked, replayed ones included */
void fake_device_memory(size_t free_bytes); /* what is free from now on; at first 1 GiB */
void fake_device_fail(int calls);           /* the calls-th call from now fails; 0: none does */
