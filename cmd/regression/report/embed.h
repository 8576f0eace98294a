/* Files inside a page: as data: addresses, chosen so that the page keeps to a size. */
#ifndef CMD_REGRESSION_REPORT_EMBED_H
#define CMD_REGRESSION_REPORT_EMBED_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A file that may be embedded. */
struct embed {
    const char *type; /* "image/png"; NULL: it is none that may be */
    char *data;
    size_t size;
    uint32_t width, height; /* of a picture */
};

/* Reads a PNG file, or a film in MP4 or WebM, of at most `limit` bytes; told by its content, never
 * by its name. False for another file, or none. */
bool embed_picture(struct embed *embed, const char *path, size_t limit);
bool embed_film(struct embed *embed, const char *path, size_t limit);
void embed_free(struct embed *embed);

/* Bytes of its data: address, and the address. */
size_t embed_size(const struct embed *embed);
void embed_put(FILE *out, const struct embed *embed);

#endif
