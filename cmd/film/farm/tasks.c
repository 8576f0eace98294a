#include "cmd/film/farm/tasks.h"

#include "base/log.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/forecast/forecast.h"
#include "cmd/film/job/target.h"
#include "cmd/film/film.h"
#include "cmd/film/scene/request.h"
#include "render/video/codecs.h"
#include "scenes/scene.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status farm_check_name(const char *name)
{
    for (const char *at = name; *at; at++)
        if (text_control(at))
            return status_fail(STATUS_USAGE,
                               "a job file cannot name '%s', which has a line feed or another "
                               "control character; rename it",
                               name);
    return STATUS_OK;
}

static void take_resources(struct farm_plan *plan, const struct farm_request *request,
                           const struct farm_need *need)
{
    const uint64_t unit = (uint64_t)256 << 20;
    plan->cpus = request->cpus ? request->cpus : machine_processors();
    plan->gpus = request->gpus ? request->gpus : need->device && !request->one_machine;
    const uint64_t bytes =
        request->memory ? request->memory : ((uint64_t)need->memory + unit - 1) / unit * unit;
    plan->mebibytes = (bytes + (1 << 20) - 1) >> 20;
    plan->minutes = request->minutes ? request->minutes : need->minutes;
    plan->partition = request->partition;
}

void farm_plan_start(struct farm_plan *plan, const struct farm_request *request, size_t tasks,
                     const struct farm_need *need)
{
    *plan = (struct farm_plan){.name = file_stem(request->output),
                               .output = memory_text(request->output),
                               .folder = text_format("%s.farm", request->output),
                               .tasks = tasks,
                               .draw = memory_new(tasks, sizeof *plan->draw)};
    take_resources(plan, request, need);
}

char *farm_device_options(const struct farm_request *request, size_t task)
{
    char *device = request->one_machine && request->gpus
                       ? text_format(" --device %zu", task % request->gpus)
                       : memory_text("");
    const bool automatic = strcmp(request->backend, "auto") == 0;
    char *options = text_format("%s%s%s", automatic ? "" : " --backend ",
                                automatic ? "" : request->backend, device);
    free(device);
    return options;
}

char *farm_append(char *words, const char *word)
{
    char *quoted = text_quoted(word), *out = text_format("%s %s", words, quoted);
    free(words);
    free(quoted);
    return out;
}

void farm_plan_free(struct farm_plan *plan)
{
    for (size_t i = 0; i < plan->tasks; i++) {
        if (plan->simulate)
            free(plan->simulate[i]);
        free(plan->draw[i]);
    }
    free(plan->simulate);
    free(plan->draw);
    free(plan->begin);
    free(plan->finish);
    free(plan->name);
    free(plan->output);
    free(plan->folder);
}

/* ==== how many tasks are of use ==== */

double farm_seconds(const struct farm_cost *cost, size_t tasks)
{
    const double n = (double)tasks;
    if (tasks <= 1)
        return cost->whole;
    const double before = cost->simulate * (n - 1) / n + (n - 1) * cost->start;
    return before + fmax(cost->whole, cost->simulate) / n + cost->start;
}

size_t farm_useful(const struct farm_cost *cost, size_t most)
{
    double least = farm_seconds(cost, 1);
    size_t tasks = 1;
    for (size_t n = 2; n <= most; n++)
        least = fmin(least, farm_seconds(cost, n));
    while (tasks < most && farm_seconds(cost, tasks) > 1.05 * least)
        tasks++;
    return tasks;
}

/* ==== the scenes that a command line means ==== */

static void add(struct farm_scenes *scenes, char *path)
{
    *MEMORY_ADD(scenes->paths, scenes->count) = path;
}

static int is_scene(const struct dirent *entry)
{
    const char *extension = file_extension(entry->d_name);
    return *entry->d_name != '.' &&
           (strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0);
}

static enum status add_folder(struct farm_scenes *scenes, const char *folder)
{
    struct dirent **entries = NULL;
    const size_t before = scenes->count;
    const int count = scandir(folder, &entries, is_scene, alphasort);
    if (count < 0)
        return status_fail(STATUS_IO, "cannot read '%s': %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
        char *path = text_format("%s%s%s", folder, slash, entries[i]->d_name);
        if (file_is_folder(path))
            free(path);
        else
            add(scenes, path);
        free(entries[i]);
    }
    free(entries);
    if (scenes->count > before)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "there is no scene in the folder '%s'; put .yaml files into it, or name "
                       "another",
                       folder);
}

