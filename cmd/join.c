#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/progress.h"
#include "cmd/command.h"
#include "cmd/film/join/ranges.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"
#include "render/join/concatenate.h"
#include "render/join/joined_captions.h"
#include "render/video/codecs.h"
#include "render/video/timecode.h"

#include <argp.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_DECODE = 256, KEY_MANIFEST, KEY_QUIET };

struct join_options {
    const char *output, *manifest;
    bool overwrite, decode;
    char **paths;
    size_t count;
};

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct join_options *options = state->input;
    switch (key) {
    case 'o':
        options->output = argument;
        return 0;
    case 'y':
        options->overwrite = true;
        return 0;
    case KEY_DECODE:
        options->decode = true;
        return 0;
    case KEY_MANIFEST:
        options->manifest = argument;
        return 0;
    case KEY_QUIET:
        log_set_level(LOG_ERROR);
        return 0;
    case ARGP_KEY_ARGS:
        options->paths = state->argv + state->next;
        options->count = (size_t)(state->argc - state->next);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static enum status check_output(const struct join_options *options)
{
    if (options->count == 0)
        return status_fail(STATUS_USAGE, "no segments given; name the films to join, for example "
                                         "`gravreel join -o film.mp4 segment-*.mp4`");
    if (!options->output)
        return status_fail(
            STATUS_USAGE, "no output given; name the joined film with -o, for example -o film.mp4");
    if (strcmp(options->output, "-") == 0)
        return status_fail(
            STATUS_USAGE,
            "a joined film cannot be a pipe, because it is checked by reading it again; "
            "name a file with -o, for example -o film.mp4");
    return output_check_new(options->output, options->overwrite, "-o");
}

static enum status check_format(const struct join_options *options, const struct inputs *inputs)
{
    const char *container = inputs->list[0].info.container->name;
    if (strcmp(file_extension(options->output), container) == 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s' does not end in .%s, but the segments are %s; change the name or render "
        "the segments into another format",
        options->output, container, container);
}

/* The sound of the whole film; a part of a film has none. */
static const char *sound_of(const struct inputs *inputs)
{
    const struct input *last = &inputs->list[inputs->count - 1];
    const bool whole = inputs->list[0].first == 0 && last->last + 1 == inputs->of;
    return whole ? inputs->audio : NULL;
}

static enum status join(const struct join_options *options, const struct inputs *inputs,
                        uint64_t *bytes)
{
    struct tags tags = {0};
    struct join_segment *segments = memory_new(inputs->count, sizeof *segments);
    char timecode[TIMECODE_TEXT];
    const struct container *container = inputs->list[0].info.container;
    const bool timed = inputs->timecode && container->timecodes;
    if (timed)
        timecode_at(inputs->timecode, inputs->fps_num, inputs->fps_den, inputs->list[0].first,
                    timecode);
    join_tags(inputs, &tags);
    for (size_t i = 0; i < inputs->count; i++)
        segments[i] = (struct join_segment){inputs->list[i].path, inputs->list[i].info.frames};
    struct caption_track *captions;
    size_t caption_count;
    enum status status = joined_captions(&captions, &caption_count, segments, inputs->count,
                                         inputs->fps_num, inputs->fps_den);
    const struct join_params params = {.segments = segments,
                                       .count = inputs->count,
                                       .path = options->output,
                                       .container = container,
                                       .fps_num = inputs->fps_num,
                                       .fps_den = inputs->fps_den,
                                       .timecode = timed ? timecode : NULL,
                                       .sound = sound_of(inputs),
                                       .captions = captions,
                                       .caption_count = caption_count,
                                       .tags = tags,
                                       .decode = options->decode,
                                       .stop = interrupt_catch()};
    if (status == STATUS_OK)
        status = join_segments(&params, bytes);
    caption_tracks_free(captions, caption_count);
    free(segments);
    tags_free(&tags);
    return status;
}

/* ---- the manifest ---- */

/* The manifests of the segments, next to their files: a.json for a.mp4. */
struct manifests {
    struct record *list;
    char **names;
    size_t count;
};

static void manifests_free(struct manifests *manifests)
{
    for (size_t i = 0; i < manifests->count; i++) {
        record_free(&manifests->list[i]);
        free(manifests->names[i]);
    }
    free(manifests->list);
    free(manifests->names);
}

static enum status read_manifest(struct manifests *manifests, const char *segment)
{
    const char *dot = strrchr(segment, '.');
    const size_t at = manifests->count++;
    char *name =
        text_format("%.*s.json", dot ? (int)(dot - segment) : (int)strlen(segment), segment);
    manifests->names[at] = name;
    if (!file_exists(name))
        return status_fail(STATUS_USAGE,
                           "the segment '%s' has no manifest '%s' beside it; render it with "
                           "--manifest %s",
                           segment, name, name);
    return record_read(&manifests->list[at], name);
}

static enum status check_manifest_name(const struct join_options *options,
                                       const struct manifests *manifests)
{
    const char *name = options->manifest;
    for (size_t i = 0; i < manifests->count; i++)
        if (file_same(name, manifests->names[i]))
            return status_fail(
                STATUS_USAGE, "'%s' is the manifest of a segment; choose another --manifest", name);
    if (strcmp(name, options->output) == 0)
        return status_fail(STATUS_USAGE, "'%s' is the film; choose another --manifest", name);
    return output_check_new(name, options->overwrite, "--manifest");
}

/* Finds everything that is wrong with the manifests before the film is made. */
static enum status read_manifests(struct manifests *manifests, const struct join_options *options,
                                  const struct inputs *inputs)
{
    if (!options->manifest)
        return STATUS_OK;
    manifests->list = memory_new(inputs->count, sizeof *manifests->list);
    manifests->names = memory_new(inputs->count, sizeof *manifests->names);
    enum status status = STATUS_OK;
    for (size_t i = 0; i < inputs->count && status == STATUS_OK; i++)
        status = read_manifest(manifests, inputs->list[i].path);
    if (status == STATUS_OK)
        status =
            joined_check(manifests->list, (const char *const *)manifests->names, manifests->count);
    for (size_t i = 0; i < manifests->count && status == STATUS_OK; i++)
        if (manifests->list[i].frames[0].frame != inputs->list[i].first ||
            manifests->list[i].count != inputs->list[i].info.frames)
            status = status_fail(STATUS_USAGE, "the manifest '%s' has other frames than '%s'",
                                 manifests->names[i], inputs->list[i].path);
    return status == STATUS_OK ? check_manifest_name(options, manifests) : status;
}

static enum status write_manifest(const struct join_options *options, struct manifests *manifests)
{
    struct record whole = {0};
    if (!options->manifest)
        return STATUS_OK;
    enum status status = joined_record(manifests->list, manifests->count, options->output, &whole);
    if (status == STATUS_OK)
        status = record_write(&whole, options->manifest);
    record_free(&whole);
    return status;
}

static void tell(const struct join_options *options, const struct inputs *inputs, uint64_t bytes)
{
    const struct input *first = &inputs->list[0], *last = &inputs->list[inputs->count - 1];
    uint64_t frames = last->last - first->first + 1;
    char size[32], range[64] = "";
    progress_bytes(bytes, size, sizeof size);
    if (frames < inputs->of)
        snprintf(range, sizeof range, " (%llu..%llu of %llu)", (unsigned long long)first->first,
                 (unsigned long long)last->last, (unsigned long long)inputs->of);
    log_info("%s: %llu frames%s, %ux%u, %s, joined from %zu segment%s", options->output,
             (unsigned long long)frames, range, first->info.width, first->info.height, size,
             inputs->count, inputs->count == 1 ? "" : "s");
}

static int run_join(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", 'o', "OUT", 0, "The film, in the format of its segments: .mp4 .mkv .mov .webm",
         HELP_FILES},
        {"overwrite", 'y', NULL, 0, "Replace files that exist", HELP_FILES},
        {"manifest", KEY_MANIFEST, "FILE", 0,
         "Write the film's manifest, from those of the segments, which lie beside them (a.json of "
         "a.mp4)",
         HELP_FILES},
        {"decode", KEY_DECODE, NULL, 0, "Check the film by decoding every frame", HELP_FILES},
        {"quiet", KEY_QUIET, NULL, 0, "Print errors only", HELP_MESSAGES},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "-o OUT SEGMENT...",
        .doc = "Joins films that `gravreel render --frames A..B` made of one scene, on one machine "
               "or on many, without encoding them again. Their order does not matter.\v"
               "Examples:\n"
               "  gravreel join -o film.mp4 a.mp4 b.mp4",
    };
    struct join_options options = {0};
    struct inputs inputs = {0};
    struct manifests manifests = {0};
    uint64_t bytes = 0;
    enum status status = arguments_parse(&argp, "join", argc, argv, &options);
    if (status == STATUS_OK)
        status = check_output(&options);
    if (status == STATUS_OK)
        status = inputs_read(&inputs, options.paths, options.count);
    if (status == STATUS_OK)
        status = check_format(&options, &inputs);
    if (status == STATUS_OK)
        status = read_manifests(&manifests, &options, &inputs);
    if (status == STATUS_OK)
        status = join(&options, &inputs, &bytes);
    if (status == STATUS_OK)
        status = write_manifest(&options, &manifests);
    if (status == STATUS_OK)
        tell(&options, &inputs, bytes);
    manifests_free(&manifests);
    inputs_free(&inputs);
    return interrupt_exit_code(status, "nothing was written, and the segments are unchanged");
}

const struct command command_join = {
    .name = "join",
    .doc = "join films of a scene's frame ranges into one",
    .run = run_join,
};
