/* A baseline's stored states drawn by this program: what its renderer makes of the bodies as they
 * were, whatever became of the physics. */
#ifndef CMD_REGRESSION_BASELINE_REDRAW_H
#define CMD_REGRESSION_BASELINE_REDRAW_H

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/pictures.h"
#include "cmd/regression/baseline/states.h"
#include "render/renderer.h"
#include "scenes/scene.h"
#include "sim/bodies/bodies.h"

/* A state's picture, drawn; valid during the call. */
typedef enum status (*redraw_see)(void *user, const struct renderer *renderer,
                                  const struct picture *picture);

/* The scene's bodies where the baseline's were at frame 0, as far as that is stored. The caller
 * destroys them. STATUS_MISMATCH where there are more or fewer. */
enum status redraw_bodies(const struct baseline *baseline, const struct scene *scene,
                          struct bodies **out);

/* Draws every stored state of the scene, whose start are the stored bodies, into pictures of
 * `format`. *drawn: their number, also after a failure. STATUS_IO when an object is missing or
 * damaged. */
enum status redraw_states(const struct baseline *baseline, const struct scene *scene,
                          enum picture_format format, redraw_see see, void *user, uint32_t *drawn);

/* Fills in what a record says of a picture as drawn: its light and its pixels. */
void redraw_measure(const struct picture *picture, struct frame_record *frame);

/* The state or picture of one entry; the sentence names the object. */
enum status baseline_get_state(const struct baseline *baseline, const struct stored *stored,
                               struct state *out);
enum status baseline_get_picture(const struct baseline *baseline, const struct stored *stored,
                                 struct picture **out);

#endif
