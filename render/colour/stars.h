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

/* Where nothing but the age of a body's stars is known: the temperature of the black body that has
 * about their colour together, 4,000 K at 10 Gyr and growing as age^-0.6 (younger stars are hotter
 * the less time the massive ones among them have had to die), with its distance from white 1.8
 * times as large, as pictures of galaxies are shown. */
enum { STAR_AGES = 33 };
#define STAR_YOUNGEST 0.1 /* Gyr; younger ones look alike */
#define STAR_OLDEST   13.0

double star_kelvin(double age);

/* Red, green, blue as shown on a display; place 0 is the youngest age, 1 the oldest, and equal
 * steps are equal ratios. */
void star_age_shown(double place, float shown[3]);

/* Red, green, blue as shown on a display. */
void star_kind_shown(const struct star_kind *kind, float shown[3]);

#endif
