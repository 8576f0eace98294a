/* The colour of a glowing body by its temperature. Pure and thread-safe. */
#pragma once

/* Kelvin, 1,000 and above -> red, green, blue as shown on a display, the strongest of them 1.
 * Planck's law, seen by the observer of CIE 1931 as C. Wyman, P.-P. Sloan and P. Shirley fit it
 * ("Simple analytic approximations to the CIE XYZ color matching functions", JCGT 2, 2013), in
 * sRGB's primaries; what they cannot show is cut. */
void black_body_shown(double kelvin, float shown[3]);
