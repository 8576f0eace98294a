#include "cmd/cli/progress.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/diagnostics.h"
#include "sim/integrators/integrator.h"
#include "sim/ranks/rank_solver.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double plain_interval = 5.0; /* seconds between lines without a terminal */
static const double file_interval = 0.5;
static const double load_interval = 2.0; /* interval of the load average, in seconds */

static const char first_key[] = "frame="; /* first key of every block */

struct progress {
    bool quiet, bar;
    FILE *file;
    double next_line, next_block;
    struct load since;
    struct load_parts load; /* of the latest interval */
};

void progress_bytes(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double value = (double)bytes;
    size_t unit = 0;
    while (value >= 1000 && unit + 1 < sizeof units / sizeof units[0]) {
        value /= 1000;
        unit++;
    }
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
}

enum status progress_check(const char *path, bool overwrite)
{
    char head[sizeof first_key] = "";
    size_t size;
    if (!path || overwrite || !file_exists(path) || file_is_special(path))
        return path ? output_check(path) : STATUS_OK;
    enum status status = file_read_head(path, head, sizeof head - 1, &size);
    if (status != STATUS_OK || size == 0 || strcmp(head, first_key) == 0)
        return status == STATUS_OK ? output_check(path) : status;
    return status_fail(STATUS_USAGE,
                       "'%s' exists already and does not hold the progress of a run; replace it "
                       "with -y or choose another name for --progress",
                       path);
}

static FILE *open_file(const char *path)
{
    file_drop_link(path);
    const int descriptor = file_is_special(path)
                               ? file_open_to_write(path)
                               : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    return descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
}

enum status progress_open(struct progress **out, bool quiet, const char *path)
{
    struct progress *progress = *out = memory_new(1, sizeof *progress);
    progress->quiet = quiet;
    progress->next_line = clock_seconds() + plain_interval;
    progress->since = load_now();
    progress->load = load_since(progress->since);
    if (path) {
        progress->file = file_is_standard(path) ? stdout : open_file(path);
        if (!progress->file) {
            free(progress);
            *out = NULL;
            return status_fail(STATUS_IO, "cannot write the progress file '%s': %s", path,
                               strerror(errno));
        }
    }
    progress->bar = !quiet && log_is_terminal();
    return STATUS_OK;
}

static double progress_rate(const struct pipeline_progress *now)
{
    return now->elapsed > 0 ? (double)now->done[STAGE_ENCODE] / now->elapsed : 0;
}

static void write_block(struct progress *progress, const struct pipeline_progress *now,
                        const char *word)
{
    double fps = progress_rate(now);
    fprintf(progress->file, "%s%llu\nframes=%llu\nfps=%.2f\n", first_key,
            (unsigned long long)now->done[STAGE_ENCODE], (unsigned long long)now->wanted, fps);
    fprintf(progress->file, "simulated_time=%.6g\nelapsed=%.2f\n", now->time, now->elapsed);
    for (int s = 0; s < STAGE_COUNT; s++)
        fprintf(progress->file, "busy_%s=%.2f\n", stage_name((enum stage)s), now->busy[s]);
    fprintf(progress->file, "others=%.2f\n", progress->load.others);
    fprintf(progress->file, "bottleneck=%s\nsize=%llu\nprogress=%s\n",
            stage_name(pipeline_bottleneck(now)), (unsigned long long)now->bytes, word);
    fflush(progress->file);
}

static void format_text(const struct progress *progress, const struct pipeline_progress *now,
                        char *text, size_t size)
{
    double fps = progress_rate(now);
    uint64_t done = now->done[STAGE_ENCODE];
    char left[32] = "-:--", load[80];
    if (fps > 0)
        bar_duration((double)(now->wanted - done) / fps, left, sizeof left);
    load_describe(progress->load, load, sizeof load);
    snprintf(text, size, "%llu/%llu frames, %.1f frames/s, %s left, slowest: %s%s%s",
             (unsigned long long)done, (unsigned long long)now->wanted, fps, left,
             stage_name(pipeline_bottleneck(now)), *load ? "; " : "", load);
}

