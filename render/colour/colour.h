/* Colour modes: how a body's state becomes a colour. One const entry each, default first.
 *
 * A new mode is an entry in colour.c, with its GLSL in shaders/colours.glsl. A column that it names
 * in `columns` is a float of that name there; cmd/film/start/quantity.c fills columns of the
 * bodies, sim/simulation.c those of the simulation. `test_golden --write` draws the mode's picture.
 */
#pragma once

#include "render/colour/legend.h"

#include <stdbool.h>

/* Palettes: the colours that galaxies and components get in their order. One const entry each,
 * default first. */

enum { TINT_PALETTE_MAX = 8 };

struct tint_palette {
    const char *name, *doc;
    int count;
    float shown[TINT_PALETTE_MAX][3]; /* red, green, blue on a display */
};

/* How the numbers of look.quantity lie along look.map. One const entry each, default first. Pure
 * and thread-safe. */

struct quantity_scale {
    const char *name, *doc;
    bool logarithmic;
};

/* Whether a number has a place along the map: it is finite and, on a logarithmic scale, above 0. */
bool quantity_has_place(const struct quantity_scale *scale, double value);

/* The place: 0 at `from`, 1 at `to`, clamped beyond them; -1: the number has none. */
float quantity_place(const struct quantity_scale *scale, double from, double to, double value);

/* The meaning of a group's tint. */
/* TINT_STARS: by the component if its name means a kind of stars (colour.c), otherwise by the
 * galaxy. */
enum colour_tint { TINT_NONE, TINT_GALAXY, TINT_COMPONENT, TINT_STARS };

enum { COLOUR_COLUMNS = 2 };
struct colour {
    const char *name, *doc;
    /* Defines `vec3 body_colour()`, which returns linear light; shaders/colours.glsl has what
     * it may use. */
    const char *glsl;
    enum colour_tint tint;
    bool by_density;                     /* needs a density scale */
    bool mapped;                         /* coloured through look.map */
    const char *columns[COLOUR_COLUMNS]; /* columns of the view, ended by NULL; body_colour() reads
                                          * each as a float of the same name */
    struct legend legend;                /* all zero: the colours have no meaning to explain */
};

/* Whether the mode reads that column. */
bool colour_uses(const struct colour *colour, const char *column);

/* look.quantity of each body as its place on look.map, 0 to 1; below 0: the body has none. */
#define COLUMN_QUANTITY "quantity"
/* The age of a body's stars in Gyr, 0 for gas that forms them; below 0: unknown. */
#define COLUMN_AGE "stellar_age"

/* Colours that cannot be chosen by name: how far bodies are from their positions in another
 * simulation, the single colour of a plain draw mode, and depth in the picture. */
extern const struct colour colour_difference, colour_plain, colour_depth;

/* The colour of a glowing body by its temperature. Pure and thread-safe. */

/* Converts a temperature in kelvin, at least 1,000, to red, green and blue as shown on a display,
 * the largest of them 1. Planck's law, with the CIE 1931 observer as fitted by C. Wyman, P.-P.
 * Sloan and P. Shirley ("Simple analytic approximations to the CIE XYZ color matching functions",
 * JCGT 2, 2013), in sRGB's primaries; colours outside their gamut are clipped. */
void black_body_shown(double kelvin, float shown[3]);

/* Star colours for the mode `stars`, chosen by the name of a galaxy's component. Pure and
 * thread-safe. */

struct star_kind {
    const char *name;  /* matches a component whose name contains this word, ignoring case */
    double kelvin;     /* of the black body with this colour; 0: `shown` holds the colour */
    float shown[3];    /* red, green, blue on a display */
    double brightness; /* factor on a component's own light */
};

/* NULL if the name contains none of the words. */
const struct star_kind *star_kind_of(const char *component);

/* The combined colour of stars of one age: roughly that of a black body of 4,000 K at 10 Gyr, and
 * hotter as age^-0.6 for younger ones (whose massive stars have not yet died), with its distance
 * from white exaggerated 1.8 times, as pictures of galaxies usually do. */
enum { STAR_AGES = 33 };
#define STAR_YOUNGEST 0.1 /* Gyr; younger stars get the same colour */
#define STAR_OLDEST   13.0

double star_kelvin(double age);

/* Red, green, blue as shown on a display. Place 0 is the youngest age, 1 the oldest; the scale is
 * logarithmic. */
void star_age_shown(double place, float shown[3]);

/* Red, green, blue as shown on a display. */
void star_kind_shown(const struct star_kind *kind, float shown[3]);
