#include "cmd/film/film.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "cmd/film/script/brightness.h"
#include "cmd/film/script/film_camera.h"
#include "cmd/film/script/montage.h"
#include "cmd/film/script/plan.h"
#include "cmd/film/start/halos.h"
#include "cmd/film/start/propose.h"
#include "cmd/film/start/scales.h"
#include "cmd/film/start/universe.h"
#include "render/panel/places.h"
#include "render/sprites/modes.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/formats/formats.h"
#include "sim/formats/units.h"
#include "sim/playback/playback.h"
#include "sim/run/run.h"
#include "scenes/print.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Needed only until the renderer is open. */
struct opening {
    struct film_sources sources;
    struct start start;
    struct camera_part *parts;
    struct film_groups groups;
    struct renderer_params params;
    const struct film_options *options;
    struct look_params look;    /* the scene's, with every choice made that depends on the bodies */
    char start_hash[HASH_TEXT]; /* of the bodies, see struct plan */
    struct plan plan;           /* the plan of the film; without the hash of a scene, it has yet to
                                 * be made */
    /* The short pilot run, which runs while the renderer is opened. */
    const struct film *film;
    struct renderer_params seen; /* by the run, for the whole picture */
    struct worker *pilot;
};

static struct script_source source_of(const struct film *film)
{
    return (struct script_source){film->scene, film->bodies, film->backend, film->device,
                                  film->run,   film->pilots, &film->watch};
}

static bool is_planned(const struct opening *opening)
{
    return opening->plan.scene_hash[0];
}

static struct whole count_drawn(const struct bodies *bodies)
{
    uint64_t drawn = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        if (bodies->components[c].draw)
            drawn += component_whole(&bodies->components[c]);
    return whole_of(drawn);
}

static void choose_look(struct opening *opening, const struct film *film)
{
    struct look_params *look = &opening->look;
    const bool chosen = is_planned(opening) && !opening->options->near;
    *look = film->scene->look;
    look->size = chosen ? opening->plan.size
                        : sizing_choose(look, bodies_whole(film->bodies), film->kernels);
    look->stars = chosen ? opening->plan.stars : resolved_choose(look, count_drawn(film->bodies));
}

/* Requests the columns that the pictures need in views. */
static enum status ask_columns(struct film *film, const struct look_params *look, int i,
                               bool records)
{
    const struct whole drawn = count_drawn(film->bodies);
    const unsigned k =
        whole_below(drawn, 2) ? 1 : (unsigned)whole_most(drawn, SIZING_NEIGHBOUR + 1) - 1;
    struct column_names names;
    struct column_ask asks[VIEW_COLUMNS_MAX];
    look_columns(look, &names);
    if (records)
        column_names_add(&names, COLUMN_ACCELERATION);
    ranks_decide("columns of views", (uint64_t)names.count);
    ranks_decide("neighbour", k);
    for (int c = 0; c < names.count; c++)
        asks[c] = quantity_ask(&film->quantity, film->bodies, names.list[c]);
    enum status status = simulation_ask_columns(film->simulations[i], asks, names.count, k);
    const struct picture_size *size = &film->scene->output.size;
    const uint64_t crowd = sizing_crowd(size->width, size->height) / (uint64_t)look_pictures(look);
    if (status == STATUS_OK && sizing_adapts(look) && !whole_below(drawn, crowd))
        simulation_order_views(film->simulations[i]);
    return status;
}

/* The longest trail, in seconds, and its key. */
static double longest_trail(const struct scene *scene, char key[64])
{
    double seconds = scene->look.trails;
    snprintf(key, 64, "look.trails");
    for (uint32_t i = 0; i < scene->look.mark_count; i++) {
        if (scene->look.marks[i].trail <= seconds)
            continue;
        seconds = scene->look.marks[i].trail;
        snprintf(key, 64, "look.marks[%u].trail", i + 1);
    }
    return seconds;
}

/* Keeps as many frames as the longest trail lasts, at most the whole film. */
static enum status keep_trail(struct film *film, int i)
{
    const struct output_params *output = &film->scene->output;
    char key[64];
    const double seconds = longest_trail(film->scene, key);
    const double frames = ceil(seconds * output->fps.num / output->fps.den);
    if (seconds > film->scene->look.trails && film->bodies->shared != DIVIDE_NOT) {
        status_fail(STATUS_USAGE, "ranks that share the bodies draw no trails of marks; use one "
                                  "process, or look.trails");
        return scene_blame(film->scene, key);
    }
    const double most = (double)(output->frames > 0 ? output->frames - 1 : 0);
    const enum status status =
        simulation_keep_trail(film->simulations[i], (uint64_t)fmin(frames, most));
    return status == STATUS_USAGE ? scene_blame(film->scene, key) : status;
}

