#include "render/sprites/sizing.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/sprites/modes.h"

#include <math.h>

/* ---- sizing ---- */

static const struct sprite_sizing sizing_auto = {
    .name = "auto",
    .doc =
        "kernel where the bodies' file has smoothing lengths, else adaptive; fixed where "
        "look.point_size or look.radius is given, and for fewer than 1,000 bodies without kernels",
    .chosen = true,
};

const struct sprite_sizing sizing_fixed = {
    .name = "fixed",
    .doc = "all alike, by look.point_size or look.radius",
};

const struct sprite_sizing sizing_adaptive = {
    .name = "adaptive",
    .doc = "by the space around a body: its light is spread over the distance to the 32nd nearest "
           "drawn body, so that tails are continuous and cores sharp; brightness depends neither "
           "on the camera's distance nor on the size of the picture; a body within 8 of its radii "
           "of the camera fades, and is invisible within 2, unless it is as far as the target",
    .adaptive = true,
};

const struct sprite_sizing sizing_kernel = {
    .name = "kernel",
    .doc =
        "gas by its smoothed-particle kernel: the projected cubic spline in place of look.profile, "
        "with the smoothing length of the bodies' file as its radius; other bodies as adaptive",
    .kernel = true,
    .adaptive = true,
};

static const struct sprite_sizing *const list[] = {&sizing_auto, &sizing_fixed, &sizing_adaptive,
                                                   &sizing_kernel};

const struct registry sprite_sizing_registry = REGISTRY_LIST("size of sprites", list);

const struct sprite_sizing *sizing_choose(const struct look_params *look, struct whole bodies,
                                          bool kernels)
{
    if (!look->size->chosen)
        return look->size;
    if (look->point_size > 0 || look->radius > 0)
        return &sizing_fixed;
    if (kernels)
        return &sizing_kernel;
    return whole_below(bodies, SIZING_FEWEST) ? &sizing_fixed : &sizing_adaptive;
}

bool sizing_adapts(const struct look_params *look)
{
    return look->size->adaptive && !look->mode->square && !look->mode->counts;
}

void look_columns(const struct look_params *look, struct column_names *out)
{
    *out = (struct column_names){.count = 0};
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        const bool coloured = !own.mode->plain && !own.mode->counts;
        if (sizing_adapts(&own))
            column_names_add(out, COLUMN_DISTANCE);
        if (sizing_adapts(&own) && own.size->kernel)
            column_names_add(out, COLUMN_KERNEL);
        for (int k = 0; k < COLOUR_COLUMNS && coloured && own.color->columns[k]; k++)
            column_names_add(out, own.color->columns[k]);
    }
}

bool look_needs_column(const struct look_params *look, const char *name)
{
    struct column_names names;
    look_columns(look, &names);
    return column_names_have(&names, name);
}

bool look_may_need_kernel(const struct look_params *look)
{
    bool may = look_needs_column(look, COLUMN_KERNEL);
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        may = may || (own.size->chosen && !own.mode->square && !own.mode->counts &&
                      !(look->point_size > 0 || look->radius > 0));
    }
    return may;
}

/* ---- resolved ---- */

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
