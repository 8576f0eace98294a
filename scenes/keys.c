#include "scenes/keys.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Turns a numeric macro into a string. */
#define TEXT_OF(number)      TEXT_OF_WORDS(number)
#define TEXT_OF_WORDS(words) #words

/* A row of the table. Members that it does not name are 0: no unit, no registry, not rare. */
#define KEY(section, field, ...) KEY_NAMED(#field, section, field, __VA_ARGS__)
#define KEY_NAMED(key_name, in, field, kind, value, ...)                                           \
    {                                                                                              \
        .section = #in, .name = key_name, .type = kind,                                            \
        .offset = offsetof(struct scene, in.field), .fallback = value, __VA_ARGS__                 \
    }
/* The scene's units are stored with the parameters of the bodies. */
#define UNIT(field, ...)                                                                           \
    {                                                                                              \
        .section = "units", .name = #field, .type = KEY_NUMBER,                                    \
        .offset = offsetof(struct scene, bodies.units.field), .fallback = "0", RANGE(0, INFINITY), \
        __VA_ARGS__                                                                                \
    }
/* A key of a list's items. */
#define ITEM(structure, field, kind, value, ...)                                                   \
    {                                                                                              \
        .section = "", .name = #field, .type = kind, .offset = offsetof(struct structure, field),  \
        .fallback = value, __VA_ARGS__                                                             \
    }
#define LIST(section, field, item_keys, limit, shown, ...)                                         \
    KEY(section, field, KEY_LIST, "[]",                                                            \
        .list = &(const struct key_list){.keys = item_keys,                                        \
                                         .key_count = sizeof item_keys / sizeof *item_keys,        \
                                         .item_size = sizeof *((struct scene *)0)->section.field,  \
                                         .count_offset = COUNT_OF(section, field),                 \
                                         .item_max = limit,                                        \
                                         .example = shown},                                        \
        __VA_ARGS__)
#define COUNT_OF(section, field)     COUNT_OF_##field(section)
#define COUNT_OF_components(section) offsetof(struct scene, section.component_count)
#define COUNT_OF_galaxies(section)   offsetof(struct scene, section.galaxy_count)
#define COUNT_OF_list(section)       offsetof(struct scene, section.list_count)
#define COUNT_OF_captions(section)   offsetof(struct scene, section.caption_count)
#define COUNT_OF_keyframes(section)  offsetof(struct scene, section.keyframe_count)
#define COUNT_OF_labels(section)     offsetof(struct scene, section.label_count)
#define COUNT_OF_marks(section)      offsetof(struct scene, section.mark_count)
#define COUNT_OF_words(section)      offsetof(struct scene, section.word_count)
#define COUNT_OF_moves(section)      offsetof(struct scene, section.move_count)
#define COUNT_OF_panels(section)     offsetof(struct scene, section.panel_count)
#define COUNT_OF_slow(section)       offsetof(struct scene, section.slow_count)
#define RANGE(least, most)           .min = least, .max = most
#define ABOVE(least, most)           RANGE(least, most), .above = true
#define ANY                          RANGE(-INFINITY, INFINITY)
#define WHOLE                        RANGE(0, INFINITY)
#define ROWS_MAX                     9007199254740992.0 /* 2^53: exact in a double */

/* clang-format off */
static const struct key component_keys[] = {
    ITEM(component_params, name, KEY_TEXT, NULL,
        .doc = "name of the component, such as disk"),
    ITEM(component_params, galaxy, KEY_TEXT, "\"\"",
        .doc = "name of the galaxy that it belongs to"),
    ITEM(component_params, first, KEY_U64, NULL, RANGE(0, ROWS_MAX),
        .doc = "first row of the file, counted from 1, or id with bodies.by_id"),
    ITEM(component_params, last, KEY_U64, NULL, RANGE(0, ROWS_MAX),
        .doc = "last row or id, included"),
    ITEM(component_params, draw, KEY_FLAG, "true",
        .doc = "whether the picture shows it; haloes are usually only simulated"),
    ITEM(component_params, light, KEY_NUMBER, "1", RANGE(0, INFINITY),
        .doc = "brightness of one of its bodies relative to the others'"),
    ITEM(component_params, softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length",
        .doc = "softening length of its bodies; 0: simulation.softening"),
};

static const struct key galaxy_keys[] = {
    ITEM(galaxy_params, name, KEY_TEXT, NULL,
        .doc = "name of the galaxy"),
    ITEM(galaxy_params, disk_mass, KEY_NUMBER, "1", RANGE(0, INFINITY), .unit = "mass",
        .doc = "mass of the exponential disk; 0: none. All masses are finite totals"),
    ITEM(galaxy_params, disk_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY), .unit = "length",
        .doc = "scale length of the disk"),
    ITEM(galaxy_params, disk_height, KEY_NUMBER, "0.2", RANGE(0, INFINITY), .unit = "length",
        .doc = "scale height of the disk"),
    ITEM(galaxy_params, toomre_q, KEY_NUMBER, "1.8", RANGE(0, 100),
        .doc = "radial velocity dispersion of the disk, given as Toomre's Q at 2.43 scale lengths, which is also the "
             "smallest Q anywhere; a disk with Q below 1 breaks up"),
    ITEM(galaxy_params, disk_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "radius at which the disk ends, within about a scale length; 0: six scale lengths"),
    ITEM(galaxy_params, gas_mass, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "mass", .rare = true,
        .doc = "mass of a second disk, thin and cold as gas is; its bodies do not collide"),
    ITEM(galaxy_params, gas_scale, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "its scale length; 0: disk_scale"),
    ITEM(galaxy_params, gas_height, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "its scale height; 0: a quarter of disk_height"),
    ITEM(galaxy_params, gas_toomre_q, KEY_NUMBER, "0", RANGE(0, 100), .rare = true,
        .doc = "its radial velocity dispersion, given as Q with its own surface density; 0: toomre_q"),
    ITEM(galaxy_params, bulge_mass, KEY_NUMBER, "0.5", RANGE(0, INFINITY), .unit = "mass",
        .doc = "mass of the bulge; 0: none"),
    ITEM(galaxy_params, bulge_scale, KEY_NUMBER, "0.9", ABOVE(0, INFINITY), .unit = "length",
        .doc = "scale length of the bulge"),
    ITEM(galaxy_params, bulge_profile, KEY_CHOICE, "hernquist", .registry = &bulge_profile_registry, .rare = true,
        .doc = "density of the bulge"),
    ITEM(galaxy_params, sersic_index, KEY_NUMBER, "4", RANGE(0.6, 10), .rare = true,
        .doc = "index of bulge_profile sersic; 1: exponential, 4: de Vaucouleurs'"),
    ITEM(galaxy_params, bulge_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "the bulge's density is multiplied by sech(r / bulge_edge); 0: ten scale lengths"),
    ITEM(galaxy_params, halo_mass, KEY_NUMBER, "9", RANGE(0, INFINITY), .unit = "mass",
        .doc = "mass of the halo; 0: none"),
    ITEM(galaxy_params, halo_scale, KEY_NUMBER, "5", ABOVE(0, INFINITY), .unit = "length",
        .doc = "scale length of the halo"),
    ITEM(galaxy_params, halo_profile, KEY_CHOICE, "hernquist", .registry = &halo_profile_registry, .rare = true,
        .doc = "density of the halo"),
    ITEM(galaxy_params, halo_edge, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "the halo's density is multiplied by sech(r / halo_edge); 0: six scale lengths of hernquist, ten of "
             "the others"),
    ITEM(galaxy_params, disk_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length",
        .doc = "softening length of the disk's bodies; 0: simulation.softening"),
    ITEM(galaxy_params, bulge_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length",
        .doc = "the same for the bulge's bodies"),
    ITEM(galaxy_params, halo_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length",
        .doc = "the same for the halo's bodies"),
    ITEM(galaxy_params, gas_softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "the same for the gas's bodies"),
    ITEM(galaxy_params, disk_share, KEY_NUMBER, "0", RANGE(0, INFINITY), .rare = true,
        .doc = "share of the galaxy's bodies that the disk gets, relative to the other shares; if none is given, bodies "
             "are divided by mass, with a halo's 2.5 times as heavy as the others"),
    ITEM(galaxy_params, gas_share, KEY_NUMBER, "0", RANGE(0, INFINITY), .rare = true,
        .doc = "the same of the gas"),
    ITEM(galaxy_params, bulge_share, KEY_NUMBER, "0", RANGE(0, INFINITY), .rare = true,
        .doc = "the same of the bulge"),
    ITEM(galaxy_params, halo_share, KEY_NUMBER, "0", RANGE(0, INFINITY), .rare = true,
        .doc = "the same of the halo"),
    ITEM(galaxy_params, inclination, KEY_NUMBER, "0", RANGE(-360, 360), .unit = "degrees",
        .doc = "angle between the disk's plane and the orbit's: 0 to 90 is prograde, the disk rotates the way the other galaxy "
             "passes; 90 to 180 is retrograde, it rotates the opposite way (docs/physics.md has a sketch)"),
    ITEM(galaxy_params, node, KEY_NUMBER, "0", RANGE(-360, 360), .unit = "degrees",
        .doc = "direction of the line of intersection of the two planes"),
    ITEM(galaxy_params, argument, KEY_NUMBER, "-360", RANGE(-360, 360), .unit = "degrees", .rare = true,
        .doc = "Toomre's argument of pericentre, instead of the node: the angle along its orbit from where the companion "
             "rises through the disk's plane to the pericentre; -360: the node applies"),
    ITEM(galaxy_params, position, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "length", .rare = true,
        .doc = "initial position of the galaxy; if any galaxy has a position or a velocity, or there are more than two, "
             "the orbit of bodies.separation is not used"),
    ITEM(galaxy_params, velocity, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "velocity", .rare = true,
        .doc = "its initial velocity; positions and velocities are relative to the galaxies' centre of mass"),
    ITEM(galaxy_params, rings, KEY_U32, "5", RANGE(0, 10000), .rare = true,
        .doc = "for model rings: number of rings of test particles; 0: none"),
    ITEM(galaxy_params, ring_inner, KEY_NUMBER, "0.2", ABOVE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "radius of the innermost ring"),
    ITEM(galaxy_params, ring_outer, KEY_NUMBER, "0.6", ABOVE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "radius of the outermost ring"),
};

