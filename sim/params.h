/* The part of a scene about the bodies and their motion: plain values, filled and owned by the
 * scene.
 *
 * A string is NUL-terminated and never NULL ("": not given). A choice by name is a pointer to a
 * registry entry, defined by the library that implements it; never NULL unless documented. Lengths,
 * masses and velocities are in the scene's own units with G = 1. Valid ranges are stated and
 * checked in scenes/keys.c, the only place that documents defaults. */
#pragma once

#include "base/clock.h"
#include "base/status.h"
#include "base/whole.h"

#include <stdbool.h>
#include <stdint.h>

struct force_ops;
struct format;
struct integrator;
struct registry;
struct run;
struct softening_kernel;
struct unit_system;
extern const struct registry model_registry, force_registry, integrator_registry;
extern const struct registry space_frame_registry;
extern const struct registry body_format_registry, unit_system_registry, unit_of_length_registry,
    softening_kernel_registry;

/* The scene's units; 0: unknown. */
struct units_params {
    double length_kpc, time_myr, velocity_kms, mass_msun;
};

/* A component of a bodies file: rows first..last, counted from 1, inclusive. */
struct component_params {
    char *name;   /* "disk" */
    char *galaxy; /* "Milky Way" */
    uint64_t first, last;
    bool draw;        /* haloes are simulated but usually not drawn */
    double light;     /* brightness of one body relative to the others, >= 0 */
    double softening; /* 0: the simulation's */
};

/* A galaxy of the built-in model; sim/galaxy/ explains the parameters. Masses are finite totals. */
struct spheroid;
extern const struct registry bulge_profile_registry, halo_profile_registry;
struct galaxy_params {
    char *name;
    double disk_mass, disk_scale, disk_height; /* scale length and scale height */
    double disk_edge;                          /* 0: six scale lengths */
    double toomre_q;                           /* sets the radial velocity dispersion of the disk */
    double gas_mass, gas_scale, gas_height;    /* a second disk; 0: as the disk, a quarter as
                                                * high */
    double gas_toomre_q;                       /* 0: the disk's */
    const struct spheroid *bulge_profile, *halo_profile; /* NULL: Hernquist's */
    double bulge_mass, bulge_scale, bulge_edge;          /* edge 0: the profile's default */
    double sersic_index;                                 /* 0: 4 */
    double halo_mass, halo_scale, halo_edge;
    double disk_softening, gas_softening, bulge_softening, halo_softening; /* 0: the simulation's */
    double disk_share, gas_share, bulge_share, halo_share; /* shares of its bodies; none: by mass */
    double inclination, node; /* of the disk's plane relative to the orbit's, degrees */
    double argument;          /* of pericentre, degrees, replaces the node; or ARGUMENT_NONE */
    double position[3], velocity[3]; /* replace the orbit of two galaxies; see sim/orbit/orbit.h */
    uint32_t rings; /* model "rings": rings of test particles, from ring_inner to ring_outer */
    double ring_inner, ring_outer;
};

#define ARGUMENT_NONE -360.0

/* A body given in the scene itself. */
struct body_params {
    char *name; /* of its component, which contains only this body */
    double mass;
    double position[3], velocity[3];
};

/* Models that make bodies: one const entry per file of sim/models. */
struct bodies;
struct bodies_params;
struct bodies_model {
    const char *name, *doc;
    /* Reads bodies.file: `make` gives all of them, and params->count says how many to keep, 0: all.
     * Otherwise `make` gives params->count bodies. */
    bool reads_file;
    bool plays; /* the file is a pattern of several snapshots, which also give the motion; see
                 * sim/playback */
    bool makes_galaxies; /* from bodies.galaxies */
    /* With params->divide, the share of this rank. STATUS_USAGE for invalid parameters, with the
     * scene key. */
    enum status (*make)(const struct bodies_params *params, struct bodies **out);
};

/* The frame of positions and velocities of bodies of an expanding universe: one const entry each.
 */
struct space_frame {
    const char *name, *doc;
    bool comoving; /* positions are divided by the scale factor, so that the expansion is not seen,
                    * and velocities are their derivatives */
};

