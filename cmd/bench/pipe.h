/* The usual approach without this program: frames are drawn, read back as rgb24 and piped into the
 * ffmpeg program, one after the other. */
#pragma once

#include "cmd/film/film.h"

/* Measures the frames per second of rendering `frames` frames into an x264 file in `folder`, which
 * is removed afterwards. The film must be opened for PICTURE_RGBA8, its renderer unbound.
 * STATUS_DEVICE if there is no ffmpeg program. */
enum status bench_pipe(struct film *film, const char *preset, const char *folder, uint64_t frames,
                       double *rate);
