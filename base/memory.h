/* Small allocations: names, lists, structs.
 *
 * Their failure cannot be handled sensibly, so it ends the program with a message on stderr and
 * exit code 1. Large data (bodies, pictures, device memory) is allocated with malloc and reports
 * failure as STATUS_RUNTIME with the number of bytes. Thread-safe; free() frees. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* `count` items of `size` bytes, zeroed; never NULL, not even for 0 items. */
void *memory_new(size_t count, size_t size) __attribute__((malloc, returns_nonnull));

/* Large data whose pages are all given by the system now, beside other work, instead of when they
 * are first used; not zeroed. NULL: no memory left. */
void *memory_touched(size_t bytes) __attribute__((malloc));

/* Resizes to room for `count` items; new ones are not zeroed. */
void *memory_grow(void *items, size_t count, size_t size) __attribute__((returns_nonnull));

/* Resizes `count` items so that one more fits, and seldom moves them. */
void *memory_more(void *items, size_t count, size_t size) __attribute__((returns_nonnull));

/* Adds an item, not zeroed, to a list of `count`, both of which change, and gives its address. */
#define MEMORY_ADD(list, count)                                                                    \
    ((list) = memory_more((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])

char *memory_text(const char *text) __attribute__((malloc, returns_nonnull)); /* a copy */

/* Ends the program; for a library that reports that it is out of memory. */
void memory_exhausted(void) __attribute__((noreturn));

/* Checks the limits on this process: those of ulimit, and of threads in a container.
 *
 * Libraries that run out of threads, stack or address space hang, report another cause, or end the
 * process; so check what they need before using them. Thread-safe. */

/* Calls `body` and returns its result, on a stack that is large enough even if ulimit -s allows
 * less. Threads that are later started with default attributes also get such stacks. Call it before
 * starting any thread. */
int limits_run(int (*body)(int argc, char **argv), int argc, char **argv);

/* STATUS_RUNTIME, naming the limit, unless this many threads could be started and this many bytes
 * allocated now, all at once. `what` needs them: "drawing". */
enum status limits_check(const char *what, unsigned threads, size_t bytes);

/* Advice for a failure with unknown cause: raise the limit that is nearly reached, or `advice` if
 * there is none. Valid until the thread's next call. */
const char *limits_advice(const char *advice);

/* When a library aborts the process under a memory limit, prints a message and exits with the code
 * of STATUS_RUNTIME instead of ending by a signal. */
void limits_guard(void);
