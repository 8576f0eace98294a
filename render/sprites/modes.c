#include "render/sprites/modes.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/params.h"

#include <math.h>

/* ---- modes ---- */

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

/* ---- slab ---- */

static const struct slab_axis slab_axes[] = {
    {"view", "the line of sight in the middle of the picture", SLAB_VIEW},
    {"x", "the x axis", 0},
    {"y", "the y axis", 1},
    {"z", "the z axis", 2},
};

const struct registry slab_axis_registry = REGISTRY_OF("axis of the slab", slab_axes);

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
               .scale = LEGEND_NUMBER,
               .full = look_full_fullest,
               .from_one = true,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct draw_mode *const modes[] = {&mode_sprites, &mode_plain, &mode_points,
                                                &mode_activity};

const struct registry draw_mode_registry = REGISTRY_LIST("draw mode", modes);

/* ---- sizing ---- */

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

static const struct sprite_sizing *const sizings[] = {&sizing_auto, &sizing_fixed, &sizing_adaptive,
                                                      &sizing_kernel};

const struct registry sprite_sizing_registry = REGISTRY_LIST("size of sprites", sizings);

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

uint64_t sizing_crowd(uint64_t width, uint64_t height)
{
    return width * height;
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

void resolved_power(const struct optics *optics, float power[3])
{
    const double e = 1 - steepness, most = optics->brightest;
    const double mean = e / (e + 1) * (fn_pow(most, e + 1) - 1) / (fn_pow(most, e) - 1);
    power[0] = (float)(fn_pow(most, e) - 1);
    power[1] = (float)(1 / e);
    power[2] = (float)(1 / mean);
}

float resolved_size(const struct optics *optics, double rows)
{
    const double larger = rows / 1080;
    return (float)(optics->star * fn_pow(larger, larger < 1 ? optics->coarser : optics->finer));
}

static const struct optics optics[] = {
    {.name = "lens",
     .doc = "stars are soft discs with a wide, faint glow",
     .wings = 0.004,
     .star = 4.5,
     .finer = 0.5,
     .coarser = 1,
     .brightest = 400},
    {.name = "telescope",
     .doc = "every star is a narrow core of the same size with faint wings, so that brighter stars "
            "look larger",
     .wings = 0.0008,
     .star = 3.2,
     .finer = 0.4,
     .coarser = 0.4,
     .brightest = 1500,
     .clouds = 0.75},
};

const struct registry optics_registry = REGISTRY_OF("optics", optics);
