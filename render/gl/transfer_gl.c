#include "render/gl/transfer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct gl_transfer {
    struct transfer base;
    struct transfer_params params;
    GLuint pixels[TRANSFER_SLOTS]; /* pixel-pack buffers, one per slot; 0: not used yet */
    uint8_t *target[TRANSFER_SLOTS];
    float *staging; /* for views in CUDA memory: size of their positions */
    bool filled[TRANSFER_SOURCES_MAX][VIEW_COLUMNS_MAX]; /* a constant column was copied */
};

const struct transfer_ops *transfer_choose(const struct view_place *views, int gl_device)
{
    return views->device >= 0 && gl_device >= 0 ? &transfer_cuda : &transfer_gl;
}

static void close_gl(struct transfer **transfer)
{
    struct gl_transfer *self = (struct gl_transfer *)*transfer;
    if (!self)
        return;
    glDeleteBuffers(TRANSFER_SLOTS, self->pixels);
    free(self->staging);
    free(self);
    *transfer = NULL;
}

static enum status open_gl(const struct transfer_params *params, struct transfer **out)
{
    struct gl_transfer *self = memory_new(1, sizeof *self);
    self->base.ops = &transfer_gl;
    self->params = *params;
    *out = &self->base;
    return STATUS_OK;
}

/* Allocates new storage each time, so that the driver need not wait for the frame that still reads
 * the old one. */
static void put(GLuint buffer, const float *from, size_t floats)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(floats * sizeof *from), from, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
}

enum status transfer_put_column(const struct view *view, const struct view_column *column,
                                GLuint buffer, bool *filled)
{
    if (!column->constant || !*filled)
        put(buffer, column->value, view->count);
    *filled = column->constant;
    return gl_check("copying a column of the bodies to GL");
}

enum status transfer_find_column(const struct view *view, const struct body_buffers *bodies, int k,
                                 const struct view_column **out)
{
    const char *name = bodies->names.list[k];
    *out = view_column(view, name);
    return *out ? STATUS_OK
                : status_fail(STATUS_RUNTIME, "the bodies of frame %llu have no %s",
                              (unsigned long long)view->frame, name);
}

bool transfer_skips_column(const struct body_buffers *bodies, int k)
{
    return bodies->only_along && strcmp(bodies->names.list[k], COLUMN_DISTANCE) == 0;
}

enum status transfer_check_order(const struct view *view)
{
    return view->order ? STATUS_OK
                       : status_fail(STATUS_RUNTIME, "the bodies of frame %llu have no order",
                                     (unsigned long long)view->frame);
}

static enum status fetch(struct gl_transfer *self, const struct view *view, const float *from,
                         size_t floats)
{
    const size_t most = view->count * 4 * sizeof(float);
    if (!self->staging)
        self->staging = malloc(most);
    return self->staging
               ? transfer_fetch(view, from, floats, self->staging)
               : status_fail(STATUS_RUNTIME, "no memory left to copy %zu bodies to GL, %zu bytes",
                             view->count, most);
}

static enum status copy(struct gl_transfer *self, const struct view *view, enum view_memory memory,
                        const float *from, size_t floats, GLuint to)
{
    enum status status = memory == VIEW_CUDA ? fetch(self, view, from, floats) : STATUS_OK;
    if (status == STATUS_OK)
        put(to, memory == VIEW_CUDA ? self->staging : from, floats);
    return status;
}

static enum status upload_order(struct gl_transfer *self, const struct view *view,
                                const struct body_buffers *to)
{
    const struct view_along *from = &view->along;
    const size_t count = view->count;
    enum status status = transfer_check_order(view);
    if (status == STATUS_OK)
        status = copy(self, view, view->memory, (const float *)view->order, count, to->order);
    if (status == STATUS_OK)
        status = copy(self, view, view->memory, from->position, 4 * count, to->along.position);
    if (status == STATUS_OK)
        status = copy(self, view, view->memory, from->velocity, 4 * count, to->along.velocity);
    if (status == STATUS_OK)
        status = copy(self, view, view->memory, from->distance, count, to->along.distance);
    return status;
}

static enum status upload_source(struct gl_transfer *self, int source, const struct view *view)
{
    const struct body_buffers *to = &self->params.bodies[source];
    const size_t floats = view->count * 4;
    enum status status = STATUS_OK;
    if (!to->only_along)
        status = copy(self, view, view->memory, view->position, floats, to->position);
    if (status == STATUS_OK && !to->only_along)
        status = copy(self, view, view->memory, view->velocity, floats, to->velocity);
    if (status == STATUS_OK && to->order)
        status = upload_order(self, view, to);
    for (int k = 0; k < to->names.count && status == STATUS_OK; k++) {
        const struct view_column *column;
        if (transfer_skips_column(to, k))
            continue;
        status = transfer_find_column(view, to, k, &column);
        if (status == STATUS_OK)
            status =
                column->memory == VIEW_CUDA
                    ? copy(self, view, VIEW_CUDA, column->value, view->count, to->columns[k])
                    : transfer_put_column(view, column, to->columns[k], &self->filled[source][k]);
    }
    return status == STATUS_OK ? gl_check("copying bodies to GL") : status;
}

static enum status upload(struct transfer *transfer, const struct view *view)
{
    struct gl_transfer *self = (struct gl_transfer *)transfer;
    enum status status = STATUS_OK;
    for (int i = 0; i < self->params.sources && status == STATUS_OK; i++, view = view->next)
        status = upload_source(self, i, view);
    return status;
}

/* GL has copied the bodies when upload returns. */
static enum status uploaded(struct transfer *transfer)
{
    (void)transfer;
    return STATUS_OK;
}

static enum status start(struct transfer *transfer, int slot, uint8_t *data)
{
    struct gl_transfer *self = (struct gl_transfer *)transfer;
    const struct picture_layout *layout = &self->params.layout;
    self->target[slot] = data;
    const bool fresh = self->pixels[slot] == 0;
    if (fresh)
        glGenBuffers(1, &self->pixels[slot]);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, self->pixels[slot]);
    if (fresh)
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)layout->size, NULL, GL_STREAM_READ);
    for (int p = 0; p < layout->planes; p++) {
        const struct gl_target *packed = &self->params.packed[slot][p];
        glBindFramebuffer(GL_READ_FRAMEBUFFER, packed->framebuffer);
        glReadPixels(0, 0, packed->width, packed->height, GL_RGBA, GL_UNSIGNED_BYTE,
                     (void *)layout->plane[p].offset);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glFlush();
    return gl_check("reading a picture back");
}

static enum status wait(struct transfer *transfer, int slot)
{
    struct gl_transfer *self = (struct gl_transfer *)transfer;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, self->pixels[slot]);
    const void *pixels = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0,
                                          (GLsizeiptr)self->params.layout.size, GL_MAP_READ_BIT);
    if (pixels) {
        memcpy(self->target[slot], pixels, self->params.layout.size);
        glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    enum status status = gl_check("reading a picture back");
    if (status == STATUS_OK && !pixels)
        status = status_fail(STATUS_RUNTIME,
                             "reading a picture back failed: the GL driver returned no memory");
    return status;
}

static uint8_t *allocate(size_t size)
{
    return malloc(size);
}

static void release(uint8_t *data)
{
    free(data);
}

const struct transfer_ops transfer_gl = {
    .description = "pictures through GL read-back",
    .open = open_gl,
    .close = close_gl,
    .upload = upload,
    .uploaded = uploaded,
    .start = start,
    .wait = wait,
    .allocate = allocate,
    .release = release,
};