enum status farm_scenes_find(struct farm_scenes *scenes, const char *const *given, size_t count)
{
    enum status status = STATUS_OK;
    *scenes = (struct farm_scenes){0};
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        if (choice_find(&builtin_registry, given[i]) || !file_is_folder(given[i])) {
            add(scenes, memory_text(given[i]));
        } else {
            scenes->folder = true;
            status = add_folder(scenes, given[i]);
        }
    }
    return status;
}

void farm_scenes_free(struct farm_scenes *scenes)
{
    for (size_t i = 0; i < scenes->count; i++)
        free(scenes->paths[i]);
    free(scenes->paths);
}

/* ==== one film in ranges, several films ==== */

/* One film of the request. */
struct subject {
    const char *scene;
    char *path; /* of the film */
    uint64_t frames, segment;
    bool adapts; /* its exposure, so that the chain draws every frame's light too */
    struct forecast forecast;
};

static uint64_t segments_in(uint64_t frames, uint64_t segment)
{
    return (frames + segment - 1) / segment;
}

struct farm_range farm_range(uint64_t frames, uint64_t segment, uint64_t tasks, uint64_t i)
{
    const uint64_t segments = segments_in(frames, segment);
    const uint64_t end = segments * (i + 1) / tasks * segment;
    return (struct farm_range){segments * i / tasks * segment, (end < frames ? end : frames) - 1};
}

static uint64_t segments_of(const struct subject *subject)
{
    return segments_in(subject->frames, subject->segment);
}

/* ---- the request ---- */

static enum status check_names(const struct farm_request *request)
{
    enum status status = farm_check_name(request->output);
    if (status == STATUS_OK && request->carried)
        status = farm_check_name(request->carried);
    for (size_t i = 0; i < request->count && status == STATUS_OK; i++)
        status = farm_check_name(request->inputs[i]);
    return status;
}

static char *film_path(const struct farm_request *request, size_t i)
{
    if (!request->films)
        return memory_text(request->output);
    char *stem = file_stem(request->inputs[i]);
    char *path = text_format("%s/%s.mp4", request->output, stem);
    free(stem);
    return path;
}

static enum status check_target(const struct target *target)
{
    if (target->work_folder && target->plan.container)
        return STATUS_OK;
    return status_fail(
        STATUS_USAGE,
        "'%s' is not a film that ranges can be joined into; name an .mp4, .mkv, .mov "
        "or .webm with -o",
        target->params.path);
}

static enum status check_ranges(const struct farm_request *request, const struct subject *subject)
{
    const uint64_t segments = segments_of(subject);
    if (request->tasks <= segments)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "--tasks %" PRIu64 " is more than the film's %" PRIu64
                       " segments, and a range begins with a segment (%" PRIu64 " of %" PRIu64
                       " frames); give at most --tasks %" PRIu64 " or a shorter output.segment",
                       request->tasks, segments, subject->segment, subject->frames, segments);
}

/* Opens the film as a run would, and measures it. */
static enum status examine(const struct farm_request *request, struct subject *subject)
{
    struct scene *scene = NULL;
    struct target target = {0};
    struct film film = {0};
    struct scene_request opened = *request->changes;
    opened.scene = subject->scene;
    opened.films = true;
    const struct target_request wanted = {.scene = subject->scene,
                                          .output = subject->path,
                                          .format = "",
                                          .backend = request->backend,
                                          .device = request->device,
                                          .encoders = request->encoders,
                                          .metadata = request->metadata,
                                          .overwrite = request->overwrite};
    enum status status = scene_request_open(&opened, &scene);
    if (status == STATUS_OK)
        status = scene_request_find_bodies(&opened, scene);
    if (status == STATUS_OK)
        status = target_plan(&target, &wanted, scene);
    if (status == STATUS_OK)
        status = check_target(&target);
    if (status == STATUS_OK) {
        subject->frames = scene->output.frames;
        subject->segment = scene_segment_length(scene);
        status = check_ranges(request, subject);
    }
    if (status == STATUS_OK)
        status = film_open(&film, &(struct film_options){.scene = scene,
                                                         .backend = request->backend,
                                                         .device = request->device,
                                                         .format = target.plan.format,
                                                         .unfaded = true});
    if (status == STATUS_OK)
        subject->adapts = renderer_meters_every_frame(film.renderer);
    const struct forecast_params params = {.target = &target,
                                           .film = &film,
                                           .memory = request->waiting ? request->waiting
                                                                      : machine_memory() / 4,
                                           .stop = request->stop};
    if (status == STATUS_OK)
        status = forecast_make(&subject->forecast, &params);
    film_close(&film);
    target_free(&target);
    scene_close(&scene);
    return status;
}

