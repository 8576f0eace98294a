/* Packs several tags into one, so that other programs' listings of a file stay short: a JSON object
 * of strings on a single line, such as {"gravreel_seed":"1","gravreel_frames":"0..9 of 10",
 * "gravreel_seal":"5f1c..."}. The last member is the hash of everything before its comma, so that a
 * flipped bit invalidates the tag instead of changing its meaning. Pure functions; thread-safe. */
#pragma once

#include "base/tag.h"

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
