#include "render/picture/hdr.h"

#include "render/params.h"
#include "base/functions/fn.h"

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
    const double c1 = 107 / 128.0, c2 = 2413 / 128.0, c3 = 2392 / 128.0;
    const double power = fn_pow(light * HDR_PEAK / 10000, 1305 / 8192.0);
    return light > 0 ? fn_pow((c1 + c2 * power) / (1 + c3 * power), 2523 / 32.0) : 0;
}

static double hlg(double scene)
{
    const double a = 0.17883277, b = 0.28466892, c = 0.55991073;
    return scene <= 1 / 12.0 ? sqrt(3 * scene) : a * fn_log(12 * scene - b) + c;
}

void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3])
{
    static const double primaries[3][3] = {{0.627403896, 0.329283038, 0.043313066},
                                           {0.069097289, 0.919540395, 0.011362316},
                                           {0.016391439, 0.088013308, 0.895595253}};
    double wide[3] = {0};
    for (int to = 0; to < 3; to++)
        for (int from = 0; from < 3; from++)
            wide[to] += primaries[to][from] * light[from];
    const double luminance = 0.2627 * wide[0] + 0.6780 * wide[1] + 0.0593 * wide[2];
    const double scene = luminance > 0 ? fn_pow(luminance, -1 / 6.0) : 0; /* gamma 1.2 */
    for (int c = 0; c < 3; c++)
        signal[c] = kind == HDR_PQ ? pq(wide[c]) : hlg(wide[c] * scene);
}
