#include "base/output.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/part.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status fail_opening(struct output *output, enum status status)
{
    free(output->target);
    output_release(output);
    return status;
}

static enum status make_parent(const char *path)
{
    char *folder = file_folder(path);
    enum status status = file_make_folder(folder);
    free(folder);
    return status;
}

/* The file to replace: where a link of /dev or /proc leads, such as /dev/stdout, else the path,
 * whose own link is replaced. NULL: what is there has no name, and is written directly. */
static char *find_target(const char *path)
{
    struct stat found;
    if (!file_is_special(path))
        return memory_text(path);
    return stat(path, &found) == 0 && S_ISREG(found.st_mode) ? realpath(path, NULL) : NULL;
}

static enum status is_folder(const char *path)
{
    return status_fail(STATUS_USAGE, "'%s' is a folder; name a file inside it", path);
}

enum status output_open(struct output *output, const char *path)
{
    *output = (struct output){.descriptor = -1};
    bool standard = strcmp(path, "-") == 0;
    output->name = memory_text(standard ? "standard output" : path);
    if (standard) {
        output->descriptor = STDOUT_FILENO;
        return STATUS_OK;
    }

    struct stat found;
    bool exists = stat(path, &found) == 0;
    if (exists && S_ISDIR(found.st_mode))
        return fail_opening(output, is_folder(path));
    output->target = find_target(path);
    if (!output->target) {
        output->descriptor = file_open_to_write(path);
        return output->descriptor >= 0 ? STATUS_OK
                                       : fail_opening(output, status_cannot_write(path, errno));
    }
    enum status status = make_parent(path);
    if (status != STATUS_OK)
        return fail_opening(output, status);
    struct part part;
    status = part_open(&part, output->target, false);
    if (status != STATUS_OK)
        return fail_opening(output, status);
    output->temporary = part.name;
    output->descriptor = part.descriptor;
    output->seekable = true;
    return STATUS_OK;
}

/* `folder` or its nearest existing parent. Takes over `folder`; the caller frees the result. */
static char *standing_folder(char *folder)
{
    while (!file_exists(folder) && strcmp(folder, "/") != 0 && strcmp(folder, ".") != 0) {
        char *above = file_folder(folder);
        free(folder);
        folder = above;
    }
    return folder;
}

static enum status check_plain(const char *path)
{
    char *folder = standing_folder(file_folder(path));
    enum status status = part_check(path, folder);
    free(folder);
    return status;
}

enum status output_check(const char *path)
{
    struct stat found;
    const bool exists = stat(path, &found) == 0;
    if (strcmp(path, "-") == 0)
        return STATUS_OK;
    if (exists && S_ISDIR(found.st_mode))
        return is_folder(path);
    char *target = find_target(path);
    enum status status = target                    ? check_plain(target)
                         : access(path, W_OK) == 0 ? STATUS_OK
                                                   : status_cannot_write(path, errno);
    free(target);
    return status;
}

enum status output_check_new(const char *path, bool overwrite, const char *name)
{
    if (!overwrite && file_exists(path) && !file_is_folder(path) && !file_is_special(path))
        return status_fail(STATUS_USAGE,
                           "'%s' exists already; replace it with -y or choose another %s", path,
                           name);
    return output_check(path);
}

enum status output_check_inside(const char *path, size_t bytes)
{
    char *folder = standing_folder(memory_text(path));
    enum status status = part_check_inside(path, folder, bytes);
    free(folder);
    return status;
}

bool output_write(struct output *output, const void *data, size_t size)
{
    const char *at = data;
    while (output->error == 0 && size > 0) {
        ssize_t written = write(output->descriptor, at, size);
        if (written > 0) {
            at += written;
            size -= (size_t)written;
            output->position += (uint64_t)written;
            if (output->position > output->bytes)
                output->bytes = output->position;
        } else if (written < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = output->descriptor, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (written == 0 || errno != EINTR) {
            output->error = written == 0 ? EIO : errno;
        }
    }
    return output->error == 0;
}

bool output_seek(struct output *output, uint64_t position)
{
    if (output->error == 0 && lseek(output->descriptor, (off_t)position, SEEK_SET) < 0)
        output->error = errno;
    if (output->error == 0)
        output->position = position;
    return output->error == 0;
}

enum status output_failed(const struct output *output, uint64_t frames)
{
    const char *advice = "";
    if (output->error == ENOSPC || output->error == EDQUOT)
        advice = "; free some space or choose another folder";
    else if (output->error == EFBIG)
        advice = "; raise the limit of a file's size (ulimit -f), or choose another disk";
    else if (output->error == EPIPE)
        advice = "; the program that read it has stopped";
    return status_fail(STATUS_IO, "cannot write '%s' after %llu frame%s: %s%s", output->name,
                       (unsigned long long)frames, frames == 1 ? "" : "s", strerror(output->error),
                       advice);
}

bool output_close(struct output *output, bool keep, bool sync)
{
    int *error = &output->error, closed = 0;
    struct part part = {output->temporary, output->descriptor};
    if (output->temporary)
        closed = part_close(&part, keep && *error == 0 ? output->target : NULL, sync);
    else if (output->descriptor >= 0 && output->descriptor != STDOUT_FILENO)
        closed = close(output->descriptor) == 0 ? 0 : errno;
    if (*error == 0)
        *error = closed;
    free(output->target);
    output->temporary = output->target = NULL;
    output->descriptor = -1;
    return *error == 0;
}

void output_release(struct output *output)
{
    free(output->name);
    output->name = NULL;
}
