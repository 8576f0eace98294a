#include "base/file.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_pipe(int descriptor)
{
    struct stat found;
    return fstat(descriptor, &found) == 0 && S_ISFIFO(found.st_mode);
}

/* Makes reads and writes block from now on. */
static int blocking(int descriptor)
{
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0 && fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

int file_open_to_read(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    if (is_pipe(descriptor) && poll(&ready, 1, 0) == 0) {
        log_info("waiting for a program that writes to '%s'", path);
        if (poll(&ready, 1, -1) < 0) {
            close(descriptor);
            return -1;
        }
    }
    return blocking(descriptor);
}

int file_open_to_write(const char *path)
{
    const int descriptor = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (descriptor >= 0)
        return blocking(descriptor);
    const int reason = errno;
    struct stat found;
    if (reason != ENXIO || stat(path, &found) != 0 || !S_ISFIFO(found.st_mode)) {
        errno = reason;
        return -1;
    }
    log_info("waiting for a program that reads '%s'", path);
    return open(path, O_WRONLY | O_CLOEXEC);
}

enum status file_read(const char *path, size_t limit, char **text, size_t *size)
{
    *text = NULL;
    const int descriptor = file_open_to_read(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, status_reason(path, errno));
    size_t used = 0, room = 1 << 16;
    char *buffer = malloc(room);
    enum status status = STATUS_OK;
    while (buffer) {
        used += fread(buffer + used, 1, room - 1 - used, file);
        if (used < room - 1 || used > limit)
            break;
        room *= 2;
        char *larger = realloc(buffer, room);
        if (!larger)
            free(buffer);
        buffer = larger;
    }
    if (!buffer)
        status =
            status_fail(STATUS_RUNTIME, "'%s' does not fit in memory after %zu bytes", path, used);
    else if (ferror(file))
        status = status_fail(STATUS_IO, "cannot read '%s': %s", path, status_reason(path, errno));
    else if (used > limit)
        status = status_fail(
            STATUS_USAGE, "'%s' is larger than the %zu bytes allowed for such a file", path, limit);
    fclose(file);
    if (status != STATUS_OK) {
        free(buffer);
        return status;
    }
    buffer[used] = '\0';
    *text = buffer;
    if (size)
        *size = used;
    return STATUS_OK;
}

enum status file_sync_folder(const char *path)
{
    char *folder = file_folder(path);
    enum status status = STATUS_OK;
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int reason = descriptor < 0 || fsync(descriptor) == 0 ? 0 : errno;
    if (descriptor >= 0)
        close(descriptor);
    if (reason != 0 && reason != EINVAL && reason != ENOTSUP && reason != EROFS)
        status = status_fail(STATUS_IO, "cannot write the folder '%s' to the disk: %s", folder,
                             strerror(reason));
    free(folder);
    return status;
}

enum status file_read_head(const char *path, void *head, size_t size, size_t *got)
{
    struct stat found;
    *got = 0;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
        return STATUS_OK;
    FILE *file = fopen(path, "rb");
    if (!file)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, status_reason(path, errno));
    *got = fread(head, 1, size, file);
    fclose(file);
    return STATUS_OK;
}

