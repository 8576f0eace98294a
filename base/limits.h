/* Room within the limits on this process: those of ulimit, and of threads in a container.
 *
 * Libraries that run out of threads, stack or address space wait for ever, name another cause, or
 * end the process; so what they need is asked for before they are used. Thread-safe. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include "base/status.h"

#include <stddef.h>

/* Calls `body` and returns what it returns, on a stack that is large enough also where ulimit -s
 * allows less; threads that are started without saying otherwise have such stacks, too. Call it
 * before any is. */
int limits_run(int (*body)(int argc, char **argv), int argc, char **argv);

/* STATUS_RUNTIME, with the limit's name, unless so many threads could be started and so many bytes
 * be had now, all at once. `what` needs them: "drawing". */
enum status limits_check(const char *what, unsigned threads, size_t bytes);

/* Advice for a failure whose cause is not known: raise the limit that is nearly reached, or
 * where none is, `advice`. Valid until the thread's next call. */
const char *limits_advice(const char *advice);

/* Under a memory limit, a library that ends the process for want of it leaves a sentence and
 * the exit code of STATUS_RUNTIME instead of a signal. */
void limits_guard(void);

#endif
