/* Perceived colour differences, in OKLab (B. Ottosson, "A perceptual color space for image
 * processing", 2020): about 0.02 is the smallest visible side by side. */
#ifndef RENDER_COMPARE_COLOUR_H
#define RENDER_COMPARE_COLOUR_H

#include "render/picture/planes.h"

enum { COLOUR_SIDE = 8 };

/* Distance between the mean colours of the 8 x 8 pixels at `at` samples in each channel.
 * Thread-safe. */
double colour_distance(const struct planes *a, const struct planes *b, size_t at);

#endif