bool file_is_folder(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

bool file_is_standard(const char *path)
{
    return strcmp(path, "-") == 0;
}

/* Returns whether a link leads through /dev or /proc, whose links name open files; in /dev/shm
 * there are files like any other. */
static bool is_descriptor(const char *path)
{
    enum { LINKS_MOST = 40 };
    char *at = memory_text(path);
    bool found = false;
    for (int i = 0; i < LINKS_MOST && !found; i++) {
        char *link = part_link(at), *folder = file_folder(at), *place = realpath(folder, NULL);
        found = link && place && (strcmp(place, "/dev") == 0 || strncmp(place, "/proc/", 6) == 0);
        char *next = !link          ? NULL
                     : *link == '/' ? memory_text(link)
                                    : text_format("%s/%s", folder, link);
        free(link);
        free(folder);
        free(place);
        free(at);
        at = next;
        if (!at)
            return found;
    }
    free(at);
    return found;
}

bool file_is_special(const char *path)
{
    struct stat found;
    if (file_is_standard(path))
        return true;
    if (stat(path, &found) != 0 || S_ISDIR(found.st_mode))
        return false;
    return !S_ISREG(found.st_mode) || is_descriptor(path);
}

void file_drop_link(const char *path)
{
    char *link = file_is_special(path) ? NULL : part_link(path);
    if (link && unlink(path) == 0)
        part_tell_link(path, link);
    free(link);
}

static bool leaves_writing; /* set before threads are started */

void file_leave_writing(void)
{
    leaves_writing = true;
}

static enum status refuse_to_write(const char *path)
{
    return status_fail(STATUS_RUNTIME,
                       "'%s' is not written, because another process writes the files", path);
}

static enum status write_through(const char *path, const void *data, size_t size)
{
    if (leaves_writing)
        return refuse_to_write(path);
    const bool standard = file_is_standard(path);
    struct stat found; /* an open file may have other content before */
    const bool plain = stat(path, &found) == 0 && S_ISREG(found.st_mode);
    FILE *file = standard ? stdout : fopen(path, plain ? "ab" : "wb");
    bool good = file && fwrite(data, 1, size, file) == size && fflush(file) == 0;
    int reason = errno;
    if (file && !standard && fclose(file) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good)
        return STATUS_OK;
    return standard
               ? status_fail(STATUS_IO, "cannot write to the standard output: %s", strerror(reason))
               : status_cannot_write(path, reason);
}

static int write_all(int descriptor, const char *data, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(descriptor, data, size);
        if (written == 0 || (written < 0 && errno != EINTR))
            return written == 0 ? EIO : errno;
        data += written > 0 ? written : 0;
        size -= written > 0 ? (size_t)written : 0;
    }
    return 0;
}

/* The path from which a temporary file's name is made that no process of another machine has. */
static char *own_path(const char *path)
{
    char host[128] = "";
    (void)gethostname(host, sizeof host - 1);
    return text_format("%s.%s-%ld", path, host, (long)getpid());
}

enum status file_write_by(const char *path, bool shared, file_put put, void *user)
{
    struct part part;
    if (leaves_writing)
        return refuse_to_write(path);
    char *own = shared ? own_path(path) : NULL;
    enum status status = part_open(&part, own ? own : path, true);
    free(own);
    if (status != STATUS_OK)
        return status;
    struct failure failure = {0};
    const bool failed = failure_keep(&failure, put(user, part.descriptor));
    const int reason = part_close(&part, failed ? NULL : path, true);
    if (failed)
        return failure_report(&failure);
    return reason == 0 ? file_sync_folder(path) : status_cannot_write(path, reason);
}

/* The contents of a file. */
struct bytes {
    const char *path;
    const void *data;
    size_t size;
};

static enum status put_bytes(void *user, int descriptor)
{
    const struct bytes *bytes = user;
    const int reason = write_all(descriptor, bytes->data, bytes->size);
    return reason == 0 ? STATUS_OK : status_cannot_write(bytes->path, reason);
}

enum status file_write(const char *path, const void *data, size_t size)
{
    return file_is_special(path)
               ? write_through(path, data, size)
               : file_write_by(path, false, put_bytes, &(struct bytes){path, data, size});
}

enum status file_write_shared(const char *path, const void *data, size_t size)
{
    return file_write_by(path, true, put_bytes, &(struct bytes){path, data, size});
}

enum status file_write_first(const char *path, const void *data, size_t size)
{
    char *own = own_path(path);
    enum status status = file_exists(path) ? STATUS_OK : file_write(own, data, size);
    if (status == STATUS_OK && !file_exists(path) && link(own, path) != 0 && errno != EEXIST &&
        rename(own, path) != 0) /* some file systems have no links */
        status = status_cannot_write(path, errno);
    (void)unlink(own);
    free(own);
    return status == STATUS_OK ? file_sync_folder(path) : status;
}

