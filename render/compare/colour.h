/* Differences of colour as they are seen, in OKLab (B. Ottosson, "A perceptual color space for
 * image processing", 2020): 0.02 is about the smallest difference that is visible side by side. */
#pragma once

#include "render/picture/planes.h"

enum { COLOUR_SIDE = 8 };

/* Distance of the mean colours of the 8 x 8 pixels at `at` samples in each channel. Thread-safe. */
double colour_distance(const struct planes *a, const struct planes *b, size_t at);
