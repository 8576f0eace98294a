/* One EXR file of scene-linear light, written completely or not at all. Thread-safe.
 *
 * libavcodec's encoder is used, because it comes with the libraries for films, while OpenEXRCore
 * would be one more library. It writes no attributes, so ours are inserted into its header, and the
 * offset table after the header is adjusted (openexr.com, "OpenEXR File Layout"). */
#ifndef RENDER_VIDEO_EXR_FILE_H
#define RENDER_VIDEO_EXR_FILE_H

#include "base/tag.h"
#include "render/picture/picture.h"

struct exr_settings {
    uint32_t bits;    /* 16: half, rounded to 11 significant bits; 32: float */
    struct tags tags; /* string attributes, after the chromaticities of BT.709. A long text is split
                       * into NAME, NAME.001 and so on, each of whole characters */
};

/* STATUS_USAGE if there is no such file. */
enum status exr_file_check(uint32_t bits, enum picture_alpha alpha);

/* Writes a PICTURE_RGBAF32 picture as B, G, R, zip-compressed in blocks of 16 rows. `frames` is the
 * number written before, for messages. *bytes is the file's size. */
enum status exr_file_write(const char *name, const struct picture *picture,
                           const struct exr_settings *settings, uint64_t frames, uint64_t *bytes);

/* Reads the string attributes. STATUS_IO when the file cannot be read, STATUS_USAGE when it is not
 * an EXR file. Free with tags_free in every case. */
enum status exr_file_read_tags(const char *name, struct tags *out);

/* Whether the file is exactly as long and complete as exr_file_write makes it for a picture of this
 * size and depth. STATUS_IO says what is wrong, or that it cannot be read. */
enum status exr_file_check_whole(const char *name, uint32_t width, uint32_t height, uint32_t bits);

#endif
