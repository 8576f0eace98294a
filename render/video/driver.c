#include "render/video/driver.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/sink/sink.h"
#include "render/video/allowed.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEYFRAME_INTERVAL = 240 };

#define QUALITY(preset, key, most)                                                                 \
    .preset_key = preset, .crf_key = key, .crf_max = most, .gop = KEYFRAME_INTERVAL

#define NVENC(codec)                                                                               \
    .name = codec "_nvenc", .doc = "NVENC, on an NVIDIA GPU", QUALITY("preset", "cq", 51),         \
    .fixed = "rc=vbr:b=0:forced-idr=1", .nvenc = true

/* The values of mastering.h in x265's syntax. */
#define LIGHT_LEVEL "1000,0"
#define MASTERING   "G(15000,30000)B(7500,3000)R(32000,16500)WP(15635,16450)L(10000000,1)"

/* clang-format off */
static const struct driver drivers[] = {
    {.name = "libx264", .doc = "x264", QUALITY("preset", "crf", 51),
     .library_key = "x264-params", .steady = "cpu-independent=1"},
    {.name = "libx265", .doc = "x265", QUALITY("preset", "crf", 51), .hvc1 = true,
     .library_key = "x265-params", .steady = "info=0", .lacks_times = true,
     .library = "pools=%u:frame-threads=1:open-gop=0:log-level=none",
     .mastering = "hdr10=1:repeat-headers=1:max-cll=" LIGHT_LEVEL ":master-display=" MASTERING},
    {.name = "libvpx-vp9", .doc = "libvpx", QUALITY("cpu-used", "crf", 63),
     .fixed = "row-mt=1:deadline=good"},
    {.name = "libsvtav1", .doc = "SVT-AV1", QUALITY("preset", "crf", 63),
     .library_key = "svtav1-params", .library = "lp=%u", .needs_ending = true,
     .log_variable = "SVT_LOG"},
    {NVENC("h264")},
    {NVENC("hevc"), .hvc1 = true},
    {NVENC("av1")},
    {.name = "prores_ks", .doc = "libavcodec's ProRes", .preset_key = "profile", .gop = 1},
    {.name = "ffv1", .doc = "libavcodec's FFV1", .gop = 1, .fixed = "level=3:slices=16:slicecrc=1"},
    {.name = "gif", .doc = "libavcodec's GIF", .gop = 1, .palette = true},
    {.name = "libwebp_anim", .doc = "libwebp", .gop = 1, .fixed = "quality=90", .gathers = true},
    {.name = "wrapped_avframe", .doc = "pictures as they are", .gop = 1, .passes_on = true},
};
/* clang-format on */

const struct registry driver_registry = REGISTRY_OF("encoder", drivers);

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

enum status driver_check(const struct driver *driver, const struct encoder_params *params)
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
    return sink_check_even(params->format, params->width, params->height, params->pad);
}

static const char *preset_of(const struct encoder_params *params)
{
    return params->preset[0] ? params->preset : params->codec->preset;
}

static double crf_of(const struct encoder_params *params)
{
    return params->crf >= 0 ? params->crf : params->codec->crf;
}

void driver_describe(const struct driver *driver, const struct encoder_params *params, char *out,
                     size_t size)
{
    const struct codec *codec = params->codec;
    const char *preset = preset_of(params);
    uint32_t width = params->width, height = params->height;
    char quality[32] = "", format[32] = "", threads[32] = "", padded[48] = "";
    if (params->format != codec->formats[0])
        snprintf(format, sizeof format, ", %s", picture_format_name(params->format));
    if (codec->crf >= 0)
        snprintf(quality, sizeof quality, " %s %g", driver->crf_key, crf_of(params));
    if (!driver->nvenc)
        snprintf(threads, sizeof threads, ", %u thread%s", params->threads,
                 params->threads == 1 ? "" : "s");
    if (picture_format_subsampled(params->format) && (width % 2 || height % 2))
        snprintf(padded, sizeof padded, ", padded to %ux%u", width + width % 2,
                 height + height % 2);
    snprintf(out, size, "%s%s%s%s%s%s%s", driver->passes_on ? codec->name : codec->encoder,
             preset[0] ? " " : "", preset, quality, format, threads, padded);
}

