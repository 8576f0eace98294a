#include "render/colour/colour.h"

#include "base/choice.h"
#include "render/params.h"
#include "sim/view.h"

#include <string.h>

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

static const struct colour *const list[] = {&velocity,     &speed,        &radial, &temperature,
                                            &acceleration, &density,      &galaxy, &component,
                                            &constant,     &velocity_rgb, &stars,  &quantity};

const struct registry colour_registry = REGISTRY_LIST("colour mode", list);
