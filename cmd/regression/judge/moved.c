#include "cmd/regression/judge/stages.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static struct moved farthest(const double (*a)[3], const double (*b)[3], size_t count)
{
    struct moved out = {.frame = -1};
    for (size_t i = 0; i < count; i++) {
        const double x = a[i][0] - b[i][0], y = a[i][1] - b[i][1], z = a[i][2] - b[i][2],
                     distance = sqrt(x * x + y * y + z * z);
        if (!(distance <= out.distance)) {
            out.distance = distance;
            out.body = i + 1;
        }
        if (isnan(distance))
            break;
    }
    return out;
}

struct moved moved_most(const struct comparison *comparison, int64_t from)
{
    const struct comparison_details *details = &comparison->details;
    const struct frame_record *before, *now;
    struct moved none = {.frame = -1};
    for (uint64_t i = 0; details->positions && comparison_pair(comparison, &i, &before, &now);) {
        size_t count_a = 0, count_b = 0;
        if ((int64_t)now->frame < from)
            continue;
        const double(*a)[3] = details->positions(details->user, false, now->frame, &count_a);
        const double(*b)[3] =
            a ? details->positions(details->user, true, now->frame, &count_b) : NULL;
        if (!b || count_a != count_b)
            continue;
        struct moved most = farthest(a, b, count_a);
        most.frame = (int64_t)now->frame;
        if (most.distance > 0 || isnan(most.distance))
            return most;
    }
    return none;
}

void moved_text(const struct moved *moved, char *text, size_t size)
{
    char body[32];
    text[0] = '\0';
    if (moved->frame < 0)
        return;
    text_whole(body, sizeof body, (double)moved->body);
    if (isnan(moved->distance))
        snprintf(text, size, "body %s has no finite position by frame %" PRId64, body,
                 moved->frame);
    else
        snprintf(text, size, "body %s moved %.1e by frame %" PRId64, body, moved->distance,
                 moved->frame);
}
