/* Reads an HDF5 file that nobody vouches for.
 *
 * libhdf5 is asked in a process of its own (server.h); what it says is checked here: a table's rows
 * times the bytes of a row must be in the file, or be what packed bytes can give. What lies in one
 * piece is read from the file straight into its place, the rest in blocks of at most 4 MiB. Links
 * out of the file, virtual and external datasets and filters that libhdf5 does not bring are
 * refused, and so are chunks above 256 MiB, tables of more than 2^24 chunks or 2^40 bytes, answers
 * that take more than 20 s of a processor and files that make libhdf5 take more than 2 GiB. Nothing
 * is printed.
 *
 * A file is used by one thread. STATUS_IO: the file cannot be opened or read; STATUS_USAGE: it is
 * damaged or holds what is not read here; STATUS_RUNTIME: no process can be started. Sentences name
 * the file. */
#ifndef SIM_HDF5_READER_H
#define SIM_HDF5_READER_H

#include "base/status.h"
#include "sim/hdf5/kinds.h"

#include <stddef.h>

struct hdf5_file;

enum status hdf5_open(struct hdf5_file **out, const char *path);
void hdf5_close(struct hdf5_file **file); /* accepts a pointer to NULL */

/* Paths are "group/name" without a leading slash; "" is the root. What is missing is no failure:
 * count 0 and an empty text. */
enum status hdf5_attribute(struct hdf5_file *file, const char *object, const char *name,
                           struct hdf5_attribute *out);

/* What is missing is no failure: found is false. */
enum status hdf5_table(struct hdf5_file *file, const char *path, struct hdf5_table *out);

/* The name of the first file that a virtual dataset is put together from, as it stands there; ""
 * where there is none. Nothing is opened. */
enum status hdf5_source(struct hdf5_file *file, const char *path, char out[HDF5_TEXT_MAX]);

/* The name of the group's member of that index, in the order of their names; "" behind the last. */
enum status hdf5_member(struct hdf5_file *file, const char *group, uint64_t index,
                        char out[HDF5_TEXT_MAX]);

/* The name of the group's last member by name, "" where there is none. */
enum status hdf5_last(struct hdf5_file *file, const char *group, char out[HDF5_TEXT_MAX]);

/* Rows first .. first + rows - 1 of the table, whose row i goes to to[i * step], step >= columns.
 * STATUS_USAGE, too, for a number that is not finite or, where `positive`, below 0. */
enum status hdf5_numbers(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                         double *to, size_t step, bool positive);

/* The same of any numbers, whether finite or not, in one column. */
enum status hdf5_values(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                        double *to);

/* The same of whole numbers in one column. */
enum status hdf5_whole(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                       uint64_t *to);

#endif
