/* A short film of A, B and their difference side by side, for what single frames do not show:
 * flicker, drops, jumps of the camera. H.264 in MP4, which every browser plays from a page that
 * holds it, also without a network and without JavaScript. */
#ifndef CMD_REGRESSION_EXHIBIT_CLIP_H
#define CMD_REGRESSION_EXHIBIT_CLIP_H

#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/report.h"

#include <stddef.h>

/* As a page that holds it in base64 has 2 MB for it. */
enum { CLIP_FRAMES_MAX = 48, CLIP_LEAD_IN = 8, CLIP_BYTES_MAX = 1490000 };

/* Of so many frames from the first pair on, or CLIP_LEAD_IN before the pair of index `from`,
 * CLIP_FRAMES_MAX at most, as FOLDER/clip.mp4 named in the case. Pictures are made smaller where
 * they are large; of a difference the most of each area is kept, so that one of a pixel stays
 * visible. `most`: the largest difference in codes, by which it is amplified. A frame that one side
 * does not have is grey. Where no encoder is there, or the film cannot be made small enough, there
 * is none, and a warning says so. */
enum status exhibit_clip(const struct exhibit *exhibit, const struct exhibit_pair *pairs,
                         size_t count, size_t from, double most, struct case_report *one);

#endif
