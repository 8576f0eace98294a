/* Bodies in GL memory, drawn as points or as quads of two triangles. Only for files of render/ that
 * draw; a GL context must be current. */
#pragma once

#include "sim/view.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

/* GL buffers that receive the views of one simulation: [count][4] floats each of position and
 * velocity, [count] floats of each column. */
struct body_buffers {
    size_t count;
    GLuint position, velocity, columns[VIEW_COLUMNS_MAX];
    struct column_names names;
};

void body_buffers_create(struct body_buffers *out, size_t count, const struct column_names *names);
void body_buffers_destroy(struct body_buffers *buffers); /* accepts all zero */

/* The vertices of points, or the instances of quads with four corners each. Attributes: 0 position,
 * 1 velocity, 2 reference position (optional), and from BODY_COLUMNS on the named columns, which
 * `bodies` must have. */
enum { BODY_VECTORS = 3, BODY_COLUMNS = BODY_VECTORS };
struct body_array {
    GLuint vertex_array, buffers[BODY_VECTORS + VIEW_COLUMNS_MAX]; /* 0: not used */
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       const struct column_names *names, bool quads);
void body_array_destroy(struct body_array *array); /* accepts all zero */

/* Draws each body `times` times, as instances. The program must be in use; blending and other state
 * are left as they are. */
void body_array_draw(const struct body_array *array, size_t first, size_t count, unsigned times);
