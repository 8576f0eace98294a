#include "base/file.h"
#include "base/json/facts.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/cli/arguments.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/progress.h"
#include "cmd/command.h"
#include "cmd/film/advice.h"
#include "cmd/film/film.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/scene/request.h"
#include "cmd/film/start/binding.h"
#include "cmd/film/start/propose.h"
#include "cmd/film/start/quantity.h"
#include "cmd/film/start/universe.h"
#include "cmd/film/tags.h"
#include "render/reader/stream.h"
#include "render/video/picture_file.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"
#include "sim/diagnostics.h"
#include "sim/formats/units.h"
#include "sim/models/models.h"
#include "sim/run/run.h"

#include <argp.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { KEY_SOFTENING = 256, KEY_JSON };

struct info_options {
    const char *name;
    double softening;
    bool as_json;
    struct facts *json; /* NULL: prints text */
};

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    struct info_options *options = state->input;
    char *end;
    switch (key) {
    case KEY_SOFTENING:
        options->softening = strtod(argument, &end);
        if (*end || end == argument || !(options->softening > 0) || !isfinite(options->softening))
            argp_error(state, "--softening: expected a number above 0, found '%s'", argument);
        return 0;
    case KEY_JSON:
        options->as_json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (options->name)
            argp_error(state, "expected one file, found '%s' and '%s'", options->name, argument);
        options->name = argument;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "no file given; name a bodies file, a scene, a film or a picture");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void print_component(const struct bodies *bodies, const struct component *component)
{
    double mass = 0, low[3] = {INFINITY, INFINITY, INFINITY},
           high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = component->first; i < component->first + component->count; i++) {
        mass += bodies->mass[i];
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], bodies->position[i][k]);
            high[k] = fmax(high[k], bodies->position[i][k]);
        }
    }
    char softening[48] = "";
    if (component->softening != 0)
        snprintf(softening, sizeof softening, "  softening %g", component->softening);
    text_print(
        "  %-14s %-10s %9zu bodies, mass %-10.6g x %.4g..%.4g  y %.4g..%.4g  z %.4g..%.4g%s%s\n",
        *component->galaxy ? component->galaxy : "-", component->name, component->count, mass,
        low[0], high[0], low[1], high[1], low[2], high[2], softening,
        component->draw ? "" : "  (not drawn)");
}

/* A column of words: "name  9 words, Sun to Neptune". */
static void print_words(const struct body_column *column, const char *missing, bool first)
{
    char word[TEXT_WORD];
    text_print("%s%s  %zu %s", first ? "columns:    " : "            ", column->name,
               column->words->count, text_of_count("words", (double)column->words->count, word));
    if (column->words->count > 0)
        text_print(", %s to %s", column->words->list[0],
                   column->words->list[column->words->count - 1]);
    text_print("%s\n", missing);
}

static void print_columns(const struct bodies *bodies)
{
    for (size_t c = 0; c < bodies->columns.count; c++) {
        const struct body_column *column = &bodies->columns.list[c];
        const struct body_column_range range = body_column_range(column, bodies->count);
        char missing[64] = "", word[TEXT_WORD];
        if (range.missing > 0)
            snprintf(missing, sizeof missing, ", missing for %zu %s", range.missing,
                     text_of_count("bodies", (double)range.missing, word));
        if (column->words) {
            print_words(column, missing, c == 0);
            continue;
        }
        text_print("%s%s%s%s%s", c == 0 ? "columns:    " : "            ", column->name,
                   *column->unit ? " [" : "", column->unit, *column->unit ? "]" : "");
        if (range.missing < bodies->count)
            text_print("  %.6g..%.6g%s\n", range.least, range.largest, missing);
        else
            text_print("  missing for all bodies\n");
    }
}

