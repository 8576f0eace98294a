#include "render/camera/ease.h"

#include "base/choice.h"
#include "render/params.h"

#include <math.h>

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