static const struct key body_keys[] = {
    ITEM(body_params, name, KEY_TEXT, NULL,
        .doc = "name of the body, which is a component of its own"),
    ITEM(body_params, mass, KEY_NUMBER, NULL, RANGE(0, INFINITY), .unit = "mass",
        .doc = "its mass"),
    ITEM(body_params, position, KEY_VECTOR, NULL, ANY, .unit = "length",
        .doc = "where it begins"),
    ITEM(body_params, velocity, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "velocity",
        .doc = "its velocity there"),
};

static const struct key caption_keys[] = {
    ITEM(caption_params, text, KEY_TEXT, NULL,
        .doc = "what it says; a line break begins a new line; {pericentre}, {mass_ratio} and keys such as "
             "{bodies.velocity_scale} are replaced by their values in this run"),
    ITEM(caption_params, from, KEY_MOMENT, "0", ANY,
        .doc = "the moment at which it appears"),
    ITEM(caption_params, to, KEY_MOMENT, "5", ANY,
        .doc = "the moment at which it has disappeared"),
    ITEM(caption_params, translations, KEY_TEXT, "\"\"", .rare = true, .lines = true,
        .doc = "the text in other languages, for tracks of output.captions: a line LANGUAGE: TEXT for each, such as de: Erste "
             "Begegnung; a line without a language continues the text"),
    ITEM(caption_params, when, KEY_TEXT, "\"\"", .rare = true,
        .doc = "conditions on the scene's numbers, such as bodies.pericentre <= 20, separated by commas; without all of them "
             "the caption is left out"),
};

#define CHOICE_OF_BODIES                                                                           \
    "galaxies, components or bodies: all that have a name; halos; the name of one, as camera.follow "     \
    "takes it; or a condition on the bodies' columns: id=17, name=Mars, mass > 0.2, "              \
    "mass > 1e10 Msun, with =, !=, <, <=, > or >="

static const struct key label_keys[] = {
    ITEM(label_params, of, KEY_TEXT, NULL,
        .doc = "what has the label: " CHOICE_OF_BODIES "; at most 100 in all"),
    ITEM(label_params, text, KEY_TEXT, "\"\"",
        .doc = "what it says; empty: the name of the galaxy, the component or the body"),
    ITEM(label_params, from, KEY_MOMENT, "start", ANY,
        .doc = "the moment at which it appears"),
    ITEM(label_params, to, KEY_MOMENT, "end", ANY,
        .doc = "the moment at which it has disappeared; end: it stays"),
};

static const struct key mark_keys[] = {
    ITEM(mark_params, of, KEY_TEXT, NULL,
        .doc = "what is marked: " CHOICE_OF_BODIES "; at most 100 in all"),
    ITEM(mark_params, color, KEY_COLOR, "white",
        .doc = "its colour, #rrggbb or a name of CSS; white where colours are values of look.map"),
    ITEM(mark_params, size, KEY_NUMBER, "16", ABOVE(0, 1000), .unit = "pixels",
        .doc = "diameter in a picture 1080 rows high, at any distance"),
    ITEM(mark_params, brightness, KEY_NUMBER, "0.8", RANGE(0, 1),
        .doc = "brightness in the middle, as shown in any exposure; 1: white"),
    ITEM(mark_params, trail, KEY_NUMBER, "0", RANGE(0, 600), .unit = "seconds",
        .doc = "of film for which the path behind a body stays visible, fading; at most as many bodies and frames as for "
             "look.trails; 0: none"),
};

static const struct key word_keys[] = {
    ITEM(word_params, text, KEY_TEXT, NULL,
        .doc = "a word or phrase of the overlay, such as towards, away, velocity, before, after, bodies, Gyr or Milky Way"),
    ITEM(word_params, as, KEY_TEXT, NULL,
        .doc = "what is written instead"),
};

static const struct key slow_keys[] = {
    ITEM(slow_params, at, KEY_MOMENT, NULL, ANY,
        .doc = "the moment at which time passes most slowly"),
    ITEM(slow_params, factor, KEY_NUMBER, "4", RANGE(1, 1000),
        .doc = "how many times slower time passes"),
    ITEM(slow_params, span, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "time",
        .doc = "simulated time over which the slow motion extends; 0: a tenth of the film's"),
};

static const struct key keyframe_keys[] = {
    ITEM(keyframe_params, at, KEY_MOMENT, NULL, ANY,
        .doc = "the moment of the keyframe"),
    ITEM(keyframe_params, position, KEY_VECTOR, NULL, ANY, .unit = "length",
        .doc = "where the camera is, relative to the origin or to the followed centre"),
    ITEM(keyframe_params, target, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "length",
        .doc = "the point that it looks at, relative to the same point"),
    ITEM(keyframe_params, up, KEY_VECTOR, "[0, 0, 1]", ANY,
        .doc = "the direction that is up in the picture; not parallel to the line of sight"),
    ITEM(keyframe_params, fov, KEY_NUMBER, "0", RANGE(0, 170), .unit = "degrees",
        .doc = "field of view, as camera.fov; 0: camera.fov"),
};

