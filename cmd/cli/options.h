/* The command line of commands that take a scene: parsed, but not yet applied.
 *
 * An option that sets a key of the scene is a row of key_options in arguments.c, which also lists
 * the commands that take it. Any other option is a row of its commands (or of shared_options) with
 * a number of enum option_key, and a row of option_rules. */
#pragma once

#include "base/status.h"
#include "cmd/cli/arguments.h"
#include "cmd/film/scene/request.h"
#include "cmd/film/tags.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

enum { SCENES_MAX = 1000 };

struct render_options {
    struct scene_request request; /* for the first scene, or for the default scene if none was
                                   * given */
    const char *output;           /* NULL: none given */
    const char *format;           /* "": determined by the output's extension */
    const char *backend;          /* "auto", "cpu", "cuda" */
    int device;
    int draw_device;                      /* with has_draw_device */
    const char *save_scene, *progress;    /* NULL: none given */
    const char *manifest, *job_file;      /* likewise */
    const struct film_metadata *metadata; /* metadata of output files; NULL: all */
    const char *summary;                  /* "full", "short", "json"; NULL: full */
    bool dry_run, overwrite, quiet, resume;
    bool as_begun;                      /* see struct target_request */
    bool as_film;                       /* pictures have the film's fades */
    const char *plan;                   /* the file of a plan, or its folder; NULL: none */
    const char *checkpoints;            /* folder shared by runs; NULL: none */
    const char *keep_run;               /* file; NULL: none */
    const char *frames_from;            /* file or "-"; NULL: none */
    char *frames_pattern;               /* where those frames are; NULL: nowhere yet */
    uint64_t frames_received;           /* how many they are */
    const char *save_snapshots, *every; /* --save-snapshots, --every; NULL: none */
    unsigned encoders;                  /* 0: depends on the processors */
    uint64_t memory; /* bytes of pictures that may wait; 0: a quarter of the machine's memory */
    bool has_range, has_draw_device;
    uint64_t first, last; /* of --frames A..B; last UINT64_MAX: to the end */
    char *carried; /* " --set bodies.seed=2 --crf 20", the options that the lines of a farm's job
                    * get as well; NULL: none */
    bool answered; /* a list of choices was requested and printed: nothing else to do */

    int scene_count; /* number of scenes given, also for a command that takes one */
    const char *scenes[SCENES_MAX];
};

/* A command that takes a scene. It has the matching rows of shared_options and key_options, and
 * `options`: rows with numbers of enum option_key, which are handled here, or from OPTION_OWN on,
 * which are passed to `take`. */
struct argp_option;
struct scene_command {
    const char *name, *args_doc, *doc;
    enum taker taker;
    bool many;                         /* takes several scenes */
    const struct argp_option *options; /* ends with an empty row */
    enum status (*take)(void *user, int key, char *argument);
    void *user;
};

enum option_key {
    OPTION_OUTPUT = 'o',
    OPTION_JOB_FILE = 'O',
    OPTION_VERBOSE = 'v',
    OPTION_OVERWRITE = 'y',
    OPTION_BODIES_FROM = 256,
    OPTION_SNAPSHOTS,
    OPTION_FRAMES,
    OPTION_BACKEND,
    OPTION_DEVICE,
    OPTION_DRAW_DEVICE,
    OPTION_SET,
    OPTION_SAVE_SCENE,
    OPTION_DRY_RUN,
    OPTION_QUIET,
    OPTION_LOG_LEVEL,
    OPTION_PROGRESS,
    OPTION_SUMMARY,
    OPTION_JSON,
    OPTION_FORMAT,
    OPTION_CODEC_OPTION,
    OPTION_RESUME,
    OPTION_CHECKPOINTS,
    OPTION_SAVE_SNAPSHOTS,
    OPTION_EVERY,
    OPTION_ENCODERS,
    OPTION_MEMORY,
    OPTION_MANIFEST,
    OPTION_METADATA,
    OPTION_DURATION,
    OPTION_SPEED,
    OPTION_PLAN,
    OPTION_AS_FILM,
    OPTION_RUN,
    OPTION_KEEP_RUN,
    OPTION_FRAMES_FROM,
};

enum {
    OPTION_OWN = 512, /* from here on, options of a single command; then those of keys */
};

/* Parses like arguments_parse (arguments.h). Always free the result with render_options_free. */
enum status scene_command_parse(const struct scene_command *command, struct render_options *options,
                                int argc, char **argv);
void render_options_free(struct render_options *options);

/* Whether the summary is JSON. */
bool render_options_want_json(const struct render_options *options);

/* Checks that FILE can be written without overwriting anything important, and writes it; both do
 * nothing without --save-scene. "-" is standard output. */
enum status render_options_check_save(const struct render_options *options);
enum status render_options_save(const struct render_options *options, const struct scene *scene);
