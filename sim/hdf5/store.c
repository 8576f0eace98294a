#include "sim/hdf5/store.h"

#include "base/memory.h"

#include <hdf5.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store {
    hid_t file, access;
    size_t front; /* bytes before HDF5's data */
    char *image;
};

static pthread_mutex_t only_one = PTHREAD_MUTEX_INITIALIZER;

static void store_lock(void)
{
    pthread_mutex_lock(&only_one);
}

static void store_unlock(void)
{
    pthread_mutex_unlock(&only_one);
}

static struct store *begin(void)
{
    struct store *store = memory_new(1, sizeof *store);
    store_lock();
    (void)H5dont_atexit();
    (void)H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    *store = (struct store){.file = -1, .access = H5Pcreate(H5P_FILE_ACCESS)};
    return store;
}

bool store_finish(struct store *store)
{
    const bool good = H5Fclose(store->file) >= 0;
    store->file = -1;
    return good;
}

void store_close(struct store **store)
{
    if (!*store)
        return;
    if ((*store)->file >= 0)
        H5Fclose((*store)->file);
    if ((*store)->access >= 0)
        H5Pclose((*store)->access);
    store_unlock();
    free((*store)->image);
    free(*store);
    *store = NULL;
}

struct store *store_create(size_t front, size_t bytes)
{
    struct store *store = begin();
    store->front = front;
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    if (H5Pset_userblock(create, front) >= 0 &&
        H5Pset_fapl_core(store->access, bytes + 4096, false) >= 0)
        store->file = H5Fcreate("memory", H5F_ACC_TRUNC, create, store->access);
    H5Pclose(create);
    if (store->file < 0)
        store_close(&store);
    return store;
}

struct store *store_create_on(int descriptor, size_t front)
{
    char path[64];
    struct store *store = begin();
    hid_t create = H5Pcreate(H5P_FILE_CREATE);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (H5Pset_userblock(create, front) >= 0 &&
        H5Pset_file_locking(store->access, false, true) >= 0)
        store->file = H5Fcreate(path, H5F_ACC_TRUNC, create, store->access);
    H5Pclose(create);
    if (store->file < 0)
        store_close(&store);
    return store;
}

struct store *store_open(const char *path)
{
    struct store *store = begin();
    /* Shared folders of clusters often do not support locks. */
    if (H5Pset_file_locking(store->access, false, true) >= 0)
        store->file = H5Fopen(path, H5F_ACC_RDONLY, store->access);
    if (store->file < 0)
        store_close(&store);
    return store;
}

