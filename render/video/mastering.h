/* What an HDR10 film says of the display that it was made for: BT.709's primaries, which the light
 * is in, D65, up to HDR_PEAK cd/m^2; no pixel is brighter (MaxCLL), and how bright the brightest
 * picture is as a whole (MaxFALL) is not known before the last frame, which 0 says. */
#pragma once

struct AVCodecParameters;
struct AVStream;

/* Adds it to a stream to be written where the codec's transfer curve is PQ. Returns libav's error.
 */
int mastering_tell(struct AVStream *stream, const struct AVCodecParameters *codec);
