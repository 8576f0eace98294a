/* Title, clock, scale bar, numbers and captions over the picture: small plates in one texture, each
 * repainted only when its content changes, blended over display values before dithering and
 * conversion. Depends only on the frame. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/camera/project.h"
#include "render/draw.h"
#include "render/gl/gl.h"
#include "render/overlay/elements.h"
#include "sim/view.h"

struct overlay;

/* Sets *out to NULL when the overlay shows nothing. Elements that do not fit into the picture are
 * left out with a warning; title and captions are shortened. */
enum status overlay_create(struct overlay **out, const struct renderer_params *params);
/* Draws later frames with this opacity. */
void overlay_tune(struct overlay *overlay, const struct overlay_params *params);
void overlay_destroy(struct overlay **overlay); /* accepts a pointer to NULL */

/* Draws over `display`, bottom row first, with the overlay's upper left corner at (x, y) from the
 * display's; clips at the display's edges. A vertex array must be bound. */
enum status overlay_draw(struct overlay *overlay, const struct view *view,
                         const struct camera_pose *pose, const struct gl_target *display, int x,
                         int y);

/* Draws the labels of a picture over `display`, likewise. Before overlay_draw, so that lines are
 * above them. */
void overlay_draw_labels(struct overlay *overlay, const struct overlay_sight *sight,
                         const struct gl_target *display, int x, int y);

/* Names what the shapes of its letters depend on; see ink_letters. */
enum { OVERLAY_LETTERS = 384 };
void overlay_letters(const struct overlay *overlay, char out[OVERLAY_LETTERS]);

/* How many plates have been painted so far. */
uint64_t overlay_paintings(const struct overlay *overlay);