static const struct key move_keys[] = {
    ITEM(move_params, move, KEY_CHOICE, NULL, .registry = &move_registry,
        .doc = "the kind of motion, in addition to other moves and keyframes"),
    ITEM(move_params, from, KEY_MOMENT, "start", ANY,
        .doc = "the moment at which it begins"),
    ITEM(move_params, to, KEY_MOMENT, "end", ANY,
        .doc = "the moment at which it ends; its effect stays"),
    ITEM(move_params, turn, KEY_NUMBER, "0", ANY, .unit = "degrees",
        .doc = "for an orbit: change of azimuth"),
    ITEM(move_params, tilt, KEY_NUMBER, "0", ANY, .unit = "degrees",
        .doc = "for an orbit: change of elevation; beyond 90 degrees the camera continues over the pole, upside down"),
    ITEM(move_params, factor, KEY_NUMBER, "1", ABOVE(0, INFINITY),
        .doc = "for a zoom: magnification"),
    ITEM(move_params, shift, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "length",
        .doc = "for a pan: motion of camera and target to the right, upwards and forwards, along the camera's axes"),
    ITEM(move_params, ease, KEY_CHOICE, "smooth", .registry = &ease_registry,
        .doc = "how it begins and ends"),
};

static const struct key track_keys[TRACK_KEYS] = {
    ITEM(track_point, at, KEY_MOMENT, NULL, ANY,
        .doc = "the moment of the keyframe"),
    ITEM(track_point, value, KEY_NUMBER, NULL, ANY,
        .doc = "the value then"),
    ITEM(track_point, ease, KEY_CHOICE, "smooth", .registry = &ease_registry, .rare = true,
        .doc = "how it is reached from the keyframe before"),
};

static const struct key panel_keys[] = {
    ITEM(panel_params, title, KEY_TEXT, "\"\"",
        .doc = "text over the panel"),
    ITEM(panel_params, scene, KEY_TEXT, "\"\"", .names_file = true, .rare = true, .crosses = true,
        .doc = "shows the film of another scene, with its own bodies, units, clock, camera, look and texts: the name of a "
             "built-in scene, or a scene file, run (.gvr) or film. Size, frame rate and length are those of this film; a shorter "
             "scene holds its last moment"),
    ITEM(panel_params, snapshots, KEY_TEXT, "\"\"", .names_file = true, .rare = true, .crosses = true,
        .doc = "shows the film of a series of snapshots, like --snapshots, with the look of `scene` if it is given"),
    ITEM(panel_params, set, KEY_TEXT, "\"\"", .rare = true, .crosses = true,
        .doc = "changes to the panel's scene, like --set: \"KEY=VALUE, KEY=VALUE\". Without `scene` and `snapshots` they change "
             "this scene, of which the panel then runs its own simulation"),
    ITEM(panel_params, common_clock, KEY_FLAG, "false", .rare = true, .crosses = true,
        .doc = "time runs as fast as in the first panel: as many Myr, or units of time if neither scene has units.time_myr, in a "
             "second of the film; for scenes and snapshots, because a run keeps its own steps"),
    ITEM(panel_params, mode, KEY_CHOICE, "\"\"", .registry = &draw_mode_registry,
        .doc = "instead of look.mode"),
    ITEM(panel_params, color, KEY_CHOICE, "\"\"", .registry = &colour_registry,
        .doc = "instead of look.color"),
    ITEM(panel_params, map, KEY_CHOICE, "\"\"", .registry = &colour_map_registry,
        .doc = "instead of look.map"),
    ITEM(panel_params, follow, KEY_TEXT, "\"\"",
        .doc = "instead of camera.follow"),
    ITEM(panel_params, azimuth, KEY_NUMBER, "0", ANY, .unit = "degrees",
        .doc = "added to the camera's azimuth"),
    ITEM(panel_params, elevation, KEY_NUMBER, "0", RANGE(-180, 180), .unit = "degrees",
        .doc = "added to the camera's elevation"),
    ITEM(panel_params, zoom, KEY_NUMBER, "1", ABOVE(0, INFINITY),
        .doc = "magnification"),
    ITEM(panel_params, force, KEY_CHOICE, "\"\"", .registry = &force_registry, .crosses = true,
        .doc = "instead of simulation.force; such a panel runs its own simulation"),
    ITEM(panel_params, subset, KEY_U32, "0", RANGE(0, 16), .unit = "sources", .choices = "0 1 2 4 8 16", .crosses = true,
        .doc = "instead of simulation.subset, if not 0; such a panel runs its own simulation"),
    ITEM(panel_params, softening, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true, .crosses = true,
        .doc = "instead of simulation.softening, if not 0; such a panel runs its own simulation, of the same bodies"),
    ITEM(panel_params, softening_kernel, KEY_CHOICE, "\"\"", .registry = &softening_kernel_registry, .rare = true, .crosses = true,
        .doc = "instead of simulation.softening_kernel; such a panel runs its own simulation"),
    ITEM(panel_params, force_error, KEY_NUMBER, "0", RANGE(0, 0.01), .rare = true, .crosses = true,
        .doc = "instead of simulation.force_error, if not 0; such a panel runs its own simulation"),
    ITEM(panel_params, scene_text, KEY_TEXT, "\"\"", .rare = true, .crosses = true, .lines = true,
        .doc = "the text of the panel's own scene; the program adds it, so that the film says how to make it again"),
    ITEM(panel_params, difference, KEY_FLAG, "false",
        .doc = "colours its bodies through the map by their distance from their positions in the first panel, "
             "logarithmically: from a millionth to all of the radius that contains half of the drawn bodies at the "
             "start"),
};