static void read_load(struct progress *progress, double clock)
{
    if (!(clock >= progress->since.clock + load_interval))
        return;
    progress->load = load_since(progress->since);
    progress->since = load_now();
}

void progress_tick(void *user, const struct pipeline_progress *now)
{
    struct progress *progress = user;
    double clock = clock_seconds();
    read_load(progress, clock);
    if (progress->file && clock >= progress->next_block) {
        write_block(progress, now, "continue");
        progress->next_block = clock + file_interval;
    }
    if (progress->quiet)
        return;
    if (progress->bar) {
        char text[240], line[LOG_LINE_MAX];
        format_text(progress, now, text, sizeof text);
        bar_format(now->done[STAGE_ENCODE], now->wanted, text, line, sizeof line);
        log_set_line(line);
    } else if (clock >= progress->next_line) {
        char text[240];
        format_text(progress, now, text, sizeof text);
        log_info("%s", text);
        progress->next_line = clock + plain_interval;
    }
}

void progress_hide(struct progress *progress)
{
    if (progress->bar)
        log_set_line("");
    progress->bar = false;
}

enum status progress_close(struct progress **progress, const struct pipeline_progress *last,
                           const char *word)
{
    struct progress *self = *progress;
    if (!self)
        return STATUS_OK;
    progress_hide(self);
    enum status status = STATUS_OK;
    if (self->file) {
        write_block(self, last, word);
        bool bad = ferror(self->file);
        const bool standard = self->file == stdout;
        if ((standard ? fflush(self->file) : fclose(self->file)) != 0 || bad)
            status = status_fail(STATUS_IO, "cannot write the progress file: %s", strerror(errno));
    }
    free(self);
    *progress = NULL;
    return status;
}

static const char *mark(const struct run_report *report, enum stage stage)
{
    return pipeline_bottleneck(&report->progress) == stage ? "  <- slowest" : "";
}

static void print_memory(const struct run_report *report)
{
    char host[32], device[32];
    progress_bytes(machine_peak_memory(), host, sizeof host);
    progress_bytes(report->progress.device_memory, device, sizeof device);
    const bool on_device = report->progress.device_memory > 0;
    log_info("  memory %s at most%s%s", host, on_device ? ", GPU memory " : "",
             on_device ? device : "");
}

enum { PANEL_TEXT = 256 };

/* Describes simulation i > 0: of panels with other physics, or of a panel with its own scene. */
static void say_panel(const struct film *film, int i, char out[PANEL_TEXT])
{
    const struct solver *solver = simulation_solver(film->simulations[i]);
    if (film->apart)
        snprintf(out, PANEL_TEXT, "panel %d: %zu bodies, %s", i + 1,
                 whole_size(bodies_whole(film_panel(film, i)->bodies)), solver->kernel);
    else
        snprintf(out, PANEL_TEXT, "for other panels also %s", solver->kernel);
}

static void print_ranks(const struct solver *solver)
{
    struct ranks_summary ranks;
    if (!ranks_summary_of(solver, &ranks))
        return;
    char slowest[64] = "", bytes[32];
    if (ranks.slowest > 0)
        snprintf(slowest, sizeof slowest, "slowest rank %.2f of the mean, ", ranks.slowest);
    progress_bytes((uint64_t)ranks.bytes, bytes, sizeof bytes);
    log_info("                        %swaiting %.0f %%, %s per force evaluation sent by rank 0",
             slowest, 100 * ranks.waiting, bytes);
}

/* Prints the lengths of the bodies' own steps, as fractions of a frame, and the work they saved. */
static void print_rungs(const struct simulation *simulation)
{
    const uint64_t *made = simulation_rungs(simulation);
    char line[512] = "";
    double time = 0, steps = 0;
    int deepest = 0;
    for (int k = 0; made && k < RUNGS; k++) {
        time += ldexp((double)made[k], -k);
        steps += (double)made[k];
        deepest = made[k] > 0 ? k : deepest;
    }
    if (!made || time == 0)
        return;
    for (int k = 0; k <= deepest; k++) {
        const size_t end = strlen(line);
        const double part = ldexp((double)made[k], -k) / time;
        if (made[k] > 0)
            snprintf(line + end, sizeof line - end, "%s1/%u %.2g %%", end > 0 ? ", " : "", 1u << k,
                     100 * part);
    }
    log_info("                        steps per body: %.3g; lengths in frames and their share of "
             "the time: %s; %.2g times as many as with the shortest for all bodies",
             steps, line, steps / ldexp(time, deepest));
}

