/* XXH3 with 128 bits, as 32 hexadecimal digits: tells damaged data from intact, and one state or
 * film from another; no defence against forgery. Thread-safe, a stream for one thread at a time. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { HASH_TEXT = 33 };

struct hash_part {
    const void *data;
    size_t size;
};

/* Of the bytes of all parts in order. */
void hash_parts(const struct hash_part *parts, size_t count, char out[HASH_TEXT]);

struct hash_stream;

/* The same piece by piece: open, add, end. */
struct hash_stream *hash_open(void);
void hash_add(struct hash_stream *stream, const void *data, size_t size);

/* Adds the bytes of a file after the first `from`, in pieces of bounded size; *bytes, which may be
 * NULL, grows by their number. STATUS_IO when it is not a regular file or cannot be read. */
enum status hash_add_file(struct hash_stream *stream, const char *path, uint64_t from,
                          uint64_t *bytes);

/* Writes the digits, unless out is NULL, and frees. Accepts a pointer to NULL where out is NULL. */
void hash_end(struct hash_stream **stream, char *out);

#endif
