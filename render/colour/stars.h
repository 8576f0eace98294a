/* What the components of a galaxy consist of, judged by their names: the colour mode stars. Pure
 * and thread-safe. */
#pragma once

#include <stdbool.h>

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
