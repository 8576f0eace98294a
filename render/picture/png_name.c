#include "render/picture/png_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH_MAX = 20 };

/* Position and digits of the frame number in a path. */
struct pattern {
    const char *start, *end;
    int width;
};

/* Whether %d or %0Nd begins at `at`; *end points after it. */
static bool read_conversion(const char *at, const char **end, int *width)
{
    const char *digit = at + 1;
    *width = 1;
    if (*digit == '0') {
        char *rest;
        long value = strtol(digit, &rest, 10);
        if (rest == digit + 1 || value < 1 || value > WIDTH_MAX)
            return false;
        *width = (int)value;
        digit = rest;
    }
    *end = digit + 1;
    return *digit == 'd';
}

static enum status find_hashes(const char *path, const char *base, struct pattern *pattern)
{
    const char *start = strchr(base, '#');
    if (!start)
        return status_fail(STATUS_USAGE,
                           "'%s' has no place for the frame number; write it as in "
                           "frames/%%06d.png or frames/####.png",
                           path);
    size_t length = strspn(start, "#");
    if (strchr(start + length, '#'))
        return status_fail(STATUS_USAGE, "'%s' has more than one place for the frame number", path);
    if (length > WIDTH_MAX)
        return status_fail(STATUS_USAGE, "'%s' asks for more than %d digits", path, WIDTH_MAX);
    *pattern = (struct pattern){start, start + length, (int)length};
    return STATUS_OK;
}

static enum status find_pattern(const char *path, struct pattern *pattern)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    *pattern = (struct pattern){0};
    for (const char *at = strchr(path, '%'); at; at = strchr(at, '%')) {
        const char *end;
        int width;
        if (at[1] == '%') {
            at += 2;
            continue;
        }
        if (!read_conversion(at, &end, &width))
            return status_fail(STATUS_USAGE,
                               "'%s' has a %% that is neither %%d nor %%0Nd (N up to %d); a "
                               "plain %% is written %%%%",
                               path, WIDTH_MAX);
        if (at < base)
            return status_fail(STATUS_USAGE,
                               "'%s' has the frame number in the folder's name; put it into "
                               "the file's name",
                               path);
        if (pattern->start)
            return status_fail(STATUS_USAGE, "'%s' has more than one place for the frame number",
                               path);
        *pattern = (struct pattern){at, end, width};
        at = end;
    }
    return pattern->start ? STATUS_OK : find_hashes(path, base, pattern);
}

/* Appends [from, to), replacing %% by %; false when it does not fit. */
static bool append(char *name, size_t size, size_t *used, const char *from, const char *to)
{
    for (; from < to; from++) {
        if (*used + 1 >= size)
            return false;
        name[(*used)++] = *from;
        from += *from == '%';
    }
    return true;
}

enum status png_name(const char *path, uint64_t frame, char *name, size_t size)
{
    struct pattern pattern;
    enum status status = find_pattern(path, &pattern);
    if (status != STATUS_OK)
        return status;
    char number[32];
    int digits =
        snprintf(number, sizeof number, "%0*llu", pattern.width, (unsigned long long)frame);
    size_t used = 0;
    if (size == 0 || !append(name, size, &used, path, pattern.start) ||
        !append(name, size, &used, number, number + digits) ||
        !append(name, size, &used, pattern.end, path + strlen(path)))
        return status_fail(STATUS_USAGE, "'%s' is too long for a file's name", path);
    name[used] = '\0';
    return STATUS_OK;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool png_name_number(const char *path, const char *file, uint64_t *frame)
{
    enum { NAME_MAX_BYTES = 4096 };
    struct pattern pattern;
    char name[NAME_MAX_BYTES];
    size_t used = 0;
    if (find_pattern(path, &pattern) != STATUS_OK ||
        !append(name, sizeof name, &used, base_of(path), pattern.start) ||
        strncmp(file, name, used) != 0)
        return false;
    const char *number = file + used;
    const size_t digits = strspn(number, "0123456789");
    if (digits == 0 || digits >= WIDTH_MAX)
        return false;
    *frame = strtoull(number, NULL, 10);
    return png_name(path, *frame, name, sizeof name) == STATUS_OK &&
           strcmp(base_of(name), file) == 0;
}

void png_name_stem(const char *path, char *stem, size_t size)
{
    static const char separators[] = "-_. ";
    struct pattern pattern;
    size_t used = 0;
    stem[0] = '\0';
    if (find_pattern(path, &pattern) != STATUS_OK)
        return;
    const char *end = path + strlen(path), *dot = strrchr(pattern.end, '.');
    (void)append(stem, size, &used, base_of(path), pattern.start);
    while (used > 0 && strchr(separators, stem[used - 1]))
        used--;
    const char *behind = pattern.end + strspn(pattern.end, separators);
    end = dot ? dot : end;
    if (behind < end && used > 0)
        (void)append(stem, size, &used, "-", &"-"[1]);
    if (behind < end)
        (void)append(stem, size, &used, behind, end);
    stem[used] = '\0';
}
