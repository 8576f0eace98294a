/* What the kinds of source of a film_reader share. */
#ifndef RENDER_READER_KIND_H
#define RENDER_READER_KIND_H

#include "render/reader/reader.h"

#include <stddef.h>

struct AVFrame;

struct film_reader {
    const struct film_reader_kind *kind;
    struct film_reader_info info;
    uint64_t next; /* frame */
    char *path;
};

/* A kind's reader begins with a struct film_reader, which open allocates together with the rest.
 * The path is filled in before open, all else by open; close frees what the kind has allocated. */
struct film_reader_kind {
    size_t size;
    enum status (*open)(struct film_reader *reader);
    enum status (*read)(struct film_reader *reader, uint64_t frame, uint16_t *rgb);
    double (*time)(const struct film_reader *reader, uint64_t frame);
    void (*close)(struct film_reader *reader);
};

extern const struct film_reader_kind film_reader_video, film_reader_png, film_reader_sequence;

/* Converts to RGB as film_reader.h has it. STATUS_USAGE for a format or matrix of which the meaning
 * is not known; the sentence names `path`. */
enum status film_reader_pixels(const struct AVFrame *frame, const char *path, uint16_t *rgb);

#endif
