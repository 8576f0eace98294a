#include "cmd/regression/baseline/source.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/scene/request.h"
#include "scenes/scene.h"
#include "scenes/check.h"
#include "scenes/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- paths ---- */

/* Returns `path` relative to `folder`; both must exist. */
static char *seen_from(const char *folder, const char *path)
{
    char *from = realpath(folder, NULL), *to = realpath(path, NULL), *out = NULL;
    if (from && to) {
        size_t same = 0;
        for (size_t i = 0; from[i] == to[i] || (!from[i] && to[i] == '/'); i++) {
            if (!from[i] || from[i] == '/')
                same = i;
            if (!from[i])
                break;
        }
        size_t ups = 0;
        for (const char *at = from + same; *at; at++)
            ups += *at == '/' && at[1];
        char *up = memory_new(3 * ups + 1, 1);
        for (size_t u = 0; u < ups; u++)
            memcpy(up + 3 * u, "../", 4);
        out = text_format("%s%s", up, to + same + 1);
        free(up);
    }
    free(from);
    free(to);
    return out;
}

static enum status take_path(char **out, const char *path, const char *folder)
{
    *out = seen_from(folder, path);
    return *out ? STATUS_OK : status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
}

char *source_path(const char *folder, const char *path)
{
    return *path == '/' ? memory_text(path) : text_format("%s/%s", folder, path);
}

/* ---- sources ---- */

void source_add(struct source *source, const char *key, const char *value, bool append)
{
    const uint32_t count = source->setting_count++;
    source->settings = memory_grow(source->settings, count + 1, sizeof *source->settings);
    source->settings[count] = (struct source_setting){
        append ? NULL : memory_text(key), append ? memory_text(key) : NULL, memory_text(value)};
}

enum status source_take(struct source *out, const struct scene_request *request, const char *folder)
{
    *out = (struct source){0};
    enum status status = STATUS_OK;
    if (choice_find(&builtin_registry, request->scene))
        out->scene = memory_text(request->scene);
    else
        status = take_path(&out->scene, request->scene, folder);
    if (status == STATUS_OK && request->bodies_from)
        status = take_path(&out->bodies_from, request->bodies_from, folder);
    for (int i = 0; i < request->setting_count; i++)
        source_add(out, request->settings[i].key, request->settings[i].value,
                   request->settings[i].append);
    return status;
}

bool source_is_safe(const struct source *source)
{
    return *source->scene != '/' && (!source->bodies_from || *source->bodies_from != '/');
}

enum status source_open(const struct source *source, const char *folder, struct scene **out)
{
    char *bodies = source->bodies_from ? source_path(folder, source->bodies_from) : NULL;
    char *scene = choice_find(&builtin_registry, source->scene)
                      ? memory_text(source->scene)
                      : source_path(folder, source->scene);
    struct scene_request *request = memory_new(1, sizeof *request);
    *request = (struct scene_request){.scene = scene, .bodies_from = bodies};
    for (uint32_t i = 0; i < source->setting_count && i < SETTINGS_MAX; i++) {
        const struct source_setting *from = &source->settings[i];
        request->settings[request->setting_count++] =
            (struct setting){from->append ? from->append : from->key, from->value,
                             "the baseline's source", from->append != NULL};
    }
    *out = NULL;
    enum status status = scene_request_open(request, out);
    if (status != STATUS_OK)
        scene_close(out);
    free(request);
    free(scene);
    free(bodies);
    return status;
}

enum status source_open_text(const char *text, const char *folder, const char *name,
                             struct scene **out)
{
    enum status status = scene_parse(out, text, name);
    if (status != STATUS_OK) {
        *out = NULL;
        return status;
    }
    const char *file = (*out)->bodies.file;
    if (*file && *file != '/') {
        char *path = source_path(folder, file);
        if (file_exists(path))
            status = scene_set_text(*out, "bodies.file", path, name);
        free(path);
    }
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status != STATUS_OK)
        scene_close(out);
    return status;
}

char *source_print(struct scene *scene, const char *folder, char hash[17])
{
    char *before = scene->bodies.file;
    char *seen = *before ? seen_from(folder, before) : NULL;
    if (seen)
        scene->bodies.file = seen;
    char *text = scene_print(scene);
    scene_hash(scene, hash);
    scene->bodies.file = before;
    free(seen);
    return text;
}
