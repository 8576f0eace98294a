/* What a file may be packed with: one const entry per file, each of which alone knows its library.
 */
#ifndef SIM_FORMATS_UNPACK_H
#define SIM_FORMATS_UNPACK_H

#include <stdbool.h>
#include <stddef.h>

/* What is left of the packed bytes, and of the room for plain ones. */
struct unpack_buffers {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};

struct unpacker {
    const char *name; /* "gzip" */
    const char *extension;
    const char *magic; /* how its files begin */
    size_t magic_size;
    void *(*open)(void);
    void (*close)(void *state);
    /* Unpacks as much as it can, at least something where there is input; `last`: no more input
     * will come. Parts one after the other are one file. *inside: a part has begun and not ended.
     * NULL, or what is wrong with the data. */
    const char *(*run)(void *state, struct unpack_buffers *buffers, bool last, bool *inside);
};

extern const struct unpacker unpacker_gzip, unpacker_xz, unpacker_zstd;

/* The one that a file which begins with these bytes is packed with; NULL: none. */
const struct unpacker *unpacker_of(const unsigned char *head, size_t size);

/* How much of a name is left without the extension of an unpacker. */
size_t unpacker_stem(const char *name);

#endif
