#include "render/renderer.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "render/camera/keyed.h"
#include "render/gl/gl.h"
#include "render/gl/transfer.h"
#include "render/overlay/overlay.h"
#include "render/panel/set.h"
#include "render/picture/montage.h"
#include "render/post/pack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)PANEL_SET_STATE <= (int)RENDERER_STATE, "raise RENDERER_STATE");

/* Renderers whose pictures are joined side by side into one picture. */
struct joined {
    int count;
    struct renderer *other[PANELS_MAX];
    struct panel_place place[PANELS_MAX];
    struct picture *own[TRANSFER_SLOTS][PANELS_MAX];
};

struct renderer {
    struct joined *joined; /* NULL: draws itself; otherwise `context` is that of other[0] */
    struct renderer_params params;
    struct gl_context *context;
    char description[320], driver[640];

    struct panel_set set;
    struct overlay *overlay; /* NULL: it shows nothing */
    struct overlay_places overlay_places;
    struct draw_group *groups;    /* for legends that change; else NULL */
    struct transfer_range *drawn; /* of the groups */
    GLuint vertex_array;          /* for full-screen passes: core GL needs one bound */
    struct gl_target display;
    GLfloat sky[3]; /* the background, in the gaps between panels */
    struct pack pack;
    uint32_t x, y; /* position of the tile */

    const struct transfer_ops *transfer_ops;
    struct transfer *transfer;
    struct picture *pictures[TRANSFER_SLOTS]; /* submitted and not yet waited for */
    uint64_t submitted, waited;

    bool measures;
    struct light_tap tap; /* created only when light is measured */
};

static enum status create_overlay(struct renderer *renderer)
{
    const struct panel_place *places = renderer->set.places;
    struct renderer_params params = renderer->params;
    struct overlay_label labels[PANELS_MAX];
    panel_overlay_places(places, renderer->set.count, &params, &renderer->overlay_places);
    if (picture_format_is_light(params.format) || light_sum_lends(&params.sum))
        return STATUS_OK; /* letters have no light of their own */
    params.width = renderer->overlay_places.width;
    params.height = renderer->overlay_places.height;
    if (params.look.panel_count > 0) {
        panel_labels(&params, places, labels);
        params.labels.panels = labels;
        params.labels.panel_count = (int)params.look.panel_count;
    }
    return overlay_create(&renderer->overlay, &params);
}

static enum status create_display(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    const bool bare = picture_format_is_light(params->format);
    enum status status = gl_target_create(&renderer->display, bare ? GL_RGBA32F : GL_RGBA16,
                                          (GLsizei)params->width, (GLsizei)params->height);
    if (status != STATUS_OK)
        return status;
    const double white = fn_pow(hdr_headroom(picture_format_hdr(params->format)), -1 / 2.2);
    const double *shown = params->look.background.shown;
    double sky[3] = {white * shown[0], white * shown[1], white * shown[2]};
    for (int c = 0; bare && c < 3; c++)
        sky[c] = fn_pow(sky[c], 2.2);
    for (int c = 0; c < 3; c++)
        renderer->sky[c] = (GLfloat)sky[c];
    return pack_create(&renderer->pack, renderer->context, params->format, params->width,
                       params->height, sky);
}

