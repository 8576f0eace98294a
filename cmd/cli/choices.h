/* Prints what can be chosen for a key or option: `--codec help`, `--set look.color=help`. */
#ifndef CMD_CLI_CHOICES_H
#define CMD_CLI_CHOICES_H

#include "base/status.h"

#include <stdbool.h>

/* `path` is a scene's key, such as look.color, or "backend". STATUS_USAGE when it has no list of
 * choices. */
enum status choices_print(const char *path);

/* Whether choices_print has something to print for the key. */
struct key;
bool choices_exist(const struct key *key);

/* STATUS_USAGE when `name` is neither "auto" nor a backend. */
enum status choices_check_backend(const char *name);

#endif
