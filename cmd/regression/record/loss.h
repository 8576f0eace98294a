/* Measures pictures on their way to the film, and what encoding has lost of them, by comparing the
 * decoded samples with those that were encoded. Thread-safe. */
#pragma once

#include "cmd/regression/record/record.h"
#include "render/picture/picture.h"

/* The samples of one component of a decoded picture, row after row, and the length of the rows. For
 * encoded Y'CbCr, each component is as decoded; for RGB, only the first is used, and it holds
 * 16-bit RGB. NULL: not available. */
struct decoded_component {
    const uint16_t *samples;
    uint32_t width, height;
};

struct decoded {
    struct decoded_component component[3];
    uint32_t bits; /* for Y'CbCr; ProRes, for one, decodes to more bits than it was given */
};

/* Fills in psnr_y, psnr_cb, psnr_cr, ssim and bias of the frame; NAN if the components cannot be
 * compared. PSNR is in dB relative to the largest code, as ffmpeg computes it, and INFINITY if all
 * samples are equal; for RGB, it is that of its luma, blue and red. `data` is the picture's memory,
 * laid out like `layout`. */
void loss_measure(const struct picture_layout *layout, const uint8_t *data,
                  const struct decoded *decoded, struct frame_record *frame);

/* Gives the luma of both pictures in codes of 255, as width * height bytes each, at the size of the
 * picture. Returns false if they cannot be compared. */
bool loss_luma(const struct picture_layout *layout, const uint8_t *data,
               const struct decoded *decoded, uint8_t *given, uint8_t *shown);

/* Fills in frame->picture, picture_light and thumbnail. Light is luma to the power of 2.2, the
 * gamma with which the look's tone curve ends. `known` may be a record of the same picture, whose
 * measurements are then copied; or NULL. */
void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame);

/* Returns the luma of R'G'B' by Rec. ITU-R BT.709-6, in codes of the same number of bits. */
uint32_t luma_of(uint32_t red, uint32_t green, uint32_t blue);
