#include "cmd/cli/dry_run.h"

#include "base/bar.h"
#include "base/text.h"
#include "cmd/cli/progress.h"
#include "sim/bodies/whole.h"
#include "sim/integrators/integrator.h"

#include <math.h>
#include <stdio.h>

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
    for (int i = 1; i < film->simulation_count; i++)
        text_print("            for other panels also %s\n",
                   simulation_solver(film->simulations[i])->kernel);
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
