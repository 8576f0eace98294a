/* A pass that computes every pixel of a target, by drawing a triangle that covers it, or by a
 * compute shader where the GPU supports them. Both are made from the same GLSL, and their results
 * differ only by rounding. Some GPUs use few of their multiprocessors to draw one triangle, and all
 * of them to compute. Only for files of render/ that draw; a GL context must be current.
 *
 * The GLSL is a function `vec4 shade(vec2 at)`; `at` is a pixel's centre, relative to the lower
 * left corner of the drawn part. With "#define PARTIAL" among the defines, a negative alpha leaves
 * the pixel unchanged. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/util.h"

struct gl_pass {
    GLuint program;
    GLint corner, extent; /* uniforms; extent only in a compute shader */
    bool compute;
    float keeps;
};

/* `name` is for messages. `keeps` is the factor on the target's old value, to which the new value
 * is added; 0 replaces it; factors other than 0 only for targets of GL_RGBA16F. The context decides
 * whether the pass is a compute shader. On failure *out needs no gl_pass_destroy. */
enum status gl_pass_create(struct gl_pass *out, const struct gl_context *context, const char *name,
                           const char *shade, const char *defines, float keeps);
void gl_pass_destroy(struct gl_pass *pass); /* accepts all zero */

GLint gl_pass_uniform(const struct gl_pass *pass, const char *name);
void gl_pass_use(const struct gl_pass *pass); /* call before setting uniforms */

/* Draws all of the target, or a part within it whose lower left corner is (x, y). The pass must be
 * in use and a vertex array bound. Later GL commands of any kind see the result. */
void gl_pass_draw(const struct gl_pass *pass, const struct gl_target *target);
void gl_pass_draw_part(const struct gl_pass *pass, const struct gl_target *target, GLint x, GLint y,
                       GLsizei width, GLsizei height);
