#include "render/sink_encoder.h"

#include "render/sink_common.h"
#include "render/sink_libav.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <stdlib.h>
#include <string.h>

enum { KEYFRAME_INTERVAL = 240, ROW_ALIGN = 64 };

/* How each encoder is told what every codec has. `fixed` goes in as it is. In `extra`, the
 * encoder's own list of settings, "%u" is the number of threads, for those that do not take it from
 * the context. x264 is told to give the same film on every CPU, which costs it 2 to 3 %. */
static const struct driver {
    const char *encoder, *preset_key, *crf_key;
    double crf_max;
    int gop;
    const char *extra_key, *extra;
    const char *fixed; /* key=value:key=value */
} drivers[] = {
    {"libx264", "preset", "crf", 51, KEYFRAME_INTERVAL, "x264-params", "cpu-independent=1", ""},
    {"libx265", "preset", "crf", 51, KEYFRAME_INTERVAL, "x265-params",
     "pools=%u:frame-threads=1:open-gop=0:log-level=none", ""},
    {"libvpx-vp9", "cpu-used", "crf", 63, KEYFRAME_INTERVAL, NULL, NULL, "row-mt=1:deadline=good"},
    {"libsvtav1", "preset", "crf", 63, KEYFRAME_INTERVAL, "svtav1-params", "lp=%u", ""},
    {"prores_ks", "profile", NULL, 0, 1, NULL, NULL, ""},
    {"ffv1", NULL, NULL, 0, 1, NULL, NULL, "level=3:slices=16:slicecrc=1"},
    {"wrapped_avframe", NULL, NULL, 0, 1, NULL, NULL, ""},
};

struct encoder {
    const struct codec *codec;
    AVCodecContext *context;
    AVBufferPool *pool; /* encoders keep references to the frames that they look ahead at */
    AVPacket *packet;
    int linesize[4];
    int64_t frames;
    bool opened, ended; /* ended: the encoder knows that no more frames come */
    char description[128];
};

static enum AVPixelFormat pixel_format(enum picture_format format)
{
    switch (format) {
    case PICTURE_NV12:
        return AV_PIX_FMT_NV12;
    case PICTURE_YUV420P:
        return AV_PIX_FMT_YUV420P;
    case PICTURE_YUV420P10:
        return AV_PIX_FMT_YUV420P10LE;
    case PICTURE_YUV444P:
        return AV_PIX_FMT_YUV444P;
    case PICTURE_YUV444P10:
        return AV_PIX_FMT_YUV444P10LE;
    case PICTURE_RGBA8:
        return AV_PIX_FMT_RGBA;
    case PICTURE_RGBA16:
        return AV_PIX_FMT_RGBA64;
    }
    return AV_PIX_FMT_NONE;
}

static const struct driver *find_driver(const struct codec *codec)
{
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strcmp(drivers[i].encoder, codec->encoder) == 0)
            return &drivers[i];
    return NULL;
}

static bool lists_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t here = strcspn(at, " ");
        if (here == length && memcmp(at, word, length) == 0)
            return true;
        at += here;
    }
    return false;
}

static enum status check(const struct encoder_params *params, const struct driver *driver)
{
    const struct codec *codec = params->codec;
    if (params->preset[0] && !codec->presets[0])
        return status_fail(STATUS_USAGE,
                           "codec %s has no presets, but '%s' was asked for; leave it out",
                           codec->name, params->preset);
    if (params->preset[0] && !lists_word(codec->presets, params->preset))
        return status_fail(STATUS_USAGE, "codec %s has no preset '%s'; choose one of: %s",
                           codec->name, params->preset, codec->presets);
    if (params->crf >= 0 && codec->crf < 0)
        return status_fail(STATUS_USAGE,
                           "codec %s has no quality setting, but crf %g was asked for; "
                           "leave it out",
                           codec->name, params->crf);
    if (params->crf > driver->crf_max && codec->crf >= 0)
        return status_fail(STATUS_USAGE,
                           "crf %g is out of range for codec %s, which takes 0 (best) to %g",
                           params->crf, codec->name, driver->crf_max);
    return sink_check_even(codec->format, params->width, params->height);
}