/* Prints the energy, except for snapshots: their bodies move by unknown forces, so that the energy
 * means nothing. */
static void print_physics(const struct target *target, const struct scene *scene,
                          const struct run_report *report)
{
    struct drift drift;
    const char *path = target->diagnostics_path;
    drift_measure(&report->before, &report->after, 0, &drift);
    if (film_played(scene)) {
        log_info("  no energy: the bodies move by their snapshots, not by forces%s%s",
                 path ? "; diagnostics in " : "", path ? path : "");
        return;
    }
    log_info("  energy %.6g -> %.6g, drift %.2g %%; drift of momentum %.2g %%, of angular momentum "
             "%.2g %%",
             report->before.energy, report->after.energy, 100 * drift.energy, 100 * drift.momentum,
             100 * drift.angular_momentum);
    log_info("  virial ratio 2K/|W| %.4g -> %.4g%s%s", report->before.virial, report->after.virial,
             path ? ", diagnostics in " : "", path ? path : "");
}

/* Counts the frames that this run made; a resumed film has others, too. */
static double summary_rate(const struct run_report *report)
{
    const uint64_t made = report->progress.done[STAGE_ENCODE];
    return report->seconds > 0 ? (double)made / report->seconds : 0;
}

/* In a resumed run: "120 of them now, ". */
static void say_kept(const struct run_report *report, char *out, size_t room)
{
    const uint64_t made = report->progress.done[STAGE_ENCODE], all = report->result.frames;
    out[0] = '\0';
    if (made < all)
        snprintf(out, room, "%" PRIu64 " of them now, ", made);
}

static void print_full(const struct target *target, const struct scene *scene,
                       const struct film *film, const struct run_report *report)
{
    const struct pipeline_progress *progress = &report->progress;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    char size[32], duration[32], kept[64];
    progress_bytes(report->result.bytes, size, sizeof size);
    bar_duration(report->seconds, duration, sizeof duration);
    bool stream = strcmp(target->params.path, "-") == 0;
    say_kept(report, kept, sizeof kept);
    log_info("%s: %llu frames, %ux%u, %s, in %s (%s%.1f frames/s)",
             stream ? "stdout" : target->params.path, (unsigned long long)report->result.frames,
             scene->output.size.width, scene->output.size.height, size, duration, kept,
             summary_rate(report));
    const size_t bodies = whole_size(bodies_whole(film->bodies));
    if (film_played(scene))
        log_info("  snapshots  %7.1f s  %zu bodies, read and moved in between%s",
                 progress->busy[STAGE_SIMULATE], bodies, mark(report, STAGE_SIMULATE));
    else
        log_info("  simulation %7.1f s  %zu bodies, %llu steps on %s, %s%s",
                 progress->busy[STAGE_SIMULATE], bodies,
                 (unsigned long long)simulation_step(film->simulations[0]), solver->device,
                 solver->kernel, mark(report, STAGE_SIMULATE));
    if (solver->force_seconds > 0)
        log_info("                        %.3g interactions/s, %.2f ms per force evaluation",
                 solver->interactions / solver->force_seconds,
                 1e3 * solver->force_seconds * solver->force->interactions / solver->interactions);
    print_ranks(solver);
    print_rungs(film->simulations[0]);
    for (int i = 1; i < film->simulation_count; i++) {
        char what[PANEL_TEXT];
        say_panel(film, i, what);
        log_info("                        %s", what);
    }
    log_info("  drawing    %7.1f s  %s%s", progress->busy[STAGE_DRAW],
             renderer_description(film->renderer), mark(report, STAGE_DRAW));
    log_info("  encoder    %7.1f s  %s%s", progress->busy[STAGE_ENCODE] + report->close_seconds,
             target->plan.description, mark(report, STAGE_ENCODE));
    print_physics(target, scene, report);
    print_memory(report);
    if (load_is_busy(report->load))
        log_info("  the machine was busy: others used %.0f %% of its processors",
                 100 * report->load.others);
    if (target->scene_path)
        log_info("  scene  %s", target->scene_path);
}

