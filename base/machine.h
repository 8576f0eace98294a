/* The resources that this machine gives the program. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

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
