#include "render/colour/colour.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/params.h"
#include "sim/view.h"

#include <math.h>
#include <string.h>

/* ---- palette ---- */

#define RGB(hex)                                                                                   \
    {                                                                                              \
        ((hex) >> 16) / 255.0f, ((hex) >> 8 & 255) / 255.0f, ((hex)&255) / 255.0f                  \
    }

static const struct tint_palette palette_four = {
    .name = "four",
    .doc = "blue, orange, green, pink",
    .count = 4,
    .shown = {{0.35f, 0.60f, 1.00f},
              {1.00f, 0.62f, 0.30f},
              {0.55f, 1.00f, 0.55f},
              {1.00f, 0.45f, 0.75f}},
};

/* M. Okabe and K. Ito, "Color universal design", 2008, without black, which would be invisible. */
static const struct tint_palette okabe_ito = {
    .name = "okabe-ito",
    .doc = "seven that colour-blind viewers can tell apart too",
    .count = 7,
    .shown = {RGB(0x56b4e9), RGB(0xe69f00), RGB(0x009e73), RGB(0xcc79a7), RGB(0xf0e442),
              RGB(0xd55e00), RGB(0x0072b2)},
};

/* P. Tol, "Colour schemes", SRON/EPS/TN/09-002, 2021. */
static const struct tint_palette tol_bright = {
    .name = "tol-bright",
    .doc = "Paul Tol's bright scheme, also for colour-blind viewers; seven with a grey",
    .count = 7,
    .shown = {RGB(0x4477aa), RGB(0xee6677), RGB(0x228833), RGB(0xccbb44), RGB(0x66ccee),
              RGB(0xaa3377), RGB(0xbbbbbb)},
};

static const struct tint_palette tol_light = {
    .name = "tol-light",
    .doc = "Paul Tol's light scheme: eight pale ones",
    .count = 8,
    .shown = {RGB(0x77aadd), RGB(0xee8866), RGB(0xbbcc33), RGB(0xffaabb), RGB(0x99ddff),
              RGB(0xeedd88), RGB(0x44bb99), RGB(0xaaaa00)},
};

static const struct tint_palette palette_film = {
    .name = "film",
    .doc = "gold and teal, then rose and violet: a film's warm against cold",
    .count = 4,
    .shown = {RGB(0xffb45c), RGB(0x4fc3dc), RGB(0xff7d86), RGB(0xa48cff)},
};

static const struct tint_palette *const palettes[] = {&palette_four, &okabe_ito, &tol_bright,
                                                      &tol_light, &palette_film};

const struct registry palette_registry = REGISTRY_LIST("palette", palettes);

/* ---- quantity ---- */

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

/* ---- colour ---- */

extern const char shader_colour_velocity_glsl[], shader_colour_speed_glsl[],
    shader_colour_temperature_glsl[], shader_colour_radial_glsl[],
    shader_colour_acceleration_glsl[], shader_colour_tint_glsl[], shader_colour_constant_glsl[],
    shader_colour_density_glsl[], shader_colour_difference_glsl[],
    shader_colour_velocity_rgb_glsl[], shader_colour_depth_glsl[], shader_colour_quantity_glsl[],
    shader_colour_stars_glsl[];

static const struct colour velocity = {
    .name = "velocity",
    .doc = "direction of the velocity in the picture as hue, its size as chroma, perceptually "
           "uniform: opposite directions have opposite hues, rest is white; approaching bodies are "
           "lighter, receding ones darker; with a column age, old stars are slightly warmer and "
           "young ones cooler",
    .glsl = shader_colour_velocity_glsl,
    .columns = {COLUMN_AGE},
    .legend = {.quantity = "velocity",
               .scale = LEGEND_SPEED,
               .low = "away",
               .high = "towards",
               .disk = legend_velocity},
};

static const struct colour velocity_rgb = {
    .name = "velocity-rgb",
    .doc = "direction and size of the velocity as red, green, blue from its x, y, z",
    .glsl = shader_colour_velocity_rgb_glsl,
    .legend = {.quantity = "velocity",
               .scale = LEGEND_SPEED,
               .signed_scale = true,
               .bars = 3,
               .names = {"x", "y", "z"},
               .colour = legend_velocity_rgb},
};

static const struct colour speed = {
    .name = "speed",
    .doc = "size of the velocity through look.map, 0 to look.speed",
    .glsl = shader_colour_speed_glsl,
    .mapped = true,
    .legend = {.quantity = "speed", .scale = LEGEND_SPEED, .bars = 1, .colour = legend_mapped},
};