/* Which simulation of the run has this physics. */
static enum status find_in_run(const struct run *run, struct simulation_params *params)
{
    char physics[RUN_TEXT];
    const struct run_about *about = run_about(run);
    film_physics(params, physics, sizeof physics);
    params->run = run;
    while (params->of_run < about->simulation_count &&
           strcmp(about->simulations[params->of_run].physics, physics) != 0)
        params->of_run++;
    return params->of_run < about->simulation_count
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "the run has no simulation with %s, but with %s; record a run of a "
                             "scene with these panels",
                             physics, about->simulations[0].physics);
}

static enum status open_simulations(struct film *film, const struct opening *opening)
{
    const struct scene *scene = film->scene;
    const struct film_sources *sources = &opening->sources;
    const struct look_params *look = &opening->look;
    enum status status = kernel_check(scene, look, film->bodies);
    for (int i = 0; i < sources->count && status == STATUS_OK; i++) {
        struct simulation_params params = sources->params[i];
        if (film->run)
            status = find_in_run(film->run, &params);
        if (status == STATUS_OK)
            status = simulation_open(&film->simulations[i], &params, film->backend, film->device,
                                     film->bodies);
        if (status != STATUS_OK)
            break;
        film->simulation_count++;
        simulation_set_clock(film->simulations[i], &film->script.clock);
        if (film_follows(scene))
            simulation_sample_views(film->simulations[i]);
        simulation_follow(film->simulations[i], film->watch.row, film->watch.bodies.count);
        char key[64];
        if (longest_trail(scene, key) > 0)
            status = keep_trail(film, i);
        if (status == STATUS_OK)
            status = ask_columns(film, look, i, opening->options->records);
    }
    if (status == STATUS_OK && scene->overlay.energy)
        status = simulation_record_energy(film->simulations[0], scene->output.frames);
    return status;
}

/* The device that draws: the one that simulates, or for a run would. */
static int drawing_device(const struct film *film)
{
    const struct solver_ops *ops = simulation_solver(film->simulations[0])->ops;
    if (film->run && solver_choose(film->backend, film->device, &ops) != STATUS_OK)
        return -1;
    return ops->views == VIEW_HOST ? -1 : film->device;
}

/* The renderer's parameters from the scene, for the whole picture. */
static struct renderer_params describe(const struct film *film, const struct opening *opening,
                                       enum picture_format format)
{
    const struct scene *scene = film->scene;
    const struct units_params units = units_complete(&scene->bodies.units);
    const enum view_memory memory = simulation_solver(film->simulations[0])->ops->views;
    const int device = drawing_device(film);
    struct renderer_params params = {
        .width = scene->output.size.width,
        .height = scene->output.size.height,
        .format = format,
        .camera = scene->camera,
        .look = opening->look,
        .overlay = scene->overlay,
        .labels = {.title = scene->output.title,
                   .length_kpc = units.length_kpc,
                   .time_myr = units.time_myr,
                   .velocity_kms = units.velocity_kms,
                   .fps = (double)scene->output.fps.num / scene->output.fps.den},
        .count = film->bodies->count,
        .sum = film->sum,
        .ordered = simulation_orders_views(film->simulations[0]),
        .absences = simulation_has_absences(film->simulations[0]),
        .sources = opening->sources.count,
        .frames = scene->output.frames,
        .loops = scene->output.loop,
        .seed = scene->bodies.seed,
        .parts = opening->parts,
        .part_count = (int)film->bodies->component_count,
        .bodies = film->watch.bodies,
        .tracked = film->tracking.list,
        .tracked_count = film->tracking.labels,
        .marked = film->tracking.list + film->tracking.labels,
        .marked_count = film->tracking.count - film->tracking.labels,
        .groups = opening->groups.list[0],
        .group_count = opening->groups.count,
        .views = {memory, device},
        .gl_device = device,
    };
    if (!scene->output.captions->burns)
        params.overlay.caption_count = 0;
    for (int i = 0; i < look_pictures(&scene->look); i++) {
        params.panel_groups[i] = opening->groups.list[i];
        params.panel_source[i] = opening->sources.panel[i];
    }
    return params;
}

