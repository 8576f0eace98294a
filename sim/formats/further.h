/* Additional columns of a file, besides masses, positions, velocities, ids and galaxies: which are
 * read, and under which names. */
#pragma once

#include "sim/formats/snapshot.h"

/* Whether the column is to be read: it is chosen (snapshot->choice), `columns` has room and no
 * column of that name, and every format with columns can store the name: shorter than
 * BODY_COLUMN_NAME, without control characters and , ; " / [ ] ( ), and not a word with another
 * meaning in one of them, such as vx, group or time. Otherwise adds the name to
 * snapshot->unread. */
bool further_wanted(struct snapshot *snapshot, const struct body_columns *columns,
                    const char *name);

/* Columns that have words even where these look like numbers; ended by NULL. */
extern const char *const further_names[];
bool further_is_name(const char *column); /* in any case */

/* Adds a column without memory (value NULL) to a list of such columns. */
void further_note(struct body_columns *columns, const char *name, const char *unit, bool single);

/* Splits a header's word: "rho [g/cm3]" and "rho (g/cm3)" are rho in g/cm3. */
void further_split(const char *word, char name[BODY_COLUMN_NAME], char unit[BODY_COLUMN_UNIT]);

/* Whether float32 stores these values exactly, besides those that are missing. */
bool further_fits(const struct body_column *column, size_t count);

/* Whether the column can be written as float32: it was read as that, and its values still fit. */
bool further_narrow(const struct body_column *column, size_t count);

/* The radius (support) of a gas body's kernel, from the columns of a file. Programs define
 * smoothing lengths differently: GADGET and AREPO as the support; SWIFT as two standard deviations,
 * which belongs to a cubic spline with 1.825742 times that support (W. Dehnen and H. Aly, MNRAS
 * 425, 1068 (2012)); SPLASH, Phantom and pynbody as half of the support. AREPO's cells have mass
 * and density instead: as in pynbody, the radius of the cell, taken as a sphere, is half of the
 * support. */

/* Whether the radius can be derived from a column with that name. */
bool kernel_takes(const char *name);

/* Adds the column BODY_KERNEL if the file has a source for it: for bodies of the component gas if
 * there is one, otherwise of all; NaN: unknown for this body. Removes columns that were read only
 * for it. `path` is for messages. STATUS_RUNTIME when out of memory. */
enum status kernel_make(struct snapshot *snapshot, const char *path);
