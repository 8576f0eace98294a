#include "cmd/regression/baseline/anchor.h"

#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct creep {
    uint64_t frames, same; /* pictures in both; pictures with the same bits */
    double light;          /* largest relative change of a picture's light */
    double thumbnail;      /* largest change of a part's luma, codes */
    double distance;       /* largest RMS distance of the bodies */
};

static double thumbnail_change(const struct frame_record *a, const struct frame_record *b)
{
    int worst = 0;
    for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
        for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
            const int one = abs(a->thumbnail[y][x] - b->thumbnail[y][x]);
            worst = one > worst ? one : worst;
        }
    return worst;
}

static struct creep measure(const struct record *first, const struct record *now)
{
    struct creep creep = {0};
    for (uint64_t i = 0; i < now->count; i++) {
        const struct frame_record *b = &now->frames[i], *a = record_frame(first, b->frame);
        if (!a)
            continue;
        creep.frames++;
        creep.same += *a->picture && strcmp(a->picture, b->picture) == 0;
        if (a->picture_light > 0) {
            const double change = b->picture_light / a->picture_light - 1;
            creep.light = fabs(change) > fabs(creep.light) ? change : creep.light;
        }
        creep.thumbnail = fmax(creep.thumbnail, thumbnail_change(a, b));
        if (first->bodies == now->bodies)
            creep.distance = fmax(creep.distance, record_distance(first, a, b));
    }
    return creep;
}

char *anchor_distance(const struct baseline *baseline)
{
    struct record first;
    const uint32_t accepted = baseline->history_count ? baseline->history_count - 1 : 0;
    if (!*baseline->anchor)
        return NULL;
    if (baseline_get_record(baseline, baseline->anchor, &first) != STATUS_OK) {
        record_free(&first);
        return text_format("%u changes were accepted since the first baseline, which is missing",
                           accepted);
    }
    const struct creep creep = measure(&first, &baseline->record);
    record_free(&first);
    return text_format("%u change%s accepted since the first baseline of %s: %llu of %llu pictures "
                       "are still its own; light %+.2g %% at most, a part of a picture by %.0f "
                       "codes, bodies %.2g apart",
                       accepted, accepted == 1 ? "" : "s", baseline->history[0].date,
                       (unsigned long long)creep.same, (unsigned long long)creep.frames,
                       100 * creep.light, creep.thumbnail, creep.distance);
}
