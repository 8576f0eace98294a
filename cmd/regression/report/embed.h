/* Files embedded in a page as data: URLs, chosen so that the page stays within a size. */
#pragma once

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
