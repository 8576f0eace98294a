/* Where a film's cameras are among its bodies. */
#ifndef CMD_FILM_SCRIPT_CAMERA_H
#define CMD_FILM_SCRIPT_CAMERA_H

#include "cmd/film/start/start.h"
#include "render/draw.h"
#include "scenes/scene.h"

/* Whether a camera of the scene follows bodies. */
bool film_follows(const struct scene *scene);

/* What camera.follow can name: a part per component, in their order, with the bodies' own names,
 * and with the radii of galaxies' cores where the scene follows bodies. free() frees *out, on
 * failure too. */
enum status film_camera_parts(struct camera_part **out, const struct scene *scene,
                              const struct bodies *bodies);

/* What is wrong with the cameras and can be said before anything is simulated: names that nothing
 * has, keyframes that make no sense by themselves. STATUS_USAGE names the key. */
enum status film_camera_check(const struct scene *scene, const struct bodies *bodies);

/* With all else of `params` that cameras depend on, for the whole picture: finds
 * found.camera.distance where camera.distance is 0, so that the drawn bodies fit, and checks that
 * no camera begins within a drawn body, nearer than its softening length and look.radius.
 * STATUS_USAGE also for what camera_open refuses. */
enum status film_camera_place(struct renderer_params *params, const struct scene *scene,
                              struct start *start);

#endif
