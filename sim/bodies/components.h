/* From the rows of a file to bodies in components. */
#ifndef SIM_BODIES_COMPONENTS_H
#define SIM_BODIES_COMPONENTS_H

#include "sim/bodies/rows.h"
#include "sim/params.h"

/* The components are the ranges of rows that `params` lists or, where it lists none, the groups of
 * the file that have bodies, order kept within. Ranges that do not fit the rows are STATUS_USAGE,
 * or a warning and left out where params->components_optional. */
enum status bodies_from_rows(struct bodies **out, const struct bodies_params *params,
                             const struct body_rows *rows);

#endif
