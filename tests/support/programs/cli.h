/* Short forms for tests of the whole program. */
#pragma once

#include "tests/support/programs/run.h"

/* A folder of the test's own, which every cli() runs in. Set-up and tear-down of a test group. */
extern char *cli_folder;
int cli_set_up(void **state);
int cli_tear_down(void **state);

/* Where the program draws: false, after saying so, when no GL opens here. */
bool cli_has_gl(void);

/* Skips the test where it opens none. */
void cli_need_gl(void);

/* Skips the test, after saying so, where the memory that a run takes is not the program's own. */
void cli_need_memory(void);

/* Runs the program with the words and fails the test unless it ends with `code`. With `environment`
 * as in run_options. The result is valid until the next call. */
const struct run *cli_run(const char *const *environment, int code, const char *const *words);
#define cli(code, ...)               cli_run(NULL, code, ARGUMENTS(__VA_ARGS__))
#define cli_with(setting, code, ...) cli_run(ARGUMENTS setting, code, ARGUMENTS(__VA_ARGS__))

/* The same of a run that fails: its last message is one sentence that has the words of words.h. */
#define cli_fails(code, words, ...) assert_sentence(cli_last_message(cli(code, __VA_ARGS__)), words)
const char *cli_last_message(const struct run *run);

/* Words of a film whose camera needs no pilot run through the film first, which takes seconds, and
 * a minute under the sanitizers. */
#define FIXED "--set", "camera.frame=fixed"

/* "FOLDER/NAME", valid for the next seven calls. */
const char *cli_path(const char *name);

void cli_write(const char *name, const char *text);
/* The file's text; the caller frees it. */
char *cli_read(const char *name);
bool cli_exists(const char *name);