static enum status create_transfer(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    /* Panels may draw other groups. */
    const bool grouped = params->look.panel_count == 0;
    struct transfer_range *drawn = memory_new((size_t)params->group_count + 1, sizeof *drawn);
    for (int g = 0; g < params->group_count; g++)
        drawn[g] = (struct transfer_range){params->groups[g].first, params->groups[g].count};
    renderer->drawn = drawn;
    const struct transfer_params transfer = {
        .count = params->count,
        .bodies = renderer->set.bodies,
        .sources = params->sources,
        .drawn = grouped ? drawn : NULL,
        .drawn_count = params->group_count,
        .layout = renderer->pack.layout,
        .packed = renderer->pack.target,
        .views = params->views,
        .gl_device = renderer->context->cuda_device,
    };
    const struct view_place *views = &params->views;
    renderer->transfer_ops = transfer_choose(views, transfer.gl_device);
    if (views->memory == VIEW_CUDA && transfer.gl_device < 0)
        log_warning(
            "no EGL device is CUDA device %d, so %s draws and bodies go through host memory, which "
            "is slower; see `gravreel doctor`",
            views->device, renderer->context->renderer);
    else if (views->memory == VIEW_CUDA && transfer.gl_device != views->device)
        log_info("CUDA device %d simulates and CUDA device %d draws: bodies are copied from one to "
                 "the other",
                 views->device, transfer.gl_device);
    enum status status = renderer->transfer_ops->open(&transfer, &renderer->transfer);
    if (status == STATUS_OK || renderer->transfer_ops == &transfer_gl)
        return status;
    log_warning("%s; bodies and pictures go through host memory, which is slower", status_text());
    renderer->transfer_ops = &transfer_gl;
    return transfer_gl.open(&transfer, &renderer->transfer);
}

static enum status choose_passes(struct renderer *renderer)
{
    struct gl_context *context = renderer->context;
    const enum renderer_passes passes = renderer->params.passes;
    if (passes == PASSES_COMPUTED && !context->compute)
        return status_fail(
            STATUS_DEVICE,
            "compute shaders need OpenGL 4.3, and %s has %s; draw the passes instead",
            context->renderer, context->version);
    if (passes != PASSES_USUAL)
        context->compute_passes = passes == PASSES_COMPUTED;
    context->captures = context->captures && passes == PASSES_USUAL;
    return STATUS_OK;
}

static enum status find(struct renderer *renderer)
{
    struct renderer_params *params = &renderer->params;
    const enum status status = params->find(params->find_user, &params->found);
    panel_set_find(&renderer->set, &params->found.look);
    return status;
}

static enum status create_all(struct renderer *renderer)
{
    const struct renderer_params *params = &renderer->params;
    enum status status = gl_context_open(&renderer->context, params->gl_device);
    if (status == STATUS_OK && params->gl_device_only &&
        renderer->context->cuda_device != params->gl_device)
        status =
            status_fail(STATUS_DEVICE,
                        "CUDA device %d cannot draw: no EGL device with that number was found; "
                        "`gravreel doctor` lists the devices",
                        params->gl_device);
    if (status == STATUS_OK)
        status = choose_passes(renderer);
    if (status != STATUS_OK)
        return status;
    status = gl_context_bind(renderer->context);
    if (status != STATUS_OK)
        return status;
    glGenVertexArrays(1, &renderer->vertex_array);
    status = panel_set_create(&renderer->set, params, renderer->context, renderer->vertex_array);
    if (status == STATUS_OK)
        status = create_display(renderer);
    if (status == STATUS_OK && params->find)
        status = find(renderer);
    if (status == STATUS_OK)
        status = create_overlay(renderer);
    if (status == STATUS_OK)
        status = create_transfer(renderer);
    if (status == STATUS_OK)
        status = gl_check("setting up drawing");
    gl_context_unbind(renderer->context);
    return status;
}

static bool computed(const struct renderer *renderer)
{
    for (int i = 0; i < renderer->set.count; i++)
        if (panel_computes(renderer->set.panels[i]))
            return true;
    return false;
}

static void describe_driver(struct renderer *renderer)
{
    char letters[OVERLAY_LETTERS] = "";
    if (renderer->overlay)
        overlay_letters(renderer->overlay, letters);
    snprintf(renderer->driver, sizeof renderer->driver, "%s, %s%s%s", renderer->context->renderer,
             renderer->context->version, *letters ? ", letters in " : "", letters);
}

/* Keeps for the legend, which is made anew as its numbers change, what the caller does not. */
static void keep_groups(struct renderer *renderer)
{
    struct renderer_params *params = &renderer->params;
    const size_t count = (size_t)params->group_count;
    renderer->groups = memory_new((1 + PANELS_MAX) * count, sizeof *renderer->groups);
    for (int i = 0; i <= PANELS_MAX; i++) {
        const struct draw_group **of = i > 0 ? &params->panel_groups[i - 1] : &params->groups;
        if (*of && count > 0)
            *of = memcpy(renderer->groups + (size_t)i * count, *of, count * sizeof **of);
    }
}

