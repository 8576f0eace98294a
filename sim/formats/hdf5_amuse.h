/* Particles that AMUSE has written in HDF5 (versions 1 and 2 of its store). */
#ifndef SIM_FORMATS_HDF5_AMUSE_H
#define SIM_FORMATS_HDF5_AMUSE_H

#include "sim/formats/snapshot.h"
#include "sim/hdf5/reader.h"

/* The last set of the file; as the entry's read (format.h). *found: whether the file has any, and
 * else nothing is read. */
enum status hdf5_amuse_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                            bool *found);

/* Only time and units. */
enum status hdf5_amuse_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found);

#endif
