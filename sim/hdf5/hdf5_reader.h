/* Inspects the first bytes of an HDF5 file without libhdf5 (HDF5 File Format Specification 3.0,
 * section II.A). */
#pragma once

#include "base/status.h"
#include "sim/hdf5/hdf5_table.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a file with these first bytes is HDF5, possibly after a user block of up to 2,048 bytes.
 * Pure; thread-safe. */
bool superblock_found(const unsigned char *head, size_t size);

/* Reads an untrusted HDF5 file.
 *
 * libhdf5 runs in a process of its own (server.h), and its answers are checked here: a table's size
 * must be in the file, or possible for packed bytes. Contiguous data is read from the file directly
 * into its destination, other data in blocks of at most 4 MiB. Rejected are links out of the file,
 * virtual and external datasets, filters that libhdf5 does not include, chunks above 256 MiB,
 * tables of more than 2^24 chunks or 2^40 bytes, answers that take more than 20 s of processor
 * time, and files that make libhdf5 use more than 2 GiB. Nothing is printed.
 *
 * A file is used by one thread. STATUS_IO: the file cannot be opened or read; STATUS_USAGE: it is
 * damaged or has content that is not supported; STATUS_RUNTIME: no process can be started. Messages
 * name the file. */

struct hdf5_file;

enum status hdf5_open(struct hdf5_file **out, const char *path);
void hdf5_close(struct hdf5_file **file); /* accepts a pointer to NULL */

/* Paths are "group/name" without a leading slash; "" is the root. A missing attribute is not a
 * failure: count 0 and an empty text. */
enum status hdf5_attribute(struct hdf5_file *file, const char *object, const char *name,
                           struct hdf5_attribute *out);

/* A missing table is not a failure: found is false. */
enum status hdf5_table(struct hdf5_file *file, const char *path, struct hdf5_table *out);

/* The first file name of a virtual dataset, as stored; "" if there is none. Nothing is opened. */
enum status hdf5_source(struct hdf5_file *file, const char *path, char out[HDF5_TEXT_MAX]);

/* The name of a group's member by index, in alphabetical order; "" after the last. UINT64_MAX gives
 * the last name, or "" for an empty group. */
enum status hdf5_member(struct hdf5_file *file, const char *group, uint64_t index,
                        char out[HDF5_TEXT_MAX]);

/* Rows first .. first + rows - 1 of the table; row i goes to to[i * step], step >= columns.
 * STATUS_USAGE also for a number that is not finite or, if `positive`, is negative. */
enum status hdf5_numbers(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                         double *to, size_t step, bool positive);

/* The same for any numbers, finite or not, in one column. Sets *rounded if one of them is an
 * integer that no double is. */
enum status hdf5_values(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                        double *to, bool *rounded);

/* The same for ids in one column (convert_ids in hdf5_table.h). *good: the number of rows at the
 * beginning that are ids; later rows are not read. */
enum status hdf5_ids(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                     uint64_t *to, uint64_t *good);
