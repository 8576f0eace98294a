#include "cmd/cli/options.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/film/sources.h"
#include "cmd/film/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool scene_is_named(const char *name)
{
    const char *extension = file_extension(name);
    if (strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0)
        return true;
    for (const struct scene_builtin *builtin = scene_builtins; builtin->name; builtin++)
        if (strcmp(builtin->name, name) == 0)
            return true;
    return !strpbrk(name, "./") && !file_exists(name);
}

/* A quoted YAML scalar, for texts that may hold anything; NULL without memory. */
static char *quote(const char *text)
{
    char *quoted = malloc(2 * strlen(text) + 3), *to = quoted;
    if (!quoted)
        return NULL;
    *to++ = '\'';
    for (const char *from = text; *from; from++) {
        if (*from == '\'')
            *to++ = '\'';
        *to++ = *from;
    }
    *to++ = '\'';
    *to = '\0';
    return quoted;
}

static enum status append_codec_option(struct scene *scene, const char *option, const char *origin)
{
    const char *before = scene->output.codec_options;
    char *list = text_format("%s%s%s", before, *before ? ":" : "", option);
    char *quoted = list ? quote(list) : NULL;
    enum status status = quoted ? scene_set(scene, "output.codec_options", quoted, origin)
                                : status_fail(STATUS_RUNTIME, "no memory left for the options of "
                                                              "the encoder");
    free(quoted);
    free(list);
    return status;
}

static enum status apply_bodies_from(struct scene *scene, const char *path)
{
    char *quoted = quote(path);
    if (!quoted)
        return status_fail(STATUS_RUNTIME, "no memory left for the name of the bodies file");
    enum status status = scene_set(scene, "bodies.model", "file", "--bodies-from");
    if (status == STATUS_OK)
        status = scene_set(scene, "bodies.file", quoted, "--bodies-from");
    /* The number of the scene's own model means nothing for a file; -n can follow. */
    if (status == STATUS_OK)
        status = scene_set(scene, "bodies.count", "0", "--bodies-from");
    scene->bodies.components_optional = true;
    free(quoted);
    return status;
}

/* A panel of differences whose bodies move as the first panel's do would be black. */
static enum status check_differences(const struct scene *scene)
{
    struct film_sources sources;
    film_sources(scene, &sources);
    for (uint32_t n = 0; n < scene->look.panel_count; n++) {
        if (!scene->look.panels[n].difference || sources.panel[n] != sources.panel[0])
            continue;
        char key[64];
        snprintf(key, sizeof key, "look.panels[%u].difference", n + 1);
        status_fail(STATUS_USAGE, "its bodies move as the first panel's do, so there is none; give "
                                  "it another force or subset");
        return scene_blame(scene, key);
    }
    return STATUS_OK;
}

enum status render_options_scene(const struct render_options *options, struct scene **out)
{
    enum status status = scene_open(out, options->scene);
    if (status == STATUS_OK && options->bodies_from)
        status = apply_bodies_from(*out, options->bodies_from);
    for (int i = 0; status == STATUS_OK && i < options->setting_count; i++)
        status =
            options->settings[i].append
                ? append_codec_option(*out, options->settings[i].value, options->settings[i].origin)
                : scene_set(*out, options->settings[i].key, options->settings[i].value,
                            options->settings[i].origin);
    if (status == STATUS_OK)
        status = scene_validate(*out);
    if (status == STATUS_OK)
        status = check_differences(*out);
    if (status == STATUS_OK)
        status = script_check(*out);
    return status;
}