enum status renderer_open(struct renderer **out, const struct renderer_params *params)
{
    struct renderer *renderer = memory_new(1, sizeof *renderer);
    *out = NULL;
    renderer->params = *params;
    if (renderer->params.sources == 0)
        renderer->params.sources = 1;
    enum status status = create_all(renderer);
    const struct camera_found *camera = &params->found.camera;
    const bool changes = camera->keyed_count > 0 && status == STATUS_OK;
    if (changes) {
        keep_groups(renderer);
    } else {
        memset(renderer->params.panel_groups, 0, sizeof renderer->params.panel_groups);
        renderer->params.groups =
            NULL; /* the caller's, like the other arrays; panels keep copies */
        renderer->params.found.captions = NULL;
    }
    renderer->params.find = NULL;
    renderer->params.parts = NULL;
    renderer->params.found.camera = (struct camera_found){
        .keyed = camera->keyed, .keyed_count = changes ? camera->keyed_count : 0};
    if (status != STATUS_OK) {
        renderer_close(&renderer);
        return status;
    }
    snprintf(renderer->description, sizeof renderer->description, "%s (%s), %s%s",
             renderer->context->renderer, renderer->context->platform,
             renderer->transfer_ops->description, computed(renderer) ? ", sprites computed" : "");
    describe_driver(renderer);
    *out = renderer;
    return STATUS_OK;
}

/* Binds each of the joined renderers in turn and calls it with its view. */
static enum status in_each(struct renderer *renderer,
                           enum status (*call)(struct renderer *other, const struct view *view),
                           const struct view *view)
{
    const struct joined *joined = renderer->joined;
    enum status status = STATUS_OK;
    for (int i = 0; i < joined->count && status == STATUS_OK; i++) {
        struct gl_context *context = joined->other[i]->context;
        status = gl_context_bind(context);
        if (status != STATUS_OK)
            return status;
        status = call(joined->other[i], view);
        gl_context_unbind(context);
        view = view ? view->next : NULL;
    }
    return status;
}

static void unjoin(struct renderer *renderer)
{
    struct joined *joined = renderer->joined;
    for (int i = 0; i < joined->count; i++) {
        const enum status status = gl_context_bind(joined->other[i]->context);
        for (int slot = 0; slot < TRANSFER_SLOTS && status == STATUS_OK; slot++)
            renderer_picture_destroy(joined->other[i], &joined->own[slot][i]);
        gl_context_unbind(joined->other[i]->context);
    }
    free(joined);
    free(renderer);
}

enum status renderer_join(struct renderer **out, struct renderer *const *others,
                          const struct panel_place *places, int count, uint32_t width,
                          uint32_t height)
{
    struct joined *joined = memory_new(1, sizeof *joined);
    struct renderer *renderer = memory_new(1, sizeof *renderer);
    enum status status = STATUS_OK;
    *out = NULL;
    renderer->joined = joined;
    joined->count = count;
    memcpy(joined->place, places, (size_t)count * sizeof *places);
    memcpy(joined->other, others, (size_t)count * sizeof *others);
    for (int i = 0; i < count && status == STATUS_OK; i++) {
        status = gl_context_bind(others[i]->context);
        for (int slot = 0; slot < TRANSFER_SLOTS && status == STATUS_OK; slot++)
            status = renderer_picture_create(others[i], &joined->own[slot][i]);
        gl_context_unbind(others[i]->context);
    }
    if (status != STATUS_OK) {
        unjoin(renderer);
        return status;
    }
    renderer->context = others[0]->context;
    renderer->transfer_ops = others[0]->transfer_ops;
    picture_layout(&renderer->pack.layout, others[0]->params.format, width, height);
    memcpy(renderer->description, others[0]->description, sizeof renderer->description);
    memcpy(renderer->driver, others[0]->driver, sizeof renderer->driver);
    *out = renderer;
    return STATUS_OK;
}

