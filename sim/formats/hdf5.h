/* The layouts of HDF5 files of bodies: those that are read, and the one that is written. */
#pragma once

#include "sim/formats/snapshot.h"
#include "sim/hdf5/hdf5_reader.h"

/* The header of a GADGET, AREPO or SWIFT snapshot in HDF5. */

enum { HEADER_TYPES = 8, HEADER_FILES_MAX = 8192 };

struct hdf5_header {
    bool found; /* false: the file has no header, and the other fields are invalid */
    bool swift;
    bool own;                                         /* written by this program */
    uint64_t here[HEADER_TYPES], total[HEADER_TYPES]; /* bodies in this file and in all */
    double mass[HEADER_TYPES];                        /* of one body; 0: each has its own */
    uint64_t files;
    double time; /* in units of length / velocity, or as stated if these are unknown */
    bool time_known;
    struct snapshot_units units;
    bool units_assumed;
    double box[3]; /* edges, in physical units like the rest; 0: not periodic along this axis */
    bool narrow;   /* this program has written float32 input as doubles */
    /* Conversion of the file's numbers to physical ones: factors, and the expansion per unit of
     * length from the box's centre, which is added to velocities. 1, 1, 1 and 0 unless
     * `comoving`. */
    bool comoving;
    double scale_factor, position, velocity, body_mass, expansion;
    struct cosmology cosmology; /* likewise */
};

/* STATUS_USAGE for an invalid header. */
enum status hdf5_header_read(struct hdf5_file *file, const char *path, struct hdf5_header *out);

/* Copies the time, units, box and expansion. */
void hdf5_header_give(const struct hdf5_header *header, struct snapshot *out);

/* Reads particles that AMUSE has written in HDF5 (versions 1 and 2 of its store): the last set of
 * the file, like the entry's read (formats.h). *found: whether the file has any; if not, nothing is
 * read. */
enum status hdf5_amuse_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                            bool *found);

/* Only time and units. */
enum status hdf5_amuse_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found);

/* Reads a file of plain arrays, mass, pos and vel and, where there are some, id, galaxy, time and
 * columns; likewise. */
enum status hdf5_arrays_read(struct hdf5_file *file, const char *path, struct snapshot *out,
                             bool *found);

/* Only the time, because such a file states no units. */
enum status hdf5_arrays_units(struct hdf5_file *file, const char *path, struct snapshot *out,
                              bool *found);

/* Reads snapshots of GADGET 2 to 4, AREPO and SWIFT in HDF5, in one file or several: the snapshot
 * that the open file is or belongs to, like the entry's read (formats.h); `header` is the open
 * file's. */
enum status hdf5_gadget_read(struct hdf5_file *file, const char *path,
                             const struct hdf5_header *header, struct snapshot *out);

/* Writes GADGET's layout of HDF5: Header, Units where they are known, and a group PartTypeN for
 * each type of bodies, by the names of the components: gas 0, halo 1, disk 2, bulge 3, stars 4,
 * black holes 5, any other 1. Double precision and ids of 64 bits; bodies without ids get their
 * rows, counted from 1. The group `gravreel` keeps the components with their names and galaxies in
 * their own order, so that reading restores the same bodies. Of bodies that ranks share, writes one
 * of as many files as there are ranks, all of them with all digits. Like the entry's write
 * (formats.h). */
enum status hdf5_write(const char *path, const struct snapshot *snapshot);
