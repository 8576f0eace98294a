#include "cmd/cli/choices.h"

#include "base/suggest.h"
#include "base/text.h"

#include "render/colour/colour.h"
#include "render/colour/map.h"
#include "render/sprites/draw_mode.h"
#include "render/sprites/profile.h"
#include "render/video/codecs.h"
#include "sim/integrators/integrator.h"
#include "sim/models/model.h"
#include "sim/solver/solver.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void row(const char *name, const char *doc)
{
    printf("  %-14s %s\n", name, doc);
}

static const struct codec *codec_at(size_t i)
{
    return (const struct codec *)choice_at(&codec_registry, i);
}

static void print_codecs(void)
{
    const struct codec *codec;
    row("auto", "the usual one of the file's format, encoded by the GPU where it can");
    for (size_t i = 0; (codec = codec_at(i)); i++) {
        char doc[256];
        snprintf(doc, sizeof doc, "%s (%s; for %s)", codec->doc, codec->encoder, codec->containers);
        row(codec->name, doc);
    }
}

static void print_presets(void)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = codec_at(i)); i++)
        if (*codec->presets)
            row(codec->name, codec->presets);
}

static void print_backends(void)
{
    row("auto", "the first of these that runs here");
    for (const struct solver_ops *const *solver = solvers; *solver; solver++)
        row((*solver)->name, (*solver)->doc);
}

static void print_colours(void)
{
    for (const struct colour *const *colour = colours; *colour; colour++)
        row((*colour)->name, (*colour)->doc);
}

static void print_maps(void)
{
    for (const struct colour_map *const *map = colour_maps; *map; map++)
        row((*map)->name, (*map)->doc);
}

static void print_draw_modes(void)
{
    for (const struct draw_mode *const *mode = draw_modes; *mode; mode++)
        row((*mode)->name, (*mode)->doc);
}

static void print_profiles(void)
{
    for (const struct sprite_profile *const *profile = sprite_profiles; *profile; profile++)
        row((*profile)->name, (*profile)->doc);
}

static void print_registry(const struct registry *registry)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        row(entry->name, entry->doc);
}

static void print_integrators(void)
{
    print_registry(&integrator_registry);
}

static void print_models(void)
{
    print_registry(&model_registry);
}

static const char *codec_name(size_t i)
{
    return codec_at(i) ? codec_at(i)->name : NULL;
}

static const char *backend_name(size_t i)
{
    return solvers[i] ? solvers[i]->name : NULL;
}

static const char *integrator_name(size_t i)
{
    const struct integrator *integrator = choice_at(&integrator_registry, i);
    return integrator ? integrator->name : NULL;
}

static const char *model_name(size_t i)
{
    const struct bodies_model *model = choice_at(&model_registry, i);
    return model ? model->name : NULL;
}

static const struct list {
    const char *key, *what;
    void (*print)(void);
    const char *(*name)(size_t i); /* NULL past the last, or the function NULL: not names */
    bool automatic;                /* "auto" may be chosen as well */
} lists[] = {
    {"backend", "backend", print_backends, backend_name, true},
    {"output.codec", "codec", print_codecs, codec_name, true},
    {"output.preset", "preset", print_presets, NULL, false},
    {"look.mode", "draw mode", print_draw_modes, draw_mode_name, false},
    {"look.color", "colour mode", print_colours, colour_name, false},
    {"look.map", "colour map", print_maps, colour_map_name, false},
    {"look.profile", "sprite profile", print_profiles, sprite_profile_name, false},
    {"simulation.integrator", "integrator", print_integrators, integrator_name, false},
    {"bodies.model", "model", print_models, model_name, false},
};

static const struct list *find_list(const char *key)
{
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].key, key) == 0)
            return &lists[i];
    return NULL;
}

enum status choices_print(const char *key)
{
    const struct list *list = find_list(key);
    if (!list)
        return status_fail(STATUS_USAGE,
                           "%s has no list of choices; docs/scene.md and `gravreel scenes --keys` "
                           "describe every key",
                           key);
    list->print();
    return STATUS_OK;
}

enum status choices_check(const char *key, const char *value)
{
    const struct list *list = find_list(key);
    struct suggestion suggestion = {value, NULL, 0};
    if (!list || !list->name || (list->automatic && strcmp(value, "auto") == 0))
        return STATUS_OK;
    const char *renamed = list->print == print_codecs ? codec_renamed(value) : NULL;
    if (renamed)
        return status_fail(STATUS_USAGE, "codec %s %s", value, renamed);
    char names[512] = "";
    for (size_t i = 0; list->name(i); i++) {
        if (strcmp(list->name(i), value) == 0)
            return STATUS_OK;
        suggest_offer(&suggestion, list->name(i));
        text_list(names, sizeof names, list->name(i));
    }
    return status_fail(STATUS_USAGE, "there is no %s '%s'%s%s choose one of %s%s", list->what,
                       value, suggest_text(&suggestion), suggestion.best ? "" : ";",
                       list->automatic ? "auto, " : "", names);
}
