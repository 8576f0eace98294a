#include "sim/formats/text_rows.h"

#include "sim/formats/lines.h"

static enum status read_lines(struct table_lines *lines, const char *path, struct body_rows *rows,
                              text_parse parse, void *user)
{
    struct snapshot *out = rows->snapshot;
    for (;;) {
        char *line;
        struct body_row row = {.mass = 0};
        enum text_line what = TEXT_NO_ROW;
        enum status status = table_lines_next(lines, &line);
        if (status != STATUS_OK || !line)
            return status;
        const struct place at = {path, table_lines_number(lines)};
        status = parse(user, at, line, rows, &row, &what);
        if (status == STATUS_OK && what == TEXT_ROW && !out->bodies)
            status = body_rows_begin(rows, out, 0);
        if (status == STATUS_OK && what == TEXT_ROW)
            status = body_rows_add(rows, &row);
        if (status != STATUS_OK || what == TEXT_END)
            return status;
    }
}

enum status text_rows_read(const char *path, struct snapshot *out, text_parse parse, void *user,
                           const char *advice)
{
    struct table_lines *lines;
    struct body_rows rows = {.snapshot = out};
    enum status status = table_lines_open(&lines, path);
    if (status == STATUS_OK)
        status = read_lines(lines, path, &rows, parse, user);
    if (status == STATUS_OK && !out->bodies)
        status = status_fail(STATUS_USAGE, "%s:%zu: the file ends without a single body%s", path,
                             table_lines_number(lines), advice);
    table_lines_close(&lines);
    body_columns_free(&rows.further);
    if (status == STATUS_OK)
        body_rows_end(&rows);
    return status;
}
