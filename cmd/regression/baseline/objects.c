#include "cmd/regression/baseline/objects.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
