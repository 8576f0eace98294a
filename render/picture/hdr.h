/* High dynamic range: pictures brighter than ordinary white, in BT.2020 primaries. Ordinary white,
 * which letters also have, is HDR_WHITE (ITU-R BT.2408), the brightest light HDR_PEAK. Constant
 * data and pure functions; thread-safe. */
#pragma once

#include "base/choice.h"
#include "render/picture/format.h"

enum { HDR_WHITE = 203, HDR_PEAK = 1000 }; /* cd/m^2 */

struct hdr {
    const char *name, *doc;
    enum picture_hdr kind;
};

/* Entries are struct hdr. */
extern const struct registry hdr_registry;

/* The brightest light relative to ordinary white; 1 without HDR. */
double hdr_headroom(enum picture_hdr kind);

/* Linear light in BT.709 primaries, 1 the brightest -> the signal R'G'B', 0 .. 1: converts to
 * BT.2020 primaries (BT.2087), then applies ST 2084's inverse EOTF, or BT.2100's inverse HLG EOTF
 * for a display of HDR_PEAK cd/m^2. Same as shaders/hdr.glsl. */
void hdr_signal(enum picture_hdr kind, const double light[3], double signal[3]);