static void set_option(AVDictionary **options, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void set_option(AVDictionary **options, const char *key, const char *format, ...)
{
    char value[160];
    va_list args;
    va_start(args, format);
    vsnprintf(value, sizeof value, format, args);
    va_end(args);
    av_dict_set(options, key, value, 0);
}

static AVDictionary *make_options(const struct encoder_params *params, const struct driver *driver)
{
    const struct codec *codec = params->codec;
    const char *preset = params->preset[0] ? params->preset : codec->preset;
    AVDictionary *options = NULL;
    av_dict_parse_string(&options, driver->fixed, "=", ":", 0);
    if (preset[0])
        set_option(&options, driver->preset_key, "%s", preset);
    if (codec->crf >= 0)
        set_option(&options, driver->crf_key, "%g", params->crf >= 0 ? params->crf : codec->crf);
    else if (strcmp(codec->encoder, "libx264") == 0)
        set_option(&options, "qp", "0");
    if (driver->extra_key) {
        const char *mark = strstr(driver->extra, "%u");
        if (mark)
            set_option(&options, driver->extra_key, "%.*s%u%s", (int)(mark - driver->extra),
                       driver->extra, params->threads, mark + 2);
        else
            set_option(&options, driver->extra_key, "%s", driver->extra);
    }
    return options;
}

static void describe(struct encoder *encoder, const struct encoder_params *params)
{
    const struct codec *codec = params->codec;
    const char *preset = params->preset[0] ? params->preset : codec->preset;
    char quality[32] = "";
    if (codec->crf >= 0)
        snprintf(quality, sizeof quality, " crf %g", params->crf >= 0 ? params->crf : codec->crf);
    bool raw = strcmp(codec->encoder, "wrapped_avframe") == 0;
    snprintf(encoder->description, sizeof encoder->description, "%s%s%s%s, %u thread%s",
             raw ? codec->name : codec->encoder, preset[0] ? " " : "", preset, quality,
             params->threads, params->threads == 1 ? "" : "s");
}

static void fill_context(AVCodecContext *context, const struct encoder_params *params,
                         const struct driver *driver)
{
    bool left_sited = params->codec->format == PICTURE_NV12 ||
                      params->codec->format == PICTURE_YUV420P ||
                      params->codec->format == PICTURE_YUV420P10;
    context->width = (int)params->width;
    context->height = (int)params->height;
    context->pix_fmt = pixel_format(params->codec->format);
    context->time_base = (AVRational){(int)params->fps_den, (int)params->fps_num};
    context->framerate = av_inv_q(context->time_base);
    context->sample_aspect_ratio = (AVRational){1, 1};
    context->color_primaries = AVCOL_PRI_BT709;
    context->color_trc = AVCOL_TRC_BT709;
    context->colorspace = AVCOL_SPC_BT709;
    context->color_range = AVCOL_RANGE_MPEG;
    if (left_sited)
        context->chroma_sample_location = AVCHROMA_LOC_LEFT;
    context->field_order = AV_FIELD_PROGRESSIVE;
    context->gop_size = driver->gop;
    context->thread_count = (int)params->threads;
    context->flags |= AV_CODEC_FLAG_BITEXACT;
    if (params->global_header)
        context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (strcmp(driver->encoder, "libx265") == 0)
        context->codec_tag = MKTAG('h', 'v', 'c', '1');
}

static enum status open_context(struct encoder *encoder, const struct encoder_params *params,
                                const struct driver *driver)
{
    const struct codec *codec = params->codec;
    const AVCodec *found = avcodec_find_encoder_by_name(codec->encoder);
    if (!found)
        return status_fail(STATUS_DEVICE,
                           "codec %s needs the encoder %s, which the installed libavcodec "
                           "lacks; choose another --codec or install a full libavcodec",
                           codec->name, codec->encoder);
    encoder->context = avcodec_alloc_context3(found);
    encoder->packet = av_packet_alloc();
    if (!encoder->context || !encoder->packet)
        return status_fail(STATUS_RUNTIME, "no memory left to open encoder %s", codec->encoder);
    fill_context(encoder->context, params, driver);

    /* SVT-AV1 prints its settings on stderr unless its environment variable says otherwise. */
    if (strcmp(codec->encoder, "libsvtav1") == 0)
        setenv("SVT_LOG", "1", 0);

    AVDictionary *options = make_options(params, driver);
    libav_forget();
    int error = avcodec_open2(encoder->context, found, &options);
    const AVDictionaryEntry *unknown = av_dict_get(options, "", NULL, AV_DICT_IGNORE_SUFFIX);
    enum status status = STATUS_OK;
    if (error < 0)
        status = status_fail(STATUS_DEVICE,
                             "encoder %s does not open for %ux%u pictures: %s; choose "
                             "another --codec or size",
                             codec->encoder, params->width, params->height, libav_reason(error));
    else if (unknown)
        status = status_fail(STATUS_DEVICE,
                             "encoder %s of the installed libavcodec has no option '%s'; "
                             "choose another --codec",
                             codec->encoder, unknown->key);
    av_dict_free(&options);
    encoder->opened = error >= 0;
    return status;
}

static enum status make_pool(struct encoder *encoder)
{
    const AVCodecContext *context = encoder->context;
    int width = FFALIGN(context->width, ROW_ALIGN);
    int size = av_image_get_buffer_size(context->pix_fmt, width, context->height, ROW_ALIGN);
    if (av_image_fill_linesizes(encoder->linesize, context->pix_fmt, width) >= 0 && size > 0)
        encoder->pool = av_buffer_pool_init((size_t)size + 4 * ROW_ALIGN, NULL);
    if (!encoder->pool)
        return status_fail(STATUS_RUNTIME, "no memory left for frames of %dx%d", context->width,
                           context->height);
    return STATUS_OK;
}

enum status encoder_open(const struct encoder_params *params, struct encoder **out)
{
    *out = NULL;
    libav_prepare();
    const struct driver *driver = find_driver(params->codec);
    if (!driver)
        return status_fail(STATUS_DEVICE, "encoder %s is not supported", params->codec->encoder);
    enum status status = check(params, driver);
    if (status != STATUS_OK)
        return status;
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (!encoder)
        return status_fail(STATUS_RUNTIME, "no memory left to open encoder %s",
                           params->codec->encoder);
    encoder->codec = params->codec;
    describe(encoder, params);
    status = open_context(encoder, params, driver);
    if (status == STATUS_OK)
        status = make_pool(encoder);
    if (status != STATUS_OK)
        encoder_close(&encoder);
    *out = encoder;
    return status;
}

const char *encoder_description(const struct encoder *encoder)
{
    return encoder->description;
}

const struct AVCodecContext *encoder_context(const struct encoder *encoder)
{
    return encoder->context;
}

static AVFrame *copy_picture(struct encoder *encoder, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        return NULL;
    frame->buf[0] = av_buffer_pool_get(encoder->pool);
    frame->width = encoder->context->width;
    frame->height = encoder->context->height;
    frame->format = encoder->context->pix_fmt;
    if (!frame->buf[0] ||
        av_image_fill_pointers(frame->data, encoder->context->pix_fmt, frame->height,
                               frame->buf[0]->data, encoder->linesize) < 0) {
        av_frame_free(&frame);
        return NULL;
    }
    memcpy(frame->linesize, encoder->linesize, sizeof encoder->linesize);
    for (int p = 0; p < layout->planes; p++)
        av_image_copy_plane(frame->data[p], frame->linesize[p],
                            picture->data + layout->plane[p].offset, (int)layout->plane[p].stride,
                            (int)layout->plane[p].bytes, (int)layout->plane[p].rows);
    frame->pts = encoder->frames;
    frame->color_primaries = encoder->context->color_primaries;
    frame->color_trc = encoder->context->color_trc;
    frame->colorspace = encoder->context->colorspace;
    frame->color_range = encoder->context->color_range;
    frame->chroma_location = encoder->context->chroma_sample_location;
    frame->sample_aspect_ratio = encoder->context->sample_aspect_ratio;
    return frame;
}

enum status encoder_send(struct encoder *encoder, const struct picture *picture)
{
    AVFrame *frame = picture ? copy_picture(encoder, picture) : NULL;
    if (picture && !frame)
        return status_fail(STATUS_RUNTIME, "no memory left for frame %lld",
                           (long long)encoder->frames);
    libav_forget();
    int error = avcodec_send_frame(encoder->context, frame);
    av_frame_free(&frame);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "encoder %s failed at frame %lld: %s",
                           encoder->codec->encoder, (long long)encoder->frames,
                           libav_reason(error));
    encoder->frames += picture != NULL;
    encoder->ended = !picture;
    return STATUS_OK;
}

enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet)
{
    *packet = NULL;
    av_packet_unref(encoder->packet);
    libav_forget();
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF)
        return STATUS_OK;
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "encoder %s failed after frame %lld: %s",
                           encoder->codec->encoder, (long long)encoder->frames - 1,
                           libav_reason(error));
    encoder->packet->duration = 1;
    *packet = encoder->packet;
    return STATUS_OK;
}

/* SVT-AV1 waits for ever in its own closing when it has had no frame or has not been told the end.
 */
static void end_svt(struct encoder *encoder)
{
    if (!encoder->opened || encoder->ended || strcmp(encoder->codec->encoder, "libsvtav1") != 0)
        return;
    struct picture blank = {0};
    picture_layout(&blank.layout, encoder->codec->format, (uint32_t)encoder->context->width,
                   (uint32_t)encoder->context->height);
    blank.data = encoder->frames == 0 ? calloc(1, blank.layout.size) : NULL;
    if (blank.data)
        encoder_send(encoder, &blank);
    free(blank.data);
    if (encoder->frames > 0 && avcodec_send_frame(encoder->context, NULL) >= 0)
        while (avcodec_receive_packet(encoder->context, encoder->packet) >= 0)
            av_packet_unref(encoder->packet);
}

void encoder_close(struct encoder **encoder)
{
    if (!*encoder)
        return;
    end_svt(*encoder);
    avcodec_free_context(&(*encoder)->context);
    av_packet_free(&(*encoder)->packet);
    av_buffer_pool_uninit(&(*encoder)->pool);
    free(*encoder);
    *encoder = NULL;
}
