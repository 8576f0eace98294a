/* A row of numbers whose columns a header may name, as in CSV files and arrays. */
#pragma once

#include "sim/formats/snapshot.h"

#include <stdbool.h>
#include <stddef.h>

/* mass x y z vx vy vz, then optionally the galaxy's index, and, only by name, the id. */
enum {
    COLUMN_MASS,
    COLUMN_X,
    COLUMN_VX = COLUMN_X + 3,
    COLUMNS_NEEDED = 7,
    COLUMN_GALAXY = COLUMNS_NEEDED,
    COLUMNS_PLAIN,
    COLUMN_ID = COLUMNS_PLAIN,
    COLUMNS
};
extern const char *const column_names[COLUMNS];

/* The column that a header's word names, in any case: also m, pos_x, v_x, vel_x, group and pid. -1:
 * none of them. Compares `length` bytes of `word`. */
int column_find(const char *word, size_t length);

/* The first of the three columns of a named vector: x for pos, position or coordinates, vx for vel
 * or velocities; -1: none. */
int column_find_vector(const char *word, size_t length);

/* The first of the `across` columns (1, or 3 of a vector) that an array of that name fills in a
 * file of named arrays (NumPy's archives, HDF5), or COLUMN_TIME or COLUMN_OTHER. */
enum { COLUMN_OTHER = -1, COLUMN_TIME = -2 };
int column_find_array(const char *word, size_t length, unsigned *across);

/* STATUS_USAGE if a file of named arrays has not all of the columns that bodies need; how: the call
 * that saves them, for the message. */
enum status columns_check_arrays(const char *path, const bool has[COLUMNS_NEEDED], const char *how);

/* Whether it is the index of a galaxy: a whole number from 0 to 1023. */
bool column_is_galaxy(double value);

/* Fills the row from the values of its columns. STATUS_USAGE, without a place, for a number that is
 * not finite, a negative mass, or a galaxy that is not an integer from 0 to 1023. */
enum status column_row(const double value[COLUMNS_PLAIN], bool has_galaxy, struct body_row *row);

/* ---- units in a table's header, and beside AMUSE's numbers; pure, thread-safe ---- */

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

enum column_kind { COLUMN_OF_MASS, COLUMN_OF_LENGTH, COLUMN_OF_VELOCITY, COLUMN_KINDS };

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
