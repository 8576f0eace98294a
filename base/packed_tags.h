/* Several tags as one, so that what other programs list of a file stays short: a JSON object of
 * texts in a single line, such as {"gravreel_seed":"1","gravreel_frames":"0..9 of 10",
 * "gravreel_seal":"5f1c..."}. The last one is the hash of all that comes before its comma, so that
 * a bit that is another damages the tag and does not make it another film's. Pure functions;
 * thread-safe. */
#ifndef BASE_PACKED_TAGS_H
#define BASE_PACKED_TAGS_H

#include "base/tag.h"

/* The tag that holds the others; their names begin with it and an underscore. */
#define PACKED_TAG "gravreel"

/* Those whose names begin so become one tag, the last. Lists made by tags_add. */
void tags_pack(struct tags *tags);

/* The reverse: what is packed takes the place of its tag, but for names that are there already. A
 * tag that is no such object, or not what its hash is of, stays as it is. */
void tags_unpack(struct tags *tags);

/* The name of a tag that tags_unpack has left because it is damaged, also one that holds packed
 * tags under a name that is damaged; NULL: there is none. */
const char *tags_damaged(const struct tags *tags);

#endif
