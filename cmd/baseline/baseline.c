#include "cmd/baseline/baseline.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/baseline/json.h"
#include "cmd/baseline/objects.h"
#include "cmd/record/json.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char section[] = "baseline", extension[] = ".json";
enum { TEXT_READ_MOST = 64 << 20 };

/* ---- the text ---- */

static enum status read_section(struct baseline *baseline)
{
    int format = 0;
    const char *text = record_section(&baseline->record, section);
    if (!text)
        return status_fail(STATUS_USAGE,
                           "'%s' is a film's manifest and no baseline; `gravreel baseline` makes "
                           "one",
                           baseline->path);
    if (baseline_from_json(baseline, text, &format))
        return STATUS_OK;
    if (format > BASELINE_FORMAT)
        return status_fail(STATUS_USAGE,
                           "'%s' is a baseline of format %d, and this version knows format %d; use "
                           "the version that recorded it, or a newer one",
                           baseline->path, format, BASELINE_FORMAT);
    return status_fail(STATUS_IO,
                       "'%s' is not the text of a baseline: its section \"%s\" is not "
                       "one that `gravreel baseline` writes",
                       baseline->path, section);
}

enum status baseline_read(struct baseline *out, const char *path)
{
    char *text;
    size_t size;
    struct stat found;
    baseline_start(out, path);
    if (stat(path, &found) == 0 && !S_ISREG(found.st_mode))
        return status_fail(STATUS_IO, "'%s' is not a file", path);
    enum status status = file_read(path, TEXT_READ_MOST, &text, &size);
    if (status != STATUS_OK)
        return status_fail(STATUS_IO, "%s", status_text());
    hash_parts(&(struct hash_part){text, size}, 1, out->hash);
    status = record_from_json(&out->record, text, size, path);
    free(text);
    return status == STATUS_OK ? read_section(out) : status;
}

static bool is_named(void *user, const char *object)
{
    return baseline_names(user, object);
}

enum status baseline_write(struct baseline *baseline)
{
    char *own = baseline_to_json(baseline);
    if (!own)
        return status_fail(STATUS_USAGE, "a text of the baseline '%s' is not UTF-8",
                           baseline->name);
    record_set_section(&baseline->record, section, own);
    free(own);
    char *text = record_to_json(&baseline->record);
    if (!text)
        return status_fail(STATUS_USAGE, "the record of '%s' has a text that is not UTF-8",
                           baseline->name);
    const size_t size = strlen(text);
    enum status status =
        size <= BASELINE_TEXT_MOST
            ? file_write(baseline->path, text, size)
            : status_fail(STATUS_USAGE,
                          "the text of '%s' would have %zu bytes, more than the %d that a "
                          "repository should keep of a film; record fewer frames with --frames",
                          baseline->name, size, BASELINE_TEXT_MOST);
    hash_parts(&(struct hash_part){text, size}, 1, baseline->hash);
    free(text);
    if (status == STATUS_OK)
        objects_sweep(baseline->folder, is_named, baseline);
    return status;
}

enum status baseline_put_record(const struct baseline *baseline, const struct record *record,
                                char object[HASH_TEXT])
{
    char *text = record_to_json(record);
    if (!text)
        return status_fail(STATUS_USAGE, "the record of '%s' has a text that is not UTF-8",
                           baseline->name);
    enum status status = object_put(baseline->folder, text, strlen(text), object);
    free(text);
    return status;
}

enum status baseline_get_record(const struct baseline *baseline, const char *object,
                                struct record *out)
{
    void *text;
    size_t size;
    enum object_state state;
    *out = (struct record){0};
    enum status status = object_get(baseline->folder, object, TEXT_READ_MOST, &text, &size, &state);
    if (status != STATUS_OK)
        return status;
    char *name = text_format("%s/%s", baseline->folder, object);
    status = record_from_json(out, text, size, name);
    free(name);
    free(text);
    return status;
}

enum status baseline_keep_anchor(struct baseline *baseline, const struct baseline *before)
{
    if (*before->anchor) {
        memcpy(baseline->anchor, before->anchor, HASH_TEXT);
        return STATUS_OK;
    }
    /* Without sections: what is stored beside it is not the anchor's any more. */
    struct record record = before->record;
    record.section_count = 0;
    record.sections = NULL;
    return baseline_put_record(baseline, &record, baseline->anchor);
}

/* ---- finding ---- */

static bool is_text(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name);
    return *entry->d_name != '.' && length > strlen(extension) &&
           strcmp(entry->d_name + length - strlen(extension), extension) == 0;
}

static int only_texts(const struct dirent *entry)
{
    return is_text(entry);
}

enum status baseline_find(const char *path, char ***paths, size_t *count)
{
    struct stat found;
    struct dirent **entries = NULL;
    *paths = NULL;
    *count = 0;
    if (stat(path, &found) != 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISDIR(found.st_mode)) {
        *paths = memory_new(1, sizeof **paths);
        (*paths)[(*count)++] = memory_text(path);
        return STATUS_OK;
    }
    const int entry_count = scandir(path, &entries, only_texts, alphasort);
    if (entry_count < 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", path, strerror(errno));
    *paths = memory_new((size_t)entry_count, sizeof **paths);
    for (int i = 0; i < entry_count; i++) {
        const size_t length = strlen(path);
        (*paths)[(*count)++] = text_format(
            "%s%s%s", path, length && path[length - 1] == '/' ? "" : "/", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    return STATUS_OK;
}
