/* Units in a table's header: "mass [Msun]", "x (m)", "vx_kms". Pure; thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The units that AMUSE writes beside numbers. Pure; thread-safe. */

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

enum column_kind { COLUMN_MASS, COLUMN_LENGTH, COLUMN_VELOCITY, COLUMN_KINDS };

/* The kind of a column with a unit; COLUMN_KINDS: it has none, like the galaxy index. */
enum column_kind column_kind(int column);

enum column_unit {
    COLUMN_PLAIN,   /* no unit, or explicitly none: [], [1], (code) */
    COLUMN_UNIT,    /* a unit of the column's kind */
    COLUMN_REFUSED, /* any other unit */
};

/* Reads a word of a header: the column that it names (columns.h), or -1, and its unit in kilograms,
 * metres and metres per second. Accepts the spellings of AMUSE, astropy and common use: Msun,
 * M_sun, 1e10 Msun, kpc, au, km/s, km s-1, km s^-1, kms. */
enum column_unit column_read(const char *word, int *column, double *unit);
