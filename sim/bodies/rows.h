/* The rows of a collision table as they stand in the file, before anything is made of them. */
#ifndef SIM_BODIES_ROWS_H
#define SIM_BODIES_ROWS_H

#include "base/status.h"

#include <stdint.h>
#include <stddef.h>

enum { ROW_NUMBERS = 7, ROW_GALAXIES = 1024 };

struct row {
    double number[ROW_NUMBERS]; /* mass x y z vx vy vz */
    uint32_t galaxy;            /* the 8th column, below ROW_GALAXIES */
};

struct rows {
    size_t count, room;
    int columns; /* 7 or 8, the same in every row */
    struct row *row;
};

/* At least one row, all numbers finite, no mass negative; see bodies_read_table for the statuses.
 */
enum status rows_read(struct rows *out, const char *path);
void rows_free(struct rows *rows);

#endif
