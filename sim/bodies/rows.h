/* The bodies of a file in the file's own order, before components are made of them. */
#ifndef SIM_BODIES_ROWS_H
#define SIM_BODIES_ROWS_H

#include "sim/bodies/bodies.h"

#include <stdint.h>

enum { BODY_ROWS_MAX = 100000000 }; /* as the key bodies.count */

struct body_row {
    double mass, position[3], velocity[3];
    uint32_t group; /* below group_count */
};

struct body_rows {
    size_t count, room;
    struct body_row *row; /* [room], the first `count` filled */
    size_t group_count;
    /* [group_count]: the components that the file itself names, in order; first and count are not
     * set. */
    struct component *group;
};

/* Room for one more row, which the caller fills before it counts it. STATUS_RUNTIME when the rows
 * do not fit in memory, STATUS_USAGE behind BODY_ROWS_MAX. */
enum status body_rows_reserve(struct body_rows *rows);
void body_rows_free(struct body_rows *rows); /* accepts a zeroed one */

#endif
