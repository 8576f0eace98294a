#include "render/video/allowed.h"

#include <string.h>

/* Deliberately left out, besides options that write or read files: zones, whose value is again a
 * list of options; opencl, which stores compiled programs on disk; options that override
 * output.threads. color_range and the like are allowed because their effect is detected. */
const char allowed_everywhere[] =
    "g b bf refs maxrate minrate bufsize qmin qmax qdiff qcomp qblur b_qfactor b_qoffset "
    "i_qfactor i_qoffset keyint_min me_range subq trellis profile level slices coder "
    "sc_threshold global_quality rc_init_occupancy rc_max_vbv_use rc_min_vbv_use "
    "compression_level color_range color_primaries color_trc colorspace "
    "chroma_sample_location field_order strict";

#define NVENC                                                                                      \
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
    {"h264_nvenc", "NVENC", NVENC},
    {"hevc_nvenc", "NVENC", NVENC},
    {"av1_nvenc", "NVENC", NVENC},
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
