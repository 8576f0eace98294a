/* The positions of a film's cameras relative to its bodies. */
#pragma once

#include "cmd/film/start/scales.h"
#include "render/draw.h"
#include "scenes/scene.h"

struct film_watch;

/* Checks what can be checked about the cameras before a simulation: names that do not exist,
 * keyframes that are invalid by themselves. watch NULL: no body is followed. STATUS_USAGE names the
 * key. */
enum status film_camera_check(const struct scene *scene, const struct bodies *bodies,
                              const struct film_watch *watch);

/* Needs everything else in `params` that cameras depend on, for the whole picture. If
 * camera.distance is 0, finds found.camera.distance so that the drawn bodies fit. Checks that no
 * camera starts within a drawn body, closer than its softening length and look.radius. STATUS_USAGE
 * also for what camera_open rejects. */
enum status film_camera_place(struct renderer_params *params, const struct scene *scene,
                              struct start *start);
