/* A file format of bodies: one const entry per file of this room. */
#ifndef SIM_FORMATS_FORMAT_H
#define SIM_FORMATS_FORMAT_H

#include "sim/formats/snapshot.h"

/* How a file begins, after it is unpacked. */
struct format_head {
    const unsigned char *bytes; /* [size], at most FORMAT_HEAD_BYTES */
    size_t size;
    uint64_t whole; /* bytes of the file; UINT64_MAX: not known, because it is packed or a pipe */
};

enum { FORMAT_HEAD_BYTES = 4096 };

/* What a format keeps beside mass, position and velocity. */
enum {
    KEEPS_COMPONENTS = 1, /* which component a body belongs to */
    KEEPS_NAMES = 2,      /* and any names of them */
    KEEPS_IDS = 4,        /* those below ids_end */
    KEEPS_TIME = 8,
    KEEPS_UNITS = 16,
    KEEPS_DOUBLES = 32, /* all digits of float64 */
    KEEPS_COLUMNS = 64, /* further ones, by their names */
    KEEPS_COLUMN_UNITS = 128,
};

struct format {
    const char *name, *doc;
    const char *extensions;   /* "csv tsv": those that mean this format, after .gz and the like */
    unsigned keeps;           /* KEEPS_ flags, of what `write` writes */
    uint64_t ids_end;         /* 0: all ids are kept, where ids are */
    const char *const *names; /* of components that are kept, without KEEPS_NAMES; NULL ends */
    /* Has no signature: its probe is asked last, after formats that are known and cannot be read.
     */
    bool text;
    bool (*probe)(const struct format_head *head);
    /* Reads all bodies, at least one, with their components; all numbers finite, no mass negative.
     * `out` is zeroed before, all but the choice of further columns (further.h), and freed by the
     * caller, also after a failure. A number of bodies that a header promises is checked against
     * the size of the file before there is room for them, or room is made as they come. STATUS_IO
     * when the file cannot be read, STATUS_USAGE when its content makes no sense, with the file and
     * the place in it. */
    enum status (*read)(const char *path, struct snapshot *out);
    /* Only time and units, of a format whose files state them; NULL: they do not. */
    enum status (*read_units)(const char *path, struct snapshot *out);
    /* Through a temporary file beside `path`, which then takes its place; see output.h. The
     * components are ranges. NULL: it can only be read. STATUS_USAGE for what the format cannot
     * hold. */
    enum status (*write)(const char *path, const struct snapshot *snapshot);
};

#endif
