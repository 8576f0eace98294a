/* Luma of pictures of any format. Thread-safe. */
#ifndef CMD_RECORD_LUMA_H
#define CMD_RECORD_LUMA_H

#include "cmd/record/record.h"
#include "render/picture/picture.h"

/* Fills in frame->picture, picture_light and thumbnail. Light is luma to the power of 2.2, as the
 * look's tone curve ends. `known` may be a record of the same picture, in which it has been
 * measured already; or NULL. */
void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame);

/* Plane 0 without gaps between its rows: what is kept of a picture until its film is decoded. */
size_t luma_plane_bytes(const struct picture_layout *layout);
void luma_plane(const struct picture *picture, uint8_t *plane);

/* A decoded picture whose rows are `width` pixels apart: its luma codes of `bits` bits where the
 * encoder was given Y'CbCr, else its RGB [height][width][3]. */
struct decoded_luma {
    const uint16_t *samples;
    uint32_t width, bits;
};

/* PSNR in dB against the largest code, as ffmpeg counts it. Some codecs, ProRes for one, are
 * decoded with more bits than they were given. INFINITY where they are equal. */
double luma_psnr(const struct picture_layout *layout, const uint8_t *plane,
                 const struct decoded_luma *decoded);

#endif
