#include "cmd/regression/baseline/pack.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- writing ---- */

static uint8_t *reserve(struct pack *pack, size_t size)
{
    if (pack->size + size > pack->room) {
        pack->room = 2 * (pack->size + size);
        pack->data = memory_grow(pack->data, pack->room, 1);
    }
    return pack->data + pack->size;
}

void pack_put(struct pack *pack, const void *data, size_t size)
{
    memcpy(reserve(pack, size), data, size);
    pack->size += size;
}

void pack_put_count(struct pack *pack, uint64_t value)
{
    uint8_t bytes[8];
    for (int b = 0; b < 8; b++)
        bytes[b] = (uint8_t)(value >> 8 * b);
    pack_put(pack, bytes, sizeof bytes);
}

void pack_put_number(struct pack *pack, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    pack_put_count(pack, bits);
}

/* Groups byte b of all items. The bytes are in little-endian order, because this program runs on
 * little-endian machines only. */
static uint8_t *shuffle(const uint8_t *items, size_t count, size_t width)
{
    uint8_t *out = memory_new(count, width);
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < count; i++)
            out[b * count + i] = items[i * width + b];
    return out;
}

void pack_put_block(struct pack *pack, const void *items, size_t count, size_t width)
{
    uint8_t *bytes = shuffle(items, count, width);
    uLongf size = compressBound(count * width);
    uint8_t *deflated = memory_new(size, 1);
    if (compress2(deflated, &size, bytes, count * width, Z_BEST_COMPRESSION) != Z_OK)
        memory_exhausted();
    pack_put_count(pack, size);
    pack_put(pack, deflated, size);
    free(deflated);
    free(bytes);
}

/* ---- reading ---- */

void pack_get(struct pack *pack, void *data, size_t size)
{
    if (size > pack->size - pack->at)
        pack->broken = true;
    if (pack->broken) {
        memset(data, 0, size);
        return;
    }
    memcpy(data, pack->data + pack->at, size);
    pack->at += size;
}

uint64_t pack_get_count(struct pack *pack)
{
    uint8_t bytes[8];
    uint64_t value = 0;
    pack_get(pack, bytes, sizeof bytes);
    for (int b = 0; b < 8; b++)
        value |= (uint64_t)bytes[b] << 8 * b;
    return value;
}

double pack_get_number(struct pack *pack)
{
    const uint64_t bits = pack_get_count(pack);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void pack_get_block(struct pack *pack, void *items, size_t count, size_t width)
{
    uint8_t *out = items;
    const uint64_t deflated = pack_get_count(pack);
    uint8_t *bytes = malloc(count * width + 1);
    uLongf size = count * width;
    if (!bytes || deflated > pack->size - pack->at)
        pack->broken = true;
    if (!pack->broken && (uncompress(bytes, &size, pack->data + pack->at, deflated) != Z_OK ||
                          size != count * width))
        pack->broken = true;
    if (pack->broken) {
        memset(items, 0, count * width);
    } else {
        pack->at += deflated;
        for (size_t b = 0; b < width; b++)
            for (size_t i = 0; i < count; i++)
                out[i * width + b] = bytes[b * count + i];
    }
    free(bytes);
}

bool pack_is_read(const struct pack *pack)
{
    return !pack->broken && pack->at == pack->size;
}
