#include "sim/bodies/formats.h"

#include "sim/bodies/components.h"
#include "sim/bodies/input.h"

#include <string.h>

enum { HEAD_BYTES = 512 };

/* The table has no signature: it is the last one and takes what no other has claimed. */
extern const struct body_format body_format_npy, body_format_csv, body_format_table;
static const struct body_format *const formats[] = {&body_format_npy, &body_format_csv,
                                                    &body_format_table};
const struct registry body_format_registry = REGISTRY_LIST("bodies format", formats);

/* What is called - has another name while it is read. */
static enum status name_input(enum status status, const char *path, const char *file)
{
    const char *text = status_text(), *found = strcmp(path, file) != 0 ? strstr(text, path) : NULL;
    if (!found)
        return status;
    return status_fail(status, "%.*sstandard input%s", (int)(found - text), text,
                       found + strlen(path));
}

static enum status read_rows(const char *path, struct body_rows *rows)
{
    unsigned char head[HEAD_BYTES];
    size_t size;
    const struct body_format *format;
    enum status status = body_input_head(path, head, sizeof head, &size);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++)
        if (format->probe(head, size))
            break;
    return format->read(path, rows);
}

enum status bodies_read(const struct bodies_params *params, struct bodies **out)
{
    struct body_rows rows = {.count = 0};
    const char *path;
    *out = NULL;
    enum status status = body_input_path(params->file, &path);
    if (status == STATUS_OK)
        status = read_rows(path, &rows);
    if (status == STATUS_OK)
        status = bodies_from_rows(out, params, &rows);
    else
        status = name_input(status, path, params->file);
    body_rows_free(&rows);
    return status;
}
