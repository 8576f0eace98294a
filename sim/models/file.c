#include "base/ranks/ranks.h"
#include "sim/formats/formats.h"

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (!*params->file)
        return status_fail(STATUS_USAGE, "the model 'file' needs a bodies file, and none is given; "
                                         "set bodies.file or give --bodies-from");
    return params->divide
               ? bodies_read_slice(params, (unsigned)ranks_own(), (unsigned)ranks_count(), out)
               : bodies_read(params, out);
}

const struct bodies_model model_file = {
    .name = "file",
    .doc = "a file of bodies: a table of mass x y z vx vy vz and the galaxy's index, CSV, NumPy's "
           "arrays, Tipsy, GADGET, NEMO or HDF5; docs/files.md describes them",
    .reads_file = true,
    .make = make,
};
