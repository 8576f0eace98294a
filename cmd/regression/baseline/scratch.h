/* Starts this program again as a child process. */
#pragma once

#include "base/status.h"

#include <sys/types.h>

/* Starts this program with `arguments`, a list that ends with NULL, and with `changes` to the
 * environment, "NAME=VALUE", a list that also ends with NULL; NULL: no changes. Its messages go to
 * the file `log`, or where this process's messages go if that is NULL; its standard output is
 * discarded. */
enum status scratch_start(const char *const *arguments, const char *const *changes, const char *log,
                          pid_t *child);

/* Waits for the child. *code: its exit code, or 128 + the signal that ended it. */
enum status scratch_wait(pid_t child, int *code);
