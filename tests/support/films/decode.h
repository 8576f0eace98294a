/* Reads a film back with libav, independently of how it was written. For tests only. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct decode_state;

enum decode_projection {
    DECODE_FLAT,
    DECODE_SIDE_BY_SIDE,
    DECODE_TOP_BOTTOM,
    DECODE_EQUIRECT,
    DECODE_OTHER,
};

struct decoded {
    int width, height;
    int rate_num, rate_den;
    double duration;                 /* by the container's header, 0 when it does not say */
    int primaries, transfer, matrix; /* of the container's stream, as numbered in ITU-T H.273 */
    bool limited_range;
    int frame_primaries, frame_transfer, frame_matrix; /* of the decoder's frame */
    bool frame_limited_range;
    int depth, chroma_shift_x, chroma_shift_y; /* of the decoder's frame */
    char codec[32], profile[48];
    enum decode_projection projection; /* of the container's stream */
    uint64_t frames;                   /* decoded so far */
    double time;                       /* seconds at which the current frame is shown */
    struct decode_state *state;
};

/* False, after printing why, when the film cannot be read. */
bool decode_open(struct decoded *film, const char *path);

/* Skips everything before the key frame that begins the group of pictures `group`, counted from 0,
 * so that nothing before it is decoded. Call before the first decode_next. */
void decode_begin_at(struct decoded *film, int group);

/* Steps to the next frame. False at the end; prints and counts nothing for a broken one. */
bool decode_next(struct decoded *film);

/* Of the current frame. Coordinates of sample are the plane's own; rgb takes the pixel's and undoes
 * BT.709 at limited range, nearest chroma sample, to 0..1. */
int decode_sample(const struct decoded *film, int plane, int x, int y);
void decode_rgb(const struct decoded *film, int x, int y, double rgb[3]);

/* NULL when the container has no such tag. Valid until close. */
const char *decode_tag(const struct decoded *film, const char *key);
void decode_close(struct decoded *film);
