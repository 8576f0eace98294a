#include "render/gl/ahead.h"

#include "base/memory.h"
#include "base/worker.h"

#include <stdlib.h>

struct gl_ahead {
    int cuda_device;
    struct worker *worker;
    struct gl_context *context;
};

static enum status open_context(void *user)
{
    struct gl_ahead *ahead = user;
    return gl_context_open(&ahead->context, ahead->cuda_device);
}

void gl_ahead_begin(struct gl_ahead **out, int cuda_device)
{
    struct gl_ahead *ahead = *out = memory_new(1, sizeof *ahead);
    ahead->cuda_device = cuda_device;
    ahead->worker = worker_open(open_context, ahead, true);
    worker_begin(ahead->worker);
}

enum status gl_ahead_take(struct gl_ahead **ahead, struct gl_context **out)
{
    struct gl_ahead *self = *ahead;
    const enum status status = worker_wait(self->worker);
    *out = self->context;
    self->context = NULL;
    gl_ahead_end(ahead);
    return status;
}

void gl_ahead_end(struct gl_ahead **ahead)
{
    struct gl_ahead *self = *ahead;
    if (!self)
        return;
    worker_close(&self->worker);
    gl_context_close(&self->context);
    free(self);
    *ahead = NULL;
}
