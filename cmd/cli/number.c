#include "cmd/cli/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

enum status number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                         uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value < least || value > most)
        return status_fail(STATUS_USAGE, "%s needs a whole number from %llu to %llu, found '%s'",
                           option, (unsigned long long)least, (unsigned long long)most, text);
    *out = value;
    return STATUS_OK;
}
