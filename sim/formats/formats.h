/* The file formats of bodies: which one a file has, and reading it for a scene.
 *
 * A new format is a file with its entry, and a row in formats.c. */
#ifndef SIM_FORMATS_FORMATS_H
#define SIM_FORMATS_FORMATS_H

#include "base/choice.h"
#include "sim/formats/format.h"
#include "sim/params.h"

/* In the order in which formats are tried; its name is in sim/params.h, too. */
extern const struct registry body_format_registry;

/* The format of a file: `forced` or, where that is NULL, the first whose probe knows how it begins,
 * else that of its extension, else the table, whose sentences say what is wrong with any file.
 * STATUS_USAGE for a format that is known and cannot be read, which the sentence names; STATUS_IO
 * when the file cannot be opened. */
enum status format_of_file(const char *path, const struct format *forced,
                           const struct format **out);

/* The format that the extension means, NULL when none does; .gz, .xz and .zst are not looked at. */
const struct format *format_of_extension(const char *path);

/* Reads a file, or standard input where `path` is "-", in the file's own units. What no file is
 * called may be the stem of one or of several: snap_003 of snap_003.0.hdf5 (parts.h). */
enum status format_read(const char *path, const struct format *forced, struct snapshot *out);

/* The same with the further columns that are chosen; format_read reads all. */
enum status format_read_chosen(const char *path, const struct format *forced,
                               const struct column_choice *choice, struct snapshot *out);

/* Whether there is such a file, or one of that stem. */
bool format_finds(const char *path);

/* Only time and units, as far as the file states them. */
enum status format_read_units(const char *path, const struct format *forced, struct snapshot *out);

/* The same where the time is wanted: of a format that has no header, all is read. */
enum status format_read_time(const char *path, const struct format *forced, struct snapshot *out);

/* The time of such a file in the scene's units; 0 where it states none. */
double bodies_time(const struct bodies_params *params, const struct snapshot *file);

/* Reads params->file and brings it to the scene's units (units.h), with the components of
 * bodies_arrange. */
enum status bodies_read(const struct bodies_params *params, struct bodies **out);

#endif
