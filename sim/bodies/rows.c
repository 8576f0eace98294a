#include "sim/bodies/rows.h"

#include <stdlib.h>

enum status body_rows_reserve(struct body_rows *rows)
{
    if (rows->count >= BODY_ROWS_MAX)
        return status_fail(STATUS_USAGE,
                           "a bodies file may hold at most %d bodies, and this one has more; use a "
                           "smaller file",
                           (int)BODY_ROWS_MAX);
    if (rows->count < rows->room)
        return STATUS_OK;
    size_t room = rows->room ? 2 * rows->room : 4096;
    struct body_row *row = reallocarray(rows->row, room, sizeof *row);
    if (!row)
        return status_fail(STATUS_RUNTIME,
                           "%zu bodies were read, and the %zu MiB for more of them do not fit in "
                           "memory; use a smaller file",
                           rows->count, room * sizeof *row >> 20);
    rows->row = row;
    rows->room = room;
    return STATUS_OK;
}

void body_rows_free(struct body_rows *rows)
{
    free(rows->row);
    free(rows->group);
    *rows = (struct body_rows){.count = 0};
}
