/* The work folder of a job, OUT.parts, before and after a run: its paths, without the film. Users
 * and scripts rely on the name. The folder holds, with names from cmd/film/manifest/entries.h:
 *
 *     lock                    held (flock) while a run writes; names the process
 *     manifest.json           what is complete on disk, and the one before as
 *                             manifest.previous.json
 *     plan.json               the film's plan (plan_file.h), before the first segment
 *     segment-000003.mp4      the fourth segment, in the film's container
 *     pictures-000735.raw     pictures from 735 on of a segment that a stop has interrupted, as the
 *                             encoder got them; an encoder cannot be continued, but gets them again
 *     checkpoint-000720.h5    all simulations at frame 720, the first of a segment, or on the way
 *                             to it
 *
 * A segment or checkpoint is written under a temporary name, synced, renamed, hashed and then named
 * in the manifest, so that the manifest only names complete files. Pictures of a sequence are not
 * synced one by one: their hashes show which of them survived a power failure. */
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
