/* Prints the possible values of a key or option: `--codec help`, `--set look.color=help`, `--set
 * look=help`. */
#pragma once

#include "base/choice.h"

/* `path` is a scene's key, such as look.color, one of its sections, or "backend"; otherwise
 * STATUS_USAGE. */
enum status choices_print(const char *path);

/* Lists the names of a registry with their documentation, one per line. */
void choices_list(const struct registry *registry);

/* STATUS_USAGE if `name` is neither "auto" nor a backend. */
enum status choices_check_backend(const char *name);
