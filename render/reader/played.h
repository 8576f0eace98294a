/* Everything that a player shows or plays besides a film's pictures: turns and crops, further
 * streams such as sound, chapters, title and tags. Only the first picture is decoded, for what it
 * says of itself. */
#pragma once

#include "base/hash.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The field that every film has; "1:1" also if it says nothing. */
#define PLAYED_ASPECT "pixel aspect ratio"

/* How often a GIF is shown: "forever" (what this program writes), "once", "3 times more". */
#define PLAYED_LOOP "shown"

/* The language, role and title of the pictures' own track, which most films do not have. */
#define PLAYED_TRACK "track of the pictures"

enum played_kind {
    PLAYED_VIEW,   /* turns, crops or wraps the pictures */
    PLAYED_SCREEN, /* describes the screen or the light that the colours are meant for */
    PLAYED_MORE,   /* chapters, attached files */
    PLAYED_TEXT,   /* title and tags, without those of this program and of muxers */
};

struct played_field {
    enum played_kind kind;
    char *name, *value; /* "rotation", "90 degrees clockwise" */
};

/* A stream other than the pictures. */
struct played_stream {
    char *name;         /* "sound", "sound 2", "subtitles", "video 2", "timecode" */
    char *codec;        /* "aac" */
    int rate, channels; /* of sound, Hz; 0 */
    char *form; /* "1280x720", "01:00:00:00", a file's name; "" if there is nothing to say */
    char *told; /* "eng, forced"; "" if there is nothing to say */
    double begins, lasts;    /* seconds, from the first picture; NAN: no packets */
    double packet;           /* the longest packet, seconds */
    uint64_t count;          /* packets */
    char (*hash)[HASH_TEXT]; /* [count] of their data, in the file's order */
};

struct played {
    double begins; /* of the first picture, seconds from the film's start */
    struct played_field *fields;
    size_t field_count;
    struct played_stream *streams;
    size_t stream_count;
};

/* Fails as stream_read does. Free in every case. Thread-safe. */
enum status played_read(const char *path, struct played *out);
void played_free(struct played *played); /* accepts all zero */

/* NULL: there is none. */
const char *played_field(const struct played *played, const char *name);
const struct played_stream *played_stream(const struct played *played, const char *name);

/* Whether two streams have the same packets. Another muxer may leave out up to two at each end,
 * which only prepare the decoder or pad the end. */
bool played_same_packets(const struct played_stream *a, const struct played_stream *b);

/* Fields for players that libav does not read: crops, the size to show, volumes, the speed of
 * playback, tracks that are switched off, how often to repeat. Boxes of MP4 and MOV: ISO/IEC
 * 14496-12; elements of Matroska and WebM: RFC 9559; blocks of GIF: CompuServe, GIF89a. */

struct boxed {
    char crop[96];   /* of the pictures; "": none */
    char shown[48];  /* the size to show the pictures in, "192x64"; "": as they are coded */
    char loop[24];   /* of a GIF: "forever", "once", "3 times more"; "": another container */
    char speed[48];  /* "0.5"; "": as recorded */
    char volume[48]; /* of the sound, "0.5"; "": as recorded */
    char off[48];    /* "sound": the kinds of tracks that are switched off; "": none */
};

/* Reads nothing, and leaves *out empty, from a file in another container. Thread-safe. */
void boxed_read(const char *path, struct boxed *out);
