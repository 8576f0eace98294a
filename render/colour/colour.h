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

/* What the tint of a group of bodies means. */
/* TINT_STARS: by the component if stars.h knows its name, otherwise by the galaxy. */
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
