/* Prints what can be chosen for a key or option: `--codec help`, `--set look.color=help`. */
#ifndef CMD_CLI_CHOICES_H
#define CMD_CLI_CHOICES_H

#include "base/status.h"

/* `key` is a scene key, "backend" or "format". STATUS_USAGE when it has no list of choices. */
enum status choices_print(const char *key);

/* STATUS_USAGE, with the nearest choice and all of them, when `value` is none. Keys that have no
 * list of names are not judged. */
enum status choices_check(const char *key, const char *value);

#endif
