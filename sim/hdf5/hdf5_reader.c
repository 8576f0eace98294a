#include "sim/hdf5/hdf5_reader.h"

#include "base/memory.h"
#include "sim/hdf5/server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 2048 + 128, SIGNATURE = 8, USER_MAX = 2048 };
static const unsigned char signature[SIGNATURE] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* 0, 512, 1024, 2048; SIZE_MAX: not found. */
static size_t find(const unsigned char *head, size_t size)
{
    for (size_t at = 0; at <= USER_MAX; at = at ? 2 * at : 512)
        if (at + SIGNATURE <= size && memcmp(head + at, signature, SIGNATURE) == 0)
            return at;
    return SIZE_MAX;
}

bool superblock_found(const unsigned char *head, size_t size)
{
    return find(head, size) != SIZE_MAX;
}

/* The end of the file; UINT64_MAX: not a superblock that can be read. */
static uint64_t end_of_file(const unsigned char *block)
{
    const unsigned version = block[8];
    const bool old = version <= 1;
    const unsigned width = block[old ? 13 : 9];
    const size_t at = (old ? (version == 0 ? 24u : 28u) : 12u) + (size_t)width * 2;
    uint64_t end = 0;
    if (version > 3 || (width != 4 && width != 8))
        return UINT64_MAX;
    for (unsigned i = 0; i < width; i++)
        end |= (uint64_t)block[at + i] << 8 * i;
    return end;
}

/* Whether the open file can be passed to libhdf5: a regular file with a superblock of version 0 to
 * 3 that is not shorter than the superblock says. STATUS_USAGE names the file and its fault;
 * STATUS_IO when it cannot be read. *size: its size in bytes. */
