#include "render/sprites/modes.h"

#include "base/choice.h"
#include "render/params.h"
#include "render/sprites/sizing.h"

/* ---- profile ---- */

extern const char shader_profile_soft_glsl[], shader_profile_gaussian_glsl[],
    shader_profile_plummer_glsl[], shader_profile_spline_glsl[];

static const struct sprite_profile profile_soft = {
    .name = "soft",
    .doc = "(1 - r^2)^2: a broad light without a core",
    .glsl = shader_profile_soft_glsl,
    .polynomial = true,
    .smallest = 1,
    .spacing = 0.8f,
};

static const struct sprite_profile profile_gaussian = {
    .name = "gaussian",
    .doc = "a Gaussian, cut where it has fallen to a ninetieth: the edge is three deviations out",
    .glsl = shader_profile_gaussian_glsl,
    .smallest = 1,
    .spacing = 0.5f,
};

static const struct sprite_profile profile_plummer = {
    .name = "plummer",
    .doc = "(1 + (r/a)^2)^-2, a Plummer sphere's surface density, cut at 3 a: a bright core in a "
           "wide halo; twice look.smallest at least",
    .glsl = shader_profile_plummer_glsl,
    .smallest = 2,
    .spacing = 0.35f,
};

static const struct sprite_profile *const profiles[] = {&profile_soft, &profile_gaussian,
                                                        &profile_plummer};

const struct registry sprite_profile_registry = REGISTRY_LIST("sprite profile", profiles);

/* Not an entry of look.profile, because only look.size kernel has the radius that it needs. */
static const struct sprite_profile profile_spline = {
    .name = "spline",
    .doc = "the cubic-spline kernel, integrated along the line of sight",
    .glsl = shader_profile_spline_glsl,
    .smallest = 1,
    .spacing = 0.6f,
};

const struct sprite_profile *profile_of(const struct look_params *look)
{
    return look->size->kernel ? &profile_spline : look->profile;
}

/* ---- weight ---- */

const struct light_weight light_by_component = {
    .name = "component",
    .doc = "its component's light alone",
};

const struct light_weight light_by_mass = {
    .name = "mass",
    .doc = "its component's light times its mass relative to the mean of the drawn bodies; "
           "massless bodies are dark",
    .by_mass = true,
};

static const struct light_weight *const weights[] = {&light_by_component, &light_by_mass};

const struct registry light_weight_registry = REGISTRY_LIST("source of light", weights);

/* ---- draw mode ---- */

static const struct draw_mode mode_sprites = {
    .name = "sprites",
    .doc = "soft round lights, larger when closer, in the colour of look.color",
    .point_size = 6,
};

static const struct draw_mode mode_plain = {
    .name = "sprites-plain",
    .doc = "the same, all in the one colour look.plain",
    .point_size = 6,
    .plain = true,
};

static const struct draw_mode mode_points = {
    .name = "points",
    .doc = "sharp squares of whole pixels, the same size at any distance, in the colour of "
           "look.color",
    .point_size = 3,
    .square = true,
};

static const struct draw_mode mode_activity = {
    .name = "activity",
    .doc = "a map of the number of bodies in each cell, look.cells along the shorter side, through "
           "look.map, logarithmic up to the fullest cell at the start; without light, glow and "
           "samples",
    .counts = true,
    .legend = {.quantity = "bodies in a cell",
               .scale = LEGEND_CELL,
               .from_one = true,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct draw_mode *const modes[] = {&mode_sprites, &mode_plain, &mode_points,
                                                &mode_activity};

const struct registry draw_mode_registry = REGISTRY_LIST("draw mode", modes);
