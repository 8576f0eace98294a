/* What encoding has lost of a picture: the decoded samples held against those that were encoded.
 * Thread-safe. */
#ifndef CMD_REGRESSION_RECORD_LOSS_H
#define CMD_REGRESSION_RECORD_LOSS_H

#include "cmd/regression/record/record.h"
#include "render/picture/picture.h"

/* The samples of a decoded picture, rows of a component one after the other, and how long they are:
 * of Y'CbCr that was encoded each component as it was decoded, of RGB only the first, which holds
 * 16-bit RGB. NULL: not to be had. */
struct decoded_component {
    const uint16_t *samples;
    uint32_t width, height;
};

struct decoded {
    struct decoded_component component[3];
    uint32_t bits; /* of Y'CbCr. Some codecs, ProRes for one, are decoded with more than they got */
};

bool loss_is_rgb(enum picture_format format);

/* Fills in psnr_y, psnr_cb, psnr_cr, ssim and bias of the frame, NAN where the components cannot be
 * compared. PSNR in dB against the largest code, as ffmpeg counts it, INFINITY where all samples
 * are equal; of RGB that of its luma, blue and red. `data` is the picture's memory, laid out like
 * `layout`. */
void loss_measure(const struct picture_layout *layout, const uint8_t *data,
                  const struct decoded *decoded, struct frame_record *frame);

/* Luma of both, in codes of 255: width * height bytes each, of the picture's size. False where
 * they cannot be compared. */
bool loss_luma(const struct picture_layout *layout, const uint8_t *data,
               const struct decoded *decoded, uint8_t *given, uint8_t *shown);

#endif
