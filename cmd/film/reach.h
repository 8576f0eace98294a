/* What the picture has to hold where the camera frames itself (camera.frame auto). */
#ifndef CMD_FILM_REACH_H
#define CMD_FILM_REACH_H

#include "cmd/film/moments.h"
#include "render/camera/follow.h"
#include "scenes/scene.h"

/* Finds the camera's target in a pilot run's views. Begins as {scene}. */
struct reach {
    const struct scene *scene;
    bool open; /* for the pilot run's bodies, when they are first seen */
    struct camera_follow *follow;
};

/* Whether the scene's camera frames itself; keyframes would say where it is. */
bool reach_is_needed(const struct scene *scene);

/* For pilot_params.point; `user` is a struct reach. Moves do not count. */
enum status reach_point(void *user, const struct bodies *bodies, const struct view *view,
                        double point[3]);
void reach_end(struct reach *reach);

/* The pilot run's radius for each frame: at least what it is at any frame within a second, averaged
 * over that second before and after with a weight that is twice continuously differentiable,
 * (1 - u^2)^3; hence never less than the radius itself, and smooth. [frames]; free() frees it. */
double *reach_smooth(const struct pilot *pilot, const struct moment_scale *scale);

#endif
