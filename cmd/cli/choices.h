/* Prints what a key or option takes and what can be chosen: `--codec help`, `--set
 * look.color=help`, `--set look=help`. */
#ifndef CMD_CLI_CHOICES_H
#define CMD_CLI_CHOICES_H

#include "base/choice.h"

/* `path` is a scene's key, such as look.color, one of its sections, or "backend". STATUS_USAGE: it
 * is none of them. */
enum status choices_print(const char *path);

/* The names of a registry with their documentation, a line each. */
void choices_list(const struct registry *registry);

/* STATUS_USAGE when `name` is neither "auto" nor a backend. */
enum status choices_check_backend(const char *name);

#endif
