/* A short film of A, B and their difference side by side. It shows what single frames do not:
 * flicker, dropped frames, jumps of the camera. H.264 in MP4, which every browser plays from inside
 * a page, even without a network or JavaScript. */
#pragma once

#include "cmd/regression/exhibit/exhibit.h"
#include "cmd/regression/judge/report.h"

#include <stddef.h>

/* The size in base64 must stay below 2 MB, which is the room for a clip in a page. */
enum { CLIP_FRAMES_MAX = 48, CLIP_LEAD_IN = 8, CLIP_BYTES_MAX = 1490000 };

/* Writes FOLDER/clip.mp4 and enters it in the case. It shows at most CLIP_FRAMES_MAX frames,
 * starting at the first pair, or CLIP_LEAD_IN before the pair with index `from` if that is later.
 * Large pictures are scaled down; a scaled difference keeps the maximum of each area, so that a
 * single pixel stays visible. `most`: the largest difference in codes, which sets the gain. A frame
 * that one side lacks is grey. Without an encoder, or if the film cannot be made small enough,
 * there is no clip, and a warning says so. */
enum status exhibit_clip(const struct exhibit *exhibit, const struct exhibit_pair *pairs,
                         size_t count, size_t from, double most, struct case_report *one);