static const struct colour temperature = {
    .name = "temperature",
    .doc = "one-dimensional velocity dispersion of the bodies within the distance of the 32nd "
           "neighbour, through look.map, 0 to half of look.speed; rotating disks are cold, merged "
           "galaxies are hot",
    .glsl = shader_colour_temperature_glsl,
    .columns = {COLUMN_DISPERSION},
    .mapped = true,
    .legend = {.quantity = "velocity dispersion",
               .scale = LEGEND_DISPERSION,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct colour radial = {
    .name = "radial",
    .doc = "velocity along the line of sight: blue approaches, red recedes, white moves across",
    .glsl = shader_colour_radial_glsl,
    .legend = {.quantity = "radial velocity",
               .scale = LEGEND_SPEED,
               .signed_scale = true,
               .low = "towards",
               .high = "away",
               .bars = 1,
               .colour = legend_radial},
};

static const struct colour acceleration = {
    .name = "acceleration",
    .doc = "size of the acceleration through look.map, logarithmic, look.acceleration / 100 to "
           "look.acceleration",
    .glsl = shader_colour_acceleration_glsl,
    .columns = {COLUMN_ACCELERATION},
    .mapped = true,
    .legend = {.quantity = "acceleration",
               .scale = LEGEND_ACCELERATION,
               .decades = 2,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct colour quantity = {
    .name = "quantity",
    .doc = "look.quantity, a column of the bodies, through look.map: its values at the start or, "
           "in snapshots, at each moment; bodies without a value are grey",
    .glsl = shader_colour_quantity_glsl,
    .columns = {COLUMN_QUANTITY},
    .mapped = true,
    .legend = {.quantity = "quantity",
               .scale = LEGEND_QUANTITY,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct colour density = {
    .name = "density",
    .doc = "number of bodies seen around this one, through look.map, logarithmic, from a single "
           "body to the densest place at the start",
    .glsl = shader_colour_density_glsl,
    .by_density = true,
    .mapped = true,
    .legend = {.quantity = "density",
               .low = "alone",
               .high = "densest",
               .bars = 1,
               .colour = legend_mapped},
};

static const struct colour galaxy = {
    .name = "galaxy",
    .doc = "one colour per galaxy",
    .glsl = shader_colour_tint_glsl,
    .tint = TINT_GALAXY,
    .legend = {.swatches = true},
};

static const struct colour component = {
    .name = "component",
    .doc = "one colour per component, such as disk or bulge, the same in every galaxy",
    .glsl = shader_colour_tint_glsl,
    .tint = TINT_COMPONENT,
    .legend = {.swatches = true},
};

static const struct colour stars = {
    .name = "stars",
    .doc = "the light of stars: old ones orange, young ones blue, by the column age if bodies have "
           "it, otherwise by the names of the components: bulges and clusters warm, disks blue, "
           "halos faint; "
           "components with other names in one colour per galaxy",
    .glsl = shader_colour_stars_glsl,
    .tint = TINT_STARS,
    .columns = {COLUMN_AGE},
    .legend = {.swatches = true},
};

static const struct colour constant = {
    .name = "constant",
    .doc = "white light from every body",
    .glsl = shader_colour_constant_glsl,
};

const struct colour colour_difference = {
    .name = "difference",
    .doc = "distance from where panel 1 has the body, through look.map, logarithmic, up to ten "
           "times the bodies' extent and from a millionth of that",
    .glsl = shader_colour_difference_glsl,
    .legend = {.quantity = "distance apart",
               .scale = LEGEND_DISTANCE,
               .decades = 6,
               .bars = 1,
               .colour = legend_mapped},
    .mapped = true,
};

const struct colour colour_depth = {
    .name = "depth",
    .doc = "depth in the picture, and its square",
    .glsl = shader_colour_depth_glsl,
};

const struct colour colour_plain = {
    .name = "plain",
    .doc = "look.plain",
    .glsl = shader_colour_tint_glsl,
};

bool colour_uses(const struct colour *colour, const char *column)
{
    for (int k = 0; k < COLOUR_COLUMNS && colour->columns[k]; k++)
        if (strcmp(colour->columns[k], column) == 0)
            return true;
    return false;
}

static const struct colour *const colours[] = {&velocity,     &speed,        &radial, &temperature,
                                               &acceleration, &density,      &galaxy, &component,
                                               &constant,     &velocity_rgb, &stars,  &quantity};

const struct registry colour_registry = REGISTRY_LIST("colour mode", colours);
