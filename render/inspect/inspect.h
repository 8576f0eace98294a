/* Measures a film's pictures one after the other: how bright they are, and how much they change.
 * Used by one thread. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/video/demuxer.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Grids of 16 x 9, 32 x 18 and 64 x 36 cells, on which motion is followed: in the coarsest, the
 * distance of two pictures grows with the time between them for longest. */
enum { LOOK_GRIDS = 3 };

/* Brightness above black, in 8-bit code values (0 to 255). */
struct look {
    double peak;     /* the brightest sample */
    double mean;     /* of all samples */
    double change;   /* mean absolute difference from the previous picture; NAN: no such picture */
    double away;     /* the same difference from the first picture */
    bool same;       /* identical to the previous picture */
    uint64_t broken; /* infinite or NaN samples */
    /* For each grid, the sum of squares of the differences of its cells' means from those of the
     * previous picture, and of the one before that; NAN: no such picture. */
    double step[LOOK_GRIDS], leap[LOOK_GRIDS];
};

/* Inspects everything in a film's file, packet by packet and picture by picture. Faults are
 * recorded in the inspection; only a file that cannot be read at all is a failure. */

/* The result of inspecting a film's file packet by packet and picture by picture. */

struct container;
struct picture_file; /* render/video/picture_file.h */

enum { INSPECT_FRAMES_MAX = 1 << 24 };

/* A packet, in presentation order, and its picture. */
struct inspected_frame {
    int64_t shown;   /* ticks of the time base */
    bool key;        /* according to the container */
    bool key_coded;  /* according to the decoder */
    bool leads_back; /* decoded after a later key frame but shown before it: an open GOP */
    bool decoded;    /* it was decoded to a picture */
    struct look look;
    char *complaint; /* libav's message about it or about the packet after it; NULL: none */
};

struct inspection {
    bool is_film;                      /* not PNG files, which have neither packets nor times */
    const struct container *container; /* NULL for picture files */
    const struct picture_file *file_format; /* of picture files; NULL: a film */
    char *codec, *pixel_format;             /* "h264", "yuv420p" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;        /* 0/0: unknown */
    int64_t base_num, base_den;       /* seconds per tick */
    int64_t duration;                 /* of the whole film, microseconds; negative: unknown */
    uint64_t told_frames;             /* frame count in the header; 0: none */
    uint64_t first;                   /* number of the first PNG file; 0 */
    char *file;                       /* the first PNG file; NULL for a film */
    bool is_alone;                    /* a single PNG file, whose frame number is unknown */
    struct colour_tags told, coded;   /* from the container; from the stream */
    uint32_t told_width, told_height; /* from the container; 0: unknown */
    uint32_t aspect_num, aspect_den;  /* of a pixel; 0/0: unknown */
    unsigned streams;                 /* all streams, including the video */
    struct tags tags;
    char *ending;            /* why reading stopped before the end of the file; NULL: it did not */
    uint64_t extra_pictures; /* decoded pictures whose time matches no packet */
    double darkest;          /* mean of the darkest value of each sample in any picture */
    uint64_t count;
    struct inspected_frame *frames; /* [count] */
};

void inspection_free(struct inspection *inspection); /* accepts a zeroed one */

/* `path` as for reader_open. STATUS_IO: it cannot be read; STATUS_USAGE: it is not a film or has no
 * picture; STATUS_DEVICE: there is no decoder; STATUS_STOPPED soon after *stop, which may be NULL,
 * becomes nonzero. inspection_free in every case. */
enum status inspect_film(struct inspection *out, const char *path, volatile sig_atomic_t *stop);
