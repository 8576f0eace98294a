/* Several tags as one, so that what other programs list of a file stays short: a JSON object of
 * texts in a single line, such as {"gravreel_seed":"1","gravreel_frames":"0..9 of 10"}. Pure
 * functions; thread-safe. */
#ifndef BASE_PACKED_TAGS_H
#define BASE_PACKED_TAGS_H

#include "base/tag.h"

/* The tag that holds the others; their names begin with it and an underscore. */
#define PACKED_TAG "gravreel"

/* Those whose names begin so become one tag, the last. Lists made by tags_add. */
void tags_pack(struct tags *tags);

/* The reverse: what is packed takes the place of its tag, but for names that are there already. A
 * tag that is no such object stays as it is. */
void tags_unpack(struct tags *tags);

#endif
