/* The command line of `gravreel render`, parsed but not yet applied. */
#ifndef CMD_RENDER_OPTIONS_H
#define CMD_RENDER_OPTIONS_H

#include "base/status.h"
#include "scenes/scene.h"

#include <stdbool.h>
#include <stdint.h>

enum { SETTINGS_MAX = 256 };

struct render_options {
    const char *scene;   /* built-in name or path */
    const char *output;  /* NULL: none given */
    const char *format;  /* "": by the output's extension */
    const char *backend; /* "auto", "cpu", "cuda" */
    int device;
    const char *save_scene, *progress; /* NULL: not wanted */
    const char *bodies_from;           /* NULL: as the scene says */
    bool dry_run, overwrite, quiet;
    bool has_range;
    uint64_t first, last; /* of --frames A..B; last UINT64_MAX: to the end */
    bool answered;        /* a list of choices was asked for and printed: nothing more to do */

    /* What changes the scene, in the order given: --set and the options that are short for it. */
    int setting_count;
    struct {
        char *key, *value;
        const char *origin;
    } settings[SETTINGS_MAX];
};

/* argp itself ends the process for --help, --usage and for unknown options (exit code 2). Free with
 * render_options_free in every case. */
enum status render_options_parse(struct render_options *options, int argc, char **argv);
void render_options_free(struct render_options *options);

/* Opens the scene, applies bodies_from and the settings, and validates. */
enum status render_options_scene(const struct render_options *options, struct scene **out);

#endif
