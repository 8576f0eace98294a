/* A row of numbers whose columns a header may name, as in CSV files and arrays. */
#pragma once

#include "sim/formats/rows.h"

#include <stdbool.h>

/* mass x y z vx vy vz, then optionally the galaxy's index, and, only by name, the id. */
enum { COLUMNS_NEEDED = 7, COLUMNS_PLAIN = 8, COLUMN_ID = 8, COLUMNS = 9 };
extern const char *const column_names[COLUMNS];

/* The column that a header's word names, in any case: also m, pos_x, v_x, vel_x, group and pid. -1:
 * none of them. Compares `length` bytes of `word`. */
int column_find(const char *word, size_t length);

/* The first of the three columns of a named vector: x for pos, position or coordinates, vx for vel
 * or velocities; -1: none. */
int column_find_vector(const char *word, size_t length);

/* Whether it is the index of a galaxy: a whole number from 0 to 1023. */
bool column_is_galaxy(double value);

/* Fills the row from the values of its columns. STATUS_USAGE, without a place, for a number that is
 * not finite, a negative mass, or a galaxy that is not an integer from 0 to 1023. */
enum status column_row(const double value[COLUMNS_PLAIN], bool has_galaxy, struct body_row *row);
