/* Draws a baseline's stored states with this program, which judges the renderer on the old bodies
 * even if the physics has changed. */
#pragma once

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/pictures.h"
#include "cmd/regression/baseline/states.h"
#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* Receives the picture drawn from a state; it is valid during the call. */
typedef enum status (*redraw_see)(void *user, const struct renderer *renderer,
                                  const struct picture *picture);

/* Places the scene's bodies where the baseline's were at frame 0, as far as that is stored. The
 * caller destroys them. Returns STATUS_MISMATCH when the number of bodies differs. */
enum status redraw_bodies(const struct baseline *baseline, const struct scene *scene,
                          struct bodies **out);

/* Draws every stored state of the scene, which starts from the stored bodies, into pictures of
 * `format`. *drawn: their number, also after a failure. Returns STATUS_IO when an object is missing
 * or damaged. */
enum status redraw_states(const struct baseline *baseline, const struct scene *scene,
                          enum picture_format format, redraw_see see, void *user, uint32_t *drawn);

/* Fills in what a record keeps of a picture as drawn: its light and its pixels. */
void redraw_measure(const struct picture *picture, struct frame_record *frame);

/* Reads the state or picture of one entry; an error message names the object. */
enum status baseline_get_state(const struct baseline *baseline, const struct stored *stored,
                               struct state *out);
enum status baseline_get_picture(const struct baseline *baseline, const struct stored *stored,
                                 struct picture **out);
