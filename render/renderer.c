#include "render/renderer.h"

#include "base/log.h"
#include "render/camera.h"
#include "render/gl_context.h"
#include "render/gl_util.h"
#include "render/overlay.h"
#include "render/panel.h"
#include "render/planes.h"
#include "render/transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct renderer {
    struct renderer_params params;
    struct gl_context *context;
    char description[320];

    struct body_buffers bodies[PANELS_MAX];
    int source[PANELS_MAX]; /* of each panel's bodies */
    struct camera *cameras[PANELS_MAX];
    struct panel *panels[PANELS_MAX];
    int panel_count;
    bool stereo;
    struct overlay *overlay; /* NULL: it shows nothing */
    GLuint vertex_array;     /* for full-screen passes: core GL wants one bound */
    struct gl_target display;
    struct planes planes;
    uint32_t x, y; /* of the tile */

    const struct transfer_ops *transfer_ops;
    struct transfer *transfer;
    uint64_t submitted, waited;
};

static void create_buffers(struct renderer *renderer)
{
    for (int i = 0; i < renderer->params.sources; i++) {
        GLuint *const buffers[] = {&renderer->bodies[i].position, &renderer->bodies[i].velocity};
        for (int k = 0; k < 2; k++) {
            glGenBuffers(1, buffers[k]);
            glBindBuffer(GL_ARRAY_BUFFER, *buffers[k]);
            glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(renderer->params.count * 4 * sizeof(float)),
                         NULL, GL_STREAM_DRAW);
        }
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

static enum status create_panel(struct renderer *renderer, int i, const struct panel_place *place)
{
    const struct renderer_params *params = &renderer->params;
    struct panel_setup setup = {
        .look = params->look,
        .vertex_array = renderer->vertex_array,
        .fps = params->labels.fps,
        .groups = params->groups,
        .group_count = params->group_count,
        .eye_distance = params->camera.eye_distance,
        .whole_sphere = place->whole_sphere,
        .eye = place->eye,
        .x = place->x,
        .y = place->y,
        .width = place->width,
        .height = place->height,
        .whole_width = params->whole_width ? params->whole_width : place->width,
        .whole_height = params->whole_height ? params->whole_height : place->height,
    };
    struct camera_params seen = params->camera;
    struct camera_setup camera = {
        .params = &seen,
        .script = params->script,
        .parts = params->parts,
        .part_count = params->part_count,
        .frames = params->frames,
    };
    if (params->look.panel_count > 0) {
        const struct panel_params *panel = &params->look.panels[i];
        renderer->source[i] = params->panel_source[i];
        if (params->panel_groups[i])
            setup.groups = params->panel_groups[i];
        panel_apply(panel, &setup.look, &seen, &camera);
        if (panel->difference)
            setup.reference = renderer->bodies[renderer->source[0]].position;
    }
    setup.bodies = renderer->bodies[renderer->source[i]];
    enum status status = camera_open(&renderer->cameras[i], &camera);
    setup.camera = renderer->cameras[i];
    return status == STATUS_OK ? panel_create(&renderer->panels[i], &setup, renderer->context)
                               : status;
}

static enum status create_panels(struct renderer *renderer)
{
    struct panel_place places[PANELS_MAX];
    enum status status = panel_places(&renderer->params, places, &renderer->panel_count);
    renderer->stereo = renderer->panel_count > 1 && renderer->params.look.panel_count == 0;
    for (int i = 0; status == STATUS_OK && i < renderer->panel_count; i++)
        status = create_panel(renderer, i, &places[i]);
    return status;
}

static enum status create_display(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    enum status status = gl_target_create(&renderer->display, GL_RGBA16, (GLsizei)params->width,
                                          (GLsizei)params->height);
    if (status != STATUS_OK)
        return status;
    gl_target_bind(&renderer->display); /* between the panels it stays black */
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    return planes_create(&renderer->planes, params->format, params->width, params->height);
}

static enum status create_transfer(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    const struct transfer_params wanted = {
        .count = params->count,
        .bodies = renderer->bodies,
        .sources = params->sources,
        .layout = renderer->planes.layout,
        .packed = renderer->planes.target,
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
    create_buffers(renderer);
    status = create_panels(renderer);
    if (status == STATUS_OK)
        status = create_display(renderer);
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
    if (renderer->params.sources == 0)
        renderer->params.sources = 1;
    enum status status = create_all(renderer);
    memset(renderer->params.panel_groups, 0, sizeof renderer->params.panel_groups);
    renderer->params.groups = NULL; /* the caller's, as are the others: panels keep copies */
    renderer->params.parts = NULL;
    renderer->params.script = (struct camera_script){0};
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
        for (int i = 0; i < PANELS_MAX; i++) {
            panel_destroy(&self->panels[i]);
            glDeleteBuffers(1, &self->bodies[i].position);
            glDeleteBuffers(1, &self->bodies[i].velocity);
        }
        planes_destroy(&self->planes);
        gl_target_destroy(&self->display);
        glDeleteVertexArrays(1, &self->vertex_array);
        gl_context_unbind(self->context);
    }
    for (int i = 0; i < PANELS_MAX; i++)
        camera_close(&self->cameras[i]);
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
    return panel_exposure(renderer->panels[0]);
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
        picture->layout = renderer->planes.layout;
        picture->data = renderer->transfer_ops->allocate(renderer->planes.layout.size);
    }
    if (!picture || !picture->data) {
        free(picture);
        *out = NULL;
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %ux%u",
                           renderer->params.width, renderer->params.height);
    }
    return STATUS_OK;
}

