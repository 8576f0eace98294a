/* Files embedded in a page as data: URLs, and the choice of a report's pictures and clips that
 * keeps the page within a size. */
#pragma once

#include "cmd/regression/judge/report.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A file to embed. */
struct embed {
    const char *type; /* "image/png"; NULL: the file cannot be embedded */
    char *data;
    size_t size;
    uint32_t width, height; /* of a picture */
};

/* Reads a PNG file, or a film in MP4 or WebM, of at most `limit` bytes. The type is recognized by
 * content, never by name. Returns false for any other file, or if there is no file. */
bool embed_picture(struct embed *embed, const char *path, size_t limit);
bool embed_film(struct embed *embed, const char *path, size_t limit);
void embed_free(struct embed *embed);

/* Return the size of its data: URL in bytes, and write the URL. */
size_t embed_size(const struct embed *embed);
void embed_put(FILE *out, const struct embed *embed);

enum side { SIDE_A, SIDE_B, SIDE_DIFFERENCE, SIDE_COUNT };

struct frame_pictures {
    struct embed side[SIDE_COUNT];
};

struct case_pictures {
    struct frame_pictures *shown; /* [the case's shown frames] */
    struct embed clip;
    uint32_t left_out; /* frames that did not fit or could not be read */
};

/* Chooses for the cases that do not pass, as long as all data: URLs take at most `budget` bytes:
 * first the worst frame of each case, then clips of at most clip_limit bytes, then the other frames
 * by severity, and last their difference pictures, which a script can compute from the other two.
 * Returns an entry for every case; pictures_free frees them. */
struct case_pictures *pictures_choose(const struct report *report, size_t budget,
                                      size_t clip_limit);
bool pictures_has_sides(const struct frame_pictures *pictures); /* of A or B */
void pictures_free(const struct report *report, struct case_pictures *pictures);
