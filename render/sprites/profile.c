#include "render/sprites/profile.h"

#include "base/choice.h"
#include "render/params.h"
#include "render/sprites/sizing.h"

extern const char shader_profile_soft_glsl[], shader_profile_gaussian_glsl[],
    shader_profile_plummer_glsl[], shader_profile_spline_glsl[];

static const struct sprite_profile soft = {
    .name = "soft",
    .doc = "(1 - r^2)^2: a broad light without a core",
    .glsl = shader_profile_soft_glsl,
    .polynomial = true,
    .smallest = 1,
    .spacing = 0.8f,
};

static const struct sprite_profile gaussian = {
    .name = "gaussian",
    .doc = "a Gaussian, cut where it has fallen to a ninetieth: the edge is three deviations out",
    .glsl = shader_profile_gaussian_glsl,
    .smallest = 1,
    .spacing = 0.5f,
};

static const struct sprite_profile plummer = {
    .name = "plummer",
    .doc = "(1 + (r/a)^2)^-2, a Plummer sphere's surface density, cut at 3 a: a bright core in a "
           "wide halo; twice look.smallest at least",
    .glsl = shader_profile_plummer_glsl,
    .smallest = 2,
    .spacing = 0.35f,
};

static const struct sprite_profile *const list[] = {&soft, &gaussian, &plummer};

const struct registry sprite_profile_registry = REGISTRY_LIST("sprite profile", list);

/* Not an entry of look.profile, because only look.size kernel has the radius that it needs. */
static const struct sprite_profile spline = {
    .name = "spline",
    .doc = "the cubic-spline kernel, integrated along the line of sight",
    .glsl = shader_profile_spline_glsl,
    .smallest = 1,
    .spacing = 0.6f,
};

const struct sprite_profile *profile_of(const struct look_params *look)
{
    return look->size->kernel ? &spline : look->profile;
}