bool store_image(struct store *store, char **image, size_t *size)
{
    free(store->image);
    store->image = NULL;
    ssize_t bytes =
        H5Fflush(store->file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(store->file, NULL, 0) : -1;
    if (bytes < 0)
        return false;
    *size = store->front + (size_t)bytes;
    *image = store->image = calloc(1, *size);
    return *image && H5Fget_file_image(store->file, *image + store->front, (size_t)bytes) == bytes;
}

/* ---- writing ---- */

bool store_put_group(struct store *store, const char *group)
{
    hid_t made = H5Gcreate2(store->file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return made >= 0 && H5Gclose(made) >= 0;
}

/* count 0: a scalar. */
static bool put_attribute(struct store *store, const char *group, const char *name, hid_t type,
                          hid_t memory, const void *value, size_t count)
{
    const hsize_t size = count;
    hid_t space = count ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate_by_name(store->file, group, name, type, space, H5P_DEFAULT,
                                        H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, memory, value) >= 0;
    if (attribute >= 0)
        good = H5Aclose(attribute) >= 0 && good;
    H5Sclose(space);
    return good;
}

static hid_t text_type(void)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    (void)H5Tset_size(type, STORE_TEXT_MAX);
    return type;
}

bool store_put_text(struct store *store, const char *group, const char *name, const char *text)
{
    char padded[STORE_TEXT_MAX] = "";
    memcpy(padded, text, strnlen(text, sizeof padded - 1));
    hid_t type = text_type();
    bool good = put_attribute(store, group, name, type, type, padded, 0);
    H5Tclose(type);
    return good;
}

bool store_put_count(struct store *store, const char *group, const char *name, uint64_t value)
{
    return put_attribute(store, group, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, &value, 0);
}

bool store_put_number(struct store *store, const char *group, const char *name, double value)
{
    return put_attribute(store, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value, 0);
}

bool store_put_int(struct store *store, const char *group, const char *name, int32_t value)
{
    return put_attribute(store, group, name, H5T_STD_I32LE, H5T_NATIVE_INT32, &value, 0);
}

bool store_put_numbers(struct store *store, const char *group, const char *name,
                       const double *values, size_t count)
{
    return put_attribute(store, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count);
}

bool store_put_counts(struct store *store, const char *group, const char *name,
                      const uint32_t *values, size_t count)
{
    return put_attribute(store, group, name, H5T_STD_U32LE, H5T_NATIVE_UINT32, values, count);
}

static hid_t make_table(struct store *store, const char *path, hid_t type, size_t rows,
                        size_t columns)
{
    const hsize_t size[] = {rows, columns};
    hid_t space = H5Screate_simple(columns > 0 ? 2 : 1, size, NULL);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE), table = -1;
    if (H5Pset_obj_track_times(how, false) >= 0) /* for reproducible bytes */
        table = H5Dcreate2(store->file, path, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    return table;
}

bool store_put_table(struct store *store, const char *path, size_t rows, size_t columns,
                     const double *values)
{
    hid_t table = make_table(store, path, H5T_IEEE_F64LE, rows, columns);
    bool good = table >= 0;
    if (good && rows > 0)
        good = H5Dwrite(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (table >= 0)
        good = H5Dclose(table) >= 0 && good;
    return good;
}

bool store_put_bytes(struct store *store, const char *path, size_t size, const char *bytes)
{
    hid_t table = make_table(store, path, H5T_STD_U8LE, size, 0);
    bool good = table >= 0;
    if (good && size > 0)
        good = H5Dwrite(table, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    if (table >= 0)
        good = H5Dclose(table) >= 0 && good;
    return good;
}

static hid_t type_of(enum store_kind kind)
{
    switch (kind) {
    case STORE_WHOLE:
        return H5T_STD_U64LE;
    case STORE_FLOATS:
        return H5T_IEEE_F32LE;
    case STORE_BYTES:
        return H5T_STD_U8LE;
    case STORE_DOUBLES:
        break;
    }
    return H5T_IEEE_F64LE;
}

bool store_make_space(struct store *store, const char *path, const uint64_t *sizes, int rank,
                      enum store_kind kind, uint64_t *offset)
{
    hsize_t size[STORE_RANK_MAX] = {0};
    for (int k = 0; k < rank; k++)
        size[k] = sizes[k];
    hid_t space = H5Screate_simple(rank, size, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
    hid_t table = -1;
    if (H5Pset_obj_track_times(how, false) >= 0 &&
        H5Pset_alloc_time(how, H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_fill_time(how, H5D_FILL_TIME_NEVER) >= 0)
        table = H5Dcreate2(store->file, path, type_of(kind), space, H5P_DEFAULT, how, H5P_DEFAULT);
    H5Pclose(how);
    H5Sclose(space);
    if (table < 0)
        return false;
    const haddr_t at = H5Dget_offset(table);
    *offset = at;
    return H5Dclose(table) >= 0 && at != HADDR_UNDEF;
}

bool store_make_table(struct store *store, const char *path, size_t rows, size_t columns,
                      enum store_kind kind)
{
    hid_t table = make_table(store, path, type_of(kind), rows, columns);
    return table >= 0 && H5Dclose(table) >= 0;
}

bool store_fill_table(struct store *store, const char *path, size_t first, size_t rows,
                      const void *values)
{
    hid_t table = H5Dopen2(store->file, path, H5P_DEFAULT);
    if (table < 0)
        return false;
    hid_t space = H5Dget_space(table), type = H5Dget_type(table);
    hsize_t size[2] = {0, 0};
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    const hsize_t at[2] = {first, 0};
    size[0] = rows;
    hid_t memory = H5Screate_simple(rank, size, NULL);
    bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 &&
                H5Dwrite(table, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Tclose(type);
    H5Sclose(space);
    return H5Dclose(table) >= 0 && good;
}

/* ---- reading ---- */

static bool get_attribute(struct store *store, const char *group, const char *name, hid_t type,
                          hid_t memory, void *out)
{
    hid_t attribute = H5Aopen_by_name(store->file, group, name, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0)
        return false;
    hid_t space = H5Aget_space(attribute), found = H5Aget_type(attribute);
    bool good = H5Sget_simple_extent_npoints(space) == 1 && H5Tequal(found, type) > 0 &&
                H5Aread(attribute, memory, out) >= 0;
    H5Tclose(found);
    H5Sclose(space);
    H5Aclose(attribute);
    return good;
}

bool store_get_text(struct store *store, const char *group, const char *name,
                    char out[STORE_TEXT_MAX])
{
    hid_t type = text_type();
    bool good = get_attribute(store, group, name, type, type, out);
    out[STORE_TEXT_MAX - 1] = '\0';
    H5Tclose(type);
    return good;
}

bool store_get_count(struct store *store, const char *group, const char *name, uint64_t *out)
{
    return get_attribute(store, group, name, H5T_STD_U64LE, H5T_NATIVE_UINT64, out);
}

bool store_get_number(struct store *store, const char *group, const char *name, double *out)
{
    return get_attribute(store, group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, out);
}

/* -1 unless it is a table of that type. */
static hid_t open_typed(struct store *store, const char *path, hid_t kind, size_t *rows,
                        size_t *columns)
{
    hid_t table = H5Dopen2(store->file, path, H5P_DEFAULT);
    if (table < 0)
        return -1;
    hid_t space = H5Dget_space(table), type = H5Dget_type(table);
    hsize_t size[2] = {0, 0};
    int rank = H5Sget_simple_extent_ndims(space);
    bool good = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Tequal(type, kind) > 0;
    H5Tclose(type);
    H5Sclose(space);
    *rows = (size_t)size[0];
    *columns = (size_t)size[1];
    if (good)
        return table;
    H5Dclose(table);
    return -1;
}

static hid_t open_table(struct store *store, const char *path, size_t *rows, size_t *columns)
{
    return open_typed(store, path, H5T_IEEE_F64LE, rows, columns);
}

char *store_get_bytes(struct store *store, const char *path, size_t *size)
{
    size_t columns;
    hid_t table = open_typed(store, path, H5T_STD_U8LE, size, &columns);
    if (table < 0)
        return NULL;
    char *bytes = columns == 0 ? calloc(*size + 1, 1) : NULL;
    bool good = bytes;
    if (good && *size > 0)
        good = H5Dread(table, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0;
    good = H5Dclose(table) >= 0 && good;
    if (good)
        return bytes;
    free(bytes);
    return NULL;
}

bool store_table_size(struct store *store, const char *path, size_t *rows, size_t *columns)
{
    hid_t table = open_table(store, path, rows, columns);
    return table >= 0 && H5Dclose(table) >= 0;
}

bool store_get_table(struct store *store, const char *path, size_t rows, size_t columns,
                     double *out)
{
    size_t found_rows, found_columns;
    hid_t table = open_table(store, path, &found_rows, &found_columns);
    if (table < 0)
        return false;
    bool good = found_rows == rows && found_columns == columns;
    if (good && rows > 0)
        good = H5Dread(table, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    return H5Dclose(table) >= 0 && good;
}

bool store_get_rows(struct store *store, const char *path, size_t columns, size_t first,
                    size_t rows, double *out)
{
    size_t found_rows, found_columns;
    hid_t table = open_table(store, path, &found_rows, &found_columns);
    if (table < 0)
        return false;
    const hsize_t at[2] = {first, 0}, size[2] = {rows, columns};
    hid_t space = H5Dget_space(table), memory = H5Screate_simple(columns > 0 ? 2 : 1, size, NULL);
    const bool good = found_columns == columns && first + rows <= found_rows &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, at, NULL, size, NULL) >= 0 &&
                      H5Dread(table, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return H5Dclose(table) >= 0 && good;
}
