#include "cmd/cli/options.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/film/scene/own_scene.h"
#include "render/sinks.h"
#include "scenes/keys.h"
#include "scenes/print.h"
#include "sim/solver/solver.h"

#include <argp.h>
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Options shared by several commands that take a scene, besides the options of keys. */
static const struct shared_option {
    unsigned takers; /* of enum taker */
    struct argp_option row;
} shared_options[] = {
    {TAKERS_PHYSICS,
     {"overwrite", OPTION_OVERWRITE, NULL, 0, "Replace files that exist", HELP_FILES}},
    {TAKER_RENDER | TAKER_STILL | TAKER_SHEET,
     {"save-scene", OPTION_SAVE_SCENE, "FILE", 0,
      "Write the scene with every default filled in; without -o, do nothing else", HELP_FILES}},
    {TAKER_RENDER | TAKER_STILL | TAKER_SHEET,
     {"plan", OPTION_PLAN, "FILE", 0,
      "Take camera, moments, exposure and scales from the plan of another run of the scene instead "
      "of finding them: plan.json of its work folder, or a plan in --checkpoints",
      HELP_FILES}},
    {TAKER_STILL | TAKER_SHEET,
     {"as-film", OPTION_AS_FILM, NULL, 0,
      "Darken pictures of a scene where its film fades in or out, instead of drawing them in full; "
      "include the fades of a film in its sheet",
      HELP_FILES}},
    {TAKER_RENDER | TAKER_STILL | TAKER_FARM,
     {"metadata", OPTION_METADATA, "packed|full|short|none", 0,
      "Metadata to store in the file: packed, the default, everything including the scene in one "
      "tag; full, everything in a tag each; short, title, program and the scene's hash; or none",
      HELP_FILES}},
    {TAKERS_PHYSICS,
     {"bodies-from", OPTION_BODIES_FROM, "FILE", 0,
      "Take the bodies from a file: a table `mass x y z vx vy vz`, CSV, NumPy's arrays, Tipsy, "
      "GADGET, NEMO or HDF5; - is standard input",
      HELP_SCENE}},
    {TAKER_RENDER | TAKER_STILL | TAKER_SHEET | TAKER_FARM | TAKER_VIEW,
     {"snapshots", OPTION_SNAPSHOTS, "PATTERN", 0,
      "Show another program's simulation: the bodies of these files and their motion from one to "
      "the next; quote the pattern, 'snapshot_*.hdf5'",
      HELP_SCENE}},
    {TAKER_STILL | TAKER_BASELINE | TAKER_FARM | TAKER_VIEW,
     {"frames", OPTION_FRAMES, "N", 0,
      "Make the film N frames long, at the same pace, so that it ends later or earlier",
      HELP_SCENE}},
    {TAKERS_ALL | TAKER_RESUME,
     {"run", OPTION_RUN, "FILE", 0,
      "Take bodies and motion from a run of `gravreel simulate` or --keep-run instead of "
      "simulating; only the look of the scene may differ from the run's",
      HELP_SCENE}},
    {TAKERS_PHYSICS,
     {"set", OPTION_SET, "SECTION.KEY=VALUE", 0,
      "Set any key of the scene; SECTION.KEY=help prints the key's values, SECTION=help the "
      "section's keys",
      HELP_SCENE}},
    {TAKERS_PHYSICS,
     {"duration", OPTION_DURATION, "SECONDS", 0,
      "Show the same in a film of this length (20 or 1:30), faster or slower; with --speed at that "
      "speed, so that the film ends earlier or later",
      HELP_SCENE}},
    {TAKERS_PHYSICS,
     {"speed", OPTION_SPEED, "X", 0,
      "Play X times as fast: the film is that much shorter, and everything in it is faster",
      HELP_SCENE}},
    {TAKER_RENDER | TAKER_FARM | TAKER_RESUME,
     {"encoders", OPTION_ENCODERS, "N", 0,
      "Number of segments to encode at once (default: depends on the processors)", HELP_RUN}},
    {TAKER_RENDER | TAKER_FARM | TAKER_RESUME,
     {"memory", OPTION_MEMORY, "SIZE", 0,
      "Memory for pictures that wait to be encoded, such as 2G (default: a quarter of the "
      "machine's)",
      HELP_RUN}},
    {TAKERS_FILM,
     {"codec-option", OPTION_CODEC_OPTION, "KEY=VALUE", 0,
      "Pass an option to the encoder; may be repeated", HELP_ENCODING}},
    {TAKERS_PHYSICS,
     {"backend", OPTION_BACKEND, solver_choices, 0,
      "Simulation backend; auto, the default: a CUDA device if there is one", HELP_RUN}},
    {TAKER_RENDER | TAKER_RESUME,
     {"summary", OPTION_SUMMARY, "full|short|json", 0,
      "Summary at the end: in full, in two lines, or as JSON on standard output; default: full",
      HELP_MESSAGES}},
    {TAKER_RENDER | TAKER_RESUME,
     {"progress", OPTION_PROGRESS, "FILE", 0, "Write blocks of key=value lines during the run",
      HELP_MESSAGES}},
    {TAKERS_PHYSICS | TAKER_RESUME,
     {"device", OPTION_DEVICE, "N", 0, "CUDA device; default: 0", HELP_RUN}},
    {TAKER_RENDER,
     {"draw-device", OPTION_DRAW_DEVICE, "N", 0,
      "CUDA device that draws; default: the one that simulates", HELP_RUN}},
    {TAKERS_PHYSICS | TAKER_RESUME,
     {"quiet", OPTION_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES}},
    {TAKERS_PHYSICS, {"verbose", OPTION_VERBOSE, NULL, 0, "Print more messages", HELP_MESSAGES}},
    {TAKERS_PHYSICS,
     {"log-level", OPTION_LOG_LEVEL, "error|warning|info|debug", 0,
      "Least severe messages to print; default: info", HELP_MESSAGES}},
};