struct bodies_params {
    struct units_params units; /* of the scene; the keys of its section `units` */
    const struct bodies_model *model;
    char *file; /* for model "file"; already resolved to a path that can be opened */
    const struct format *format;           /* of the file; NULL: detected from its content */
    const struct unit_system *file_units;  /* NULL: as stated in the file */
    const struct unit_system *length_unit; /* likewise; at most one of the two is set */
    uint64_t count;                        /* 0: all bodies of the file (models need a number) */
    uint64_t seed;
    bool noisy;       /* galaxies: independent bodies; otherwise quiet pairs */
    double softening; /* the simulation's, for which galaxies are made; set by scene_validate() */
    char *use;        /* "all" or comma-separated component names, each `name` or `galaxy/name` */
    double position_scale, velocity_scale, mass_scale;
    const struct space_frame *frame; /* of an expanding universe; NULL: physical */
    double box[3]; /* edges of the periodic box, comoving; 0: as stated in the file */

    struct component_params *components; /* for model "file"; none: the file's own */
    uint32_t component_count;
    bool by_id;                 /* first and last of the components are ids instead of rows */
    const char *const *columns; /* not a key: additional columns of the file to read, ended by NULL;
                                 * NULL: none */
    bool all_columns;           /* not a key: read all of them */
    bool words;                 /* not a key: those of words too, unless ranks share the bodies */
    enum division divide;       /* not a key: among ranks, which all make the bodies */
    bool kernel;     /* not a key: derive the column BODY_KERNEL if the file has a source for it */
    uint32_t detect; /* number of galaxies to find in a file by friends of friends; 0: none */
    bool components_optional; /* set by --bodies-from: ranges that do not fit are dropped with a
                               * warning instead of being an error */

    struct body_params *list; /* for model "list" */
    uint32_t list_count;

    double virial_ratio;           /* 2T / |W| of single-cloud models; 0: the model's own */
    double concentration, king_w0; /* of models "nfw" and "king" */

    struct galaxy_params *galaxies; /* for a model with makes_galaxies */
    uint32_t galaxy_count;
    double separation, pericentre, eccentricity; /* the orbit of the two galaxies */
    double orbit_energy;    /* of that orbit, per reduced mass; 0: the eccentricity applies */
    double pericentre_time; /* of the first pericentre of extended galaxies; 0: Kepler's orbit */
};

/* Slow motion around a moment of the film. */
struct slow_params {
    struct moment at;
    double factor, span;
};

#define FORCE_ERROR_DEFAULT 4e-4 /* of the forces of a tree: relative, RMS */

struct simulation_params {
    double dt, softening;
    uint32_t steps_per_frame;
    const struct softening_kernel *softening_kernel;
    const struct force_ops *force;
    double
        force_error; /* required relative error of a tree's forces, RMS; 0: FORCE_ERROR_DEFAULT */
    const struct integrator *integrator;
    double damping;  /* factor on velocities per step; 1 or 0: none */
    double adaptive; /* accuracy of adaptive steps; 0: every step is dt */
    double
        double_steps; /* softening from which bodies make steps of twice the length; 0: none do */
    uint32_t long_steps; /* with double_steps: at the ends of how many steps, at most, these bodies
                          * pull and are pulled; 0: they make steps of twice the length */
    uint32_t subset;     /* an evaluation uses every subset-th source; 1 or 0: all */
    uint32_t diagnostics_every; /* in frames; 0: only at the start and the end */
    struct slow_params *slow;
    uint32_t slow_count;
    struct moment freeze_at; /* time stands still from here on; end: never */
    const char *pace; /* not a key: what shortens frames, for messages; NULL: steps_per_frame */
    bool alone;       /* not a key: on ranks, this process simulates alone, see solver_params.own */
    const struct bodies_params *played; /* not a key: snapshots that give the motion; NULL: the
                                         * integrator does */
    const struct run *run; /* not a key: simulation `of_run` of it gives the motion; NULL: none */
    int of_run;
};

/* Limits on a run's drift from what gravity conserves; diagnostics.h defines the measures. */
struct expect_params {
    double energy_drift, momentum_drift, angular_momentum_drift, centre_drift; /* 0: no limit */
    double virial_min, virial_max;                                             /* 0: no limit */
};
