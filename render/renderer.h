/* Draws views into pictures: point sprites are added up in a linear float target, tone-mapped,
 * dithered and converted to the sink's format, on the GPU (or in Mesa's software GL).
 *
 * Used by one thread at a time, between renderer_bind and renderer_unbind. Two pictures can be in
 * flight: submit picture n + 1, then wait for picture n.
 *
 * Light is a sum: with params->sum, the renderers of several processes draw one picture, each from
 * its own share of the bodies. One leads and makes the picture. The others lend it their light:
 * they make the same sequence of calls with their views of the same frames, and renderer_submit
 * ends when the light has been added up. */
#pragma once

#include "base/status.h"
#include "render/camera/project.h"
#include "render/draw.h"
#include "render/picture/picture.h"
#include "sim/view.h"

struct renderer;
struct camera_aim; /* camera/project.h */

/* STATUS_DEVICE without a usable GL; STATUS_USAGE for an unknown colour, colour map or draw mode
 * (lists them), a size beyond GL's limit, or, with params->sum, a look that is not a sum of the
 * bodies' light: look.dust, or the look.color density. Nothing is current on this thread
 * afterwards. */
enum status renderer_open(struct renderer **out, const struct renderer_params *params);
void renderer_close(struct renderer **renderer); /* must be unbound, or bound to this thread */

/* Opens a renderer whose pictures, of width x height, are joined from those of `count` others, each
 * at its place; the rest is black. Every frame takes one view for each of the others, in their
 * order. The others must be unbound, draw pictures of one format and of their places' sizes, have
 * one panel and one source each, outlive this renderer, and not be used in the meantime. It has no
 * camera of its own (renderer_aim, renderer_aim_at, renderer_recipe) and no tiles. */
struct panel_place; /* render/panel/places.h */
enum status renderer_join(struct renderer **out, struct renderer *const *others,
                          const struct panel_place *places, int count, uint32_t width,
                          uint32_t height);

enum status renderer_bind(struct renderer *renderer);
void renderer_unbind(struct renderer *renderer);

/* Sets the exposure from a view (the film's first) so that its brighter parts are well exposed.
 * Does nothing when the scene gives an exposure. */
enum status renderer_meter(struct renderer *renderer, const struct view *view);

/* Updates an adapting exposure with a frame that is not drawn but precedes one that is. Call in
 * the film's order. */
enum status renderer_observe(struct renderer *renderer, const struct view *view);

/* Whether the exposure adapts, so that every frame must be either drawn or observed. */
bool renderer_meters_every_frame(const struct renderer *renderer);

/* Everything that the next pictures depend on besides the views: what renderer_meter found, and the
 * state of an adapting exposure. Restoring it replaces both. */
enum { RENDERER_STATE = 16 };
void renderer_state(const struct renderer *renderer, double state[RENDERER_STATE]);
void renderer_resume(struct renderer *renderer, const double state[RENDERER_STATE]);

/* Sees the next pictures with another camera: `camera`, `parts` and found.camera of `params`, which
 * otherwise are those of renderer_open. Neither the exposure nor what was found about the film
 * changes. After a failure, as of camera_open, the camera is the one before. */
enum status renderer_aim(struct renderer *renderer, const struct renderer_params *params);

/* Where the first picture's camera is and looks in this view. */
void renderer_aim_at(const struct renderer *renderer, const struct view *view,
                     struct camera_aim *out);

/* Memory for one finished picture, page-locked where that helps. The renderer must be bound. */
enum status renderer_picture_create(struct renderer *renderer, struct picture **out);
/* The same for out[count], >= 1, in one block, because each page-locking waits until the GPU is
 * idle. Once one of them is destroyed, none may be used. After a failure there are none. */
enum status renderer_pictures_create(struct renderer *renderer, size_t count, struct picture **out);
size_t renderer_picture_bytes(const struct renderer *renderer);
void renderer_picture_destroy(struct renderer *renderer, struct picture **picture);

/* Makes renderer_wait measure the light of each picture and store it in picture->light. The
 * pictures stay the same. */
void renderer_measure_light(struct renderer *renderer);

/* Sets where the next pictures lie within the whole one; they may extend beyond it. Only for tiles.
 * The tiles of a frame follow each other and share exposure and glow. */
void renderer_set_tile(struct renderer *renderer, uint32_t x, uint32_t y);

/* Starts drawing; view->next leads to the other sources' views of the frame. The views must not be
 * touched until renderer_uploaded, the picture not until renderer_wait. A renderer that lends its
 * light makes no picture, and `picture` may be NULL. */
enum status renderer_submit(struct renderer *renderer, const struct view *view,
                            struct picture *picture);
/* Does the same as renderer_submit, for the unchanged view that renderer_meter was given directly
 * before: its light is not drawn again. */
enum status renderer_submit_metered(struct renderer *renderer, const struct view *view,
                                    struct picture *picture);
/* Waits until the bodies of the last submitted views have been copied. */
enum status renderer_uploaded(struct renderer *renderer);
/* Waits for the oldest submitted picture, and for the upload of its views. */
enum status renderer_wait(struct renderer *renderer);

/* How the pictures are drawn, for those who draw them themselves: of a film with one flat picture
 * in ordinary white that shows light. The renderer must be bound. Free with recipe_free in every
 * case. */
enum status renderer_recipe(const struct renderer *renderer, struct recipe *out);
void recipe_free(struct recipe *recipe); /* accepts all zero */

/* "NVIDIA H200 (EGL device 0, CUDA device 0), pictures through CUDA-GL interop". */
const char *renderer_description(const struct renderer *renderer);

/* Names the renderer and its version: "llvmpipe (LLVM 15.0.6, 256 bits), 4.5 (Core Profile) Mesa
 * 22.3.6"; and the overlay's letters, if there is one: ", letters in DejaVu Sans, Pango 1.50.12,
 * HarfBuzz 6.0.0, cairo 1.16.0, FreeType 2.12.1". */
const char *renderer_driver(const struct renderer *renderer);
