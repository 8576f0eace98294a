/* Pictures as libav's encoders take them. */
#pragma once

#include "render/picture/picture.h"

struct AVFrame;

/* Fills `frame`, whose size, format and planes are set. Its format is the picture's or, for 10 bits
 * per sample, one with the bits in the upper part of 16, planar or with interleaved colour. It may
 * be one column or row larger than the picture; these pixels are black, and a colour sample shared
 * with the picture's edge is the mean of the edge's colour and grey. Thread-safe. */
void frame_fill(struct AVFrame *frame, const struct picture *picture);
