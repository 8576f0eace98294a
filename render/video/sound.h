/* Sound for a film: the packets of an audio file, copied unchanged into the film beside its
 * pictures. Nothing is encoded, and the file's metadata is not used. libav's own types stay opaque
 * here. Used by one thread.
 *
 * The file starts with the film. Packets that would extend past the film's last frame are left out,
 * so the sound ends up to one packet (about 20 ms) earlier; after a shorter file comes silence. A
 * codec's pre-roll lies before the film's start if the container can hide it (MP4, MOV), and is
 * otherwise left out. */
#pragma once

#include "base/status.h"

struct container;
struct muxer;
struct sound;

/* STATUS_IO: the file cannot be read. STATUS_USAGE: it has no sound, or sound that the container
 * cannot carry. Only plain audio files and films are opened, which cannot refer to further
 * files. */
enum status sound_open(struct sound **out, const char *path, const struct container *container);
void sound_close(struct sound **sound); /* accepts a pointer to NULL */

/* Opens and closes it. */
enum status sound_check(const char *path, const struct container *container);

/* Adds a stream to the film; call before muxer_begin. */
void sound_begin(const struct sound *sound, struct muxer *muxer);

/* Writes the packets up to `until`, in seconds of the film, that end within its `length`. */
enum status sound_write(struct sound *sound, struct muxer *muxer, double until, double length);

/* The end of the sound written so far, in seconds of the film. */
double sound_end(const struct sound *sound);
