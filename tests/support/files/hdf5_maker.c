#include "tests/support/files/hdf5_maker.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct maker {
    hid_t file;
};

static hid_t must(hid_t id)
{
    if (id < 0) {
        fprintf(stderr, "libhdf5 does not make what the test asks for\n");
        abort();
    }
    return id;
}

struct maker *maker_open(const char *path)
{
    struct maker *maker = malloc(sizeof *maker);
    if (!maker)
        abort();
    maker->file = must(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    return maker;
}

void maker_close(struct maker **maker)
{
    must(H5Fclose((*maker)->file));
    free(*maker);
    *maker = NULL;
}

void maker_group(struct maker *maker, const char *path)
{
    H5Gclose(must(H5Gcreate2(maker->file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
}

static void attribute(struct maker *maker, const char *object, const char *name, hid_t type,
                      hid_t memory, const void *values, size_t count)
{
    const hsize_t size = count;
    const hid_t space = count ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t made = must(H5Acreate_by_name(maker->file, object, name, type, space, H5P_DEFAULT,
                                              H5P_DEFAULT, H5P_DEFAULT));
    must(H5Awrite(made, memory, values));
    H5Aclose(made);
    H5Sclose(space);
}

void maker_numbers(struct maker *maker, const char *object, const char *name, const double *values,
                   size_t count)
{
    attribute(maker, object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

void maker_number(struct maker *maker, const char *object, const char *name, double value)
{
    maker_numbers(maker, object, name, &value, 0);
}

void maker_wholes(struct maker *maker, const char *object, const char *name, const uint64_t *values,
                  size_t count, size_t bytes)
{
    attribute(maker, object, name, bytes == 4 ? H5T_STD_I32LE : H5T_STD_U64LE, H5T_NATIVE_UINT64,
              values, count);
}

void maker_text(struct maker *maker, const char *object, const char *name, const char *text,
                bool of_any_length)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, of_any_length ? H5T_VARIABLE : strlen(text) + 1);
    attribute(maker, object, name, type, type, of_any_length ? (const void *)&text : text, 0);
    H5Tclose(type);
}

/* Sign, exponent and mantissa one after the other in the lowest bits. */
static hid_t float_of(size_t bytes, size_t exponent, size_t mantissa, size_t bias)
{
    const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
    must(H5Tset_fields(type, exponent + mantissa, mantissa, exponent, 0, mantissa));
    must(H5Tset_precision(type, 1 + exponent + mantissa));
    must(H5Tset_size(type, bytes));
    must(H5Tset_ebias(type, bias));
    return type;
}

static hid_t type_of(const struct maker_layout *layout)
{
    if (layout->type == MAKER_F16)
        return float_of(2, 5, 10, 15);
    if (layout->type == MAKER_F22)
        return float_of(4, 8, 13, 127);
    if (layout->type == MAKER_U36) {
        const hid_t type = H5Tcopy(H5T_STD_U64LE);
        must(H5Tset_precision(type, 36));
        return type;
    }
    const hid_t little[] = {H5T_IEEE_F32LE, H5T_IEEE_F64LE, H5T_STD_I32LE,
                            H5T_STD_U32LE,  H5T_STD_I64LE,  H5T_STD_U64LE};
    const hid_t big[] = {H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_STD_I32BE,
                         H5T_STD_U32BE,  H5T_STD_I64BE,  H5T_STD_U64BE};
    return (layout->big_endian ? big : little)[layout->type];
}

static hid_t how_of(const struct maker_layout *layout, int rank, size_t rows, size_t columns)
{
    const hsize_t chunk[] = {layout->chunk < rows ? layout->chunk : rows, columns};
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (layout->compact)
        must(H5Pset_layout(how, H5D_COMPACT));
    if (layout->chunk)
        must(H5Pset_chunk(how, rank, chunk));
    if (layout->nbit)
        must(H5Pset_nbit(how));
    if (layout->scale_offset)
        must(H5Pset_scaleoffset(how, H5Z_SO_INT, H5Z_SO_INT_MINBITS_DEFAULT));
    if (layout->shuffle)
        must(H5Pset_shuffle(how));
    if (layout->gzip)
        must(H5Pset_deflate(how, 4));
    if (layout->fletcher)
        must(H5Pset_fletcher32(how));
    return how;
}

static void table(struct maker *maker, const char *path, size_t rows, size_t columns, hid_t memory,
                  const void *values, const struct maker_layout *layout)
{
    const hsize_t size[] = {rows, columns};
    const int rank = columns ? 2 : 1;
    const hid_t space = H5Screate_simple(rank, size, NULL),
                how = how_of(layout, rank, rows, columns);
    const hid_t made =
        must(H5Dcreate2(maker->file, path, type_of(layout), space, H5P_DEFAULT, how, H5P_DEFAULT));
    must(H5Dwrite(made, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values));
    H5Dclose(made);
    H5Pclose(how);
    H5Sclose(space);
}

void maker_doubles(struct maker *maker, const char *path, size_t rows, size_t columns,
                   const double *values, const struct maker_layout *layout)
{
    table(maker, path, rows, columns, H5T_NATIVE_DOUBLE, values, layout);
}

void maker_ids(struct maker *maker, const char *path, size_t rows, const uint64_t *values,
               const struct maker_layout *layout)
{
    table(maker, path, rows, 0, H5T_NATIVE_UINT64, values, layout);
}

void maker_soft_link(struct maker *maker, const char *path, const char *to)
{
    must(H5Lcreate_soft(to, maker->file, path, H5P_DEFAULT, H5P_DEFAULT));
}

void maker_external_link(struct maker *maker, const char *path, const char *file, const char *to)
{
    must(H5Lcreate_external(file, to, maker->file, path, H5P_DEFAULT, H5P_DEFAULT));
}

static void unwritten(struct maker *maker, const char *path, uint64_t rows, hid_t type, hid_t how)
{
    const hsize_t size[] = {rows, 3};
    const hid_t space = H5Screate_simple(2, size, NULL);
    H5Dclose(must(H5Dcreate2(maker->file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT)));
    H5Pclose(how);
    H5Sclose(space);
}

void maker_external_table(struct maker *maker, const char *path, size_t rows, const char *file)
{
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    must(H5Pset_external(how, file, 0, H5F_UNLIMITED));
    unwritten(maker, path, rows, H5T_IEEE_F64LE, how);
}

void maker_virtual_table(struct maker *maker, const char *path, size_t rows, const char *file,
                         const char *from)
{
    const hsize_t size[] = {rows, 3};
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, size, NULL);
    must(H5Pset_virtual(how, space, file, from, space));
    H5Sclose(space);
    unwritten(maker, path, rows, H5T_IEEE_F64LE, how);
}

void maker_text_table(struct maker *maker, const char *path, size_t rows)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 8);
    unwritten(maker, path, rows, type, H5Pcreate(H5P_DATASET_CREATE));
    H5Tclose(type);
}

void maker_empty_table(struct maker *maker, const char *path, uint64_t rows, size_t chunk,
                       bool gzip)
{
    const hsize_t size[] = {chunk, 3};
    const hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    if (chunk)
        must(H5Pset_chunk(how, 2, size));
    if (gzip)
        must(H5Pset_deflate(how, 4));
    unwritten(maker, path, rows, H5T_IEEE_F64LE, how);
}
