#include "scenes/keys.h"

#include "base/text.h"
#include "scenes/params.h"

#include <math.h>
#include <string.h>

#define ROW(section, field, type, fallback, ...)                                                   \
    {                                                                                              \
#section, #field, type, offsetof(struct scene, section.field), fallback, __VA_ARGS__,      \
            NULL, false, false                                                                     \
    }
/* What few scenes set: printed only where it is not the default. */
#define RARE(section, field, type, fallback, ...)                                                  \
    {                                                                                              \
#section, #field, type, offsetof(struct scene, section.field), fallback, __VA_ARGS__,      \
            NULL, true, false                                                                      \
    }
/* A text of several lines that few scenes set, printed likewise. */
#define RARE_LINES(section, field, doc)                                                            \
    {                                                                                              \
#section, #field, KEY_TEXT, offsetof(struct scene, section.field), "\"\"", ANY, "", NULL,  \
            doc, NULL, NULL, true, true                                                            \
    }
/* A choice that few scenes make, printed likewise. */
#define RARE_CHOICE(section, field, fallback, registry, doc)                                       \
    {                                                                                              \
#section, #field, KEY_CHOICE, offsetof(struct scene, section.field), fallback, ANY, "",    \
            NULL, doc, NULL, &registry, true, false                                                \
    }
/* The scene's units stand beside the bodies, which are in them. */
#define UNIT(field, unit, doc)                                                                     \
    {                                                                                              \
        "units", #field, KEY_NUMBER, offsetof(struct scene, bodies.units.field), "0",              \
            RANGE(0, INFINITY), unit, NULL, doc, NULL, NULL, false, false                          \
    }
#define ITEM(structure, field, type, fallback, ...)                                                \
    {                                                                                              \
        "", #field, type, offsetof(struct structure, field), fallback, __VA_ARGS__, NULL, false,   \
            false                                                                                  \
    }
#define CHOICE(section, field, fallback, registry, doc)                                            \
    {                                                                                              \
#section, #field, KEY_CHOICE, offsetof(struct scene, section.field), fallback, ANY, "",    \
            NULL, doc, NULL, &registry, false, false                                               \
    }
/* What few items set: printed only where it is not the default. */
#define RARE_ITEM(structure, field, type, fallback, ...)                                           \
    {                                                                                              \
        "", #field, type, offsetof(struct structure, field), fallback, __VA_ARGS__, NULL, true,    \
            false                                                                                  \
    }
#define ITEM_CHOICE(structure, field, fallback, registry, doc)                                     \
    {                                                                                              \
        "", #field, KEY_CHOICE, offsetof(struct structure, field), fallback, ANY, "", NULL, doc,   \
            NULL, &registry, false, false                                                          \
    }
/* A choice that few items make, printed likewise. */
#define RARE_ITEM_CHOICE(structure, field, fallback, registry, doc)                                \
    {                                                                                              \
        "", #field, KEY_CHOICE, offsetof(struct structure, field), fallback, ANY, "", NULL, doc,   \
            NULL, &registry, true, false                                                           \
    }
#define LIST(section, ...) LIST_ROW(section, false, __VA_ARGS__)
/* What few scenes list: printed only where it is not empty. */
#define RARE_LIST(section, ...) LIST_ROW(section, true, __VA_ARGS__)
#define LIST_ROW(section, is_rare, field, keys, limit, example, ...)                               \
    {                                                                                              \
#section, #field, KEY_LIST, offsetof(struct scene, section.field), "[]", ANY, "", NULL,    \
            __VA_ARGS__,                                                                           \
            &(const struct key_list){keys, sizeof keys / sizeof *keys,                             \
                                     sizeof *((struct scene *)0)->section.field,                   \
                                     COUNT_OF(section, field), limit, example },                   \
                                     NULL, is_rare, false                                          \
    }
#define COUNT_OF(section, field)     COUNT_OF_##field(section)
#define COUNT_OF_components(section) offsetof(struct scene, section.component_count)
#define COUNT_OF_galaxies(section)   offsetof(struct scene, section.galaxy_count)
#define COUNT_OF_list(section)       offsetof(struct scene, section.list_count)
#define COUNT_OF_captions(section)   offsetof(struct scene, section.caption_count)
#define COUNT_OF_keyframes(section)  offsetof(struct scene, section.keyframe_count)
#define COUNT_OF_moves(section)      offsetof(struct scene, section.move_count)
#define COUNT_OF_panels(section)     offsetof(struct scene, section.panel_count)
#define COUNT_OF_slow(section)       offsetof(struct scene, section.slow_count)
#define RANGE(min, max)              min, max, false
#define ABOVE(min, max)              min, max, true
#define ANY                          RANGE(-INFINITY, INFINITY)
#define WHOLE                        RANGE(0, INFINITY)
#define ROWS_MAX                     9007199254740992.0 /* 2^53: row numbers survive tools that count in double */

/* clang-format off */
static const struct key component_keys[] = {
    ITEM(component_params, name, KEY_TEXT, NULL, ANY, "", NULL,
         "name of the component, such as disk", NULL),
    ITEM(component_params, galaxy, KEY_TEXT, "\"\"", ANY, "", NULL,
         "name of the galaxy that it belongs to", NULL),
    ITEM(component_params, first, KEY_U64, NULL, RANGE(0, ROWS_MAX), "", NULL,
         "first row of the file, counted from 1, or id with bodies.by_id", NULL),
    ITEM(component_params, last, KEY_U64, NULL, RANGE(0, ROWS_MAX), "", NULL,
         "last row or id, included", NULL),
    ITEM(component_params, draw, KEY_FLAG, "true", ANY, "", NULL,
         "whether the picture shows it; haloes are usually only simulated", NULL),
    ITEM(component_params, light, KEY_NUMBER, "1", RANGE(0, INFINITY), "", NULL,
         "brightness of one of its bodies against the others'", NULL),
    ITEM(component_params, softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "softening length of its bodies; 0: simulation.softening", NULL),
};

