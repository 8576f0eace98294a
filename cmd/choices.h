/* Prints what can be chosen for a key or option: `--codec help`, `--set look.color=help`. */
#ifndef CMD_CHOICES_H
#define CMD_CHOICES_H

#include "base/status.h"

/* `key` is a scene key, "backend" or "format". STATUS_USAGE when it has no list of choices. */
enum status choices_print(const char *key);

#endif
