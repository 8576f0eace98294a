/* A scene made into a film in a folder, and recorded; and pictures that are at hand encoded as a
 * film of their own. */
#ifndef CMD_REGRESSION_BASELINE_RUN_H
#define CMD_REGRESSION_BASELINE_RUN_H

#include "cmd/regression/record/hooks.h"
#include "cmd/regression/record/record.h"
#include "scenes/scene.h"

#include <signal.h>

struct run_params {
    const struct scene *scene;
    const char *backend; /* as for simulation_open */
    int device;
    const char *format;               /* "": the usual one */
    const char *folder;               /* that is there; the film is written into it */
    bool diagnostics;                 /* as in struct recorder_params */
    const struct record *expected;    /* likewise; NULL: nothing is */
    const struct record_hooks *hooks; /* NULL: none */
    volatile sig_atomic_t *stop;
};

/* The film names its bodies file by a path that is another one wherever the baseline lies: the
 * record's size of the film is without it. STATUS_STOPPED after *stop. *record is empty after a
 * failure; record_free frees it. */
enum status run_film(const struct run_params *params, struct record *record);

/* Encodes `count` pictures, one after the other, as the scene's film is; the record's frames 0 to
 * count - 1 have what a film's packets say, its platform that of the encoder. Backend and device
 * decide what codec `auto` is. */
enum status run_pictures(const struct run_params *params, struct picture *const *pictures,
                         uint32_t count, struct record *record);

/* The path of a film of the format in the folder: "film.mp4", "frames/%06d.png". STATUS_USAGE for
 * no format that a film can be read back in. The caller frees it. */
enum status run_path(const char *folder, const char *format, char **path);

#endif
