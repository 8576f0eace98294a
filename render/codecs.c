#include "render/sink.h"

#include "render/sink_encoder.h"

#include <string.h>

#define X26X_PRESETS "ultrafast superfast veryfast faster fast medium slow slower veryslow placebo"

static const struct codec h264 = {
    .name = "h264",
    .doc = "H.264, plays everywhere",
    .encoder = "libx264",
    .containers = "mp4 mkv mov",
    .format = PICTURE_NV12,
    .crf = 18,
    .preset = "medium",
    .presets = X26X_PRESETS,
};

static const struct codec h264_444 = {
    .name = "h264-444",
    .doc = "H.264 with full-size colour planes; many hardware players refuse it",
    .encoder = "libx264",
    .containers = "mp4 mkv mov",
    .format = PICTURE_YUV444P,
    .crf = 18,
    .preset = "medium",
    .presets = X26X_PRESETS,
};

static const struct codec h264_lossless = {
    .name = "h264-lossless",
    .doc = "H.264 that keeps each pixel of the 4:2:0 picture",
    .encoder = "libx264",
    .containers = "mp4 mkv mov",
    .format = PICTURE_NV12,
    .crf = -1,
    .preset = "medium",
    .presets = X26X_PRESETS,
};

static const struct codec hevc = {
    .name = "hevc",
    .doc = "HEVC, 10 bits",
    .encoder = "libx265",
    .containers = "mp4 mkv mov",
    .format = PICTURE_YUV420P10,
    .crf = 20,
    .preset = "medium",
    .presets = X26X_PRESETS,
};

static const struct codec vp9 = {
    .name = "vp9",
    .doc = "VP9, for the web; a preset is libvpx's cpu-used, 0 the slowest",
    .encoder = "libvpx-vp9",
    .containers = "webm mkv mp4",
    .format = PICTURE_YUV420P,
    .crf = 24,
    .preset = "4",
    .presets = "0 1 2 3 4 5 6 7 8",
};

static const struct codec av1 = {
    .name = "av1",
    .doc = "AV1, 10 bits, the smallest files; preset 0 is the slowest",
    .encoder = "libsvtav1",
    .containers = "webm mkv mp4",
    .format = PICTURE_YUV420P10,
    .crf = 26,
    .preset = "8",
    .presets = "0 1 2 3 4 5 6 7 8 9 10 11 12 13",
};

static const struct codec prores = {
    .name = "prores",
    .doc = "ProRes 4444, 10 bits, for editing",
    .encoder = "prores_ks",
    .containers = "mov mkv",
    .format = PICTURE_YUV444P10,
    .crf = -1,
    .preset = "4444",
    .presets = "4444 4444xq",
};

static const struct codec ffv1 = {
    .name = "ffv1",
    .doc = "FFV1, lossless, 10 bits, full-size colour planes, for archives",
    .encoder = "ffv1",
    .containers = "mkv",
    .format = PICTURE_YUV444P10,
    .crf = -1,
    .preset = "",
    .presets = "",
};

static const struct codec rawvideo = {
    .name = "rawvideo",
    .doc = "uncompressed 4:2:0 pictures for other programs",
    .encoder = "wrapped_avframe",
    .containers = "y4m",
    .format = PICTURE_YUV420P,
    .crf = -1,
    .preset = "",
    .presets = "",
};

/* "auto" takes the first that fits the container. */
const struct codec *const codecs[] = {
    &h264, &h264_444, &h264_lossless, &hevc, &vp9, &av1, &prores, &ffv1, &rawvideo, NULL,
};

const struct codec *codec_find(const char *name)
{
    for (int i = 0; codecs[i]; i++)
        if (strcmp(codecs[i]->name, name) == 0)
            return codecs[i];
    return NULL;
}

enum status codec_probe(const struct codec *codec)
{
    const struct encoder_params params = {.codec = codec,
                                          .width = 256,
                                          .height = 128,
                                          .fps_num = 30,
                                          .fps_den = 1,
                                          .crf = -1,
                                          .preset = "",
                                          .threads = 1};
    struct encoder *encoder;
    enum status status = encoder_open(&params, &encoder);
    if (status == STATUS_OK)
        encoder_close(&encoder);
    return status;
}
