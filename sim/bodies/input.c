#include "sim/bodies/input.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static enum status copy(int from, int to)
{
    char bytes[1 << 16];
    for (;;) {
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0
                       ? STATUS_OK
                       : status_fail(STATUS_IO, "cannot read the bodies from standard input: %s",
                                     strerror(errno));
        for (ssize_t at = 0; at < got;) {
            const ssize_t put = write(to, bytes + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR)
                return status_fail(STATUS_IO,
                                   "cannot keep the bodies from standard input in a temporary "
                                   "file: %s; write them to a file and name that",
                                   strerror(errno));
            at += put > 0 ? put : 0;
        }
    }
}

static enum status keep_standard_input(void)
{
    struct stat found;
    if (fstat(STDIN_FILENO, &found) != 0)
        return status_fail(STATUS_IO, "there is no standard input to read bodies from: %s",
                           strerror(errno));
    if (S_ISREG(found.st_mode))
        return STATUS_OK;
    if (isatty(STDIN_FILENO))
        return status_fail(STATUS_USAGE, "the bodies come from standard input (-), which is a "
                                         "terminal; pipe them in or name a file");
    FILE *file = tmpfile();
    if (!file)
        return status_fail(STATUS_IO, "cannot make a temporary file for standard input: %s",
                           strerror(errno));
    enum status status = copy(STDIN_FILENO, fileno(file));
    if (status == STATUS_OK && dup2(fileno(file), STDIN_FILENO) < 0)
        status = status_fail(STATUS_IO, "cannot keep standard input: %s", strerror(errno));
    fclose(file);
    return status;
}

enum status body_input_path(const char *path, const char **out)
{
    *out = path;
    if (strcmp(path, "-") != 0)
        return STATUS_OK;
    *out = "/proc/self/fd/0"; /* opened anew, from its beginning */
    return keep_standard_input();
}

enum status body_input_head(const char *path, void *head, size_t size, size_t *got)
{
    struct stat found;
    *got = 0;
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
        return STATUS_OK; /* a pipe gives its bytes once */
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file)
        return status_fail(STATUS_IO, "cannot open the bodies file %s: %s", path,
                           strerror(errno ? errno : ENOMEM));
    const int count = gzread(file, head, (unsigned)size);
    *got = count > 0 ? (size_t)count : 0; /* damage is reported by whoever reads on */
    gzclose_r(file);
    return STATUS_OK;
}
