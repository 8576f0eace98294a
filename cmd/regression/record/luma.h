/* Measures the luma of pictures of any format. Thread-safe. */
#pragma once

#include "cmd/regression/record/record.h"
#include "render/picture/picture.h"

/* Fills in frame->picture, picture_light and thumbnail. Light is luma to the power of 2.2, the
 * gamma with which the look's tone curve ends. `known` may be a record of the same picture, whose
 * measurements are then copied; or NULL. */
void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame);

/* Returns the luma of R'G'B' by Rec. ITU-R BT.709-6, in codes of the same number of bits. */
uint32_t luma_of(uint32_t red, uint32_t green, uint32_t blue);
