/* OKLab: a perceptually uniform space of lightness, green to red (a) and blue to yellow (b). B.
 * Ottosson, "A perceptual color space for image processing", 2020. Pure and thread-safe. */
#ifndef RENDER_COLOUR_OKLAB_H
#define RENDER_COLOUR_OKLAB_H

/* Lightness, a and b -> linear red, green, blue in sRGB primaries; negative outside its gamut. */
void oklab_to_light(const double lab[3], double light[3]);

#endif
