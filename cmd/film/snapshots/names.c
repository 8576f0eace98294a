#include "cmd/film/snapshots/names.h"

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "sim/formats/formats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS_MOST = 9 };

/* Length of %d, %3d or %03d at the percent sign; 0: not one of them. */
static size_t read_number(const char *at, int *digits)
{
    const size_t length = strspn(at + 1, "0123456789");
    *digits = length > 0 ? atoi(at + 1) : 1;
    return at[1 + length] == 'd' && length <= 2 && *digits <= DIGITS_MOST ? length + 2 : 0;
}

static enum status find_number(struct snapshot_names *names, const char *option)
{
    const char *pattern = names->pattern, *at = strchr(pattern, '%');
    const size_t length = at ? read_number(at, &names->digits) : 0;
    if (length == 0 || strchr(at + length, '%'))
        return status_fail(
            STATUS_USAGE,
            "%s needs a name with one number in it, which counts the snapshots, found "
            "'%s'; for example 'snap_%%03d.hdf5'",
            option, pattern);
    names->before = (size_t)(at - pattern);
    names->after = names->before + length;
    return STATUS_OK;
}

enum status snapshot_names_plan(struct snapshot_names *out, const char *option, const char *pattern)
{
    char list[512];
    *out = (struct snapshot_names){.pattern = pattern};
    enum status status = find_number(out, option);
    if (status != STATUS_OK)
        return status;
    out->format = format_of_extension(pattern);
    if (out->format && out->format->write)
        return STATUS_OK;
    choice_names(&body_format_registry, list, sizeof list);
    return status_fail(
        STATUS_USAGE,
        "%s '%s' has an extension of %s; choose one of a format that can be written: "
        "%s",
        option, pattern, out->format ? "a format that can only be read" : "no format of bodies",
        list);
}

char *snapshot_names_of(const struct snapshot_names *names, uint64_t number)
{
    return text_format("%.*s%0*" PRIu64 "%s", (int)names->before, names->pattern, names->digits,
                       number, names->pattern + names->after);
}

enum status snapshot_names_check(const struct snapshot_names *names, uint64_t last, bool overwrite)
{
    enum status status = STATUS_OK;
    for (uint64_t k = 0; k <= last && status == STATUS_OK; k++) {
        char *path = snapshot_names_of(names, k);
        if (!overwrite && file_exists(path))
            status =
                status_fail(STATUS_USAGE,
                            "'%s' exists already; replace it with -y or choose another name", path);
        else if (k == 0)
            status = output_check(path);
        free(path);
    }
    return status;
}

enum status snapshot_every_parse(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    if (*text && !*end && isfinite(*out) && *out > 0)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "--every needs a simulated time above 0, in the scene's unit, found '%s'; for "
        "example --every 0.5",
        text);
}
