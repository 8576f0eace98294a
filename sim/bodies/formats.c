#include "sim/bodies/formats.h"

#include "base/file.h"
#include "sim/bodies/components.h"

enum { HEAD_BYTES = 512 };

/* The table has no signature: it is the last one and takes what no other has claimed. */
extern const struct body_format body_format_table;
static const struct body_format *const formats[] = {&body_format_table};
const struct registry body_format_registry = REGISTRY_LIST("bodies format", formats);

enum status bodies_read(const struct bodies_params *params, struct bodies **out)
{
    unsigned char head[HEAD_BYTES];
    size_t size;
    const struct body_format *format;
    *out = NULL;
    enum status status = file_read_head(params->file, head, sizeof head, &size);
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; (format = choice_at(&body_format_registry, i)); i++)
        if (format->probe(head, size))
            break;
    struct body_rows rows = {.count = 0};
    status = format->read(params->file, &rows);
    if (status == STATUS_OK)
        status = bodies_from_rows(out, params, &rows);
    body_rows_free(&rows);
    return status;
}
