#include "render/renderer.h"

#include "base/log.h"
#include "render/bloom.h"
#include "render/camera.h"
#include "render/colour.h"
#include "render/gl_context.h"
#include "render/gl_util.h"
#include "render/overlay.h"
#include "render/sprites.h"
#include "render/transfer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char shader_fullscreen_vert[], shader_look_frag[], shader_pack_frag[];

struct renderer {
    struct renderer_params params;
    struct gl_context *context;
    char description[320];
    double exposure;

    struct sprites *sprites;
    struct bloom *bloom;     /* NULL: none wanted */
    struct overlay *overlay; /* NULL: it shows nothing */
    struct camera_pose pose; /* of the frame that is drawn */
    GLuint vertex_array;     /* for full-screen passes: core GL wants one bound */
    GLuint look, pack[PICTURE_PLANES_MAX];
    GLint look_exposure, pack_frame[PICTURE_PLANES_MAX];
    struct gl_target display;
    struct gl_target packed[TRANSFER_SLOTS][PICTURE_PLANES_MAX];
    struct picture_layout layout;

    const struct transfer_ops *transfer_ops;
    struct transfer *transfer;
    uint64_t submitted, waited;
};

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

static enum status create_look(struct renderer *renderer)
{
    enum status status =
        gl_program(&renderer->look, "look", shader_fullscreen_vert, shader_look_frag, "");
    if (status != STATUS_OK)
        return status;
    GLint margin = (GLint)sprites_margin(renderer->sprites);
    glUseProgram(renderer->look);
    glUniform1i(glGetUniformLocation(renderer->look, "light"), 0);
    glUniform1i(glGetUniformLocation(renderer->look, "glow"), 1);
    glUniform2i(glGetUniformLocation(renderer->look, "margin"), margin, margin);
    if (renderer->bloom) {
        const struct gl_target *glow = bloom_target(renderer->bloom);
        glUniform2f(glGetUniformLocation(renderer->look, "glow_texel"), 1.0f / (GLfloat)glow->width,
                    1.0f / (GLfloat)glow->height);
    }
    glUniform1f(glGetUniformLocation(renderer->look, "bloom"), (float)renderer->params.look.bloom);
    renderer->look_exposure = glGetUniformLocation(renderer->look, "exposure");
    return STATUS_OK;
}

static enum status create_programs(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    enum status status = create_look(renderer);
    for (int p = 0; status == STATUS_OK && p < renderer->layout.planes; p++) {
        char defines[128];
        snprintf(defines, sizeof defines, "#define BITS %d\n#define CHROMA_SHIFT %d\n#define %s\n",
                 format_bits(params->format), format_halves_chroma(params->format),
                 plane_define(params->format, p));
        status = gl_program(&renderer->pack[p], "pack", shader_fullscreen_vert, shader_pack_frag,
                            defines);
        if (status == STATUS_OK) {
            glUseProgram(renderer->pack[p]);
            glUniform1i(glGetUniformLocation(renderer->pack[p], "display"), 0);
            glUniform2i(glGetUniformLocation(renderer->pack[p], "size"), (GLint)params->width,
                        (GLint)params->height);
            renderer->pack_frame[p] = glGetUniformLocation(renderer->pack[p], "frame");
        }
    }
    return status;
}

static enum status create_targets(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    enum status status = gl_target_create(&renderer->display, GL_RGBA16, (GLsizei)params->width,
                                          (GLsizei)params->height);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
        for (int p = 0; status == STATUS_OK && p < renderer->layout.planes; p++)
            status = gl_target_create(&renderer->packed[slot][p], GL_RGBA8,
                                      (GLsizei)(renderer->layout.plane[p].stride / 4),
                                      (GLsizei)renderer->layout.plane[p].rows);
    return status;
}

static enum status create_transfer(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    const struct transfer_params wanted = {
        .count = params->count,
        .position_buffer = sprites_position_buffer(renderer->sprites),
        .velocity_buffer = sprites_velocity_buffer(renderer->sprites),
        .layout = renderer->layout,
        .packed = renderer->packed,
        .cuda_device = params->cuda_device,
    };
    renderer->transfer_ops = &transfer_gl;
    if (params->cuda_device >= 0 && renderer->context->cuda_device == params->cuda_device) {
        enum status status = transfer_cuda.open(&wanted, &renderer->transfer);
        if (status == STATUS_OK) {
            renderer->transfer_ops = &transfer_cuda;
            return status;
        }
        log_warning("%s; bodies and pictures go through host memory, which is slower",
                    status_text());
    } else if (params->cuda_device >= 0) {
        log_warning(
            "no EGL device is CUDA device %d, so drawing is done by %s and bodies go through host "
            "memory, which is slower; see `gravreel doctor`",
            params->cuda_device, renderer->context->renderer);
    }
    return transfer_gl.open(&wanted, &renderer->transfer);
}

