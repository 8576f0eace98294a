/* The lines of text of the overlay: title, clock, scale bar, numbers, captions and the titles of
 * panels, each on a plate of its own. Only for the overlay. */
#ifndef RENDER_OVERLAY_LINES_H
#define RENDER_OVERLAY_LINES_H

#include "render/camera/project.h"
#include "render/overlay/ink.h"
#include "render/overlay/plates.h"
#include "sim/view.h"
#include "render/draw.h"

enum { OVERLAY_LINES = 6 + PANELS_MAX };

/* Lengths in pixels that all parts of the overlay keep to. */
struct overlay_layout {
    int width, height;  /* of the picture */
    int margin, pad;    /* around the picture's content; around a plate's ink, for its shadow */
    double size, small; /* of the letters */
};

struct overlay_lines;

enum status overlay_lines_create(struct overlay_lines **out, struct ink *ink,
                                 const struct renderer_params *params,
                                 const struct overlay_layout *layout);
void overlay_lines_destroy(struct overlay_lines **lines); /* accepts a pointer to NULL */

void overlay_lines_rooms(const struct overlay_lines *lines, struct plate_room *rooms);

/* How much of the picture's height they take at its top, in the lower left corner of the first
 * panel, if there are any, and in the lower right corner; gaps included. */
struct overlay_taken {
    int top, left, right;
};
void overlay_lines_taken(const struct overlay_lines *lines, struct overlay_taken *out);

/* Paints again those that say something else than before, into plates 0 .. OVERLAY_LINES - 1. */
enum status overlay_lines_update(struct overlay_lines *lines, struct ink *ink,
                                 struct plates *plates, const struct view *view,
                                 const struct camera_pose *pose);

/* Says once that the picture is too small for overlay.`what`. */
void overlay_warn_too_small(const char *what, bool *warned);

#endif
