/* Where a baseline's scene came from: a built-in scene or a file, and what the command line changed
 * of it. A check asks for the same again, so that a scene that has changed since is noticed; the
 * scene as it was then is in the record.
 *
 * Paths are relative to the folder of the baseline's text, so that a repository can be anywhere. */
#ifndef CMD_REGRESSION_BASELINE_SOURCE_H
#define CMD_REGRESSION_BASELINE_SOURCE_H

#include "cmd/film/scene/request.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct source_setting {
    char *key, *append; /* the key that is set, or the one that is appended to; the other is NULL */
    char *value;
};

struct source {
    char *scene, *bodies_from; /* bodies_from NULL: as the scene says */
    uint32_t setting_count;
    struct source_setting *settings;
};

/* `folder` is that of the baseline's text. STATUS_IO when a file of the scene is not there. */
enum status source_take(struct source *out, const struct scene_request *request,
                        const char *folder);
void source_add(struct source *source, const char *key, const char *value, bool append);

/* Whether all paths are relative. */
bool source_is_safe(const struct source *source);

/* A path of a source in a text of the folder, from here. The caller frees it. */
char *source_path(const char *folder, const char *path);

/* The scene that it means now. */
enum status source_open(const struct source *source, const char *folder, struct scene **out);

/* The scene that a record has, with its bodies file where it is seen from the folder; `name` is the
 * baseline's, for sentences. */
enum status source_open_text(const char *text, const char *folder, const char *name,
                             struct scene **out);

/* The scene as a record keeps it, its bodies file as seen from the folder, and the hash of that.
 * free() frees the text. */
char *source_print(struct scene *scene, const char *folder, char hash[17]);

#endif