enum { SHARED_OPTIONS = sizeof shared_options / sizeof shared_options[0] };

/* The option's row for argp; `describe` supplies its text. */
static struct argp_option key_row(const struct key_option *option)
{
    return (struct argp_option){.name = option->name + 2,
                                .key = key_option_number(option),
                                .arg = option->argument,
                                .flags = option->flags,
                                .group = (int)option->group};
}

/* The help text of an option; argp frees the result if it is not `text`. */
static char *describe(int option, const char *text, void *user)
{
    (void)user;
    const struct key_option *of_key = key_option_find(option);
    if (of_key) {
        const struct key *key = key_path_find(of_key->path);
        const bool of_preset = strcmp(of_key->path, "output.preset") == 0;
        /* the key's own text explains "auto" and an empty default */
        const bool told = !isdigit((unsigned char)*key->fallback);
        return text_format("%c%s%s%s%s", toupper((unsigned char)key->doc[0]), key->doc + 1,
                           key->registry || of_preset ? "; `help` lists the choices" : "",
                           told ? "" : "; default: the scene's, or ", told ? "" : key->fallback);
    }
    if (option == OPTION_FORMAT) {
        char formats[256];
        sink_list_formats(false, formats, sizeof formats);
        return text_format("%s: %s", text, formats);
    }
    return (char *)text;
}

static enum status add_setting(struct render_options *options, char *key, char *value,
                               const char *origin)
{
    enum status status;
    if (options->request.setting_count == SETTINGS_MAX) {
        status = status_fail(STATUS_USAGE,
                             "at most %d settings can be given; put them into a scene file",
                             SETTINGS_MAX);
    } else if (strcmp(value, "help") == 0) {
        status = choices_print(key);
        options->answered = status == STATUS_OK;
    } else {
        options->request.settings[options->request.setting_count++] =
            (struct setting){key, value, origin, false};
        return STATUS_OK;
    }
    free(key);
    free(value);
    return status;
}

static enum status take_set(struct render_options *options, char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return status_fail(STATUS_USAGE,
                           "--set needs SECTION.KEY=VALUE, found '%s'; for example "
                           "--set camera.orbit=90",
                           text);
    return add_setting(options, text_format("%.*s", (int)(equals - text), text),
                       memory_text(equals + 1), "--set");
}

