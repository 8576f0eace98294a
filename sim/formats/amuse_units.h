/* The units that AMUSE writes beside numbers. Pure; thread-safe. */
#pragma once

#include <stdbool.h>

/* factor times kilograms, metres and seconds to their powers; or, where `scaleless`, times units of
 * mass, length and time of which G = 1 is all that is known (AMUSE's nbody_system). */
struct amuse_unit {
    double factor;
    int mass, length, time;
    bool scaleless;
};

/* Products, quotients and whole powers of numbers, names ("km", "MSun", "units.parsec") and base
 * units as system.get('S.I.').base('length'). False: it is none of that, or no finite factor. */
bool amuse_unit_read(const char *text, struct amuse_unit *out);
