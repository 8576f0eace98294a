/* Input of bodies: a file, plain or packed (gzip, xz, zstd), or standard input; and the numbers in
 * its bytes. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- compression: one const entry per library ---- */

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

/* Length of a name without an unpacker's extension. */
size_t unpacker_stem(const char *name);

/* ---- input ---- */

/* The path to open for `path`: itself, or for "-" standard input. A pipe is first copied to an
 * unnamed file, which replaces it, so that it can be read again. STATUS_USAGE if it is a terminal,
 * STATUS_IO if it cannot be copied. Not thread-safe. */
enum status body_input_path(const char *path, const char **out);

/* A regular file's first bytes, unpacked; *got is their number, 0 if the file is not regular, and
 * *whole the file's size, UINT64_MAX if unknown. STATUS_IO. */
enum status body_input_head(const char *path, void *head, size_t size, size_t *got,
                            uint64_t *whole);

/* Reads from the beginning to the end, in bounded memory. */
struct body_input;

/* STATUS_IO when it cannot be opened. Keeps `path`, which must outlive it. */
enum status body_input_open(struct body_input **out, const char *path);
void body_input_close(struct body_input **input); /* accepts a pointer to NULL */

/* Reads this many bytes, fewer only at the end. STATUS_IO when the file cannot be read, or when
 * packed data is damaged, truncated or followed by anything else. */
enum status body_input_read(struct body_input *input, void *to, size_t size, size_t *got);

/* The same, but all bytes are required; STATUS_USAGE says that the file ends within `what`. */
enum status body_input_take(struct body_input *input, void *to, size_t size, const char *what);
enum status body_input_skip(struct body_input *input, uint64_t size, const char *what);

/* Number of bytes left, UINT64_MAX if unknown. */
uint64_t body_input_left(const struct body_input *input);

/* STATUS_USAGE, like body_input_take, if it is known that fewer than count * size bytes are left;
 * call before allocating memory for them. */
enum status body_input_promise(const struct body_input *input, uint64_t count, uint64_t size,
                               const char *what);

/* STATUS_USAGE unless this is the end. */
enum status body_input_end(struct body_input *input);

/* ---- bytes ---- */

/* Reads numbers from a file's bytes in either byte order. Thread-safe; numbers are IEEE's, and this
 * program runs on little-endian machines. */

static inline uint32_t bytes_u32(const unsigned char *at, bool swap)
{
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return swap ? __builtin_bswap32(value) : value;
}

static inline uint64_t bytes_u64(const unsigned char *at, bool swap)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return swap ? __builtin_bswap64(value) : value;
}

static inline float bytes_f32(const unsigned char *at, bool swap)
{
    const uint32_t bits = bytes_u32(at, swap);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double bytes_f64(const unsigned char *at, bool swap)
{
    const uint64_t bits = bytes_u64(at, swap);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void bytes_put_u32(unsigned char *at, uint32_t value, bool swap)
{
    value = swap ? __builtin_bswap32(value) : value;
    memcpy(at, &value, sizeof value);
}

static inline void bytes_put_u64(unsigned char *at, uint64_t value, bool swap)
{
    value = swap ? __builtin_bswap64(value) : value;
    memcpy(at, &value, sizeof value);
}

static inline void bytes_put_f32(unsigned char *at, float value, bool swap)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u32(at, bits, swap);
}

static inline void bytes_put_f64(unsigned char *at, double value, bool swap)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_put_u64(at, bits, swap);
}

/* Output of bodies, in small pieces: a temporary file that replaces `path` when complete, a pipe or
 * a device (base/output.h). Used by one thread. */

struct body_output;

/* STATUS_IO; STATUS_USAGE if something is in the way. "-" is standard output. */
enum status body_output_open(struct body_output **out, const char *path);

/* A failure is remembered and reported on closing. */
void body_output_put(struct body_output *output, const void *data, size_t size);
void body_output_print(struct body_output *output, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Renames the file to `path` if `status` is STATUS_OK and nothing has failed, otherwise removes it.
 * Returns the first failure. Accepts a pointer to NULL. */
enum status body_output_close(struct body_output **output, enum status status);