/* Prints two lines of 80 columns, unless the film's name is long. */
static void print_short(const struct target *target, const struct scene *scene,
                        const struct run_report *report)
{
    struct drift drift;
    char size[32], duration[32], memory[32], energy[48] = "", kept[64];
    drift_measure(&report->before, &report->after, 0, &drift);
    progress_bytes(report->result.bytes, size, sizeof size);
    progress_bytes(machine_peak_memory(), memory, sizeof memory);
    bar_duration(report->seconds, duration, sizeof duration);
    say_kept(report, kept, sizeof kept);
    log_info("%s: %llu frames, %s, in %s (%s%.1f frames/s)", target->params.path,
             (unsigned long long)report->result.frames, size, duration, kept, summary_rate(report));
    if (!film_played(scene))
        snprintf(energy, sizeof energy, "energy drift %.2g %%; ", 100 * drift.energy);
    log_info("  slowest: %s; %smemory %s", stage_name(pipeline_bottleneck(&report->progress)),
             energy, memory);
}

static void tell_rungs(struct facts *facts, const struct simulation *simulation)
{
    const uint64_t *made = simulation_rungs(simulation);
    facts_list(facts, "steps_per_body");
    for (int k = 0; made && k < RUNGS; k++) {
        struct facts *rung = made[k] > 0 ? facts_item(facts, "steps_per_body") : NULL;
        if (!rung)
            continue;
        facts_number(rung, "part_of_frame", ldexp(1, -k));
        facts_whole(rung, "steps", made[k]);
    }
}

static void print_json(const struct target *target, const struct scene *scene,
                       const struct film *film, const struct run_report *report)
{
    struct drift drift;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    struct facts *facts = facts_open();
    drift_measure(&report->before, &report->after, 0, &drift);
    facts_text(facts, "output", target->params.path);
    facts_whole(facts, "frames", report->result.frames);
    facts_whole(facts, "width", scene->output.size.width);
    facts_whole(facts, "height", scene->output.size.height);
    facts_whole(facts, "bytes", report->result.bytes);
    facts_number(facts, "seconds", report->seconds);
    facts_number(facts, "frames_per_second", summary_rate(report));
    facts_text(facts, "slowest", stage_name(pipeline_bottleneck(&report->progress)));
    struct facts *busy = facts_object(facts, "busy_seconds");
    for (int s = 0; s < STAGE_COUNT; s++)
        facts_number(busy, stage_name((enum stage)s), report->progress.busy[s]);
    facts_whole(facts, "bodies", whole_size(bodies_whole(film->bodies)));
    facts_text(facts, "device", solver->device);
    facts_text(facts, "kernel", solver->kernel);
    tell_rungs(facts, film->simulations[0]);
    facts_text(facts, "renderer", renderer_description(film->renderer));
    facts_text(facts, "encoder", target->plan.description);
    if (!film_played(scene)) {
        facts_number(facts, "energy_before", report->before.energy);
        facts_number(facts, "energy_after", report->after.energy);
        facts_number(facts, "energy_drift", drift.energy);
        facts_number(facts, "momentum_drift", drift.momentum);
        facts_number(facts, "angular_momentum_drift", drift.angular_momentum);
    }
    facts_whole(facts, "peak_memory", machine_peak_memory());
    facts_whole(facts, "device_memory", report->progress.device_memory);
    facts_number(facts, "others", report->load.others);
    if (target->scene_path)
        facts_text(facts, "scene", target->scene_path);
    facts_print(&facts);
}

void summary_print(const struct target *target, const struct scene *scene, const struct film *film,
                   const struct run_report *report, const char *form)
{
    if (form && strcmp(form, "json") == 0)
        print_json(target, scene, film, report);
    else if (form && strcmp(form, "short") == 0)
        print_short(target, scene, report);
    else
        print_full(target, scene, film, report);
}

/* The number of steps to the end of the film; no steps are made while time stands still. */
static uint64_t steps_to_end(const struct target *target, const struct film *film)
{
    return frame_clock_steps_before(&film->script.clock, target->last);
}

