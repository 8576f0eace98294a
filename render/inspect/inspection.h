/* What was found by looking at a film: everything that a film's file says and holds, packet by
 * packet and picture by picture. What is wrong with it is told, and only what keeps the file from
 * being read at all is a failure. */
#ifndef RENDER_INSPECT_INSPECTION_H
#define RENDER_INSPECT_INSPECTION_H

#include "base/tag.h"
#include "render/inspect/look.h"
#include "render/video/demuxer.h"

#include <stdbool.h>
#include <stdint.h>

struct container;
struct picture_file; /* render/video/picture_file.h */

enum { INSPECT_FRAMES_MAX = 1 << 24 };

/* A packet, at its place in the order of showing, and the picture that it holds. */
struct inspected_frame {
    int64_t shown;   /* ticks of the time base */
    bool key;        /* by the container */
    bool key_coded;  /* the decoder says so as well */
    bool leads_back; /* decoded after a later key frame, but shown before it: the GOP is open */
    bool decoded;    /* a picture came of it */
    struct look look;
    char *complaint; /* what libav said of it, or of the packet after it; NULL: nothing */
};

struct inspection {
    bool is_film;                      /* not PNG files, which have neither packets nor times */
    const struct container *container; /* NULL of picture files */
    const struct picture_file *file_format; /* of these; NULL: a film */
    char *codec, *pixel_format;             /* "h264", "yuv420p" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;        /* 0/0: not said */
    int64_t base_num, base_den;       /* seconds of a tick */
    int64_t duration;                 /* of the whole film, microseconds; negative: not said */
    uint64_t told_frames;             /* by a header; 0: not said */
    uint64_t first;                   /* number of the first PNG file; 0 */
    char *file;                       /* the first PNG file; NULL of a film */
    bool is_alone;                    /* one PNG file, whose frame is not known */
    struct colour_tags told, coded;   /* by the container; by the stream itself */
    uint32_t told_width, told_height; /* by the container; 0: not said */
    uint32_t aspect_num, aspect_den;  /* of a pixel; 0/0: not said */
    unsigned streams;                 /* others beside the pictures' among them */
    struct tags tags;
    char *ending;            /* why reading ended before the file did; NULL: it did not */
    uint64_t extra_pictures; /* decoded that belong to no packet's time */
    double darkest;          /* see looker_darkest */
    uint64_t count;
    struct inspected_frame *frames; /* [count] */
};

void inspection_free(struct inspection *inspection); /* accepts a zeroed one */

#endif
