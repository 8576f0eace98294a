#include "render/post/pack.h"

#include <stdio.h>

extern const char shader_pack_glsl[];

static const char *plane_define(enum picture_format format, int plane)
{
    static const char *const planes[] = {"PLANE_LUMA", "PLANE_CB", "PLANE_CR", "PLANE_ALPHA"};
    if (picture_format_is_rgb(format))
        return "PLANE_RGBA";
    return format == PICTURE_NV12 && plane == 1 ? "PLANE_CBCR" : planes[plane];
}

static const char *alpha_define(enum picture_format format)
{
    switch (picture_format_alpha(format)) {
    case ALPHA_STRAIGHT:
        return "#define STRAIGHT\n";
    case ALPHA_PREMULTIPLIED:
        return "#define PREMULTIPLIED\n";
    case ALPHA_NONE:
        break;
    }
    return "";
}

static enum status create_pass(struct pack *pack, const struct gl_context *context, int p)
{
    const struct picture_layout *layout = &pack->layout;
    char defines[128];
    snprintf(defines, sizeof defines, "#define BITS %u\n#define CHROMA_SHIFT %d\n#define %s\n%s",
             picture_format_bits(layout->format), picture_format_halves(layout->format),
             plane_define(layout->format, p), alpha_define(layout->format));
    struct gl_pass *pass = &pack->pass[p];
    enum status status = gl_pass_create(pass, context, "pack", shader_pack_glsl, defines, 0);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(pass);
    glUniform1i(gl_pass_uniform(pass, "display"), 0);
    glUniform2i(gl_pass_uniform(pass, "size"), (GLint)layout->width, (GLint)layout->height);
    pack->frame[p] = gl_pass_uniform(pass, "frame");
    pack->origin[p] = gl_pass_uniform(pass, "origin");
    return STATUS_OK;
}

enum status pack_create(struct pack *pack, const struct gl_context *context,
                        enum picture_format format, uint32_t width, uint32_t height)
{
    picture_layout(&pack->layout, format, width, height);
    enum status status = STATUS_OK;
    for (int p = 0; status == STATUS_OK && p < pack->layout.planes; p++)
        status = create_pass(pack, context, p);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; status == STATUS_OK && p < pack->layout.planes; p++)
            status = gl_target_create(&pack->target[slot][p], GL_RGBA8,
                                      (GLsizei)(pack->layout.plane[p].stride / 4),
                                      (GLsizei)pack->layout.plane[p].rows);
    return status;
}

void pack_destroy(struct pack *pack)
{
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; p < PICTURE_PLANES_MAX; p++)
            gl_target_destroy(&pack->target[slot][p]);
    for (int p = 0; p < PICTURE_PLANES_MAX; p++)
        gl_pass_destroy(&pack->pass[p]);
}

void pack_draw(const struct pack *pack, int slot, const struct gl_target *display, uint64_t frame,
               uint32_t x, uint32_t y)
{
    glBindTexture(GL_TEXTURE_2D, display->texture);
    for (int p = 0; p < pack->layout.planes; p++) {
        gl_pass_use(&pack->pass[p]);
        glUniform1ui(pack->frame[p], (GLuint)frame);
        glUniform2i(pack->origin[p], (GLint)x, (GLint)y);
        gl_pass_draw(&pack->pass[p], &pack->target[slot][p]);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}
