#include "cmd/cli/summary.h"

#include "base/log.h"
#include "base/machine.h"
#include "base/bar.h"
#include "base/json/facts.h"
#include "cmd/cli/progress.h"
#include "cmd/film/start/panels.h"
#include "sim/bodies/whole.h"
#include "sim/ranks/solver.h"
#include "sim/conservation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static void print_full(const struct target *target, const struct scene *scene,
                       const struct film *film, const struct run_report *report)
{
    const struct pipeline_progress *progress = &report->progress;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    char size[32], duration[32];
    progress_bytes(report->result.bytes, size, sizeof size);
    bar_duration(report->seconds, duration, sizeof duration);
    bool stream = strcmp(target->params.path, "-") == 0;
    log_info("%s: %llu frames, %ux%u, %s, in %s (%.1f frames/s)",
             stream ? "stdout" : target->params.path, (unsigned long long)report->result.frames,
             scene->output.size.width, scene->output.size.height, size, duration,
             report->seconds > 0 ? (double)report->result.frames / report->seconds : 0);
    log_info("  simulation %7.1f s  %zu bodies, %llu steps on %s, %s%s",
             progress->busy[STAGE_SIMULATE], whole_size(bodies_whole(film->bodies)),
             (unsigned long long)simulation_step(film->simulations[0]), solver->device,
             solver->kernel, mark(report, STAGE_SIMULATE));
    if (solver->force_seconds > 0)
        log_info("                        %.3g interactions/s, %.2f ms per force evaluation",
                 solver->interactions / solver->force_seconds,
                 1e3 * solver->force_seconds * solver->force->interactions / solver->interactions);
    print_ranks(solver);
    print_rungs(film->simulations[0]);
    for (int i = 1; i < film->simulation_count; i++)
        log_info("                        for other panels also %s",
                 simulation_solver(film->simulations[i])->kernel);
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

static double rate(const struct run_report *report)
{
    return report->seconds > 0 ? (double)report->result.frames / report->seconds : 0;
}

/* Prints two lines of 80 columns, unless the film's name is long. */
static void print_short(const struct target *target, const struct scene *scene,
                        const struct run_report *report)
{
    struct drift drift;
    char size[32], duration[32], memory[32], energy[48] = "";
    drift_measure(&report->before, &report->after, 0, &drift);
    progress_bytes(report->result.bytes, size, sizeof size);
    progress_bytes(machine_peak_memory(), memory, sizeof memory);
    bar_duration(report->seconds, duration, sizeof duration);
    log_info("%s: %llu frames, %s, in %s (%.1f frames/s)", target->params.path,
             (unsigned long long)report->result.frames, size, duration, rate(report));
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
    facts_number(facts, "frames_per_second", rate(report));
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
