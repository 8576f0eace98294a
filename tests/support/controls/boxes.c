#include "tests/support/controls/boxes.h"

#include <string.h>

uint32_t boxes_get(const char *data)
{
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number = number << 8 | (uint8_t)data[i];
    return number;
}

void boxes_set(char *data, uint32_t number)
{
    for (int i = 3; i >= 0; i--, number >>= 8)
        data[i] = (char)(number & 0xff);
}

/* How far behind its name a box's own boxes begin; 0: it holds none. */
static size_t holds_from(const char *name)
{
    static const struct {
        char name[5];
        size_t from;
    } holders[] = {{"moov", 8}, {"trak", 8}, {"mdia", 8},  {"minf", 8},
                   {"stbl", 8}, {"edts", 8}, {"stsd", 16}, {"avc1", 86}};
    for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
        if (memcmp(name, holders[i].name, 4) == 0)
            return holders[i].from;
    return 0;
}

static bool find_within(const char *data, size_t from, size_t end, const char *name, size_t *at,
                        size_t *bytes)
{
    for (size_t box = from, length; box + 8 <= end; box += length) {
        length = boxes_get(data + box);
        if (length < 8 || length > end - box)
            return false;
        if (memcmp(data + box + 4, name, 4) == 0) {
            *at = box + 8;
            *bytes = length - 8;
            return true;
        }
        const size_t inside = holds_from(data + box + 4);
        if (inside && inside <= length &&
            find_within(data, box + inside, box + length, name, at, bytes))
            return true;
    }
    return false;
}

bool boxes_find(const char *data, size_t size, const char *name, size_t *at, size_t *bytes)
{
    return find_within(data, 0, size, name, at, bytes);
}