static void unfade(struct renderer_params *params)
{
    params->look.fade_in = params->look.fade_out = 0;
    if (params->overlay.card_covers)
        params->overlay.card = 0;
}

static void choose_tile(struct renderer_params *params, const struct film_tile *tile)
{
    params->whole_width = params->width;
    params->whole_height = params->height;
    params->width = tile->width;
    params->height = tile->height;
}

static enum status measure(void *user)
{
    struct opening *opening = user;
    const struct film *film = opening->film;
    const struct script_source source = source_of(film);
    return brightness_find(&opening->seen, &film->script, &source);
}

static enum status take_measured(void *user, struct found *found)
{
    struct opening *opening = user;
    const enum status status = worker_wait(opening->pilot);
    const struct found *seen = &opening->seen.found;
    found->look.brightest = seen->look.brightest;
    found->look.middle = seen->look.middle;
    found->look.faintest = seen->look.faintest;
    found->light = seen->light;
    return status;
}

/* ---- the plan, the same on all ranks ---- */

/* Takes the plan that was given to the film. On ranks it was given to rank 0. */
static enum status take_plan(struct film *film, struct opening *opening, const char *given)
{
    film->plan = given ? memory_text(given) : NULL;
    enum status status = ranks_first_text(&film->plan);
    return status == STATUS_OK && film->plan
               ? (opening->options->near ? plan_read_near : plan_read)(&opening->plan, film->plan,
                                                                       film->scene)
               : status;
}

/* Describes what has been found so far; params NULL: the script alone. On ranks, all read rank 0's
 * text, so that no two plans exist. */
static enum status describe_plan(struct film *film, struct opening *opening,
                                 const struct renderer_params *params)
{
    struct plan plan;
    plan_describe(&plan, film->scene, opening->start_hash, &film->script, params);
    free(film->plan);
    enum status status = plan_write(&plan, &film->plan);
    plan_described_free(&plan);
    if (!ranks_are_together())
        return status;
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = ranks_first_text(&film->plan);
    plan_free(&opening->plan);
    return status == STATUS_OK ? plan_read(&opening->plan, film->plan, film->scene) : status;
}

static enum status make_script(struct film *film, struct opening *opening)
{
    const struct script_source source = source_of(film);
    enum status status = STATUS_OK;
    ranks_decide("a plan is given", is_planned(opening));
    if (is_planned(opening)) {
        status = plan_check_start(&opening->plan, opening->start_hash);
        if (status == STATUS_OK) {
            plan_give_script(&opening->plan, &film->script);
            script_key(&film->script, film->scene);
        }
        return status;
    }
    status = script_open(&film->script, &source, &opening->options->loop);
    if (status != STATUS_OK || !ranks_are_together())
        return status;
    status = describe_plan(film, opening, NULL);
    if (status == STATUS_OK) {
        struct caption_note *notes = film->script.caption_notes;
        const struct found_light light = film->script.light;
        film->script.caption_notes = NULL;
        script_close(&film->script);
        plan_give_script(&opening->plan, &film->script);
        script_key(&film->script, film->scene);
        free(film->script.caption_notes);
        film->script.caption_notes = notes;
        film->script.light = light;
    }
    plan_free(&opening->plan);
    return status;
}

/* A process that reads a snapshot is forked, and would wait forever for the locks that another
 * thread holds while it loads a driver; ranks make their collective calls in one order. */
static void begin_pilot(struct opening *opening, const struct film *film)
{
    opening->film = film;
    opening->seen = opening->params;
    opening->pilot =
        worker_open(measure, opening, !film_played(film->scene) && !ranks_are_together());
    opening->params.find = take_measured;
    opening->params.find_user = opening;
    worker_begin(opening->pilot);
}

/* Finds what the plan has besides the script. The short pilot run goes on while the renderer is
 * opened, except on ranks, which all take rank 0's plan. */
static enum status find_rest(struct film *film, struct opening *opening)
{
    struct renderer_params *params = &opening->params;
    begin_pilot(opening, film);
    enum status status = scales_find(params, &opening->start, film->simulations[0]);
    if (status != STATUS_OK || !ranks_are_together())
        return status;
    params->find = NULL;
    status = take_measured(opening, &params->found);
    if (status == STATUS_OK)
        status = describe_plan(film, opening, params);
    if (status == STATUS_OK)
        plan_give(&opening->plan, params, opening->parts);
    return status;
}

