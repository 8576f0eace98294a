/* The header of a GADGET, AREPO or SWIFT snapshot in HDF5. */
#pragma once

#include "sim/formats/snapshot.h"
#include "sim/hdf5/reader.h"

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
    double box;  /* edge of a cubic box, in physical units like the rest; 0: none */
    bool narrow; /* this program has written float32 input as doubles */
    /* Conversion of the file's numbers to physical ones: factors, and the expansion per unit of
     * length from the box's centre, which is added to velocities. 1, 1, 1 and 0 unless
     * `comoving`. */
    bool comoving;
    double scale_factor, position, velocity, body_mass, expansion;
};

/* STATUS_USAGE for an invalid header. */
enum status hdf5_header_read(struct hdf5_file *file, const char *path, struct hdf5_header *out);
