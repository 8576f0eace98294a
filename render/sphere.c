#include "render/sphere.h"

#include <math.h>

extern const char shader_fullscreen_vert[], shader_sphere_frag[];

enum status sphere_create(struct sphere *sphere, uint32_t width, uint32_t height)
{
    enum status status =
        gl_target_create(&sphere->light, GL_RGBA16F, (GLsizei)width, (GLsizei)height);
    if (status != STATUS_OK)
        return status;
    gl_target_smooth(&sphere->light);
    gl_target_wrap(&sphere->light);
    status = gl_program(&sphere->program, "sphere", shader_fullscreen_vert, shader_sphere_frag, "");
    if (status != STATUS_OK)
        return status;
    glUseProgram(sphere->program);
    glUniform2f(glGetUniformLocation(sphere->program, "size"), (GLfloat)width, (GLfloat)height);
    glUniform1i(glGetUniformLocation(sphere->program, "face"), 0);
    sphere->right = glGetUniformLocation(sphere->program, "right");
    sphere->up = glGetUniformLocation(sphere->program, "up");
    sphere->forward = glGetUniformLocation(sphere->program, "forward");
    sphere->side = glGetUniformLocation(sphere->program, "side");
    sphere->margin = glGetUniformLocation(sphere->program, "margin");
    return STATUS_OK;
}

void sphere_destroy(struct sphere *sphere)
{
    gl_target_destroy(&sphere->light);
    glDeleteProgram(sphere->program);
    sphere->program = 0;
}

uint32_t sphere_face_side(uint32_t width)
{
    return (uint32_t)ceil(width / M_PI);
}

void sphere_add_face(const struct sphere *sphere, const struct gl_target *face, uint32_t side,
                     uint32_t margin, int number)
{
    /* Right, up and forward of each face, in the camera's own right, up and forward. */
    static const GLfloat axes[6][3][3] = {
        {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}},
        {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
    };
    glDisable(GL_BLEND);
    glUseProgram(sphere->program);
    glUniform3fv(sphere->right, 1, axes[number][0]);
    glUniform3fv(sphere->up, 1, axes[number][1]);
    glUniform3fv(sphere->forward, 1, axes[number][2]);
    glUniform1f(sphere->side, (GLfloat)side);
    glUniform1f(sphere->margin, (GLfloat)margin);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, face->texture);
    gl_target_bind(&sphere->light);
    gl_draw_fullscreen();
}
