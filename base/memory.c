#include "base/memory.h"

#include "base/limits.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

char *memory_text(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        memory_exhausted();
    return copy;
}
