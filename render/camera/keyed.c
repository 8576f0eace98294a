#include "render/camera/keyed.h"

#include "base/choice.h"

#include <math.h>
#include <string.h>

/* ---- ease ---- */

static double ease_smooth(double t)
{
    return t * t * t * (10 + t * (6 * t - 15));
}

static double ease_in(double t)
{
    return t * t * t * (2 - t);
}

static double ease_out(double t)
{
    return 1 - ease_in(1 - t);
}

static double ease_linear(double t)
{
    return t;
}

static const struct ease eases[] = {
    {"smooth", "slowly at both ends", ease_smooth},
    {"in", "slowly at the beginning", ease_in},
    {"out", "slowly at the end", ease_out},
    {"linear", "at the same speed throughout", ease_linear},
};

const struct registry ease_registry = REGISTRY_OF("ease", eases);

double ease_at(const struct ease *ease, double t)
{
    return ease->part(fmin(fmax(t, 0), 1));
}

/* ---- numbers ---- */
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