static const struct key galaxy_keys[] = {
    ITEM(galaxy_params, name, KEY_TEXT, NULL, ANY, "", NULL,
         "name of the galaxy", NULL),
    ITEM(galaxy_params, disk_mass, KEY_NUMBER, "1", RANGE(0, INFINITY), "mass", NULL,
         "mass of the exponential disk; 0: none. All masses are finite totals", NULL),
    ITEM(galaxy_params, disk_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY), "length", NULL,
         "scale length of the disk", NULL),
    ITEM(galaxy_params, disk_height, KEY_NUMBER, "0.2", RANGE(0, INFINITY), "length", NULL,
         "scale height of the disk", NULL),
    ITEM(galaxy_params, toomre_q, KEY_NUMBER, "1.8", RANGE(0, 100), "", NULL,
         "radial velocity dispersion of the disk as Toomre's Q at 2.43 scale lengths, and the least anywhere; "
         "below 1 it breaks up", NULL),
    RARE_ITEM(galaxy_params, disk_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "radius at which the disk ends, over a scale length; 0: six scale lengths", NULL),
    RARE_ITEM(galaxy_params, gas_mass, KEY_NUMBER, "0", RANGE(0, INFINITY), "mass", NULL,
         "mass of a second disk, thin and cold as gas is; its bodies do not collide", NULL),
    RARE_ITEM(galaxy_params, gas_scale, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "its scale length; 0: disk_scale", NULL),
    RARE_ITEM(galaxy_params, gas_height, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "its scale height; 0: a quarter of disk_height", NULL),
    RARE_ITEM(galaxy_params, gas_toomre_q, KEY_NUMBER, "0", RANGE(0, 100), "", NULL,
         "its dispersion, as toomre_q of its own surface density; 0: toomre_q", NULL),
    ITEM(galaxy_params, bulge_mass, KEY_NUMBER, "0.5", RANGE(0, INFINITY), "mass", NULL,
         "mass of the bulge; 0: none", NULL),
    ITEM(galaxy_params, bulge_scale, KEY_NUMBER, "0.9", ABOVE(0, INFINITY), "length", NULL,
         "scale length of the bulge", NULL),
    RARE_ITEM_CHOICE(galaxy_params, bulge_profile, "hernquist", bulge_profile_registry,
         "density of the bulge"),
    RARE_ITEM(galaxy_params, sersic_index, KEY_NUMBER, "4", RANGE(0.6, 10), "", NULL,
         "index of bulge_profile sersic; 1: exponential, 4: de Vaucouleurs'", NULL),
    RARE_ITEM(galaxy_params, bulge_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "the bulge's density is multiplied by sech(r / bulge_edge); 0: ten scale lengths", NULL),
    ITEM(galaxy_params, halo_mass, KEY_NUMBER, "9", RANGE(0, INFINITY), "mass", NULL,
         "mass of the halo; 0: none", NULL),
    ITEM(galaxy_params, halo_scale, KEY_NUMBER, "5", ABOVE(0, INFINITY), "length", NULL,
         "scale length of the halo", NULL),
    RARE_ITEM_CHOICE(galaxy_params, halo_profile, "hernquist", halo_profile_registry,
         "density of the halo"),
    RARE_ITEM(galaxy_params, halo_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "the halo's density is multiplied by sech(r / halo_edge); 0: six scale lengths of hernquist, ten of "
         "the others", NULL),
    ITEM(galaxy_params, disk_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "softening length of the disk's bodies; 0: simulation.softening", NULL),
    ITEM(galaxy_params, bulge_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "the same of the bulge's bodies", NULL),
    ITEM(galaxy_params, halo_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "the same of the halo's bodies", NULL),
    RARE_ITEM(galaxy_params, gas_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
         "the same of the gas's bodies", NULL),
    RARE_ITEM(galaxy_params, disk_share, KEY_NUMBER, "0", RANGE(0, INFINITY), "", NULL,
         "share of the galaxy's bodies that the disk gets, against the other shares; none given: bodies go by "
         "mass, and those of a halo weigh 2.5 times the others", NULL),
    RARE_ITEM(galaxy_params, gas_share, KEY_NUMBER, "0", RANGE(0, INFINITY), "", NULL,
         "the same of the gas", NULL),
    RARE_ITEM(galaxy_params, bulge_share, KEY_NUMBER, "0", RANGE(0, INFINITY), "", NULL,
         "the same of the bulge", NULL),
    RARE_ITEM(galaxy_params, halo_share, KEY_NUMBER, "0", RANGE(0, INFINITY), "", NULL,
         "the same of the halo", NULL),
    ITEM(galaxy_params, inclination, KEY_NUMBER, "0", RANGE(-360, 360), "degrees", NULL,
         "angle between the disk's plane and the orbit's", NULL),
    ITEM(galaxy_params, node, KEY_NUMBER, "0", RANGE(-360, 360), "degrees", NULL,
         "direction of the line in which the two planes meet", NULL),
    RARE_ITEM(galaxy_params, argument, KEY_NUMBER, "-360", RANGE(-360, 360), "degrees", NULL,
         "Toomre's argument of pericentre, instead of the node: how far the companion has come along its orbit, "
         "at the pericentre, since it rose through the disk's plane; -360: the node says it", NULL),
    RARE_ITEM(galaxy_params, position, KEY_VECTOR, "[0, 0, 0]", ANY, "length", NULL,
         "where the galaxy begins; as soon as a galaxy gives a position or a velocity, and with more than two, "
         "none is on the orbit of bodies.separation", NULL),
    RARE_ITEM(galaxy_params, velocity, KEY_VECTOR, "[0, 0, 0]", ANY, "velocity", NULL,
         "its velocity there; positions and velocities are taken from the centre of mass", NULL),
    RARE_ITEM(galaxy_params, rings, KEY_U32, "5", RANGE(0, 10000), "", NULL,
         "of the model rings: how many rings of test particles; 0: none", NULL),
    RARE_ITEM(galaxy_params, ring_inner, KEY_NUMBER, "0.2", ABOVE(0, INFINITY), "length", NULL,
         "radius of the innermost ring", NULL),
    RARE_ITEM(galaxy_params, ring_outer, KEY_NUMBER, "0.6", ABOVE(0, INFINITY), "length", NULL,
         "radius of the outermost ring", NULL),
};

