/* Metadata of a file: names with values, such as a film's metadata or the text chunks of a PNG. */
#pragma once

#include <stddef.h>

struct tag {
    const char *name, *value;
};

/* In the file's order; {0} is empty. A list made by tags_add owns its texts; one that points into
 * an array belongs to the array's owner. */
struct tags {
    struct tag *list;
    size_t count;
};

/* Appends a copy of both texts. */
void tags_add(struct tags *tags, const char *name, const char *value);

/* Appends copies of all of them. */
void tags_copy(struct tags *tags, const struct tags *from);

/* The first value with that name, NULL when there is none. Case is ignored, because Matroska stores
 * names in upper case. */
const char *tags_find(const struct tags *tags, const char *name);

/* Frees a list made by tags_add and empties it. */
void tags_free(struct tags *tags);
