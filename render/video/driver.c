#include "render/video/driver.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/sink/sink.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavutil/opt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- allowed ---- */

/* Deliberately left out, besides options that write or read files: zones, whose value is again a
 * list of options; opencl, which stores compiled programs on disk; options that override
 * output.threads. color_range and the like are allowed because their effect is detected. */
const char allowed_everywhere[] =
    "g b bf refs maxrate minrate bufsize qmin qmax qdiff qcomp qblur b_qfactor b_qoffset "
    "i_qfactor i_qoffset keyint_min me_range subq trellis profile level slices coder "
    "sc_threshold global_quality rc_init_occupancy rc_max_vbv_use rc_min_vbv_use "
    "compression_level color_range color_primaries color_trc colorspace "
    "chroma_sample_location field_order strict";

#define NVENC_PRESETS                                                                              \
    "tune profile level tier rc rc-lookahead surfaces cbr 2pass delay no-scenecut forced-idr "     \
    "b_adapt spatial-aq temporal-aq zerolatency nonref_p strict_gop aq-strength aud "              \
    "bluray-compat init_qpP init_qpB init_qpI qp_cb_offset qp_cr_offset weighted_pred coder "      \
    "b_ref_mode a53cc s12m_tc dpb_size multipass ldkfs extra_sei udu_sei intra-refresh "           \
    "single-slice-intra-refresh constrained-encoding highbitdepth tile-rows tile-columns "         \
    "lookahead_level tf_level unidir_b split_encode_mode"

/* clang-format off */
static const struct allowed allowed[] = {
    {"libx264", "x264",
     "tune profile level wpredp psy psy-rd a53cc crf_max aq-mode aq-strength rc-lookahead weightb "
     "weightp ssim psnr intra-refresh bluray-compat b-bias b-pyramid mixed-refs 8x8dct fast-pskip "
     "aud mbtree deblock cplxblur partitions direct-pred slice-max-size nal-hrd avcintra-class "
     "motion-est me_method forced-idr b_strategy chromaoffset noise_reduction udu_sei "
     "asm cpu-independent deterministic n-deterministic sync-lookahead level-idc sar overscan "
     "videoformat fullrange colorprim transfer colormatrix chromaloc alternative-transfer ref "
     "frameref dpb-size keyint min-keyint scenecut bframes b-adapt open-gop nf filter "
     "slice-max-mbs slice-min-mbs slices-max cabac cabac-idc constrained-intra analyse direct "
     "chroma-qp-offset me merange mvrange mvrange-thread subme chroma-me dct-decimate "
     "deadzone-inter deadzone-intra nr bitrate qpmin qp-min qpmax qp-max qpstep qp-step ratetol "
     "vbv-maxrate vbv-bufsize vbv-init ipratio ip-factor pbratio pb-factor filler force-cfr "
     "pic-struct frame-packing stitchable mastering-display cll"},
    {"libx265", "x265",
     "tune profile level forced-idr udu_sei asm level-idc high-tier uhd-bd ref allow-non-conformance "
     "rd rdoq-level ctu min-cu-size max-tu-size tu-intra-depth tu-inter-depth limit-tu rect amp "
     "limit-modes limit-refs early-skip rskip rskip-edge-threshold fast-intra b-intra cu-lossless "
     "lossless tskip tskip-fast rd-refine splitrd-skip ssim-rd me merange subme max-merge tmvp "
     "temporal-mvp weightp weightb hme hme-search hme-range analyze-src-pics strong-intra-smoothing "
     "constrained-intra psy-rd psy-rdoq rdpenalty dynamic-rd keyint min-keyint scenecut "
     "scenecut-bias scenecut-aware-qp masking-strength hist-scenecut hist-threshold fades radl "
     "intra-refresh rc-lookahead gop-lookahead lookahead-slices lookahead-threads b-adapt bframes "
     "bframe-bias b-pyramid bitrate crf-max crf-min vbv-bufsize vbv-maxrate vbv-init vbv-end "
     "vbv-end-fr-adj min-vbv-fullness max-vbv-fullness aq-mode aq-strength aq-motion hevc-aq "
     "qp-adaptation-range qg-size cutree strict-cbr cbqpoffs crqpoffs ipratio ip-factor pbratio "
     "pb-factor qcomp qpstep qpmin qpmax rc-grain const-vbv nr-intra nr-inter signhide deblock sao "
     "sao-non-deblock limit-sao selective-sao overscan videoformat range colorprim transfer "
     "colormatrix chromaloc master-display max-cll cll hdr10 hdr-opt hdr10-opt min-luma max-luma aud "
     "hrd hrd-concat vui-timing-info vui-hrd-info opt-qp-pps opt-ref-list-length-pps "
     "opt-cu-delta-qp idr-recovery-sei single-sei temporal-layers repeat-headers info hash "
     "pic-struct sar lowpass-dct"},
    {"libvpx-vp9", "libvpx",
     "lag-in-frames rc_lookahead arnr-maxframes arnr-strength arnr-type tune deadline quality "
     "error-resilient max-intra-rate static-thresh drop-threshold noise-sensitivity undershoot-pct "
     "overshoot-pct auto-alt-ref lossless tile-columns tile-rows frame-parallel aq-mode level row-mt "
     "tune-content corpus-complexity enable-tpl sharpness min-gf-interval"},
    {"libsvtav1", "SVT-AV1",
     "hielevel la_depth tier sc_detection tile_columns tile_rows asm tune film-grain "
     "film-grain-denoise scd scm keyint intra-period irefresh-type lookahead enable-qm qm-min qm-max "
     "enable-overlays enable-tf enable-dlf enable-cdef enable-restoration enable-mfmv enable-tpl-la "
     "fast-decode hierarchical-levels pred-struct min-qp max-qp mbr tbr rc recode-loop bias-pct "
     "minsection-pct maxsection-pct undershoot-pct overshoot-pct mbr-overshoot-pct buf-sz "
     "buf-initial-sz buf-optimal-sz gop-constraint-rc use-fixed-qindex-offsets "
     "key-frame-qindex-offset key-frame-chroma-qindex-offset luma-y-dc-qindex-offset "
     "chroma-u-dc-qindex-offset chroma-u-ac-qindex-offset chroma-v-dc-qindex-offset "
     "chroma-v-ac-qindex-offset chroma-qindex-offsets sframe-dist sframe-mode enable-hdr "
     "mastering-display content-light color-primaries transfer-characteristics "
     "matrix-coefficients color-range chroma-sample-position sharpness enable-variance-boost "
     "variance-boost-strength variance-octile tf-strength"},
    {"h264_nvenc", "NVENC", NVENC_PRESETS},
    {"hevc_nvenc", "NVENC", NVENC_PRESETS},
    {"av1_nvenc", "NVENC", NVENC_PRESETS},
    {"dnxhd", "libavcodec's DNxHR", "nitris_compat ibias"},
    {"prores_ks", "libavcodec's ProRes", "mbs_per_slice bits_per_mb quant_mat alpha_bits vendor"},
    {"ffv1", "libavcodec's FFV1", "slicecrc coder context"},
    {"gif", "libavcodec's GIF", "gifflags"},
    {"libwebp_anim", "libwebp", "lossless quality cr_threshold cr_size"},
    {"wrapped_avframe", "pictures as they are", ""},
};
/* clang-format on */

