/* The plan of a film: everything that is found before its first picture and that a scene does not
 * say itself. When things happen, where the camera is in each frame, how bright the film becomes,
 * how colours are scaled.
 *
 * Whoever draws a part of a film draws it by the same plan: all ranks, a resumed run, ranges on
 * several machines, a still of an unfinished film. A job keeps it in its work folder, and several
 * runs of a scene in the folder of their checkpoints, as plan.json: format, hash of the scene,
 * numbers that read back exactly, and a checksum. Thread-safe. */
#pragma once

#include "cmd/film/script/script.h"

/* The light of found.h at one frame. */
struct plan_light {
    double frame;
    uint16_t cell[FOUND_LIGHT_SIDE * FOUND_LIGHT_SIDE];
};

struct plan {
    char scene_hash[17];
    struct script script; /* with as many entries as these say: */
    size_t keyframes, moves_from, moves_to, framings, captions;
    double distance; /* of the camera, see struct camera_found */
    double *radius;  /* [radii]: of the galaxy of each component, see struct camera_part */
    size_t radii;
    struct look_found look;
    double epoch;
    struct plan_light *light; /* [lights] */
    size_t lights;
};

/* Takes the scene's script, which stays its owner's, and what was found; params NULL: nothing yet.
 * plan_described_free is for it. */
void plan_describe(struct plan *out, const struct scene *scene, const struct script *script,
                   const struct renderer_params *params);

void plan_described_free(struct plan *plan);

/* The plan as text; the caller frees it. STATUS_RUNTIME if a number is not finite. */
enum status plan_write(const struct plan *plan, char **text);

/* Reads a text that plan_write wrote; free it in every case. STATUS_IO: it is damaged. STATUS_USAGE:
 * another version of gravreel wrote it, or it is of another scene. */
enum status plan_read(struct plan *out, const char *text, const struct scene *scene);
void plan_free(struct plan *plan);

/* Moves the script out of a plan that was read. Why captions are left out is not in it. */
void plan_give_script(struct plan *plan, struct script *out);

/* Gives the renderer what was found, and its parts the radii. */
void plan_give(const struct plan *plan, struct renderer_params *params, struct camera_part *parts);

/* The text of FOLDER/plan.json, which the caller frees, checked by plan_read; NULL without one, and
 * with a warning if it is damaged. STATUS_USAGE: it is of another scene. */
enum status plan_load(const char *folder, const struct scene *scene, char **text);

/* That of the work folder of an unfinished film, if it is this scene's; otherwise NULL. */
char *plan_beside(const char *film, const struct scene *scene);

/* Keeps the text as FOLDER/plan.json, unless another process was first, whose text *text then is.
 * Replaces a damaged one. */
enum status plan_publish(const char *folder, const struct scene *scene, char **text);

#define PLAN_FILE "plan.json"
