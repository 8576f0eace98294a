/* The shape of a scene's text: which keys it gives, and on which lines.
 *
 * Reads the text once as a stream of YAML events, led by the key table, and refuses whatever the
 * table does not expect: unknown and repeated keys, missing values, values of another form,
 * aliases, a second document. Because only expected values are entered, depth and memory stay
 * bounded whatever the text is. What passes can be loaded without surprises (see load.h). */
#ifndef SCENES_OUTLINE_H
#define SCENES_OUTLINE_H

#include "base/status.h"
#include "scenes/keys.h"

#include <stdint.h>

/* Where one item of a list gives its keys; line 0: not given. */
struct outline_item {
    uint32_t start;
    uint32_t line[LIST_KEYS_MAX];
    const struct choice *choice[LIST_KEYS_MAX]; /* of keys of that type */
};

struct outline {
    uint32_t line[KEYS_MAX]; /* as scene_keys; 0: not given */
    const struct choice *choice[KEYS_MAX];
    bool section_filled[SECTION_COUNT]; /* given, and not merely a name with nothing below it */
    bool section_given[SECTION_COUNT];
    struct outline_item *items[KEYS_MAX]; /* of the lists; owned */
    uint32_t item_count[KEYS_MAX];
};

/* `setting`: the one key that the text sets, whose lines mean nothing; NULL: the text is a file's.
 * STATUS_USAGE with one sentence. What was read until a failure is to be freed too. */
enum status outline_read(struct outline *out, const char *text, size_t size, const char *origin,
                         const char *setting);
void outline_free(struct outline *outline);

#endif
