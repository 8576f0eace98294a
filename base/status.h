/* Outcome of every fallible function of the program.
 *
 * The values are the program's exit codes, so that a failure deep inside reaches the shell
 * unchanged. Beside the code travels one sentence: what failed, what was found, what to do.
 * The sentence is kept per thread: a stage of the pipeline copies it out before it ends. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H

#include <stdbool.h>

enum status {
    STATUS_OK = 0,
    STATUS_RUNTIME = 1, /* something broke while running */
    STATUS_USAGE = 2,   /* what was asked for makes no sense: options, scene, bodies file content */
    STATUS_MISMATCH = 3, /* a comparison found a difference */
    STATUS_DEVICE = 4,   /* no usable CUDA device, GL context or encoder */
    STATUS_IO = 5,       /* a file could not be read or written, or the disk is full */
    STATUS_STOPPED = 6,  /* not a failure: a queue was aborted or a signal asked to end; never an
                            exit code */
};

enum { STATUS_TEXT_MAX = 1024 };

/* Sets this thread's sentence (printf style, no final newline or full stop needed) and returns
 * `status`, so that `return status_fail(...)` is the one way to report a failure. A sentence set
 * earlier on this thread is replaced. */
enum status status_fail(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Puts `prefix: ` (printf style) before this thread's sentence; for a caller that knows the file or
 * key. */
enum status status_prefix(enum status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* This thread's last sentence, "" when none. Valid until the next status_* call on this thread. */
const char *status_text(void);

/* The first failure of several steps or threads, with its sentence, while the rest is closed; {0}
 * is none. Not thread-safe: threads share one under their lock. */
struct failure {
    enum status status; /* STATUS_OK: none so far */
    char sentence[STATUS_TEXT_MAX];
};

/* Keeps `status` with this thread's sentence unless a failure is kept already. STATUS_OK is none,
 * and STATUS_STOPPED gives way to a failure. Returns whether it was kept. */
bool failure_keep(struct failure *failure, enum status status);

/* Returns what was kept, as `status_fail` would, on any thread. */
enum status failure_report(const struct failure *failure);

#endif
