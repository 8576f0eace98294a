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

/* Shared libraries that are loaded when they are first needed, because loading them takes longer
 * than all else that a short command does. The program is not linked with them, so
 * scripts/bundle and cmake/install.cmake name them too. */

struct library {
    const char *what;         /* "films": what needs the library */
    const char *const *files; /* "libavutil.so.57", ...: each before those that need it */
    size_t file_count;
    const char *const *names; /* of functions */
    size_t count;
};

/* Loads the files and finds the functions, also those of the same name that the program or a
 * preloaded library has. `calls` gets a pointer to each, in the order of the names. If something is
 * missing, ends the process with a sentence and the code of STATUS_DEVICE, as the system ends one
 * whose libraries are missing; with that of STATUS_RUNTIME if memory is short. No other thread may
 * fork a process meanwhile. */
void library_load(const struct library *library, void *calls);
