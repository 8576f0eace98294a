/* The file formats of bodies: recognizing a file's format, and reading it for a scene.
 *
 * A new format is a file with its entry (probe, read, write; binary records by records.h, text by
 * text_rows.h), a row in formats.c before the table, which accepts any file, its section in
 * docs/files.md, and a fuzz target in tests/CMakeLists.txt. */
#pragma once

#include "base/choice.h"
#include "sim/formats/snapshot.h"
#include "sim/params.h"

#include <stdint.h>

/* The beginning of a file, unpacked. */
struct format_head {
    const unsigned char *bytes; /* [size], at most FORMAT_HEAD_BYTES */
    size_t size;
    uint64_t whole; /* size of the file in bytes; UINT64_MAX: unknown (a packed file or a pipe) */
};

enum { FORMAT_HEAD_BYTES = 4096 };

/* The data that a format can store besides mass, position and velocity. */
enum {
    KEEPS_COMPONENTS = 1, /* the component of each body */
    KEEPS_NAMES = 2,      /* with arbitrary names of components */
    KEEPS_IDS = 4,        /* ids below ids_end */
    KEEPS_TIME = 8,
    KEEPS_UNITS = 16,
    KEEPS_DOUBLES = 32, /* all digits of float64 */
    KEEPS_COLUMNS = 64, /* additional columns, by name */
    KEEPS_COLUMN_UNITS = 128,
    KEEPS_WORDS = 512,  /* additional columns of words */
    KEEPS_SHARES = 256, /* one file of several, with the bodies of one rank: see snapshot.parts */
};

struct format {
    const char *name, *doc;
    const char *extensions;   /* "csv tsv": extensions of this format, before .gz and the like */
    unsigned keeps;           /* KEEPS_ flags, of what `write` writes */
    uint64_t ids_end;         /* 0: no limit */
    const char *const *names; /* component names without KEEPS_NAMES, ended by NULL */
    /* Has no signature: probed last, after all formats that have one, including unsupported
     * ones. */
    bool text;
    bool (*probe)(const struct format_head *head);
    /* Reads all bodies, at least one, with their components. All numbers must be finite and masses
     * not negative. `out` is zeroed by the caller, except for the choice of additional columns
     * (further.h) and the slice, and freed by the caller, also after a failure. A reader that
     * cannot find the rows of a slice reads all, and leaves `whole` NULL. The number of bodies in a
     * header is checked against the file's size before memory is allocated; otherwise memory grows
     * as bodies arrive. STATUS_IO when the file cannot be read, STATUS_USAGE for invalid content,
     * with the file and the place in it. */
    enum status (*read)(const char *path, struct snapshot *out);
    /* Reads only time and units; NULL: the format's files do not state them. */
    enum status (*read_units)(const char *path, struct snapshot *out);
    /* Writes through a temporary file that replaces `path`; see output.h. Components must be
     * ranges. NULL: the format is read-only. STATUS_USAGE for what the format cannot store. */
    enum status (*write)(const char *path, const struct snapshot *snapshot);
};

/* STATUS_USAGE, with the name of the format and the way to convert it, for a file that begins like
 * one of the formats that are recognized but not supported (known.c). */
enum status known_refuse(const char *path, const struct format_head *head);

/* The file names of a snapshot in several files: NAME.0, NAME.1 and so on, or with an extension,
 * NAME.0.hdf5. Thread-safe. */

/* The name of file i of the snapshot that `path` belongs to; NULL if its name has no number. The
 * caller frees it. */
char *parts_name(const char *path, uint64_t i);

/* NAME.3.hdf5, of NAME.hdf5 the file 3 of several; the caller frees it. */
char *parts_file(const char *path, uint64_t i);

/* NAME.hdf5 for NAME.3.hdf5; NULL if the name has no number. The caller frees it. */
char *parts_whole(const char *path);

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
 * name, it may be the stem of one or several files: snap_003 for snap_003.0.hdf5. */
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

/* Converts the bodies, the box, the expansion and H0 to the scene's units and frame, without
 * position_scale and the like. In a comoving frame the expansion is 0. STATUS_USAGE for a comoving
 * frame if the file states no scale factor. name: the file, for messages. */
enum status bodies_convert(const struct bodies_params *params, struct snapshot *snapshot,
                           const char *name);

/* Reads params->file and converts it to the scene's units (units.h), with the components of
 * bodies_arrange. */
enum status bodies_read(const struct bodies_params *params, struct bodies **out);
/* The same for share `part` of `parts` (format_read_slice) of bodies that ranks share
 * (bodies_whole.h), with the file's own components. */
enum status bodies_read_slice(const struct bodies_params *params, unsigned part, unsigned parts,
                              struct bodies **out);
