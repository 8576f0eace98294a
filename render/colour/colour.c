#include "render/colour/colour.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "render/found.h"
#include "render/params.h"
#include "sim/view.h"

#include <math.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* ---- black body ---- */

/* One lobe of the fit: a Gaussian with different widths left and right of its centre;
 * nanometres. */
static double lobe(double wavelength, double height, double centre, double left, double right)
{
    const double away = (wavelength - centre) * (wavelength < centre ? left : right);
    return height * fn_exp(-0.5 * away * away);
}

static void observe(double nm, double xyz[3])
{
    xyz[0] = lobe(nm, 0.362, 442.0, 0.0624, 0.0374) + lobe(nm, 1.056, 599.8, 0.0264, 0.0323) +
             lobe(nm, -0.065, 501.1, 0.0490, 0.0382);
    xyz[1] = lobe(nm, 0.821, 568.8, 0.0213, 0.0247) + lobe(nm, 0.286, 530.9, 0.0613, 0.0322);
    xyz[2] = lobe(nm, 1.217, 437.0, 0.0845, 0.0278) + lobe(nm, 0.681, 459.0, 0.0385, 0.0725);
}

void black_body_shown(double kelvin, float shown[3])
{
    static const double to_light[3][3] = {{3.2404542, -1.5371385, -0.4985314},
                                          {-0.9692660, 1.8760108, 0.0415560},
                                          {0.0556434, -0.2040259, 1.0572252}};
    const double second_constant = 1.438776877e7; /* radiation constant c2, nm K */
    double sum[3] = {0}, light[3] = {0}, most = 0;
    for (int nm = 380; nm <= 780; nm += 5) {
        double xyz[3];
        observe(nm, xyz);
        const double power = fn_pow(nm / 560.0, -5) / fn_expm1(second_constant / (nm * kelvin));
        for (int i = 0; i < 3; i++)
            sum[i] += power * xyz[i];
    }
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++)
            light[c] += to_light[c][i] * sum[i];
        light[c] = fmax(light[c], 0);
        most = fmax(most, light[c]);
    }
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(light[c] / most, 1 / 2.2);
}

/* ---- stars ---- */

/* Bulges and halos have old stars, whose light is that of red giants. Disks have young ones, whose
 * light is that of a few hot stars. Gas shines in the hydrogen lines H alpha and H beta. */
static const struct star_kind kinds[] = {
    {.name = "bulge", .kelvin = 3500, .brightness = 2},
    {.name = "bar", .kelvin = 4000, .brightness = 1},
    {.name = "halo", .kelvin = 4600, .brightness = 0.2},
    {.name = "plummer", .kelvin = 4800, .brightness = 1}, /* globular clusters are old */
    {.name = "king", .kelvin = 4800, .brightness = 1},
    {.name = "globular", .kelvin = 4800, .brightness = 1},
    {.name = "hernquist", .kelvin = 4000, .brightness = 1}, /* an elliptical galaxy */
    {.name = "gas", .shown = {1, 0.36f, 0.55f}, .brightness = 0.6},
    {.name = "disk", .kelvin = 25000, .brightness = 1},
    {.name = "disc", .kelvin = 25000, .brightness = 1},
    {.name = "star", .kelvin = 5800, .brightness = 1},
};

static bool has_word(const char *name, const char *word)
{
    const size_t length = strlen(word);
    for (; *name; name++)
        if (strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

const struct star_kind *star_kind_of(const char *component)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (has_word(component, kinds[i].name))
            return &kinds[i];
    return NULL;
}

double star_kelvin(double age)
{
    return 4000 * fn_pow(10 / fmin(fmax(age, STAR_YOUNGEST), STAR_OLDEST), 0.6);
}

void star_age_shown(double place, float shown[3])
{
    static const double luma[3] = {0.2126, 0.7152, 0.0722};
    static const double vivid = 1.8;
    double light[3], grey = 0, most = 0;
    black_body_shown(star_kelvin(STAR_YOUNGEST * fn_pow(STAR_OLDEST / STAR_YOUNGEST, place)),
                     shown);
    for (int c = 0; c < 3; c++) {
        light[c] = fn_pow(shown[c], 2.2);
        grey += luma[c] * light[c];
    }
    for (int c = 0; c < 3; c++) {
        light[c] = fmax(grey + vivid * (light[c] - grey), 0.02 * grey);
        most = fmax(most, light[c]);
    }
    for (int c = 0; c < 3; c++)
        shown[c] = (float)fn_pow(light[c] / most, 1 / 2.2);
}

void star_kind_shown(const struct star_kind *kind, float shown[3])
{
    if (kind->kelvin > 0)
        black_body_shown(kind->kelvin, shown);
    else
        memcpy(shown, kind->shown, sizeof kind->shown);
}

/* ---- colour ---- */

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
               .full = look_full_speed,
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
               .full = look_full_speed,
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
    .legend = {.quantity = "speed",
               .scale = LEGEND_SPEED,
               .full = look_full_speed,
               .bars = 1,
               .colour = legend_mapped},
};

static double half_speed(const struct look_params *look, const struct look_found *found)
{
    return look_full_speed(look, found) / 2;
}

static const struct colour temperature = {
    .name = "temperature",
    .doc = "one-dimensional velocity dispersion of the bodies within the distance of the 32nd "
           "neighbour, through look.map, 0 to half of look.speed; rotating disks are cold, merged "
           "galaxies are hot",
    .glsl = shader_colour_temperature_glsl,
    .columns = {COLUMN_DISPERSION},
    .mapped = true,
    .legend = {.quantity = "velocity dispersion",
               .scale = LEGEND_SPEED,
               .full = half_speed,
               .bars = 1,
               .colour = legend_mapped},
};

static const struct colour radial = {
    .name = "radial",
    .doc = "velocity along the line of sight: blue approaches, red recedes, white moves across",
    .glsl = shader_colour_radial_glsl,
    .legend = {.quantity = "radial velocity",
               .scale = LEGEND_SPEED,
               .full = look_full_speed,
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
               .full = look_full_acceleration,
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
               .scale = LEGEND_LENGTH,
               .full = look_full_extent,
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