void renderer_close(struct renderer **renderer)
{
    struct renderer *self = *renderer;
    *renderer = NULL;
    if (!self)
        return;
    if (self->joined) {
        unjoin(self);
        return;
    }
    if (self->context && gl_context_bind(self->context) == STATUS_OK) {
        if (self->transfer)
            self->transfer_ops->close(&self->transfer);
        light_tap_destroy(&self->tap);
        overlay_destroy(&self->overlay);
        panel_set_destroy(&self->set);
        pack_destroy(&self->pack);
        gl_target_destroy(&self->display);
        glDeleteVertexArrays(1, &self->vertex_array);
        gl_context_unbind(self->context);
    }
    gl_context_close(&self->context);
    free(self->groups);
    free(self->drawn);
    free(self);
}

enum status renderer_bind(struct renderer *renderer)
{
    return renderer->joined ? STATUS_OK : gl_context_bind(renderer->context);
}

void renderer_unbind(struct renderer *renderer)
{
    if (!renderer->joined)
        gl_context_unbind(renderer->context);
}

const char *renderer_description(const struct renderer *renderer)
{
    return renderer->description;
}

const char *renderer_driver(const struct renderer *renderer)
{
    return renderer->driver;
}

/* Draws lines in the gaps between the joined pictures, half as wide as these. */
static void divide(const struct joined *joined, const struct picture_layout *layout, uint8_t *data)
{
    for (int i = 0; i < joined->count; i++)
        for (int k = 0; k < joined->count; k++) {
            const struct panel_place *one = &joined->place[i], *next = &joined->place[k];
            const uint32_t right = one->x + one->width, below = one->y + one->height;
            if (next->y == one->y && next->x > right && next->x < right + one->width)
                montage_line(layout, data, right + (next->x - right) / 4, 0,
                             (next->x - right + 1) / 2, layout->height);
            if (next->x == one->x && next->y > below && next->y < below + one->height)
                montage_line(layout, data, 0, below + (next->y - below) / 4, layout->width,
                             (next->y - below + 1) / 2);
        }
}

enum status renderer_pictures_create(struct renderer *renderer, size_t count, struct picture **out)
{
    enum { APART = 4096 }; /* alignment of pictures in a block, for fast copies */
    const struct picture_layout *layout = &renderer->pack.layout;
    const size_t stride = (layout->size + APART - 1) / APART * APART;
    uint8_t *data = renderer->transfer_ops->allocate(stride * (count - 1) + layout->size);
    for (size_t i = 0; i < count; i++)
        out[i] = NULL;
    if (!data)
        return status_fail(STATUS_RUNTIME, "no memory left for %zu picture%s of %ux%u, %zu bytes",
                           count, count == 1 ? "" : "s", layout->width, layout->height,
                           count * layout->size);
    for (size_t i = 0; i < count; i++) {
        out[i] = memory_new(1, sizeof *out[i]);
        *out[i] = (struct picture){.layout = *layout, .data = data + i * stride, .shares = i > 0};
        if (renderer->joined) {
            montage_blacken(layout, out[i]->data);
            divide(renderer->joined, layout, out[i]->data);
        }
    }
    return STATUS_OK;
}

enum status renderer_picture_create(struct renderer *renderer, struct picture **out)
{
    return renderer_pictures_create(renderer, 1, out);
}

size_t renderer_picture_bytes(const struct renderer *renderer)
{
    return renderer->pack.layout.size;
}

void renderer_picture_destroy(struct renderer *renderer, struct picture **picture)
{
    if (!*picture)
        return;
    if (!(*picture)->shares)
        renderer->transfer_ops->release((*picture)->data);
    free(*picture);
    *picture = NULL;
}

static enum status upload(struct renderer *renderer, const struct view *view)
{
    return renderer->transfer_ops->upload(renderer->transfer, view);
}