/* A plan of a film that looks otherwise may lack the scales of this one. */
static enum status find_scales(struct film *film, struct opening *opening)
{
    struct look_found *found = &opening->params.found.look;
    const struct look_found planned = *found;
    const enum status status = scales_find(&opening->params, &opening->start, film->simulations[0]);
    found->brightest = planned.brightest;
    found->middle = planned.middle;
    found->faintest = planned.faintest;
    return status;
}

/* Where rank 0 has all bodies, the others have nothing to draw. */
static bool draws(const struct film *film)
{
    return !film->gathered || ranks_own() == 0;
}

/* Keeps what film_aim needs. */
static void keep_shown(struct film *film, struct opening *opening)
{
    film->shown = opening->params;
    film->shown.groups = NULL;
    memset(film->shown.panel_groups, 0, sizeof film->shown.panel_groups);
    film->shown.find = NULL;
    film->parts = opening->parts;
    opening->parts = NULL;
}

/* Starts from the scene's parameters, then adds what is found: when things happen, where the camera
 * is, how colours are scaled. */
static enum status open_renderer(struct film *film, struct opening *opening,
                                 const struct film_options *options)
{
    struct renderer_params *params = &opening->params;
    enum status status = film_groups_make(&opening->groups, film->scene, film->bodies);
    if (status == STATUS_OK)
        status = film_camera_parts(&opening->parts, film->scene, film->bodies);
    if (status != STATUS_OK)
        return status;
    status = tracking_find(&film->tracking, film->scene, film->bodies, film->halos, opening->parts,
                           (int)film->bodies->component_count);
    if (status != STATUS_OK)
        return status;
    for (int i = 0; i < film->simulation_count; i++)
        simulation_watch(film->simulations[i], film->tracking.bodies, film->tracking.body_count);
    *params = describe(film, opening, options->format);
    params->sum.bodies = whole_size(bodies_whole(film->bodies));
    if (options->draw_device) {
        params->gl_device = *options->draw_device;
        params->gl_device_only = true;
    }
    quantity_give(&film->quantity, params);
    params->found.camera.stretch = panel_stretch(params);
    if (params->group_count == 0)
        log_warning("no component of the bodies is drawn, so the film will be black; see "
                    "bodies.use and the components' `draw`");
    script_direct(&film->script, params);
    const struct playback *playback = simulation_playback(film->simulations[0]);
    params->found.epoch = playback ? playback_epoch(playback) : 0;
    params->found.universe = film->universe;
    if (is_planned(opening))
        plan_give(&opening->plan, params, opening->parts);
    status = film_camera_place(params, film->scene, &opening->start);
    if (status == STATUS_OK && !is_planned(opening))
        status = find_rest(film, opening);
    if (status == STATUS_OK && is_planned(opening) && opening->options->near)
        status = find_scales(film, opening);
    if (options->unfaded)
        unfade(params);
    if (options->tile.width > 0)
        choose_tile(params, &options->tile);
    if (status == STATUS_OK && draws(film) && options->opens == FILM_PICTURES)
        status = renderer_open(&film->renderer, params);
    if (status == STATUS_OK && !is_planned(opening))
        status = take_measured(opening, &params->found);
    keep_shown(film, opening);
    return status == STATUS_OK && !is_planned(opening) ? describe_plan(film, opening, params)
                                                       : status;
}

static void end_opening(struct opening *opening)
{
    worker_close(&opening->pilot);
    film_groups_free(&opening->groups);
    free(opening->parts);
    start_close(&opening->start);
    plan_free(&opening->plan);
}

static enum division division_of(const struct film *film)
{
    if (!ranks_are_together())
        return DIVIDE_NOT;
    return film->gathered ? DIVIDE_FIRST : DIVIDE_EVENLY;
}

static enum status make_bodies(struct film *film)
{
    if (film->run) {
        const enum status copied = bodies_copy(&film->bodies, run_about(film->run)->bodies);
        return copied == STATUS_OK ? quantity_check(film->scene, film->bodies) : copied;
    }
    enum status status = quantity_bodies(film->scene, division_of(film), &film->bodies);
    const struct bodies_model *model = film->scene->bodies.model;
    if (status == STATUS_OK && model->reads_file && !model->plays)
        status = propose_warn(film->scene, film->bodies);
    return status;
}

/* Finds what cameras follow among bodies and haloes. */
static enum status watch(const struct film *film, const struct camera_params *camera,
                         const struct look_params *look, struct film_watch *out)
{
    const enum status status = film_watch_find(out, camera, look, film->bodies);
    out->bodies.find = film->halos ? halos_find : NULL;
    out->bodies.user = film->halos;
    return status;
}

