/* The outcome of every function that can fail.
 *
 * The values are the program's exit codes, so that a failure deep inside reaches the shell
 * unchanged. Each comes with one sentence: what failed, what was found, what to do. The sentence is
 * kept per thread; a stage of the pipeline copies it before its thread ends. */
#pragma once

#include <stdbool.h>

enum status {
    STATUS_OK = 0,
    STATUS_RUNTIME = 1,  /* a failure at run time */
    STATUS_USAGE = 2,    /* an invalid request: options, scene, content of a bodies file */
    STATUS_MISMATCH = 3, /* a comparison found a difference */
    STATUS_DEVICE = 4,   /* no usable CUDA device, GL context or encoder */
    STATUS_IO = 5,       /* a file could not be read or written, or the disk is full */
    STATUS_STOPPED = 6,  /* not a failure: a queue was aborted, or a signal asked to stop; never an
                          * exit code */
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

/* The system's text for the error number, or that the current folder is gone, which the system
 * reports in several ways. The text of strerror. */
const char *status_reason(const char *path, int reason);

/* STATUS_IO: "cannot write 'PATH': REASON", with the system's text for the error number `reason`.
 */
enum status status_cannot_write(const char *path, int reason);

/* This thread's last sentence, "" if none. Valid until the next status_* call on this thread. */
const char *status_text(void);

/* Keeps the first failure of several steps or threads, with its sentence, while the rest is closed;
 * {0}: none. Not thread-safe: threads share one under their own lock. */
struct failure {
    enum status status; /* STATUS_OK: none yet */
    char sentence[STATUS_TEXT_MAX];
};

/* Keeps `status` with this thread's sentence, unless a failure is already kept. STATUS_OK is
 * ignored, and a failure replaces STATUS_STOPPED. Returns whether it was kept. */
bool failure_keep(struct failure *failure, enum status status);

/* Returns the kept status and sets its sentence, like `status_fail`, on any thread. */
enum status failure_report(const struct failure *failure);
