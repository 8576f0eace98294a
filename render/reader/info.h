/* What is known about a reader's pictures. */
#pragma once

#include "render/picture/format.h"

#include <stdbool.h>
#include <stdint.h>

struct picture_file; /* render/video/picture_file.h */

struct reader_info {
    uint32_t width, height;
    uint32_t fps_num, fps_den; /* 0/0: unknown, as for PNG files */
    uint64_t first, frames;    /* frames first .. first + frames - 1; numbers of the files in a
                                * sequence, from 0 otherwise */
    uint32_t bits;             /* per sample of the source */
    bool is_video;             /* not pictures in files of their own */
    const struct picture_file *file; /* the format of these; NULL: a film */
    enum picture_alpha alpha;        /* pictures are composited on black */
    const char *pixel_format; /* libav's name: "yuv420p", "rgb48be"; "" where it is not known */
};
