#include "sim/formats/parts.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Start of the number before `end` that follows a dot, with a name before the dot; NULL: none. */
static const char *number_before(const char *path, const char *end)
{
    const char *at = end;
    while (at > path && is_digit(at[-1]))
        at--;
    return at < end && at > path + 1 && at[-1] == '.' && at[-2] != '/' ? at : NULL;
}

char *parts_name(const char *path, uint64_t i)
{
    const char *end = path + strlen(path), *dot = strrchr(path, '.');
    const char *number = number_before(path, end);
    if (!number && dot) {
        end = dot;
        number = number_before(path, end);
    }
    return number
               ? text_format("%.*s%llu%s", (int)(number - path), path, (unsigned long long)i, end)
               : NULL;
}

char *parts_file(const char *path, uint64_t i)
{
    const char *dot = strrchr(path, '.'), *end = dot ? dot : path + strlen(path);
    return text_format("%.*s.%llu%s", (int)(end - path), path, (unsigned long long)i, end);
}

char *parts_whole(const char *path)
{
    const char *dot = strrchr(path, '.'), *number = dot ? number_before(path, dot) : NULL;
    return number ? text_format("%.*s%s", (int)(number - 1 - path), path, dot) : NULL;
}

static char *only_match(const char *pattern)
{
    char **found;
    const size_t count = file_matches(pattern, &found);
    char *only = count == 1 ? memory_text(found[0]) : NULL;
    for (size_t k = 0; k < count; k++)
        free(found[k]);
    free(found);
    return only;
}

char *parts_find(const char *name)
{
    static const char *const forms[] = {".0.hdf5", ".0.h5", ".0", ".hdf5", ".h5"};
    struct stat found;
    const bool there = stat(name, &found) == 0;
    if (there && S_ISDIR(found.st_mode)) {
        char *pattern = text_format("%s/*.0.hdf5", name), *only = only_match(pattern);
        free(pattern);
        return only ? only : memory_text(name);
    }
    for (size_t i = 0; !there && i < sizeof forms / sizeof *forms; i++) {
        char *whole = text_format("%s%s", name, forms[i]);
        if (stat(whole, &found) == 0 && S_ISREG(found.st_mode))
            return whole;
        free(whole);
    }
    return memory_text(name);
}
