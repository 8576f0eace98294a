#include "sim/hdf5/superblock.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
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

enum status superblock_check(int descriptor, const char *path, size_t *size)
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
