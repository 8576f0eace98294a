/* The scene in the tags of a film or picture made by gravreel. Thread-safe. */
#pragma once

#include "base/tag.h"
#include "scenes/scene.h"

#include <stdbool.h>

/* Whether the file is a film or a picture by its first bytes, or a film by its name. */
bool own_scene_possible(const char *path);

/* The metadata of a film or picture. Free with tags_free in every case. */
enum status own_scene_tags(const char *path, struct tags *out);

/* STATUS_MISMATCH when a tag that packs others is damaged (base/tag.h). */
enum status own_scene_check(const struct tags *tags, const char *path);

/* Opens the scene of such a file; its bodies file is searched as for a scene file in the same
 * place. The scene is the whole film's, whichever frames the file has. STATUS_USAGE when the file
 * contains no scene; otherwise fails like own_scene_check. */
enum status own_scene_open(struct scene **out, const char *path);

/* The same with the text of a resolved scene that was kept beside the file at `path`. */
enum status own_scene_parse(struct scene **out, const char *text, const char *path);

/* The film beside which this scene was written: film.mp4 for film.scene.yaml and for
 * film.mp4.scene.yaml, or a picture of the sequence, provided that both contain the same scene.
 * NULL: none. The caller frees it. */
char *own_scene_film(const char *path);

/* The first line of a panel's scene_text, with the panel's keys from which the text was made. The
 * caller frees it. */
char *panel_source(const struct panel_params *panel);
/* Whether scene_text was made from the panel's present keys. Folders in front of file names may
 * differ. */
bool panel_is_resolved(const struct panel_params *panel);

/* The files named in a film's scene. A film may come from anybody, and its scene may name any file
 * of this machine. */

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
