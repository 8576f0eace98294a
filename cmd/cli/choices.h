/* Prints what can be chosen for a key or option: `--codec help`, `--set look.color=help`. */
#ifndef CMD_CLI_CHOICES_H
#define CMD_CLI_CHOICES_H

#include "base/choice.h"

#include <stdbool.h>

/* `path` is a scene's key, such as look.color, or "backend". STATUS_USAGE when it has no list of
 * choices. */
enum status choices_print(const char *path);

/* The names of a registry with their documentation, a line each. */
void choices_list(const struct registry *registry);

/* Whether choices_print has something to print for the key. */
struct key;
bool choices_exist(const struct key *key);

/* STATUS_USAGE when `name` is neither "auto" nor a backend. */
enum status choices_check_backend(const char *name);

#endif
