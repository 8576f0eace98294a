/* Where a baseline's scene came from: a built-in scene or a file, and the settings changed on the
 * command line. A check opens the same source again, so that it notices when the scene has changed
 * since. The record holds the scene as it was. Paths are relative to the folder of the baseline's
 * text, so that the repository can be anywhere. */
#pragma once

#include "cmd/film/scene/request.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

struct source_setting {
    char *key, *append; /* the key to set, or the key to append to; the other is NULL */
    char *value;
};

struct source {
    char *scene, *bodies_from; /* bodies_from NULL: as the scene says */
    uint32_t setting_count;
    struct source_setting *settings;
};

/* `folder` is the folder of the baseline's text. Returns STATUS_IO when a file of the scene is
 * missing. */
enum status source_take(struct source *out, const struct scene_request *request,
                        const char *folder);
void source_add(struct source *source, const char *key, const char *value, bool append);

/* Returns whether all paths are relative. */
bool source_is_safe(const struct source *source);

/* Resolves a path in a source of a text in `folder`. The caller frees it. */
char *source_path(const char *folder, const char *path);

/* Opens the scene as the source defines it now. */
enum status source_open(const struct source *source, const char *folder, struct scene **out);

/* Opens the scene in a record, whose bodies file is relative to `folder`; `name` is the baseline's,
 * for messages. */
enum status source_open_text(const char *text, const char *folder, const char *name,
                             struct scene **out);

/* Returns the scene in the form that a record keeps, with its bodies file relative to the folder,
 * and the hash of that text. free() frees the text. */
char *source_print(struct scene *scene, const char *folder, char hash[17]);
