#include "render/planes.h"

#include <stdbool.h>
#include <stdio.h>

extern const char shader_fullscreen_vert[], shader_pack_frag[];

static const char *plane_define(enum picture_format format, int plane)
{
    switch (format) {
    case PICTURE_RGBA8:
    case PICTURE_RGBA16:
        return "PLANE_RGBA";
    case PICTURE_NV12:
        return plane == 0 ? "PLANE_LUMA" : "PLANE_CBCR";
    default:
        return plane == 0 ? "PLANE_LUMA" : plane == 1 ? "PLANE_CB" : "PLANE_CR";
    }
}

static int format_bits(enum picture_format format)
{
    switch (format) {
    case PICTURE_YUV420P10:
    case PICTURE_YUV444P10:
        return 10;
    case PICTURE_RGBA16:
        return 16;
    default:
        return 8;
    }
}

static bool format_halves_chroma(enum picture_format format)
{
    return format == PICTURE_NV12 || format == PICTURE_YUV420P || format == PICTURE_YUV420P10;
}

static enum status create_program(struct planes *planes, int p)
{
    const struct picture_layout *layout = &planes->layout;
    char defines[128];
    snprintf(defines, sizeof defines, "#define BITS %d\n#define CHROMA_SHIFT %d\n#define %s\n",
             format_bits(layout->format), format_halves_chroma(layout->format),
             plane_define(layout->format, p));
    GLuint *program = &planes->program[p];
    enum status status =
        gl_program(program, "pack", shader_fullscreen_vert, shader_pack_frag, defines);
    if (status != STATUS_OK)
        return status;
    glUseProgram(*program);
    glUniform1i(glGetUniformLocation(*program, "display"), 0);
    glUniform2i(glGetUniformLocation(*program, "size"), (GLint)layout->width,
                (GLint)layout->height);
    planes->frame[p] = glGetUniformLocation(*program, "frame");
    planes->origin[p] = glGetUniformLocation(*program, "origin");
    return STATUS_OK;
}

enum status planes_create(struct planes *planes, enum picture_format format, uint32_t width,
                          uint32_t height)
{
    picture_layout(&planes->layout, format, width, height);
    enum status status = STATUS_OK;
    for (int p = 0; status == STATUS_OK && p < planes->layout.planes; p++)
        status = create_program(planes, p);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; status == STATUS_OK && p < planes->layout.planes; p++)
            status = gl_target_create(&planes->target[slot][p], GL_RGBA8,
                                      (GLsizei)(planes->layout.plane[p].stride / 4),
                                      (GLsizei)planes->layout.plane[p].rows);
    return status;
}

void planes_destroy(struct planes *planes)
{
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; p < PICTURE_PLANES_MAX; p++)
            gl_target_destroy(&planes->target[slot][p]);
    for (int p = 0; p < PICTURE_PLANES_MAX; p++)
        glDeleteProgram(planes->program[p]);
}

void planes_draw(const struct planes *planes, int slot, const struct gl_target *display,
                 uint64_t frame, uint32_t x, uint32_t y)
{
    glDisable(GL_BLEND);
    glBindTexture(GL_TEXTURE_2D, display->texture);
    for (int p = 0; p < planes->layout.planes; p++) {
        glUseProgram(planes->program[p]);
        glUniform1ui(planes->frame[p], (GLuint)frame);
        glUniform2i(planes->origin[p], (GLint)x, (GLint)y);
        gl_target_bind(&planes->target[slot][p]);
        gl_draw_fullscreen();
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}