/* Whether the scene's labels choose something, before a pilot run. */
static enum status check_tracking(const struct film *film)
{
    int count;
    struct tracking tracking;
    struct camera_part *parts = film_camera_names(film->bodies, &count);
    const enum status status =
        tracking_find(&tracking, film->scene, film->bodies, film->halos, parts, count);
    tracking_free(&tracking);
    free(parts);
    return status;
}

void film_warn_of_frame(const struct scene *scene)
{
    if (scene->bodies.frame->comoving && !scene->bodies.model->plays)
        log_warning(
            "bodies.frame is comoving, but bodies of one file are simulated without the "
            "expansion of space, so only the start is correct; give the snapshots of a run with "
            "--snapshots");
}

static enum status warn_of_gaps(const struct playback *playback)
{
    static const double NOTICED = 0.25;
    double turning;
    const enum status status = playback_turning(playback, &turning);
    if (status == STATUS_OK && turning > NOTICED)
        log_warning("%.0f %% of the bodies turn by more than a right angle from the first snapshot "
                    "to the second, so their paths in between are guesses and disks show rings and "
                    "knots; write snapshots several times as often",
                    100 * turning);
    return status;
}

/* Rounding to whole frames can end the film up to one frame after the last snapshot; that frame
 * shows the last snapshot. */
static enum status check_played(const struct film *film)
{
    const struct playback *playback = simulation_playback(film->simulations[0]);
    if (!playback)
        return STATUS_OK;
    const struct simulation_params *simulation = &film->scene->simulation;
    const double span = playback_duration(playback);
    const double frame = fabs(simulation->dt) * simulation->steps_per_frame;
    const enum status status = warn_of_gaps(playback);
    if (status != STATUS_OK)
        return status;
    if (fabs(film->script.duration) <= span + 1.001 * frame)
        return STATUS_OK;
    status_fail(STATUS_USAGE,
                "the film covers a time of %.6g, but the snapshots end after %.6g; leave out "
                "simulation.dt to show all snapshots, or ask for at most %.0f frames",
                film->script.duration, span, floor(span / frame) + 1);
    return scene_blame(film->scene, "simulation.dt");
}

/* Whether a film that is longer than its run stands still from the run's last frame on. */
static bool holds_end(const struct scene *scene, const struct run_about *about)
{
    const struct moment *at = &scene->simulation.freeze_at;
    return at->kind == MOMENT_FRAME && at->value <= (double)about->frames - 1 && at->shift == 0;
}

enum status film_check_run(const struct scene *scene, const struct run *run)
{
    struct scene_difference found;
    struct film_sources sources;
    struct scene *other;
    const struct run_about *about = run_about(run);
    enum status status = scene_parse(&other, about->scene, "the run");
    if (status != STATUS_OK)
        return status;
    char *own = scene_print_motion(scene, false), *its = scene_print_motion(other, false);
    const bool differ = scene_difference(its, own, &found);
    free(own);
    free(its);
    scene_close(&other);
    if (differ)
        return status_fail(
            STATUS_USAGE,
            "the run was simulated with %s %s, but the scene has %s; change only keys of look, "
            "camera, overlay and output, or simulate again",
            found.key, found.a, found.b);
    film_sources(scene, &sources);
    for (int i = 0; i < sources.count && status == STATUS_OK; i++)
        status = find_in_run(run, &sources.params[i]);
    if (status != STATUS_OK || scene->output.frames <= about->frames || holds_end(scene, about))
        return status;
    status_fail(STATUS_USAGE,
                "the film has %llu frames, but the run only %llu; ask for at most as many, or "
                "record a longer run",
                (unsigned long long)scene->output.frames, (unsigned long long)about->frames);
    return scene_blame(scene, "output.frames");
}

/* Whether the film's frames are at the times of the run's. Frame 0 always is, and a film of one
 * frame has no slow motion. */
static enum status check_clock(const struct film *film)
{
    char motion[17];
    if (!film->run || film->scene->output.frames == 1)
        return STATUS_OK;
    struct script script = film->script; /* shares its arrays */
    if (film->scene->output.frames > run_about(film->run)->frames)
        script.clock.freezes = false; /* see holds_end */
    script_motion_hash(&script, film->scene, false, motion);
    return strcmp(motion, run_about(film->run)->moves) == 0
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "the run's frames are at other times than the film's: slow motion "
                             "depends on simulation.slow and, where that names moments, on "
                             "output.fps and output.frames; keep the run's, or simulate again");
}

