/* XXH3 with 128 bits, as 32 hexadecimal digits: detects damaged data and tells states and films
 * apart; not secure against forgery. Thread-safe; a stream is used by one thread at a time. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { HASH_TEXT = 33 };

struct hash_part {
    const void *data;
    size_t size;
};

/* The hash of all parts in order. */
void hash_parts(const struct hash_part *parts, size_t count, char out[HASH_TEXT]);

/* XXH3 of a text with 64 bits, for tables in memory. */
uint64_t hash_word(const char *word);

struct hash_stream;

/* The same incrementally: open, add, end. */
struct hash_stream *hash_open(void);
void hash_add(struct hash_stream *stream, const void *data, size_t size);

/* Adds the bytes of a file from offset `from` on, in pieces of bounded size; adds their number to
 * *bytes, which may be NULL. STATUS_IO when it is not a regular file or cannot be read. */
enum status hash_add_file(struct hash_stream *stream, const char *path, uint64_t from,
                          uint64_t *bytes);

/* Writes the digits, unless out is NULL, and frees the stream. Accepts a pointer to NULL if out is
 * NULL. */
void hash_end(struct hash_stream **stream, char *out);