/* The interactions of all forces of the run, if the number of steps is known in advance. */
static double interactions(const struct target *target, const struct scene *scene,
                           const struct film *film)
{
    const uint64_t steps = steps_to_end(target, film);
    const uint64_t forces = (uint64_t)scene->simulation.integrator->forces_per_step;
    double sum = 0; /* per evaluation of the forces */
    for (int i = 0; i < film->simulation_count; i++)
        sum += simulation_solver(film->simulations[i])->force->interactions;
    return scene->simulation.adaptive > 0 ? NAN : (double)(steps * forces + 1) * sum;
}

static void print_plan(const struct target *target, const struct scene *scene,
                       const struct film *film)
{
    const struct solver *solver = simulation_solver(film->simulations[0]);
    uint64_t frames = target->last - target->first + 1;
    const uint64_t steps = steps_to_end(target, film);
    text_print("output      %s, frames %llu to %llu (%llu), %ux%u, %u/%u frames per second\n",
               target->sink->discards ? "none" : target->params.path,
               (unsigned long long)target->first, (unsigned long long)target->last,
               (unsigned long long)frames, scene->output.size.width, scene->output.size.height,
               scene->output.fps.num, scene->output.fps.den);
    text_print("encoder     %s\n", target->plan.description);
    const size_t components = film->bodies->component_count;
    char word[TEXT_WORD];
    text_print("bodies      %zu in %zu %s, model %s%s%s\n", whole_size(bodies_whole(film->bodies)),
               components, text_of_count("components", (double)components, word),
               scene->bodies.model->name, *scene->bodies.file ? ", " : "", scene->bodies.file);
    if (scene->simulation.adaptive > 0)
        text_print("simulation  adaptive steps of %s%s over %g on %s, %s\n",
                   scene->simulation.integrator->name,
                   simulation_rungs(film->simulations[0]) ? ", each body's own," : "",
                   frame_clock_time(&film->script.clock, target->last), solver->device,
                   solver->kernel);
    else
        text_print("simulation  %llu steps of %g, %s, on %s, %s\n", (unsigned long long)steps,
                   scene->simulation.dt, scene->simulation.integrator->name, solver->device,
                   solver->kernel);
    for (int i = 1; i < film->simulation_count; i++) {
        char what[PANEL_TEXT];
        say_panel(film, i, what);
        text_print("            %s\n", what);
    }
    if (scene->simulation.adaptive == 0)
        text_print("interactions  %.3g in total\n", interactions(target, scene, film));
    if (target->diagnostics_path)
        text_print("diagnostics %s\n", target->diagnostics_path);
    text_print("drawing     %s\n", renderer_description(film->renderer));
    if (target->scene_path)
        text_print("scene       %s\n", target->scene_path);
    fflush(stdout); /* the following steps take a while */
}

static void tell_simulation(struct facts *json, const struct target *target,
                            const struct scene *scene, const struct film *film)
{
    const struct solver *solver = simulation_solver(film->simulations[0]);
    const bool adaptive = scene->simulation.adaptive > 0;
    const uint64_t steps = steps_to_end(target, film);
    facts_text(json, "device", solver->device);
    facts_text(json, "kernel", solver->kernel);
    facts_text(json, "integrator", scene->simulation.integrator->name);
    facts_flag(json, "adaptive", adaptive);
    if (adaptive)
        facts_flag(json, "steps_per_body", simulation_rungs(film->simulations[0]) != NULL);
    if (!adaptive)
        facts_whole(json, "steps", steps);
    facts_number(json, "dt", scene->simulation.dt);
    facts_number(json, "time", (double)steps * scene->simulation.dt);
    facts_number(json, "interactions", interactions(target, scene, film));
    for (int i = 1; i < film->simulation_count; i++)
        facts_text(facts_item(json, "other_panels"), "kernel",
                   simulation_solver(film->simulations[i])->kernel);
}

