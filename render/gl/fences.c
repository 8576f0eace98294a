#include "render/gl/fences.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>
#include <time.h>

/* Bounds the wait, because some libraries destroy a mutex that they hold themselves. */
enum { SECONDS_MOST = 5 };

static atomic_bool guarded;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int (*destroy_mutex)(pthread_mutex_t *mutex);
static void (*destroy_mtx)(mtx_t *mutex);

static void find_originals(void)
{
    destroy_mutex = (__typeof__(destroy_mutex))dlsym(RTLD_NEXT, "pthread_mutex_destroy");
    destroy_mtx = (__typeof__(destroy_mtx))dlsym(RTLD_NEXT, "mtx_destroy");
}

void fences_guard(void)
{
    guarded = true;
}

/* Locking the mutex once shows that all earlier holders have released it. */
static void wait_until_free(pthread_mutex_t *mutex)
{
    if (!guarded)
        return;
    int error = pthread_mutex_trylock(mutex);
    if (error == EBUSY) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += SECONDS_MOST;
        error = pthread_mutex_timedlock(mutex, &until);
    }
    if (error == 0 || error == EOWNERDEAD)
        pthread_mutex_unlock(mutex);
}

int pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    wait_until_free(mutex);
    pthread_once(&once, find_originals);
    return destroy_mutex(mutex);
}

/* In the GNU C library an mtx_t is a pthread_mutex_t. */
void mtx_destroy(mtx_t *mutex)
{
    wait_until_free((pthread_mutex_t *)mutex);
    pthread_once(&once, find_originals);
    destroy_mtx(mutex);
}
