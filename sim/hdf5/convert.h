/* Conversion of a file's numbers to columns of bodies. Pure; thread-safe. */
#pragma once

#include "sim/hdf5/kinds.h"

#include <stddef.h>

/* Whether the table's numbers are native doubles. */
bool convert_is_double(const struct hdf5_table *table);
bool convert_is_whole(const struct hdf5_table *table);

/* Converts `rows` rows of the table's columns, starting at `from`; row i goes to to[i * step]. */
void convert_numbers(const struct hdf5_table *table, const void *from, size_t rows, double *to,
                     size_t step);

/* Converts integers; negative ones keep their bits. */
void convert_whole(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to);

/* Converts numbers to ids, and returns the index of the first that is none; `count` if all are. Ids
 * are whole, from 0 and, if they are floats, below 2^53 (float32: 2^24), from which on they may
 * have been rounded. `from` may be `to`. */
size_t convert_ids(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to);

/* Whether any of these numbers is an integer that no double is. */
bool convert_rounds(const struct hdf5_table *table, const void *from, size_t count);

/* Whether all numbers are finite. */
bool convert_finite(const double *numbers, size_t rows, size_t columns, size_t step);
