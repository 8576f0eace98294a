#include "cmd/film/start/propose.h"

#include "base/file.h"
#include "base/functions/fn.h"
#include "base/log.h"
#include "cmd/film/start/quantity.h"
#include "render/overlay/number_text.h"
#include "render/picture/picture.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/models/models.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct bodies_model model_file;

/* Rounded down to this many significant digits. */
static double rounded(double value, int digits)
{
    const double unit = fn_pow(10, floor(fn_log10(value)) - digits + 1);
    char text[32];
    snprintf(text, sizeof text, "%.12g", floor(value / unit * (1 + 1e-12)) * unit);
    sscanf(text, "%lf", &value);
    return value;
}

static bool says_where_the_camera_is(const struct scene *scene)
{
    static const char *const keys[] = {"camera.target",   "camera.follow",    "camera.frame",
                                       "camera.distance", "camera.keyframes", "camera.fraction"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (scene_is_given(scene, keys[i]))
            return true;
    return false;
}

/* The time that a film shows, and the steps for it. */
struct span {
    double time, turns, dt; /* turns: how often something dense, or an inner planet, revolves */
};

/* Length of the film in dynamical times, or in periods of the outermost planet. */
static const double TIMES = 5, PERIODS = 3;

static struct span span_of(const struct motion *motion, const struct orbits *orbits)
{
    enum { STEPS = 100 }; /* per orbit */
    if (orbits->count > 0)
        return (struct span){.time = PERIODS * orbits->longest,
                             .turns = PERIODS * orbits->longest / orbits->shortest,
                             .dt = orbits->shortest / STEPS};
    return (struct span){.time = TIMES * motion->time,
                         .turns = TIMES * motion->time / motion->turn,
                         .dt = motion->dt};
}

/* The default of ten seconds with 30 frames each, or up to twice as many, so that dense parts
 * rotate at most once per second. */
static void propose_frames(struct scene *scene, const struct span *span)
{
    enum { FRAMES = 300, RATE = 30 };
    if (!scene_is_given(scene, "output.frames"))
        scene->output.frames =
            (uint64_t)(RATE * fmin(fmax(ceil(span->turns), FRAMES / RATE), 2 * FRAMES / RATE));
}

static void propose_steps(struct scene *scene, const struct span *span)
{
    enum { STEPS_MOST = 1000 };
    struct simulation_params *simulation = &scene->simulation;
    const double frame_time = span->time / (double)scene->output.frames;
    const bool has_dt = scene_is_given(scene, "simulation.dt");
    const double dt = has_dt ? simulation->dt : span->dt;
    if (!scene_is_given(scene, "simulation.steps_per_frame"))
        simulation->steps_per_frame = (uint32_t)fmin(fmax(ceil(frame_time / dt), 1), STEPS_MOST);
    if (!has_dt)
        simulation->dt = rounded(fmin(frame_time / simulation->steps_per_frame, span->dt), 3);
}

/* Writes a time like the clock, or as a plain number if the scene has no unit of time. */
static void period_text(char *out, size_t size, double period, double myr)
{
    if (myr > 0)
        overlay_clock_text(out, size, period, myr, period);
    else
        snprintf(out, size, "%.3g", period);
}

/* Says how much of the outermost orbit the film shows, and why not all. */
static void tell_orbits(const struct scene *scene, const struct orbits *orbits)
{
    const double myr = scene->bodies.units.time_myr;
    const double film =
        scene->simulation.dt * scene->simulation.steps_per_frame * (double)scene->output.frames;
    char shortest[OVERLAY_TEXT_MAX], longest[OVERLAY_TEXT_MAX];
    period_text(shortest, sizeof shortest, orbits->shortest, myr);
    period_text(longest, sizeof longest, orbits->longest, myr);
    if (film > 0.9 * PERIODS * orbits->longest)
        log_info("%zu bodies orbit the heaviest, the outermost in %s; the film shows %.2g of its "
                 "orbits",
                 orbits->count, longest, film / orbits->longest);
    else
        log_warning(
            "%zu bodies orbit the heaviest, the outermost in %s, but the film shows %.2g of "
            "its orbits, because its steps have to resolve a period of %s; leave out the "
            "innermost bodies or raise simulation.steps_per_frame or output.frames",
            orbits->count, longest, film / orbits->longest, shortest);
}

bool propose(struct scene *scene, const struct bodies *bodies, struct motion *motion)
{
    struct motion found;
    struct orbits orbits;
    const bool has_softening = scene_is_given(scene, "simulation.softening");
    const bool moves =
        motion_measure(bodies, has_softening ? scene->simulation.softening : 0, &found);
    const bool planets = motion_orbits(bodies, &orbits);
    if (!moves && !planets)
        return false;
    if (!moves) {
        found.turn = orbits.shortest;
        found.time = orbits.shortest / (2 * M_PI);
    }
    if (!planets)
        orbits.count = 0;
    else
        found.softening = orbits.closest / 1000;
    const struct span span = span_of(&found, &orbits);
    if (!has_softening)
        scene->simulation.softening = rounded(found.softening, 2);
    propose_frames(scene, &span);
    propose_steps(scene, &span);
    if (!says_where_the_camera_is(scene) && scene->look.panel_count == 0) {
        scene_set(scene, "camera.follow", "mass", "proposal");
        scene_set(scene, "camera.frame", "auto", "proposal");
        scene_set(scene, "camera.fraction", "0.97", "proposal");
    }
    if (motion)
        *motion = found;
    return true;
}

static bool is_left_out(const struct scene *scene)
{
    return !scene_is_given(scene, "simulation.softening") ||
           !scene_is_given(scene, "simulation.dt") ||
           !scene_is_given(scene, "simulation.steps_per_frame");
}

bool propose_fits(const struct scene *scene)
{
    return scene->bodies.model->plays && !scene_is_given(scene, "simulation.dt");
}

bool propose_is_needed(const struct scene *scene)
{
    const char *file = scene->bodies.file;
    const bool once = strcmp(file, "-") != 0 && file_is_special(file);
    if (scene->bodies.model->plays)
        return propose_fits(scene);
    return scene->bodies.model->reads_file && !once && is_left_out(scene);
}

/* Takes softening (for the energy) and camera from the first snapshot, as for a table, and sets the
 * step so that the film spans the first to the last snapshot. */
static enum status propose_for_snapshots(struct scene *scene)
{
    struct simulation_params *simulation = &scene->simulation;
    struct bodies_params first = scene->bodies;
    struct playback_span span;
    struct bodies *bodies;
    enum status status = playback_measure(&scene->bodies, &span);
    if (status != STATUS_OK)
        return status;
    first.model = &model_file;
    first.file = series_first(scene->bodies.file);
    first.count = 0;
    status = bodies_make(&first, &bodies);
    free(first.file);
    if (status != STATUS_OK)
        return status;
    const uint64_t frames = scene->output.frames;
    const bool has_steps = scene_is_given(scene, "simulation.steps_per_frame");
    propose(scene, bodies, NULL);
    bodies_destroy(&bodies);
    scene->output.frames = frames;
    if (!has_steps)
        simulation->steps_per_frame = 1;
    const double intervals = frames > 1 ? (double)(frames - 1) : 1;
    simulation->dt = span.duration / intervals / simulation->steps_per_frame;
    return STATUS_OK;
}

enum status propose_for_file(struct scene *scene)
{
    struct bodies *bodies;
    if (scene->bodies.model->plays)
        return propose_for_snapshots(scene);
    enum status status = quantity_bodies(scene, DIVIDE_NOT, &bodies);
    if (status == STATUS_OK && propose(scene, bodies, NULL))
        log_info("values chosen from the bodies where the scene gives none: dt %g, %u steps per "
                 "frame, softening %g, %llu frames",
                 scene->simulation.dt, scene->simulation.steps_per_frame,
                 scene->simulation.softening, (unsigned long long)scene->output.frames);
    struct orbits orbits;
    if (status == STATUS_OK && motion_orbits(bodies, &orbits))
        tell_orbits(scene, &orbits);
    bodies_destroy(&bodies);
    return status;
}

/* If few of a table's bodies are used, each is so much heavier that the usual steps and softening
 * no longer suit. The advised step is a quarter of the time in which two of them turn by a radian.
 */
static void warn_of_thinning(const struct scene *scene, const struct bodies *bodies)
{
    const struct simulation_params *simulation = &scene->simulation;
    const double time = motion_pair_time(bodies, simulation->softening), step = simulation->dt;
    const double larger = fn_pow(2 * step / time, 2.0 / 3);
    if (scene->bodies.count > 0 && simulation->adaptive == 0 && step > time)
        log_warning(
            "%zu bodies are so heavy that two of them orbit each other within the softening in "
            "%.2g, but a step is %.3g: the energy will drift; set simulation.softening to %.2g "
            "(and scale that of components that have their own), or simulation.dt to %.2g",
            bodies->count, time, step, simulation->softening * larger, rounded(time / 2, 2));
}

/* Advice for a table of text that names no units, if its bodies would be near equilibrium in solar
 * masses, kpc and km/s; "" otherwise. */
static const char *advise_units(const struct scene *scene, double virial)
{
    const struct bodies_params *params = &scene->bodies;
    const struct units_params units = units_complete(&params->units);
    const struct snapshot_units numbers = {units_gadget.length_cm, units_gadget.mass_g / 1e10,
                                           units_gadget.velocity_cms};
    const double read_so = virial * units_mass_g(&numbers) / numbers.mass_g;
    const struct format *format;
    if (!params->model->reads_file || params->file_units || params->length_unit ||
        units.length_kpc > 0 || !(read_so > 0.1 && read_so < 10) || !file_exists(params->file) ||
        file_is_special(params->file) ||
        format_of_file(params->file, params->format, &format) != STATUS_OK || !format->text)
        return "";
    return "if the file is in solar masses, kpc and km/s, add these units to the line that names "
           "its columns, as in '# mass [Msun] x [kpc] y [kpc] z [kpc] vx [km/s] vy [km/s] vz "
           "[km/s]'; ";
}

static void warn(const struct scene *scene, const struct bodies *bodies, bool all)
{
    enum { FRAMES_LEAST = 50 };
    const struct simulation_params *simulation = &scene->simulation;
    const double step = simulation->dt,
                 film = step * simulation->steps_per_frame * (double)scene->output.frames;
    static const double cold = 1e-3;
    struct motion motion;
    struct orbits orbits;
    if (!motion_measure(bodies, simulation->softening, &motion))
        return;
    const bool planets = motion_orbits(bodies, &orbits);
    const double passing = planets ? orbits.shortest / (2 * M_PI) : motion.time;
    if (motion.virial > 0 && motion.virial < cold)
        log_warning("the bodies are too slow for their own gravity (virial ratio %.3g) and will "
                    "collapse; %sif that is not intended, check that their units make G = 1, or "
                    "set bodies.velocity_scale to %.3g",
                    motion.virial, advise_units(scene, motion.virial),
                    scene->bodies.velocity_scale / sqrt(motion.virial));
    else if (motion.virial > 3)
        log_warning("the bodies move too fast to be bound (virial ratio %.3g) and will fly apart; "
                    "if that is not intended, check that their units make G = 1, or set "
                    "bodies.velocity_scale to %.3g",
                    motion.virial, scene->bodies.velocity_scale / sqrt(motion.virial));
    else if (step > 0.1 * passing && simulation->adaptive == 0)
        log_warning("steps of %.3g are too long for bodies that pass each other in %.3g: they will "
                    "fly apart; set simulation.dt to %.3g or less",
                    step, passing, rounded(planets ? passing / 20 : motion.dt, 2));
    else if (scene->output.frames >= FRAMES_LEAST && film < 0.02 * passing)
        log_warning("the film shows %.3g of time, and the bodies need %.3g to move: nearly nothing "
                    "will happen; raise simulation.dt or steps_per_frame, or leave them out of the "
                    "scene",
                    film, passing);
    else if (all)
        warn_of_thinning(scene, bodies);
}

enum status propose_warn(const struct scene *scene, const struct bodies *bodies)
{
    enum { FEW = 1 << 16 };
    struct bodies *few;
    if (!bodies->shared) {
        warn(scene, bodies, true);
        return STATUS_OK;
    }
    const struct whole all = bodies_whole(bodies);
    const enum status status = whole_thin(bodies, whole_most(all, FEW), &few);
    if (status == STATUS_OK)
        warn(scene, few, whole_below(all, FEW + 1));
    bodies_destroy(&few);
    return status;
}

void propose_around(struct scene *scene)
{
    const struct projection *projection = scene->camera.projection;
    if (projection && projection->dome && !scene_is_given(scene, "output.start_number"))
        scene_set(scene, "output.start_number", "1", "proposal");
    if (!projection || !projection->whole_sphere || scene->look.preset ||
        scene_is_given(scene, "look.background_stars"))
        return;
    scene_set(scene, "look.background_stars", "20000", "proposal");
    if (!scene_is_given(scene, "look.background_light"))
        scene_set(scene, "look.background_light", "4", "proposal");
    log_info("a film of %s gets stars behind the bodies; "
             "--set look.background_stars=0 leaves them out",
             projection->dome ? "a dome" : "the whole sphere");
}

/* ==== units ==== */

static bool take(struct scene *scene, const char *key, double *now, double found)
{
    char text[32];
    if (*now > 0 || !(found > 0))
        return false;
    snprintf(text, sizeof text, "%.17g", found);
    return scene_set(scene, key, text, "bodies.file") == STATUS_OK;
}

static void tell(const struct scene *scene, const struct snapshot *snapshot)
{
    const struct units_params *now = &scene->bodies.units;
    double factor;
    const char *unit = overlay_length_unit(NULL, now->length_kpc, &factor);
    if (snapshot->units_assumed && !scene->bodies.file_units && !scene->bodies.length_unit)
        log_info("%s: the file states no units; assuming its format's usual ones, %s; set "
                 "bodies.units if these are wrong",
                 scene->bodies.file, UNITS_GADGET_TEXT);
    else
        log_info("%s: the scene's units are %.6g %s, %.6g km/s and %.6g solar masses",
                 scene->bodies.file, now->length_kpc * factor, unit, now->velocity_kms,
                 now->mass_msun);
}

/* Reads the first file of a series. */
static enum status read_first(const struct bodies_params *params,
                              enum status (*read)(const char *name, const struct format *format,
                                                  struct snapshot *out),
                              struct snapshot *out)
{
    char *first = params->model->plays ? series_first(params->file) : NULL;
    const enum status status = read(first ? first : params->file, params->format, out);
    free(first);
    return status;
}

/* The RMS distance from the mean, in the file's unit; 0: it cannot be read. */
static double extent_of(const struct bodies_params *params)
{
    struct snapshot snapshot;
    double mean[3] = {0}, square[3] = {0};
    if (read_first(params, format_read, &snapshot) != STATUS_OK)
        return 0;
    const double count = (double)snapshot.bodies->count;
    for (size_t i = 0; i < snapshot.bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            mean[c] += snapshot.bodies->position[i][c] / count;
            square[c] += snapshot.bodies->position[i][c] * snapshot.bodies->position[i][c] / count;
        }
    snapshot_free(&snapshot);
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += fmax(square[c] - mean[c] * mean[c], 0);
    return sqrt(sum);
}

/* Numbers in metres exceed single precision. If the scene does not state its units, they become the
 * largest of these lengths that is smaller than the bodies' extent, with km/s. */
static void leave_metres(const struct bodies_params *params, struct snapshot_units *file)
{
    static const double LARGE_CM = 1e7, KMS = 1e5;
    static const struct {
        const char *name;
        double cm;
    } units[] = {{"Mpc", 3.0856775814913673e24},
                 {"kpc", 3.0856775814913673e21},
                 {"pc", 3.0856775814913673e18},
                 {"au", 1.495978707e13},
                 {"km", 1e5}};
    const struct units_params *stated = &params->units;
    const bool silent = !(stated->length_kpc > 0 || stated->time_myr > 0 ||
                          stated->velocity_kms > 0 || stated->mass_msun > 0);
    if (!silent || !(file->length_cm > 0) || file->length_cm > LARGE_CM)
        return;
    const double extent = extent_of(params) * file->length_cm;
    size_t u = 0;
    while (u < sizeof units / sizeof *units && !(extent >= units[u].cm))
        u++;
    if (u == sizeof units / sizeof *units || !(units[u].cm > file->length_cm))
        return;
    log_info("%s: in its unit of length, %.6g m, numbers would be too large for single precision; "
             "the scene's is %s (set units.length_kpc for another)",
             params->file, file->length_cm / 100, units[u].name);
    *file = (struct snapshot_units){.length_cm = units[u].cm, .velocity_cms = KMS};
}

static bool differ(double stated, double follows)
{
    static const double rounding = 0.02;
    return stated > 0 && follows > 0 && fabs(stated / follows - 1) > rounding;
}

void film_check_units(const struct scene *scene)
{
    const struct units_params *stated = &scene->bodies.units;
    struct units_params rest = *stated;
    rest.mass_msun = 0;
    const struct units_params without_mass = units_complete(&rest);
    rest.time_myr = 0;
    const struct units_params without_time = units_complete(&rest);
    if (differ(stated->time_myr, without_time.time_myr))
        log_warning("units.time_myr is %.6g, but units.length_kpc %.6g and units.velocity_kms %.6g "
                    "make it %.6g; correct one of them, or leave out the time",
                    stated->time_myr, stated->length_kpc, stated->velocity_kms,
                    without_time.time_myr);
    else if (differ(stated->mass_msun, without_mass.mass_msun))
        log_warning("units.mass_msun is %.6g, but with G = 1 the other units make it %.6g; correct "
                    "one of the units, or leave out the mass",
                    stated->mass_msun, without_mass.mass_msun);
}

void film_take_units(struct scene *scene)
{
    const struct bodies_params *params = &scene->bodies;
    struct snapshot snapshot;
    const bool once = strcmp(params->file, "-") != 0 && file_is_special(params->file);
    if (!params->model->reads_file || !*params->file || once ||
        read_first(params, format_read_units, &snapshot) != STATUS_OK)
        return;
    struct snapshot_units file = units_of_file(&snapshot, params);
    leave_metres(params, &file);
    const struct units_params found = units_for_scene(&params->units, &file);
    struct units_params *now = &scene->bodies.units;
    bool taken = take(scene, "units.length_kpc", &now->length_kpc, found.length_kpc);
    taken |= take(scene, "units.time_myr", &now->time_myr, found.time_myr);
    taken |= take(scene, "units.velocity_kms", &now->velocity_kms, found.velocity_kms);
    taken |= take(scene, "units.mass_msun", &now->mass_msun, found.mass_msun);
    if (taken)
        tell(scene, &snapshot);
    snapshot_free(&snapshot);
}
