/* Checks a joined film by reading it again. */
#pragma once

#include "base/status.h"
#include "render/join/params.h"

/* Checks the film in `file`, which messages call params->path. STATUS_RUNTIME when it does not
 * match the segments. */
enum status join_check(const struct join_params *params, const char *file);

/* STATUS_STOPPED once params->stop is set. */
enum status join_stopped(const struct join_params *params);