const struct key scene_keys[] = {
    UNIT(length_kpc, .unit = "kpc",
        .doc = "length of one unit; 0: not known"),
    UNIT(time_myr, .unit = "Myr",
        .doc = "duration of one unit of time; 0: follows from two of the others, with G = 1"),
    UNIT(velocity_kms, .unit = "km/s",
        .doc = "size of one unit of velocity; 0: not known"),
    UNIT(mass_msun, .unit = "solar masses",
        .doc = "mass of one unit; 0: not known"),

    KEY(bodies, model, KEY_CHOICE, "galaxies", .registry = &model_registry,
        .doc = "how the bodies are made"),
    KEY(bodies, file, KEY_TEXT, "\"\"", .names_file = true,
        .doc = "table of bodies for model file; looked for beside the scene, in the current folder, then in "
             "the folders of $GRAVREEL_DATA"),
    KEY(bodies, format, KEY_CHOICE, "auto", .registry = &body_format_registry, .rare = true,
        .doc = "format of the bodies file; auto: what its content shows or else its extension"),
    KEY_NAMED("units", bodies, file_units, KEY_CHOICE, "file", .registry = &unit_system_registry, .rare = true,
        .doc = "units of the bodies file, from which it is converted to the scene's units; a scene without units adopts "
             "them; file: as stated in the file"),
    KEY(bodies, length_unit, KEY_CHOICE, "file", .registry = &unit_of_length_registry,
        .doc = "unit of the positions of a bodies file that states no units, instead of bodies.units; masses are solar "
             "masses, and velocities those for which G = 1; file: as stated in the file"),
    KEY(bodies, count, KEY_U64, "16384", RANGE(0, 100000000), .unit = "bodies",
        .doc = "number of bodies; with model file or snapshots 0, the default there, takes all of the file"),
    KEY(bodies, seed, KEY_U64, "1", WHOLE,
        .doc = "seed of the random numbers; the same seed gives the same bodies, and the same background stars"),
    KEY(bodies, noisy, KEY_FLAG, "false", .rare = true,
        .doc = "for model galaxies: bodies are independent; otherwise the start is quiet: bodies in opposite pairs, at "
             "radii that cover the mass evenly"),
    KEY(bodies, use, KEY_TEXT, "all",
        .doc = "components to keep, separated by commas, each NAME or GALAXY/NAME"),
    KEY(bodies, position_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY),
        .doc = "factor on all positions"),
    KEY(bodies, velocity_scale, KEY_NUMBER, "1", ANY,
        .doc = "factor on all velocities; negative runs the motion backwards"),
    KEY(bodies, mass_scale, KEY_NUMBER, "1", ABOVE(0, INFINITY),
        .doc = "factor on all masses"),
    KEY(bodies, frame, KEY_CHOICE, "physical", .registry = &space_frame_registry, .rare = true,
        .doc = "frame of positions and velocities in an expanding universe; for models file and snapshots"),
    KEY(bodies, box, KEY_VECTOR, "[0, 0, 0]", RANGE(0, INFINITY), .unit = "length", .rare = true,
        .doc = "edges of the periodic box, comoving in an expanding universe; for models file and snapshots; 0: as the file "
             "states"),
    LIST(bodies, components, component_keys, 256, "[{name: disk, first: 1, last: 1000}]",
        .doc = "for model file: components as ranges of rows; none: the file's own components, or one"),
    KEY(bodies, by_id, KEY_FLAG, "false", .rare = true,
        .doc = "for model file: the first and last of the components are ids of the file's bodies instead of rows"),
    KEY(bodies, detect, KEY_U32, "0", RANGE(0, 16), .unit = "galaxies", .rare = true,
        .doc = "for model file: number of galaxies to find by friends of friends; each component becomes one per galaxy; "
             "0: none"),
    LIST(bodies, galaxies, galaxy_keys, 8, "[{name: Large}, {name: Small, disk_mass: 0.3}]",
        .doc = "for model galaxies: one, two on an orbit, or up to eight with positions of their own; none: two, the "
             "second inclined by 60 degrees"),
    LIST(bodies, list, body_keys, 64, "[{name: sun, mass: 1, position: [0, 0, 0]}]", .rare = true,
        .doc = "for model list: the bodies themselves"),
    KEY(bodies, virial_ratio, KEY_NUMBER, "0", RANGE(0, 100), .rare = true,
        .doc = "twice the kinetic over the potential energy at the start, for the models of a single cloud (plummer, "
             "hernquist, nfw, king, uniform, cube, shell); 0: the model's own"),
    KEY(bodies, concentration, KEY_NUMBER, "10", RANGE(1, 100), .rare = true,
        .doc = "virial radius of the model nfw in scale radii"),
    KEY(bodies, king_w0, KEY_NUMBER, "6", RANGE(0.5, 12), .rare = true,
        .doc = "depth of the potential at the centre of the model king, in units of the square of its velocity "
             "parameter"),
    KEY(bodies, separation, KEY_NUMBER, "20", ABOVE(0, INFINITY), .unit = "length",
        .doc = "distance of the two galaxies at the start"),
    KEY(bodies, pericentre, KEY_NUMBER, "2", RANGE(0, INFINITY), .unit = "length",
        .doc = "closest distance that their orbit would reach if they were points; 0: head-on"),
    KEY(bodies, eccentricity, KEY_NUMBER, "1", RANGE(0, 100),
        .doc = "eccentricity of that orbit; 1: parabolic"),
    KEY(bodies, orbit_energy, KEY_NUMBER, "0", ANY, .unit = "velocity^2", .rare = true,
        .doc = "energy of that orbit per reduced mass, v^2 / 2 - M / r with the mass M of both, instead of its "
             "eccentricity; below 0: bound; 0: the eccentricity applies"),
    KEY(bodies, pericentre_time, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "time", .rare = true,
        .doc = "time at which the galaxies, as extended masses, first reach bodies.pericentre; replaces "
             "bodies.eccentricity, which is for points; 0: bodies.eccentricity applies"),

    KEY(simulation, dt, KEY_NUMBER, "0.01", ABOVE(0, INFINITY), .unit = "time",
        .doc = "length of one step"),
    KEY(simulation, softening, KEY_NUMBER, "0.05", ABOVE(0, INFINITY), .unit = "length",
        .doc = "softening length of the bodies that have none of their own"),
    KEY(simulation, softening_kernel, KEY_CHOICE, "plummer", .registry = &softening_kernel_registry, .rare = true,
        .doc = "softening of the force between close bodies, for every force but tree-exact"),
    KEY(simulation, steps_per_frame, KEY_U32, "4", RANGE(1, 100000), .unit = "steps",
        .doc = "steps from one frame to the next"),
    KEY(simulation, force, KEY_CHOICE, "auto", .registry = &force_registry,
        .doc = "arithmetic of the forces"),
    KEY(simulation, force_error, KEY_NUMBER, TEXT_OF(FORCE_ERROR_DEFAULT), RANGE(1e-5, 1e-2), .rare = true,
        .doc = "relative RMS error of the accelerations that a tree may have; other forces only have the error of their "
             "arithmetic"),
    KEY(simulation, integrator, KEY_CHOICE, "kdk", .registry = &integrator_registry,
        .doc = "how a step is made"),
    KEY(simulation, damping, KEY_NUMBER, "1", ABOVE(0, 1),
        .doc = "factor on all velocities per step of the integrator euler; 1: none"),
    KEY(simulation, adaptive, KEY_NUMBER, "0", RANGE(0, 1),
        .doc = "0: every step is dt; otherwise a frame is divided into steps of at most this times "
             "sqrt(softening / largest acceleration), or, for kdk with the force tree, each body's own "
             "steps by its own acceleration; 0.05 is a careful choice"),
    KEY(simulation, double_steps, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length",
        .doc = "for kdk with the force tree: bodies of at least this softening, such as those of haloes, make steps "
             "of twice the length; 0: none do"),
    KEY(simulation, long_steps, KEY_U32, "0", RANGE(0, 64), .unit = "steps", .rare = true,
        .doc = "with double_steps on the CPU: these bodies pull and are pulled only at the ends of at most so many "
             "steps, while the others pull each other at every step; 0: as double_steps says"),
    KEY(simulation, subset, KEY_U32, "1", RANGE(1, 16), .unit = "sources", .choices = "1 2 4 8 16",
        .doc = "for previews: each force evaluation uses every 2nd, 4th, 8th or 16th source in turn, "
             "its mass multiplied accordingly; 1: all"),
    KEY(simulation, diagnostics_every, KEY_U32, "0", RANGE(0, 1000000), .unit = "frames", .crosses = true,
        .doc = "interval at which energies, momenta and half-mass radii are written to "
             "FILM.diagnostics.csv; 0: never"),
    LIST(simulation, slow, slow_keys, 16, "[{at: pericentre, factor: 4}]", .clock = true,
        .doc = "moments of the film that are shown in slow motion"),
    KEY(simulation, freeze_at, KEY_MOMENT, "end", ANY, .rare = true, .clock = true,
        .doc = "moment of the film from which simulated time stands still while the camera continues; end: never"),

    KEY(camera, target, KEY_VECTOR, "[0, 0, 0]", ANY, .unit = "length",
        .doc = "point that the camera looks at and orbits, relative to the origin or to the followed centre"),
    KEY(camera, follow, KEY_TEXT, "\"\"",
        .doc = "centre that the target moves with: mass (the drawn bodies' centre of mass), densest (the densest galaxy's "
             "core), the core of a GALAXY or GALAXY/COMPONENT by its name, body N for the body with the id N or, if the bodies have "
             "no ids, for the N-th of all bodies, halo N or group N of look.halos, or A+B for the midpoint of two of these; empty: nothing"),
    KEY(camera, align, KEY_TEXT, "\"\"", .rare = true,
        .doc = "whose angular momentum is up for the camera: the GALAXY, the GALAXY/COMPONENT, mass (all drawn bodies) or A+B, "
             "as camera.follow names them. Elevation, azimuth, orbit, keyframes and moves are then relative to its plane, in "
             "every frame: elevation 90 sees a disk face-on, 0 edge-on; empty: the z axis"),
    KEY(camera, align_time, KEY_NUMBER, "0", RANGE(0, 600), .unit = "seconds", .rare = true,
        .doc = "time over which the direction of camera.align is averaged, from a pilot run; 0: each frame has its own direction"),
    KEY(camera, frame, KEY_CHOICE, "fixed", .registry = &framing_registry,
        .doc = "how the distance of the camera is chosen"),
    KEY(camera, fraction, KEY_NUMBER, "0.9", ABOVE(0, 1),
        .doc = "part of the drawn light that frame auto keeps in the picture once galaxies have merged, or if none are "
             "named"),
    KEY(camera, distance, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .keyed = KEYED_ABOVE_0,
        .doc = "distance from the target; 0: so that the drawn bodies fit at the start"),
    KEY(camera, azimuth, KEY_NUMBER, "0", ANY, .unit = "degrees", .keyed = KEYED,
        .doc = "direction of the camera around the z axis at the start"),
    KEY(camera, elevation, KEY_NUMBER, "35", RANGE(-90, 90), .unit = "degrees", .keyed = KEYED,
        .doc = "height of the camera above the x-y plane"),
    KEY(camera, orbit, KEY_NUMBER, "60", ANY, .unit = "degrees", .keyed = KEYED,
        .doc = "azimuth turned over the whole film; with keyframes: since the start"),
    KEY(camera, zoom, KEY_NUMBER, "1", ABOVE(0, INFINITY), .keyed = KEYED,
        .doc = "the distance at the film's end is distance / zoom; with keyframes: at each moment"),
    KEY(camera, fov, KEY_NUMBER, "40", RANGE(0.01, 170), .unit = "degrees", .keyed = KEYED,
        .doc = "vertical field of view, or the horizontal one in a picture higher than wide"),
    KEY(camera, projection, KEY_CHOICE, "flat", .registry = &projection_registry,
        .doc = "how the scene is projected into the picture"),
    KEY(camera, eye_distance, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .keyed = KEYED_ABOVE_0,
        .doc = "distance of the eyes of a stereo pair; 0: a thirtieth of the distance to the target"),
    KEY(camera, dome_field, KEY_NUMBER, "180", RANGE(180, 220), .unit = "degrees", .rare = true,
        .doc = "field of view of a dome: what its circle spans"),
    KEY(camera, dome_tilt, KEY_NUMBER, "0", RANGE(0, 60), .unit = "degrees", .rare = true,
        .doc = "how far the dome leans forwards; 0: its rim is level"),
    KEY(camera, dome_height, KEY_NUMBER, "40", RANGE(-30, 90), .unit = "degrees", .rare = true, .keyed = KEYED,
        .doc = "how high above the horizon of the audience the camera's target stands in a dome, at the front"),
    LIST(camera, keyframes, keyframe_keys, 256, "[{at: start, position: [80, 0, 30]}, {at: end, position: [0, -20, 60]}]",
        .doc = "places that the camera passes on a smooth path, instead of distance, azimuth, "
             "elevation, orbit and zoom; in the order of their moments; it does not move before "
             "the first and after the last"),
    LIST(camera, moves, move_keys, 256, "[{move: orbit, turn: 120}]",
        .doc = "orbits, zooms and pans between two moments, also in addition to keyframes; each acts on the result of "
             "those before it in the list"),

    KEY(look, preset, KEY_CHOICE, "none", .registry = &preset_registry, .rare = true,
        .doc = "a named look, which sets keys: those that the scene leaves out or, if given on the command line, all that "
             "no other option sets, except look.color and look.map. The scene in a film has these keys instead"),
    KEY(look, mode, KEY_CHOICE, "sprites", .registry = &draw_mode_registry,
        .doc = "how a body is drawn"),
    KEY(look, color, KEY_CHOICE, "velocity", .registry = &colour_registry,
        .doc = "how bodies are coloured"),
    KEY(look, colors, KEY_TINTS, "\"\"", .rare = true,
        .doc = "colours of galaxies, in the mode galaxy, and of components, in the modes component and stars, as "
             "NAME=COLOUR, separated by commas; GALAXY/COMPONENT=COLOUR takes precedence. A colour is #rrggbb or a name "
             "of CSS, and is not affected by look.saturation"),
    KEY(look, palette, KEY_CHOICE, "four", .registry = &palette_registry, .rare = true,
        .doc = "colours of galaxies, and of components in the mode component, in their order, unless look.colors sets "
             "them; the first colour is used for any more"),
    KEY(look, map, KEY_CHOICE, "plasma", .registry = &colour_map_registry,
        .doc = "colours for speed, temperature, acceleration, density, quantity and activity"),
    KEY(look, plain, KEY_VECTOR, "[1, 0.7, 0.4]", RANGE(0, 1),
        .doc = "the one colour of the mode sprites-plain: red, green, blue"),
    KEY(look, point_size, KEY_NUMBER, "0", RANGE(0, 2000), .unit = "pixels", .keyed = KEYED_ABOVE_0,
        .doc = "diameter of a sprite at the target's distance, or side of a point, in a picture 1080 rows "
             "high, or 1080 columns wide if higher than wide; 0: 6 of sprites, 3 of points"),
    KEY(look, size, KEY_CHOICE, "auto", .registry = &sprite_sizing_registry,
        .doc = "how large a sprite is"),
    KEY(look, radius, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .keyed = KEYED_ABOVE_0,
        .doc = "radius of a sprite in the scene's unit, at any distance; 0, and always for points: "
             "look.point_size decides"),
    KEY(look, smallest, KEY_NUMBER, "3", RANGE(1, 64), .unit = "pixels", .keyed = KEYED,
        .doc = "smallest diameter of a sprite, below which it is dimmed instead of shrunk; twice that with the profile "
             "plummer"),
    KEY(look, stars, KEY_U32, "auto", RANGE(1, 256), .unit = "stars",
        .doc = "per body, if sprites are of adaptive size: sharp points of various brightnesses that move with the body, "
             "scattered over the space around it; auto: 8, fewer if more than 250,000 bodies are drawn"),
    KEY(look, resolved, KEY_NUMBER, "0.55", RANGE(0, 1), .keyed = KEYED,
        .doc = "share of a body's light that comes from its stars; the rest is continuous, with 0 all of it"),
    KEY(look, profile, KEY_CHOICE, "soft", .registry = &sprite_profile_registry,
        .doc = "how a sprite fades from its centre to its edge; all profiles have the same total light"),
    KEY(look, weight, KEY_CHOICE, "component", .registry = &light_weight_registry,
        .doc = "what determines a body's light"),
    KEY(look, tone, KEY_CHOICE, "log", .registry = &tone_registry,
        .doc = "curve from light to display values"),
    KEY(look, exposure, KEY_EXPOSURE, "auto", ANY, .registry = &metering_registry, .keyed = KEYED_ABOVE_0,
        .doc = "factor on all light: a number, or how it is found"),
    KEY(look, speed, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "velocity", .keyed = KEYED_ABOVE_0,
        .doc = "speed with full colour; 0: set once from the bodies at the start"),
    KEY(look, acceleration, KEY_NUMBER, "0", RANGE(0, INFINITY), .keyed = KEYED_ABOVE_0,
        .doc = "acceleration with full colour; 0: set once from the bodies at the start"),
    KEY(look, quantity, KEY_TEXT, "\"\"", .rare = true,
        .doc = "for the colour quantity: the name of a column of the bodies, as listed by `gravreel info` for a file or a "
             "scene (galaxies of a scene have birth_radius and age); its values at the start colour the bodies over "
             "the whole film; in a film of snapshots those of each moment, interpolated linearly"),
    KEY(look, quantity_scale, KEY_CHOICE, "linear", .registry = &quantity_scale_registry, .rare = true,
        .doc = "how its values are mapped to look.map; bodies without a value, and on the scale log those with 0 or less, "
             "are grey"),
    KEY(look, quantity_from, KEY_NUMBER, "0", ANY, .rare = true, .keyed = KEYED_LEAST,
        .doc = "its value where look.map begins, in the file's unit; if quantity_from equals quantity_to, the map spans "
             "the 1st to the 99th percentile of the drawn bodies at the start, in a film of snapshots those of 16 "
             "snapshots"),
    KEY(look, quantity_to, KEY_NUMBER, "0", ANY, .rare = true, .keyed = KEYED,
        .doc = "its value where look.map ends"),
    KEY(look, saturation, KEY_NUMBER, "1", RANGE(0, 1), .keyed = KEYED,
        .doc = "0 grey to 1 full colour"),
    KEY(look, bloom, KEY_NUMBER, "0", RANGE(0, 1), .keyed = KEYED,
        .doc = "share of the light that glows around its source; 0: none"),
    KEY(look, glow, KEY_NUMBER, "0.15", RANGE(0, 1), .keyed = KEYED,
        .doc = "share of the light that is spread as by a lens: round, brightest at its source, falling off as the "
             "inverse cube of the distance; 0: none"),
    KEY(look, optics, KEY_CHOICE, "lens", .registry = &optics_registry, .rare = true,
        .doc = "the optics of the camera: sizes of stars (look.stars) and of the glow (look.glow)"),
    KEY(look, spikes, KEY_NUMBER, "0", RANGE(0, 1), .rare = true, .keyed = KEYED,
        .doc = "share of the light that is spread in straight arms, as by the vanes of a telescope; 0: none"),
    KEY(look, spike_arms, KEY_CHOICE, "four", .registry = &spike_arms_registry, .rare = true,
        .doc = "number and directions of the arms"),
    KEY(look, slab, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "length", .rare = true, .keyed = KEYED_ABOVE_0,
        .doc = "thickness of a slab outside of which no body is drawn; a body is drawn whole if its place is within it; 0: all are"),
    KEY(look, slab_at, KEY_NUMBER, "0", ANY, .unit = "length", .rare = true, .keyed = KEYED,
        .doc = "distance of the slab's middle from the camera's target along its axis, in view positive towards the camera"),
    KEY(look, slab_axis, KEY_CHOICE, "view", .registry = &slab_axis_registry, .rare = true,
        .doc = "the direction across the slab"),
    KEY(look, copies, KEY_U32, "0", RANGE(0, 8), .unit = "boxes", .rare = true,
        .doc = "number of copies of a periodic box on each side, so that no edge is seen where the camera sees beyond the box. Only "
             "copies within the picture and the slab take time. The box is that of bodies.box or the file"),
    KEY(look, dust, KEY_NUMBER, "0", RANGE(0, 1000), .rare = true, .keyed = KEYED,
        .doc = "dust in the components whose names contain gas or dust, which dims and reddens the light behind it; 1: as "
             "much as in an ordinary spiral, 0: none, as in the mode activity"),
    KEY(look, background, KEY_COLOR, "black", .rare = true,
        .doc = "colour behind the bodies, #rrggbb or a name of CSS; their light is added to it; a light colour gives a "
             "page that bodies darken, as in print, with dark letters"),
    KEY(look, halos, KEY_TEXT, "\"\"", .rare = true, .names_file = true,
        .doc = "catalogues of haloes by Rockstar, AHF or SUBFIND, a pattern with one file for each snapshot, for "
               "overlay.labels, look.marks and camera.follow"),
    KEY(look, background_stars, KEY_U32, "0", RANGE(0, 40000), .unit = "stars", .rare = true,
        .doc = "faint stars infinitely far behind the bodies, over the whole sky, with the brightnesses and colours of "
             "the real sky but at random places, by bodies.seed; a larger number adds fainter stars; 0: none, as in the "
             "mode activity"),
    KEY(look, background_galaxies, KEY_U32, "0", RANGE(0, 20000), .unit = "galaxies", .rare = true,
        .doc = "galaxies infinitely far behind the bodies, over the whole sky, at random places by bodies.seed: a few large ones "
             "and many small ones, seen from random sides; a larger number adds smaller ones; 0: none, as in the mode activity"),
    KEY(look, background_light, KEY_NUMBER, "1", RANGE(0, 100), .rare = true, .keyed = KEYED,
        .doc = "factor on the light of the background stars and galaxies, which does not depend on look.exposure"),
    KEY(look, fade_in, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "seconds", .rare = true,
        .doc = "length of the fade from black at the film's first frame, overlay included; stills and sheets leave it out "
             "unless --as-film is given"),
    KEY(look, fade_out, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "seconds", .rare = true,
        .doc = "length of the fade to black, which ends at the last frame"),
    KEY(look, samples, KEY_U32, "1", RANGE(1, 64),
        .doc = "positions within each pixel over which the picture is averaged, against jagged edges"),
    KEY(look, shutter, KEY_NUMBER, "0.5", RANGE(0, 1), .keyed = KEYED,
        .doc = "part of the time between frames for which the shutter is open (0.5: a film camera's, 180 degrees); 0: no "
             "motion blur. Light is drawn along each body's path in the picture, including the camera's own motion, and "
             "stars (look.stars) stay points; with look.samples 8 or more the picture is the mean of as many moments"),
    KEY(look, trails, KEY_NUMBER, "0", RANGE(0, 600), .unit = "seconds",
        .doc = "of film for which the path behind each body stays visible, fading, in the colours that the body had "
             "there; at most 1,048,576 bodies times frames, and 16,384 bodies; 0: none"),
    KEY(look, cells, KEY_U32, "256", RANGE(8, 4096), .unit = "cells",
        .doc = "for the mode activity: cells along the shorter side of the picture, none smaller than a pixel"),
    LIST(look, panels, panel_keys, 4, "[{title: Velocity}, {title: Speed, color: speed}]",
        .doc = "two to four pictures next to each other, of the same bodies or of different scenes"),
    LIST(look, marks, mark_keys, 64, "[{of: id=17, color: red}]", .rare = true,
        .doc = "bodies that are seen as spots of a colour, size and brightness of their own, over all other light that is "
             "darker, except in the mode activity"),

    KEY(overlay, title, KEY_FLAG, "false",
        .doc = "shows output.title, shortened if the picture is too narrow for it"),
    KEY(overlay, clock, KEY_FLAG, "false",
        .doc = "shows the simulated time, in Myr or Gyr if units.time_myr is given"),
    KEY(overlay, clock_as, KEY_CHOICE, "time", .registry = &clock_scale_registry, .rare = true,
        .doc = "what the clock shows; all but time need bodies of an expanding universe"),
    KEY(overlay, clock_from, KEY_MOMENT, "start", ANY, .rare = true,
        .doc = "the moment at which the clock shows 0, such as pericentre; earlier times are negative"),
    KEY(overlay, clock_event, KEY_TEXT, "\"\"", .rare = true,
        .doc = "name of that moment, such as first passage: the clock says how long before or after it the picture is, where "
             "there is room"),
    KEY(overlay, scale_bar, KEY_FLAG, "false",
        .doc = "shows a length at the target's distance, in parsecs or light years if units.length_kpc is given"),
    KEY(overlay, bodies, KEY_FLAG, "false",
        .doc = "shows the number of bodies"),
    KEY(overlay, frame, KEY_FLAG, "false",
        .doc = "shows the number of the frame, counted from 0"),
    KEY(overlay, legend, KEY_FLAG, "false",
        .doc = "shows what the colours mean, in km/s if units.velocity_kms is given; in the lower left corner or, without "
             "panels, if the film has light there, in the darkest one; fades out while bodies are there; appears after a "
             "title card that it would overlap; left out of pictures that are too small"),
    KEY(overlay, energy, KEY_FLAG, "false",
        .doc = "shows a small graph of the kinetic, potential and total energy so far, in a dark corner; costs at most "
             "200 more evaluations of the potential per film"),
    KEY(overlay, length_unit, KEY_CHOICE, "kpc", .registry = &length_unit_registry,
        .doc = "unit of the scale bar; with bodies.frame comoving the bar is marked as comoving: 10 cMpc"),
    KEY(overlay, size, KEY_NUMBER, "36", ABOVE(0, 200), .unit = "pixels", .keyed = KEYED,
        .doc = "size of the letters in a picture whose shorter side is 1080; never drawn smaller than 9; the default can be read "
             "on a phone"),
    KEY(overlay, transparency, KEY_NUMBER, "0", RANGE(0, 1), .rare = true, .keyed = KEYED,
        .doc = "of everything that the overlay shows; 0: full opacity, 1: invisible"),
    KEY(overlay, label_transparency, KEY_NUMBER, "0", RANGE(0, 1), .rare = true, .keyed = KEYED,
        .doc = "of labels, in addition"),
    KEY(overlay, font, KEY_TEXT, "DejaVu Sans",
        .doc = "family of the letters, as fontconfig names it"),
    KEY(overlay, weights, KEY_FLAG, "false", .rare = true,
        .doc = "titles are bolder than labels, labels than text, and all digits are equally wide, as far as the font has "
             "such weights and digits"),
    LIST(overlay, captions, caption_keys, 256, "[{text: First passage, from: 2, to: 5}]",
        .doc = "texts that appear and disappear; if two overlap in time, the later in the list is shown"),
    LIST(overlay, labels, label_keys, 64, "[{of: galaxies}]", .rare = true,
        .doc = "names that follow galaxies, components and bodies; a name fades while its thing leaves the picture, is "
             "smaller than the letters or merges with another that has a name, and while it would cover an earlier name"),
    LIST(overlay, words, word_keys, 256, "[{text: towards, as: zu uns}, {text: away, as: von uns}]", .rare = true,
        .doc = "the overlay's words in another language: legend, clock, units, numbers and names; whole words, the longest "
             "first"),
    KEY(overlay, language, KEY_TEXT, "en", .rare = true,
        .doc = "language of the captions' texts, of two or three letters as in ISO 639, for tracks of output.captions"),
    KEY(overlay, fade, KEY_NUMBER, "0.7", RANGE(0, INFINITY), .unit = "seconds",
        .doc = "length of the fade-in and fade-out of a caption and the title card"),
    KEY(overlay, readable, KEY_FLAG, "true", .rare = true,
        .doc = "captions stay for 1.5 s and 0.06 s a letter at least: they end later than `to` if there is time, and are left "
             "out if not"),
    KEY(overlay, wrap, KEY_FLAG, "false", .rare = true,
        .doc = "captions that are too wide are wrapped instead of shortened"),
    KEY(overlay, card, KEY_NUMBER, "0", RANGE(0, INFINITY), .unit = "seconds", .rare = true,
        .doc = "how long a title card is shown from the film's start on: output.title large in the lower third, with "
             "overlay.subtitle below it, or in the middle with card_covers; 0: none"),
    KEY(overlay, subtitle, KEY_TEXT, "\"\"", .rare = true, .lines = true,
        .doc = "text of the title card below the title; a line break begins a new line (\\n on the command line)"),
    KEY(overlay, card_covers, KEY_FLAG, "false", .rare = true,
        .doc = "the title card covers the film with look.background, and the film appears as the card fades; captions and "
             "the simulated time continue"),

    KEY(output, size, KEY_SIZE, "1280x720", RANGE(16, 16384), .unit = "pixels",
        .doc = "width x height, or 720p, 1080p, 1440p, 2160p, 4k, 8k, 16:9 or landscape (1920x1080), 9:16, vertical or "
             "portrait (1080x1920), 4:5 (1080x1350), 1:1 or square (1080x1080)"),
    KEY(output, fps, KEY_RATE, "30", RANGE(1, 1000), .unit = "frames/s", .crosses = true, .clock = true,
        .doc = "frame rate: 25, 29.97 (means 30000/1001) or a fraction"),
    KEY(output, frames, KEY_U64, "300", RANGE(1, 10000000), .unit = "frames", .crosses = true, .clock = true,
        .doc = "number of frames of the film"),
    KEY(output, codec, KEY_CHOICE, "auto", .registry = &codec_registry,
        .doc = "how the film is encoded; auto: the usual codec of the output's extension, encoded by the GPU if the "
             "simulation runs on one that can"),
    KEY(output, crf, KEY_NUMBER, "-1", RANGE(-1, 63),
        .doc = "quality of the encoder, lower is better; negative: the codec's default"),
    KEY(output, preset, KEY_TEXT, "\"\"",
        .doc = "speed of the encoder; empty: the codec's default"),
    KEY(output, codec_options, KEY_TEXT, "\"\"",
        .doc = "options of the encoder, or of the library behind it, as KEY=VALUE, separated by colons: those of "
             "encoder-options.md, which name no files"),
    KEY(output, bits, KEY_U32, "0", RANGE(0, 10), .unit = "bits", .choices = "0 8 10",
        .doc = "bits per sample of a film; 0: the codec's usual"),
    KEY(output, chroma, KEY_CHOICE, "auto", .registry = &chroma_registry,
        .doc = "chroma subsampling of a film; auto: the codec's usual"),
    KEY(output, pad, KEY_FLAG, "false",
        .doc = "adds a black row or column to odd sizes if the codec needs even ones"),
    KEY(output, deterministic, KEY_FLAG, "true",
        .doc = "the encoder gives the same bytes on every processor of one architecture, two or "
             "three percent slower with h264; does not apply to the encoder of a GPU"),
    KEY(output, segment, KEY_U32, "auto", RANGE(1, 100000), .unit = "frames",
        .doc = "length of the segments in which a film is written; a run that is killed loses at most those in progress; "
             "auto: a second of the film, but at least 12 frames and at most 2000 segments"),
    KEY(output, threads, KEY_U32, "8", RANGE(1, 64), .unit = "threads",
        .doc = "encoder threads: fixed, because decoded pixels depend on their number"),
    KEY(output, start_number, KEY_U32, "0", RANGE(0, 100000000), .rare = true,
        .doc = "number in the name of frame 0 in a sequence of pictures; editors often begin with 1001"),
    KEY(output, png_bits, KEY_U32, "8", RANGE(8, 16), .unit = "bits", .choices = "8 16",
        .doc = "bits per sample of PNG, TIFF and JPEG XL pictures"),
    KEY(output, exr_bits, KEY_U32, "16", RANGE(16, 32), .unit = "bits", .choices = "16 32",
        .doc = "bits per sample of EXR pictures: half or 32-bit floats"),
    KEY(output, png_level, KEY_U32, "3", RANGE(0, 9),
        .doc = "compression of PNG and TIFF pictures: 0 none, 1 to 5 fast, 6 to 9 smallest and several times slower"),
    KEY(output, audio, KEY_TEXT, "\"\"", .rare = true, .names_file = true,
        .doc = "audio file that is copied into mp4, mov, mkv or webm, from its start, cut to the film's length"),
    KEY(output, timecode, KEY_TEXT, "\"\"", .rare = true,
        .doc = "timecode of frame 0 in mp4 and mov, as 01:00:00:00, or 01:00:00;00 with dropped frames at 29.97 and 59.94 "
             "frames per second; a range of the film has the timecode of its first frame"),
    KEY(output, captions, KEY_CHOICE, "burn", .registry = &caption_use_registry, .rare = true,
        .doc = "how the film has its captions"),
    KEY(output, alpha, KEY_CHOICE, "none", .registry = &alpha_registry, .rare = true,
        .doc = "transparency of dark areas, in PNG and TIFF pictures, WebP, WebM, ProRes and FFV1"),
    KEY(output, hdr, KEY_CHOICE, "none", .registry = &hdr_registry, .rare = true,
        .doc = "high dynamic range of a film: 10 bits in BT.2020, white at 203 cd/m^2, cores up to 1000; by hevc unless "
             "output.codec is set. Stills, sheets and PNG pictures are ordinary ones, with a warning"),
    KEY(output, loop, KEY_FLAG, "false", .rare = true,
        .doc = "the film will be played in a loop: the camera's motion over the whole film ends one frame after the last, "
             "which is the first again"),
    KEY(output, title, KEY_TEXT, "\"\"",
        .doc = "title in the film's metadata, and for overlay.title"),

    KEY(expect, energy_drift, KEY_NUMBER, "0", WHOLE,
        .doc = "change of the energy, relative to the start's"),
    KEY(expect, momentum_drift, KEY_NUMBER, "0", WHOLE,
        .doc = "change of the momentum, relative to that of all bodies moving the same way at their RMS speed"),
    KEY(expect, angular_momentum_drift, KEY_NUMBER, "0", WHOLE,
        .doc = "change of the angular momentum about the origin, relative to the start's, or to that of all bodies "
             "circling at their RMS speed and gravitational radius if that is larger"),
    KEY(expect, centre_drift, KEY_NUMBER, "0", WHOLE, .unit = "length",
        .doc = "distance of the centre of mass from its position by uniform motion"),
    KEY(expect, virial_min, KEY_NUMBER, "0", WHOLE,
        .doc = "smallest virial ratio, twice the kinetic over the potential energy, which is 1 in equilibrium"),
    KEY(expect, virial_max, KEY_NUMBER, "0", WHOLE,
        .doc = "largest virial ratio"),
};
/* clang-format on */