const struct registry allowed_registry = REGISTRY_OF("encoder", allowed);

static char plain(char letter)
{
    return letter == '_' ? '-' : letter;
}

static bool same(const char *word, const char *key, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (plain(word[i]) != plain(key[i]))
            return false;
    return true;
}

static bool lists(const char *words, const char *key)
{
    const size_t length = strlen(key);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        const size_t here = strcspn(at, " ");
        if (here == length && same(at, key, length))
            return true;
        at += here;
    }
    return false;
}

bool allowed_option(const char *encoder, const char *key)
{
    const struct allowed *found = choice_find(&allowed_registry, encoder);
    const char *words = found ? found->words : "";
    const char *base = same("no-", key, strnlen(key, 3)) && strlen(key) > 3 ? key + 3 : key;
    return *key && (lists(words, key) || lists(words, base) || lists(allowed_everywhere, key));
}

/* ---- driver ---- */

enum { KEYFRAME_INTERVAL = 240 };

#define QUALITY(preset, key, most)                                                                 \
    .preset_key = preset, .crf_key = key, .crf_max = most, .gop = KEYFRAME_INTERVAL

#define NVENC(codec)                                                                               \
    .name = codec "_nvenc", .doc = "NVENC, on an NVIDIA GPU", QUALITY("preset", "cq", 51),         \
    .fixed = "rc=vbr:b=0:forced-idr=1", .nvenc = true

/* The light level and mastering display of muxer.c, in x265's syntax. */
#define LIGHT_LEVEL "1000,0"
#define MASTERING   "G(15000,30000)B(7500,3000)R(32000,16500)WP(15635,16450)L(10000000,1)"
/* The same in SVT-AV1's. */
#define CHROMATICITIES "G(0.3,0.6)B(0.15,0.06)R(0.64,0.33)WP(0.3127,0.329)L(1000,0.0001)"

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
     .mastering = "content-light=" LIGHT_LEVEL ":mastering-display=" CHROMATICITIES, .log_variable = "SVT_LOG"},
    {NVENC("h264")},
    {NVENC("hevc"), .hvc1 = true},
    {NVENC("av1")},
    {.name = "prores_ks", .doc = "libavcodec's ProRes", .preset_key = "profile", .gop = 1},
    {.name = "dnxhd", .doc = "libavcodec's DNxHR", .preset_key = "profile", .gop = 1,
     .least_width = 256, .least_height = 120},
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
    if (params->width < driver->least_width || params->height < driver->least_height)
        return status_fail(STATUS_USAGE,
                           "codec %s needs pictures of at least %ux%u, but these are %ux%u; use a "
                           "larger output.size or another --codec",
                           codec->name, driver->least_width, driver->least_height, params->width,
                           params->height);
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

static uint32_t even(bool halved, uint32_t length)
{
    return length + (halved ? length % 2 : 0);
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
    width = even(picture_format_halves_width(params->format), width);
    height = even(picture_format_halves_height(params->format), height);
    if (width != params->width || height != params->height)
        snprintf(padded, sizeof padded, ", padded to %ux%u", width, height);
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
    const bool subsampled = picture_format_halves_width(params->format);
    context->width = (int)even(subsampled, params->width);
    context->height = (int)even(picture_format_halves_height(params->format), params->height);
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
