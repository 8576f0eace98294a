/* What the parts of a galaxy are made of, by their names: the colour mode stars. Pure and
 * thread-safe. */
#ifndef RENDER_COLOUR_STARS_H
#define RENDER_COLOUR_STARS_H

#include <stdbool.h>

struct star_kind {
    const char *name;  /* a component whose name has this word, in small letters or capitals */
    double kelvin;     /* of the black body that has its colour; 0: shown */
    float shown[3];    /* red, green, blue on a display */
    double brightness; /* against a component's own light */
};

/* NULL for a name that has none of the words. */
const struct star_kind *star_kind_of(const char *component);

/* Red, green, blue as shown on a display. */
void star_kind_shown(const struct star_kind *kind, float shown[3]);

#endif
