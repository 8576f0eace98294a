/* Conversion from a file's units to those of a scene, in which G = 1. Pure; thread-safe. */
#pragma once

#include "sim/formats/snapshot.h"
#include "sim/params.h"

/* A user's statement about a file's units: one const entry each. */
struct unit_system {
    const char *name, *doc;
    struct snapshot_units units; /* 0: unknown */
};

/* The default units of a GADGET file, the only ones that are assumed (snapshot.units_assumed). */
#define UNITS_GADGET_TEXT "kpc, km/s and 1e10 solar masses"
extern const struct snapshot_units units_gadget;

/* The file's units as stated by the user or else by the file. */
struct snapshot_units units_of_file(const struct snapshot *snapshot,
                                    const struct bodies_params *params);

/* The scene's units for a file with these units: what the scene states; otherwise length and
 * velocity of the file, and mass and time so that G = 1. All zero if the file's are unknown. */
struct units_params units_for_scene(const struct units_params *stated,
                                    const struct snapshot_units *file);

/* Adds the units that follow from others with G = 1: two of length, time, velocity and mass give
 * the rest. Stated units stay; 0: unknown. */
struct units_params units_complete(const struct units_params *stated);

/* Factors that convert positions, velocities and masses of a file to a scene with these units; all
 * 1 if the file's are unknown. */
struct unit_factors {
    double position, velocity, mass;
};
struct unit_factors units_factors(const struct units_params *stated,
                                  const struct snapshot_units *file);

/* The mass in g that belongs to length and velocity if G = 1. */
double units_mass_g(const struct snapshot_units *units);

/* The reverse: the units of a scene, as far as it states them. */
struct snapshot_units units_of_scene(const struct units_params *units);
