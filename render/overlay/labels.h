/* Labels: names that follow things in the picture, each with a thin line to its own. Only for the
 * overlay; a GL context must be current.
 *
 * Where a label is and how visible it is follows from the frame alone, by functions that are
 * continuous in what the camera sees: no label ever jumps, and a frame is the same wherever a film
 * is started. A label lies beyond its thing, upwards and away from the other things that have
 * labels, and within the room that lines of the overlay leave. It fades
 *
 *   - at the edge of the picture and behind the camera,
 *   - where the thing is smaller than its letters (unless it is a point), and where it merges with
 *     another one: their distance falls below the sum of their radii,
 *   - while its letters would overlap those of an earlier label, or another part of the overlay;
 *     as much as they fade, others appear straight below the thing, unless they would overlap, too.
 */
#pragma once

#include "render/gl/gl.h"
#include "render/overlay/elements.h"

struct labels;

/* Sets *out to NULL if there are none. */
enum status labels_create(struct labels **out, struct ink *ink,
                          const struct renderer_params *params,
                          const struct overlay_layout *layout);
void labels_destroy(struct labels **labels); /* accepts a pointer to NULL */

/* A part of the overlay, from the upper left corner of the sight's picture, and its opacity. */
struct labels_obstacle {
    struct overlay_area area;
    double opacity;
};

/* Draws over `display`, with the upper left corner of the sight's picture at (x, y) from the
 * display's. Letters keep within `room`. A vertex array must be bound. */
void labels_draw(struct labels *labels, const struct overlay_sight *sight,
                 const struct overlay_area *room, const struct labels_obstacle *obstacles,
                 int obstacle_count, double opacity, const struct gl_target *display, int x, int y);