const size_t scene_key_count = sizeof scene_keys / sizeof *scene_keys;
_Static_assert(sizeof scene_keys / sizeof *scene_keys <= KEYS_MAX, "raise KEYS_MAX");
_Static_assert(sizeof panel_keys / sizeof *panel_keys <= LIST_KEYS_MAX, "raise LIST_KEYS_MAX");
_Static_assert(sizeof galaxy_keys / sizeof *galaxy_keys <= LIST_KEYS_MAX, "raise LIST_KEYS_MAX");

#define SECTION(name, half, doc)                                                                   \
    {                                                                                              \
#name, doc, half, false                                                                    \
    }

const struct key_section scene_sections[SECTION_COUNT] = {
    SECTION(units, HALF_MOTION, "How long the scene's own units are, for labels and files. G = 1 inside."),
    SECTION(bodies, HALF_MOTION, "The bodies at the start, in the scene's own units."),
    SECTION(simulation, HALF_MOTION, "How the bodies move."),
    SECTION(camera, HALF_LOOK, "Where the picture is taken from."),
    SECTION(look, HALF_LOOK, "How the bodies are drawn."),
    SECTION(overlay, HALF_LOOK, "Text and graphs over the picture. All of it is off by default."),
    SECTION(output, HALF_LOOK, "The film or the pictures that are written."),
    {"expect",
     "Limits on the physics. A run that exceeds one reports it and exits with 3, its film "
     "complete; "
     "`gravreel check` judges every frame. 0: no limit.",
     HALF_LOOK, true},
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

void key_path(const struct key *key, char out[KEY_PATH])
{
    snprintf(out, KEY_PATH, "%s.%s", key->section, key->name);
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

enum scene_half key_half(const struct key *key, const struct key *item)
{
    const int section = key_section_find(key->section, strlen(key->section));
    const bool other = key->crosses != (item && item->crosses);
    return (scene_sections[section].half == HALF_MOTION) != other ? HALF_MOTION : HALF_LOOK;
}

enum scene_half key_path_half(const char *path)
{
    char name[128];
    const size_t length = strcspn(path, "[");
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    const struct key *key = key_path_find(name);
    if (!key)
        return HALF_LOOK;
    const char *dot = strchr(path + length, '.');
    const int item = dot ? key_list_find(key_list_of(key), dot + 1) : -1;
    return key_half(key, item < 0 ? NULL : &key_list_of(key)->keys[item]);
}

const char *half_name(enum scene_half half)
{
    return half == HALF_MOTION ? "motion" : "look";
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

static const struct key_list track_list = {.keys = track_keys,
                                           .key_count = TRACK_KEYS,
                                           .item_size = sizeof(struct track_point),
                                           .item_max = TRACK_MAX,
                                           .example = "[{at: start, value: 1}, {at: end, value: 2}]"};

bool key_track(const struct key *key, struct key_track *out)
{
    if (key->keyed == KEYED_NOT)
        return false;
    const size_t at = offsetof(struct scene, tracks) +
                      (size_t)(key - scene_keys) * sizeof(struct track);
    *out = (struct key_track){.key = *key, .list = track_list};
    memcpy(out->items, track_keys, sizeof out->items);
    out->list.keys = out->items;
    out->list.count_offset = at + offsetof(struct track, count);
    out->key.list = &out->list;
    out->key.type = KEY_LIST;
    out->key.keyed = KEYED_NOT;
    out->key.offset = at + offsetof(struct track, points);
    struct key *value = &out->items[1];
    value->min = key->min;
    value->max = key->max;
    value->above = key->above;
    if (key->keyed == KEYED_ABOVE_0) {
        value->min = 0;
        value->above = true;
    }
    return true;
}

struct track *key_track_of(const struct key *key, const struct scene *scene)
{
    return key->keyed == KEYED_NOT ? NULL : (struct track *)&scene->tracks[key - scene_keys];
}

const struct key_list *key_list_of(const struct key *key)
{
    return key->keyed == KEYED_NOT ? key->list : &track_list;
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