/* Prints the units that are stated or follow, or fills `json`. */
static void tell_units(struct facts *json, const struct units_params *stated)
{
    const struct units_params units = units_complete(stated);
    const struct {
        const char *name, *what, *unit;
        double value;
    } known[] = {{"length_kpc", "length", "kpc", units.length_kpc},
                 {"time_myr", "time", "Myr", units.time_myr},
                 {"velocity_kms", "velocity", "km/s", units.velocity_kms},
                 {"mass_msun", "mass", "solar masses", units.mass_msun}};
    if (!(units.length_kpc > 0 || units.time_myr > 0))
        return;
    struct facts *out = json ? facts_object(json, "units") : NULL;
    if (!out)
        text_print("units:      G = 1");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!(known[i].value > 0))
            continue;
        if (out)
            facts_number(out, known[i].name, known[i].value);
        else
            text_print(", %s %.6g %s", known[i].what, known[i].value, known[i].unit);
    }
    if (!out)
        text_print("\n");
}

/* Prints what a file says of the universe and of its box, or fills `json`. */
static void tell_universe(struct facts *json, const struct scene *scene)
{
    struct universe_found found;
    const double myr = units_complete(&scene->bodies.units).time_myr;
    if (universe_read(scene, &found) != STATUS_OK)
        return;
    const struct cosmology *cosmology = &found.cosmology;
    const double *edge = found.edge;
    const bool boxed = edge[0] > 0 || edge[1] > 0 || edge[2] > 0;
    const double a = cosmology->hubble > 0 ? cosmology_scale_at(cosmology, found.age) : 0;
    const double z = a > 0 && fabs(1 / a - 1) >= 1e-9 ? 1 / a - 1 : 0;
    if (a > 0 && json) {
        struct facts *out = facts_object(json, "universe");
        facts_number(out, "redshift", z);
        facts_number(out, "scale_factor", a);
        facts_number(out, "age_gyr", found.age * myr / 1e3);
        facts_number(out, "omega_matter", cosmology->matter);
        facts_number(out, "omega_lambda", cosmology->lambda);
        facts_number(out, "h", cosmology->h);
    } else if (a > 0)
        text_print("universe:   z = %.4g, a = %.4g, %.4g Gyr old; matter %g, lambda %g, h %g\n", z,
                   a, found.age * myr / 1e3, cosmology->matter, cosmology->lambda, cosmology->h);
    if (boxed && json)
        facts_vector(json, "box", edge);
    else if (boxed)
        text_print("box:        %.6g x %.6g x %.6g\n", edge[0], edge[1], edge[2]);
}

static void tell_component(struct facts *json, const struct bodies *bodies,
                           const struct component *component)
{
    double mass = 0;
    struct facts *item = facts_item(json, "components");
    for (size_t i = component->first; i < component->first + component->count; i++)
        mass += bodies->mass[i];
    facts_text(item, "galaxy", component->galaxy);
    facts_text(item, "name", component->name);
    facts_whole(item, "count", component->count);
    facts_number(item, "mass", mass);
    facts_number(item, "softening", component->softening);
    facts_flag(item, "drawn", component->draw);
}

static void tell_columns(struct facts *json, const struct bodies *bodies)
{
    facts_list(json, "columns");
    for (size_t c = 0; c < bodies->columns.count; c++) {
        const struct body_column *column = &bodies->columns.list[c];
        const struct body_column_range range = body_column_range(column, bodies->count);
        struct facts *item = facts_item(json, "columns");
        facts_text(item, "name", column->name);
        facts_text(item, "unit", column->unit);
        facts_number(item, "least", column->words ? NAN : range.least);
        facts_number(item, "largest", column->words ? NAN : range.largest);
        facts_whole(item, "words", column->words ? column->words->count : 0);
        facts_whole(item, "missing", range.missing);
    }
}

static enum status tell_bodies(struct facts *facts, const struct bodies *bodies,
                               const struct simulation_params *by)
{
    struct diagnostics d;
    struct binding binding;
    struct facts *json = facts_object(facts, "bodies");
    enum status status = binding_find(&binding, bodies, by);
    if (status != STATUS_OK)
        return status;
    diagnostics_compute(bodies, binding.potential, &d);
    facts_whole(json, "count", bodies->count);
    facts_number(json, "mass", d.mass);
    for (size_t c = 0; c < bodies->component_count; c++)
        tell_component(json, bodies, &bodies->components[c]);
    tell_columns(json, bodies);
    facts_vector(json, "centre", d.centre);
    facts_vector(json, "momentum", d.momentum);
    facts_vector(json, "angular_momentum", d.angular_momentum);
    facts_number(json, "softening", by->softening);
    facts_number(json, "kinetic", d.kinetic);
    facts_number(json, "potential", binding.force ? d.potential : NAN);
    facts_number(json, "energy", binding.force ? d.energy : NAN);
    facts_number(json, "virial_ratio", binding.force ? d.virial : NAN);
    facts_text(json, "potential_by", binding.force ? binding.force->name : binding.why);
    return STATUS_OK;
}

