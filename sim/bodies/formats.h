/* The file formats of bodies.
 *
 * A new format is a file with its entry, and a row in formats.c. */
#ifndef SIM_BODIES_FORMATS_H
#define SIM_BODIES_FORMATS_H

#include "base/choice.h"
#include "sim/bodies/rows.h"
#include "sim/params.h"

struct body_format {
    const char *name, *doc;
    /* Whether a file that begins with these bytes, 512 at most after gzip, has this format. */
    bool (*probe)(const unsigned char *head, size_t size);
    /* Reads all rows and their groups, at least one of each; all numbers finite, no mass negative.
     * `rows` is zeroed before and freed by the caller, also after a failure. STATUS_IO when the
     * file cannot be read, STATUS_USAGE when its content makes no sense, with the file and the
     * place in it. */
    enum status (*read)(const char *path, struct body_rows *rows);
};

/* In the order in which formats are tried. */
extern const struct registry body_format_registry;

/* Reads params->file, or standard input where that is "-", in the format that its first bytes show,
 * with the components of bodies_from_rows. */
enum status bodies_read(const struct bodies_params *params, struct bodies **out);

#endif