static enum status create_all(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    enum status status = gl_context_open(&renderer->context, params->cuda_device);
    if (status != STATUS_OK)
        return status;
    status = gl_context_bind(renderer->context);
    if (status != STATUS_OK)
        return status;
    glGenVertexArrays(1, &renderer->vertex_array);
    status = sprites_create(&renderer->sprites, params, renderer->context);
    if (status == STATUS_OK && params->look.bloom > 0)
        status = bloom_create(&renderer->bloom, sprites_target(renderer->sprites)->width,
                              sprites_target(renderer->sprites)->height);
    if (status == STATUS_OK)
        status = create_targets(renderer);
    if (status == STATUS_OK)
        status = create_programs(renderer);
    if (status == STATUS_OK)
        status = overlay_create(&renderer->overlay, params);
    if (status == STATUS_OK)
        status = create_transfer(renderer);
    if (status == STATUS_OK)
        status = gl_check("setting up drawing");
    gl_context_unbind(renderer->context);
    return status;
}

enum status renderer_open(struct renderer **out, const struct renderer_params *params)
{
    struct renderer *renderer = calloc(1, sizeof *renderer);
    *out = NULL;
    if (!renderer)
        return status_fail(STATUS_RUNTIME, "no memory left for a renderer");
    renderer->params = *params;
    renderer->exposure = params->look.exposure_factor;
    picture_layout(&renderer->layout, params->format, params->width, params->height);
    enum status status = create_all(renderer);
    renderer->params.groups = NULL; /* the caller's; sprites keeps its own copy */
    if (status != STATUS_OK) {
        renderer_close(&renderer);
        return status;
    }
    snprintf(renderer->description, sizeof renderer->description, "%s (%s), %s",
             renderer->context->renderer, renderer->context->platform,
             renderer->transfer_ops->description);
    *out = renderer;
    return STATUS_OK;
}

void renderer_close(struct renderer **renderer)
{
    struct renderer *self = *renderer;
    if (!self)
        return;
    if (self->context && gl_context_bind(self->context) == STATUS_OK) {
        if (self->transfer)
            self->transfer_ops->close(&self->transfer);
        overlay_destroy(&self->overlay);
        bloom_destroy(&self->bloom);
        sprites_destroy(&self->sprites);
        gl_target_destroy(&self->display);
        for (int slot = 0; slot < TRANSFER_SLOTS; slot++)
            for (int p = 0; p < PICTURE_PLANES_MAX; p++)
                gl_target_destroy(&self->packed[slot][p]);
        glDeleteProgram(self->look);
        for (int p = 0; p < PICTURE_PLANES_MAX; p++)
            glDeleteProgram(self->pack[p]);
        glDeleteVertexArrays(1, &self->vertex_array);
        gl_context_unbind(self->context);
    }
    gl_context_close(&self->context);
    free(self);
    *renderer = NULL;
}

enum status renderer_bind(struct renderer *renderer)
{
    return gl_context_bind(renderer->context);
}

void renderer_unbind(struct renderer *renderer)
{
    gl_context_unbind(renderer->context);
}

double renderer_exposure(const struct renderer *renderer)
{
    return renderer->exposure;
}

const char *renderer_description(const struct renderer *renderer)
{
    return renderer->description;
}

enum status renderer_picture_create(struct renderer *renderer, struct picture **out)
{
    struct picture *picture = calloc(1, sizeof *picture);
    *out = picture;
    if (picture) {
        picture->layout = renderer->layout;
        picture->data = renderer->transfer_ops->allocate(renderer->layout.size);
    }
    if (!picture || !picture->data) {
        free(picture);
        *out = NULL;
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %ux%u",
                           renderer->params.width, renderer->params.height);
    }
    return STATUS_OK;
}