/* Opens bodies, script and simulations. The film's bodies are given, or NULL. */
static enum status open_physics(struct film *film, struct opening *opening)
{
    enum status status = film->run ? film_check_run(film->scene, film->run) : STATUS_OK;
    if (status == STATUS_OK && !film->bodies)
        status = make_bodies(film);
    if (status == STATUS_OK)
        status = kernel_drawn(film->bodies, &film->kernels);
    if (status == STATUS_OK)
        status = quantity_find(&film->quantity, film->scene, film->bodies);
    if (status == STATUS_OK)
        status = halos_open(&film->halos, film->scene);
    if (status == STATUS_OK)
        status = watch(film, &film->scene->camera, &film->scene->look, &film->watch);
    if (status == STATUS_OK)
        status = check_tracking(film);
    if (status == STATUS_OK)
        status = film_groups_check(film->scene, film->bodies);
    if (status == STATUS_OK)
        status = universe_find(film->scene, film->bodies, &film->universe);
    if (status == STATUS_OK)
        status = whole_hash(film->bodies, opening->start_hash);
    if (status == STATUS_OK)
        choose_look(opening, film);
    if (status == STATUS_OK)
        status = make_script(film, opening);
    if (status == STATUS_OK)
        status = check_clock(film);
    if (status == STATUS_OK)
        status = open_simulations(film, opening);
    return status == STATUS_OK ? check_played(film) : status;
}

/* The films of panels with scenes of their own. */
struct panel_films {
    struct montage montage;
    struct film film[PANELS_MAX]; /* scene NULL: not open */
};

static void close_panels(struct film *film)
{
    struct panel_films *apart = film->apart;
    if (!apart)
        return;
    renderer_close(&film->renderer);
    film->bodies = NULL;
    film->script = (struct script){0};
    memset(film->simulations, 0, sizeof film->simulations);
    for (int i = 0; i < PANELS_MAX; i++)
        if (apart->film[i].scene)
            film_close(&apart->film[i]);
    montage_close(&apart->montage);
    free(apart);
    film->apart = NULL;
}

static void free_parts(struct film *film)
{
    close_panels(film);
    renderer_close(&film->renderer);
    tracking_free(&film->tracking);
    halos_close(&film->halos);
    for (int i = 0; i < PANELS_MAX; i++)
        simulation_close(&film->simulations[i]);
    film->simulation_count = 0;
    script_close(&film->script);
    free(film->plan);
    film->plan = NULL;
    free(film->parts);
    film->parts = NULL;
    bodies_destroy(&film->bodies);
    if (film->own_pilots)
        run_pilots_free(film->own_pilots);
    free(film->own_pilots);
    film->pilots = film->own_pilots = NULL;
}

/* Opens the film on this rank, with its share of the bodies. The members of *film up to `bodies`
 * are set, and `sum`. */
static enum status open_parts(struct film *film, const struct film_options *options)
{
    struct opening opening = {.options = options};
    film_sources(film->scene, &opening.sources);
    enum status status = take_plan(film, &opening, options->plan);
    if (status == STATUS_OK)
        status = open_physics(film, &opening);
    if (status == STATUS_OK && options->opens != FILM_SIMULATIONS)
        status = start_open(&opening.start, film->bodies);
    film_watch_start(&film->watch, &opening.start.view);
    if (status == STATUS_OK && options->opens != FILM_SIMULATIONS)
        status = open_renderer(film, &opening, options);
    end_opening(&opening);
    if (status != STATUS_OK)
        free_parts(film);
    return status;
}

static struct film film_of(const struct film_options *options)
{
    struct run_pilots *own = options->records ? memory_new(1, sizeof *own) : NULL;
    return (struct film){.scene = options->scene,
                         .backend = options->backend,
                         .device = options->device,
                         .bodies = options->bodies,
                         .run = options->run ? options->run : options->scene->run,
                         .pilots = own ? own : options->pilots,
                         .own_pilots = own};
}

/* ---- a film that ranks share ---- */

/* Collective: each rank adds up a part of the numbers, in the order of ranks, and rank 0 collects
 * the parts, or every rank. */