size_t renderer_picture_bytes(const struct renderer *renderer)
{
    return renderer->planes.layout.size;
}

void renderer_picture_destroy(struct renderer *renderer, struct picture **picture)
{
    if (!*picture)
        return;
    renderer->transfer_ops->release((*picture)->data);
    free(*picture);
    *picture = NULL;
}

static enum status upload(struct renderer *renderer, const struct view *view)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < renderer->params.sources && status == STATUS_OK; i++, view = view->next)
        status = renderer->transfer_ops->upload(renderer->transfer, i, view);
    return status;
}

static const struct view *view_of(const struct renderer *renderer, const struct view *view,
                                  int panel)
{
    for (int i = 0; i < renderer->source[panel]; i++)
        view = view->next;
    return view;
}

static void share_exposure(struct renderer *renderer)
{
    for (int i = 1; i < renderer->panel_count && renderer->stereo; i++)
        panel_set_exposure(renderer->panels[i], panel_exposure(renderer->panels[0]));
}

enum status renderer_calibrate(struct renderer *renderer, const struct view *view)
{
    enum status status = upload(renderer, view);
    for (int i = 0; i < renderer->panel_count && status == STATUS_OK; i++) {
        if (renderer->stereo && i > 0)
            break;
        panel_light(renderer->panels[i], view_of(renderer, view, i));
        status = panel_expose(renderer->panels[i]);
    }
    share_exposure(renderer);
    return status;
}

static enum status light_panel(struct renderer *renderer, const struct view *view, int i)
{
    panel_light(renderer->panels[i], view_of(renderer, view, i));
    const bool follows = renderer->stereo && i > 0;
    return follows ? STATUS_OK : panel_adapt(renderer->panels[i], view->frame);
}

bool renderer_sees_all(const struct renderer *renderer)
{
    return renderer->params.look.exposure_adapts;
}

enum status renderer_pass(struct renderer *renderer, const struct view *view)
{
    if (!renderer_sees_all(renderer))
        return STATUS_OK;
    enum status status = upload(renderer, view);
    for (int i = 0; i < renderer->panel_count && status == STATUS_OK; i++)
        status = light_panel(renderer, view, i);
    return status;
}

void renderer_state(const struct renderer *renderer, double state[RENDERER_STATE])
{
    memset(state, 0, RENDERER_STATE * sizeof *state);
    for (int i = 0; i < renderer->panel_count; i++)
        panel_state(renderer->panels[i], state + i * EXPOSURE_STATE);
}

void renderer_resume(struct renderer *renderer, const double state[RENDERER_STATE])
{
    for (int i = 0; i < renderer->panel_count; i++)
        panel_resume(renderer->panels[i], state + i * EXPOSURE_STATE);
}

void renderer_place(struct renderer *renderer, uint32_t x, uint32_t y)
{
    renderer->x = x;
    renderer->y = y;
    panel_place(renderer->panels[0], x, y);
}

static enum status draw(struct renderer *renderer, const struct view *view, int slot)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < renderer->panel_count && status == STATUS_OK; i++) {
        status = light_panel(renderer, view, i);
        share_exposure(renderer); /* both eyes see alike */
        glBindVertexArray(renderer->vertex_array);
        glActiveTexture(GL_TEXTURE0);
        panel_show(renderer->panels[i], &renderer->display);
    }
    if (status == STATUS_OK && renderer->overlay)
        status = overlay_draw(renderer->overlay, view, panel_pose(renderer->panels[0]),
                              &renderer->display);
    if (status != STATUS_OK)
        return status;
    planes_draw(&renderer->planes, slot, &renderer->display, view->frame, renderer->x, renderer->y);
    return gl_check("drawing a frame");
}

enum status renderer_submit(struct renderer *renderer, const struct view *view,
                            struct picture *picture)
{
    int slot = (int)(renderer->submitted % TRANSFER_SLOTS);
    enum status status = upload(renderer, view);
    if (status == STATUS_OK)
        status = draw(renderer, view, slot);
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