/* Adds an option to the list of encoder options, in which colons separate and backslashes
 * escape. */
static enum status take_codec_option(struct render_options *options, char *text)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return status_fail(STATUS_USAGE,
                           "--codec-option needs KEY=VALUE, found '%s'; for example "
                           "--codec-option tune=animation",
                           text);
    char *escaped = memory_new(2 * strlen(text) + 1, 1), *to = escaped;
    for (const char *from = text; *from; from++) {
        if (from > equals && strchr("\\':", *from))
            *to++ = '\\';
        *to++ = *from;
    }
    enum status status =
        add_setting(options, memory_text("output.codec_options"), escaped, "--codec-option");
    if (status == STATUS_OK)
        options->request.settings[options->request.setting_count - 1].append = true;
    return status;
}

static enum status take_frames(struct render_options *options, char *text)
{
    struct text_range range;
    enum status status = text_parse_range("--frames", text, &range);
    if (status != STATUS_OK)
        return status;
    if (range.has_count)
        return add_setting(options, memory_text("output.frames"), memory_text(text), "--frames");
    options->first = range.first;
    options->last = range.last;
    options->has_range = true;
    return STATUS_OK;
}

static enum status parse_device(const char *option, const char *text, int *out)
{
    uint64_t value;
    if (number_parse(option, text, 0, 1023, &value) != STATUS_OK)
        return status_fail(STATUS_USAGE,
                           "%s needs the number of a CUDA device, found '%s'; "
                           "`gravreel doctor` lists them",
                           option, text);
    *out = (int)value;
    return STATUS_OK;
}

static enum status take_device(struct render_options *options, char *text)
{
    return parse_device("--device", text, &options->device);
}

static enum status take_draw_device(struct render_options *options, char *text)
{
    options->has_draw_device = true;
    return parse_device("--draw-device", text, &options->draw_device);
}

/* Parses a plain decimal number above 0 and at most `most`; false for anything else. */
static bool parse_positive(const char *text, double most, double *out)
{
    char *end;
    if (!*text || text[strspn(text, "0123456789.")])
        return false;
    *out = strtod(text, &end);
    return !*end && *out > 0 && *out <= most;
}

/* Parses "20", "12.5" or "1:30". */
static enum status take_duration(struct render_options *options, char *text)
{
    double *out = &options->request.duration;
    enum { MINUTES_MOST = 100000 };
    uint64_t minutes = 0;
    const char *colon = strchr(text, ':'), *seconds = colon ? colon + 1 : text;
    bool good = parse_positive(seconds, colon ? 59.999999 : 1e9, out) ||
                (colon && strspn(seconds, "0") == strlen(seconds) && *seconds);
    if (good && colon)
        good = text_parse_digits(text, (size_t)(colon - text), &minutes) && minutes <= MINUTES_MOST;
    if (good && colon)
        *out = strtod(seconds, NULL) + 60.0 * (double)minutes;
    if (good && *out > 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "--duration needs the seconds that the film takes, or minutes and seconds, "
                       "found '%s'; for example --duration 20 or --duration 1:30",
                       text);
}

static enum status take_speed(struct render_options *options, char *text)
{
    if (parse_positive(text, 1e6, &options->request.speed))
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "--speed needs a number above 0 in plain digits, up to 1000000, found '%s'; for example "
        "--speed 2 for twice as fast, or --speed 0.5",
        text);
}

static enum status take_backend(struct render_options *options, char *text)
{
    options->backend = text;
    if (strcmp(text, "help") != 0)
        return choices_check_backend(text);
    options->answered = true;
    return choices_print("backend");
}

static enum status take_metadata(struct render_options *options, char *text)
{
    const struct choice *found;
    if (choice_require(&film_metadata_registry, text, &found) != STATUS_OK)
        return status_prefix(STATUS_USAGE, "--metadata");
    options->metadata = (const void *)found;
    return STATUS_OK;
}

static enum status take_level(struct render_options *options, char *text)
{
    (void)options;
    enum log_level level;
    if (!log_level_from_name(text, &level))
        return status_fail(STATUS_USAGE,
                           "--log-level needs error, warning, info or debug, found '%s'", text);
    log_set_level(level);
    return STATUS_OK;
}

