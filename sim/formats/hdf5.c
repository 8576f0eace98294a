#include "sim/formats/format.h"
#include "sim/formats/hdf5_layouts.h"
#include "sim/hdf5/superblock.h"

static bool probe(const struct format_head *head)
{
    return superblock_found(head->bytes, head->size);
}

static enum status unknown(const char *path)
{
    return status_fail(
        STATUS_USAGE,
        "%s is HDF5, but not a snapshot of GADGET, AREPO or SWIFT (it has no Header with "
        "NumPart_ThisFile) and not particles of AMUSE; save it as one of these, with h5py",
        path);
}

static enum status read_hdf5(const char *path, struct snapshot *out)
{
    struct hdf5_file *file = NULL;
    struct hdf5_header header;
    bool found = false;
    enum status status = hdf5_open(&file, path);
    if (status == STATUS_OK)
        status = hdf5_header_read(file, path, &header);
    if (status == STATUS_OK && header.found)
        status = hdf5_gadget_read(file, path, &header, out);
    else if (status == STATUS_OK)
        status = hdf5_amuse_read(file, path, out, &found);
    if (status == STATUS_OK && !header.found && !found)
        status = unknown(path);
    hdf5_close(&file);
    return status;
}

static enum status read_units(const char *path, struct snapshot *out)
{
    struct hdf5_file *file = NULL;
    struct hdf5_header header;
    bool found = false;
    enum status status = hdf5_open(&file, path);
    if (status == STATUS_OK)
        status = hdf5_header_read(file, path, &header);
    if (status == STATUS_OK && header.found) {
        out->time = header.time;
        out->time_known = header.time_known;
        out->box = header.box;
        out->expansion = header.expansion;
        out->units = header.units;
        out->units_assumed = header.units_assumed;
    } else if (status == STATUS_OK) {
        status = hdf5_amuse_units(file, path, out, &found);
    }
    if (status == STATUS_OK && !header.found && !found)
        status = unknown(path);
    hdf5_close(&file);
    return status;
}

const struct format format_hdf5 = {
    .name = "hdf5",
    .doc = "HDF5 of GADGET, AREPO and SWIFT, in one file or several, and of AMUSE; GADGET's layout "
           "is written",
    .extensions = "hdf5 h5 hdf",
    .keeps = KEEPS_COMPONENTS | KEEPS_NAMES | KEEPS_IDS | KEEPS_TIME | KEEPS_UNITS | KEEPS_DOUBLES |
             KEEPS_COLUMNS | KEEPS_COLUMN_UNITS | KEEPS_SHARES,
    .probe = probe,
    .read = read_hdf5,
    .read_units = read_units,
    .write = hdf5_write,
};