static enum status superblock_check(int descriptor, const char *path, size_t *size)
{
    unsigned char head[HEAD + 1] = {0};
    struct stat found;
    if (fstat(descriptor, &found) != 0)
        return status_fail(STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    if (!S_ISREG(found.st_mode))
        return status_fail(STATUS_USAGE,
                           "%s is not a regular file, and HDF5 is read from regular files only",
                           path);
    *size = (size_t)found.st_size;
    const ssize_t got = pread(descriptor, head, HEAD, 0);
    if (got < 0)
        return status_fail(STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    const size_t at = find(head, (size_t)got);
    if (at == SIZE_MAX)
        return status_fail(STATUS_USAGE,
                           "%s does not begin as an HDF5 file; if it is packed, unpack it first",
                           path);
    const uint64_t end = end_of_file(head + at);
    if (end == UINT64_MAX)
        return status_fail(STATUS_USAGE, "%s has a superblock of HDF5 that is damaged or too new",
                           path);
    if (end > *size)
        return status_fail(STATUS_USAGE,
                           "%s is cut short after %zu of %llu bytes; copy or save it again", path,
                           *size, (unsigned long long)end);
    return STATUS_OK;
}

/* ---- reader ---- */

enum { BLOCK = 1 << 18, PACKING = 1100 }; /* deflate's ratio is at most 1032 */
static const uint64_t table_max = (uint64_t)1 << 40;

struct hdf5_file {
    char *path;
    int descriptor, socket;
    size_t size, taken; /* taken: bytes of tables read so far, each counted once */
    struct shared *shared;
    char name[SERVER_NAME]; /* of the table that is open in the server */
    struct hdf5_table table;
};

static enum status damaged(const struct hdf5_file *file, const char *what)
{
    return status_fail(STATUS_USAGE,
                       "%s is damaged at %s, or not HDF5 as libhdf5 knows it; copy or "
                       "save it again",
                       file->path, *what ? what : "its beginning");
}

/* ---- the server ---- */

static bool exchange(const struct hdf5_file *file)
{
    char byte = 0;
    ssize_t done;
    do
        done = send(file->socket, &byte, 1, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    if (done != 1)
        return false;
    do
        done = recv(file->socket, &byte, 1, 0);
    while (done < 0 && errno == EINTR);
    return done == 1;
}

/* h5repack finds hdf5plugin's filters, but nothing outside h5py has LZF. */
static enum status refuse_filter(const struct hdf5_file *file, const char *what)
{
    enum { LZF = 32000 };
    static const struct {
        unsigned number;
        const char *name;
    } filters[] = {{4, "SZIP"},    {307, "bzip2"},        {LZF, "h5py's LZF"}, {32001, "Blosc"},
                   {32004, "LZ4"}, {32008, "bitshuffle"}, {32013, "ZFP"},      {32015, "Zstandard"},
                   {32017, "SZ"},  {32024, "SZ3"},        {32026, "Blosc2"}};
    const unsigned number = (unsigned)file->shared->first;
    const char *name = "unknown";
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
        name = filters[i].number == number ? filters[i].name : name;
    if (number == LZF)
        return status_fail(
            STATUS_USAGE,
            "%s: %s is packed with the filter %s, which is not part of HDF5; repack the file: "
            "python3 -c \"import h5py; a = h5py.File('%s'); b = h5py.File('repacked.hdf5', 'w'); "
            "b.attrs.update(a.attrs); a.visititems(lambda n, o: (b.create_dataset(n, data=o[()], "
            "compression='gzip' if o.chunks else None) if isinstance(o, h5py.Dataset) else "
            "b.require_group(n)).attrs.update(o.attrs))\"",
            file->path, what, name, file->path);
    return status_fail(STATUS_USAGE,
                       "%s: %s is packed with the filter %s (number %u), which is not part of "
                       "HDF5; repack the file "
                       "with its plugin: HDF5_PLUGIN_PATH=$(python3 -c 'import hdf5plugin; "
                       "print(hdf5plugin.PLUGIN_PATH)') h5repack -f GZIP=4 %s repacked.hdf5",
                       file->path, what, name, number, file->path);
}

static enum status refuse(const struct hdf5_file *file, enum answer answer, const char *what)
{
    static const struct {
        enum answer answer;
        const char *reason;
    } reasons[] = {
        {ANSWER_LINK, "is a link; give a file with the data itself in it"},
        {ANSWER_EXTERNAL, "has its numbers in other files; put them into one, with h5repack"},
        {ANSWER_VIRTUAL, "is a virtual dataset, assembled from other files in a way that SWIFT "
                         "does not use; name those files"},
        {ANSWER_TYPE, "is not of plain integers or of float32 or float64"},
        {ANSWER_SHAPE, "does not have one dimension, or two with at most 16 columns"},
        {ANSWER_TOO_LARGE, "has chunks above 256 MiB, more than 16 million of them, or is a text "
                           "above 255 bytes; repack the file with h5repack"},
    };
    if (answer == ANSWER_FILTER)
        return refuse_filter(file, what);
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].answer == answer)
            return status_fail(STATUS_USAGE, "%s: %s %s", file->path, what, reasons[i].reason);
    return damaged(file, what);
}

/* ANSWER_GOOD and ANSWER_NONE are not failures; *none distinguishes them. */
static enum status take_answer(const struct hdf5_file *file, const char *path, bool *none)
{
    const enum answer answer = file->socket >= 0 ? file->shared->answer : ANSWER_BAD;
    *none = answer == ANSWER_NONE;
    return answer == ANSWER_GOOD || *none ? STATUS_OK : refuse(file, answer, path);
}

static enum status ask(struct hdf5_file *file, enum question question, const char *path,
                       const char *name, bool *none)
{
    struct shared *shared = file->shared;
    shared->question = question;
    (void)snprintf(shared->path, sizeof shared->path, "%s", path);
    (void)snprintf(shared->name, sizeof shared->name, "%s", name);
    if (file->socket >= 0 && !exchange(file)) {
        close(file->socket);
        file->socket = -1;
    }
    return take_answer(file, path, none);
}

static enum status start(struct hdf5_file *file)
{
    bool none;
    file->shared = server_start(file->descriptor, &file->socket);
    return file->shared ? take_answer(file, "", &none)
                        : status_fail(STATUS_RUNTIME, "cannot start a process to read %s: %s",
                                      file->path, strerror(errno));
}

enum status hdf5_open(struct hdf5_file **out, const char *path)
{
    struct hdf5_file *file = *out = memory_new(1, sizeof *file);
    *file = (struct hdf5_file){.path = memory_text(path), .socket = -1};
    file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    enum status status = STATUS_OK;
    if (file->descriptor < 0)
        status =
            status_fail(STATUS_IO, "cannot open the bodies file '%s': %s", path, strerror(errno));
    if (status == STATUS_OK)
        status = superblock_check(file->descriptor, path, &file->size);
    if (status == STATUS_OK)
        status = start(file);
    if (status != STATUS_OK)
        hdf5_close(out);
    return status;
}

void hdf5_close(struct hdf5_file **out)
{
    struct hdf5_file *file = *out;
    if (!file)
        return;
    if (file->socket >= 0)
        close(file->socket);
    if (file->shared)
        munmap(file->shared, sizeof *file->shared);
    if (file->descriptor >= 0)
        close(file->descriptor);
    free(file->path);
    free(file);
    *out = NULL;
}

/* ---- small things ---- */

enum status hdf5_attribute(struct hdf5_file *file, const char *object, const char *name,
                           struct hdf5_attribute *out)
{
    bool none = false;
    memset(out, 0, sizeof *out);
    const enum status status = ask(file, ASK_ATTRIBUTE, object, name, &none);
    if (status != STATUS_OK)
        return status_prefix(status, "%s", name);
    if (none)
        return status;
    *out = file->shared->attribute;
    out->text[HDF5_TEXT_MAX - 1] = '\0';
    return out->count <= HDF5_NUMBERS_MAX ? status : damaged(file, name);
}

static enum status ask_name(struct hdf5_file *file, enum question question, const char *path,
                            char out[HDF5_TEXT_MAX])
{
    bool none = false;
    const enum status status = ask(file, question, path, "", &none);
    *out = '\0';
    if (status == STATUS_OK && !none) {
        memcpy(out, file->shared->last, HDF5_TEXT_MAX);
        out[HDF5_TEXT_MAX - 1] = '\0';
    }
    return status;
}

enum status hdf5_source(struct hdf5_file *file, const char *path, char out[HDF5_TEXT_MAX])
{
    return ask_name(file, ASK_SOURCE, path, out);
}

enum status hdf5_member(struct hdf5_file *file, const char *group, uint64_t index,
                        char out[HDF5_TEXT_MAX])
{
    file->shared->first = index;
    return ask_name(file, ASK_MEMBER, group, out);
}

/* ---- tables ---- */

static bool is_possible(const struct hdf5_table *table, size_t file_size)
{
    const uint32_t bytes = table->bytes;
    if ((bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) || table->columns < 1 ||
        table->columns > HDF5_NUMBERS_MAX || table->rows > table_max ||
        (table->class == HDF5_FLOAT && bytes < 4) || table->class > HDF5_UNSIGNED)
        return false;
    const uint64_t size = table->rows * table->columns * bytes;
    if (size > table_max || table->stored > file_size)
        return false;
    if (table->place > 0)
        return table->place <= file_size && size <= file_size - table->place;
    return size / (table->packed ? PACKING : 1) <= table->stored;
}

enum status hdf5_table(struct hdf5_file *file, const char *path, struct hdf5_table *out)
{
    bool none = false;
    memset(out, 0, sizeof *out);
    *file->name = '\0';
    const enum status status = ask(file, ASK_TABLE, path, "", &none);
    if (status != STATUS_OK || none)
        return status;
    *out = file->shared->table;
    if (!is_possible(out, file->size)) {
        const enum status found = status_fail(
            STATUS_USAGE,
            "%s: %s declares %llu rows, more than fit in the file's %zu bytes; copy or save "
            "it again",
            file->path, path, (unsigned long long)out->rows, file->size);
        out->found = false;
        return found;
    }
    out->found = true;
    file->table = *out;
    (void)snprintf(file->name, sizeof file->name, "%s", path);
    return status;
}

/* The table must be the one that is open in the server; parts of the file are read only once. */
static enum status begin(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                         struct hdf5_table *table)
{
    if (strcmp(file->name, path) != 0) {
        const enum status status = hdf5_table(file, path, table);
        if (status != STATUS_OK)
            return status;
    }
    *table = file->table;
    if (strcmp(file->name, path) != 0 || first > table->rows || rows > table->rows - first)
        return status_fail(STATUS_USAGE, "%s: %s does not have %llu rows", file->path, path,
                           (unsigned long long)(first + rows));
    if (!table->packed)
        file->taken += rows * table->columns * table->bytes;
    if (file->taken > file->size)
        return status_fail(STATUS_USAGE,
                           "%s is damaged: %s overlaps other data; copy or save it again",
                           file->path, path);
    return STATUS_OK;
}

static bool read_at(const struct hdf5_file *file, uint64_t place, void *to, size_t size)
{
    for (size_t got = 0; got < size;) {
        const ssize_t more =
            pread(file->descriptor, (char *)to + got, size - got, (off_t)(place + got));
        if (more < 0 && errno == EINTR)
            continue;
        if (more <= 0)
            return false;
        got += (size_t)more;
    }
    return true;
}

/* Rows to read at once: whole chunks if they fit. */
static uint64_t block_rows(const struct hdf5_table *table)
{
    const uint64_t row = (uint64_t)table->columns * table->bytes;
    if (table->place > 0)
        return BLOCK / row;
    const uint64_t most = SERVER_WINDOW / (8 * (uint64_t)table->columns);
    return table->chunk_rows > 0 && table->chunk_rows < most
               ? most / table->chunk_rows * table->chunk_rows
               : most;
}

/* The bytes of some rows: in `buffer`, of BLOCK bytes, or where the server has put them. */
static enum status fetch(struct hdf5_file *file, const struct hdf5_table *table, uint64_t first,
                         uint64_t rows, void *buffer, const void **out)
{
    const uint64_t row = (uint64_t)table->columns * table->bytes;
    bool none = false;
    *out = table->place > 0 ? buffer : file->shared->window;
    if (table->place > 0)
        return read_at(file, table->place + first * row, buffer, rows * row)
                   ? STATUS_OK
                   : status_fail(STATUS_IO, "%s cannot be read to its end: %s", file->path,
                                 strerror(errno));
    file->shared->first = first;
    file->shared->rows = rows;
    const enum status status = ask(file, ASK_ROWS, file->name, "", &none);
    return none ? damaged(file, file->name) : status;
}

enum range { ANY_NUMBER, FINITE, POSITIVE };

static enum status check(const struct hdf5_file *file, const struct hdf5_table *table,
                         uint64_t first, uint64_t rows, const double *to, size_t step,
                         enum range range)
{
    if (range == ANY_NUMBER)
        return STATUS_OK;
    if (!convert_finite(to, rows, table->columns, step))
        return status_fail(STATUS_USAGE, "%s: a number of %s in rows %llu to %llu is not finite",
                           file->path, file->name, (unsigned long long)first + 1,
                           (unsigned long long)(first + rows));
    double least = 0;
    for (uint64_t i = 0; range == POSITIVE && i < rows; i++)
        least = to[i * step] < least ? to[i * step] : least;
    return least == 0 ? STATUS_OK
                      : status_fail(STATUS_USAGE, "%s: %s has %g, and none can be negative",
                                    file->path, file->name, least);
}

static enum status read_numbers(struct hdf5_file *file, const char *path, uint64_t first,
                                uint64_t rows, double *to, size_t step, enum range range,
                                bool *rounded)
{
    struct hdf5_table table;
    enum status status = begin(file, path, first, rows, &table);
    if (status == STATUS_OK && table.columns > step)
        status = status_fail(STATUS_USAGE, "%s: %s has %u columns, expected %zu", file->path, path,
                             table.columns, step);
    if (status != STATUS_OK)
        return status;
    const bool straight = table.place > 0 && convert_is_double(&table) && step == table.columns;
    const uint64_t most = block_rows(&table);
    void *buffer = straight || table.place == 0 ? NULL : memory_new(1, BLOCK);
    for (uint64_t i = 0; i < rows && status == STATUS_OK; i += most) {
        const uint64_t count = rows - i < most ? rows - i : most;
        double *at = to + i * step;
        const void *bytes;
        status = fetch(file, &table, first + i, count, straight ? at : buffer, &bytes);
        if (status == STATUS_OK && bytes != at)
            convert_numbers(&table, bytes, count, at, step);
        if (status == STATUS_OK && rounded)
            *rounded |= convert_rounds(&table, bytes, count);
        if (status == STATUS_OK)
            status = check(file, &table, first + i, count, at, step, range);
    }
    free(buffer);
    return status;
}

enum status hdf5_numbers(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                         double *to, size_t step, bool positive)
{
    return read_numbers(file, path, first, rows, to, step, positive ? POSITIVE : FINITE, NULL);
}

enum status hdf5_values(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                        double *to, bool *rounded)
{
    return read_numbers(file, path, first, rows, to, 1, ANY_NUMBER, rounded);
}

enum status hdf5_ids(struct hdf5_file *file, const char *path, uint64_t first, uint64_t rows,
                     uint64_t *to, uint64_t *good)
{
    struct hdf5_table table;
    enum status status = begin(file, path, first, rows, &table);
    if (status == STATUS_OK && table.columns != 1)
        status =
            status_fail(STATUS_USAGE, "%s: %s is not one number for each body", file->path, path);
    if (status != STATUS_OK)
        return status;
    const bool straight = table.place > 0 && convert_is_whole(&table);
    const uint64_t most = block_rows(&table);
    void *buffer = straight || table.place == 0 ? NULL : memory_new(1, BLOCK);
    *good = 0;
    for (uint64_t i = 0; i < rows && status == STATUS_OK && *good == i; i += most) {
        const uint64_t count = rows - i < most ? rows - i : most;
        const void *bytes;
        status = fetch(file, &table, first + i, count, straight ? to + i : buffer, &bytes);
        if (status == STATUS_OK)
            *good += convert_ids(&table, bytes, count, to + i);
    }
    free(buffer);
    return status;
}
