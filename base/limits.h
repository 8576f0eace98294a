/* Checks the limits on this process: those of ulimit, and of threads in a container.
 *
 * Libraries that run out of threads, stack or address space hang, report another cause, or end the
 * process; so check what they need before using them. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stddef.h>

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
