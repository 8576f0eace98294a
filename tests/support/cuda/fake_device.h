/* A fake CUDA runtime, with fake launchers of kernels/pairs/cuda/, for tests without a GPU, so that
 * the host code of the CUDA solver runs: device memory is uninitialized host memory, launches and
 * copies wait in their stream until the stream is waited for, and kernels are those of the CPU.
 * Misuse that might go unnoticed on a GPU ends the program. For tests only; one thread. */
#pragma once

#include "kernels/pairs/cuda/force_plan.h"

#include <stdbool.h>
#include <stddef.h>

/* One launch or copy with its arguments, whose meaning only `run` knows. */
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

void fake_device_insist(bool right,
                        const char *what); /* ends the program if the condition is false */
int fake_device_alive(void);               /* streams, events, graphs and memory not freed */
int fake_device_launches(void); /* launches since the last call, including replayed ones */
int fake_device_ahead(void);    /* most graphs under way at once since the last call */
void fake_device_memory(size_t free_bytes); /* free memory from now on; initially 1 GiB */
void fake_device_capability(int number);    /* 90: its compute capability is 9.0 */
void fake_device_fail(int calls);           /* the calls-th call from now fails; 0: none does */
