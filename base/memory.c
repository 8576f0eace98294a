#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    STACK = 8 << 20, /* the usual stack size */
    STACK_LEAST = 2 << 20,
    STACK_SMALL = 256 << 10,
    THREADS_FEW = 24, /* a few more than an encoder starts */
};

static const uint64_t BYTES_FEW = (uint64_t)1 << 30; /* if less is left, this may be the cause */

/* ---- stack ---- */

struct call {
    int (*body)(int argc, char **argv);
    int argc, code;
    char **argv;
};

static void *call(void *user)
{
    struct call *self = user;
    self->code = self->body(self->argc, self->argv);
    return NULL;
}

int limits_run(int (*body)(int argc, char **argv), int argc, char **argv)
{
    struct rlimit now;
    struct call self = {.body = body, .argc = argc, .argv = argv};
    pthread_attr_t attributes;
    pthread_t thread;
    if (getrlimit(RLIMIT_STACK, &now) != 0 || now.rlim_cur >= STACK_LEAST ||
        pthread_attr_init(&attributes) != 0)
        return body(argc, argv);
    const bool apart = pthread_attr_setstacksize(&attributes, STACK) == 0 &&
                       pthread_setattr_default_np(&attributes) == 0 &&
                       pthread_create(&thread, NULL, call, &self) == 0;
    pthread_attr_destroy(&attributes);
    if (!apart)
        return body(argc, argv);
    pthread_join(thread, NULL);
    return self.code;
}

/* ---- memory ---- */

/* The process's size, and its data and stack, in pages, from /proc/self/statm. */
static bool pages_used(uint64_t *size, uint64_t *data)
{
    unsigned long long all = 0, own = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    const bool known = file && fscanf(file, "%llu %*u %*u %*u %*u %llu", &all, &own) == 2;
    if (file)
        fclose(file);
    *size = all;
    *data = own;
    return known;
}

/* Describes the limit that leaves less than `bytes`; false if neither does. */
static bool tell_memory(uint64_t bytes, char *text, size_t size)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    struct rlimit space, data;
    uint64_t used[2];
    if (getrlimit(RLIMIT_AS, &space) != 0 || getrlimit(RLIMIT_DATA, &data) != 0 ||
        !pages_used(&used[0], &used[1]))
        return false;
    const struct {
        rlim_t limit;
        const char *what, *option;
    } limits[] = {{space.rlim_cur, "the address space", "-v"}, {data.rlim_cur, "data", "-d"}};
    for (int i = 0; i < 2; i++) {
        const uint64_t have = used[i] * page;
        if (limits[i].limit == RLIM_INFINITY ||
            (limits[i].limit > have && limits[i].limit - have >= bytes))
            continue;
        snprintf(text, size, "%s is limited to %llu MB, of which %llu are used; raise ulimit %s",
                 limits[i].what, (unsigned long long)limits[i].limit / 1000000,
                 (unsigned long long)have / 1000000, limits[i].option);
        return true;
    }
    return false;
}

static bool memory_is_there(size_t bytes)
{
    void *room = bytes == 0 ? NULL
                            : mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room && room != MAP_FAILED)
        munmap(room, bytes);
    return room != MAP_FAILED;
}

/* ---- threads ---- */

static void *wait_for_all(void *user)
{
    pthread_mutex_t *gate = user;
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Counts how many threads can be started, up to `count`. Their stacks are small but hold the
 * thread-local data of all libraries, including CUDA's, for which PTHREAD_STACK_MIN is too
 * small. */
static unsigned threads_to_be_had(unsigned count)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *threads = malloc(count * sizeof *threads);
    pthread_attr_t attributes;
    unsigned begun = 0;
    if (!threads)
        return count;
    pthread_attr_init(&attributes);
    (void)pthread_attr_setstacksize(&attributes, STACK_SMALL);
    pthread_mutex_lock(&gate);
    while (begun < count && pthread_create(&threads[begun], &attributes, wait_for_all, &gate) == 0)
        begun++;
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < begun; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return begun;
}

