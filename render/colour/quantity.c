#include "render/colour/quantity.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/params.h"

#include <math.h>

static const struct quantity_scale scales[] = {
    {.name = "linear", .doc = "evenly"},
    {.name = "log", .doc = "logarithmically", .logarithmic = true},
};

const struct registry quantity_scale_registry = REGISTRY_OF("scale", scales);

bool quantity_has_place(const struct quantity_scale *scale, double value)
{
    return isfinite(value) && (value > 0 || !scale->logarithmic);
}

float quantity_place(const struct quantity_scale *scale, double from, double to, double value)
{
    if (!quantity_has_place(scale, value))
        return -1;
    /* Halves, because the difference of two large numbers could overflow. */
    const double place = scale->logarithmic
                             ? (fn_log(value) - fn_log(from)) / (fn_log(to) - fn_log(from))
                             : (value / 2 - from / 2) / (to / 2 - from / 2);
    return (float)fmin(fmax(place, 0), 1);
}
