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
    const char *scene;  /* built-in name or path, also of a film, still or run */
    struct run *opened; /* the same run, which is open and outlives its scenes; NULL: none */
    const char *text;   /* the scene itself, instead of a file or a run; NULL: none */
    uint32_t panel;     /* number of the panel that shows it in another film, from 1; 0: none */
    const char *bodies_from; /* NULL: as in the scene */
    const char *snapshots;   /* likewise; at most one of the two is given */
    const char *run;         /* --run: has the motion; NULL: the scene, if it is a run */
    double duration, speed;  /* --duration in seconds, --speed; 0: not given */
    bool films;              /* a film is made: says how its fades are shortened */
    bool all_columns;        /* snapshots are written, with all columns of a file */

    /* The changes to the scene, in this order. */
    int setting_count;
    struct setting settings[SETTINGS_MAX];
};

/* Whether `name` means a scene: a built-in one, a .yaml, .yml or .gvr file or, if there is no such
 * file, a word that is likely a misspelt scene name. */
bool scene_is_named(const char *name);

/* Opens the scene, which may be that of a film, still or run, applies bodies_from and the settings,
 * and validates it. Both are collective on ranks, and ask rank 0's disk. */
enum status scene_request_open(const struct scene_request *request, struct scene **out);

/* Collective: the other ranks, whose *scene is NULL, read the scene as rank 0 has it, with what it
 * has found in files. */
enum status scene_share(struct scene **scene);

/* Gives the scene the run at the path, with its bodies and motion. */
enum status scene_take_run(struct scene *scene, const char *path);

/* STATUS_IO when the scene's bodies file does not exist. A file named by bodies_from is checked
 * when it is read. */
enum status scene_request_find_bodies(const struct scene_request *request,
                                      const struct scene *scene);

/* Adapts a scene with two galaxies to a picture of another shape: higher than wide instead of wide,
 * or the reverse. */

/* Turns camera.azimuth by 90 degrees where two generated galaxies would otherwise start along the
 * picture's shorter side: above each other in a picture higher than wide, beside each other in a
 * wide one. A film that was turned upright turns back to the azimuth of its scene. Nothing is done
 * where keyframes or panels say what is seen, or the picture is square. `made_for`: the size that
 * the scene itself has; true, with a message at info level, where the camera has been turned. */
bool upright_turn(struct scene *scene, struct picture_size made_for);
