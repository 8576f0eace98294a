#include "tests/cmd/library/cuda.h"

#define _POSIX_C_SOURCE 200809L

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCKS = 256, DEPTH = 8 };

/* Memory of a device: addresses that cannot be read, and what is in it. */
static struct block {
    char *at, *content;
    size_t size;
    enum where where;
    int number;
} blocks[BLOCKS];
static size_t block_count;

static struct {
    char *at, *data;
    size_t size;
} queued[BLOCKS];
static size_t queued_count;

static char contexts[2]; /* their addresses are the primary contexts of the devices */
static void *current[DEPTH];
static int depth;
static struct {
    char *at;
    size_t size;
} pins[BLOCKS];

static void *allocate(size_t size, enum where where, int number);
static void queue(void *at, const void *data, size_t size);

struct stand_in stand_in = {.allocate = allocate, .queue = queue};

static struct block *find(uintptr_t at)
{
    for (size_t b = 0; b < block_count; b++)
        if (at >= (uintptr_t)blocks[b].at && at < (uintptr_t)blocks[b].at + blocks[b].size)
            return blocks[b].where == FREED ? NULL : &blocks[b];
    return NULL;
}

static void *allocate(size_t size, enum where where, int number)
{
    if (block_count == BLOCKS)
        abort();
    struct block *block = &blocks[block_count++];
    const bool readable = where == HOST_PINNED;
    *block = (struct block){.size = size, .where = where, .number = number};
    block->at = mmap(NULL, size, readable ? PROT_READ | PROT_WRITE : PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    block->content = readable ? block->at : calloc(1, size);
    return block->at;
}

static void queue(void *at, const void *data, size_t size)
{
    queued[queued_count].at = at;
    queued[queued_count].data = memcpy(malloc(size), data, size);
    queued[queued_count++].size = size;
}

static void *context_of(const struct block *block)
{
    return &contexts[block->number];
}

static bool is_current(const struct block *block)
{
    return depth > 0 && current[depth - 1] == context_of(block);
}

int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uintptr_t pointer)
{
    const struct block *block = find(pointer);
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] == 1) {
            *(void **)values[i] = block && block->where != OF_POOL ? context_of(block) : NULL;
            for (size_t p = 0; p < BLOCKS; p++)
                if (pins[p].at == (char *)pointer && pointer)
                    *(void **)values[i] = &contexts[0];
        }
        if (attributes[i] == 2)
            *(unsigned *)values[i] = !block ? 0 : block->where == HOST_PINNED ? 1 : 2;
        if (attributes[i] == 8)
            *(unsigned *)values[i] = block && block->where == MANAGED;
        if (attributes[i] == 9)
            *(int *)values[i] = block ? block->number : -2;
    }
    return stand_in.fails[ATTRIBUTES];
}

int cuCtxPushCurrent_v2(void *context)
{
    stand_in.pushed++;
    stand_in.wrong |= context != &contexts[0] && context != &contexts[1];
    if (stand_in.fails[PUSH] == 0)
        current[depth++] = context;
    return stand_in.fails[PUSH];
}

int cuCtxPopCurrent_v2(void **context)
{
    stand_in.wrong |= depth == 0;
    *context = current[depth > 0 ? --depth : 0];
    return 0;
}

int cuCtxSynchronize(void)
{
    stand_in.synchronized++;
    size_t kept = 0;
    for (size_t q = 0; q < queued_count; q++) {
        const struct block *block = find((uintptr_t)queued[q].at);
        if (is_current(block)) {
            memcpy(block->content + (queued[q].at - block->at), queued[q].data, queued[q].size);
            free(queued[q].data);
        } else
            queued[kept++] = queued[q];
    }
    queued_count = kept;
    return stand_in.fails[SYNCHRONIZE];
}

int cuMemcpyDtoH_v2(void *to, uintptr_t from, size_t size)
{
    const struct block *block = find(from);
    stand_in.copies++;
    stand_in.most = size > stand_in.most ? size : stand_in.most;
    for (size_t p = 0; p < BLOCKS; p++) /* a copy that begins in pinned memory ends there */
        stand_in.wrong |= pins[p].at && (char *)to >= pins[p].at &&
                          (char *)to < pins[p].at + pins[p].size &&
                          (char *)to + size > pins[p].at + pins[p].size;
    if (stand_in.fails[COPY] != 0)
        return stand_in.fails[COPY];
    if (!block || !is_current(block) || from + size > (uintptr_t)block->at + block->size) {
        stand_in.wrong = true;
        return 1;
    }
    memcpy(to, block->content + (from - (uintptr_t)block->at), size);
    return 0;
}

int cuMemHostRegister_v2(void *data, size_t size, unsigned flags)
{
    stand_in.wrong |= depth == 0 || flags != 1;
    for (size_t p = 0; p < BLOCKS && stand_in.fails[PIN] == 0; p++)
        if (!pins[p].at) {
            pins[p].at = data;
            pins[p].size = size;
            stand_in.pinned++;
            break;
        }
    return stand_in.fails[PIN];
}

int cuMemHostUnregister(void *data)
{
    for (size_t p = 0; p < BLOCKS; p++)
        if (pins[p].at == data) {
            pins[p].at = NULL;
            stand_in.pinned--;
            return 0;
        }
    stand_in.wrong = true;
    return 1;
}

int cuDeviceGet(int *handle, int number)
{
    *handle = 100 + number;
    return number < 0 || number > 1 ? 101 : 0;
}

int cuDevicePrimaryCtxRetain(void **context, int handle)
{
    if (stand_in.fails[RETAIN] == 0) {
        *context = &contexts[handle - 100];
        stand_in.retained++;
    }
    return stand_in.fails[RETAIN];
}

int cuDevicePrimaryCtxRelease_v2(int handle)
{
    stand_in.wrong |= handle < 100 || handle > 101;
    stand_in.retained--;
    return 0;
}

int cuGetErrorString(int error, const char **text)
{
    *text = error == 700   ? "an illegal memory access was encountered"
            : error == 709 ? "context is destroyed"
                           : NULL;
    return *text ? 0 : 1;
}