static enum status take_summary(struct render_options *options, char *text)
{
    static const char *const forms[] = {"full", "short", "json"};
    options->summary = text;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(text, forms[i]) == 0)
            return STATUS_OK;
    return status_fail(STATUS_USAGE, "--summary needs full, short or json, found '%s'", text);
}

bool render_options_want_json(const struct render_options *options)
{
    return options->summary && strcmp(options->summary, "json") == 0;
}

static enum status take_json(struct render_options *options, char *none)
{
    (void)none;
    return take_summary(options, (char *)"json");
}

static enum status take_quiet(struct render_options *options, char *none)
{
    (void)none;
    options->quiet = true;
    log_set_level(LOG_ERROR);
    return STATUS_OK;
}

static enum status take_verbose(struct render_options *options, char *none)
{
    (void)options, (void)none;
    log_set_level(LOG_DEBUG);
    return STATUS_OK;
}

static enum status take_encoders(struct render_options *options, char *text)
{
    return count_parse("--encoders", text, 256, &options->encoders);
}

static enum status take_memory(struct render_options *options, char *text)
{
    return text_parse_bytes("--memory", text, &options->memory);
}

static enum status take_save_snapshots(struct render_options *options, char *pattern)
{
    options->save_snapshots = pattern;
    options->request.all_columns = true;
    return STATUS_OK;
}

static enum status take_frames_from(struct render_options *options, char *path)
{
    options->frames_from = path;
    options->request.all_columns = true;
    return STATUS_OK;
}

static enum status take_keep_run(struct render_options *options, char *path)
{
    options->keep_run = path;
    options->request.all_columns = true;
    return STATUS_OK;
}

/* An option stores its argument in a member, raises a flag, or calls a function. */
static const struct option_rule {
    enum option_key key;
    bool carried; /* the tasks of a farm's job get it: not those that the job chooses for each */
    size_t text, flag; /* offsets of members; 0: none */
    enum status (*take)(struct render_options *options, char *argument);
} option_rules[] = {
#define TEXT(member) .text = offsetof(struct render_options, member)
#define FLAG(member) .flag = offsetof(struct render_options, member)
    {OPTION_OUTPUT, TEXT(output)},
    {OPTION_JOB_FILE, TEXT(job_file)},
    {OPTION_OVERWRITE, FLAG(overwrite)},
    {OPTION_VERBOSE, .take = take_verbose},
    {OPTION_QUIET, .take = take_quiet},
    {OPTION_LOG_LEVEL, .take = take_level},
    {OPTION_FORMAT, TEXT(format)},
    {OPTION_BODIES_FROM, true, TEXT(request.bodies_from)},
    {OPTION_SNAPSHOTS, true, TEXT(request.snapshots)},
    {OPTION_FRAMES_FROM, .take = take_frames_from},
    {OPTION_RUN, true, TEXT(request.run)},
    {OPTION_KEEP_RUN, .take = take_keep_run},
    {OPTION_FRAMES, true, .take = take_frames},
    {OPTION_DURATION, true, .take = take_duration},
    {OPTION_SPEED, true, .take = take_speed},
    {OPTION_SET, true, .take = take_set},
    {OPTION_BACKEND, .take = take_backend},
    {OPTION_DEVICE, .take = take_device},
    {OPTION_DRAW_DEVICE, .take = take_draw_device},
    {OPTION_SAVE_SCENE, TEXT(save_scene)},
    {OPTION_SAVE_SNAPSHOTS, .take = take_save_snapshots},
    {OPTION_EVERY, TEXT(every)},
    {OPTION_MANIFEST, TEXT(manifest)},
    {OPTION_METADATA, true, .take = take_metadata},
    {OPTION_CODEC_OPTION, true, .take = take_codec_option},
    {OPTION_SUMMARY, .take = take_summary},
    {OPTION_JSON, .take = take_json},
    {OPTION_PROGRESS, TEXT(progress)},
    {OPTION_DRY_RUN, FLAG(dry_run)},
    {OPTION_RESUME, FLAG(resume)},
    {OPTION_AS_FILM, FLAG(as_film)},
    {OPTION_PLAN, TEXT(plan)},
    {OPTION_CHECKPOINTS, TEXT(checkpoints)},
    {OPTION_ENCODERS, true, .take = take_encoders},
    {OPTION_MEMORY, true, .take = take_memory},
#undef TEXT
#undef FLAG
};

