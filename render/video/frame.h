/* Pictures in the form that libav's encoders take. */
#ifndef RENDER_VIDEO_FRAME_H
#define RENDER_VIDEO_FRAME_H

#include "render/picture/picture.h"

struct AVFrame;

/* Fills `frame`, whose size, format and planes are set. Its format is the picture's or, for 10 bits
 * per sample, one with them in the upper bits of 16, planar or with interleaved chroma. It may be
 * one column or row larger than the picture: the addition is black, and chroma samples shared with
 * the picture's edge are the mean of edge and grey. Thread-safe. */
void frame_fill(struct AVFrame *frame, const struct picture *picture);

#endif
