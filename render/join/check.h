/* What a joined film must be, found by reading it again. */
#pragma once

#include "base/status.h"
#include "render/join/params.h"

/* Looks at the film in `file`, which sentences call params->path. STATUS_RUNTIME when it is not
 * what the segments promise. */
enum status join_check(const struct join_params *params, const char *file);

/* STATUS_STOPPED once params->stop is set. */
enum status join_stopped(const struct join_params *params);
