#include "tests/support/programs/refuse_threads.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>

_Thread_local int threads_left = -1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    if (threads_left == 0)
        return EAGAIN;
    threads_left -= threads_left > 0;
    int (*const next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
        (__typeof__(&pthread_create))dlsym(RTLD_NEXT, "pthread_create");
    return next(thread, attributes, start, argument);
}