static void tell_plan(struct facts *json, const struct target *target, const struct scene *scene,
                      const struct film *film)
{
    const struct output_params *output = &scene->output;
    facts_text(json, "output", target->sink->discards ? NULL : target->params.path);
    facts_flag(json, "complete", false);
    facts_whole(json, "first_frame", target->first);
    facts_whole(json, "last_frame", target->last);
    facts_whole(json, "frames", target->last - target->first + 1);
    facts_whole(json, "width", output->size.width);
    facts_whole(json, "height", output->size.height);
    facts_number(json, "fps", (double)output->fps.num / output->fps.den);
    facts_whole(json, "bodies", whole_size(bodies_whole(film->bodies)));
    facts_whole(json, "components", film->bodies->component_count);
    facts_text(json, "model", scene->bodies.model->name);
    if (*scene->bodies.file)
        facts_text(json, "file", scene->bodies.file);
    tell_simulation(facts_object(json, "simulation"), target, scene, film);
    facts_text(json, "renderer", renderer_description(film->renderer));
    facts_text(json, "encoder", target->plan.description);
    facts_text(json, "scene", target->scene_path);
    facts_text(json, "diagnostics", target->diagnostics_path);
}

void dry_run_plan(struct facts *json, const struct target *target, const struct scene *scene,
                  const struct film *film)
{
    if (json)
        tell_plan(json, target, scene, film);
    else
        print_plan(target, scene, film);
}

void dry_run_complete(struct facts *json, const struct target *target)
{
    if (!json)
        return;
    facts_text(json, "output", target->params.path);
    facts_flag(json, "complete", true);
}

static void print_range(const char *name, const struct forecast_figure *figure,
                        void (*write)(double value, char *text, size_t size), const char *more)
{
    char value[32], least[32], most[32];
    write(figure->value, value, sizeof value);
    write(figure->least, least, sizeof least);
    write(figure->most, most, sizeof most);
    text_print("%-12sabout %s (%s to %s)%s\n", name, value, least, most, more);
}

static void write_bytes(double value, char *text, size_t size)
{
    progress_bytes((uint64_t)value, text, size);
}

static void print_forecast(const struct forecast *forecast)
{
    char bytes[32], more[80] = "";
    if (forecast->working_bytes > 0) {
        write_bytes(forecast->working_bytes, bytes, sizeof bytes);
        snprintf(more, sizeof more, ", and %s while its segments are joined", bytes);
    }
    print_range("time", &forecast->seconds, bar_seconds, "");
    print_range("disk", &forecast->bytes, write_bytes, more);
    write_bytes((double)forecast->memory, bytes, sizeof bytes);
    text_print("memory      about %s\n", bytes);
    write_bytes((double)forecast->device_memory, bytes, sizeof bytes);
    text_print("GPU memory  %s%s\n", forecast->device_memory ? "about " : "none",
               forecast->device_memory ? bytes : "");
    text_print("            estimated from %llu frame%s %s, in %.1f s\n",
               (unsigned long long)forecast->frames, forecast->frames == 1 ? "" : "s",
               forecast->places > 1 ? "throughout the film" : "at its beginning", forecast->taken);
    load_describe(forecast->load, more, sizeof more);
    if (*more)
        text_print("            %s, which the time includes\n", more);
    text_print("nothing was written (--dry-run)\n");
}

static void tell_figure(struct facts *json, const char *name, const struct forecast_figure *figure)
{
    struct facts *range = facts_object(json, name);
    facts_number(range, "value", figure->value);
    facts_number(range, "least", figure->least);
    facts_number(range, "most", figure->most);
}

static void tell_forecast(struct facts *json, const struct forecast *forecast)
{
    tell_figure(json, "seconds", &forecast->seconds);
    tell_figure(json, "bytes", &forecast->bytes);
    facts_number(json, "working_bytes", fmax(forecast->working_bytes, forecast->bytes.value));
    facts_whole(json, "peak_memory", forecast->memory);
    facts_whole(json, "device_memory", forecast->device_memory);
    struct facts *trial = facts_object(json, "trial");
    facts_whole(trial, "frames", forecast->frames);
    facts_whole(trial, "places", (uint64_t)forecast->places);
    facts_number(trial, "seconds", forecast->taken);
    facts_number(trial, "others", forecast->load.others);
}

void dry_run_forecast(struct facts *json, const struct forecast *forecast)
{
    if (json)
        tell_forecast(json, forecast);
    else
        print_forecast(forecast);
}
