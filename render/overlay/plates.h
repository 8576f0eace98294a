/* Plates: rectangles of ink over the picture, in separate areas of one texture. Only for the
 * overlay; a GL context must be current. */
#pragma once

#include "render/gl/gl.h"
#include "render/overlay/elements.h"
#include "render/overlay/ink.h"

#include <stdint.h>

/* Coordinates are pixels of the picture, from its upper left corner. */
struct plate {
    int x, y;           /* position of its upper left corner */
    double right, down; /* parts of a pixel by which it is moved, 0 .. 1 */
    int width, height;  /* visible size, at most that of its area; width 0: nothing */
    double opacity;
};

struct plate_room {
    int width, height;
};

struct plates;

/* STATUS_USAGE when the plates do not fit into a GL texture. White ink is shown as the display
 * value `white`, which is 1 except in high dynamic range. */
enum status plates_create(struct plates **out, const struct plate_room *rooms, int count,
                          double white);
void plates_destroy(struct plates **plates); /* accepts a pointer to NULL */

/* The caller positions it; after creation it is empty and fully opaque. */
struct plate *plates_at(struct plates *plates, int index);

/* Stores what was painted since ink_begin; its size must fit the plate's area. */
enum status plates_store(struct plates *plates, int index, struct ink *ink);
uint64_t plates_stored(const struct plates *plates); /* number of calls of plates_store */

/* Draws all plates in order over `display`, with the picture's upper left corner at (x, y) from the
 * display's. A vertex array must be bound. */
void plates_draw(struct plates *plates, const struct gl_target *display, int x, int y,
                 double opacity);

/* The overlay's lines of text: elements, and titles of panels. They are laid out once, and each has
 * a plate. Only for the overlay. */

enum { OVERLAY_LINES_MAX = OVERLAY_ELEMENTS_MAX + PANELS_MAX };

struct overlay_lines;

void overlay_lines_create(struct overlay_lines **out, struct ink *ink,
                          const struct renderer_params *params,
                          const struct overlay_layout *layout);
void overlay_lines_destroy(struct overlay_lines **lines); /* accepts a pointer to NULL */

/* Fills in the sizes of the plates and returns their number. */
int overlay_lines_rooms(const struct overlay_lines *lines, struct plate_room *rooms);

/* How much of the picture's height lines take, including gaps: at its top, in the lower left corner
 * of the first panel (if there are any), in the middle of the lower edge and in the lower right
 * corner. */
struct overlay_taken {
    int top, left, middle, right;
    int middle_width; /* width that `middle` takes around the picture's centre */
};
void overlay_lines_taken(const struct overlay_lines *lines, const struct film_labels *labels,
                         struct overlay_taken *out);

/* Lines that reach into the title card's area are hidden while the card is shown. */
void overlay_lines_clear_card(struct overlay_lines *lines, const struct overlay_area *card);

/* Paints the plates whose lines have changed. The title card is shown with this opacity and covers
 * this share of the frame, 0 .. 1. */
enum status overlay_lines_update(struct overlay_lines *lines, struct ink *ink,
                                 struct plates *plates, const struct view *view,
                                 const struct camera_pose *pose, double card, double covered);

/* The panel, or whole picture, that contains the corner. */
struct overlay_area overlay_part(const struct film_labels *labels,
                                 const struct overlay_layout *layout, enum overlay_corner corner);

/* Warns that the picture is too small for overlay.`name`. */
void overlay_warn_too_small(const struct overlay_layout *layout, const char *name);
