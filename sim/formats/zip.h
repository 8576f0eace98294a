/* The members of a zip file one after the other, stored or deflated, and such a file written
 * (PKWARE's APPNOTE.TXT 6.3, with its 64-bit extensions). What a member says of its size is not
 * believed: nothing is allocated for it, and it must unpack to that and to its checksum. */
#ifndef SIM_FORMATS_ZIP_H
#define SIM_FORMATS_ZIP_H

#include "sim/formats/input.h"
#include "sim/formats/output.h"

#include <stdbool.h>

enum { ZIP_NAME = 256 };

/* ---- reading; one thread a file ---- */

struct zip;

/* `input` and `path` must outlive it. */
struct zip *zip_open(struct body_input *input, const char *path);
void zip_close(struct zip **zip); /* accepts a pointer to NULL */

/* Goes to the next member, whatever is left of the one before; its name, or "" behind the last one,
 * where the file is found to end as it should. STATUS_USAGE for what is damaged, encrypted or
 * packed otherwise. */
enum status zip_next(struct zip *zip, char name[ZIP_NAME]);

/* So many bytes of the member. STATUS_USAGE where it ends before. */
enum status zip_take(struct zip *zip, void *to, size_t size);

/* Whether the file is known to be long enough for so many more bytes of the member, which then are
 * stored in it as they are. */
bool zip_holds(const struct zip *zip, uint64_t size);

/* ---- writing; members are stored ---- */

struct zip_writer;

struct zip_writer *zip_begin(struct body_output *output);

/* Begins a member whose content has the size and checksum (zip_sum); the caller puts it into the
 * output. */
void zip_member(struct zip_writer *writer, const char *name, uint64_t size, uint32_t sum);

/* Puts the list of members behind them. Frees the writer. */
void zip_end(struct zip_writer **writer);

/* The checksum goes on; it begins with 0. */
uint32_t zip_sum(uint32_t sum, const void *bytes, size_t size);

#endif
