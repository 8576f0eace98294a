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

/* Packs several tags into one, so that other programs' listings of a file stay short: a JSON object
 * of strings on a single line, such as {"gravreel_seed":"1","gravreel_frames":"0..9 of 10",
 * "gravreel_seal":"5f1c..."}. The last member is the hash of everything before its comma, so that a
 * flipped bit invalidates the tag instead of changing its meaning. Pure functions; thread-safe. */

/* The tag that contains the others; their names begin with it and an underscore. */
#define PACKED_TAG "gravreel"

/* Packs the tags with such names into one, which becomes the last. For lists made by tags_add. */
void tags_pack(struct tags *tags);

/* The reverse: unpacked tags replace the packed one, except those whose names exist already. A tag
 * that is not such an object, or does not match its hash, stays. */
void tags_unpack(struct tags *tags);

/* The name of a tag that tags_unpack has left because it is damaged, including packed tags under a
 * damaged name; NULL: none. */
const char *tags_damaged(const struct tags *tags);
