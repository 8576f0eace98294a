/* Sound for a film: the packets of an audio file, copied as they are into the film beside its
 * pictures. Nothing is encoded and nothing of the file's metadata is taken. libav's own types stay
 * opaque here. Used by one thread.
 *
 * The file's beginning is the film's. What would be heard after the film's last frame is left out,
 * so that sound ends up to one packet (some 20 ms) before it; where the file is shorter, silence
 * follows. What codecs need before their first sample lies before the film's beginning where the
 * container can hide it (MP4, MOV), and is left out elsewhere. */
#ifndef RENDER_VIDEO_SOUND_H
#define RENDER_VIDEO_SOUND_H

#include "base/status.h"

struct container;
struct muxer;
struct sound;

/* STATUS_IO: the file cannot be read. STATUS_USAGE: it holds no sound, or such that the container
 * cannot carry. Only plain audio files and films are opened, which lead to no further files. */
enum status sound_open(struct sound **out, const char *path, const struct container *container);
void sound_close(struct sound **sound); /* accepts a pointer to NULL */

/* Opens and closes it. */
enum status sound_check(const char *path, const struct container *container);

/* Adds a stream to the film, before muxer_begin. */
void sound_begin(const struct sound *sound, struct muxer *muxer);

/* Writes the packets up to `until`, in seconds of the film, that end within its `length`. */
enum status sound_write(struct sound *sound, struct muxer *muxer, double until, double length);

/* Where it ends, in seconds of the film, as far as it has been written. */
double sound_end(const struct sound *sound);

#endif
