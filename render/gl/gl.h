/* Small GL objects: programs, and targets of floats or bytes. A context must be current. Only for
 * files of render/ that draw; includes GL. */
#pragma once

#include "base/status.h"
#include "render/draw.h"
#include "render/gl/context.h"
#include "sim/view.h"

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stddef.h>

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

/* Copies the values of the program's uniforms, except samplers. */
void gl_program_values(GLuint program, struct recipe_program *out);

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

/* A pass that computes every pixel of a target, by drawing a triangle that covers it, or by a
 * compute shader where the GPU supports them. Both are made from the same GLSL, and their results
 * differ only by rounding. Some GPUs use few of their multiprocessors to draw one triangle, and all
 * of them to compute. Only for files of render/ that draw; a GL context must be current.
 *
 * The GLSL is a function `vec4 shade(vec2 at)`; `at` is a pixel's centre, relative to the lower
 * left corner of the drawn part. With "#define PARTIAL" among the defines, a negative alpha leaves
 * the pixel unchanged. */

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

/* Bodies in GL memory, drawn as points or as quads of two triangles. Only for files of render/ that
 * draw; a GL context must be current. */

/* GL buffers that receive the views of one simulation: [count][4] floats each of position and
 * velocity, [count] floats of each column, [count] whole numbers of the order. */
struct body_buffers {
    size_t count;
    GLuint position, velocity, columns[VIEW_COLUMNS_MAX];
    GLuint order; /* 0: views have none */
    struct {
        GLuint position, velocity, distance; /* of struct view_along; 0: likewise */
    } along;
    bool only_along; /* what `along` has is read there alone, and not copied to the others */
    struct column_names names;
};

void body_buffers_create(struct body_buffers *out, size_t count, const struct column_names *names,
                         bool ordered);
void body_buffers_destroy(struct body_buffers *buffers); /* accepts all zero */

/* Sets only_along and frees the memory that is then not used. The buffers must have an order. */
void body_buffers_only_along(struct body_buffers *buffers);

/* The vertices of points, or the instances of quads with four corners each. Attributes: 0 position,
 * 1 velocity, 2 reference position (optional), and from BODY_COLUMNS on the named columns, which
 * `bodies` must have. */
enum { BODY_VECTORS = 3, BODY_COLUMNS = BODY_VECTORS };
struct body_array {
    GLuint vertex_array, buffers[BODY_VECTORS + VIEW_COLUMNS_MAX]; /* 0: not used */
    GLuint order;                                                  /* of struct body_buffers */
    GLuint along[BODY_VECTORS + VIEW_COLUMNS_MAX]; /* with an order: the same as buffers, but those
                                                    * of struct view_along in their places */
    bool quads;
};

void body_array_create(struct body_array *out, const struct body_buffers *bodies, GLuint reference,
                       const struct column_names *names, bool quads);
void body_array_destroy(struct body_array *array); /* accepts all zero */

/* Draws each body `times` times, as instances. The program must be in use; blending and other state
 * are left as they are. */
void body_array_draw(const struct body_array *array, size_t first, size_t count, unsigned times);
