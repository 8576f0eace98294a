/* One frame as its source holds it: decoded, and not yet converted to RGB. It does not change and
 * may be used by several threads. */
#ifndef RENDER_READER_FRAME_H
#define RENDER_READER_FRAME_H

#include "base/status.h"
#include "render/picture/format.h"
#include "render/picture/planes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AVFrame;
struct reader_frame;

/* Takes the frame over; the path is the reader's, for sentences. */
struct reader_frame *frame_keep(struct AVFrame *decoded, enum picture_alpha alpha,
                                const char *path);
/* The same samples once more, to be released as well. */
struct reader_frame *frame_share(const struct reader_frame *frame);
void frame_release(struct reader_frame **frame); /* accepts a pointer to NULL */

/* As reader_read gives it. */
enum status frame_to_rgb(const struct reader_frame *frame, uint16_t *rgb);

/* The same into rows of tiles of planes of its size, see pixels_to_planes. */
enum status frame_to_planes(const struct reader_frame *frame, struct planes *planes,
                            const uint8_t *needed, uint32_t row, uint32_t rows);

/* Whether two frames are the same to every sample, and mean the same colours. */
bool frame_equal(const struct reader_frame *a, const struct reader_frame *b);

/* Whether the samples are floats of light. */
bool frame_is_light(const struct reader_frame *frame);

/* Counts the pixels of two frames of light of one size in which a channel differs by more than this
 * share of its larger value and the smallest step of a half float. x, y: where it differs most. */
uint64_t frame_light_differs(const struct reader_frame *a, const struct reader_frame *b,
                             double share, int32_t *x, int32_t *y);

/* Luma as bytes, rows `*stride` apart; NULL where it is not kept so. */
const uint8_t *frame_luma(const struct reader_frame *frame, ptrdiff_t *stride);

/* Whether luma of both means the same: what frame_luma gives can be compared. */
bool frame_alike(const struct reader_frame *a, const struct reader_frame *b);

/* Finds the tiles that a comparison needs to look at and sets needed[rows][columns] (tiles of
 * PLANES_TILE) to 1, else 0: no channel of the tile reaches `lit` codes (of 255) in
 * either frame, and none differs by more than `free`. False, and nothing is set, where this
 * cannot be told from the samples, or is not worth it. */
bool frame_find_needed(const struct reader_frame *a, const struct reader_frame *b, double lit,
                       double free, uint8_t *needed);

#endif
