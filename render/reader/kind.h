/* What the kinds of source share: a film, a picture file, a sequence of these. */
#ifndef RENDER_READER_KIND_H
#define RENDER_READER_KIND_H

#include "base/status.h"
#include "render/reader/info.h"

#include <stddef.h>

struct AVFrame;

struct reader {
    const struct reader_kind *kind;
    struct reader_info info;
    uint64_t next; /* frame */
    char *path;
    int threads; /* of a decoder, 0: the machine's */
};

/* A kind's reader begins with a struct reader, which is allocated together with the rest. The path
 * and the threads are filled in before open, all else by open; close frees what the kind has
 * allocated, also after open has failed. */
struct reader_kind {
    size_t size;
    /* By the file's first bytes; head is NULL where the path names no file. */
    bool (*probe)(const char *path, const unsigned char *head, size_t size);
    enum status (*open)(struct reader *reader);
    /* The decoded frame, the caller's to free; of the size that the info says. */
    enum status (*decode)(struct reader *reader, uint64_t frame, struct AVFrame **out);
    /* See reader_samples; NULL: there are none. */
    bool (*samples)(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height);
    double (*time)(const struct reader *reader, uint64_t frame); /* NULL: not known */
    void (*close)(struct reader *reader);                        /* or NULL */
};

#endif