static const struct key body_keys[] = {
    ITEM(body_params, name, KEY_TEXT, NULL, ANY, "", NULL,
         "name of the body, which is a component of its own", NULL),
    ITEM(body_params, mass, KEY_NUMBER, NULL, RANGE(0, INFINITY), "mass", NULL,
         "its mass", NULL),
    ITEM(body_params, position, KEY_VECTOR, NULL, ANY, "length", NULL,
         "where it begins", NULL),
    ITEM(body_params, velocity, KEY_VECTOR, "[0, 0, 0]", ANY, "velocity", NULL,
         "its velocity there", NULL),
};

static const struct key caption_keys[] = {
    ITEM(caption_params, text, KEY_TEXT, NULL, ANY, "", NULL,
         "what it says; a line break begins a new line", NULL),
    ITEM(caption_params, from, KEY_MOMENT, "0", ANY, "", NULL,
        "the moment at which it appears", NULL),
    ITEM(caption_params, to, KEY_MOMENT, "5", ANY, "", NULL,
        "the moment at which it is gone", NULL),
};

static const struct key slow_keys[] = {
    ITEM(slow_params, at, KEY_MOMENT, NULL, ANY, "", NULL,
         "the moment at which time passes most slowly", NULL),
    ITEM(slow_params, factor, KEY_NUMBER, "4", RANGE(1, 1000), "", NULL,
         "how many times slower than elsewhere", NULL),
    ITEM(slow_params, span, KEY_NUMBER, "0", RANGE(0, INFINITY), "time", NULL,
         "simulated time from the first to the last of it; 0: a tenth of the film's", NULL),
};

static const struct key keyframe_keys[] = {
    ITEM(keyframe_params, at, KEY_MOMENT, NULL, ANY, "", NULL,
         "the moment at which the camera is there", NULL),
    ITEM(keyframe_params, position, KEY_VECTOR, NULL, ANY, "length", NULL,
         "where the camera is, from the origin or from what it follows", NULL),
    ITEM(keyframe_params, target, KEY_VECTOR, "[0, 0, 0]", ANY, "length", NULL,
         "where it looks, likewise", NULL),
    ITEM(keyframe_params, up, KEY_VECTOR, "[0, 0, 1]", ANY, "", NULL,
         "direction that is up in the picture; not along the line of sight", NULL),
    ITEM(keyframe_params, fov, KEY_NUMBER, "0", RANGE(0, 170), "degrees", NULL,
         "field of view, as camera.fov; 0: camera.fov", NULL),
};

static const struct key move_keys[] = {
    ITEM_CHOICE(move_params, move, NULL, move_registry,
        "what the camera does, in addition to everything else"),
    ITEM(move_params, from, KEY_MOMENT, "start", ANY, "", NULL,
        "the moment at which it begins", NULL),
    ITEM(move_params, to, KEY_MOMENT, "end", ANY, "", NULL,
        "the moment at which it is done; it stays done", NULL),
    ITEM(move_params, turn, KEY_NUMBER, "0", ANY, "degrees", NULL,
         "of an orbit: change of azimuth", NULL),
    ITEM(move_params, tilt, KEY_NUMBER, "0", ANY, "degrees", NULL,
        "of an orbit: change of elevation; beyond 90 degrees the camera continues over the "
        "pole, upside down", NULL),
    ITEM(move_params, factor, KEY_NUMBER, "1", ABOVE(0, INFINITY), "", NULL,
         "of a zoom: how many times larger things become", NULL),
    ITEM(move_params, shift, KEY_VECTOR, "[0, 0, 0]", ANY, "length", NULL,
         "of a pan: camera and target go to the right, upwards and forwards as the camera sees it", NULL),
    ITEM_CHOICE(move_params, ease, "smooth", ease_registry,
        "how it begins and ends"),
};

static const struct key panel_keys[] = {
    ITEM(panel_params, title, KEY_TEXT, "\"\"", ANY, "", NULL,
         "what is written over it", NULL),
    ITEM_CHOICE(panel_params, mode, "\"\"", draw_mode_registry,
         "instead of look.mode"),
    ITEM_CHOICE(panel_params, color, "\"\"", colour_registry,
         "instead of look.color"),
    ITEM_CHOICE(panel_params, map, "\"\"", colour_map_registry,
         "instead of look.map"),
    ITEM(panel_params, follow, KEY_TEXT, "\"\"", ANY, "", NULL,
         "instead of camera.follow", NULL),
    ITEM(panel_params, azimuth, KEY_NUMBER, "0", ANY, "degrees", NULL,
         "added to the camera's azimuth", NULL),
    ITEM(panel_params, elevation, KEY_NUMBER, "0", RANGE(-180, 180), "degrees", NULL,
         "added to the camera's elevation", NULL),
    ITEM(panel_params, zoom, KEY_NUMBER, "1", ABOVE(0, INFINITY), "", NULL,
         "how many times larger things are", NULL),
    ITEM_CHOICE(panel_params, force, "\"\"", force_registry,
        "instead of simulation.force; such a panel runs its own simulation"),
    ITEM(panel_params, subset, KEY_U32, "0", RANGE(0, 16), "sources", "0 1 2 4 8 16",
        "instead of simulation.subset, if not 0; such a panel runs its own simulation", NULL),
    RARE_ITEM(panel_params, softening, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
        "instead of simulation.softening, if not 0; such a panel runs its own simulation, of the same bodies", NULL),
    RARE_ITEM_CHOICE(panel_params, softening_kernel, "\"\"", softening_kernel_registry,
        "instead of simulation.softening_kernel; such a panel runs its own simulation"),
    RARE_ITEM(panel_params, force_error, KEY_NUMBER, "0", RANGE(0, 0.01), "", NULL,
        "instead of simulation.force_error, if not 0; such a panel runs its own simulation", NULL),
    ITEM(panel_params, difference, KEY_FLAG, "false", ANY, "", NULL,
         "colours its bodies through the map by how far they are from where the first panel has them, "
         "logarithmically: from a millionth to all of the radius that holds half of the drawn bodies at the "
         "start", NULL),
};

