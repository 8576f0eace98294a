/* The file formats of bodies: recognizing a file's format, and reading it for a scene.
 *
 * A new format is a file with its entry (probe, read, write; of text by text_rows.h), a row in
 * formats.c before the table, which accepts any file, its section in docs/files.md, and a fuzz
 * target in tests/CMakeLists.txt. */
#pragma once

#include "base/choice.h"
#include "sim/formats/format.h"
#include "sim/params.h"

/* Names the data that are lost when bodies are written in a format. */

/* "rho, the ids, the time 0.5" if the snapshot is written in the format; NULL: nothing is lost. The
 * caller frees it. */
char *snapshot_lost(const struct snapshot *snapshot, const struct format *to);

/* In the order of probing; also declared in sim/params.h. */
extern const struct registry body_format_registry;

/* The format of a file: `forced`, or if that is NULL the first whose probe recognizes the file's
 * beginning, else the one of its extension, else the table, whose messages explain what is wrong
 * with any file. STATUS_USAGE names a format that is recognized but not supported; STATUS_IO when
 * the file cannot be opened. */
enum status format_of_file(const char *path, const struct format *forced,
                           const struct format **out);

/* The format with that extension, NULL when there is none; .gz, .xz and .zst are ignored. */
const struct format *format_of_extension(const char *path);

/* Reads a file, or standard input if `path` is "-", in the file's own units. If no file has the
 * name, it may be the stem of one or several files: snap_003 for snap_003.0.hdf5 (parts.h). */
enum status format_read(const char *path, const struct format *forced, struct snapshot *out);

/* The same, with only the chosen additional columns; format_read reads all. */
enum status format_read_chosen(const char *path, const struct format *forced,
                               const struct column_choice *choice, struct snapshot *out);

/* Reads slice `part` < `parts` of what format_read_chosen and snapshot_sort give, so that each of
 * several processes reads its share: of each component of n rows the rows n * part / parts to n *
 * (part + 1) / parts, in the file's order. Every slice has all components, some with no rows, and
 * out->whole; a slice may have no bodies. Where the file has no ids, bodies->id is NULL, and a
 * body's number is its place in the whole. Memory and time are those of the slice for HDF5 files of
 * GADGET, AREPO and SWIFT, and for GADGET's binary files (except that compressed ones are
 * decompressed as a whole); other formats read everything, and then keep the slice. Only numbers
 * that are read are checked. */
enum status format_read_slice(const char *path, const struct format *forced,
                              const struct column_choice *choice, unsigned part, unsigned parts,
                              struct snapshot *out);

/* Whether a file has this name, or this stem. */
bool format_finds(const char *path);

/* Reads only time and units, as far as the file states them. */
enum status format_read_units(const char *path, const struct format *forced, struct snapshot *out);

/* The same where the time is needed: reads everything if the format has no header. */
enum status format_read_time(const char *path, const struct format *forced, struct snapshot *out);

/* The file's time in the scene's units; 0 if it has none. */
double bodies_time(const struct bodies_params *params, const struct snapshot *file);

/* Reads params->file and converts it to the scene's units (units.h), with the components of
 * bodies_arrange. */
enum status bodies_read(const struct bodies_params *params, struct bodies **out);
/* The same for share `part` of `parts` (format_read_slice) of bodies that ranks share (whole.h),
 * with the file's own components. */
enum status bodies_read_slice(const struct bodies_params *params, unsigned part, unsigned parts,
                              struct bodies **out);
