#include "cmd/regression/record/json.h"

#include "base/file.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static const struct json_form form = {.members = record_members, .style = STYLE_LINES};

char *record_to_json(const struct record *record)
{
    char *text = json_write(&form, record, NULL);
    if (!text)
        return NULL;
    char *sealed = json_seal(text, strlen(text) - strlen("\n}"));
    char *ended = text_format("%s\n", sealed);
    free(text);
    free(sealed);
    return ended;
}

enum status record_write(const struct record *record, const char *path)
{
    char *text = record_to_json(record);
    if (!text)
        return status_fail(STATUS_RUNTIME,
                           "the manifest '%s' cannot be written, because a text in it is not UTF-8",
                           path);
    char *folder = file_folder(path);
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = file_write(path, text, strlen(text));
    free(folder);
    free(text);
    return status;
}

/* ---- reading ---- */

/* Returns the number of the first line in which two texts differ. */
static size_t first_difference(const char *a, const char *b, size_t size)
{
    size_t line = 1;
    for (size_t i = 0; i < size && a[i] == b[i] && a[i]; i++)
        line += a[i] == '\n';
    return line;
}

static enum status check_text(const struct record *record, const char *text, size_t size,
                              const char *name)
{
    char *again = record_to_json(record);
    const bool same = again && strlen(again) == size && memcmp(again, text, size) == 0;
    const size_t line = again ? first_difference(text, again, size) : 1;
    free(again);
    return same ? STATUS_OK
                : status_fail(STATUS_IO,
                              "the manifest '%s' is damaged, or was edited by hand: line %zu is "
                              "not as gravreel wrote it; record it again, or restore the file",
                              name, line);
}

static bool is_ascending(const struct record *record)
{
    for (size_t i = 1; i < record->count; i++)
        if (record->frames[i].frame <= record->frames[i - 1].frame)
            return false;
    return true;
}

enum status record_from_json(struct record *record, const char *text, size_t size, const char *name)
{
    int found;
    *record = (struct record){0};
    enum status status = json_read(&form, text, size, record, NULL, &found);
    if (status == STATUS_OK && is_ascending(record))
        return check_text(record, text, size, name);
    if (status == STATUS_OK)
        return status_fail(STATUS_IO, "the manifest '%s' is damaged: its frames are not in order",
                           name);
    return status_prefix(status,
                         found == 0               ? "'%s' is not a film's manifest"
                         : status == STATUS_USAGE ? "the manifest '%s'"
                                                  : "the manifest '%s' is damaged",
                         name);
}

enum status record_read(struct record *record, const char *path)
{
    enum { LIMIT = 1 << 28 };
    char *text;
    size_t size;
    *record = (struct record){0};
    enum status status = file_read(path, LIMIT, &text, &size);
    if (status != STATUS_OK)
        return status;
    status = record_from_json(record, text, text_end_lines(text, size), path);
    free(text);
    return status;
}