/* Sets the numbers of overlay and legend that have keyframes for the frame. */
static enum status tune(struct renderer *renderer, uint64_t frame)
{
    struct renderer_params *params = &renderer->params;
    const struct camera_found *found = &params->found.camera;
    const double size = params->overlay.size;
    const bool look =
        keyed_apply(found->keyed, found->keyed_count, KEYED_LOOK, (double)frame, &params->look);
    keyed_apply(found->keyed, found->keyed_count, KEYED_OVERLAY, (double)frame, &params->overlay);
    if (!renderer->overlay)
        return STATUS_OK;
    overlay_tune(renderer->overlay, &params->overlay);
    if (params->overlay.size == size && !(look && params->overlay.legend))
        return STATUS_OK;
    if (params->look.quantity_from < params->look.quantity_to) {
        params->found.look.quantity_from = params->look.quantity_from;
        params->found.look.quantity_to = params->look.quantity_to;
    }
    overlay_destroy(&renderer->overlay);
    return create_overlay(renderer);
}

/* Draws the light of a frame, and adds up that of other processes if there are any. */
static enum status light(struct renderer *renderer, enum light_kind kind, const struct view *view)
{
    struct panel_set *set = &renderer->set;
    enum status status = upload(renderer, view);
    if (status == STATUS_OK)
        status = tune(renderer, view->frame);
    if (status != STATUS_OK)
        return status;
    switch (kind) {
    case LIGHT_METER:
        return panel_set_expose(set, view);
    case LIGHT_OBSERVE:
        return panel_set_observe(set, view);
    default:
        return panel_set_light(set, view, kind == LIGHT_METERED);
    }
}

enum status renderer_meter(struct renderer *renderer, const struct view *view)
{
    return renderer->joined ? in_each(renderer, renderer_meter, view)
                            : light(renderer, LIGHT_METER, view);
}

enum status renderer_recipe(const struct renderer *renderer, struct recipe *out)
{
    *out = (struct recipe){0};
    const enum status status = panel_recipe(renderer->set.panels[0], out);
    return status == STATUS_OK ? gl_check("describing how pictures are drawn") : status;
}

static void free_program(struct recipe_program *program)
{
    for (size_t i = 0; i < program->value_count; i++)
        free(program->values[i].value);
    free(program->values);
    free(program->vertex);
    free(program->fragment);
}

void recipe_free(struct recipe *recipe)
{
    free_program(&recipe->sprites);
    free_program(&recipe->look);
    *recipe = (struct recipe){0};
}

/* Whether it lends its light to that of another process, and makes no pictures. */
static bool renderer_lends(const struct renderer *renderer)
{
    return light_sum_lends(&renderer->params.sum);
}

bool renderer_meters_every_frame(const struct renderer *renderer)
{
    const struct joined *joined = renderer->joined;
    bool meters = renderer->params.look.exposure.adapts;
    for (int i = 0; joined && i < joined->count; i++)
        meters |= renderer_meters_every_frame(joined->other[i]);
    return meters;
}

enum status renderer_observe(struct renderer *renderer, const struct view *view)
{
    if (!renderer_meters_every_frame(renderer))
        return STATUS_OK;
    return renderer->joined ? in_each(renderer, renderer_observe, view)
                            : light(renderer, LIGHT_OBSERVE, view);
}

enum status renderer_aim(struct renderer *renderer, const struct renderer_params *params)
{
    return panel_set_aim(&renderer->set, params);
}

void renderer_aim_at(const struct renderer *renderer, const struct view *view,
                     struct camera_aim *out)
{
    camera_aim(renderer->set.cameras[0], view, out);
}

void renderer_state(const struct renderer *renderer, double state[RENDERER_STATE])
{
    const struct joined *joined = renderer->joined;
    panel_set_state(&renderer->set, state);
    for (int i = 0; joined && i < joined->count; i++) { /* each has one panel */
        double own[RENDERER_STATE];
        renderer_state(joined->other[i], own);
        memcpy(state + (ptrdiff_t)i * EXPOSURE_STATE, own, EXPOSURE_STATE * sizeof *own);
    }
}

