/* What films tell players in fields that libav does not read: crops, the size to show, volumes, the
 * speed of playback, tracks that are switched off, how often to repeat. Boxes of MP4 and MOV:
 * ISO/IEC 14496-12; elements of Matroska and WebM: RFC 9559; blocks of GIF: CompuServe, GIF89a. */
#pragma once

#include <stdbool.h>

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
