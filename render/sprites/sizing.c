#include "render/sprites/sizing.h"

#include "base/choice.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/sprites/draw_mode.h"

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
    .doc =
        "as wide as it is empty around a body: the radius is the distance to the 32nd nearest of "
        "the "
        "drawn bodies, over which its light is spread, so that tails are continuous and cores "
        "sharp; "
        "how bright a place is changes neither with the camera's distance nor with the size of the "
        "picture, and what comes nearer to the camera than 8 of its radii fades, until at 2 "
        "nothing of it is seen, unless it is as far as the target",
    .adaptive = true,
};

const struct sprite_sizing sizing_kernel = {
    .name = "kernel",
    .doc =
        "gas as a code of smoothed particles has it: the cubic-spline kernel, seen from outside, "
        "in "
        "place of look.profile, with the smoothing length of the bodies' file as its radius; other "
        "bodies as adaptive",
    .kernel = true,
    .adaptive = true,
};

static const struct sprite_sizing *const list[] = {&sizing_auto, &sizing_fixed, &sizing_adaptive,
                                                   &sizing_kernel};

const struct registry sprite_sizing_registry = REGISTRY_LIST("size of sprites", list);

const struct sprite_sizing *sizing_choose(const struct look_params *look, uint64_t count,
                                          bool kernels)
{
    if (!look->size->chosen)
        return look->size;
    if (look->point_size > 0 || look->radius > 0)
        return &sizing_fixed;
    if (kernels)
        return &sizing_kernel;
    return count < SIZING_FEWEST ? &sizing_fixed : &sizing_adaptive;
}

bool sizing_adapts(const struct look_params *look)
{
    return look->size->adaptive && !look->mode->square && !look->mode->counts;
}

bool colour_needs_dispersion(const struct look_params *look)
{
    return look->color->by_dispersion && !look->mode->plain && !look->mode->counts;
}

bool look_needs_dispersion(const struct look_params *look)
{
    bool needs = false;
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        needs = needs || colour_needs_dispersion(&own);
    }
    return needs;
}

bool look_needs_quantity(const struct look_params *look)
{
    bool needs = false;
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        needs = needs || (own.color->by_quantity && !own.mode->plain && !own.mode->counts);
    }
    return needs;
}

bool look_needs_near(const struct look_params *look)
{
    bool needs = look_needs_dispersion(look);
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        needs = needs || sizing_adapts(&own);
    }
    return needs;
}

static bool needs_kernel(const struct look_params *look, bool may)
{
    bool needs = false;
    for (int i = 0; i < look_pictures(look); i++) {
        const struct look_params own = look_of_picture(look, i);
        needs = needs || ((own.size->kernel || (may && own.size->chosen)) && !own.mode->square &&
                          !own.mode->counts);
    }
    return needs;
}

bool look_needs_kernel(const struct look_params *look)
{
    return needs_kernel(look, false);
}

bool look_may_need_kernel(const struct look_params *look)
{
    return look_needs_kernel(look) ||
           (needs_kernel(look, true) && !(look->point_size > 0 || look->radius > 0));
}
