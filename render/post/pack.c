#include "render/post/pack.h"

#include "base/functions/fn.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static size_t bytes_of(const struct gl_target *target)
{
    return (size_t)target->width * (size_t)target->height * sizeof(float[3]);
}

void light_tap_destroy(struct light_tap *tap)
{
    glDeleteBuffers(TRANSFER_SLOTS, tap->buffers);
    *tap = (struct light_tap){0};
}

static void make_room(struct light_tap *tap, int slot, size_t size)
{
    if (!tap->buffers[slot])
        glGenBuffers(1, &tap->buffers[slot]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, tap->buffers[slot]);
    if (tap->size[slot] != size)
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)size, NULL, GL_STREAM_READ);
    tap->size[slot] = size;
}

enum status light_tap_start(struct light_tap *tap, int slot, const struct gl_target *const *targets,
                            int count)
{
    size_t size = 0, offset = 0;
    for (int i = 0; i < count; i++)
        size += bytes_of(targets[i]);
    make_room(tap, slot, size);
    for (int i = 0; i < count; i++) {
        gl_target_read(targets[i], GL_RGB, (void *)offset);
        offset += bytes_of(targets[i]);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return gl_check("reading the light back");
}

/* In the order of the pixels. The product of 0 with an infinite or NaN channel is NaN. */
static void add_up(const float *pixels, size_t count, struct picture_light *out)
{
    for (size_t i = 0; i < count; i++) {
        const float *rgb = pixels + 3 * i;
        if (isnan(0 * rgb[0] + 0 * rgb[1] + 0 * rgb[2])) {
            out->broken++;
            continue;
        }
        for (int c = 0; c < 3; c++)
            out->sum[c] += rgb[c];
    }
}

enum status light_tap_wait(struct light_tap *tap, int slot, struct picture_light *out)
{
    const size_t size = tap->size[slot];
    *out = (struct picture_light){0};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, tap->buffers[slot]);
    const void *pixels =
        glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
    if (pixels) {
        hash_parts(&(struct hash_part){pixels, size}, 1, out->hash);
        add_up(pixels, size / sizeof(float[3]), out);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    enum status status = gl_check("reading the light back");
    if (status == STATUS_OK && !pixels)
        status = status_fail(STATUS_RUNTIME,
                             "reading the light back failed: the GL driver returned no memory");
    return status;
}

/* ---- pack ---- */

/* For an HDR signal, whose curve is too steep near black for the display's steps. */
static const double quiet_codes = 0.25;

extern const char shader_hdr_glsl[], shader_pack_glsl[];

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

static const char *hdr_define(enum picture_format format)
{
    if (picture_format_is_light(format))
        return "#define FLOATS\n";
    const enum picture_hdr hdr = picture_format_hdr(format);
    return hdr == HDR_PQ ? "#define PQ\n" : hdr == HDR_HLG ? "#define HLG\n" : "";
}

static enum status create_pass(struct pack *pack, const struct gl_context *context, int p)
{
    const struct picture_layout *layout = &pack->layout;
    char defines[128];
    snprintf(defines, sizeof defines,
             "#define BITS %u\n#define CHROMA_SHIFT %d\n#define CHROMA_ROWS %d\n#define %s\n%s%s",
             picture_format_bits(layout->format), picture_format_halves_width(layout->format),
             1 + picture_format_halves_height(layout->format), plane_define(layout->format, p),
             alpha_define(layout->format), hdr_define(layout->format));
    struct gl_pass *pass = &pack->pass[p];
    char *shade = text_format("%s%s", picture_format_hdr(layout->format) ? shader_hdr_glsl : "",
                              shader_pack_glsl);
    enum status status = gl_pass_create(pass, context, "pack", shade, defines, 0);
    free(shade);
    if (status != STATUS_OK)
        return status;
    gl_pass_use(pass);
    glUniform1i(gl_pass_uniform(pass, "display"), 0);
    glUniform2i(gl_pass_uniform(pass, "size"), (GLint)layout->width, (GLint)layout->height);
    pack->frame[p] = gl_pass_uniform(pass, "frame");
    pack->origin[p] = gl_pass_uniform(pass, "origin");
    pack->fade[p] = gl_pass_uniform(pass, "fade");
    pack->background[p] = gl_pass_uniform(pass, "background");
    pack->quiet[p] = gl_pass_uniform(pass, "quiet");
    return STATUS_OK;
}

enum status pack_create(struct pack *pack, const struct gl_context *context,
                        enum picture_format format, uint32_t width, uint32_t height,
                        const double background[3])
{
    for (int c = 0; c < 3; c++)
        pack->sky[c] = round(background[c] * 65535) / 65535;
    picture_layout(&pack->layout, format, width, height);
    if (picture_format_alpha(format) != ALPHA_NONE &&
        pack->sky[0] + pack->sky[1] + pack->sky[2] > 0)
        return status_fail(STATUS_USAGE,
                           "output.alpha and look.background exclude each other, because alpha "
                           "makes dark pixels transparent; leave one of them out");
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
               double fade, uint32_t x, uint32_t y)
{
    /* The display's step is 1 / 65535; drivers differ in how they convert it to a float. */
    double seen[3] = {fade * pack->sky[0], fade * pack->sky[1], fade * pack->sky[2]};
    double quiet = seen[0] + seen[1] + seen[2] > 0 ? 1.5 * fade / 65535 : 0;
    const enum picture_format format = pack->layout.format;
    const enum picture_hdr hdr = picture_format_hdr(format);
    if (hdr != HDR_NONE && quiet > 0) {
        const double light[3] = {fn_pow(seen[0], 2.2), fn_pow(seen[1], 2.2), fn_pow(seen[2], 2.2)};
        hdr_signal(hdr, light, seen);
        quiet = quiet_codes / 1023;
    }
    glBindTexture(GL_TEXTURE_2D, display->texture);
    for (int p = 0; p < pack->layout.planes; p++) {
        gl_pass_use(&pack->pass[p]);
        glUniform1ui(pack->frame[p], (GLuint)frame);
        const bool chroma = p == 1 || p == 2;
        glUniform2i(pack->origin[p], (GLint)(x >> (chroma && picture_format_halves_width(format))),
                    (GLint)(y >> (chroma && picture_format_halves_height(format))));
        glUniform1f(pack->fade[p], (GLfloat)fade);
        glUniform3f(pack->background[p], (GLfloat)seen[0], (GLfloat)seen[1], (GLfloat)seen[2]);
        glUniform1f(pack->quiet[p], (GLfloat)quiet);
        gl_pass_draw(&pack->pass[p], &pack->target[slot][p]);
    }
    glBindTexture(GL_TEXTURE_2D, 0);
}
