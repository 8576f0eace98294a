/* The work folder of a job, OUT.parts, before and after a run: its paths, without the film. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* OUT.parts, or OUT.FIRST-LAST.parts for a `range` of a PNG sequence, so that several ranges can be
 * rendered into one sequence simultaneously. The caller frees it. */
char *work_folder_path(const char *output, bool range, uint64_t first, uint64_t last);

/* Length in bytes of the longest file name in it. */
enum { WORK_NAME_MOST = 32 };

/* The following functions accept NULL for `folder`: there is none. */

/* Whether it contains something that can be resumed. */
bool work_folder_used(const char *folder);

/* STATUS_USAGE when another run is writing there; when there is something to resume, but the user
 * asked neither to resume nor to overwrite it; and when there is no folder to resume from. */
enum status work_folder_check(const char *folder, const char *output, bool resume, bool overwrite);

/* Removes the remains of a run that was killed while removing its folder. */
enum status work_folder_sweep(const char *folder);