const struct key scene_keys[] = {
    UNIT(length_kpc, "kpc", "length of one unit; 0: not known"),
    UNIT(time_myr, "Myr", "duration of one unit of time; 0: what two of the others make it, with G = 1"),
    UNIT(velocity_kms, "km/s", "size of one unit of velocity; 0: not known"),
    UNIT(mass_msun, "solar masses", "mass of one unit; 0: not known"),

    CHOICE(bodies, model, "galaxies", model_registry,
        "how the bodies are made"),
    ROW(bodies, file, KEY_TEXT, "\"\"", ANY, "", NULL,
        "table of bodies for model file; looked for beside the scene, in the current folder, then in "
        "the folders of $GRAVREEL_DATA", NULL),
    RARE_CHOICE(bodies, format, "auto", body_format_registry,
        "format of the bodies file; auto: what its content shows or else its extension"),
    {"bodies", "units", KEY_CHOICE, offsetof(struct scene, bodies.file_units), "file", ANY, "", NULL,
        "units of the bodies file, from which it is brought to the scene's; where the scene states none of its own, it "
        "takes those; file: as it states them", NULL, &unit_system_registry, true, false},
    ROW(bodies, count, KEY_U64, "16384", RANGE(0, 100000000), "bodies", NULL,
        "number of bodies; 0 with model file: as many as the file has", NULL),
    ROW(bodies, seed, KEY_U64, "1", WHOLE, "", NULL,
        "seed of the random numbers; the same seed gives the same bodies, and the same background stars", NULL),
    RARE(bodies, noisy, KEY_FLAG, "false", ANY, "", NULL,
        "for model galaxies: every body is drawn by itself; otherwise they start quiet, in pairs that lie opposite "
        "each other, at radii that fill the mass evenly", NULL),
    ROW(bodies, use, KEY_TEXT, "all", ANY, "", NULL,
        "components to keep, separated by commas, each NAME or GALAXY/NAME", NULL),
    ROW(bodies, position_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY), "", NULL,
        "factor on all positions", NULL),
    ROW(bodies, velocity_scale, KEY_NUMBER, "1", ANY, "", NULL,
        "factor on all velocities; negative runs the motion backwards", NULL),
    ROW(bodies, mass_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY), "", NULL,
        "factor on all masses", NULL),
    LIST(bodies, components, component_keys, 256,
         "[{name: disk, first: 1, last: 1000}]",
         "for model file: which rows are what; none: the file's own components, or one"),
    RARE(bodies, by_id, KEY_FLAG, "false", ANY, "", NULL,
        "for model file: the first and last of the components are ids of the file's bodies instead of rows", NULL),
    RARE(bodies, detect, KEY_U32, "0", RANGE(0, 16), "galaxies", NULL,
        "for model file: how many galaxies are found by friends of friends, each component becoming one per galaxy; "
        "0: none", NULL),
    LIST(bodies, galaxies, galaxy_keys, 8,
         "[{name: Large}, {name: Small, disk_mass: 0.3}]",
         "for model galaxies: one, two on an orbit, or up to eight where they say; none: two, the second inclined by "
        "60 degrees"),
    RARE_LIST(bodies, list, body_keys, 64,
         "[{name: sun, mass: 1, position: [0, 0, 0]}]",
         "for model list: the bodies themselves"),
    RARE(bodies, virial_ratio, KEY_NUMBER, "0", RANGE(0, 100), "", NULL,
        "twice the kinetic over the potential energy at the start, of the models of one cloud (plummer, hernquist, "
        "nfw, king, uniform, cube, shell); 0: the model's own", NULL),
    RARE(bodies, concentration, KEY_NUMBER, "10", RANGE(1, 100), "", NULL,
        "virial radius of the model nfw in scale radii", NULL),
    RARE(bodies, king_w0, KEY_NUMBER, "6", RANGE(0.5, 12), "", NULL,
        "depth of the potential at the centre of the model king, in units of the square of its velocity "
        "parameter", NULL),
    ROW(bodies, separation, KEY_NUMBER, "20", ABOVE(0, INFINITY), "length", NULL,
        "distance of the two galaxies at the start", NULL),
    ROW(bodies, pericentre, KEY_NUMBER, "2", RANGE(0, INFINITY), "length", NULL,
        "closest distance that their orbit would reach if they were points; 0: head-on", NULL),
    ROW(bodies, eccentricity, KEY_NUMBER, "1", RANGE(0, 100), "", NULL,
        "eccentricity of that orbit; 1: parabolic", NULL),
    RARE(bodies, orbit_energy, KEY_NUMBER, "0", ANY, "velocity^2", NULL,
        "energy of that orbit per reduced mass, v^2 / 2 - M / r with the mass M of both, instead of its eccentricity; "
        "below 0: bound; 0: the eccentricity says it", NULL),
    RARE(bodies, pericentre_time, KEY_NUMBER, "0", RANGE(0, INFINITY), "time", NULL,
        "when the galaxies, with their haloes, come as near as bodies.pericentre for the first time, instead of "
        "on the orbit of points with bodies.eccentricity; 0: that orbit", NULL),

    ROW(simulation, dt, KEY_NUMBER, "0.01", ABOVE(0, INFINITY), "time", NULL,
        "length of one step", NULL),
    ROW(simulation, softening, KEY_NUMBER, "0.05", ABOVE(0, INFINITY), "length", NULL,
        "softening length of the bodies that have none of their own", NULL),
    RARE_CHOICE(simulation, softening_kernel, "plummer", softening_kernel_registry,
        "what softens the pull of near bodies, in every force but tree-exact"),
    ROW(simulation, steps_per_frame, KEY_U32, "4", RANGE(1, 100000), "steps", NULL,
        "steps from one frame to the next", NULL),
    CHOICE(simulation, force, "auto", force_registry,
        "arithmetic of the forces"),
    RARE(simulation, force_error, KEY_NUMBER, "4e-4", RANGE(1e-5, 1e-2), "", NULL,
        "relative error of the accelerations that a tree is allowed, root of the mean square; "
        "the others make none that is larger than their arithmetic's", NULL),
    CHOICE(simulation, integrator, "kdk", integrator_registry,
        "how a step is made"),
    ROW(simulation, damping, KEY_NUMBER, "1", ABOVE(0, 1), "", NULL,
        "factor on all velocities per step of the integrator euler; 1: none", NULL),
    ROW(simulation, adaptive, KEY_NUMBER, "0", RANGE(0, 1), "", NULL,
        "0: every step is dt; otherwise a frame is divided into steps of at most this times "
        "sqrt(softening / largest acceleration), or, for kdk with the force tree, each body's own "
        "steps by its own acceleration; 0.05 is a careful choice", NULL),
    ROW(simulation, subset, KEY_U32, "1", RANGE(1, 16), "sources", "1 2 4 8 16",
        "for previews: each force evaluation uses every 2nd, 4th, 8th or 16th source in turn, "
        "its mass multiplied accordingly; 1: all", NULL),
    ROW(simulation, diagnostics_every, KEY_U32, "0", RANGE(0, 1000000), "frames", NULL,
        "interval at which energies, momenta and half-mass radii are written to "
        "FILM.diagnostics.csv; 0: never", NULL),
    LIST(simulation, slow, slow_keys, 16,
         "[{at: pericentre, factor: 4}]",
         "moments of the film that are shown in slow motion"),
    RARE(simulation, freeze_at, KEY_MOMENT, "end", ANY, "", NULL,
        "from when on simulated time stands still while the camera goes on: a moment of the film; end: it never does", NULL),

    ROW(camera, target, KEY_VECTOR, "[0, 0, 0]", ANY, "length", NULL,
        "point that the camera looks at and turns around, from the origin or from what it follows", NULL),
    ROW(camera, follow, KEY_TEXT, "\"\"", ANY, "", NULL,
        "what the target moves with: mass (the drawn bodies' centre of mass), densest (the densest galaxy's "
        "core), the core of a GALAXY or GALAXY/COMPONENT by its name, or A+B for the midpoint of two of "
        "these; empty: nothing", NULL),
    CHOICE(camera, frame, "fixed", framing_registry,
        "what sets the distance of the camera"),
    ROW(camera, fraction, KEY_NUMBER, "0.9", ABOVE(0, 1), "", NULL,
        "part of the drawn light that frame auto keeps in the picture once galaxies are one, or where none are named", NULL),
    ROW(camera, distance, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
        "distance from the target; 0: so that the drawn bodies fit at the start", NULL),
    ROW(camera, azimuth, KEY_NUMBER, "0", ANY, "degrees", NULL,
        "direction of the camera around the z axis at the start", NULL),
    ROW(camera, elevation, KEY_NUMBER, "35", RANGE(-90, 90), "degrees", NULL,
        "height of the camera above the x-y plane", NULL),
    ROW(camera, orbit, KEY_NUMBER, "60", ANY, "degrees", NULL,
        "azimuth turned over the whole film", NULL),
    ROW(camera, zoom, KEY_NUMBER, "1", ABOVE(0, INFINITY), "", NULL,
        "the distance at the film's end is distance / zoom", NULL),
    ROW(camera, fov, KEY_NUMBER, "40", RANGE(0.01, 170), "degrees", NULL,
        "vertical field of view; in a picture higher than wide the horizontal one", NULL),
    CHOICE(camera, projection, "flat", projection_registry,
        "how the scene is projected into the picture"),
    ROW(camera, eye_distance, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
        "distance of the eyes of a stereo pair; 0: a thirtieth of the distance to the target", NULL),
    LIST(camera, keyframes, keyframe_keys, 256,
         "[{at: start, position: [80, 0, 30]}, {at: end, position: [0, -20, 60]}]",
        "places that the camera passes on a smooth path, instead of distance, azimuth, "
        "elevation, orbit and zoom; in the order of their moments; it does not move before "
        "the first and after the last"),
    LIST(camera, moves, move_keys, 256,
         "[{move: orbit, turn: 120}]",
        "orbits, zooms and pans between two moments, also on top of keyframes; each continues "
        "from what those before it in the list have done"),

    RARE_CHOICE(look, preset, "none", preset_registry,
        "a look with a name, which sets keys: those that the scene leaves out, or, given on the command line, all that no "
        "other option gives, except look.color and look.map. The scene that a film carries has the keys instead"),
    CHOICE(look, mode, "sprites", draw_mode_registry,
        "what a body looks like"),
    CHOICE(look, color, "velocity", colour_registry,
        "what gives a body its colour"),
    RARE(look, colors, KEY_TINTS, "\"\"", ANY, "", NULL,
        "colours of galaxies, in the mode galaxy, and of components, in the modes component and stars, as NAME=COLOUR, "
        "separated by commas; GALAXY/COMPONENT=COLOUR goes before either. A colour is #rrggbb or a name of "
        "CSS, and is shown as it is, whatever look.saturation says", NULL),
    RARE_CHOICE(look, palette, "four", palette_registry,
        "colours that galaxies, and components in the mode component, get in their order where look.colors gives none; "
        "any more get the first"),
    CHOICE(look, map, "plasma", colour_map_registry,
        "colours for speed, temperature, acceleration, density, quantity and activity"),
    ROW(look, plain, KEY_VECTOR, "[1, 0.7, 0.4]", RANGE(0, 1), "", NULL,
        "the one colour of the mode sprites-plain: red, green, blue", NULL),
    ROW(look, point_size, KEY_NUMBER, "0", RANGE(0, 2000), "pixels", NULL,
        "diameter of a sprite at the target's distance, or side of a point, in a picture 1080 rows "
        "high, or 1080 columns wide if higher than wide; 0: 6 of sprites, 3 of points", NULL),
    CHOICE(look, size, "auto", sprite_sizing_registry,
        "what decides how large a sprite is"),
    ROW(look, radius, KEY_NUMBER, "0", RANGE(0, INFINITY), "length", NULL,
        "radius of a sprite in the scene's unit, at any distance; 0, and always for points: "
        "look.point_size decides", NULL),
    ROW(look, smallest, KEY_NUMBER, "3", RANGE(1, 64), "pixels", NULL,
        "smallest diameter of a sprite, below which it is dimmed instead of shrunk; twice that with the profile "
        "plummer", NULL),
    ROW(look, stars, KEY_U32, "auto", RANGE(1, 256), "stars", NULL,
        "that each body stands for where sprites are of adaptive size: points in focus that move with it, of all brightnesses, scattered as "
        "wide as it is empty around it; auto: 8, fewer where more than 250,000 bodies are drawn", NULL),
    ROW(look, resolved, KEY_NUMBER, "0.55", RANGE(0, 1), "", NULL,
        "share of a body's light that comes from its stars, the rest is continuous; 0: all of it", NULL),
    CHOICE(look, profile, "soft", sprite_profile_registry,
        "how a sprite fades from its centre to its edge; all profiles hold the same light"),
    CHOICE(look, weight, "component", light_weight_registry,
        "what a body's light comes from"),
    CHOICE(look, tone, "log", tone_registry,
        "how light becomes what a display shows"),
    {"look", "exposure", KEY_EXPOSURE, offsetof(struct scene, look.exposure), "auto", ANY, "", NULL,
        "factor on all light: a number, or how it is found", NULL, &metering_registry, false, false},
    ROW(look, speed, KEY_NUMBER, "0", RANGE(0, INFINITY), "velocity", NULL,
        "velocity that colours fully; 0: set once from the bodies at the start", NULL),
    ROW(look, acceleration, KEY_NUMBER, "0", RANGE(0, INFINITY), "", NULL,
        "acceleration that colours fully; 0: set once from the bodies at the start", NULL),
    RARE(look, quantity, KEY_TEXT, "\"\"", ANY, "", NULL,
        "for the colour quantity: which column of the bodies, by its name, as `gravreel info` lists them for a file or a "
        "scene (galaxies of a scene have birth_radius and age); its numbers at the start colour the bodies over the whole "
        "film, in a film of snapshots those of each moment, straight from one snapshot to the next", NULL),
    RARE_CHOICE(look, quantity_scale, "linear", quantity_scale_registry,
        "how its numbers lie along look.map; bodies without a number, and on the scale log those with 0 or less, are grey"),
    RARE(look, quantity_from, KEY_NUMBER, "0", ANY, "", NULL,
        "its number where look.map begins, in the file's unit; quantity_from and quantity_to alike: the map is from the "
        "1st to the 99th percentile of the drawn bodies at the start, in a film of snapshots of 16 of them", NULL),
    RARE(look, quantity_to, KEY_NUMBER, "0", ANY, "", NULL,
        "its number where look.map ends", NULL),
    ROW(look, saturation, KEY_NUMBER, "1", RANGE(0, 1), "", NULL,
        "0 grey to 1 full colour", NULL),
    ROW(look, bloom, KEY_NUMBER, "0", RANGE(0, 1), "", NULL,
        "share of the light that glows around its source; 0: none", NULL),
    ROW(look, glow, KEY_NUMBER, "0.15", RANGE(0, 1), "", NULL,
        "share of the light that is spread as a lens spreads it: round, brightest at its source, falling as the inverse "
        "cube of the distance; 0: none", NULL),
    RARE(look, spikes, KEY_NUMBER, "0", RANGE(0, 1), "", NULL,
        "share of the light that runs out from its source in straight arms, as the vanes of a telescope spread it; 0: none", NULL),
    RARE_CHOICE(look, spike_arms, "four", spike_arms_registry,
        "how many arms, and where"),
    RARE(look, dust, KEY_NUMBER, "0", RANGE(0, 1000), "", NULL,
        "dust in the components whose names have gas or dust in them, which dims and reddens the light behind it; "
        "1: as much as in an ordinary spiral, 0: none, as in the mode activity", NULL),
    RARE(look, background, KEY_COLOR, "black", ANY, "", NULL,
        "colour behind the bodies, #rrggbb or a name of CSS; their light is added to it; a light one is a page that "
        "they darken, as in print, with dark letters", NULL),
    RARE(look, background_stars, KEY_U32, "0", RANGE(0, 40000), "stars", NULL,
        "faint stars infinitely far behind the bodies, of the whole sky, in the brightnesses and colours of the real one "
        "but at places of their own, by bodies.seed; more are fainter ones beside the same; 0: none, as in the mode activity", NULL),
    RARE(look, background_light, KEY_NUMBER, "1", RANGE(0, 100), "", NULL,
        "factor on the light of the background stars, which does not depend on look.exposure", NULL),
    RARE(look, fade_in, KEY_NUMBER, "0", RANGE(0, INFINITY), "seconds", NULL,
        "how long the film, overlay included, takes to come out of black, from its first frame on; stills "
        "and sheets leave it out unless asked for with --as-film", NULL),
    RARE(look, fade_out, KEY_NUMBER, "0", RANGE(0, INFINITY), "seconds", NULL,
        "how long it takes to go back into black, which its last frame is", NULL),
    ROW(look, samples, KEY_U32, "1", RANGE(1, 64), "", NULL,
        "places within each pixel that the picture is the mean of, against jagged edges", NULL),
    ROW(look, shutter, KEY_NUMBER, "0.5", RANGE(0, 1), "", NULL,
        "part of the time from frame to frame in which bodies are seen moving (0.5: a film "
        "camera's, 180 degrees); 0: none. Light is drawn along each body's path in the picture, which the "
        "camera's own motion is part of, and stars (look.stars) stay points; with look.samples 8 or more the picture is the mean of as many moments", NULL),
    ROW(look, trails, KEY_NUMBER, "0", RANGE(0, 600), "seconds", NULL,
        "of the film that the path behind each body is seen for, fading, in the colours that the body had there; bodies times "
        "frames of it are at most 1,048,576, and bodies 16,384; 0: none", NULL),
    ROW(look, cells, KEY_U32, "256", RANGE(8, 4096), "cells", NULL,
        "of the mode activity: cells along the shorter side of the picture, none smaller than a pixel", NULL),
    LIST(look, panels, panel_keys, 4,
         "[{title: Velocity}, {title: Speed, color: speed}]",
         "two to four pictures next to each other, of the same bodies"),

    ROW(overlay, title, KEY_FLAG, "false", ANY, "", NULL,
        "shows output.title, shortened where the picture is too narrow for it", NULL),
    ROW(overlay, clock, KEY_FLAG, "false", ANY, "", NULL,
        "shows the simulated time, in Myr or Gyr where units.time_myr is given", NULL),
    ROW(overlay, scale_bar, KEY_FLAG, "false", ANY, "", NULL,
        "shows a length at the target's distance, in parsecs or light years where units.length_kpc "
        "is given", NULL),
    ROW(overlay, bodies, KEY_FLAG, "false", ANY, "", NULL,
        "shows the number of bodies", NULL),
    ROW(overlay, frame, KEY_FLAG, "false", ANY, "", NULL,
        "shows the number of the frame, counted from 0", NULL),
    ROW(overlay, legend, KEY_FLAG, "false", ANY, "", NULL,
        "shows what the colours mean, in km/s where units.velocity_kms is given; without panels in the "
        "corner that has least light over the film, where the lower left one has a noticeable part of it; "
        "waits until a title card that it would touch has gone; left out of pictures too small for it", NULL),
    ROW(overlay, energy, KEY_FLAG, "false", ANY, "", NULL,
        "shows a small graph of the kinetic, potential and total energy so far, in a dark corner; costs at most "
        "200 more evaluations of the potential per film", NULL),
    CHOICE(overlay, length_unit, "kpc", length_unit_registry,
        "unit of the scale bar"),
    ROW(overlay, size, KEY_NUMBER, "27", ABOVE(0, 200), "pixels", NULL,
        "size of the letters in a picture whose shorter side is 1080; never drawn smaller than 9", NULL),
    ROW(overlay, font, KEY_TEXT, "DejaVu Sans", ANY, "", NULL,
        "family of the letters, as fontconfig names it", NULL),
    RARE(overlay, weights, KEY_FLAG, "false", ANY, "", NULL,
        "titles are set heavier than labels, and labels than text, as far as the font has such weights, and the "
        "figures of numbers all as wide", NULL),
    LIST(overlay, captions, caption_keys, 256,
         "[{text: First passage, from: 2, to: 5}]",
         "texts that come and go; where two overlap, the later in the list shows"),
    ROW(overlay, fade, KEY_NUMBER, "0.7", RANGE(0, INFINITY), "seconds", NULL,
        "how long a caption and the title card take to come, and to go", NULL),
    RARE(overlay, wrap, KEY_FLAG, "false", ANY, "", NULL,
        "captions that are too wide go on in the next line instead of being shortened", NULL),
    RARE(overlay, card, KEY_NUMBER, "0", RANGE(0, INFINITY), "seconds", NULL,
        "how long a title card is shown from the film's start on: output.title large in the lower third, with "
        "overlay.subtitle below it, or in the middle with card_covers; 0: none", NULL),
    RARE_LINES(overlay, subtitle,
        "what the title card says below the title; a line break begins a new line (\\n on the command line)"),
    RARE(overlay, card_covers, KEY_FLAG, "false", ANY, "", NULL,
        "the title card stands before look.background alone, and the film appears as it goes; captions and the "
        "simulated time run on", NULL),

    ROW(output, size, KEY_SIZE, "1280x720", RANGE(16, 16384), "pixels", NULL,
        "width x height, or 720p, 1080p, 1440p, 2160p, 4k, 8k, 16:9 or landscape (1920x1080), 9:16, vertical or "
        "portrait (1080x1920), 4:5 (1080x1350), 1:1 or square (1080x1080)", NULL),
    ROW(output, fps, KEY_RATE, "30", RANGE(1, 1000), "frames/s", NULL,
        "frame rate: 25, 29.97 (means 30000/1001) or a fraction", NULL),
    ROW(output, frames, KEY_U64, "300", RANGE(1, 10000000), "frames", NULL,
        "number of frames of the film", NULL),
    CHOICE(output, codec, "auto", codec_registry,
        "how the film is encoded; auto: the usual codec of the output's extension, encoded by "
        "the GPU where the simulation runs on one that can"),
    ROW(output, crf, KEY_NUMBER, "-1", RANGE(-1, 63), "", NULL,
        "quality of the encoder, lower is better; negative: the codec's default", NULL),
    ROW(output, preset, KEY_TEXT, "\"\"", ANY, "", NULL,
        "speed of the encoder; empty: the codec's default", NULL),
    ROW(output, codec_options, KEY_TEXT, "\"\"", ANY, "", NULL,
        "options of the encoder, or of the library behind it, as KEY=VALUE, separated by colons: those of "
        "encoder-options.md, which name no files", NULL),
    ROW(output, bits, KEY_U32, "0", RANGE(0, 10), "bits", "0 8 10",
        "bits per sample of a film; 0: the codec's usual", NULL),
    CHOICE(output, chroma, "auto", chroma_registry,
        "how finely the colour of a film is sampled; auto: the codec's usual"),
    ROW(output, pad, KEY_FLAG, "false", ANY, "", NULL,
        "adds a black row or column to odd sizes where the codec needs even ones", NULL),
    ROW(output, deterministic, KEY_FLAG, "true", ANY, "", NULL,
        "the encoder gives the same bytes on every processor of one architecture, two or "
        "three percent slower with h264; does not apply to the encoder of a GPU", NULL),
    ROW(output, segment, KEY_U32, "auto", RANGE(1, 100000), "frames", NULL,
        "length of the segments in which a film is written; a run that is killed loses at most "
        "those in progress; auto: a second of the film, in any case 12 frames, and no more than "
        "2000 segments", NULL),
    ROW(output, threads, KEY_U32, "8", RANGE(1, 64), "threads", NULL,
        "encoder threads: fixed, because decoded pixels depend on their number", NULL),
    ROW(output, png_bits, KEY_U32, "8", RANGE(8, 16), "bits", "8 16",
        "bits per sample of PNG and JPEG XL pictures", NULL),
    ROW(output, exr_bits, KEY_U32, "16", RANGE(16, 32), "bits", "16 32",
        "bits per sample of EXR pictures: half or 32-bit floats", NULL),
    ROW(output, png_level, KEY_U32, "3", RANGE(0, 9), "", NULL,
        "compression of PNG pictures: 0 none, 1 to 5 fast, 6 to 9 smallest and several times slower", NULL),
    RARE(output, audio, KEY_TEXT, "\"\"", ANY, "", NULL,
        "audio file that is copied into mp4, mov, mkv or webm, from its start, cut to the film's length", NULL),
    RARE_CHOICE(output, alpha, "none", alpha_registry,
        "whether what is dark is transparent, in PNG pictures, WebP, ProRes and FFV1"),
    RARE_CHOICE(output, hdr, "none", hdr_registry,
        "high dynamic range of a film: 10 bits in BT.2020, white at 203 cd/m^2, cores up to 1000; by hevc unless "
        "output.codec says otherwise. Stills, sheets and PNG pictures are ordinary ones, with a warning"),
    RARE(output, loop, KEY_FLAG, "false", ANY, "", NULL,
        "the film is to be played again and again: what the camera does over the whole film ends one frame after the last, "
        "which is the first again", NULL),
    ROW(output, title, KEY_TEXT, "\"\"", ANY, "", NULL,
        "title in the film's metadata, and for overlay.title", NULL),

    ROW(expect, energy_drift, KEY_NUMBER, "0", WHOLE, "", NULL,
        "change of the energy, relative to the start's", NULL),
    ROW(expect, momentum_drift, KEY_NUMBER, "0", WHOLE, "", NULL,
        "change of the momentum, relative to that of all bodies moving the same way at their RMS speed", NULL),
    ROW(expect, angular_momentum_drift, KEY_NUMBER, "0", WHOLE, "", NULL,
        "change of the angular momentum about the origin, relative to the start's, or to that of all bodies "
        "circling at their RMS speed and gravitational radius if that is larger", NULL),
    ROW(expect, centre_drift, KEY_NUMBER, "0", WHOLE, "length", NULL,
        "distance of the centre of mass from where uniform motion would have taken it", NULL),
    ROW(expect, virial_min, KEY_NUMBER, "0", WHOLE, "", NULL,
        "smallest virial ratio, twice the kinetic over the potential energy, which is 1 in equilibrium", NULL),
    ROW(expect, virial_max, KEY_NUMBER, "0", WHOLE, "", NULL,
        "largest virial ratio", NULL),
};
/* clang-format on */

