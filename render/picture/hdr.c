#include "render/picture/hdr.h"

#include "render/params.h"
#include "base/functions/fn.h"
#include "render/shaders/hdr.glsl"

#include <math.h>

static const struct hdr kinds[] = {
    {"none", "BT.709, for any player", HDR_NONE},
    {"pq", "HDR10: the PQ curve, with metadata of the mastering display and the light level",
     HDR_PQ},
    {"hlg", "the HLG curve, for broadcasters", HDR_HLG},
};

const struct registry hdr_registry = REGISTRY_OF("dynamic range", kinds);

double hdr_headroom(enum picture_hdr kind)
{
    return kind == HDR_NONE ? 1 : (double)HDR_PEAK / HDR_WHITE;
}

static double pq(double light)
{
    const double power = fn_pow(light * HDR_PEAK / 10000, PQ_INNER);
    return light > 0 ? fn_pow((PQ_1 + PQ_2 * power) / (1 + PQ_3 * power), PQ_OUTER) : 0;
}

static double hlg(double scene)
{
    return scene <= 1 / 12.0 ? sqrt(3 * scene) : HLG_A * fn_log(12 * scene - HLG_B) + HLG_C;
}

void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3])
{
    static const double primaries[3][3] = {{HDR_OF_RED}, {HDR_OF_GREEN}, {HDR_OF_BLUE}},
                        luma[3] = {HLG_LUMA};
    double wide[3] = {0};
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++)
            wide[to] += primaries[from][to] * light[from];
    const double luminance = luma[0] * wide[0] + luma[1] * wide[1] + luma[2] * wide[2];
    const double scene = luminance > 0 ? fn_pow(luminance, -1 / 6.0) : 0; /* gamma 1.2 */
    for (int c = 0; c < 3; c++)
        signal[c] = kind == HDR_PQ ? pq(wide[c]) : hlg(wide[c] * scene);
}
