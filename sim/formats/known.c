#include "sim/formats/known.h"

#include <string.h>

static const struct known {
    const char *magic, *what, *advice;
    size_t at;
} known[] = {
    {"# SDF", "an SDF file", "save its particles as a table or as HDF5, with yt or SPLASH", 0},
    {"PK\3\4", "a zip file without arrays of NumPy in it", "unpack it, or save it with numpy.savez",
     0},
    {"SIMPLE  =", "a FITS file", "save its columns as CSV, with astropy or TOPCAT", 0},
    {"CDF\1", "a NetCDF file", "save its variables as a table or a NumPy array", 0},
    {"PAR1", "a Parquet file", "save its columns as CSV", 0},
    {"# vtk DataFile", "a VTK file", "save its points as CSV, with ParaView", 0},
    {"<VTKFile", "a VTK file", "save its points as CSV, with ParaView", 0},
    {"ply\n", "a PLY file", "save its points as a table", 0},
    {"%PDF", "a PDF file", "name a file of bodies", 0},
    {"\x89PNG", "a picture", "name a file of bodies", 0},
    {"ftyp", "a film", "name a file of bodies", 4},
};

enum status known_refuse(const char *path, const unsigned char *head, size_t size)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const size_t length = strlen(known[i].magic);
        if (size >= known[i].at + length && memcmp(head + known[i].at, known[i].magic, length) == 0)
            return status_fail(STATUS_USAGE, "%s is %s, which gravreel does not read; %s", path,
                               known[i].what, known[i].advice);
    }
    return STATUS_OK;
}
