/* The layouts of HDF5 files of bodies: those that are read, and the one that is written. */
#pragma once

#include "sim/formats/hdf5_header.h"
#include "sim/formats/snapshot.h"
#include "sim/hdf5/reader.h"

/* Reads particles that AMUSE has written in HDF5 (versions 1 and 2 of its store): the last set of
 * the file, like the entry's read (format.h). *found: whether the file has any; if not, nothing is
 * read. */
enum status hdf5_amuse_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                            bool *found);

/* Only time and units. */
enum status hdf5_amuse_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found);

/* Reads snapshots of GADGET 2 to 4, AREPO and SWIFT in HDF5, in one file or several: the snapshot
 * that the open file is or belongs to, like the entry's read (format.h); `header` is the open
 * file's. */
enum status hdf5_gadget_read(struct hdf5_file *file, const char *path,
                             const struct hdf5_header *header, struct snapshot *out);

/* Writes GADGET's layout of HDF5: Header, Units where they are known, and a group PartTypeN for
 * each type of bodies, by the names of the components: gas 0, halo 1, disk 2, bulge 3, stars 4,
 * black holes 5, any other 1. Double precision and ids of 64 bits; bodies without ids get their
 * rows, counted from 1. The group `gravreel` keeps the components with their names and galaxies in
 * their own order, so that reading restores the same bodies. Of bodies that ranks share, writes one
 * of as many files as there are ranks, all of them with all digits. Like the entry's write
 * (format.h). */
enum status hdf5_write(const char *path, const struct snapshot *snapshot);
