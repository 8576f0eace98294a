/* A frame as decoded, not yet converted to RGB. It is constant and may be used by several
 * threads. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct AVFrame;
struct reader_frame;

/* Takes over the frame; the path is the reader's, for messages. */
struct reader_frame *frame_keep(struct AVFrame *decoded, enum picture_alpha alpha,
                                const char *path);
/* A second reference to the same samples, which must also be released. */
struct reader_frame *frame_share(const struct reader_frame *frame);
void frame_release(struct reader_frame **frame); /* accepts a pointer to NULL */

/* Gives the same result as reader_read. */
enum status frame_to_rgb(const struct reader_frame *frame, uint16_t *rgb);

/* The same into rows of tiles of planes with the frame's size, see pixels_to_planes. */
enum status frame_to_planes(const struct reader_frame *frame, struct planes *planes,
                            const uint8_t *needed, uint32_t row, uint32_t rows);

/* Whether all samples of two frames are equal and mean the same colours. */
bool frame_equal(const struct reader_frame *a, const struct reader_frame *b);

/* Whether the samples are floats of light. */
bool frame_is_light(const struct reader_frame *frame);

/* Counts the pixels of two frames of light of one size in which a channel differs by more than this
 * share of its larger value and the smallest step of a half float. x, y: where it differs most. */
uint64_t frame_light_differs(const struct reader_frame *a, const struct reader_frame *b,
                             double share, int32_t *x, int32_t *y);

/* Luma as bytes, rows `*stride` apart; NULL if it is not stored as bytes. */
const uint8_t *frame_luma(const struct reader_frame *frame, ptrdiff_t *stride);

/* Whether luma has the same meaning in both, so that frame_luma can be compared. */
bool frame_alike(const struct reader_frame *a, const struct reader_frame *b);

/* Sets needed[rows][columns] (tiles of PLANES_TILE) to 1 for the tiles that a comparison must
 * examine, else to 0: no channel of the tile reaches `lit` codes (of 255) in either frame, and none
 * differs by more than `free`. False, with nothing set, if the samples cannot show this or it is
 * not worth the effort. */
bool frame_find_needed(const struct reader_frame *a, const struct reader_frame *b, double lit,
                       double free, uint8_t *needed);

/* Finds where two pictures of Y'CbCr bytes are both dark and equal except for rounding, from the
 * samples alone: most of a night sky need not be converted to be compared. */

/* Whether a tile is quiet, for each instruction set. */

struct quiet_pictures {
    uint32_t width, height;
    int shift_x, shift_y; /* log2 of the chroma subsampling, 0 or 1 */
    bool full;            /* range */
    const uint8_t *a[3], *b[3];
    ptrdiff_t stride_a[3], stride_b[3];
};

/* Chroma of a dark picture is at most this far from grey. */
enum { QUIET_CHROMA_NEAR = 2, QUIET_GREY = 128 };

struct quiet_bounds {
    uint8_t luma;      /* the brightest that counts as dark */
    uint8_t free_luma; /* difference that is free while chroma is equal */
};

/* Takes the upper left pixel of a tile of PLANES_TILE^2 pixels. Thread-safe. */
typedef bool quiet_tile_of(const struct quiet_pictures *pictures, const struct quiet_bounds *bounds,
                           uint32_t x, uint32_t y);

quiet_tile_of quiet_tile_baseline, quiet_tile_neon, quiet_tile_avx2, quiet_tile_avx512;

/* See frame_find_needed. Thread-safe. */
bool quiet_find_needed(const struct quiet_pictures *pictures, double lit, double free,
                       uint8_t *needed);
