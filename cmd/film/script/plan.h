/* The plan of a film: everything that is found before its first picture and that a scene does not
 * say itself. When things happen, where the camera is in each frame, how bright the film becomes,
 * how colours are scaled.
 *
 * Whoever draws a part of a film draws it by the same plan: all ranks, a resumed run, ranges on
 * several machines, a still of an unfinished film. It depends on the scene and the bodies at the
 * start alone. Its text has the format, the program's version, hashes of scene and bodies, numbers
 * that read back exactly, and a checksum; cmd/film/job/plan_file.h says where it is kept.
 * Thread-safe. */
#pragma once

#include "base/hash.h"
#include "cmd/film/script/script.h"

/* The light of found.h at one frame. */
struct plan_light {
    double frame;
    uint16_t cell[FOUND_LIGHT_SIDE * FOUND_LIGHT_SIDE];
};

struct plan {
    char program[32]; /* the version that made it */
    char scene_hash[17];
    char start[HASH_TEXT]; /* whole_hash of the bodies at frame 0; "": not yet found */
    struct script script;  /* with as many entries as these say: */
    size_t keyframes, moves_from, moves_to, framings, axes, captions, labels, tracks;
    double distance; /* of the camera, see struct camera_found */
    double *radius;  /* [radii]: of the galaxy of each component, see struct camera_part */
    size_t radii;
    struct look_found look;
    const struct sprite_sizing *size; /* look.size and look.stars, as chosen */
    uint32_t stars;
    double epoch;
    struct plan_light *light; /* [lights] */
    size_t lights;
};

/* Takes the scene's script, which stays its owner's, and what was found; params NULL: nothing yet.
 * plan_described_free is for it. */
void plan_describe(struct plan *out, const struct scene *scene, const char *start,
                   const struct script *script, const struct renderer_params *params);

void plan_described_free(struct plan *plan);

/* The plan as text; the caller frees it. STATUS_RUNTIME if a number is not finite. */
enum status plan_write(const struct plan *plan, char **text);

/* Reads a text that plan_write wrote; free it in every case. STATUS_IO: it is damaged.
 * STATUS_USAGE: another version of gravreel wrote it, or it is of another scene. */
enum status plan_read(struct plan *out, const char *text, const struct scene *scene);
/* The same for a plan of another scene with the same moments: only its script and the brightness of
 * its light are then used, which need not suit this scene. */
enum status plan_read_near(struct plan *out, const char *text, const struct scene *scene);
void plan_free(struct plan *plan);

/* STATUS_USAGE: it was made for other bodies at the start. */
enum status plan_check_start(const struct plan *plan, const char *start);

/* Moves the script out of a plan that was read. Why captions are left out is not in it. */
void plan_give_script(struct plan *plan, struct script *out);

/* Gives the renderer what was found, and its parts the radii. */
void plan_give(const struct plan *plan, struct renderer_params *params, struct camera_part *parts);