static const struct option_rule *rule_of(int key)
{
    size_t i = 0;
    while (i < sizeof option_rules / sizeof *option_rules && (int)option_rules[i].key != key)
        i++;
    return i < sizeof option_rules / sizeof *option_rules ? &option_rules[i] : NULL;
}

static enum status take_option(struct render_options *options, int key, char *argument)
{
    const struct key_option *option = key_option_find(key);
    const struct option_rule *rule = rule_of(key);
    if (option)
        return add_setting(options, memory_text(option->path),
                           memory_text(argument ? argument : "true"), option->name);
    if (!rule)
        return status_fail(STATUS_RUNTIME, "no option has the number %d", key);
    if (rule->take)
        return rule->take(options, argument);
    if (rule->text)
        *(const char **)((char *)options + rule->text) = argument;
    else
        *(bool *)((char *)options + rule->flag) = true;
    return STATUS_OK;
}

struct parse {
    struct render_options *options;
    const struct scene_command *command;
    const struct argp_option *table;
    enum status status;
};

/* Stops argp with an error number; the caller has the actual reason. */
enum { STOP_PARSING = EINVAL, OPTIONS_MAX = 64 };

static void carry(struct parse *parse, int key, const char *argument)
{
    const struct argp_option *row = parse->table;
    while (row->key != key)
        row++;
    char *word = text_format("--%s%s%s", row->name, argument ? "=" : "", argument ? argument : ""),
         *quoted = text_quoted(word);
    text_append(&parse->options->carried, "", " %s", quoted);
    free(word);
    free(quoted);
}

/* A file behind an option that takes a pattern comes from the shell, which has replaced the pattern
 * by the files' names. */
static enum status check_pattern(const struct render_options *options, const char *argument)
{
    const bool played = options->request.snapshots != NULL;
    const char *given = played ? options->request.snapshots : options->frames_from;
    const char *option = played ? "snapshots" : "frames-from";
    if (!given || !file_exists(given) || !file_exists(argument) ||
        strcmp(file_extension(argument), "yaml") == 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "--%s takes one name, and '%s' is followed by '%s', as if the shell had "
                       "replaced a pattern; quote the pattern: --%s '%s'",
                       option, given, argument, option, played ? "snapshot_*.hdf5" : "frames.*");
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct parse *parse = state->input;
    if (key == ARGP_KEY_ARG) {
        parse->status = check_pattern(parse->options, argument);
        if (parse->status != STATUS_OK)
            return STOP_PARSING;
        if (parse->options->request.scene && !parse->command->many) {
            parse->status = status_fail(STATUS_USAGE,
                                        "only one scene can be given, found '%s' and '%s'; use -o "
                                        "for the output, and look.panels for both in one film",
                                        parse->options->request.scene, argument);
            return STOP_PARSING;
        }
        if (parse->options->scene_count == SCENES_MAX) {
            parse->status =
                status_fail(STATUS_USAGE, "at most %d scenes can be given at once", SCENES_MAX);
            return STOP_PARSING;
        }
        parse->options->scenes[parse->options->scene_count++] = argument;
        parse->options->request.scene = parse->options->scenes[0];
        return 0;
    }
    if (key >= OPTION_KEYS_END)
        return ARGP_ERR_UNKNOWN; /* an event of argp */
    if (key >= OPTION_OWN && key < OPTION_KEYS)
        parse->status = parse->command->take(parse->command->user, key, argument);
    else
        parse->status = take_option(parse->options, key, argument);
    if (parse->status == STATUS_OK && parse->command->taker == TAKER_FARM &&
        (key_option_find(key) || (rule_of(key) && rule_of(key)->carried)))
        carry(parse, key, argument);
    return parse->status == STATUS_OK && !parse->options->answered ? 0 : STOP_PARSING;
}

