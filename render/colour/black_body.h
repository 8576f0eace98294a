/* The colour of a glowing body by its temperature. Pure and thread-safe. */
#pragma once

/* Converts a temperature in kelvin, at least 1,000, to red, green and blue as shown on a display,
 * the largest of them 1. Planck's law, with the CIE 1931 observer as fitted by C. Wyman, P.-P.
 * Sloan and P. Shirley ("Simple analytic approximations to the CIE XYZ color matching functions",
 * JCGT 2, 2013), in sRGB's primaries; colours outside their gamut are clipped. */
void black_body_shown(double kelvin, float shown[3]);
