#include "render/sprites/resolved.h"

#include "render/sprites/sizing.h"
#include "base/functions/fn.h"

#include <math.h>

static const double steepness = 2.1;

uint32_t resolved_choose(const struct look_params *look, struct whole drawn)
{
    if (look->stars > 0 || whole_below(drawn, 1))
        return look->stars;
    const uint64_t each = RESOLVED_ALL / whole_size(drawn);
    return each > RESOLVED_MOST     ? RESOLVED_MOST
           : each < RESOLVED_FEWEST ? RESOLVED_FEWEST
                                    : (uint32_t)each;
}

uint32_t resolved_stars(const struct look_params *look)
{
    return look->resolved > 0 && sizing_adapts(look) ? look->stars : 0;
}

void resolved_power(float power[3])
{
    const double e = 1 - steepness, most = RESOLVED_BRIGHTEST;
    const double mean = e / (e + 1) * (fn_pow(most, e + 1) - 1) / (fn_pow(most, e) - 1);
    power[0] = (float)(fn_pow(most, e) - 1);
    power[1] = (float)(1 / e);
    power[2] = (float)(1 / mean);
}

float resolved_size(double rows)
{
    return (float)(rows < 1080 ? rows / 240 : 4.5 * sqrt(rows / 1080));
}