static void print_energy(const struct binding *binding, const struct diagnostics *d,
                         double softening)
{
    text_print("energy:     kinetic %.9g, ", d->kinetic);
    if (binding->force)
        text_print("potential %.9g (softening %g%s), total %.9g, virial ratio %.4g\n", d->potential,
                   softening, binding->force == &force_tree ? ", by a tree" : "", d->energy,
                   d->virial);
    else
        text_print("no potential: %s\n", binding->why);
}

/* The potential takes long to compute, so it comes last. */
static enum status print_bodies(const struct bodies *bodies, const struct simulation_params *by)
{
    struct diagnostics d;
    struct binding binding;
    diagnostics_compute(bodies, 0, &d);
    text_print("bodies:     %zu, mass %.9g\n", bodies->count, d.mass);
    for (size_t c = 0; c < bodies->component_count; c++)
        print_component(bodies, &bodies->components[c]);
    print_columns(bodies);
    text_print("centre:     %.6g %.6g %.6g, momentum %.6g %.6g %.6g\n", d.centre[0], d.centre[1],
               d.centre[2], d.momentum[0], d.momentum[1], d.momentum[2]);
    fflush(stdout);
    enum status status = binding_find(&binding, bodies, by);
    if (status != STATUS_OK)
        return status;
    diagnostics_compute(bodies, binding.potential, &d);
    print_energy(&binding, &d, by->softening);
    text_print("angular momentum: %.8g %.8g %.8g\n", d.angular_momentum[0], d.angular_momentum[1],
               d.angular_momentum[2]);
    return STATUS_OK;
}

/* The requested softening replaces the scene's. */
static enum status describe_bodies(const struct bodies_params *params, const struct scene *scene,
                                   const struct info_options *options)
{
    struct simulation_params by = scene->simulation;
    by.softening = options->softening > 0 ? options->softening : by.softening;
    struct bodies *bodies;
    struct bodies_params all = *params;
    all.all_columns = true;
    enum status status = bodies_make(&all, &bodies);
    if (status == STATUS_OK)
        status = quantity_check(scene, bodies);
    if (status == STATUS_OK)
        status =
            options->json ? tell_bodies(options->json, bodies, &by) : print_bodies(bodies, &by);
    bodies_destroy(&bodies);
    return status;
}

/* Logs all faults but the last, whose message becomes the command's own. */
static void take_fault(void *user, const char *sentence)
{
    char **last = user;
    if (*last)
        log_error("%s", *last);
    free(*last);
    *last = memory_text(sentence);
}

static enum status report_faults(char *last, enum status status)
{
    if (last)
        status = status_fail(status == STATUS_OK ? STATUS_USAGE : status, "%s", last);
    free(last);
    return status;
}

/* Finds moments that never occur, by searching for each. */
static enum status seek_faults(const struct scene *scene)
{
    struct script_source source = {.scene = scene, .backend = "auto"};
    struct bodies *bodies;
    char *last = NULL;
    if (!script_seeks(scene))
        return STATUS_OK;
    enum status status = bodies_make(&scene->bodies, &bodies);
    if (status != STATUS_OK)
        return status;
    source.bodies = bodies;
    script_seek_faults(&source, &(struct fault_taker){take_fault, &last});
    bodies_destroy(&bodies);
    return report_faults(last, STATUS_OK);
}

/* Opens the scene, or reports everything that is wrong with it. */
static enum status open_scene(struct scene **out, const char *name)
{
    char *last = NULL;
    const struct fault_taker taker = {take_fault, &last};
    enum status status = scene_open_faults(out, name, &taker);
    if (*out)
        script_faults(*out, &taker);
    return report_faults(last, status);
}

