/* What is read is checked once, when all of it is there. */
#ifndef SIM_FORMATS_FINITE_H
#define SIM_FORMATS_FINITE_H

#include "sim/bodies/bodies.h"

/* STATUS_USAGE, with the file and the body counted from 1, where a number is not finite or a mass
 * negative among the bodies first .. first + count - 1. */
enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, const char *path);

#endif
