#include "sim/formats/formats.h"

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (!*params->file)
        return status_fail(STATUS_USAGE, "the model 'file' needs a bodies file, and none is given; "
                                         "set bodies.file or give --bodies-from");
    return bodies_read(params, out);
}

const struct bodies_model model_file = {
    .name = "file",
    .doc = "a table of mass x y z vx vy vz and, if there are several, the galaxy's index; text, "
           "CSV with a "
           "header or NumPy's .npy, plain or packed (gzip, xz, zstd)",
    .reads_file = true,
    .make = make,
};
