/* The scenes that a command line means. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct farm_scenes {
    char **paths; /* [count] */
    size_t count;
    bool folder; /* a folder was given */
};

/* Lists the scenes in order: a folder means its .yaml and .yml files by name, without subfolders.
 * STATUS_USAGE for a folder without a scene, STATUS_IO for one that cannot be read. Free in every
 * case. */
enum status farm_scenes_find(struct farm_scenes *scenes, const char *const *given, size_t count);
void farm_scenes_free(struct farm_scenes *scenes);
