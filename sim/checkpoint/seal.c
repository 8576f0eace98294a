#include "sim/checkpoint/seal.h"

#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "gravreel checkpoint\n";

static void write_seal(char seal[SEAL_BYTES], unsigned format, const char *hash, uint64_t bytes)
{
    memset(seal, 0, SEAL_BYTES);
    snprintf(seal, SEAL_BYTES, "%sformat %u\nxxh3-128 %s\nbytes %llu\n", magic, format, hash,
             (unsigned long long)bytes);
}

/* The format is hashed before the data, so that a damaged number is not taken for another
 * format. */
static size_t format_text(unsigned format, char out[24])
{
    return (size_t)snprintf(out, 24, "%u\n", format);
}

void seal_set(char *image, size_t size, unsigned format)
{
    char hash[HASH_TEXT], number[24];
    struct hash_part parts[] = {{number, format_text(format, number)},
                                {image + SEAL_BYTES, size - SEAL_BYTES}};
    hash_parts(parts, 2, hash);
    write_seal(image, format, hash, size);
}

/* The hash and size of a file. */
static enum status hash_file(const char *path, unsigned format, char hash[HASH_TEXT],
                             uint64_t *size)
{
    char number[24];
    struct hash_stream *stream = hash_open();
    *size = SEAL_BYTES;
    hash_add(stream, number, format_text(format, number));
    const enum status status = hash_add_file(stream, path, SEAL_BYTES, size);
    hash_end(&stream, hash);
    return status;
}

enum status seal_file(int descriptor, const char *path, unsigned format)
{
    char open_path[64], hash[HASH_TEXT], seal[SEAL_BYTES];
    uint64_t size;
    (void)snprintf(open_path, sizeof open_path, "/proc/self/fd/%d", descriptor);
    const enum status status = hash_file(open_path, format, hash, &size);
    if (status != STATUS_OK)
        return status;
    write_seal(seal, format, hash, size);
    return pwrite(descriptor, seal, SEAL_BYTES, 0) == SEAL_BYTES
               ? STATUS_OK
               : status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(errno));
}

static enum status read_seal(const char *path, char seal[SEAL_BYTES + 1])
{
    struct stat kind;
    if (stat(path, &kind) == 0 && !S_ISREG(kind.st_mode))
        return status_fail(STATUS_IO, "'%s' is not a file, so it is not a checkpoint", path);
    FILE *file = fopen(path, "rbe");
    if (!file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    size_t got = fread(seal, 1, SEAL_BYTES, file);
    int reason = ferror(file) ? errno : 0;
    (void)fclose(file);
    seal[got] = '\0';
    if (reason)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(reason));
    if (got >= sizeof magic - 1 && memcmp(seal, magic, sizeof magic - 1) != 0)
        return status_fail(STATUS_IO, "'%s' is not a checkpoint of gravreel", path);
    if (got < SEAL_BYTES)
        return status_fail(STATUS_IO, "the checkpoint '%s' is cut short after %zu bytes", path,
                           got);
    return STATUS_OK;
}

enum status seal_check(const char *path, unsigned known_format)
{
    char found[SEAL_BYTES + 1], expected[SEAL_BYTES], hash[HASH_TEXT];
    unsigned format = 0;
    unsigned long long bytes = 0;
    uint64_t size;
    enum status status = read_seal(path, found);
    if (status != STATUS_OK)
        return status;
    if (sscanf(found + sizeof magic - 1, "format %9u xxh3-128 %*32s bytes %19llu", &format,
               &bytes) < 1)
        return status_fail(STATUS_IO, "the checkpoint '%s' is damaged at its beginning", path);
    status = hash_file(path, format, hash, &size);
    if (status != STATUS_OK)
        return status;
    if (size < bytes)
        return status_fail(STATUS_IO, "the checkpoint '%s' is cut short after %llu of %llu bytes",
                           path, (unsigned long long)size, bytes);
    write_seal(expected, format, hash, size);
    if (memcmp(found, expected, SEAL_BYTES) != 0)
        return status_fail(STATUS_IO, "the checkpoint '%s' is damaged: its checksum does not match",
                           path);
    if (format != known_format)
        return status_fail(STATUS_USAGE,
                           "the checkpoint '%s' has format %u, and this version of gravreel reads "
                           "format %u; continue with the version that wrote it",
                           path, format, known_format);
    return STATUS_OK;
}
