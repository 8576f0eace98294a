/* Pictures as libav's encoders take them. */
#pragma once

#include "render/picture/picture.h"

struct AVFrame;

/* Fills `frame`, whose size, format and planes are set. Its format is the picture's or, for 10 bits
 * a sample, one that keeps them in the upper bits of 16, planar or with interleaved colour. It may
 * be one column or row larger than the picture: that is black, and colour samples that it shares
 * with the picture's edge are halved towards grey, the mean of both. Thread-safe. */
void frame_fill(struct AVFrame *frame, const struct picture *picture);
