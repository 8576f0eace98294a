#include "sim/formats/unpack.h"

#include <string.h>
#include <strings.h>

static const struct unpacker *const unpackers[] = {&unpacker_gzip, &unpacker_xz, &unpacker_zstd};
enum { UNPACKERS = sizeof unpackers / sizeof unpackers[0] };

const struct unpacker *unpacker_of(const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < UNPACKERS; i++)
        if (size >= unpackers[i]->magic_size &&
            memcmp(head, unpackers[i]->magic, unpackers[i]->magic_size) == 0)
            return unpackers[i];
    return NULL;
}

size_t unpacker_stem(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < UNPACKERS; i++) {
        const size_t tail = strlen(unpackers[i]->extension);
        if (length > tail && strcasecmp(name + length - tail, unpackers[i]->extension) == 0)
            return length - tail;
    }
    return length;
}
