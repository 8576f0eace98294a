#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/command.h"
#include "cmd/film/scene/request.h"
#include "cmd/film/start/propose.h"
#include "cmd/film/stills/sheets.h"
#include "cmd/film/stills/still.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "scenes/reference.h"
#include "sim/models/models.h"

#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_KEYS = 256,
    KEY_MARKDOWN,
    KEY_MANUAL,
    KEY_RESOLVED,
    KEY_FROM,
    KEY_SHEET,
    KEY_BODIES = 'n',
    KEY_OVERWRITE = 'y'
};

enum { SHEET_BODIES = 16384, SHEET_BODIES_MOST = 100000000, SHEET_WIDTH = 1960 };

struct scenes_options {
    const char *name;  /* NULL: none given */
    const char *from;  /* likewise */
    const char *sheet; /* likewise */
    uint64_t bodies;   /* number of bodies of each scene on the sheet */
    bool keys, resolved, overwrite;
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
    case KEY_FROM:
        options->from = argument;
        return 0;
    case KEY_SHEET:
        options->sheet = argument;
        return 0;
    case KEY_BODIES:
        return number_parse("-n", argument, 1, SHEET_BODIES_MOST, &options->bodies) ? EINVAL : 0;
    case KEY_OVERWRITE:
        options->overwrite = true;
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

/* Prints the default scene's keys that suit any bodies, and those that these bodies suggest. */
static void print_proposal(const struct scene *scene, const struct bodies *bodies,
                           const struct motion *motion)
{
    static const char *const also[] = {"bodies.count",  "simulation.steps_per_frame",
                                       "camera.frame",  "output.size",
                                       "output.frames", NULL};
    char *text = scene_print_short(scene, also);
    text_print("# %zu bodies from a file. Half of their mass is within %.3g, 90 %% within %.3g.\n# "
               "Their dynamical time is %.3g; the film, %g seconds long, shows %.3g of these. "
               "Virial ratio:\n# %.3g (1: in equilibrium).\n",
               bodies->count, motion->half, motion->most, motion->time,
               scene_seconds(scene, scene->output.frames),
               scene->simulation.dt * scene->simulation.steps_per_frame *
                   (double)scene->output.frames / motion->time,
               motion->virial);
    for (size_t c = 0; bodies->component_count > 1 && c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        text_print("# %s, %zu bodies\n", component->name, component->count);
    }
    fputs(text, stdout);
    free(text);
}

/* Derives the title from the file's name, without folder and extensions. */
static enum status give_title(struct scene *scene, const char *from)
{
    const char *name = file_base(from);
    if (strcmp(from, "-") == 0)
        return STATUS_OK;
    const size_t hidden = *name == '.';
    char *title = text_format("%.*s", (int)(hidden + strcspn(name + hidden, ".")), name);
    enum status status = scene_set_text(scene, "output.title", title, "--from");
    if (status == STATUS_OK)
        status = scene_set(scene, "overlay.title", "true", "--from");
    free(title);
    return status;
}

static bool has_galaxies(const struct bodies *bodies)
{
    for (size_t c = 1; c < bodies->component_count; c++)
        if (strcmp(bodies->components[c].galaxy, bodies->components[0].galaxy) != 0)
            return true;
    return false;
}

static enum status print_new(const char *from)
{
    struct scene_request *request = memory_new(1, sizeof *request);
    struct scene *scene = NULL;
    struct bodies *bodies = NULL;
    struct motion motion;
    *request = (struct scene_request){.scene = builtin_default(), .bodies_from = from};
    enum status status = scene_request_open(request, &scene);
    if (status == STATUS_OK)
        status = bodies_make(&scene->bodies, &bodies);
    if (status == STATUS_OK && !propose(scene, bodies, &motion))
        status = status_fail(STATUS_USAGE,
                             "cannot derive a time step from the bodies of '%s': fewer than two "
                             "have mass, or all are in one place",
                             from);
    if (status == STATUS_OK)
        status = give_title(scene, from);
    if (status == STATUS_OK && has_galaxies(bodies))
        status = scene_set(scene, "look.color", "galaxy", "--from");
    if (status == STATUS_OK) {
        print_proposal(scene, bodies, &motion);
        fflush(stdout);
        status = propose_warn(scene, bodies);
    }
    bodies_destroy(&bodies);
    scene_close(&scene);
    free(request);
    return status;
}

static enum status check_new(const struct scenes_options *options)
{
    const bool is_new = options->name && strcmp(options->name, "new") == 0;
    if (options->from && !is_new)
        return status_fail(STATUS_USAGE,
                           "--from makes a new scene; say `gravreel scenes new --from %s`",
                           options->from);
    if (is_new && !options->from)
        return status_fail(STATUS_USAGE, "a new scene needs bodies; name a file with --from");
    return STATUS_OK;
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

static enum status make_sheet(const struct scenes_options *options)
{
    const struct scene_sheet_params params = {
        .output = options->sheet,
        .bodies = options->bodies,
        .width = SHEET_WIDTH,
        .only = options->name,
        .backend = "auto",
    };
    const struct choice *found;
    enum status status = STATUS_OK;
    if (options->name)
        status = choice_require(&builtin_registry, options->name, &found);
    if (status == STATUS_OK)
        status =
            snapshot_check_output(options->sheet, NULL, options->overwrite, "scenes.png", false);
    return status == STATUS_OK ? scene_sheet_make(&params) : status;
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
        {"from", KEY_FROM, "FILE", 0,
         "With the NAME `new`: print a scene for this file of bodies, whose softening, steps and "
         "camera suit them",
         0},
        {"resolved", KEY_RESOLVED, NULL, 0, "Print the scene with every default filled in", 0},
        {"sheet", KEY_SHEET, "OUT.png", 0,
         "Draw four moments of every built-in scene, or of the one named, into one picture; a "
         "scene whose file of bodies is not there is left out",
         0},
        {"bodies", KEY_BODIES, "N", 0,
         "With --sheet: number of bodies of each scene, at most (default: 16384)", 0},
        {"overwrite", KEY_OVERWRITE, NULL, 0, "With --sheet: replace an existing picture", 0},
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
               "  gravreel scenes new --from bodies.csv > mine.yaml\n"
               "  gravreel scenes --keys camera\n"
               "  gravreel scenes --keys camera.orbit\n"
               "  gravreel scenes --sheet scenes.png",
    };
    struct scenes_options options = {.bodies = SHEET_BODIES};
    enum status status = arguments_parse(&argp, "scenes", argc, argv, &options);
    if (status != STATUS_OK)
        return (int)status;
    if (!options.keys)
        status = check_new(&options);
    if (status != STATUS_OK)
        return (int)status;
    if (options.keys)
        status = print_keys(&options);
    else if (options.sheet)
        status = make_sheet(&options);
    else if (options.from)
        status = print_new(options.from);
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
