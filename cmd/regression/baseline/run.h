/* Renders a scene to a film in a folder and records it; also encodes existing pictures as a
 * film. */
#pragma once

#include "cmd/regression/record/recorder.h"
#include "cmd/regression/record/record.h"
#include "scenes/scene.h"

#include <signal.h>

struct run_params {
    const struct scene *scene;
    const char *backend; /* as for simulation_open */
    int device;
    const char *format;               /* "": the default format */
    const char *folder;               /* existing folder that the film is written to */
    bool diagnostics;                 /* see struct recorder_params */
    const struct record *expected;    /* see struct recorder_params; may be NULL */
    const struct record_hooks *hooks; /* of run_film; NULL: none */
    volatile sig_atomic_t *stop;
};

/* Renders and records the film. The size of the film in the record excludes the path of the bodies
 * file, because that path depends on where the baseline lies. Returns STATUS_STOPPED after *stop.
 * *record is empty after a failure; record_free frees it. */
enum status run_film(const struct run_params *params, struct record *record);

/* Encodes `count` pictures as consecutive frames with the settings of the scene's film, in the
 * folder `name`, which is created in the run's folder. Frames 0 to count - 1 of the record get the
 * values that a film's packets give, and the record's platform gets the encoder. Backend and device
 * decide which codec `auto` stands for. */
enum status run_pictures(const struct run_params *params, const char *name,
                         struct picture *const *pictures, uint32_t count, struct record *record);

/* Makes the path of a film of the format in the folder: "film.mp4", "frames/%06d.png". Returns
 * STATUS_USAGE for a format in which a film cannot be read back. The caller frees it. */
enum status run_path(const char *folder, const char *format, char **path);
