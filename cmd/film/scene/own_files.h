/* The files named in a film's scene. A film may come from anybody, and its scene may name any file
 * of this machine. */
#pragma once

#include "scenes/scene.h"

#include <stdbool.h>

struct own_files {
    char *bodies, *audio;
};

/* Records them before options may name others. Free with own_files_free. */
void own_files_note(struct own_files *files, const struct scene *scene);
void own_files_free(struct own_files *files);

/* STATUS_USAGE unless the recorded files that the scene still names are below the folder of the
 * film at `path` or in a folder of $GRAVREEL_DATA. `given`: an option names the bodies, whatever
 * the scene says. Logs which ones are read. */
enum status own_files_check(const struct own_files *files, const struct scene *scene,
                            const char *path, bool given);
