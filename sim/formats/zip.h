/* Reads the members of a zip file in order, stored or deflated, and writes such files (PKWARE's
 * APPNOTE.TXT 6.3, with its 64-bit extensions). A member's stated size is not trusted: nothing is
 * allocated for it, and the data must unpack to exactly that size and match its checksum. */
#pragma once

#include "sim/formats/bytes.h"

#include <stdbool.h>

enum { ZIP_NAME = 256 };

/* ---- reading; one thread per file ---- */

struct zip;

/* `input` and `path` must outlive it. */
struct zip *zip_open(struct body_input *input, const char *path);
void zip_close(struct zip **zip); /* accepts a pointer to NULL */

/* Advances to the next member, skipping the rest of the current one, and gives its name, or ""
 * after the last one, once the end of the file has been verified. STATUS_USAGE if the file is
 * damaged, encrypted or packed differently. */
enum status zip_next(struct zip *zip, char name[ZIP_NAME]);

/* Reads this many bytes of the member. STATUS_USAGE if it ends earlier. */
enum status zip_take(struct zip *zip, void *to, size_t size);

/* Whether the file is known to be long enough for this many more bytes of the member, which must be
 * stored uncompressed. */
bool zip_holds(const struct zip *zip, uint64_t size);

/* ---- writing; members are stored ---- */

struct zip_writer;

struct zip_writer *zip_begin(struct body_output *output);

/* Begins a member with this size and checksum (zip_sum); the caller writes its content to the
 * output. */
void zip_member(struct zip_writer *writer, const char *name, uint64_t size, uint32_t sum);

/* Writes the central directory. Frees the writer. */
void zip_end(struct zip_writer **writer);

/* Continues a checksum; the initial value is 0. */
uint32_t zip_sum(uint32_t sum, const void *bytes, size_t size);