/* ---- gain ---- */

static void tell_stages(const struct subject *subject)
{
    char whole[32], part[FORECAST_STAGES][32];
    bar_seconds(subject->forecast.seconds.value, whole, sizeof whole);
    for (int i = 0; i < FORECAST_STAGES; i++)
        bar_seconds(subject->forecast.stages[i], part[i], sizeof part[i]);
    log_info("%s: %" PRIu64 " frames take about %s on one machine: simulation %s, drawing %s, "
             "encoding %s, which overlap",
             subject->path, subject->frames, whole, part[0], part[1], part[2]);
}

static void tell_gain(const struct subject *subject, const struct farm_cost *cost, size_t tasks,
                      size_t useful)
{
    char seconds[32];
    bar_seconds(farm_seconds(cost, tasks), seconds, sizeof seconds);
    log_info("as %zu range%s, a machine or GPU each: about %s", tasks, tasks == 1 ? "" : "s",
             seconds);
    if (subject->adapts)
        log_info("look.exposure: adapt meters every frame, so the chain of simulations draws them "
                 "too; ranges gain more with auto");
    if (useful == 1)
        log_info("dividing the film gains nothing: each range waits for the simulation, which runs "
                 "through all frames in order, and then for its own start (%.2g s)",
                 cost->start);
    else if (useful < segments_of(subject))
        log_info("more than %zu tasks gain nothing: each range waits for the simulation, which "
                 "runs through all frames in order, and then for its own start (%.2g s)",
                 useful, cost->start);
}

/* ---- the lines ---- */

/* "gravreel render SCENE MORE -o FILM --resume", with the user's options and the device. */
static char *render_line(const struct farm_request *request, const char *scene, const char *film,
                         size_t task, const char *more)
{
    char *quoted_scene = text_quoted(scene), *quoted_film = text_quoted(film),
         *device = farm_device_options(request, task);
    char *line = text_format("gravreel render %s%s%s%s -o %s --resume", quoted_scene,
                             request->carried ? request->carried : "", device, more, quoted_film);
    free(quoted_scene);
    free(quoted_film);
    free(device);
    return line;
}

static char *file_in(const struct farm_plan *plan, const char *what, size_t task)
{
    return text_format("%s/%s-%04zu.%s", plan->folder, what, task, file_extension(plan->output));
}

static void plan_range(struct farm_plan *plan, const struct farm_request *request,
                       const struct subject *subject, size_t i)
{
    const struct farm_range range = farm_range(subject->frames, subject->segment, plan->tasks, i);
    char *checkpoints = text_format("%s/checkpoints", plan->folder);
    char *folder = text_quoted(checkpoints);
    const char *scene = subject->scene;
    char *start = file_in(plan, "start", i), *film = file_in(plan, "range", i);
    char *one = text_format(" --frames %" PRIu64 "..%" PRIu64 " --checkpoints %s", range.first,
                            range.first, folder);
    char *all = text_format(" --frames %" PRIu64 "..%" PRIu64 " --checkpoints %s", range.first,
                            range.last, folder);
    plan->simulate[i] = i == 0 ? memory_text("true") : render_line(request, scene, start, 0, one);
    plan->draw[i] = render_line(request, scene, film, i, all);
    free(checkpoints);
    free(folder);
    free(start);
    free(film);
    free(one);
    free(all);
}