/* Whether a file of that name is a kind of output of the command. */
static bool is_output(const struct scene_command *command, const char *name)
{
    const struct sink_params params = {.path = name, .format = ""};
    const struct sink_ops *ops;
    if (command->taker == TAKER_RENDER)
        return sink_choose(&params, &ops) == STATUS_OK;
    return !(command->taker & (TAKER_BASELINE | TAKER_RESUME)) &&
           strcmp(file_extension(name), "png") == 0;
}

/* Detects a forgotten -o, without which the output would be taken for a scene. */
static enum status check_forgotten(const struct scene_command *command,
                                   const struct render_options *options)
{
    const char *name = options->request.scene;
    if (options->output || options->scene_count != 1 || choice_find(&builtin_registry, name) ||
        file_exists(name) || !is_output(command, name))
        return STATUS_OK;
    return status_fail(STATUS_USAGE, "there is no scene or film '%s'; did you mean -o %s?", name,
                       name);
}

static int append_rows(struct argp_option *table, int count, const struct argp_option *rows)
{
    for (; rows->name && count < OPTIONS_MAX; rows++)
        table[count++] = *rows;
    return count;
}

enum status scene_command_parse(const struct scene_command *command, struct render_options *options,
                                int argc, char **argv)
{
    struct argp_option table[OPTIONS_MAX + 1] = {0};
    int count = append_rows(table, 0, command->options);
    for (int i = 0; i < SHARED_OPTIONS && count < OPTIONS_MAX; i++)
        if (shared_options[i].takers & command->taker)
            table[count++] = shared_options[i].row;
    for (int i = 0; i < KEY_OPTIONS && count < OPTIONS_MAX; i++)
        if (key_options[i].takers & command->taker)
            table[count++] = key_row(&key_options[i]);
    const struct argp argp = {.options = table,
                              .parser = parse_one,
                              .args_doc = command->args_doc,
                              .doc = command->doc,
                              .help_filter = describe};
    *options = (struct render_options){
        .format = "", .backend = "auto", .request.all_columns = command->taker == TAKER_SIMULATE};
    struct parse parse = {
        .options = options, .command = command, .table = table, .status = STATUS_OK};
    enum status status = arguments_parse(&argp, command->name, argc, argv, &parse);
    if (!options->request.scene)
        options->request.scene = builtin_default();
    if (options->answered)
        return STATUS_OK;
    if (parse.status != STATUS_OK || status != STATUS_OK)
        return parse.status != STATUS_OK ? parse.status : status;
    return check_forgotten(command, options);
}

void render_options_free(struct render_options *options)
{
    for (int i = 0; i < options->request.setting_count; i++) {
        free(options->request.settings[i].key);
        free(options->request.settings[i].value);
    }
    options->request.setting_count = 0;
    free(options->carried);
    free(options->frames_pattern);
    options->carried = options->frames_pattern = NULL;
}

/* ---- --save-scene ---- */

enum status render_options_check_save(const struct render_options *options)
{
    const char *path = options->save_scene;
    if (!path)
        return STATUS_OK;
    const enum status status = output_check_new(path, options->overwrite, "name for --save-scene");
    if (status != STATUS_OK)
        return status;
    if (own_scene_possible(options->request.scene) &&
        (strcmp(path, options->request.scene) == 0 || file_same(path, options->request.scene)))
        return status_fail(STATUS_USAGE,
                           "the scene is made from '%s'; choose another name for --save-scene",
                           options->request.scene);
    if (file_is_standard(path) && options->output && file_is_standard(options->output))
        return status_fail(STATUS_USAGE,
                           "-o and --save-scene cannot both go to the standard output; name a "
                           "file for one of them");
    return STATUS_OK;
}

enum status render_options_save(const struct render_options *options, const struct scene *scene)
{
    if (!options->save_scene)
        return STATUS_OK;
    char *text = scene_print(scene);
    enum status status = file_write(options->save_scene, text, strlen(text));
    free(text);
    return status;
}
