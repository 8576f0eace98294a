/* The captions of a film in one language: a track of its file, or a file of their own. Thread-safe.
 */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct muxer;

/* Whether captions are drawn into the picture, a track that players can switch, or both. */
struct caption_use {
    const char *name, *doc;
    bool burns, tracks;
};
extern const struct registry caption_use_registry; /* of struct caption_use, the default first */

struct caption_cue {
    double from, to; /* seconds of the film, at whole frames */
    char *text;      /* UTF-8; lines end with a line feed */
};

struct caption_track {
    char language[4];         /* ISO 639-2: "eng" */
    struct caption_cue *cues; /* [count] in ascending order, one after the other */
    size_t count;
};

void caption_tracks_free(struct caption_track *tracks, size_t count); /* accepts NULL */

/* Writes the cues that begin before `until`, from *next on, into stream `stream` of the film
 * (muxer_add_captions). */
enum status caption_track_write(const struct caption_track *track, struct muxer *muxer,
                                size_t stream, size_t *next, double until);

/* Writes it as WebVTT, or as SubRip (SRT). */
enum status caption_file_write(const struct caption_track *track, const char *path, bool srt);