enum status file_make_folder(const char *path)
{
    char *copy = memory_text(path);
    enum status status = STATUS_OK;
    for (char *at = copy + 1; status == STATUS_OK; at++) {
        if (*at != '/' && *at != '\0')
            continue;
        char kept = *at;
        *at = '\0';
        struct stat found;
        const int reason = mkdir(copy, 0777) == 0 ? 0 : errno;
        if (reason != 0 && !(stat(copy, &found) == 0 && S_ISDIR(found.st_mode)))
            status = status_fail(STATUS_IO, "cannot create folder '%s': %s", copy,
                                 reason == EEXIST ? "a file of this name is there; choose another "
                                                    "name, or move the file away"
                                                  : status_reason(copy, reason));
        *at = kept;
        if (kept == '\0')
            break;
    }
    free(copy);
    return status;
}

bool file_exists(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0;
}

bool file_is_link(const char *path)
{
    struct stat found;
    return lstat(path, &found) == 0 && S_ISLNK(found.st_mode);
}

bool file_same(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

char *file_resolve(const char *path)
{
    char *there = realpath(path, NULL);
    const char *last = file_base(path);
    if (there || strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
        return there ? there : memory_text(path);
    char *folder = file_folder(path), *above = file_resolve(folder),
         *out = text_format("%s%s%s", above, *last && strcmp(above, "/") != 0 ? "/" : "", last);
    free(folder);
    free(above);
    return out;
}

bool file_is_inside(const char *path, const char *folder)
{
    char *inner = file_resolve(path), *outer = file_resolve(folder);
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    const bool inside =
        strncmp(inner, outer, length) == 0 && (inner[length] == '/' || inner[length] == '\0');
    free(inner);
    free(outer);
    return inside;
}

char *file_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return memory_text(slash ? "/" : ".");
    return text_format("%.*s", (int)(slash - path), path);
}

const char *file_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *file_stem(const char *path)
{
    const char *name = file_base(path), *dot = strrchr(name, '.');
    return text_format("%.*s", dot && dot > name ? (int)(dot - name) : (int)strlen(name), name);
}

const char *file_extension(const char *path)
{
    static _Thread_local char extension[32];
    extension[0] = '\0';
    const char *dot = strrchr(file_base(path), '.');
    if (dot) {
        size_t i = 0;
        for (; dot[i + 1] && i < sizeof extension - 1; i++)
            extension[i] = (char)tolower((unsigned char)dot[i + 1]);
        extension[i] = '\0';
    }
    return extension;
}

/* The length of %d, %3d or %03d at `at`; 0: there is none. */
static size_t number_length(const char *at)
{
    const size_t digits = *at == '%' ? strspn(at + 1, "0123456789") : 0;
    return *at == '%' && at[1 + digits] == 'd' ? digits + 2 : 0;
}

/* Replaces each number format by a digit and anything after it. */
static char *shell_pattern(const char *pattern)
{
    static const char number[] = "[0-9]*";
    char *out = memory_new(strlen(pattern) * sizeof number + 1, 1), *to = out;
    for (const char *at = pattern; *at;) {
        const size_t length = number_length(at);
        if (length > 0)
            to = stpcpy(to, number);
        else
            *to++ = *at;
        at += length > 0 ? length : 1;
    }
    return out;
}

size_t file_matches(const char *pattern, char ***out)
{
    if (file_exists(pattern)) {
        *out = memory_new(1, sizeof **out);
        **out = memory_text(pattern);
        return 1;
    }
    glob_t found = {0};
    char *shell = shell_pattern(pattern);
    const size_t count = glob(shell, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    *out = memory_new(count + 1, sizeof **out);
    for (size_t k = 0; k < count; k++)
        (*out)[k] = memory_text(found.gl_pathv[k]);
    globfree(&found);
    free(shell);
    return count;
}

bool file_any_matches(const char *pattern)
{
    char **names;
    const size_t count = file_matches(pattern, &names);
    for (size_t k = 0; k < count; k++)
        free(names[k]);
    free(names);
    return count > 0;
}
