/* gravreel simulate: simulates a scene's bodies without pictures and writes snapshots. */
#include "base/file.h"
#include "base/log.h"
#include "base/functions/fn.h"
#include "base/ranks/ranks.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/run/recording.h"
#include "cmd/film/snapshots/snapshots.h"
#include "cmd/film/start/panels.h"
#include "sim/models/models.h"

#include <argp.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_EVERY = OPTION_OWN, KEY_UNTIL, EVERY_MOST = 10000 };

struct simulate {
    struct render_options options;
    const char *every_text, *until_text; /* NULL: not given */
    double every, end;                   /* simulated times */
    struct scene *scene;
    struct snapshot_names names;
    struct simulation_params params; /* `parts` of its frames are the time from one snapshot to
                                      * the next */
    uint64_t parts;
    uint64_t whole; /* number of whole intervals of `every`; `rest` follows */
    double rest;    /* 0: none */
    double epoch;   /* time of the start according to the bodies' file */
    struct simulation *simulation;
    uint64_t written;
    unsigned each; /* a run keeps each frame of that many; 0: all */
};

static enum status take(void *user, int key, char *argument)
{
    struct simulate *run = user;
    *(key == KEY_EVERY ? &run->every_text : &run->until_text) = argument;
    return STATUS_OK;
}

/* ---- checking the options ---- */

/* Fits equal steps into `time`, none longer than the scene's step. */
static enum status fit_steps(struct simulate *run, double time)
{
    static const double STEPS_MOST = 1e9;
    const struct simulation_params *given = &run->scene->simulation;
    const double steps = fmax(ceil(time / fabs(given->dt) * (1 - 1e-9)), 1);
    if (!(steps <= STEPS_MOST))
        return status_fail(STATUS_USAGE,
                           "a time of %g takes %.3g steps of simulation.dt = %g, but at most %.0e "
                           "are possible between two snapshots",
                           time, steps, given->dt, STEPS_MOST);
    run->params.steps_per_frame = (uint32_t)steps;
    run->params.dt = copysign(time / steps, given->dt);
    if (run->params.damping > 0 && run->params.damping < 1)
        run->params.damping = fn_pow(run->params.damping, run->params.dt / given->dt);
    return STATUS_OK;
}

/* Returns into how many equal frames `time` is divided. Adaptive steps are at least 2^-20 of a
 * frame: with frames as short as the film's shortest, in its slow motion, a simulation passes where
 * its film does. */
static uint64_t parts_of(const struct simulation_params *given, double time)
{
    static const double PARTS_MOST = 1e6;
    double slowness = 1;
    for (uint32_t i = 0; i < given->slow_count; i++)
        slowness += given->slow[i].factor - 1; /* spans may overlap */
    const double parts = ceil(time * slowness / fabs(given->dt * given->steps_per_frame) - 1e-9);
    return given->adaptive > 0 ? (uint64_t)fmin(fmax(parts, 1), PARTS_MOST) : 1;
}

static enum status plan_times(struct simulate *run)
{
    static const double SNAPSHOTS_MOST = 1e6;
    const struct scene *scene = run->scene;
    const struct simulation_params *simulation = &scene->simulation;
    run->end =
        fabs(simulation->dt) * simulation->steps_per_frame * (double)(scene->output.frames - 1);
    enum status status = snapshot_every_parse(run->every_text, &run->every);
    if (status == STATUS_OK && run->until_text) {
        status = snapshot_every_parse(run->until_text, &run->end);
        if (status != STATUS_OK)
            status =
                status_fail(STATUS_USAGE,
                            "--until needs a simulated time above 0, in the scene's unit, found "
                            "'%s'; for example --until 20",
                            run->until_text);
    }
    if (status != STATUS_OK)
        return status;
    const double count = floor(run->end / run->every * (1 + 1e-12) + 1e-9);
    if (!(count < SNAPSHOTS_MOST))
        return status_fail(
            STATUS_USAGE,
            "--every %g makes %.3g snapshots up to time %g, but at most %.0e are possible",
            run->every, count, run->end, SNAPSHOTS_MOST);
    run->whole = (uint64_t)count;
    run->rest = run->end - count * run->every;
    if (run->rest < 1e-9 * run->every)
        run->rest = 0;
    return STATUS_OK;
}

