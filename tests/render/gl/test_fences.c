/* A mutex is destroyed only when nobody holds it; llvmpipe's fences rely on that. This program
 * replaces condition variables: a thread of llvmpipe that has incremented the count in a fence is
 * delayed before it releases the fence's mutex, as on a busy machine, until the main thread has
 * begun other pictures or waits. */
#include "tests/support/test.h"

#include "render/gl/context.h"
#include "render/gl/fences.h"
#include "render/gl/gl.h"
#include "tests/support/programs/asleep.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

static _Atomic(pthread_cond_t *) signalling[THREADS_MAX];
static atomic_int held_up, destroyed_early, begun;

/* The number of llvmpipe's thread, from 0; -1: another thread. */
static int drawing_thread(void)
{
    static const char prefix[] = "llvmpipe-";
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    return strncmp(name, prefix, strlen(prefix)) == 0 ? atoi(name + strlen(prefix)) % THREADS_MAX
                                                      : -1;
}

int pthread_cond_broadcast(pthread_cond_t *condition)
{
    int (*const next)(pthread_cond_t *) =
        (__typeof__(&pthread_cond_broadcast))dlsym(RTLD_NEXT, "pthread_cond_broadcast");
    const int thread = drawing_thread();
    if (thread >= 0) {
        signalling[thread] = condition;
        held_up++;
        for (const int seen = begun; begun < seen + 3 && !is_asleep(getpid());)
            sched_yield();
        signalling[thread] = NULL;
    }
    return next(condition);
}

int pthread_cond_destroy(pthread_cond_t *condition)
{
    int (*const next)(pthread_cond_t *) =
        (__typeof__(&pthread_cond_destroy))dlsym(RTLD_NEXT, "pthread_cond_destroy");
    for (int i = 0; i < THREADS_MAX; i++)
        destroyed_early += signalling[i] == condition;
    return next(condition);
}

static struct holder {
    pthread_mutex_t *mutex;
    atomic_bool holds, leaves, destroyed;
} holder;

static void *hold(void *argument)
{
    (void)argument;
    pthread_mutex_lock(holder.mutex);
    holder.holds = true;
    while (!holder.destroyed && !is_asleep(getpid()))
        sched_yield();
    holder.leaves = !holder.destroyed;
    pthread_mutex_unlock(holder.mutex);
    return NULL;
}

static pthread_t start_holder(pthread_mutex_t *mutex)
{
    pthread_t thread;
    holder.mutex = mutex;
    holder.holds = holder.leaves = holder.destroyed = false;
    assert_int_equal(pthread_create(&thread, NULL, hold, NULL), 0);
    while (!holder.holds)
        sched_yield();
    return thread;
}

TEST(destroying_waits_for_who_holds_the_mutex)
{
    fences_guard();
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, NULL);
    pthread_t thread = start_holder(&mutex);
    assert_int_equal(pthread_mutex_destroy(&mutex), 0);
    holder.destroyed = true;
    pthread_join(thread, NULL);
    assert_true(holder.leaves);

    mtx_t other;
    assert_int_equal(mtx_init(&other, mtx_plain), thrd_success);
    thread = start_holder((pthread_mutex_t *)&other);
    mtx_destroy(&other);
    holder.destroyed = true;
    pthread_join(thread, NULL);
    assert_true(holder.leaves);
}

/* While pictures are being drawn, others are begun; each time llvmpipe looks for a finished one. */
TEST(no_fence_is_freed_while_it_is_signalled)
{
    enum { ROUNDS = 10, PICTURES = 24, TARGETS = 2 };
    struct gl_context *context;
    if (gl_context_open(&context, -1) != STATUS_OK)
        outcome_skip(MISSING_GL, status_text());
    assert_ok(gl_context_bind(context));
    struct gl_target targets[TARGETS];
    for (int t = 0; t < TARGETS; t++)
        assert_ok(gl_target_create(&targets[t], GL_RGBA8, 64, 64));
    for (int i = 0; i < ROUNDS * PICTURES; i++) {
        gl_target_bind(&targets[i % TARGETS]);
        glClear(GL_COLOR_BUFFER_BIT);
        glFlush();
        begun++;
        if (i % PICTURES == PICTURES - 1)
            glFinish();
    }
    for (int t = 0; t < TARGETS; t++)
        gl_target_destroy(&targets[t]);
    gl_context_unbind(context);
    gl_context_close(&context);
    assert_int_equal(destroyed_early, 0);
    if (held_up == 0)
        outcome_skip(MISSING_GL, "not drawn by llvmpipe with threads");
}

TESTS(NULL, NULL)
