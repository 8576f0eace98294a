/* Writes a PNG file, completely or not at all. Thread-safe. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* File names of a PNG sequence. Thread-safe. */

/* Expands a sequence's path ("f/%06d.png" or "f/####.png") for a frame into `name`. A path without
 * a pattern is STATUS_USAGE. The pattern is never used as a printf format. */
enum status png_name(const char *path, uint64_t frame, char *name, size_t size);

/* The pattern of a sequence in which frame 0 has the number `first`: "f/%+1001:04d.png" for
 * "f/%04d.png", which has no offset yet. The caller frees it. */
char *png_name_from(const char *path, uint64_t first);

/* Whether a file name, without its folder, belongs to the sequence; *frame is its number. */
bool png_name_number(const char *path, const char *file, uint64_t *frame);

/* The common part of the names besides the number: "a" for "f/a_%06d.png", "" for "f/%06d.png".
 * Truncated to fit. */
void png_name_stem(const char *path, char *stem, size_t size);

struct png_settings {
    int level;        /* zlib's, 0 to 9 */
    struct tags tags; /* compressed text chunks */
};

/* A picture that is never whole in memory. `fetch` gives rows from y on: *count of them, at least
 * one, *stride bytes apart, valid until the next call. Rows are requested from the top. */
struct png_rows {
    enum picture_format format; /* one of RGBA */
    uint32_t width, height;
    enum status (*fetch)(void *user, uint32_t y, const uint8_t **rows, uint32_t *count,
                         size_t *stride);
    void *user;
};

/* Writes RGB, or RGBA if there is alpha, with 8 or 16 bits, marked sRGB. A failure of `fetch` ends
 * writing and is returned. *bytes is the file's size. */
enum status png_file_write_rows(const char *name, const struct png_rows *rows,
                                const struct png_settings *settings, uint64_t frames,
                                uint64_t *bytes);

/* Writes an RGBA picture in the same way. `frames` is the number written before, for messages.
 * *bytes is the file's size. */
enum status png_file_write(const char *name, const struct picture *picture,
                           const struct png_settings *settings, uint64_t frames, uint64_t *bytes);

/* Reads the text chunks before the pixels. STATUS_IO when the file cannot be read, STATUS_USAGE
 * when it is not a PNG. Free with tags_free in every case. */
enum status png_file_read_tags(const char *name, struct tags *out);

/* "libpng 1.6.39": the library that writes. */
void png_file_libraries(char *out, size_t size);

/* One PDF file of a page with a picture, for print, written whole or not at all. Thread-safe. */

enum { PDF_PIXELS_PER_INCH = 300 };

/* STATUS_USAGE for a picture that such a file cannot contain. */
enum status pdf_file_check(enum picture_alpha alpha);

/* Writes a picture of PICTURE_RGBA8, without loss, PDF_PIXELS_PER_INCH on the page. Of the tags the
 * title, the program, the time of creation and, as keywords, the packed ones are kept; without a
 * time of creation the same picture gives the same bytes. *bytes is the file's size. */
enum status pdf_file_write(const char *name, const struct picture *picture, const struct tags *tags,
                           uint64_t *bytes);
