/* The further columns of a file, beside masses, positions, velocities, ids and galaxies: which of
 * them are read, and what they are called. */
#ifndef SIM_FORMATS_FURTHER_H
#define SIM_FORMATS_FURTHER_H

#include "sim/formats/snapshot.h"

/* Whether the column is to be read: it is asked for (snapshot->choice), `columns` have room for one
 * more and none of that name, and every format that holds columns can hold the name: shorter than
 * BODY_COLUMN_NAME, without control characters and any of , ; " / [ ] ( ), and not a word that
 * means something else in one of them, such as vx, group or time. What is not read goes into
 * snapshot->unread. */
bool further_wanted(struct snapshot *snapshot, const struct body_columns *columns,
                    const char *name);

/* Takes a column into a list whose columns have no memory yet, value NULL. */
void further_note(struct body_columns *columns, const char *name, const char *unit, bool single);

/* Splits a header's word: "rho [g/cm3]" and "rho (g/cm3)" are rho in g/cm3. */
void further_split(const char *word, char name[BODY_COLUMN_NAME], char unit[BODY_COLUMN_UNIT]);

/* Whether the numbers of a column are written as float32: they were that, and still fit. */
bool further_narrow(const struct body_column *column, size_t count);

#endif
