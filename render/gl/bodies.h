/* Bodies in GL's memory, and their drawing as points or as squares of two triangles. Only for files
 * of render/ that draw; a GL context must be current. */
#ifndef RENDER_GL_BODIES_H
#define RENDER_GL_BODIES_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

/* GL buffers that one simulation's views are copied to: [count][4] floats each, but [count] of
 * near; and one of the bodies' own numbers, which stays as it is. */
struct body_buffers {
    size_t count;
    GLuint position, velocity, near; /* near 0: not wanted */
    unsigned near_floats; /* per body, of near: 2 with view.dispersion behind all of it */
    /* [count] each, not owned, 0: not wanted: renderer_params.quantity and kernel. */
    GLuint quantity, kernel;
};

/* near_floats 0: no near. */
void body_buffers_create(struct body_buffers *out, size_t count, unsigned near_floats);
void body_buffers_destroy(struct body_buffers *buffers); /* accepts one never created, all zero */

/* A buffer of a number for each body, filled once. */
GLuint body_numbers_create(const float *numbers, size_t count);

/* The vertices of points, or the instances of squares of four corners each. Attributes: 0 position,
 * 1 velocity and, where given, 2 reference positions, 3 view.near, 4 view.dispersion, 5 a number of
 * each body and 6 the radius of its kernel. */
struct body_array {
    GLuint vertex_array, buffers[4]; /* 0: not given */
    size_t dispersion;               /* bytes in front of it in the buffer of near; 0: not there */
    GLuint quantity, kernel;         /* 0: not given */
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       bool near, bool quads);
void body_array_destroy(struct body_array *array); /* accepts one never created, all zero */

/* The program must be in use; blending and the like stay as they are. */
void body_array_draw(const struct body_array *array, size_t first, size_t count);

#endif
