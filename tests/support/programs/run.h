/* Runs the program under test and catches its output. For tests only. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct run_options {
    const char *folder; /* working folder, NULL: this one */
    const char *const
        *environment; /* "NAME=value" sets, "NAME" removes; NULL-terminated, or NULL */
    bool terminal;    /* stderr is a terminal of 100 columns */
    int output;       /* descriptor that becomes stdout; 0: caught */
};

/* Seconds after which a hanging program is ended; far longer than any test takes under load. */
enum { RUN_LIMIT = 1200 };

struct run {
    int code;       /* exit code, or 1000 + the signal that killed it */
    bool timed_out; /* killed because it took longer than the limit */
    char *out, *err;
    size_t out_size; /* of out; both end with a NUL that is not counted */
    long peak_kb;    /* largest resident set */
};

/* Started, and not waited for yet. */
struct run_process {
    pid_t pid;
    int descriptor, out, err, terminal;
};

/* `arguments` without the program's name, NULL-terminated. The program is $GRAVREEL_PROGRAM, else
 * the one of this build. Aborts the test program when nothing can be started. */
void run_start(struct run_process *process, const struct run_options *options,
               const char *const *arguments);
void run_signal(const struct run_process *process, int number);
void run_finish(struct run_process *process, struct run *result);

/* Each of these waits for an event; false if the program has ended before it, or hangs until the
 * limit. */

/* Until the file is there and at least `size` bytes long. */
bool run_wait_for_file(const struct run_process *process, const char *path, long size);

/* Until the program has stopped itself (SIGSTOP), as the faults "halt" and "naps" let it. */
bool run_wait_until_halted(const struct run_process *process);

/* Until the sent signal has arrived at the program's handler. */
bool run_wait_until_taken(const struct run_process *process, int number);

/* Until stderr contains the text. */
bool run_wait_until_said(struct run_process *process, const char *part);

/* All in one; `options` may be NULL. */
void run_program(struct run *result, const struct run_options *options,
                 const char *const *arguments);
void run_free(struct run *result);

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})
