/* The resources that this machine gives the program. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The shares of the machine's processors that this process and others used between two moments. For
 * information only; no result depends on them. For one thread. */

/* A moment: seconds of the clock, and of processors as machine_usage counts them. All zero:
 * unknown. */
struct load {
    double clock, all, own;
};

/* Shares of the processors' time, 0 to 1. If unknown, others have 0. */
struct load_parts {
    double others, idle;
};

/* The current moment; all zero if the system does not give it. */
struct load load_now(void);

/* The shares of this number of processors between two moments: {0, 1} if a moment is unknown, or if
 * they are less than half a second apart. */
struct load_parts load_between(struct load before, struct load now, unsigned processors);

/* The same for this machine's processors, up to now. */
struct load_parts load_since(struct load before);

/* Whether others slow this process down: they have at least a tenth, and less than a tenth is
 * idle. */
bool load_is_busy(struct load_parts parts);

/* "the machine is busy: others use 48 % of its processors", or "" if it is not. */
void load_describe(struct load_parts parts, char *text, size_t size);

/* Processors that this process may run on, at least 1. */
unsigned machine_processors(void);

/* Bytes of memory: the machine's, or the control group's limit if that is lower. */
uint64_t machine_memory(void);

/* The peak memory of this process so far, in bytes. */
uint64_t machine_peak_memory(void);

/* The memory in use by this process, in bytes; 0 if the system does not give it. */
uint64_t machine_memory_now(void);

/* Seconds since this process started; 0 if the system does not give it. */
double machine_age(void);

/* Seconds of processor time: of the whole machine since it started, and of this process including
 * ended children that it waited for. False if the system does not give them. */
bool machine_usage(double *all, double *own);
