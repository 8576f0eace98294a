/* Metadata of an HDR10 film about its mastering display: BT.709's primaries, D65, up to HDR_PEAK
 * cd/m^2, which no pixel exceeds (MaxCLL). The brightest mean of a picture (MaxFALL) is unknown
 * before the last frame; 0 says so. */
#ifndef RENDER_VIDEO_MASTERING_H
#define RENDER_VIDEO_MASTERING_H

struct AVCodecParameters;
struct AVStream;

/* Adds it to an output stream if the codec's transfer curve is PQ. Returns libav's error. */
int mastering_tell(struct AVStream *stream, const struct AVCodecParameters *codec);

#endif