/* NVENC expects 10 bits in the upper bits of 16. */
static enum AVPixelFormat pixel_format(enum picture_format format, const struct driver *driver)
{
    const bool nvenc = driver->nvenc;
    if (picture_format_is_rgb(format))
        return driver->palette ? AV_PIX_FMT_PAL8 : AV_PIX_FMT_BGRA;
    if (nvenc && format == PICTURE_YUV420P10)
        return AV_PIX_FMT_P010LE;
    if (nvenc && format == PICTURE_YUV444P10)
        return AV_PIX_FMT_YUV444P16LE;
    return libav_pixel_format(format);
}

static void fill_context(const struct driver *driver, const struct encoder_params *params,
                         AVCodecContext *context)
{
    bool subsampled = picture_format_subsampled(params->format);
    context->width = (int)(params->width + (subsampled ? params->width % 2 : 0));
    context->height = (int)(params->height + (subsampled ? params->height % 2 : 0));
    context->pix_fmt = pixel_format(params->format, driver);
    context->time_base = (AVRational){(int)params->fps_den, (int)params->fps_num};
    context->framerate = av_inv_q(context->time_base);
    context->sample_aspect_ratio = (AVRational){1, 1};
    context->color_primaries = AVCOL_PRI_BT709;
    context->color_trc = AVCOL_TRC_BT709;
    context->colorspace = AVCOL_SPC_BT709;
    context->color_range = AVCOL_RANGE_MPEG;
    const enum picture_hdr hdr = picture_format_hdr(params->format);
    if (hdr != HDR_NONE) {
        context->color_primaries = AVCOL_PRI_BT2020;
        context->color_trc = hdr == HDR_PQ ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_ARIB_STD_B67;
        context->colorspace = AVCOL_SPC_BT2020_NCL;
    }
    if (picture_format_is_rgb(params->format)) {
        context->color_trc = AVCOL_TRC_IEC61966_2_1;
        context->colorspace = AVCOL_SPC_RGB;
        context->color_range = AVCOL_RANGE_JPEG;
    }
    if (subsampled)
        context->chroma_sample_location = AVCHROMA_LOC_LEFT;
    context->field_order = AV_FIELD_PROGRESSIVE;
    context->gop_size = driver->gop;
    context->thread_count = (int)params->threads;
    context->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_CLOSED_GOP;
    if (params->global_header)
        context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    if (driver->hvc1)
        context->codec_tag = MKTAG('h', 'v', 'c', '1');
}

/* The table also has options of audio and of decoders. */
static bool knows(AVCodecContext *context, const char *key)
{
    enum { NEEDED = AV_OPT_FLAG_ENCODING_PARAM | AV_OPT_FLAG_VIDEO_PARAM };
    const AVOption *option = av_opt_find(context, key, NULL, 0, AV_OPT_SEARCH_CHILDREN);
    return option && (option->flags & NEEDED) == NEEDED;
}

static enum status refuse_unknown(AVCodecContext *context, const char *key)
{
    return status_fail(STATUS_USAGE, "encoder %s of the installed libavcodec has no option '%s'",
                       context->codec->name, key);
}

/* Lists the encoder's options if the list is short enough for a message. */
static enum status refuse_to_pass(const struct driver *driver, const AVDictionaryEntry *option)
{
    enum { FEW = 400 };
    const struct allowed *list = choice_find(&allowed_registry, driver->name);
    const char *words = list ? list->words : "";
    char *names = strlen(words) < FEW ? text_format("; it takes %s %s", words, allowed_everywhere)
                                      : memory_text("");
    enum status status =
        status_fail(STATUS_USAGE,
                    "encoder %s does not take option %.80s=%.200s from a scene: only options that "
                    "can name no file are passed on, and docs/encoder-options.md lists them%s",
                    driver->name, option->key, option->value, names);
    free(names);
    return status;
}