/* ---- a run ---- */

static enum status check_run(struct simulate *run)
{
    const struct render_options *options = &run->options;
    enum status status = STATUS_OK;
    if (run->until_text)
        return status_fail(STATUS_USAGE,
                           "a run has the frames of the scene's film, so --until has no meaning; "
                           "--set output.frames=N makes it shorter or longer");
    if (run->every_text)
        status = count_parse("--every", run->every_text, EVERY_MOST, &run->each);
    if (ranks_begin_first() && status == STATUS_OK)
        status = run_job_check(options->output, options->overwrite);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = scene_request_open(&options->request, &run->scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(&options->request, run->scene);
    if (status == STATUS_OK && (film_played(run->scene) || run->scene->run))
        status = status_fail(STATUS_USAGE,
                             "the scene already takes its bodies and their motion "
                             "from %s; `gravreel render` draws them",
                             run->scene->run ? "a run" : "snapshots");
    if (status == STATUS_OK)
        run->scene->bodies.all_columns = true;
    return status;
}

static int simulate_run(struct simulate *run)
{
    const struct render_options *options = &run->options;
    uint64_t frame = 0;
    char text[STATUS_TEXT_MAX / 2];
    enum status status = check_run(run);
    if (status == STATUS_OK)
        status = run_job_make(&(struct run_making){.path = options->output,
                                                   .backend = options->backend,
                                                   .device = options->device,
                                                   .every = run->each,
                                                   .overwrite = options->overwrite,
                                                   .stop = interrupt_catch()},
                              run->scene, &frame);
    snprintf(text, sizeof text, "the run '%s' has frames 0 to %" PRIu64 " of %" PRIu64 "%s",
             options->output, frame, run->scene ? run->scene->output.frames : 0,
             status == STATUS_STOPPED ? "; the same command continues it" : "");
    if (status == STATUS_OK)
        log_info("%s", text);
    return interrupt_exit_code(status, text);
}

/* Neither a run nor snapshots end with that. */
static enum status check_extension(const char *output)
{
    char list[512];
    const char *extension = file_extension(output);
    if (strchr(output, '%') || format_of_extension(output))
        return STATUS_OK;
    choice_names(&body_format_registry, list, sizeof list);
    return status_fail(STATUS_USAGE,
                       "'%s' %s%s, but a run ends with ." RUN_EXTENSION ", and snapshots with one "
                       "of: %s; for example -o run." RUN_EXTENSION " or -o 'snap_%%03d.hdf5'",
                       output, *extension ? "has the unknown extension ." : "has no extension",
                       extension, list);
}

static enum status check(struct simulate *run)
{
    const struct render_options *options = &run->options;
    if (!options->output)
        return status_fail(STATUS_USAGE,
                           "no output given; name the snapshots with -o, for example -o "
                           "'snap_%%03d.hdf5'");
    enum status status = check_extension(options->output);
    if (status != STATUS_OK)
        return status;
    if (!run->every_text)
        return status_fail(STATUS_USAGE,
                           "no time from one snapshot to the next is given; for example "
                           "--every 0.5, in the scene's unit of time");
    status = snapshot_names_plan(&run->names, "-o", options->output);
    if (status == STATUS_OK)
        status = scene_request_open(&options->request, &run->scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(&options->request, run->scene);
    if (status == STATUS_OK && film_played(run->scene))
        status = status_fail(STATUS_USAGE,
                             "the scene already takes its bodies and their motion from snapshots; "
                             "`gravreel convert` writes them in another format");
    if (status == STATUS_OK)
        status = plan_times(run);
    if (status != STATUS_OK)
        return status;
    if (ranks_begin_first())
        status =
            snapshot_names_check(&run->names, run->whole + (run->rest > 0), options->overwrite);
    return ranks_end_first(status);
}

/* ---- the simulation, of whose bodies each rank has a share if ranks can write them ---- */

static enum status open_simulation(struct simulate *run, const struct bodies *bodies, double time)
{
    struct film_sources sources;
    film_sources(run->scene, &sources);
    run->params = sources.params[0];
    run->parts = parts_of(&run->scene->simulation, time);
    run->params.pace = run->parts > 1 ? "simulation.dt" : "--every";
    enum status status = fit_steps(run, time / (double)run->parts);
    return status == STATUS_OK ? simulation_open(&run->simulation, &run->params,
                                                 run->options.backend, run->options.device, bodies)
                               : status;
}

static enum status open_start(struct simulate *run)
{
    struct bodies_params params = run->scene->bodies;
    struct bodies *bodies;
    const bool shares = snapshot_names_share(&run->names);
    if (ranks_are_together())
        params.divide = shares ? DIVIDE_EVENLY : DIVIDE_FIRST;
    if (params.divide == DIVIDE_FIRST)
        log_info("rank 0 has all bodies, because snapshots of the format %s are written by one "
                 "process; of the format hdf5, each rank writes its share",
                 run->names.format->name);
    enum status status = bodies_make(&params, &bodies);
    if (status == STATUS_OK)
        status = open_simulation(run, bodies, run->whole > 0 ? run->every : run->rest);
    bodies_destroy(&bodies);
    return status == STATUS_OK ? snapshot_epoch(run->scene, run->simulation, &run->epoch) : status;
}

/* Continues with steps of another length. */
static enum status continue_simulation(struct simulate *run)
{
    struct bodies *bodies = NULL;
    const struct bodies *now;
    enum status status = simulation_bodies(run->simulation, &now);
    if (status == STATUS_OK)
        status = bodies_copy(&bodies, now);
    simulation_bodies_end(run->simulation);
    simulation_close(&run->simulation);
    if (status == STATUS_OK)
        status = open_simulation(run, bodies, run->rest);
    bodies_destroy(&bodies);
    return status;
}

/* ---- the run ---- */

/* The time since the start. */
static double time_of(const struct simulate *run, uint64_t number)
{
    const double time = number > run->whole ? run->end : (double)number * run->every;
    return copysign(time, run->scene->simulation.dt);
}

static enum status leave(struct simulate *run, uint64_t number)
{
    enum status status = snapshot_write(&run->names, number, run->scene, run->simulation,
                                        run->epoch + time_of(run, number));
    run->written += status == STATUS_OK;
    return status;
}

/* Simulates the rest after the last multiple, in steps of its own length. */
static enum status run_rest(struct simulate *run, volatile sig_atomic_t *stop)
{
    enum status status = STATUS_OK;
    if (run->whole > 0)
        status = continue_simulation(run);
    if (status == STATUS_OK)
        status = simulation_advance(run->simulation, run->parts, stop);
    return status == STATUS_OK ? leave(run, run->whole + 1) : status;
}

static enum status run_all(struct simulate *run, volatile sig_atomic_t *stop)
{
    struct bar bar;
    const uint64_t last = run->whole + (run->rest > 0);
    enum status status = leave(run, 0);
    bar_begin(&bar, "simulating up to snapshot");
    for (uint64_t k = 1; k <= run->whole && status == STATUS_OK; k++) {
        bar_show(&bar, k - 1, last);
        status = simulation_advance(run->simulation, k * run->parts, stop);
        if (status == STATUS_OK)
            status = leave(run, k);
    }
    if (status == STATUS_OK && run->rest > 0)
        status = run_rest(run, stop);
    bar_end(&bar);
    return status;
}

/* Describes what has been written to disk, also after a stop or a failure. */
static void describe_written(const struct simulate *run, char *text, size_t size)
{
    char *first = snapshot_names_of(&run->names, 0),
         *last = snapshot_names_of(&run->names, run->written ? run->written - 1 : 0);
    if (run->written == 0)
        snprintf(text, size, "no snapshot was written");
    else
        snprintf(text, size, "%" PRIu64 " snapshot%s complete, %s%s%s, up to time %.6g of %.6g",
                 run->written, run->written == 1 ? " is" : "s are", first,
                 run->written == 1 ? "" : " to ", run->written == 1 ? "" : last,
                 run->epoch + time_of(run, run->written - 1),
                 run->epoch + copysign(run->end, run->scene->simulation.dt));
    free(first);
    free(last);
}

static int simulate(struct simulate *run)
{
    char text[STATUS_TEXT_MAX / 2];
    const char *output = run->options.output;
    if (output && strcmp(file_extension(output), RUN_EXTENSION) == 0)
        return simulate_run(run);
    enum status status = check(run);
    if (status == STATUS_OK)
        status = open_start(run);
    if (status != STATUS_OK)
        return (int)status;
    const struct solver *solver = simulation_solver(run->simulation);
    log_info("%zu bodies, %" PRIu64 " steps of %g from one snapshot to the next; %s, %s",
             simulation_saved(run->simulation), run->parts * run->params.steps_per_frame,
             run->params.dt, solver->device, solver->kernel);
    snapshot_warn_lost(&run->names, run->simulation);
    status = run_all(run, interrupt_catch());
    describe_written(run, text, sizeof text);
    if (status == STATUS_OK)
        log_info("%s", text);
    else if (status != STATUS_STOPPED)
        log_warning("%s", text);
    return interrupt_exit_code(status, text);
}

static int run_simulate(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"output", OPTION_OUTPUT, "PATTERN", 0,
         "Pattern of the snapshots' names, with a number: 'snap_%03d.hdf5'; the extension chooses "
         "the format. Or the name of a run, run.gvr: all that films of the scene need, frame by "
         "frame",
         HELP_FILES},
        {"every", KEY_EVERY, "T", 0,
         "Simulated time from one snapshot to the next, in the scene's unit; the steps are "
         "slightly shorter if they do not fit into it. Of a run, a number K: each K-th frame is "
         "kept, and those between are interpolated",
         HELP_SCENE},
        {"until", KEY_UNTIL, "T", 0,
         "Simulated time of the last one, from the start; by default that of the last frame of the "
         "scene's film, without slow motion",
         HELP_SCENE},
        {0},
    };
    struct simulate run = {.every_text = NULL};
    const struct scene_command command = {
        .name = "simulate",
        .args_doc = "[SCENE]",
        .doc =
            "Simulates a scene without drawing it, and writes snapshots of its bodies, the first "
            "and the last moment included, or a run, from which films are drawn. A run that was "
            "interrupted is continued by the same command. Default scene: milky-way-andromeda.\v"
            "Examples:\n"
            "  gravreel simulate plummer -n 4096 -o run.gvr\n"
            "  gravreel render run.gvr --set look.color=speed -o film.mp4\n"
            "  gravreel simulate plummer -n 4096 --every 0.5 -o 'snap_%03d.hdf5'\n"
            "  gravreel render --snapshots 'snap_*.hdf5' -o film.mp4",
        .taker = TAKER_SIMULATE,
        .options = table,
        .take = take,
        .user = &run,
    };
    enum status status = scene_command_parse(&command, &run.options, argc, argv);
    int code = (int)status;
    if (status == STATUS_OK && !run.options.answered)
        code = simulate(&run);
    simulation_close(&run.simulation);
    scene_close(&run.scene);
    render_options_free(&run.options);
    return code;
}

const struct command command_simulate = {
    .name = "simulate",
    .doc = "simulate a scene without drawing it, and write snapshots or a run",
    .run = run_simulate,
    .on_ranks = true,
};
