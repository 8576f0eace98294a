/* The formats of still pictures: a table with one row each, which has everything that depends on
 * the format. Constant data and pure functions, except for reading files; thread-safe.
 *
 * A new format is a file NAME.c with its entry, and NAME in `picture_files` of
 * render/CMakeLists.txt. */
#pragma once

#include "base/choice.h"
#include "base/tag.h"
#include "render/sink/sink.h"

struct AVFrame;

enum { PICTURE_FILE_MAGIC = 8 }; /* enough bytes to recognize every format */

struct picture_file {
    const char *name, *doc; /* "png": the extension, and the output format */
    const char *kind;       /* "PNG", for messages */
    const char *magic;      /* the first bytes of a file */
    size_t magic_size;
    bool light; /* scene-linear light instead of display values */
    /* Fills in format, description and libraries; STATUS_USAGE for a request that such files do not
     * support. */
    enum status (*plan)(const struct sink_params *params, struct sink_plan *plan);
    /* Writes one file, completely or not at all; thread-safe. Bits, level and tags are those of
     * `params`. `frames`: the number of files written before, for messages; *bytes: the file's
     * size. */
    enum status (*write)(const char *path, const struct picture *picture,
                         const struct sink_params *params, uint64_t frames, uint64_t *bytes);
    /* The first picture, which the caller frees, and the bits per sample. STATUS_IO with a message
     * for a file that is damaged or of another format. */
    enum status (*read)(const char *path, struct AVFrame **frame, uint32_t *bits);
    /* The file's metadata. Free with tags_free in every case. */
    enum status (*tags)(const char *path, struct tags *out);
};

/* The entries are of struct picture_file. */
extern const struct registry picture_file_registry;

/* Finds a format by the first bytes, by those of the file at `path`, or by the extension of `path`.
 * NULL: none. */
const struct picture_file *picture_file_of_head(const void *head, size_t size);
const struct picture_file *picture_file_of(const char *path);
const struct picture_file *picture_file_named(const char *path);

/* Shared by the entries. */

/* Writes the finished bytes of a file, as `write` does. */
enum status picture_file_save(const char *path, const void *data, size_t size, uint64_t frames,
                              uint64_t *bytes);
/* Reads a file with the decoder of this name in libavcodec. `sealed`: STATUS_IO if it has a seal
 * that does not match. */
enum status picture_file_decode(const char *path, const char *decoder, const char *kind,
                                bool sealed, struct AVFrame **frame);

/* For formats without checksums of their own: a text in the file, with room for the hash of the
 * file, in which the room counts as zeros. */
#define PICTURE_FILE_SEAL "gravreel_file=00000000000000000000000000000000"
void picture_file_seal(void *data, size_t size);

/* Adds a tag from NAME=VALUE; texts of other forms are left out. */
void picture_file_tag(struct tags *tags, const char *text);

/* The profile of sRGB, as in a PNG's sRGB chunk. */
enum { PICTURE_FILE_ICC = 480 };
void picture_file_icc(uint8_t out[PICTURE_FILE_ICC]);

/* Allocates a frame of one of libav's pixel formats. */
enum status picture_file_frame(const char *path, int format, int width, int height,
                               struct AVFrame **frame);
