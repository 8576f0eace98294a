/* A file format of bodies: one const entry per file of this folder. */
#pragma once

#include "sim/formats/snapshot.h"

/* The beginning of a file, unpacked. */
struct format_head {
    const unsigned char *bytes; /* [size], at most FORMAT_HEAD_BYTES */
    size_t size;
    uint64_t whole; /* size of the file in bytes; UINT64_MAX: unknown (a packed file or a pipe) */
};

enum { FORMAT_HEAD_BYTES = 4096 };

/* What a format can store besides mass, position and velocity. */
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
