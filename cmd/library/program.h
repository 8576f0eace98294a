/* Runs the program `gravreel` as a process, and keeps the sentence of a failure. Only for the
 * library's own files. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

enum { SENTENCE_MAX = 1024, FAILED = 1 };

/* Keeps a sentence for this thread; returns `code`. */
int program_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
const char *program_sentence(void); /* the last one, or "" */

/* Like vsnprintf, but with a decimal point whatever the caller's locale has. Returns -1 if the text
 * does not fit or memory is short. */
int program_print(char *out, size_t size, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));

struct program {
    pid_t process; /* 0: none runs */
    int messages;  /* its messages, a file without a name; -1: none */
};

/* Starts `gravreel COMMAND OPTIONS... MORE...` with `input` as its standard input. Lists end with
 * NULL; options may be NULL. $GRAVREEL_STDERR is the number of this process's standard error there,
 * for what the program has to say if it outlives this process. Returns 0, or leaves a sentence. */
int program_start(struct program *program, const char *command, const char *const *options,
                  const char *const *more, int input);

/* Waits for the program's end and returns its exit code. After a failure, `said` has its last
 * sentence and is never empty. Does nothing if the program has ended. */
int program_wait(struct program *program, char said[SENTENCE_MAX]);

/* Call it after the program has ended. */
void program_close(struct program *program);
