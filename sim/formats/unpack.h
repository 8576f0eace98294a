/* Compression of input files: one const entry per library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The remaining packed bytes, and the remaining room for plain ones. */
struct unpack_buffers {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};

struct unpacker {
    const char *name; /* "gzip" */
    const char *extension;
    const char *magic; /* first bytes of such a file */
    size_t magic_size;
    void *(*open)(void);
    void (*close)(void *state);
    /* Unpacks as much as possible, at least something if there is input; `last`: no more input will
     * come. Concatenated parts are one file. *inside: a part has begun and not ended. Returns NULL,
     * or what is wrong with the data. */
    const char *(*run)(void *state, struct unpack_buffers *buffers, bool last, bool *inside);
};

/* The unpacker for a file that begins with these bytes; NULL: none. */
const struct unpacker *unpacker_of(const unsigned char *head, size_t size);

/* Length of a name without an unpacker's extension. */
size_t unpacker_stem(const char *name);
