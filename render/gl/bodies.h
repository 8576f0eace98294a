/* Bodies in GL's memory, and their drawing as points or as squares of two triangles. Only for files
 * of render/ that draw; a GL context must be current. */
#ifndef RENDER_GL_BODIES_H
#define RENDER_GL_BODIES_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

/* GL buffers that one simulation's views are copied to: [count][4] floats each, but [count] of
 * near. */
struct body_buffers {
    GLuint position, velocity, near; /* near 0: not wanted */
};

void body_buffers_create(struct body_buffers *out, size_t count, bool near);
void body_buffers_destroy(struct body_buffers *buffers); /* accepts one never created, all zero */

/* The vertices of points, or the instances of squares of four corners each. Attributes: 0 position,
 * 1 velocity and, where given, 2 reference positions and 3 view.near. */
struct body_array {
    GLuint vertex_array, buffers[4]; /* 0: not given */
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       bool near, bool quads);
void body_array_destroy(struct body_array *array); /* accepts one never created, all zero */

/* The program must be in use; blending and the like stay as they are. */
void body_array_draw(const struct body_array *array, size_t first, size_t count);

#endif
