#include "render/gl/transfer.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct gl_transfer {
    struct transfer base;
    struct transfer_params params;
    GLuint pixels[TRANSFER_SLOTS]; /* pixel-pack buffers, one per slot */
    uint8_t *target[TRANSFER_SLOTS];
    float *staging; /* for views in CUDA memory */
};

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
    glGenBuffers(TRANSFER_SLOTS, self->pixels);
    for (int slot = 0; slot < TRANSFER_SLOTS; slot++) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, self->pixels[slot]);
        glBufferData(GL_PIXEL_PACK_BUFFER, (GLsizeiptr)params->layout.size, NULL, GL_STREAM_READ);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    *out = &self->base;
    return gl_check("creating the read-back buffers");
}

static enum status upload_source(struct gl_transfer *self, int source, const struct view *view)
{
    size_t floats = view->count * 4, bytes = floats * sizeof(float);
    const float *position = view->position, *velocity = view->velocity, *near = view->near;
    const bool wants_near = self->params.bodies[source].near && near;
    const unsigned near_floats = self->params.bodies[source].near_floats;
    if (view->memory == VIEW_CUDA) {
        if (!self->staging) {
            const size_t all = 2 * bytes + view->count * 2 * sizeof(float);
            self->staging = malloc(all);
            if (!self->staging)
                return status_fail(STATUS_RUNTIME,
                                   "no memory left to copy %zu bodies to GL, %zu bytes",
                                   view->count, all);
        }
        enum status status =
            transfer_fetch_view(view, self->staging, self->staging + floats,
                                wants_near ? self->staging + 2 * floats : NULL, near_floats);
        if (status != STATUS_OK)
            return status;
        position = self->staging;
        velocity = self->staging + floats;
        near = self->staging + 2 * floats;
    }
    /* A new store each time: the driver need not wait for the frame that still reads the old one.
     */
    glBindBuffer(GL_ARRAY_BUFFER, self->params.bodies[source].position);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, position, GL_STREAM_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, self->params.bodies[source].velocity);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)bytes, velocity, GL_STREAM_DRAW);
    if (wants_near) {
        glBindBuffer(GL_ARRAY_BUFFER, self->params.bodies[source].near);
        glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(view->count * near_floats * sizeof *near), near,
                     GL_STREAM_DRAW);
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    return gl_check("copying bodies to GL");
}

static enum status upload(struct transfer *transfer, const struct view *view)
{
    struct gl_transfer *self = (struct gl_transfer *)transfer;
    enum status status = STATUS_OK;
    for (int i = 0; i < self->params.sources && status == STATUS_OK; i++, view = view->next)
        status = upload_source(self, i, view);
    return status;
}

static enum status start(struct transfer *transfer, int slot, uint8_t *data)
{
    struct gl_transfer *self = (struct gl_transfer *)transfer;
    const struct picture_layout *layout = &self->params.layout;
    self->target[slot] = data;
    glBindBuffer(GL_PIXEL_PACK_BUFFER, self->pixels[slot]);
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
    .start = start,
    .wait = wait,
    .allocate = allocate,
    .release = release,
};
