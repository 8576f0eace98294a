#include "cmd/regression/baseline/same.h"

#include <string.h>

static int frame_stage(const struct frame_record *a, const struct frame_record *b, bool first)
{
    if (a->frame != b->frame || strcmp(a->state, b->state) != 0)
        return first ? JUDGED_START : JUDGED_PHYSICS;
    if (strcmp(a->light, b->light) != 0)
        return JUDGED_LIGHT;
    if (strcmp(a->picture, b->picture) != 0)
        return JUDGED_PICTURE;
    if (strcmp(a->packet, b->packet) != 0 || a->packet_bytes != b->packet_bytes ||
        a->key != b->key || strcmp(a->decoded, b->decoded) != 0)
        return JUDGED_PACKETS;
    return -1;
}

bool same_find_difference(const struct record *a, const struct record *b,
                          struct first_difference *out)
{
    const uint64_t both = a->count < b->count ? a->count : b->count;
    for (uint64_t f = 0; f < both; f++) {
        const int stage = frame_stage(&a->frames[f], &b->frames[f], f == 0);
        if (stage >= 0) {
            *out = (struct first_difference){(enum judged)stage, (int64_t)a->frames[f].frame};
            return true;
        }
    }
    if (a->count != b->count) {
        *out = (struct first_difference){JUDGED_PICTURE, (int64_t)both};
        return true;
    }
    *out = (struct first_difference){JUDGED_CONTAINER, -1};
    return strcmp(a->container.times, b->container.times) != 0;
}
