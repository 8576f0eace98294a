/* Small GL objects: programs, and targets of floats or bytes. A context must be current. Only for
 * files of render/ that draw; includes GL. */
#pragma once

#include "base/status.h"

#include <epoxy/gl.h>

/* Compiles and links. `defines` follows the version line of both shaders ("" for none). */
enum status gl_program(GLuint *out, const char *name, const char *vertex, const char *fragment,
                       const char *defines);

/* One stage of a program: the version line, the defines, then both texts. */
struct gl_stage {
    GLenum stage;
    const char *version, *text[2];
};
enum status gl_program_of(GLuint *out, const char *name, const struct gl_stage *stages, int count,
                          const char *defines);
/* The same; transform feedback captures the outputs `captured`, up to a NULL or `most`. */
enum status gl_program_capturing(GLuint *out, const char *name, const struct gl_stage *stages,
                                 int count, const char *defines, const char *const *captured,
                                 int most);

/* A texture with a framebuffer to draw to. */
struct gl_target {
    GLuint texture, framebuffer;
    GLenum format;
    GLsizei width, height;
};

enum status gl_target_create(struct gl_target *out, GLenum internal_format, GLsizei width,
                             GLsizei height);
/* Switches on bilinear interpolation; by default shaders read the nearest texel. */
void gl_target_smooth(const struct gl_target *target);
/* Makes shaders read zero beyond the edges instead of the edge's value. */
void gl_target_border(const struct gl_target *target);
/* Joins the left and right edges when shaders interpolate. */
void gl_target_wrap(const struct gl_target *target);
void gl_target_destroy(struct gl_target *target); /* accepts all zero */

/* Binds the framebuffer and sets the viewport to all of it. */
void gl_target_bind(const struct gl_target *target);

/* Binds the target, clears it to 0 and enables additive blending. */
void gl_target_start_adding(const struct gl_target *target);

/* Reads texels as floats, rows from the bottom, into memory or the bound pixel-pack buffer;
 * `format` as in glGetTexImage. Reads the texture because NVIDIA's glReadPixels takes seconds for a
 * framebuffer of 32-bit floats. */
void gl_target_read(const struct gl_target *target, GLenum format, void *out);
/* Replaces all texels by floats in the same order. */
void gl_target_write(const struct gl_target *target, GLenum format, const float *from);

/* STATUS_RUNTIME with `what` if GL has recorded an error since the last call. */
enum status gl_check(const char *what);
