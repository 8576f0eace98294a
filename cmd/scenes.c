#include "cmd/command.h"

#include "cmd/cli/arguments.h"
#include "cmd/cli/choices.h"

#include "scenes/check.h"
#include "scenes/print.h"
#include "scenes/reference.h"
#include "scenes/builtin.h"
#include "scenes/scene.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_KEYS = 256, KEY_MARKDOWN, KEY_MANUAL, KEY_RESOLVED };

struct scenes_options {
    const char *name; /* NULL: none given */
    bool keys, resolved;
    enum reference_form form;
};

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct scenes_options *options = state->input;
    switch (key) {
    case KEY_KEYS:
        options->keys = true;
        return 0;
    case KEY_MARKDOWN:
        options->keys = true;
        options->form = REFERENCE_MARKDOWN;
        return 0;
    case KEY_MANUAL:
        options->keys = true;
        options->form = REFERENCE_MANUAL;
        return 0;
    case KEY_RESOLVED:
        options->resolved = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->name)
            argp_error(state, "only one name can be given, found '%s' and '%s'", options->name,
                       argument);
        options->name = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status print_scene(const struct scenes_options *options)
{
    const struct scene_builtin *builtin = choice_find(&builtin_registry, options->name);
    if (builtin && !options->resolved) {
        fputs(builtin->text, stdout);
        return STATUS_OK;
    }
    struct scene *scene;
    enum status status = scene_open(&scene, options->name);
    if (status == STATUS_OK)
        status = scene_validate(scene);
    if (status == STATUS_OK) {
        char *text = scene_print(scene);
        fputs(text, stdout);
        free(text);
    }
    scene_close(&scene);
    return status;
}

static enum status print_keys(const struct scenes_options *options)
{
    if (!options->name) {
        reference_print(stdout, options->form);
        return STATUS_OK;
    }
    if (options->form == REFERENCE_TEXT)
        return choices_print(options->name);
    return status_fail(STATUS_USAGE,
                       "--markdown and --man print the reference of all keys, found '%s'; leave "
                       "out one of them",
                       options->name);
}

static void list_scenes(void)
{
    const struct scene_builtin *builtin;
    for (size_t i = 0; (builtin = choice_at(&builtin_registry, i)); i++)
        printf("%-22s %s\n", builtin->name, builtin->doc);
}

static int run_scenes(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"resolved", KEY_RESOLVED, NULL, 0, "Print the scene with every default filled in", 0},
        {"keys", KEY_KEYS, NULL, 0,
         "Describe every key that a scene can have, or with a NAME those of a section (camera), or "
         "one (camera.orbit)",
         0},
        {"markdown", KEY_MARKDOWN, NULL, 0, "Describe all in Markdown", 0},
        {"man", KEY_MANUAL, NULL, 0, "Describe all as a manual page", 0},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "[NAME]",
        .doc = "Lists the built-in scenes, or prints a scene as YAML to start from.\v"
               "Examples:\n"
               "  gravreel scenes plummer\n"
               "  gravreel scenes --keys camera\n"
               "  gravreel scenes --keys camera.orbit",
    };
    struct scenes_options options = {0};
    enum status status = arguments_parse(&argp, "scenes", argc, argv, &options);
    if (status != STATUS_OK)
        return (int)status;
    if (options.keys)
        status = print_keys(&options);
    else if (options.name)
        status = print_scene(&options);
    else
        list_scenes();
    return (int)status;
}

const struct command command_scenes = {
    .name = "scenes",
    .doc = "list the built-in scenes, print one, describe every key",
    .run = run_scenes,
};
