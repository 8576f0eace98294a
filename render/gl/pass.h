/* A pass that computes every pixel of a target: a triangle that covers the target, or a compute
 * shader where the GPU has one. The same GLSL makes both, and what they store differs by rounding
 * alone. Some GPUs draw triangles with few of their multiprocessors and compute with all. Only for
 * files of render/ that draw; a GL context must be current.
 *
 * The GLSL is a function `vec4 shade(vec2 at)`; `at` is a pixel's centre, from the lower left
 * corner of the part that is drawn. With "#define PARTIAL" among the defines a pixel for which it
 * gives a negative alpha stays as it was. */
#ifndef RENDER_GL_PASS_H
#define RENDER_GL_PASS_H

#include "render/gl/context.h"
#include "render/gl/util.h"

struct gl_pass {
    GLuint program;
    GLint corner, extent; /* uniforms; extent only of a compute shader */
    bool compute;
    float keeps;
};

/* `name` is for messages. `keeps` is the share of what the target holds that the new value is added
 * to, 0: it takes its place; other shares only for targets of GL_RGBA16F. Whether it computes is
 * the context's choice. On failure *out needs no gl_pass_destroy. */
enum status gl_pass_create(struct gl_pass *out, const struct gl_context *context, const char *name,
                           const char *shade, const char *defines, float keeps);
void gl_pass_destroy(struct gl_pass *pass); /* accepts one never created, all zero */

GLint gl_pass_uniform(const struct gl_pass *pass, const char *name);
void gl_pass_use(const struct gl_pass *pass); /* before uniforms are set */

/* All of the target, or a part of it, which lies within it; (x, y) is its lower left corner. The
 * pass must be in use and a vertex array bound. Later commands of any kind see what is stored. */
void gl_pass_draw(const struct gl_pass *pass, const struct gl_target *target);
void gl_pass_draw_part(const struct gl_pass *pass, const struct gl_target *target, GLint x, GLint y,
                       GLsizei width, GLsizei height);

#endif