static enum status sum_up(float *light, size_t count, bool everywhere)
{
    const unsigned ranks = (unsigned)ranks_count(), own = (unsigned)ranks_own();
    size_t *out = memory_new(ranks, sizeof *out), *in = memory_new(ranks, sizeof *in);
    const size_t part = share_begin(count, own + 1, ranks) - share_begin(count, own, ranks);
    float *parts = malloc((part * ranks + 1) * sizeof *parts);
    for (unsigned r = 0; r < ranks; r++) {
        out[r] = (share_begin(count, r + 1, ranks) - share_begin(count, r, ranks)) * sizeof *light;
        in[r] = part * sizeof *light;
    }
    enum status status =
        parts ? ranks_exchange(light, out, parts, in)
              : status_fail(STATUS_RUNTIME, "no memory to add up light, %zu numbers", part * ranks);
    for (size_t i = 0; i < part && status == STATUS_OK; i++) {
        double sum = 0;
        for (unsigned r = 0; r < ranks; r++)
            sum += (double)parts[r * part + i];
        parts[i] = (float)sum;
    }
    if (status == STATUS_OK)
        status = everywhere ? ranks_gather(parts, light, out)
                            : ranks_collect(parts, part * sizeof *parts, light, out, 0);
    free(parts);
    free(out);
    free(in);
    return status;
}

static enum status add(void *user, float *light, size_t count)
{
    (void)user;
    return sum_up(light, count, false);
}

static enum status add_for_all(void *user, float *numbers, size_t count)
{
    (void)user;
    return sum_up(numbers, count, true);
}

/* ---- panels with scenes of their own ---- */

/* Whether the scene has limits (`expect`) but its first panel, to which they apply, shows another
 * scene. */
static bool judges_first(const struct scene *scene)
{
    static const struct expect_params none;
    return panel_is_apart(&scene->look.panels[0]) &&
           memcmp(&scene->expect, &none, sizeof none) != 0;
}

static enum status check_panels(const struct film *film, const struct film_options *options)
{
    const char *reason =
        ranks_are_together()      ? "several ranks; use one process"
        : options->tile.width > 0 ? "a picture drawn in tiles; ask for a smaller --size"
        : options->run || options->records
            ? "one run; record a run of each panel's scene with `gravreel "
              "simulate`, and name it as the panel's scene"
        : options->near || film->bodies ? "other bodies; leave them out"
        : judges_first(film->scene) ? "`expect` if the first panel shows another scene; list the "
                                      "panel without `scene` first"
                                    : NULL;
    return reason ? status_fail(STATUS_USAGE,
                                "look.panels with scenes of their own cannot be combined with %s",
                                reason)
                  : STATUS_OK;
}

static enum status open_panel(struct film *film, const struct film_options *options, int i,
                              const char **plans)
{
    struct panel_films *apart = film->apart;
    struct film_options own = *options;
    char *plan = NULL;
    enum status status = *plans ? montage_next_plan(plans, i, &plan) : STATUS_OK;
    own.scene = apart->montage.scene[i];
    own.plan = plan;
    own.pilots = NULL;
    film_name_panel(i);
    if (status == STATUS_OK)
        status = film_open(&apart->film[i], &own);
    film_name_panel(-1);
    free(plan);
    if (status != STATUS_OK)
        return status_prefix(status, "look.panels[%d]", i + 1);
    film->simulations[film->simulation_count++] = apart->film[i].simulations[0];
    return STATUS_OK;
}

/* The script of the film's own scene, if a panel shows it. */
static struct script script_of_panels(const struct panel_films *apart,
                                      const struct look_params *look)
{
    for (int i = 0; i < apart->montage.count; i++)
        if (!panel_is_apart(&look->panels[i]))
            return apart->film[i].script;
    const struct script *first = &apart->film[0].script;
    return (struct script){.clock = first->clock,
                           .duration = first->duration,
                           .passage = -1,
                           .story = first->duration};
}

static enum status open_panels(struct film *film, const struct film_options *options)
{
    const char *plans = options->plan;
    char *own[PANELS_MAX];
    struct renderer *renderers[PANELS_MAX];
    enum status status = check_panels(film, options);
    if (status != STATUS_OK)
        return status;
    struct panel_films *apart = film->apart = memory_new(1, sizeof *apart);
    film->run = NULL; /* a panel opens the run */
    const struct montage *montage = &apart->montage;
    status = montage_open(&apart->montage, film->scene);
    for (int i = 0; i < montage->count && status == STATUS_OK; i++)
        status = open_panel(film, options, i, &plans);
    if (status != STATUS_OK)
        return status;
    film->bodies = apart->film[0].bodies;
    film->script = script_of_panels(apart, &film->scene->look);
    for (int i = 0; i < montage->count; i++) {
        renderers[i] = apart->film[i].renderer;
        own[i] = apart->film[i].plan;
    }
    if (options->opens != FILM_SIMULATIONS)
        film->plan = montage_join_plans(own, montage->count);
    return options->opens == FILM_PICTURES
               ? renderer_join(&film->renderer, renderers, montage->place, montage->count,
                               film->scene->output.size.width, film->scene->output.size.height)
               : STATUS_OK;
}

