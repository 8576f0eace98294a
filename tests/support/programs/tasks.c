#include "tests/support/programs/tasks.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { INSIDE = 64, MESSAGE_MOST = 1 << 26 };

/* A task as rank 0 sends it; a message that is longer than `inside` follows. */
struct told {
    uint32_t task, spare;
    uint64_t bytes;
    uint8_t inside[INSIDE];
};

static const struct ranks_task *const *offered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void ranks_offer(const struct ranks_task *const *tasks)
{
    offered = tasks;
}

static enum status run(const struct ranks_task *task, const void *message, size_t bytes, void *own)
{
    ranks_enter(LANE_MAIN);
    const enum status status = ranks_scope(task->run(message, bytes, own));
    ranks_leave();
    return status;
}

static enum status tell(const struct ranks_task *task, const void *message, size_t bytes, void *own)
{
    struct told told = {.bytes = bytes};
    while (offered[told.task] != task)
        told.task++;
    memcpy(told.inside, message, bytes < INSIDE ? bytes : INSIDE);
    enum status status = ranks_share(&told, sizeof told, 0);
    if (status == STATUS_OK && bytes > INSIDE) {
        void *copy = memory_new(bytes, 1);
        memcpy(copy, message, bytes);
        status = ranks_share(copy, bytes, 0);
        free(copy);
    }
    return status == STATUS_OK ? run(task, message, bytes, own) : status;
}

enum status ranks_together(const struct ranks_task *task, const void *message, size_t bytes,
                           void *own)
{
    if (ranks_are_together() || ranks_count() == 1)
        return task->run(message, bytes, own);
    pthread_mutex_lock(&lock);
    const enum status status = tell(task, message, bytes, own);
    pthread_mutex_unlock(&lock);
    return status;
}

static const struct ranks_task *find(const struct told *told)
{
    for (uint32_t k = 0; offered && offered[k]; k++)
        if (k == told->task && told->bytes <= MESSAGE_MOST &&
            (offered[k]->bytes == 0 || offered[k]->bytes == told->bytes))
            return offered[k];
    (void)status_fail(STATUS_RUNTIME, "rank 0 sent the unknown task %u with %llu bytes", told->task,
                      (unsigned long long)told->bytes);
    return NULL;
}

/* Does not report a failure of the task: rank 0 gets it from the same call, and reports it. */
static enum status serve_one(const struct told *told)
{
    const struct ranks_task *task = find(told);
    if (!task)
        return STATUS_RUNTIME;
    if (told->bytes <= INSIDE) {
        (void)run(task, told->inside, told->bytes, NULL);
        return STATUS_OK;
    }
    void *message = memory_new(told->bytes, 1);
    const enum status status = ranks_share(message, told->bytes, 0);
    if (status == STATUS_OK)
        (void)run(task, message, told->bytes, NULL);
    free(message);
    return status;
}

int ranks_serve(void)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        struct told told;
        status = ranks_share(&told, sizeof told, 0);
        if (status == STATUS_OK)
            status = serve_one(&told);
    }
    return status == STATUS_STOPPED ? STATUS_OK : (int)status;
}
