#include "base/file.h"
#include "base/log.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/command.h"
#include "sim/formats/bytes.h"
#include "sim/formats/formats.h"
#include "sim/models/models.h"
#include "sim/playback/openspace.h"

#include <argp.h>
#include <stdlib.h>

enum { KEY_FROM = 256, KEY_QUIET };

struct convert_options {
    const char *in, *out;
    const char *from, *to; /* formats; NULL: detected from the files */
    bool overwrite;
};

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct convert_options *options = state->input;
    switch (key) {
    case 'f':
        options->to = argument;
        return 0;
    case 'y':
        options->overwrite = true;
        return 0;
    case KEY_FROM:
        options->from = argument;
        return 0;
    case KEY_QUIET:
        log_set_level(LOG_ERROR);
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1) {
            status_fail(STATUS_USAGE,
                        "'%s' is a third file; give one to read and one to write, such as "
                        "`gravreel convert a.tab b.csv`",
                        argument);
            return EINVAL;
        }
        *(state->arg_num == 0 ? &options->in : &options->out) = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status choose(const char *option, const char *name, const struct format **out)
{
    const struct choice *found;
    *out = NULL;
    if (!name)
        return STATUS_OK;
    enum status status = choice_require(&body_format_registry, name, &found);
    *out = status == STATUS_OK ? (const void *)found : NULL;
    return status == STATUS_OK ? status : status_prefix(status, "%s", option);
}

/* Chooses the output format by --format or the extension of the output. */
static enum status choose_output(const struct convert_options *options, const struct format **out)
{
    char names[256];
    enum status status = choose("--format", options->to, out);
    if (status == STATUS_OK && !*out)
        *out = format_of_extension(options->out);
    if (status == STATUS_OK && !*out && text_ends_with(options->out, ".usda"))
        return status_fail(STATUS_USAGE, "a USD file has the frames and the camera of a film; make "
                                         "it with `gravreel render --snapshots "
                                         "'snap_*.hdf5' -o points.usda`");
    choice_names(&body_format_registry, names, sizeof names);
    if (status == STATUS_OK && !*out)
        return status_fail(STATUS_USAGE,
                           "the name '%s' implies no format; give one with --format: %s",
                           options->out, names);
    if (status == STATUS_OK && !(*out)->write)
        return status_fail(STATUS_USAGE, "files of the format %s can be read, but not written",
                           (*out)->name);
    return status;
}

static enum status check(const struct convert_options *options)
{
    if (!options->in || !options->out)
        return status_fail(STATUS_USAGE, "a file to read and one to write are needed, such as "
                                         "`gravreel convert a.tab b.csv`");
    if (options->out[unpacker_stem(options->out)])
        return status_fail(STATUS_USAGE,
                           "packed files are read, but not written: '%s'; write '%.*s' and pack it",
                           options->out, (int)unpacker_stem(options->out), options->out);
    return output_check_new(options->out, options->overwrite, "name");
}

static void tell(const struct convert_options *options, const struct snapshot *snapshot,
                 const struct format *to, const char *lost)
{
    log_info("%s: %zu bodies from %s (%s) as %s%s%s", options->out, snapshot->bodies->count,
             options->in, snapshot->format->name, to->name,
             lost ? ", which does not keep " : ", nothing lost", lost ? lost : "");
}

/* Writes a series of snapshots for OpenSpace. */
static enum status export(const struct convert_options *options) {
    struct openspace_export done; const struct choice * model;
    struct bodies_params params = {.file = (char *)options->in,
                                   .use = "all",
                                   .position_scale = 1,
                                   .velocity_scale = 1,
                                   .mass_scale = 1};
    enum status status = check(options);
    if (status == STATUS_OK) status = choose("--from", options->from, &params.format);
    if (status == STATUS_OK) status = choice_require(&model_registry, "snapshots", &model);
    if (status != STATUS_OK) return status;
    params.model = (const void *)model;
    status = openspace_write(options->out, &params, options->overwrite, &done);
    if (status != STATUS_OK) return status;
    if (!done.sized)
        log_warning("the snapshots state no units of length; a unit is written as a kiloparsec");
    if (done.left_out > 0)
        log_info("%zu bodies are left out, because some snapshot lacks them", done.left_out);
    log_info("%s: %zu bodies at %zu times for OpenSpace, with the data of each component beside it",
             options->out, done.bodies, done.steps);
    return STATUS_OK;
}

static enum status convert(const struct convert_options *options)
{
    const struct format *from, *to;
    struct snapshot snapshot = {.bodies = NULL};
    char *lost = NULL;
    enum status status = check(options);
    if (status == STATUS_OK)
        status = choose("--from", options->from, &from);
    if (status == STATUS_OK)
        status = choose_output(options, &to);
    if (status == STATUS_OK)
        status = format_read(options->in, from, &snapshot);
    if (status == STATUS_OK) {
        snapshot_sort(&snapshot);
        lost = snapshot_lost(&snapshot, to);
        if (!(to->keeps & KEEPS_WORDS))
            body_columns_drop_words(&snapshot.bodies->columns);
        status = to->write(options->out, &snapshot);
    }
    if (status == STATUS_OK)
        tell(options, &snapshot, to, lost);
    free(lost);
    snapshot_free(&snapshot);
    return status;
}

static int run_convert(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"format", 'f', "NAME", 0, "The format to write; by default what OUT's extension means",
         HELP_FILES},
        {"from", KEY_FROM, "NAME", 0, "The format of IN; by default what its content shows",
         HELP_FILES},
        {"overwrite", 'y', NULL, 0, "Replace a file that exists", HELP_FILES},
        {"quiet", KEY_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "IN OUT",
        .doc = "Writes the bodies of a file in another format, with all digits, ids and "
               "components that it can hold, and says what it cannot. IN may be packed (.gz, "
               ".xz, .zst), and either may be -, standard input or output. To OUT.asset, a pattern "
               "of snapshots is written for OpenSpace.\v"
               "Examples:\n"
               "  gravreel convert galaxy.tipsy galaxy.csv\n"
               "  gravreel convert -f gadget2 galaxy.tab galaxy.dat\n"
               "  gravreel convert 'snap_*.hdf5' collision.asset",
    };
    struct convert_options options = {0};
    enum status status = arguments_parse(&argp, "convert", argc, argv, &options);
    if (status != STATUS_OK)
        return status;
    const bool exports = options.in && options.out && text_ends_with(options.out, ".asset");
    return exports ? export(&options) : convert(&options);
}

const struct command command_convert = {
    .name = "convert",
    .doc = "write a file of bodies in another format",
    .run = run_convert,
};
