/* High dynamic range: pictures whose light goes beyond the white of ordinary ones, in BT.2020
 * primaries. Ordinary white, which letters have too, is WHITE bright (ITU-R BT.2408), the brightest
 * light PEAK. Constant data and pure functions; thread-safe. */
#ifndef RENDER_PICTURE_HDR_H
#define RENDER_PICTURE_HDR_H

#include "base/choice.h"
#include "render/picture/format.h"

enum { HDR_WHITE = 203, HDR_PEAK = 1000 }; /* cd/m^2 */

struct hdr {
    const char *name, *doc;
    enum picture_hdr kind;
};

/* Of struct hdr. */
extern const struct registry hdr_registry;

/* The brightest light over ordinary white: 1 without. */
double hdr_headroom(enum picture_hdr kind);

/* Linear light in BT.709 primaries, 1 the brightest -> the signal R'G'B', 0 .. 1: BT.2020
 * primaries (BT.2087), then ST 2084's inverse EOTF, or of a display of PEAK cd/m^2 BT.2100's
 * inverse HLG EOTF. As shaders/hdr.glsl has it. */
void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3]);

#endif
