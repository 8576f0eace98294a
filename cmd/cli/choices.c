#include "cmd/cli/choices.h"

#include "render/video/codecs.h"
#include "scenes/reference.h"
#include "sim/solver/solver.h"

#include <stdio.h>
#include <string.h>

static void print_row(const char *name, const char *doc)
{
    printf("  %-14s %s\n", name, doc);
}

void choices_list(const struct registry *registry)
{
    const struct choice *entry;
    for (size_t i = 0; (entry = choice_at(registry, i)); i++)
        print_row(entry->name, entry->doc);
}

static void print_codecs(void)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++) {
        char doc[256];
        snprintf(doc, sizeof doc, "%s (%s; for %s)", codec->doc, codec->encoder, codec->containers);
        print_row(codec->name, doc);
    }
}

static void print_presets(void)
{
    const struct codec *codec;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)); i++)
        if (*codec->presets)
            print_row(codec->name, codec->presets);
}

enum status choices_print(const char *path)
{
    if (strcmp(path, "backend") == 0) {
        print_row("auto", "the first of these that runs here");
        choices_list(&solver_registry);
        return STATUS_OK;
    }
    struct reference one;
    enum status status = reference_find(path, &one);
    if (status != STATUS_OK)
        return status;
    const bool preset = one.key == key_path_find("output.preset");
    const bool codec = one.key && one.key->registry == &codec_registry;
    if (!preset && !codec) {
        reference_print_one(stdout, &one, REFERENCE_TEXT);
        return STATUS_OK;
    }
    reference_print_key(stdout, one.key);
    if (preset)
        print_presets();
    else
        print_codecs();
    return STATUS_OK;
}

enum status choices_check_backend(const char *name)
{
    const struct choice *backend;
    if (strcmp(name, "auto") == 0)
        return STATUS_OK;
    return choice_require(&solver_registry, name, &backend);
}
