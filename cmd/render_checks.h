/* Checks the request of `gravreel render` before any file is touched. Each function returns
 * STATUS_USAGE or STATUS_IO with a message. */
#pragma once

#include "cmd/film/job/target.h"

struct render_options; /* cmd/cli/options.h */

/* The options alone: do they agree, and can the named files be written? */
enum status render_check_options(const struct render_options *options);

/* Whether the manifest can describe the target, in a file that the run does not use otherwise. */
enum status render_check_manifest(const struct render_options *options,
                                  const struct target *target);

/* Refuses --save-snapshots on ranks that share the bodies of snapshots. */
enum status render_check_ranks(const struct render_options *options, const struct scene *scene);

/* Progress must not overwrite the run's other files, since it is written while they are in use. */
enum status render_check_progress(const struct render_options *options, const struct target *target,
                                  const struct scene *scene);
