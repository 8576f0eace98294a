/* The text of a record: the manifest of a film.
 *
 *   {
 *    "gravreel_manifest": 1,            the format
 *    "program": "gravreel 0.1.0",       and the other members, named in record.c
 *    "scene": [                         the resolved scene, one string per line
 *     "look:",
 *    ],
 *    "frames": [
 *     {"frame": 0, "time": 0.0, "state": "...", ...},      a line per frame
 *    ],
 *    "baseline": {...},                 sections
 *    "xxh3_128": "..."                  hash of all bytes before the comma in front of this line
 *   }
 *
 * A record has exactly one text: objects have one member per line, arrays of numbers are on one
 * line, other arrays have one element per line, and numbers have as many digits as are needed to
 * read the same value. Values that are not recorded, 0 or false are omitted. In an array, null is a
 * number that is not recorded or not finite; "equal" is the PSNR of equal pictures. Thread-safe. */
#pragma once

#include "cmd/regression/record/record.h"

/* The first bytes of every manifest. */
#define RECORD_BEGINS "{\n \"gravreel_manifest\": "

/* Returns the text; the caller frees it. NULL when a string is not UTF-8, or a section is not JSON
 * or has a name that the record itself uses. */
char *record_to_json(const struct record *record);

/* Fills in, in every case, what record_free frees; texts that the manifest omits are "". Returns
 * STATUS_USAGE for a newer format, and STATUS_IO for anything that is not exactly the text of a
 * record; `name` is the file's name for the message. */
enum status record_from_json(struct record *record, const char *text, size_t size,
                             const char *name);

/* Do the same with files: read a file whole, or write one through a temporary file, making the
 * folder if it is missing. */
enum status record_read(struct record *record, const char *path);
enum status record_write(const struct record *record, const char *path);
