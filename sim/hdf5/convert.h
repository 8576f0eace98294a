/* From numbers as they lie in a file to the columns of bodies. Pure; thread-safe. */
#ifndef SIM_HDF5_CONVERT_H
#define SIM_HDF5_CONVERT_H

#include "sim/hdf5/kinds.h"

#include <stddef.h>

/* Whether the numbers of the table are those of memory. */
bool convert_is_double(const struct hdf5_table *table);
bool convert_is_whole(const struct hdf5_table *table);

/* `rows` rows of the table's columns, which begin at from; row i goes to to[i * step]. */
void convert_numbers(const struct hdf5_table *table, const void *from, size_t rows, double *to,
                     size_t step);

/* Numbers of a table of whole ones; negative ones as their bits are. */
void convert_whole(const struct hdf5_table *table, const void *from, size_t count, uint64_t *to);

/* Whether all numbers are finite. */
bool convert_finite(const double *numbers, size_t rows, size_t columns, size_t step);

#endif