const size_t scene_key_count = sizeof scene_keys / sizeof *scene_keys;
_Static_assert(sizeof scene_keys / sizeof *scene_keys <= KEYS_MAX, "raise KEYS_MAX");
_Static_assert(sizeof panel_keys / sizeof *panel_keys <= LIST_KEYS_MAX, "raise LIST_KEYS_MAX");
_Static_assert(sizeof galaxy_keys / sizeof *galaxy_keys <= LIST_KEYS_MAX, "raise LIST_KEYS_MAX");

#define SECTION(name, doc)                                                                         \
    {                                                                                              \
#name, doc, false                                                                          \
    }

const struct key_section scene_sections[SECTION_COUNT] = {
    SECTION(units, "How long the scene's own units are, for labels and files. G = 1 inside."),
    SECTION(bodies, "What is there at the start, in the scene's own units."),
    SECTION(simulation, "How the bodies move."),
    SECTION(camera, "Where the picture is taken from."),
    SECTION(look, "How the bodies are drawn."),
    SECTION(overlay, "What is written over the picture. All of it is off by default."),
    SECTION(output, "The film or the pictures that are written."),
    {"expect",
     "What the physics must keep to. A run that ends outside a limit says so and exits with 3, its "
     "film complete; `gravreel check` judges every frame. 0 is no limit.",
     true},
};

