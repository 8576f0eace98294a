#include "sim/playback/playback.h"

const struct bodies_model model_snapshots = {
    .name = "snapshots",
    .doc =
        "the bodies of a series of files, and how they move from one to the next; bodies.file is "
        "a pattern, such as snapshot_*.hdf5",
    .reads_file = true,
    .plays = true,
    .make = playback_gather,
};
