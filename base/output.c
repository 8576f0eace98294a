#include "base/output.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status cannot_open(struct output *output, const char *path, int reason)
{
    free(output->temporary);
    free(output->target);
    output_release(output);
    return status_fail(STATUS_IO, "cannot write '%s': %s", path, strerror(reason));
}

static enum status make_parent(const char *path)
{
    char *folder = file_folder(path);
    enum status status = file_make_folder(folder);
    free(folder);
    return status;
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
    if (exists && S_ISDIR(found.st_mode)) {
        output_release(output);
        return status_fail(STATUS_USAGE, "'%s' is a folder; name a file inside it", path);
    }
    if (exists && !S_ISREG(found.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        return output->descriptor >= 0 ? STATUS_OK : cannot_open(output, path, errno);
    }
    enum status status = make_parent(path);
    if (status != STATUS_OK) {
        output_release(output);
        return status;
    }
    output->target = exists ? realpath(path, NULL) : memory_text(path);
    if (!output->target)
        return cannot_open(output, path, errno);
    output->temporary = text_format("%s.part", output->target);
    output->descriptor = open(output->temporary, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output->descriptor < 0)
        return cannot_open(output, path, errno);
    output->seekable = true;
    return STATUS_OK;
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
    else if (output->error == EPIPE)
        advice = "; the program that read it has stopped";
    return status_fail(STATUS_IO, "cannot write '%s' after %llu frame%s: %s%s", output->name,
                       (unsigned long long)frames, frames == 1 ? "" : "s", strerror(output->error),
                       advice);
}

bool output_close(struct output *output, bool keep, bool sync)
{
    int *error = &output->error;
    if (output->descriptor >= 0 && output->descriptor != STDOUT_FILENO) {
        if (keep && sync && output->temporary && *error == 0 && fsync(output->descriptor) != 0)
            *error = errno;
        if (close(output->descriptor) != 0 && *error == 0)
            *error = errno;
    }
    if (output->temporary) {
        if (keep && *error == 0 && rename(output->temporary, output->target) != 0)
            *error = errno;
        if (!keep || *error != 0)
            unlink(output->temporary);
    }
    free(output->temporary);
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
