/* Formats of pixels. YUV is limited range, RGB full range; 10-bit samples are little-endian 16-bit
 * words.
 *
 * A new format also has a row in picture.c, its planes in post/pack.c and shaders/pack.glsl, and is
 * read back by reader/pixels.c. */
#pragma once

enum picture_format {
    PICTURE_NV12,    /* Y, then interleaved Cb Cr at half size */
    PICTURE_YUV420P, /* Y, Cb, Cr; chroma at half size, left-sited as in MPEG-2 and H.264 */
    PICTURE_YUV420P10,
    PICTURE_YUV444P,
    PICTURE_YUV444P10,
    PICTURE_RGBA8,          /* alpha is 255 */
    PICTURE_RGBA16,         /* native byte order, alpha is 65535 */
    PICTURE_RGBA8_STRAIGHT, /* with alpha, see picture_alpha */
    PICTURE_RGBA16_STRAIGHT,
    PICTURE_RGBA8_PREMULTIPLIED,
    PICTURE_RGBA16_PREMULTIPLIED,
    PICTURE_YUVA444P10_STRAIGHT, /* alpha is full range */
    PICTURE_YUVA444P10_PREMULTIPLIED,
    PICTURE_YUV420P10_PQ, /* high dynamic range, see picture.h */
    PICTURE_YUV444P10_PQ,
    PICTURE_YUV420P10_HLG,
    PICTURE_YUV444P10_HLG,
    PICTURE_RGBAF32, /* scene-linear light in BT.709's primaries as native floats, alpha is 1 */
    PICTURE_YUV422P, /* chroma at half the width, left-sited */
    PICTURE_YUV422P10,
    PICTURE_YUV422P10_PQ,
    PICTURE_YUV422P10_HLG,
    PICTURE_YUVA420P_STRAIGHT, /* alpha is full range and full size */
    PICTURE_YUVA420P_PREMULTIPLIED,
    PICTURE_FORMATS
};

/* The size of the chroma planes: full, half the width, or half the width and height. */
enum picture_chroma { CHROMA_444, CHROMA_422, CHROMA_420 };

/* The transfer function of a signal. */
enum picture_hdr { HDR_NONE, HDR_PQ, HDR_HLG };

/* How a pixel's colour relates to its alpha. */
enum picture_alpha {
    ALPHA_NONE,     /* no alpha: pixels are opaque */
    ALPHA_STRAIGHT, /* must be multiplied by alpha */
    ALPHA_PREMULTIPLIED,
};
