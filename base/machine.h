/* What this machine lets the program use. Thread-safe. */
#ifndef BASE_MACHINE_H
#define BASE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Processors that this process may run on, at least 1. */
unsigned machine_processors(void);

/* Bytes of memory: the machine's, or what the control group allows if that is less. */
uint64_t machine_memory(void);

/* The most memory that this process has held so far, in bytes. */
uint64_t machine_peak_memory(void);

/* The memory that it holds now, in bytes; 0 where the system does not say. */
uint64_t machine_memory_now(void);

/* Seconds since this process was started; 0 where the system does not say. */
double machine_age(void);

/* Seconds of processor time that the whole machine has spent working since it was started, and this
 * process with the ended ones that it waited for. false where the system does not say. */
bool machine_usage(double *all, double *own);


#endif
