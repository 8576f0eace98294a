/* The mastering display that an HDR10 film states: BT.709's primaries, which the light has, D65, up
 * to HDR_PEAK cd/m^2. No pixel is brighter (MaxCLL). The mean of the brightest picture (MaxFALL) is
 * unknown before the last frame, so it is stated as 0. */
#pragma once

struct AVCodecParameters;
struct AVStream;

/* Adds it to an output stream if the codec's transfer curve is PQ. Returns libav's error. */
int mastering_tell(struct AVStream *stream, const struct AVCodecParameters *codec);
