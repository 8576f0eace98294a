/* Colour modes: how a body's state becomes a colour. One const entry each, default first. */
#ifndef RENDER_COLOUR_COLOUR_H
#define RENDER_COLOUR_COLOUR_H

#include "render/colour/legend.h"

#include <stdbool.h>

/* What the tints of the groups of bodies mean. */
/* Of stars: by the component where stars.h knows its name, otherwise by the galaxy. */
enum colour_tint { TINT_NONE, TINT_GALAXY, TINT_COMPONENT, TINT_STARS };

enum { COLOUR_COLUMNS = 2 };
struct colour {
    const char *name, *doc;
    /* Defines `vec3 body_colour()`, linear light; what it may use is in shaders/colour_common.glsl.
     */
    const char *glsl;
    enum colour_tint tint;
    bool by_density;                     /* needs a density scale */
    bool mapped;                         /* through look.map */
    const char *columns[COLOUR_COLUMNS]; /* of views; body_colour() finds each in a float of its
                                            name; NULL: no more */
    struct legend legend;                /* all zero: the colours mean nothing */
};

/* Whether it is by that column. */
bool colour_uses(const struct colour *colour, const char *column);

/* look.quantity of each body as its place along look.map, 0 to 1; below 0: the body has none. */
#define COLUMN_QUANTITY "quantity"
/* The age of a body's stars in Gyr, 0 for gas that forms them; below 0: not known. */
#define COLUMN_AGE "stellar_age"

/* Not to be chosen by name: how far bodies are from where another simulation has them, the one
 * colour of a plain draw mode, and how deep in the picture bodies are. */
extern const struct colour colour_difference, colour_plain, colour_depth;

#endif
