#include "cmd/regression/baseline/objects.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

bool object_is_name(const char *name)
{
    return strlen(name) == HASH_TEXT - 1 && strspn(name, "0123456789abcdef") == HASH_TEXT - 1;
}

static void name_of(const void *data, size_t size, char name[HASH_TEXT])
{
    hash_parts(&(struct hash_part){data, size}, 1, name);
}

enum status object_get(const char *folder, const char *name, size_t limit, void **data,
                       size_t *size, enum object_state *state)
{
    *data = NULL;
    *state = OBJECT_DAMAGED;
    if (!object_is_name(name))
        return status_fail(STATUS_IO, "'%s' cannot name an object of '%s'", name, folder);
    char *path = text_format("%s/%s", folder, name), *text, found[HASH_TEXT];
    struct stat file;
    const bool there = stat(path, &file) == 0;
    enum status status = STATUS_OK;
    if (!there) {
        *state = OBJECT_MISSING;
        status = status_fail(STATUS_IO, "'%s' is missing", path);
    } else if (!S_ISREG(file.st_mode)) {
        status = status_fail(STATUS_IO, "'%s' is not a file", path);
    } else if ((status = file_read(path, limit, &text, size)) == STATUS_OK) {
        name_of(text, *size, found);
        if (strcmp(found, name) != 0) { /* git's core.autocrlf may have changed line ends */
            *size = text_end_lines(text, *size);
            name_of(text, *size, found);
        }
        if (strcmp(found, name) == 0) {
            *data = text;
            *state = OBJECT_WHOLE;
        } else {
            free(text);
            status = status_fail(
                STATUS_IO, "'%s' was edited or damaged: its content has the hash %s", path, found);
        }
    } else {
        status = status_prefix(STATUS_IO, "an object of the baseline");
    }
    free(path);
    return status;
}

enum status object_put(const char *folder, const void *data, size_t size, char name[HASH_TEXT])
{
    void *present;
    size_t bytes;
    enum object_state state;
    name_of(data, size, name);
    if (object_get(folder, name, size, &present, &bytes, &state) == STATUS_OK) {
        free(present);
        return STATUS_OK;
    }
    enum status status = file_make_folder(folder);
    if (status != STATUS_OK)
        return status;
    char *path = text_format("%s/%s", folder, name);
    status = file_write(path, data, size);
    free(path);
    return status;
}

/* Calls see(user, path, name) for each object. */
static void walk(const char *folder, void (*see)(void *user, const char *path, const char *name),
                 void *user)
{
    DIR *entries = opendir(folder);
    if (!entries)
        return;
    for (const struct dirent *entry; (entry = readdir(entries));) {
        if (!object_is_name(entry->d_name))
            continue;
        char *path = text_format("%s/%s", folder, entry->d_name);
        see(user, path, entry->d_name);
        free(path);
    }
    closedir(entries);
}

static void add_bytes(void *user, const char *path, const char *name)
{
    (void)name;
    struct stat found;
    size_t *bytes = user;
    if (stat(path, &found) == 0)
        *bytes += (size_t)found.st_size;
}

size_t objects_bytes(const char *folder)
{
    size_t bytes = 0;
    walk(folder, add_bytes, &bytes);
    return bytes;
}

struct sweep {
    bool (*kept)(void *user, const char *name);
    void *user;
};

static void sweep_one(void *user, const char *path, const char *name)
{
    const struct sweep *sweep = user;
    if (!sweep->kept(sweep->user, name))
        unlink(path);
}

void objects_sweep(const char *folder, bool (*kept)(void *user, const char *name), void *user)
{
    walk(folder, sweep_one, &(struct sweep){kept, user});
    rmdir(folder);
}

/* ---- the bytes of an object ---- */

void pack_bytes(struct pack *pack, void *data, size_t size)
{
    if (pack->reading) {
        pack->broken = pack->broken || size > pack->size - pack->at;
        if (pack->broken)
            memset(data, 0, size);
        else
            memcpy(data, pack->data + pack->at, size);
        pack->at += pack->broken ? 0 : size;
        return;
    }
    if (pack->size + size > pack->room) {
        pack->room = 2 * (pack->size + size);
        pack->data = memory_grow(pack->data, pack->room, 1);
    }
    memcpy(pack->data + pack->size, data, size);
    pack->size += size;
}

void pack_count(struct pack *pack, uint64_t *value)
{
    uint8_t bytes[8];
    for (int b = 0; b < 8; b++)
        bytes[b] = (uint8_t)(*value >> 8 * b);
    pack_bytes(pack, bytes, sizeof bytes);
    *value = 0;
    for (int b = 0; b < 8; b++)
        *value |= (uint64_t)bytes[b] << 8 * b;
}

void pack_number(struct pack *pack, double *value)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    pack_count(pack, &bits);
    memcpy(value, &bits, sizeof bits);
}

/* Groups byte b of all items, or undoes it. The items are in the machine's own order of bytes,
 * which is little-endian wherever this program runs. */
static void shuffle(uint8_t *items, uint8_t *bytes, size_t count, size_t width, bool back)
{
    for (size_t b = 0; b < width; b++)
        for (size_t i = 0; i < count; i++)
            if (back)
                items[i * width + b] = bytes[b * count + i];
            else
                bytes[b * count + i] = items[i * width + b];
}

static void write_block(struct pack *pack, uint8_t *items, size_t count, size_t width)
{
    uint8_t *bytes = memory_new(count, width);
    uLongf size = compressBound(count * width);
    uint8_t *deflated = memory_new(size, 1);
    shuffle(items, bytes, count, width, false);
    if (compress2(deflated, &size, bytes, count * width, Z_BEST_COMPRESSION) != Z_OK)
        memory_exhausted();
    uint64_t length = size;
    pack_count(pack, &length);
    pack_bytes(pack, deflated, size);
    free(deflated);
    free(bytes);
}

static void read_block(struct pack *pack, uint8_t *items, size_t count, size_t width)
{
    uint64_t deflated = 0;
    pack_count(pack, &deflated);
    uint8_t *bytes = malloc(count * width + 1);
    uLongf size = count * width;
    pack->broken = pack->broken || !bytes || deflated > pack->size - pack->at ||
                   uncompress(bytes, &size, pack->data + pack->at, deflated) != Z_OK ||
                   size != count * width;
    if (pack->broken) {
        memset(items, 0, count * width);
    } else {
        pack->at += deflated;
        shuffle(items, bytes, count, width, true);
    }
    free(bytes);
}

void pack_block(struct pack *pack, void *items, size_t count, size_t width)
{
    (pack->reading ? read_block : write_block)(pack, items, count, width);
}

bool pack_is_read(const struct pack *pack)
{
    return !pack->broken && pack->at == pack->size;
}
