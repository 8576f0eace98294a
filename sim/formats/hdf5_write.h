/* Writes GADGET's layout of HDF5: Header, Units where they are known, and a group PartTypeN for
 * each type of bodies, by the names of the components: gas 0, halo 1, disk 2, bulge 3, stars 4,
 * black holes 5, any other 1. Double precision and ids of 64 bits; bodies without ids get their
 * rows, counted from 1. The group `gravreel` keeps the components with their names and galaxies in
 * their own order, so that our reader gets back the same bodies. */
#ifndef SIM_FORMATS_HDF5_WRITE_H
#define SIM_FORMATS_HDF5_WRITE_H

#include "sim/formats/snapshot.h"

/* As the entry's write (format.h). */
enum status hdf5_write(const char *path, const struct snapshot *snapshot);

#endif
