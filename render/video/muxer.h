/* One film file: packets of one video stream in, if asked for sound as well, a container out.
 * libav's own types stay opaque here.
 *
 * The file grows and is put into place as base/output.h says. The same packets and
 * parameters give the same bytes. Used by one thread. */
#ifndef RENDER_VIDEO_MUXER_H
#define RENDER_VIDEO_MUXER_H

#include "base/tag.h"
#include "render/video/container.h"

struct AVCodecParameters;
struct AVFormatContext;
struct AVPacket;
struct AVStream;
struct muxer;

struct muxer_params {
    const char *path; /* "-" streams to stdout */
    const struct container *container;
    uint32_t fps_num, fps_den;
    struct tags tags; /* copied */
};

/* Opens the file. STATUS_USAGE: the container's index goes to the front, but the path is a pipe. */
enum status muxer_open(const struct muxer_params *params, struct muxer **out);

/* Writes the header of a film of such a stream. `codec` is copied. */
enum status muxer_begin(struct muxer *muxer, const struct AVCodecParameters *codec,
                        const struct projection *projection);

/* A tag that is known only now; containers whose tags are at the front leave it out. */
void muxer_tag(struct muxer *muxer, const struct tag *tag);

/* In decoding order; the packet's times count frames. Changes the packet's times. */
enum status muxer_write(struct muxer *muxer, struct AVPacket *packet);

/* A second stream, for sound as in another file's, which is copied: before muxer_begin. */
void muxer_add_sound(struct muxer *muxer, const struct AVStream *from);
/* Lets the file hold what is standard by now and was not when libavformat was written. */
void muxer_allow(struct AVFormatContext *context, const struct AVCodecParameters *sound);
/* A packet of that file's, in the order in which it is heard; times in its stream's units. Changes
 * them. */
enum status muxer_write_sound(struct muxer *muxer, struct AVPacket *packet,
                              const struct AVStream *from);

/* Writes the trailer and moves the index to the front where the container has it there. */
enum status muxer_finish(struct muxer *muxer);

/* Whether a write has failed, so that nothing can follow. */
bool muxer_broken(const struct muxer *muxer);

uint64_t muxer_packets(const struct muxer *muxer);
uint64_t muxer_bytes(const struct muxer *muxer);

/* The file's name until it is closed; NULL for streams. */
const char *muxer_temporary(const struct muxer *muxer);

/* keep: waits until the content is on the disk and gives it the target's name; otherwise nothing
 * remains. Frees the muxer and sets *muxer to NULL. Accepts a pointer to NULL. */
enum status muxer_close(struct muxer **muxer, bool keep);

#endif
