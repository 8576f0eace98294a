#include "render/gl/ahead.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

struct gl_ahead {
    pthread_t thread;
    bool started; /* the rest is the thread's until it is joined */
    int cuda_device;
    struct gl_context *context;
    struct failure failure;
};

static void *open_context(void *argument)
{
    struct gl_ahead *ahead = argument;
    failure_keep(&ahead->failure, gl_context_open(&ahead->context, ahead->cuda_device));
    return NULL;
}

void gl_ahead_begin(struct gl_ahead **out, int cuda_device)
{
    struct gl_ahead *ahead = *out = memory_new(1, sizeof *ahead);
    ahead->cuda_device = cuda_device;
    ahead->started = pthread_create(&ahead->thread, NULL, open_context, ahead) == 0;
}

enum status gl_ahead_take(struct gl_ahead **ahead, struct gl_context **out, int cuda_device)
{
    struct gl_ahead *self = *ahead;
    if (!self || !self->started || self->cuda_device != cuda_device) {
        gl_ahead_end(ahead);
        return gl_context_open(out, cuda_device);
    }
    pthread_join(self->thread, NULL);
    const enum status status = failure_report(&self->failure);
    *out = self->context;
    free(self);
    *ahead = NULL;
    return status;
}

void gl_ahead_end(struct gl_ahead **ahead)
{
    struct gl_ahead *self = *ahead;
    if (!self)
        return;
    if (self->started)
        pthread_join(self->thread, NULL);
    gl_context_close(&self->context);
    free(self);
    *ahead = NULL;
}