void renderer_picture_destroy(struct renderer *renderer, struct picture **picture)
{
    if (!*picture)
        return;
    renderer->transfer_ops->release((*picture)->data);
    free(*picture);
    *picture = NULL;
}

static enum status accumulate(struct renderer *renderer, const struct view *view)
{
    enum status status = renderer->transfer_ops->upload(renderer->transfer, view);
    if (status != STATUS_OK)
        return status;
    double last = renderer->params.frames > 1 ? (double)(renderer->params.frames - 1) : 1;
    camera_pose(&renderer->pose, &renderer->params.camera, (double)view->frame / last,
                renderer->params.width, renderer->params.height, sprites_margin(renderer->sprites));
    sprites_draw(renderer->sprites, &renderer->pose);
    return STATUS_OK;
}

static int by_value(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The light that only a hundredth of the lit pixels exceed comes out near white. */
static enum status exposure_from_light(struct renderer *renderer)
{
    const struct gl_target *light = sprites_target(renderer->sprites);
    size_t pixels = (size_t)light->width * (size_t)light->height, lit = 0;
    float *values = malloc(pixels * 4 * sizeof *values);
    if (!values)
        return status_fail(STATUS_RUNTIME, "no memory left to measure the light of %zu pixels",
                           pixels);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, light->framebuffer);
    glReadPixels(0, 0, light->width, light->height, GL_RGBA, GL_FLOAT, values);
    for (size_t i = 0; i < pixels; i++) {
        float brightest = fmaxf(fmaxf(values[4 * i], values[4 * i + 1]), values[4 * i + 2]);
        if (brightest > 1e-4f)
            values[lit++] = brightest;
    }
    renderer->exposure = 1;
    if (lit > 0) {
        qsort(values, lit, sizeof *values, by_value);
        renderer->exposure = 5.0 / values[(size_t)((double)(lit - 1) * 0.99)];
    }
    free(values);
    return gl_check("measuring the light");
}

enum status renderer_calibrate(struct renderer *renderer, const struct view *view)
{
    if (renderer->params.look.exposure_factor > 0)
        return STATUS_OK;
    enum status status = accumulate(renderer, view);
    if (status == STATUS_OK)
        status = exposure_from_light(renderer);
    return status;
}

static void apply_look(struct renderer *renderer)
{
    const struct gl_target *light = sprites_target(renderer->sprites);
    if (renderer->bloom) {
        bloom_make(renderer->bloom, light);
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, bloom_target(renderer->bloom)->texture);
        glActiveTexture(GL_TEXTURE0);
    }
    glDisable(GL_BLEND);
    glUseProgram(renderer->look);
    glUniform1f(renderer->look_exposure, (float)renderer->exposure);
    glBindTexture(GL_TEXTURE_2D, light->texture);
    gl_target_bind(&renderer->display);
    gl_draw_fullscreen();
}

enum status renderer_submit(struct renderer *renderer, const struct view *view,
                            struct picture *picture)
{
    int slot = (int)(renderer->submitted % TRANSFER_SLOTS);
    enum status status = accumulate(renderer, view);
    if (status != STATUS_OK)
        return status;

    glBindVertexArray(renderer->vertex_array);
    glActiveTexture(GL_TEXTURE0);
    apply_look(renderer);
    if (renderer->overlay)
        status = overlay_draw(renderer->overlay, view, &renderer->pose, &renderer->display);
    if (status != STATUS_OK)
        return status;

    glBindTexture(GL_TEXTURE_2D, renderer->display.texture);
    for (int p = 0; p < renderer->layout.planes; p++) {
        glUseProgram(renderer->pack[p]);
        glUniform1ui(renderer->pack_frame[p], (GLuint)view->frame);
        gl_target_bind(&renderer->packed[slot][p]);
        gl_draw_fullscreen();
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    status = gl_check("drawing a frame");
    if (status != STATUS_OK)
        return status;
    picture->frame = view->frame;
    picture->time = view->time;
    status = renderer->transfer_ops->start(renderer->transfer, slot, picture->data);
    if (status == STATUS_OK)
        renderer->submitted++;
    return status;
}

enum status renderer_wait(struct renderer *renderer)
{
    if (renderer->waited == renderer->submitted)
        return STATUS_OK;
    return renderer->transfer_ops->wait(renderer->transfer,
                                        (int)(renderer->waited++ % TRANSFER_SLOTS));
}