/* ---- open and close ---- */

enum status film_open(struct film *film, const struct film_options *options)
{
    *film = film_of(options);
    if (look_is_montage(&film->scene->look)) {
        const enum status opened = open_panels(film, options);
        if (opened != STATUS_OK)
            free_parts(film);
        return opened;
    }
    if (!ranks_are_together())
        return open_parts(film, options);
    /* Each rank then reads the run, but only rank 0 draws. */
    const char *whole = film->run ? "a run" : options->whole;
    film->gathered = whole && !film_played(options->scene);
    if (film->gathered)
        log_info_once("rank 0 has and draws all bodies, because %s needs them", whole);
    else
        film->sum = (struct light_sum){.add = add, .share = add_for_all, .leads = ranks_own() == 0};
    const enum status status = ranks_scope(open_parts(film, options));
    if (status != STATUS_OK)
        free_parts(film); /* no rank keeps a film that another could not open */
    return status;
}

void film_close(struct film *film)
{
    free_parts(film);
}

enum status film_aim(struct film *film, const struct camera_params *camera)
{
    static const double start = 0;
    struct renderer_params params = film->shown;
    const bool alone = camera->keyframe_count == 1 && camera->move_count == 0;
    const bool same = camera->keyframe_count == params.camera.keyframe_count &&
                      camera->move_count == params.camera.move_count;
    if (!alone && !same)
        return status_fail(STATUS_USAGE,
                           "a film of %u keyframes and %u moves cannot be seen with %u and %u of "
                           "them before it is opened anew",
                           params.camera.keyframe_count, params.camera.move_count,
                           camera->keyframe_count, camera->move_count);
    if (alone && !same)
        params.found.camera.keyframe = &start;
    if (!camera->frame->automatic || camera->distance > 0 || camera->keyframe_count > 0)
        params.found.camera.framing = NULL;
    if (camera->align_time != params.camera.align_time ||
        strcmp(camera->align, params.camera.align) != 0)
        params.found.camera.axes = NULL;
    params.camera = *camera;
    struct film_watch watched;
    enum status status = watch(film, camera, &params.look, &watched);
    if (status != STATUS_OK)
        return status;
    params.bodies = watched.bodies;
    status = renderer_aim(film->renderer, &params);
    if (status != STATUS_OK)
        return status;
    film->watch = watched;
    film->shown.bodies = watched.bodies;
    for (int i = 0; i < film->simulation_count; i++)
        simulation_follow(film->simulations[i], watched.row, watched.bodies.count);
    return STATUS_OK;
}

const struct film *film_panel(const struct film *film, int i)
{
    const struct panel_films *apart = film->apart;
    return apart && i < apart->montage.count ? &apart->film[i] : NULL;
}

void film_name_panel(int i)
{
    char name[32];
    snprintf(name, sizeof name, "panel %d", i + 1);
    log_set_part(i < 0 ? NULL : name);
}

enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame)
{
    if (film->apart) /* the first panel's moments are the film's */
        return film_find_moment(film_panel(film, 0), moment, frame);
    const struct script_source source = source_of(film);
    return script_find(&film->script, &source, moment, frame);
}

enum status film_find_bodies(const struct scene *scene, const char *name)
{
    const char *file = scene->bodies.file, *folders = getenv("GRAVREEL_DATA");
    if (!scene->bodies.model->reads_file || !*file || *file == '/' || strcmp(file, "-") == 0 ||
        (scene->bodies.model->plays ? file_any_matches(file) : format_finds(file)))
        return STATUS_OK;
    char advice[256] = "put it there";
    if (choice_find(&builtin_registry, name))
        snprintf(advice, sizeof advice, "`gravreel scenes %s` says where it comes from", name);
    return status_fail(STATUS_IO,
                       "the bodies file '%s' is neither beside the scene nor in the current folder "
                       "nor in a folder of $GRAVREEL_DATA (%s); %s, or name a file with "
                       "--bodies-from",
                       file, folders && *folders ? folders : "not set", advice);
}
