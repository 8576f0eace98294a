/* The units that AMUSE writes beside numbers. Pure; thread-safe. */
#pragma once

#include <stdbool.h>

/* factor times powers of kilograms, metres and seconds; or, if `scaleless`, times units of mass,
 * length and time about which only G = 1 is known (AMUSE's nbody_system). */
struct amuse_unit {
    double factor;
    int mass, length, time;
    bool scaleless;
};

/* Parses products, quotients and whole powers of numbers, names ("km", "MSun", "units.parsec") and
 * base units such as system.get('S.I.').base('length'). False for any other text, or if the factor
 * is not finite. */
bool amuse_unit_read(const char *text, struct amuse_unit *out);
