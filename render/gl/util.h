/* Small GL objects: programs, float and byte targets. A context must be current. Only for files of
 * render/ that draw; includes GL. */
#ifndef RENDER_GL_UTIL_H
#define RENDER_GL_UTIL_H

#include "base/status.h"

#include <epoxy/gl.h>

/* Compiles and links. `defines` is put after the version line of both shaders ("" for none). */
enum status gl_program(GLuint *out, const char *name, const char *vertex, const char *fragment,
                       const char *defines);

/* One stage of a program: the version line, the defines, then both texts. */
struct gl_stage {
    GLenum stage;
    const char *version, *text[2];
};
enum status gl_program_of(GLuint *out, const char *name, const struct gl_stage *stages, int count,
                          const char *defines);

/* A texture that can be drawn to. */
struct gl_target {
    GLuint texture, framebuffer;
    GLenum format;
    GLsizei width, height;
};

enum status gl_target_create(struct gl_target *out, GLenum internal_format, GLsizei width,
                             GLsizei height);
/* Lets shaders read between its texels (bilinear); without it they see the nearest one. */
void gl_target_smooth(const struct gl_target *target);
/* Beyond its edges they read nothing instead of the edge. */
void gl_target_border(const struct gl_target *target);
/* Joins its left and right edges for those who read between them. */
void gl_target_wrap(const struct gl_target *target);
void gl_target_destroy(struct gl_target *target); /* accepts one never created, all zero */

/* Binds it and covers it with the viewport. */
void gl_target_bind(const struct gl_target *target);

/* The same, cleared to 0 and so that what is drawn from now on adds up. */
void gl_target_start_adding(const struct gl_target *target);

/* Its texels as floats, rows from the bottom, into memory or the bound pixel pack buffer: `format`
 * as glGetTexImage takes it. From the texture, because NVIDIA's glReadPixels takes seconds for a
 * framebuffer of 32-bit floats. */
void gl_target_read(const struct gl_target *target, GLenum format, void *out);

/* STATUS_RUNTIME naming `what` when GL has recorded an error since the last call. */
enum status gl_check(const char *what);

#endif