static void print_scene(const struct info_options *options, const struct scene *scene)
{
    text_print("scene:      %s\n", *scene->output.title ? scene->output.title : options->name);
    const struct output_params *output = &scene->output;
    char fps[32];
    snprintf(fps, sizeof fps, output->fps.den == 1 ? "%u%.0u" : "%u/%u", output->fps.num,
             output->fps.den == 1 ? 0 : output->fps.den);
    text_print("film:       %llu frames, %ux%u, %s frames per second; %u steps of %g per frame\n",
               (unsigned long long)output->frames, output->size.width, output->size.height, fps,
               scene->simulation.steps_per_frame, scene->simulation.dt);
    tell_units(NULL, &scene->bodies.units);
}

static void tell_size(struct facts *film, uint64_t frames, uint32_t width, uint32_t height,
                      uint32_t fps_num, uint32_t fps_den)
{
    facts_whole(film, "frames", frames);
    facts_whole(film, "width", width);
    facts_whole(film, "height", height);
    facts_number(film, "fps", fps_den ? (double)fps_num / fps_den : NAN);
}

static void tell_scene(const struct info_options *options, const struct scene *scene)
{
    const struct output_params *output = &scene->output;
    facts_text(options->json, "scene", *output->title ? output->title : options->name);
    struct facts *film = facts_object(options->json, "film");
    tell_size(film, output->frames, output->size.width, output->size.height, output->fps.num,
              output->fps.den);
    facts_whole(film, "steps_per_frame", scene->simulation.steps_per_frame);
    facts_number(film, "dt", scene->simulation.dt);
}

/* Opens the scene anew, with the scenes of its panels. */
static enum status open_panels(const struct info_options *options, struct scene **scene)
{
    const struct scene_request request = {.scene = options->name};
    scene_close(scene);
    return scene_request_open(&request, scene);
}

static enum status print_panels(const struct scene *scene)
{
    enum status status = STATUS_OK;
    for (uint32_t i = 0; status == STATUS_OK && i < scene->look.panel_count; i++) {
        const struct panel_params *panel = &scene->look.panels[i];
        struct scene *own;
        if (!panel_is_apart(panel))
            continue;
        status = scene_parse(&own, panel->scene_text, "a panel");
        if (status != STATUS_OK)
            break;
        text_print("panel %u:    %s, %llu frames\n", i + 1,
                   *panel->snapshots ? panel->snapshots
                   : *panel->scene   ? panel->scene
                                     : panel->set,
                   (unsigned long long)own->output.frames);
        scene_close(&own);
    }
    return status;
}

static enum status scene_info(const struct info_options *options)
{
    struct scene *scene;
    enum status status = open_scene(&scene, options->name);
    if (status == STATUS_OK)
        status = film_find_bodies(scene, options->name);
    if (status == STATUS_OK)
        film_take_units(scene);
    if (status == STATUS_OK && propose_is_needed(scene))
        status = propose_for_file(scene);
    const bool shows = status == STATUS_OK && look_shows_own(&scene->look);
    if (shows && !choice_find(&builtin_registry, options->name))
        advice_tell_bodies(scene);
    if (status == STATUS_OK && look_is_montage(&scene->look))
        status = open_panels(options, &scene);
    if (status == STATUS_OK)
        (options->json ? tell_scene : print_scene)(options, scene);
    if (status == STATUS_OK && !options->json)
        status = print_panels(scene);
    if (status == STATUS_OK && shows)
        status = describe_bodies(&scene->bodies, scene, options);
    if (status == STATUS_OK)
        status = seek_faults(scene);
    scene_close(&scene);
    return status;
}

static void tell_tags(struct facts *json, const struct tags *tags)
{
    struct facts *all = facts_object(json, "tags");
    for (size_t i = 0; i < tags->count; i++)
        facts_text(all, tags->list[i].name, tags->list[i].value);
}

static void tell_film(struct facts *json, const struct film_info *info)
{
    struct facts *film = facts_object(json, "film");
    facts_text(film, "format", info->container->name);
    facts_text(film, "codec", info->codec);
    tell_size(film, info->frames, info->width, info->height, info->fps_num, info->fps_den);
    facts_number(film, "seconds", info->duration);
    facts_whole(film, "bytes", info->bytes);
    if (*info->encoder)
        facts_text(film, "encoder", info->encoder);
    tell_tags(json, &info->tags);
}

