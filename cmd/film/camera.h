/* Where a film's camera stands against its bodies. */
#ifndef CMD_FILM_CAMERA_H
#define CMD_FILM_CAMERA_H

#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* Whether a camera of the scene follows bodies. */
bool film_follows(const struct scene *scene);

/* Fills parts and part_count of `params`, which use the bodies' names; film_camera_free frees them.
 */
enum status film_camera_parts(struct renderer_params *params, const struct scene *scene,
                              const struct bodies *bodies);
void film_camera_free(struct renderer_params *params);

/* A view of the bodies as they stand at the start, without velocities, in host memory; its position
 * is the caller's to free, on failure too. */
enum status film_view_of_start(struct view *view, const struct bodies *bodies);

/* A distance that every camera can have, for one of which only the target is asked. */
double film_camera_some_distance(const struct camera_params *camera);

/* After that, with params for the whole picture and the film's bodies as they stand at the start:
 * finds found.camera.distance where camera.distance is 0, so that the drawn bodies fit, and checks
 * that no camera begins within a drawn body, nearer than its softening length and look.radius.
 * STATUS_USAGE also for what camera_open refuses. */
enum status film_camera_place(struct renderer_params *params, const struct scene *scene,
                              const struct bodies *bodies);

#endif
