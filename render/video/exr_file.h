/* One EXR file of scene-linear light, written whole or not at all. Thread-safe.
 *
 * libavcodec's encoder makes it: it comes with what films are made with, where OpenEXRCore would be
 * one more library. It writes no attributes, so ours are put into the header that it made, and the
 * table of offsets behind that is moved by as much (openexr.com, "OpenEXR File Layout"). */
#ifndef RENDER_VIDEO_EXR_FILE_H
#define RENDER_VIDEO_EXR_FILE_H

#include "base/tag.h"
#include "render/picture/picture.h"

struct exr_settings {
    uint32_t bits;    /* 16: half, cut to 11 significant bits; 32 */
    struct tags tags; /* attributes of type string, after chromaticities of BT.709: a long text in
                         several, NAME, NAME.001 and on, each of whole characters */
};

/* STATUS_USAGE where no file is like that. */
enum status exr_file_check(uint32_t bits, enum picture_alpha alpha);

/* A picture of PICTURE_RGBAF32, as B, G, R, compressed by zip in blocks of 16 rows. `frames` counts
 * those written before, for the sentence. *bytes is the file's size. */
enum status exr_file_write(const char *name, const struct picture *picture,
                           const struct exr_settings *settings, uint64_t frames, uint64_t *bytes);

/* The attributes of type string. STATUS_IO when the file cannot be read, STATUS_USAGE when it is no
 * EXR file. Free with tags_free in every case. */
enum status exr_file_read_tags(const char *name, struct tags *out);

/* Whether the file is what exr_file_write makes of a picture of this size and depth, to its last
 * byte; STATUS_IO, with what is wrong, when it is not or cannot be read. */
enum status exr_file_check_whole(const char *name, uint32_t width, uint32_t height, uint32_t bits);

#endif
