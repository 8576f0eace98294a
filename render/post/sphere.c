#include "render/post/sphere.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

extern const char shader_sphere_axes_glsl[], shader_sphere_glsl[];

enum status sphere_create(struct sphere *sphere, const struct gl_context *context, uint32_t width,
                          uint32_t height)
{
    enum status status =
        gl_target_create(&sphere->light, GL_RGBA16F, (GLsizei)width, (GLsizei)height);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(&sphere->light);
    gl_target_wrap(&sphere->light);
    char *shade = text_format("%s%s", shader_sphere_axes_glsl, shader_sphere_glsl);
    status = gl_pass_create(&sphere->pass, context, "sphere", shade, "#define PARTIAL\n", 0);
    free(shade);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(&sphere->pass);
    glUniform2f(gl_pass_uniform(&sphere->pass, "size"), (GLfloat)width, (GLfloat)height);
    glUniform1i(gl_pass_uniform(&sphere->pass, "face"), 0);
    sphere->side = gl_pass_uniform(&sphere->pass, "side");
    sphere->margin = gl_pass_uniform(&sphere->pass, "margin");
    return STATUS_OK;
}

void sphere_destroy(struct sphere *sphere)
{
    gl_target_destroy(&sphere->light);
    gl_pass_destroy(&sphere->pass);
}

uint32_t sphere_face_side(uint32_t width)
{
    return (uint32_t)ceil(width / M_PI);
}

void sphere_set_axes(const struct gl_pass *pass, int number)
{
    static const GLfloat axes[6][3][3] = {
        {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
        {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
    };
    glUniform3fv(gl_pass_uniform(pass, "right"), 1, axes[number][0]);
    glUniform3fv(gl_pass_uniform(pass, "up"), 1, axes[number][1]);
    glUniform3fv(gl_pass_uniform(pass, "forward"), 1, axes[number][2]);
}

void sphere_add_face(const struct sphere *sphere, const struct gl_target *face, uint32_t side,
                     uint32_t margin, int number)
{
    gl_pass_use(&sphere->pass);
    sphere_set_axes(&sphere->pass, number);
    glUniform1f(sphere->side, (GLfloat)side);
    glUniform1f(sphere->margin, (GLfloat)margin);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, face->texture);
    gl_pass_draw(&sphere->pass, &sphere->light);
}