static enum status refuse(const struct driver *driver, const AVDictionaryEntry *option,
                          const char *reason)
{
    return status_fail(STATUS_USAGE, "encoder %s does not take option %s=%s: %s", driver->name,
                       option->key, option->value, reason);
}

/* Options that have scene keys of their own. */
static const char *scene_key(const struct driver *driver, const char *key)
{
    if (driver->preset_key && strcmp(key, driver->preset_key) == 0)
        return "output.preset";
    if (driver->crf_key && (strcmp(key, driver->crf_key) == 0 || strcmp(key, "qp") == 0))
        return "output.crf";
    return strcmp(key, "threads") == 0 ? "output.threads" : NULL;
}

static enum status set_one(const struct driver *driver, AVCodecContext *context,
                           const AVDictionaryEntry *option, AVDictionary **library)
{
    const char *elsewhere = scene_key(driver, option->key);
    if (elsewhere)
        return status_fail(STATUS_USAGE, "option %s=%s of encoder %s is set by %s; set it there",
                           option->key, option->value, driver->name, elsewhere);
    if (!allowed_option(driver->name, option->key))
        return refuse_to_pass(driver, option);
    libav_forget();
    int error = 0;
    if (knows(context, option->key))
        error = av_opt_set(context, option->key, option->value, AV_OPT_SEARCH_CHILDREN);
    else if (driver->library_key)
        error = av_dict_set(library, option->key, option->value, 0);
    else
        return refuse_unknown(context, option->key);
    return error < 0 ? refuse(driver, option, libav_reason(error)) : STATUS_OK;
}

/* Library settings may be given under the library's key or directly. */
static enum status parse_given(const struct driver *driver, const char *options, AVDictionary **out)
{
    AVDictionary *outer = NULL;
    const AVDictionaryEntry *entry = NULL;
    int error = options ? av_dict_parse_string(&outer, options, "=", ":", AV_DICT_MULTIKEY) : 0;
    while (error >= 0 && (entry = av_dict_get(outer, "", entry, AV_DICT_IGNORE_SUFFIX)) != NULL) {
        bool nested = driver->library_key && strcmp(entry->key, driver->library_key) == 0;
        error = nested ? av_dict_parse_string(out, entry->value, "=", ":", 0)
                       : av_dict_set(out, entry->key, entry->value, 0);
    }
    av_dict_free(&outer);
    if (error >= 0)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "the encoder's options must be KEY=VALUE, separated by colons, but are "
                       "'%s'",
                       options);
}

static enum status set_given(const struct driver *driver, AVCodecContext *context,
                             const char *options, AVDictionary **library)
{
    AVDictionary *given = NULL;
    enum status status = parse_given(driver, options, &given);
    const AVDictionaryEntry *entry = NULL;
    while (status == STATUS_OK &&
           (entry = av_dict_get(given, "", entry, AV_DICT_IGNORE_SUFFIX)) != NULL)
        status = set_one(driver, context, entry, library);
    av_dict_free(&given);
    return status;
}

static int set_ours(const struct driver *driver, const struct encoder_params *params,
                    AVCodecContext *context)
{
    AVDictionary *ours = NULL;
    char number[32];
    av_dict_parse_string(&ours, driver->fixed, "=", ":", 0);
    av_dict_parse_string(&ours, params->codec->options, "=", ":", 0);
    if (preset_of(params)[0])
        av_dict_set(&ours, driver->preset_key, preset_of(params), 0);
    snprintf(number, sizeof number, "%g", crf_of(params));
    if (params->codec->crf >= 0)
        av_dict_set(&ours, driver->crf_key, number, 0);
    if (driver->nvenc && params->cuda_device >= 0)
        av_dict_set_int(&ours, "gpu", params->cuda_device, 0);
    libav_forget();
    int error = av_opt_set_dict2(context, &ours, AV_OPT_SEARCH_CHILDREN);
    if (error >= 0 && av_dict_count(ours) > 0)
        error = AVERROR_OPTION_NOT_FOUND;
    av_dict_free(&ours);
    return error;
}

