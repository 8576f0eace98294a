/* OKLab: colours by lightness, green to red, and blue to yellow, evenly spaced to the eye.
 * B. Ottosson, "A perceptual color space for image processing", 2020. Pure and thread-safe. */
#pragma once

/* Lightness, a and b -> linear red, green, blue of sRGB's primaries; below 0 beyond its gamut. */
void oklab_to_light(const double lab[3], double light[3]);
