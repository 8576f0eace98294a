/* A scene by its name, and the changes to it, as requested by a command line or a baseline. */
#pragma once

#include "base/status.h"
#include "scenes/scene.h"

#include <stdbool.h>

enum { SETTINGS_MAX = 256 };

struct setting {
    char *key, *value;
    const char *origin; /* names the setting in messages: "--set" */
    bool append;        /* appends to the scene's codec options, which are a list */
};

struct scene_request {
    const char *scene;       /* built-in name or path, also of a film or still */
    const char *bodies_from; /* NULL: as in the scene */
    const char *snapshots;   /* likewise; at most one of the two is given */
    double duration, speed;  /* --duration in seconds, --speed; 0: not given */
    bool all_columns;        /* snapshots are written, with all columns of a file */

    /* The changes to the scene, in this order. */
    int setting_count;
    struct setting settings[SETTINGS_MAX];
};

/* Whether `name` means a scene: a built-in one, a .yaml or .yml file or, if there is no such file,
 * a word that is likely a misspelt scene name. */
bool scene_is_named(const char *name);

/* Opens the scene, which may be that of a film or still, applies bodies_from and the settings, and
 * validates it. Both are collective on ranks, and ask rank 0's disk. */
enum status scene_request_open(const struct scene_request *request, struct scene **out);

/* STATUS_IO when the scene's bodies file does not exist. A file named by bodies_from is checked
 * when it is read. */
enum status scene_request_find_bodies(const struct scene_request *request,
                                      const struct scene *scene);
