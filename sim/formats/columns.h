/* A row of numbers in columns that a header may have named: what CSV files and arrays share. */
#ifndef SIM_FORMATS_COLUMNS_H
#define SIM_FORMATS_COLUMNS_H

#include "sim/formats/rows.h"

#include <stdbool.h>

/* mass x y z vx vy vz, then the galaxy's index where there is one, and, only by its name, the id.
 */
enum { COLUMNS_NEEDED = 7, COLUMNS_PLAIN = 8, COLUMN_ID = 8, COLUMNS = 9 };
extern const char *const column_names[COLUMNS];

/* The column that a header's word means, in any case: also m, pos_x, v_x, vel_x, group and pid. -1:
 * none of them. `length` bytes of `word` count. */
int column_find(const char *word, size_t length);

/* The first of the three columns that a vector's name means, x of pos, position or coordinates, vx
 * of vel or velocities; -1: none. */
int column_find_vector(const char *word, size_t length);

/* Fills the row from the values of its columns. STATUS_USAGE, without a place, for what is not
 * finite, a mass below 0, or a galaxy that is no whole number from 0 to 1023. */
enum status column_row(const double value[COLUMNS_PLAIN], bool has_galaxy, struct body_row *row);

#endif
