/* A scene by its name, and the changes to it, as a command line or a baseline asks for them. */
#ifndef CMD_FILM_SCENE_REQUEST_H
#define CMD_FILM_SCENE_REQUEST_H

#include "base/status.h"
#include "scenes/scene.h"

#include <stdbool.h>

enum { SETTINGS_MAX = 256 };

struct setting {
    char *key, *value;
    const char *origin; /* names the setting in messages: "--set" */
    bool append;        /* to the scene's codec options, which are a list */
};

struct scene_request {
    const char *scene;       /* built-in name or path, also of a film or still */
    const char *bodies_from; /* NULL: as the scene says */
    const char *snapshots;   /* likewise; of the two only one is given */
    double duration, speed;  /* --duration in seconds, --speed; 0: not given */
    bool all_columns;        /* snapshots are written, with all that a file has */

    /* What changes the scene, in this order. */
    int setting_count;
    struct setting settings[SETTINGS_MAX];
};

/* Whether `name` means a scene: a built-in one, a .yaml or .yml file, or, where there is no such
 * file, a word that is likely to be one mistyped. */
bool scene_is_named(const char *name);

/* Opens the scene, which may be that of a film or still, applies bodies_from and the settings, and
 * validates. */
enum status scene_request_open(const struct scene_request *request, struct scene **out);

/* STATUS_IO when the scene needs a bodies file that is not there. bodies_from names one itself,
 * which is looked for when it is read. */
enum status scene_request_find_bodies(const struct scene_request *request,
                                      const struct scene *scene);

#endif
