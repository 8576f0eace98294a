/* Writes one film file: packets of a video stream and, optionally, of a sound stream into a
 * container. libav's own types stay opaque here.
 *
 * The file grows and is put into place as base/output.h says. The same packets and parameters give
 * the same bytes. Used by one thread. */
#pragma once

#include "base/tag.h"
#include "render/video/codecs.h"

/* The mastering display that an HDR10 film states: BT.709's primaries, which the light has, D65, up
 * to HDR_PEAK cd/m^2. No pixel is brighter (MaxCLL). The mean of the brightest picture (MaxFALL) is
 * unknown before the last frame, so it is stated as 0. */

struct AVCodecParameters;
struct AVFormatContext;
struct AVPacket;
struct AVStream;
struct muxer;

struct muxer_params {
    const char *path; /* "-" streams to stdout */
    const struct container *container;
    uint32_t fps_num, fps_den;
    const char *timecode; /* of the first frame, for a track of its own; NULL: none */
    struct tags tags;     /* copied */
};

/* Opens the file. STATUS_USAGE: the container moves its index to the front, but the path is a
 * pipe. */
enum status muxer_open(const struct muxer_params *params, struct muxer **out);

/* Writes the header of a film with such a stream. `codec` is copied. */
enum status muxer_begin(struct muxer *muxer, const struct AVCodecParameters *codec,
                        const struct projection *projection);

/* Adds a tag that is known only now; ignored by containers with tags at the front. */
void muxer_tag(struct muxer *muxer, const struct tag *tag);

/* Packets come in decoding order; their times count frames. Changes the packet's times. */
enum status muxer_write(struct muxer *muxer, struct AVPacket *packet);

/* Adds a second stream for sound, copied from another file's stream; call before muxer_begin. */
void muxer_add_sound(struct muxer *muxer, const struct AVStream *from);
/* Allows features that were standardized only after this libavformat. */
void muxer_allow(struct AVFormatContext *context, const struct AVCodecParameters *sound);
/* Writes a packet from that file, in playing order, with times in its stream's units. Changes
 * them. */
enum status muxer_write_sound(struct muxer *muxer, struct AVPacket *packet,
                              const struct AVStream *from);

/* Adds a stream of captions in a language (ISO 639-2); call before muxer_begin. Returns its number.
 */
enum { CAPTION_STREAMS_MOST = 32 };
size_t muxer_add_captions(struct muxer *muxer, const char *language);
/* Writes a caption of that stream; times in seconds, in ascending order. */
enum status muxer_write_caption(struct muxer *muxer, size_t stream, double from, double to,
                                const char *text);

/* Writes the trailer, and moves the index to the front if the container has it there. */
enum status muxer_finish(struct muxer *muxer);

/* Whether a write has failed, so that no more can follow. */
bool muxer_broken(const struct muxer *muxer);

uint64_t muxer_packets(const struct muxer *muxer);
uint64_t muxer_bytes(const struct muxer *muxer);

/* The file's name until it is closed; NULL for streams. */
const char *muxer_temporary(const struct muxer *muxer);

/* keep: waits until the data is on disk and renames the file to its target; otherwise nothing
 * remains. Frees the muxer and sets *muxer to NULL. Accepts a pointer to NULL. */
enum status muxer_close(struct muxer **muxer, bool keep);