static void tell_threads(char *text, size_t size)
{
    struct rlimit now;
    if (getrlimit(RLIMIT_NPROC, &now) == 0 && now.rlim_cur != RLIM_INFINITY)
        snprintf(text, size, "raise ulimit -u, now %llu, or in a container the limit of processes",
                 (unsigned long long)now.rlim_cur);
    else
        snprintf(text, size, "raise the container's limit of processes, or close other programs");
}

/* ---- checks ---- */

enum status limits_check(const char *what, unsigned threads, size_t bytes)
{
    /* Starting threads takes time, and what worked once will work again. */
    static atomic_uint had;
    char text[256];
    bytes += (size_t)threads * STACK;
    if (!memory_is_there(bytes))
        return tell_memory(bytes, text, sizeof text)
                   ? status_fail(STATUS_RUNTIME, "%s needs %zu MB more, but %s", what,
                                 bytes / 1000000, text)
                   : status_fail(STATUS_RUNTIME,
                                 "%s needs %zu MB more, which the system does not give; close "
                                 "other programs",
                                 what, bytes / 1000000);
    if (threads <= had)
        return STATUS_OK;
    const unsigned begun = threads_to_be_had(threads);
    if (begun == threads) {
        had = threads;
        return STATUS_OK;
    }
    tell_threads(text, sizeof text);
    return status_fail(STATUS_RUNTIME, "%s needs %u threads, and only %u can be started; %s", what,
                       threads, begun, text);
}

const char *limits_advice(const char *advice)
{
    static _Thread_local char text[384];
    char reason[256];
    if (tell_memory(BYTES_FEW, reason, sizeof reason))
        return strcpy(text, reason);
    const unsigned begun = threads_to_be_had(THREADS_FEW);
    if (begun == THREADS_FEW)
        return advice;
    tell_threads(reason, sizeof reason);
    snprintf(text, sizeof text, "only %u more threads can be started; %s", begun, reason);
    return text;
}

/* ---- libraries that end the process ---- */

static char last_words[384];

static void say_and_end(int number)
{
    (void)number;
    (void)!write(STDERR_FILENO, last_words, strlen(last_words));
    _exit(STATUS_RUNTIME);
}

void limits_guard(void)
{
    char reason[256];
    static const int faults[] = {SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP};
    if (!tell_memory(UINT64_MAX, reason, sizeof reason))
        return;
    char *used = strstr(reason, ", of which"), *advice = strstr(reason, "; raise");
    if (used && advice)
        memmove(used, advice, strlen(advice) + 1);
    snprintf(last_words, sizeof last_words,
             "gravreel: a library ended the program, probably for want of memory: %s\n", reason);
    struct sigaction action = {.sa_handler = say_and_end, .sa_flags = (int)SA_RESETHAND};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
}

void memory_exhausted(void)
{
    fprintf(stderr, "gravreel: out of memory; %s\n",
            limits_advice("close other programs or use fewer bodies"));
    _Exit(STATUS_RUNTIME);
}

void *memory_new(size_t count, size_t size)
{
    void *items = calloc(count ? count : 1, size ? size : 1);
    if (!items)
        memory_exhausted();
    return items;
}

void *memory_touched(size_t bytes)
{
    enum { PAGE = 4096 };
    volatile char *data = malloc(bytes);
    for (size_t i = 0; data && i < bytes; i += PAGE)
        data[i] = 0;
    return (void *)data;
}

void *memory_grow(void *items, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count ? count : 1, size ? size : 1, &bytes))
        memory_exhausted();
    items = realloc(items, bytes);
    if (!items)
        memory_exhausted();
    return items;
}

void *memory_more(void *items, size_t count, size_t size)
{
    size_t room = 1; /* the same for many counts, for which realloc has nothing to do */
    while (room <= count)
        room *= 2;
    return memory_grow(items, room, size);
}

char *memory_text(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        memory_exhausted();
    return copy;
}
