/* Bodies as the vertices of points, or as the instances of squares of four corners each. Only for
 * the renderer; a GL context must be current. */
#ifndef RENDER_SPRITES_BODY_ARRAY_H
#define RENDER_SPRITES_BODY_ARRAY_H

#include "render/panel/panel.h"

#include <stdbool.h>

/* Attributes 0 position, 1 velocity and, where there are any, 2 reference positions. */
struct body_array {
    GLuint vertex_array, buffers[3];
    int attributes;
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       bool quads);
void body_array_destroy(struct body_array *array); /* accepts one never created, all zero */

/* With the program in use and the state as it is. */
void body_array_draw(const struct body_array *array, size_t first, size_t count);

#endif