void renderer_resume(struct renderer *renderer, const double state[RENDERER_STATE])
{
    const struct joined *joined = renderer->joined;
    panel_set_resume(&renderer->set, state);
    for (int i = 0; joined && i < joined->count; i++) {
        double own[RENDERER_STATE] = {0};
        memcpy(own, state + (ptrdiff_t)i * EXPOSURE_STATE, EXPOSURE_STATE * sizeof *own);
        renderer_resume(joined->other[i], own);
    }
}

void renderer_set_tile(struct renderer *renderer, uint32_t x, uint32_t y)
{
    renderer->x = x;
    renderer->y = y;
    panel_move_tile(renderer->set.panels[0], x, y);
}

/* The labels of the pictures in one of the overlay's places: of that eye, or of all panels. */
static void draw_labels(struct renderer *renderer, const struct view *view, int place)
{
    const struct panel_set *set = &renderer->set;
    const int left = renderer->overlay_places.at[place].x,
              top = renderer->overlay_places.at[place].y;
    const int eye = set->first + place;
    for (int i = set->stereo ? eye : 0; i < (set->stereo ? eye + 1 : set->count); i++) {
        struct overlay_sight sight = {.view = panel_set_view(set, view, i),
                                      .x = (int)set->places[i].x - left,
                                      .y = (int)set->places[i].y - top};
        panel_eye(set->panels[i], &sight.eye);
        overlay_draw_labels(renderer->overlay, &sight, &renderer->display, left - (int)renderer->x,
                            top - (int)renderer->y);
    }
}

static enum status draw_overlay(struct renderer *renderer, const struct view *view)
{
    const struct overlay_places *places = &renderer->overlay_places;
    enum status status = STATUS_OK;
    for (int i = 0; renderer->overlay && i < places->count; i++)
        draw_labels(renderer, view, i);
    for (int i = 0; renderer->overlay && i < places->count && status == STATUS_OK; i++)
        status = overlay_draw(renderer->overlay, view, panel_pose(renderer->set.panels[0]),
                              &renderer->display, places->at[i].x - (int)renderer->x,
                              places->at[i].y - (int)renderer->y);
    return status;
}

void renderer_measure_light(struct renderer *renderer)
{
    const struct joined *joined = renderer->joined;
    renderer->measures = true;
    for (int i = 0; joined && i < joined->count; i++)
        renderer_measure_light(joined->other[i]);
}

static enum status tap_light(struct renderer *renderer, int slot)
{
    const struct gl_target *targets[PANELS_MAX];
    for (int i = 0; i < renderer->set.count; i++)
        targets[i] = panel_light_target(renderer->set.panels[i]);
    return light_tap_start(&renderer->tap, slot, targets, renderer->set.count);
}

static double seen_of(const struct renderer *renderer, uint64_t frame)
{
    const struct renderer_params *params = &renderer->params;
    const struct look_params *look = &params->look;
    return look->fade_in > 0 || look->fade_out > 0
               ? look_fade(look, frame, params->frames, params->labels.fps)
               : 1;
}

/* Panels do not draw the gaps between them, where the overlay leaves letters. */
static void clear_gaps(const struct renderer *renderer)
{
    if (renderer->set.count == 1)
        return;
    gl_target_bind(&renderer->display);
    glClearColor(renderer->sky[0], renderer->sky[1], renderer->sky[2], 1);
    glClear(GL_COLOR_BUFFER_BIT);
}

static enum status draw(struct renderer *renderer, const struct view *view, int slot)
{
    const struct renderer_params *params = &renderer->params;
    const double covered =
        overlay_cover(&params->overlay, (double)view->frame / params->labels.fps);
    /* The right eye's dither is that of the pair. */
    const uint32_t besides = renderer->set.first > 0 ? params->width : 0;
    enum status status = renderer->measures ? tap_light(renderer, slot) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    clear_gaps(renderer);
    panel_set_show(&renderer->set, renderer->vertex_array, &renderer->display, 1 - covered);
    status = draw_overlay(renderer, view);
    if (status != STATUS_OK)
        return status;
    pack_draw(&renderer->pack, slot, &renderer->display, view->frame,
              seen_of(renderer, view->frame), renderer->x + besides, renderer->y);
    return gl_check("drawing a frame");
}

