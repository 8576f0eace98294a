#include "base/tag.h"

#include "base/memory.h"

#include <stdlib.h>
#include <strings.h>

void tags_add(struct tags *tags, const char *name, const char *value)
{
    tags->list = memory_grow(tags->list, tags->count + 1, sizeof *tags->list);
    tags->list[tags->count++] = (struct tag){memory_text(name), memory_text(value)};
}

void tags_copy(struct tags *tags, const struct tags *from)
{
    for (size_t i = 0; i < from->count; i++)
        tags_add(tags, from->list[i].name, from->list[i].value);
}

const char *tags_find(const struct tags *tags, const char *name)
{
    for (size_t i = 0; i < tags->count; i++)
        if (strcasecmp(tags->list[i].name, name) == 0)
            return tags->list[i].value;
    return NULL;
}

void tags_free(struct tags *tags)
{
    for (size_t i = 0; i < tags->count; i++) {
        free((char *)tags->list[i].name);
        free((char *)tags->list[i].value);
    }
    free(tags->list);
    *tags = (struct tags){0};
}
