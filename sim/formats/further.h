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

/* Adds a column without memory (value NULL) to a list of such columns. */
void further_note(struct body_columns *columns, const char *name, const char *unit, bool single);

/* Splits a header's word: "rho [g/cm3]" and "rho (g/cm3)" are rho in g/cm3. */
void further_split(const char *word, char name[BODY_COLUMN_NAME], char unit[BODY_COLUMN_UNIT]);

/* Whether the column can be written as float32: it was read as that, and its values still fit. */
bool further_narrow(const struct body_column *column, size_t count);
