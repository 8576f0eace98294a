/* The header of a snapshot of GADGET, AREPO or SWIFT in HDF5. */
#ifndef SIM_FORMATS_HDF5_HEADER_H
#define SIM_FORMATS_HDF5_HEADER_H

#include "sim/formats/snapshot.h"
#include "sim/hdf5/reader.h"

enum { HEADER_TYPES = 8, HEADER_FILES_MAX = 8192 };

struct hdf5_header {
    bool found; /* false: the file has none, and the rest says nothing */
    bool swift;
    bool own;                                         /* this program has written it */
    uint64_t here[HEADER_TYPES], total[HEADER_TYPES]; /* bodies in this file and in all */
    double mass[HEADER_TYPES];                        /* of one body; 0: each has its own */
    uint64_t files;
    double time; /* in units of length / velocity, or as the file states it where not known */
    bool time_known;
    struct snapshot_units units;
    bool units_assumed;
    double box;  /* edge of a cubic box, in physical units as the rest; 0: none is stated */
    bool narrow; /* this program has written the doubles of what were floats */
    /* What brings the file's numbers to physical ones: factors, and the expansion per unit of
     * length from the box's centre, which is added to velocities. 1, 1, 1 and 0 unless space
     * expands in it. */
    bool comoving;
    double scale_factor, position, velocity, body_mass, expansion;
};

/* STATUS_USAGE for a header that makes no sense. */
enum status hdf5_header_read(struct hdf5_file *file, const char *path, struct hdf5_header *out);

#endif
