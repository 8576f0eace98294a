/* Bodies in GL's memory, and their drawing as points or as squares of two triangles. Only for files
 * of render/ that draw; a GL context must be current. */
#ifndef RENDER_GL_BODIES_H
#define RENDER_GL_BODIES_H

#include "sim/view.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

/* GL buffers that one simulation's views are copied to: [count][4] floats each of position and
 * velocity, [count] of each column. */
struct body_buffers {
    size_t count;
    GLuint position, velocity, columns[VIEW_COLUMNS_MAX];
    struct column_names names;
};

void body_buffers_create(struct body_buffers *out, size_t count, const struct column_names *names);
void body_buffers_destroy(struct body_buffers *buffers); /* accepts one never created, all zero */

/* The vertices of points, or the instances of squares of four corners each. Attributes: 0 position,
 * 1 velocity, 2 reference positions, where given, and from BODY_COLUMNS on the columns of these
 * names, which `bodies` has. */
enum { BODY_VECTORS = 3, BODY_COLUMNS = BODY_VECTORS };
struct body_array {
    GLuint vertex_array, buffers[BODY_VECTORS + VIEW_COLUMNS_MAX]; /* 0: not given */
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       const struct column_names *names, bool quads);
void body_array_destroy(struct body_array *array); /* accepts one never created, all zero */

/* Each body `times` times, as instances. The program must be in use; blending and the like stay as
 * they are. */
void body_array_draw(const struct body_array *array, size_t first, size_t count, unsigned times);

#endif
