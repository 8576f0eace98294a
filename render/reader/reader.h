/* Reads a film's pictures back: a film in a container that this program writes, a sequence of
 * picture files given by its pattern ("frames/%06d.png", "frames/####.exr"), or one picture file.
 *
 * Pictures are given as RGB of 16 bits per channel, native byte order, full range, rows from the
 * top, from any source: 8-bit RGB comes as v * 257. Y'CbCr is converted by the matrix and range
 * that the film names (Rec. ITU-R BT.709-6, BT.601-7, BT.2020-2), BT.709 at limited range when it
 * names none; chroma at half size is interpolated linearly from where its samples lie. Scene-linear
 * light has codes that grow with it and differ for any two half floats.
 * Alpha is left out. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Facts about a reader's pictures. */

struct picture_file; /* render/video/picture_file.h */

struct reader_info {
    uint32_t width, height;
    uint32_t fps_num, fps_den; /* 0/0: unknown, as for PNG files */
    uint64_t first, frames;    /* frames first .. first + frames - 1; numbers of the files in a
                                * sequence, from 0 otherwise */
    uint32_t bits;             /* per sample of the source */
    bool is_video;             /* not pictures in files of their own */
    const struct picture_file *file; /* the format of these; NULL: a film */
    enum picture_alpha alpha;        /* pictures are composited on black */
    const char *pixel_format; /* libav's name: "yuv420p", "rgb48be"; "" where it is not known */
};

struct reader;
struct reader_frame; /* render/reader/frame.h */

/* STATUS_IO when nothing can be read there; STATUS_USAGE when it is neither film nor picture, or
 * holds no picture. A film is scanned to its end, without being decoded, so that frames can be
 * counted and found. A sequence may have gaps: its missing files fail when they are read. */
enum status reader_open(struct reader **out, const char *path);
/* The same with this many decoding threads, 0: as many as the machine has. The result does not
 * depend on the number. */
enum status reader_open_threads(struct reader **out, const char *path, int threads);
void reader_close(struct reader **reader); /* accepts a pointer to NULL */

/* Valid while the reader is open. */
const struct reader_info *reader_info(const struct reader *reader);

/* Seconds from the first frame's presentation to the frame's; negative: unknown. */
double reader_time(const struct reader *reader, uint64_t frame);

/* Reads exactly the requested frame into rgb[height][width][3]. Reading forwards decodes the film
 * only once. STATUS_IO for what cannot be read or decoded. */
enum status reader_read(struct reader *reader, uint64_t frame, uint16_t *rgb);

/* The same as decoded; the caller must release it before the reader is closed. */
enum status reader_take(struct reader *reader, uint64_t frame, struct reader_frame **out);

/* The decoded samples of a component (0: Y', 1: Cb, 2: Cr) of the frame read last, as
 * samples[*height][*width], no larger than the frame. False if it was not Y'CbCr, or nothing was
 * read. */
bool reader_samples(struct reader *reader, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height);

/* The interface of the kinds of source: a film, a picture file, a sequence of picture files. */

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