static void print_tags(const struct tags *tags, const char *what)
{
    const char *scene = tags_find(tags, FILM_TAG_SCENE);
    for (size_t i = 0; i < tags->count; i++)
        if (tags->list[i].value != scene)
            text_print("%s: %s\n", tags->list[i].name, tags->list[i].value);
    if (scene)
        text_print("scene, as YAML that renders this %s again:\n%s", what, scene);
}

static enum status film_file_info(const struct info_options *options)
{
    struct film_info info;
    enum status status = film_info_read(options->name, &info);
    if (status != STATUS_OK)
        return status;
    char size[32];
    progress_bytes(info.bytes, size, sizeof size);
    if (options->json) {
        tell_film(options->json, &info);
        status = own_scene_check(&info.tags, options->name);
        film_info_free(&info);
        return status;
    }
    text_print("film:       %s, %s, %ux%u, %llu frames", info.container->name, info.codec,
               info.width, info.height, (unsigned long long)info.frames);
    if (info.fps_den)
        text_print(", %.6g frames per second", (double)info.fps_num / info.fps_den);
    text_print(", %.3f s, %s\n", info.duration, size);
    if (*info.encoder)
        text_print("encoded by: %s\n", info.encoder);
    print_tags(&info.tags, "film");
    status = own_scene_check(&info.tags, options->name);
    film_info_free(&info);
    return status;
}

static enum status picture_info(const struct info_options *options, const char *kind)
{
    struct tags tags;
    char size[32];
    struct stat file;
    enum status status = own_scene_tags(options->name, &tags);
    const uint64_t bytes =
        stat(options->name, &file) == 0 && file.st_size > 0 ? (uint64_t)file.st_size : 0;
    if (status == STATUS_OK && options->json) {
        struct facts *picture = facts_object(options->json, "picture");
        facts_text(picture, "format", kind);
        facts_whole(picture, "bytes", bytes);
        tell_tags(options->json, &tags);
    } else if (status == STATUS_OK) {
        progress_bytes(bytes, size, sizeof size);
        text_print("picture:    %s, %s\n", kind, size);
        print_tags(&tags, "picture");
    }
    if (status == STATUS_OK)
        status = own_scene_check(&tags, options->name);
    tags_free(&tags);
    return status;
}

static void print_run(const struct run *run, uint64_t bytes)
{
    const struct run_about *about = run_about(run);
    const uint64_t count = run_count(run);
    char size[32];
    progress_bytes(bytes, size, sizeof size);
    text_print("run:        %llu of %llu frames, up to simulated time %.6g, %s%s\n",
               (unsigned long long)count, (unsigned long long)about->frames,
               run_moment(run, count - 1)->time, size,
               count < about->frames ? "; `gravreel simulate` continues it" : "");
    if (about->every > 1)
        text_print("kept:       every %u frames; those between are interpolated\n", about->every);
    text_print("bodies:     %zu\n", about->bodies->count);
    for (size_t c = 0; c < about->bodies->component_count; c++) {
        const struct component *component = &about->bodies->components[c];
        text_print("            %s%s%s, %zu bodies\n", component->galaxy,
                   *component->galaxy ? "/" : "", component->name, component->count);
    }
    for (int s = 0; s < about->simulation_count; s++)
        text_print("simulated:  %s, by %s, %s\n", about->simulations[s].physics,
                   about->simulations[s].model, about->simulations[s].kernel);
    text_print("columns:    position, velocity");
    for (int c = 0; c < about->columns.count; c++)
        text_print(", %s", about->columns.list[c]);
    text_print("\nscene, as YAML:\n%s", about->scene);
}

