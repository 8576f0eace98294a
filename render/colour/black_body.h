/* The colour of a glowing body by its temperature. Pure and thread-safe. */
#ifndef RENDER_COLOUR_BLACK_BODY_H
#define RENDER_COLOUR_BLACK_BODY_H

/* Kelvin (at least 1,000) -> red, green, blue as shown on a display; the largest is 1. Planck's
 * law, seen by the CIE 1931 observer in the fit of C. Wyman, P.-P. Sloan and P. Shirley ("Simple
 * analytic approximations to the CIE XYZ color matching functions", JCGT 2, 2013), in sRGB
 * primaries; out-of-gamut components are clipped to 0. */
void black_body_shown(double kelvin, float shown[3]);

#endif
