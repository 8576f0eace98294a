#include "sim/bodies/formats.h"

#include "sim/bodies/components.h"

#include <stdio.h>
#include <sys/stat.h>

enum { HEAD_BYTES = 512 };

/* The table has no signature: it is the last one and takes what no other has claimed. */
extern const struct body_format body_format_table;
static const struct body_format *const formats[] = {&body_format_table};
const struct registry body_format_registry = REGISTRY_LIST("bodies format", formats);

/* The first bytes; none of what can be read only once, such as a pipe. */
static size_t read_head(const char *path, unsigned char head[HEAD_BYTES])
{
    struct stat found;
    FILE *file = stat(path, &found) == 0 && S_ISREG(found.st_mode) ? fopen(path, "rbe") : NULL;
    if (!file)
        return 0;
    size_t size = fread(head, 1, HEAD_BYTES, file);
    (void)fclose(file);
    return size;
}

enum status bodies_read(const struct bodies_params *params, struct bodies **out)
{
    unsigned char head[HEAD_BYTES];
    const size_t size = read_head(params->file, head);
    const struct body_format *format;
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++)
        if (format->probe(head, size))
            break;
    *out = NULL;
    struct body_rows rows = {.count = 0};
    enum status status = format->read(params->file, &rows);
    if (status == STATUS_OK)
        status = bodies_from_rows(out, params, &rows);
    body_rows_free(&rows);
    return status;
}
