/* The colour of a glowing body by its temperature. Pure and thread-safe. */
#pragma once

#include <stdbool.h>

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
