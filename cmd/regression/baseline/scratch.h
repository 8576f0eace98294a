/* This program, started again. */
#ifndef CMD_REGRESSION_BASELINE_SCRATCH_H
#define CMD_REGRESSION_BASELINE_SCRATCH_H

#include "base/status.h"

#include <sys/types.h>

/* Starts this program with the arguments, a list that ends with NULL, and with `changes` of the
 * environment, "NAME=VALUE", likewise; NULL: none. What it says goes to the file `log`, or where
 * this process's messages go when that is NULL, and its standard output nowhere. */
enum status scratch_start(const char *const *arguments, const char *const *changes, const char *log,
                          pid_t *child);

/* Waits for it. *code: its exit code, or 128 + the signal that ended it. */
enum status scratch_wait(pid_t child, int *code);

#endif
