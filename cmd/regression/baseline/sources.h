/* The ways of making a film again, as a whole or in part. Each fills a record for some frames, from
 * its own beginning: the scene, or what a baseline stored of an earlier stage, so that a change in
 * that stage cannot hide one in a later stage. Used by one thread at a time. */
#pragma once

#include "cmd/regression/baseline/kept.h"
#include "cmd/regression/record/record.h"
#include "scenes/scene.h"

#include <signal.h>

struct source {
    const struct scene *scene;
    const char *backend; /* as for simulation_open */
    int device;
    const char *format;            /* "": the default format */
    const char *folder;            /* for the film; made if it is missing */
    unsigned threads;              /* for forces on the CPU; 0: as they are */
    bool diagnostics;              /* see struct recorder_params */
    const struct record *expected; /* see struct recorder_params; may be NULL */
    volatile sig_atomic_t *stop;
    /* Inputs of all sources but source_film. */
    const struct baseline *baseline;
    struct kept *stored;
};

struct made {
    struct record record;
    struct kept kept;
    /* Frames of a film whose frames are out of order: the pictures that were drawn, and what the
     * film shows in their place. */
    struct kept astray[2];
};
void made_free(struct made *made); /* accepts a zeroed one */

/* Each fills in a zeroed `out`, to be freed in every case, and returns STATUS_STOPPED after *stop.
 * STATUS_MISMATCH or STATUS_IO: what it begins from was not stored, or does not fit the scene.
 *
 * source_film and source_start are collective on ranks, where rank 0 has the files, the stored
 * bodies and the record. */

/* Renders the film. The size of the film in the record excludes the path of the bodies file,
 * because that path depends on where the baseline lies. Keeps the frames that out->kept has chosen
 * before. */
enum status source_film(const struct source *source, struct made *out);

/* Runs the physics from the stored start, without pictures: the bodies, at the frames that the
 * baseline has. */
enum status source_start(const struct source *source, struct made *out);

/* Draws the stored states: light and pictures, which are kept. */
enum status source_states(const struct source *source, struct made *out);

/* Encodes the stored pictures that the baseline names as consecutive frames, with the settings of
 * the scene's film: what packets and container give. Backend and device decide which codec `auto`
 * stands for. */
enum status source_pictures(const struct source *source, struct made *out);

/* Makes the path of a film of the format in the folder: "film.mp4", "frames/%06d.png". Returns
 * STATUS_USAGE for a format in which a film cannot be read back. The caller frees it. */
enum status source_path(const char *folder, const char *format, char **path);