static int begin_library(const struct driver *driver, const struct encoder_params *params,
                         AVDictionary **library)
{
    const char *settings = driver->library ? driver->library : "", *mark = strstr(settings, "%u");
    char *text =
        mark ? text_format("%.*s%u%s", (int)(mark - settings), settings, params->threads, mark + 2)
             : memory_text(settings);
    int error = av_dict_parse_string(library, text, "=", ":", 0);
    free(text);
    if (error >= 0 && driver->mastering && picture_format_hdr(params->format) == HDR_PQ)
        error = av_dict_parse_string(library, driver->mastering, "=", ":", 0);
    if (error >= 0 && params->deterministic)
        error = av_dict_parse_string(library, driver->steady, "=", ":", 0);
    return error;
}

static int end_library(const struct driver *driver, AVCodecContext *context, AVDictionary *library)
{
    if (!driver->library_key || av_dict_count(library) == 0)
        return 0;
    return av_opt_set_dict_val(context->priv_data, driver->library_key, library, 0);
}

static enum status too_old(const struct driver *driver, int error)
{
    return status_fail(STATUS_DEVICE,
                       "encoder %s of the installed libavcodec lacks an option that this program "
                       "sets: %s; choose another --codec",
                       driver->name, libav_reason(error));
}

enum status driver_set_up(const struct driver *driver, const struct encoder_params *params,
                          struct AVCodecContext *context)
{
    AVDictionary *library = NULL;
    fill_context(driver, params, context);
    int error = set_ours(driver, params, context);
    if (error >= 0)
        error = begin_library(driver, params, &library);
    enum status status = error < 0 ? too_old(driver, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = set_given(driver, context, params->options, &library);
    if (status == STATUS_OK && (error = end_library(driver, context, library)) < 0)
        status = too_old(driver, error);
    av_dict_free(&library);
    return status;
}

static bool as_asked(const struct driver *driver, const struct encoder_params *params,
                     const AVCodecContext *context)
{
    enum {
        FLAGS = AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_CLOSED_GOP | AV_CODEC_FLAG_GLOBAL_HEADER
    };
    AVCodecContext asked = {0};
    fill_context(driver, params, &asked);
    return context->width == asked.width && context->height == asked.height &&
           context->pix_fmt == asked.pix_fmt &&
           av_cmp_q(context->time_base, asked.time_base) == 0 &&
           context->color_primaries == asked.color_primaries &&
           context->color_trc == asked.color_trc && context->colorspace == asked.colorspace &&
           context->color_range == asked.color_range &&
           context->chroma_sample_location == asked.chroma_sample_location &&
           (context->flags & FLAGS) == (asked.flags & FLAGS);
}

enum status driver_check_opened(const struct driver *driver, const struct encoder_params *params,
                                const struct AVCodecContext *context)
{
    AVDictionary *given = NULL;
    enum status status = parse_given(driver, params->options, &given);
    const AVDictionaryEntry *entry = NULL;
    while (status == STATUS_OK &&
           (entry = av_dict_get(given, "", entry, AV_DICT_IGNORE_SUFFIX)) != NULL) {
        const char *warning = libav_warning_about(entry->key);
        if (warning)
            status = refuse(driver, entry, warning);
    }
    if (status == STATUS_OK && av_dict_count(given) > 0 && !as_asked(driver, params, context))
        status = status_fail(STATUS_USAGE,
                             "the encoder's options '%s' change size, colour or structure of the "
                             "film, which only the scene's own keys may do; leave them out",
                             params->options);
    av_dict_free(&given);
    return status;
}
