/* From a file's units to those of a scene, in which G = 1. Pure; thread-safe. */
#ifndef SIM_FORMATS_UNITS_H
#define SIM_FORMATS_UNITS_H

#include "sim/formats/snapshot.h"
#include "sim/params.h"

/* What a user says of a file's units: one const entry each. */
struct unit_system {
    const char *name, *doc;
    struct snapshot_units units; /* 0: not known */
};

/* The units of a GADGET file that says nothing else. */
extern const struct snapshot_units units_gadget;

/* What the user says of a file's units or, where `said` is NULL, the file itself. */
struct snapshot_units units_of_file(const struct snapshot *snapshot,
                                    const struct unit_system *said);

/* What the scene's units are for a file with these: as the scene states them; where it does not
 * state a length or a velocity, the file's, and mass and time so that G = 1. All zero where the
 * file's are not known. */
struct units_params units_for_scene(const struct units_params *stated,
                                    const struct snapshot_units *file);

/* The same with those that follow from the others where G = 1: two of length, time, velocity and
 * mass give the rest. What is stated stays; 0: nothing gives it. */
struct units_params units_complete(const struct units_params *stated);

/* Factors on positions, velocities and masses of a file, to bring it to the units of a scene that
 * states these; 1 each where the file's are not known. */
struct unit_factors {
    double position, velocity, mass;
};
struct unit_factors units_factors(const struct units_params *stated,
                                  const struct snapshot_units *file);

/* The mass in g that goes with length and velocity where G = 1. */
double units_mass_g(const struct snapshot_units *units);

/* The other way: how large the units of a scene are, as far as it states them. */
struct snapshot_units units_of_scene(const struct units_params *units);

#endif
