/* The interface of the kinds of source: a film, a picture file, a sequence of picture files. */
#pragma once

#include "base/status.h"
#include "render/reader/info.h"

#include <stddef.h>

struct AVFrame;

struct reader {
    const struct reader_kind *kind;
    struct reader_info info;
    char *path;
    int threads; /* of a decoder; 0: as many as the machine has */
};

/* The reader of a kind begins with a struct reader and is allocated in one block. Path and threads
 * are set before open; open sets everything else. close frees what the kind has allocated, also
 * after open has failed. */
struct reader_kind {
    size_t size;
    /* Recognizes a source by the file's first bytes; head is NULL if the path is not a file. */
    bool (*probe)(const char *path, const unsigned char *head, size_t size);
    enum status (*open)(struct reader *reader);
    /* The decoded frame, in the size that the info gives; the caller frees it. */
    enum status (*decode)(struct reader *reader, uint64_t frame, struct AVFrame **out);
    /* See reader_samples; NULL: not supported. */
    bool (*samples)(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height);
    double (*time)(const struct reader *reader, uint64_t frame); /* NULL: unknown */
    void (*close)(struct reader *reader);                        /* or NULL */
};

extern const struct reader_kind reader_video, reader_still, reader_sequence;