static void tell_run(struct facts *json, const struct run *run, uint64_t bytes)
{
    const struct run_about *about = run_about(run);
    struct facts *out = facts_object(json, "run");
    facts_whole(out, "frames", run_count(run));
    facts_whole(out, "frames_planned", about->frames);
    facts_whole(out, "every", about->every);
    facts_number(out, "time", run_moment(run, run_count(run) - 1)->time);
    facts_whole(out, "bodies", about->bodies->count);
    facts_whole(out, "bytes", bytes);
    facts_text(out, "motion", about->moves);
    for (int s = 0; s < about->simulation_count; s++) {
        struct facts *one = facts_item(out, "simulations");
        facts_text(one, "physics", about->simulations[s].physics);
        facts_text(one, "device", about->simulations[s].model);
        facts_text(one, "kernel", about->simulations[s].kernel);
    }
    for (int c = 0; c < about->columns.count; c++)
        facts_text(facts_item(out, "columns"), "name", about->columns.list[c]);
    facts_text(out, "scene", about->scene);
}

static enum status run_file_info(const struct info_options *options)
{
    struct run *run;
    struct stat file;
    const enum status status = run_open(&run, options->name);
    if (status != STATUS_OK)
        return status;
    /* frames that are not yet written are holes */
    const uint64_t bytes = stat(options->name, &file) == 0 ? (uint64_t)file.st_blocks * 512 : 0;
    if (options->json)
        tell_run(options->json, run, bytes);
    else
        print_run(run, bytes);
    run_close(&run);
    return STATUS_OK;
}

/* Reads the file as the model "file" does: all rows, unscaled. */
static enum status bodies_file_info(const struct info_options *options)
{
    struct scene *scene;
    enum status status = scene_parse(&scene, "bodies: {model: file}\n", "info");
    if (status == STATUS_OK) {
        free(scene->bodies.file);
        scene->bodies.file = memory_text(options->name);
        film_take_units(scene);
        tell_units(options->json, &scene->bodies.units);
        tell_universe(options->json, scene);
        struct bodies_params params = scene->bodies;
        params.count = 0;
        status = describe_bodies(&params, scene, options);
    }
    scene_close(&scene);
    return status;
}

static enum status file_info(const struct info_options *options)
{
    if (film_info_is_film(options->name))
        return film_file_info(options);
    const struct picture_file *picture = picture_file_of(options->name);
    return picture ? picture_info(options, picture->kind) : bodies_file_info(options);
}

/* Whether it is a film of which there is only the work folder, OUT.parts, as after `kill -9`. */
static bool is_unfinished(const char *name)
{
    char *folder = text_format("%s.parts", name);
    const bool unfinished = !file_exists(name) && manifest_exists(folder);
    free(folder);
    return unfinished;
}

static int run_info(int argc, char **argv)
{
    static const struct argp_option table[] = {
        {"softening", KEY_SOFTENING, "EPS", 0,
         "Softening of the potential energy (default: the scene's)", 0},
        {"json", KEY_JSON, NULL, 0, "Print it as JSON", HELP_OTHER},
        {0},
    };
    static const struct argp argp = {
        .options = table,
        .parser = parse_one,
        .args_doc = "FILE",
        .doc =
            "Describes a bodies file, a scene (built-in name or YAML), or a film, picture or run "
            "by gravreel. Of a scene that has faults it tells all of them at once.\v"
            "Examples:\n"
            "  gravreel info film.mp4\n"
            "  gravreel info plummer",
    };
    struct info_options options = {0};
    enum status status = arguments_parse(&argp, "info", argc, argv, &options);
    if (status != STATUS_OK)
        return (int)status;
    options.json = options.as_json ? facts_open() : NULL;
    if (run_is_file(options.name))
        status = run_file_info(&options);
    else if (scene_is_named(options.name))
        status = scene_info(&options);
    else if (is_unfinished(options.name))
        status = status_fail(STATUS_IO, "'%s' is unfinished; continue it with `gravreel resume %s`",
                             options.name, options.name);
    else if (!file_exists(options.name) && !file_is_standard(options.name))
        status = status_fail(STATUS_IO,
                             "there is no file '%s'; name a film, a picture, a scene or a "
                             "table of bodies",
                             options.name);
    else
        status = file_info(&options);
    /* a film with damaged tags still has printed what was readable */
    if (status == STATUS_OK || status == STATUS_MISMATCH)
        facts_print(&options.json);
    facts_free(&options.json);
    return (int)status;
}

const struct command command_info = {
    .name = "info",
    .doc = "describe a bodies file, a scene, a run, a film or a picture",
    .run = run_info,
};
