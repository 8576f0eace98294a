/* The command line of `gravreel render` and of the other commands that take a scene: parsed, but
 * not yet applied. */
#ifndef CMD_CLI_OPTIONS_H
#define CMD_CLI_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

enum { SETTINGS_MAX = 256 };

struct render_options {
    const char *scene;   /* built-in name or path */
    const char *output;  /* NULL: none given */
    const char *format;  /* "": by the output's extension */
    const char *backend; /* "auto", "cpu", "cuda" */
    int device;
    const char *save_scene, *progress; /* NULL: none given */
    const char *bodies_from;           /* NULL: as the scene says */
    bool dry_run, overwrite, quiet, resume;
    const char *checkpoints; /* folder that runs share; NULL: none */
    unsigned encoders;       /* 0: depends on the processors */
    uint64_t memory;         /* bytes of pictures that may wait; 0: a quarter of the machine's */
    bool has_range;
    uint64_t first, last; /* of --frames A..B; last UINT64_MAX: to the end */
    bool answered;        /* a list of choices was asked for and printed: nothing more to do */

    /* What changes the scene, in the order given: --set and the options that set a key. */
    int setting_count;
    struct {
        char *key, *value;
        const char *origin;
        bool append; /* to the scene's codec options, which are a list */
    } settings[SETTINGS_MAX];
};

/* A command that takes a scene. It has the options of all such commands (-y, -n, --bodies-from,
 * --seed, --set, --backend, --device and those of the log) and `options`: rows with keys of enum
 * option_key, which are understood here, or from OPTION_OWN on, which go to `take`. */
struct argp_option;
struct scene_command {
    const char *name, *args_doc, *doc;
    const struct argp_option *options; /* ends with an empty row */
    const char *const *keys; /* "output.size": that have an option; NULL at the end, or NULL */
    enum status (*take)(void *user, int key, char *argument);
    void *user;
};

enum option_key {
    OPTION_BODIES_FROM = 256,
    OPTION_FRAMES,
    OPTION_BACKEND,
    OPTION_DEVICE,
    OPTION_SET,
    OPTION_SAVE_SCENE,
    OPTION_DRY_RUN,
    OPTION_QUIET,
    OPTION_LOG_LEVEL,
    OPTION_PROGRESS,
    OPTION_FORMAT,
    OPTION_CODEC_OPTION,
    OPTION_RESUME,
    OPTION_CHECKPOINTS,
    OPTION_ENCODERS,
    OPTION_MEMORY,
    OPTION_OWN = 512,
    OPTION_KEYS = 1024, /* those that set a key of the scene */
};

/* options->scene is NULL when none was given. Free with render_options_free in every case. */
enum status scene_command_parse(const struct scene_command *command, struct render_options *options,
                                int argc, char **argv);

/* The same for `gravreel render`, with the default scene when none was given. argp itself ends the
 * process for --help, --usage and for unknown options (exit code 2). Free with render_options_free
 * in every case. */
enum status render_options_parse(struct render_options *options, int argc, char **argv);
void render_options_free(struct render_options *options);

#endif
