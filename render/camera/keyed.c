#include "render/camera/keyed.h"

#include "render/camera/camera.h"

#include <string.h>

double keyed_at(const struct keyed *keyed, double frame)
{
    const struct keyed_point *points = keyed->points;
    uint32_t next = 0;
    while (next < keyed->count && points[next].frame <= frame)
        next++;
    if (next == 0)
        return points[0].value;
    const struct keyed_point *from = &points[next - 1], *to = &points[next];
    if (next == keyed->count)
        return from->value;
    const double part = ease_at(to->ease, (frame - from->frame) / (to->frame - from->frame));
    return from->value + part * (to->value - from->value);
}

bool keyed_apply(const struct keyed *list, size_t count, enum keyed_part part, double frame,
                 void *params)
{
    bool changed = false;
    for (size_t i = 0; i < count; i++) {
        double before;
        if (list[i].part != part)
            continue;
        char *at = (char *)params + list[i].offset;
        const double value = keyed_at(&list[i], frame);
        memcpy(&before, at, sizeof before);
        changed |= before != value;
        memcpy(at, &value, sizeof value);
    }
    return changed;
}

bool keyed_has(const struct keyed *list, size_t count, enum keyed_part part)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].part == part)
            return true;
    return false;
}