static void plan_ranges(struct farm_plan *plan, const struct farm_request *request,
                        const struct subject *subject)
{
    char *film = text_quoted(plan->output), *folder = text_quoted(plan->folder);
    char *join = text_format("gravreel join -y -o %s", film);
    plan->simulate = memory_new(plan->tasks, sizeof *plan->simulate);
    for (size_t i = 0; i < plan->tasks; i++) {
        plan_range(plan, request, subject, i);
        char *range = file_in(plan, "range", i);
        join = farm_append(join, range);
        free(range);
    }
    plan->finish = text_format("%s && gravreel verify %s && rm -rf %s", join, film, folder);
    free(join);
    free(film);
    free(folder);
}

/* The summary verifies every film, and fails if one does. */
static void plan_films(struct farm_plan *plan, const struct farm_request *request,
                       const struct subject *subjects)
{
    char *films = memory_text("");
    for (size_t i = 0; i < plan->tasks; i++) {
        plan->draw[i] = render_line(request, subjects[i].scene, subjects[i].path, i, "");
        films = farm_append(films, subjects[i].path);
    }
    plan->finish = text_format(
        "failed=0; for film in%s; do if gravreel verify --quiet \"$film\"; then echo \"complete: "
        "$film\"; else echo \"failed: $film\"; failed=1; fi; done; test $failed -eq 0",
        films);
    plan->report = true;
    free(films);
}

/* ---- the whole ---- */

/* The resources of a task, with room for machines that are slower than this one. */
static struct farm_need need_of(const struct farm_request *request, const struct subject *subjects,
                                size_t tasks)
{
    static const double spare = 1.5, slower = 3; /* of memory; of other machines */
    struct farm_need need = {.memory = (double)((uint64_t)1 << 30)};
    double seconds = 0;
    for (size_t i = 0; i < request->count; i++) {
        const struct forecast *forecast = &subjects[i].forecast;
        const double share = request->films ? 1 : (double)tasks;
        need.memory = fmax(need.memory, spare * (double)forecast->memory);
        need.device = need.device || forecast->device_memory > 0;
        seconds = fmax(seconds, slower * (forecast->start + forecast->seconds.most / share));
    }
    need.minutes = (uint64_t)ceil(seconds / 60) + 10;
    return need;
}

static enum status check_different(const struct subject *subjects, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(subjects[i].path, subjects[k].path) == 0)
                return status_fail(STATUS_USAGE,
                                   "'%s' and '%s' would both become '%s'; rename one of the scenes",
                                   subjects[k].scene, subjects[i].scene, subjects[i].path);
    return STATUS_OK;
}

static void plan_tasks(struct farm_plan *plan, const struct farm_request *request,
                       const struct subject *subjects)
{
    const struct forecast *forecast = &subjects[0].forecast;
    const struct farm_cost cost = {.simulate = subjects[0].adapts
                                                   ? fmax(forecast->stages[0], forecast->stages[1])
                                                   : forecast->stages[0],
                                   .whole = forecast->seconds.value,
                                   .start = forecast->start};
    const size_t useful = farm_useful(&cost, segments_of(&subjects[0]));
    const size_t tasks = request->films ? request->count : request->tasks ? request->tasks : useful;
    const struct farm_need need = need_of(request, subjects, tasks);
    farm_plan_start(plan, request, tasks, &need);
    if (request->films) {
        plan_films(plan, request, subjects);
    } else {
        tell_gain(&subjects[0], &cost, tasks, useful);
        plan_ranges(plan, request, &subjects[0]);
    }
}

enum status farm_films_plan(struct farm_plan *plan, const struct farm_request *request)
{
    struct subject *subjects = memory_new(request->count, sizeof *subjects);
    enum status status = check_names(request);
    for (size_t i = 0; i < request->count; i++)
        subjects[i] = (struct subject){.scene = request->inputs[i], .path = film_path(request, i)};
    if (status == STATUS_OK)
        status = check_different(subjects, request->count);
    for (size_t i = 0; i < request->count && status == STATUS_OK; i++) {
        status = examine(request, &subjects[i]);
        if (status == STATUS_OK)
            tell_stages(&subjects[i]);
    }
    if (status == STATUS_OK)
        plan_tasks(plan, request, subjects);
    for (size_t i = 0; i < request->count; i++)
        free(subjects[i].path);
    free(subjects);
    return status;
}