static enum status submit(struct renderer *renderer, const struct view *view,
                          struct picture *picture, enum light_kind kind);

/* Submits a picture of each of the joined renderers. */
static enum status submit_each(struct renderer *renderer, const struct view *view, int slot,
                               enum light_kind kind)
{
    const struct joined *joined = renderer->joined;
    enum status status = STATUS_OK;
    for (int i = 0; i < joined->count && status == STATUS_OK; i++, view = view->next) {
        struct renderer *other = joined->other[i];
        status = gl_context_bind(other->context);
        if (status == STATUS_OK)
            status = submit(other, view, joined->own[slot][i], kind);
        gl_context_unbind(other->context);
    }
    return status;
}

static enum status submit_own(struct renderer *renderer, const struct view *view, uint8_t *data,
                              int slot, enum light_kind kind)
{
    enum status status = light(renderer, kind, view);
    if (status != STATUS_OK || renderer_lends(renderer))
        return status;
    status = draw(renderer, view, slot);
    return status == STATUS_OK ? renderer->transfer_ops->start(renderer->transfer, slot, data)
                               : status;
}

static enum status submit(struct renderer *renderer, const struct view *view,
                          struct picture *picture, enum light_kind kind)
{
    const int slot = (int)(renderer->submitted % TRANSFER_SLOTS);
    uint8_t *data = picture ? picture->data : NULL;
    const enum status status = renderer->joined ? submit_each(renderer, view, slot, kind)
                                                : submit_own(renderer, view, data, slot, kind);
    if (status != STATUS_OK || renderer_lends(renderer))
        return status;
    picture->frame = view->frame;
    picture->time = view->time;
    picture->light = (struct picture_light){0};
    renderer->pictures[slot] = picture;
    renderer->submitted++;
    return STATUS_OK;
}

enum status renderer_submit(struct renderer *renderer, const struct view *view,
                            struct picture *picture)
{
    return submit(renderer, view, picture, LIGHT_PICTURE);
}

enum status renderer_submit_metered(struct renderer *renderer, const struct view *view,
                                    struct picture *picture)
{
    return submit(renderer, view, picture, LIGHT_METERED);
}

static enum status uploaded(struct renderer *renderer, const struct view *view)
{
    (void)view;
    return renderer->transfer_ops->uploaded(renderer->transfer);
}

enum status renderer_uploaded(struct renderer *renderer)
{
    return renderer->joined ? in_each(renderer, uploaded, NULL) : uploaded(renderer, NULL);
}

static enum status wait_for(struct renderer *renderer, const struct view *view)
{
    (void)view;
    return renderer_wait(renderer);
}

/* Waits for the pictures of all joined renderers, and joins them. */
static enum status wait_for_each(struct renderer *renderer, int slot)
{
    const struct joined *joined = renderer->joined;
    struct picture *picture = renderer->pictures[slot];
    const enum status status = in_each(renderer, wait_for, NULL);
    for (int i = 0; i < joined->count && status == STATUS_OK; i++)
        montage_put(joined->own[slot][i], joined->place[i].x, joined->place[i].y, picture);
    if (status == STATUS_OK && renderer->measures)
        montage_light(joined->own[slot], joined->count, &picture->light);
    return status;
}

enum status renderer_wait(struct renderer *renderer)
{
    if (renderer->waited == renderer->submitted)
        return STATUS_OK;
    const int slot = (int)(renderer->waited++ % TRANSFER_SLOTS);
    if (renderer->joined)
        return wait_for_each(renderer, slot);
    enum status status = renderer->transfer_ops->wait(renderer->transfer, slot);
    /* If the context was lost meanwhile, the picture is invalid. */
    if (status == STATUS_OK)
        status = gl_check("reading a picture back");
    if (status == STATUS_OK && renderer->measures)
        status = light_tap_wait(&renderer->tap, slot, &renderer->pictures[slot]->light);
    return status;
}