int key_section_find(const char *name, size_t length)
{
    for (int i = 0; i < SECTION_COUNT; i++)
        if (strlen(scene_sections[i].name) == length &&
            memcmp(scene_sections[i].name, name, length) == 0)
            return i;
    return -1;
}

int key_find(const char *section, const char *name)
{
    for (size_t i = 0; i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0 && strcmp(scene_keys[i].name, name) == 0)
            return (int)i;
    return -1;
}

const struct key *key_path_find(const char *path)
{
    const char *dot = strchr(path, '.');
    for (size_t i = 0; dot && i < scene_key_count; i++)
        if (strncmp(scene_keys[i].section, path, (size_t)(dot - path)) == 0 &&
            scene_keys[i].section[dot - path] == '\0' && strcmp(scene_keys[i].name, dot + 1) == 0)
            return &scene_keys[i];
    return NULL;
}

bool key_is_word(const struct key *key)
{
    switch (key->type) {
    case KEY_TEXT:
    case KEY_CHOICE:
    case KEY_MOMENT:
    case KEY_EXPOSURE:
    case KEY_SIZE:
    case KEY_RATE:
    case KEY_COLOR:
    case KEY_TINTS:
        return true;
    case KEY_NUMBER:
    case KEY_U32:
    case KEY_U64:
    case KEY_FLAG:
    case KEY_VECTOR:
    case KEY_LIST:
        break;
    }
    return false;
}

int key_list_find(const struct key_list *list, const char *name)
{
    for (size_t i = 0; list && i < list->key_count; i++)
        if (strcmp(list->keys[i].name, name) == 0)
            return (int)i;
    return -1;
}

void key_names(const char *section, char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; section && i < scene_key_count; i++)
        if (strcmp(scene_keys[i].section, section) == 0)
            text_list(out, size, scene_keys[i].name);
    for (size_t i = 0; !section && i < SECTION_COUNT; i++)
        text_list(out, size, scene_sections[i].name);
}
