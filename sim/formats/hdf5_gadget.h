/* Snapshots of GADGET 2 to 4, AREPO and SWIFT in HDF5, in one file or several. */
#ifndef SIM_FORMATS_HDF5_GADGET_H
#define SIM_FORMATS_HDF5_GADGET_H

#include "sim/formats/hdf5_header.h"

/* Reads the snapshot that the open file is, or is a part of; `header` is its own. As the entry's
 * read (format.h). */
enum status hdf5_gadget_read(struct hdf5_file *file, const char *path,
                             const struct hdf5_header *header, struct snapshot *out);

#endif
