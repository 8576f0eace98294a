#include "cmd/regression/record/recorder.h"

#include "base/functions/fn.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/job/job.h"

#include "cmd/film/film.h"
#include "render/video/codecs.h"
#include "scenes/print.h"
#include "scenes/scene.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- the platform of a film ---- */

char *platform_renderer_class(const char *renderer)
{
    static const char *const names[][2] = {
        {"NVIDIA", "nvidia"},     {"Tesla", "nvidia"},    {"GeForce", "nvidia"},
        {"softpipe", "softpipe"}, {"SWR", "swr"},         {"zink", "zink"},
        {"radeonsi", "radeonsi"}, {"Radeon", "radeonsi"}, {"AMD", "radeonsi"},
        {"Intel", "intel"},       {"virgl", "virgl"},     {"nouveau", "nouveau"},
        {"NV1", "nouveau"},
    };
    const char *bits = strstr(renderer, " bits)");
    if (strncmp(renderer, "llvmpipe", 8) == 0) {
        while (bits && bits > renderer && isdigit((unsigned char)bits[-1]))
            bits--;
        return bits ? text_format("llvmpipe-%d", atoi(bits)) : memory_text("llvmpipe");
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(renderer, names[i][0]))
            return memory_text(names[i][1]);
    char *word = memory_text(renderer);
    word[strcspn(word, " (/")] = '\0';
    for (char *at = word; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    return word;
}

/* Describes the elementary functions by their values: the same on every machine, until one of them
 * changes. */
static char *describe_start(const struct scene *scene)
{
    enum { POINTS = 1024, FUNCTIONS = 15 };
    char hash[HASH_TEXT];
    if (scene->bodies.model->reads_file)
        return memory_text("");
    double(*values)[FUNCTIONS] = memory_new(POINTS, sizeof *values);
    for (int i = 0; i < POINTS; i++) {
        const volatile double x = (i + 1) / 97.0;
        const volatile double share = (i + 0.5) / POINTS;
        const double v[FUNCTIONS] = {
            fn_sin(x),  fn_cos(x),    fn_exp(-x), fn_log(x),      fn_pow(x, -1.3),
            fn_cbrt(x), fn_expm1(-x), fn_erf(x),  fn_erfc(x),     fn_cosh(x),
            fn_tanh(x), fn_j0(x),     fn_j1(x),   fn_acos(share), fn_atanh(share),
        };
        memcpy(values[i], v, sizeof v);
    }
    hash_parts(&(struct hash_part){values, sizeof *values * POINTS}, 1, hash);
    free(values);
    return text_format("functions 0x%.8s", hash);
}

/* Returns the processor's maker: the first estimate of a reciprocal square root is a processor
 * instruction, which makers round differently. */
static const char *maker(const struct solver *solver)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (solver->ops->views != VIEW_HOST || __builtin_cpu_is("intel"))
        return "";
    return __builtin_cpu_is("amd") ? ", AMD" : ", another maker";
#else
    (void)solver;
    return "";
#endif
}

/* Lists the panels' forces whose bits depend on the hardware, with the hardware that computes
 * them. */
static char *describe_physics(const struct film *film)
{
    char *text = memory_text("");
    for (int i = 0; i < film->simulation_count; i++) {
        const struct solver *solver = simulation_solver(film->simulations[i]);
        if (solver->force->ops->same_everywhere)
            continue;
        text_append(&text, "; ", "%s on %s, %s%s", solver->force->ops->name, solver->model,
                    solver->kernel, maker(solver));
    }
    return text;
}

/* Returns the part of "libavcodec 59.37.100, libavformat 59.27.100" that begins with the name. */
static char *library(const char *libraries, const char *name)
{
    const char *at = strstr(libraries, name);
    return at ? text_format("%.*s", (int)strcspn(at, ","), at) : memory_text("");
}

/* Returns ", on NAME, AVX-512, 16 lanes": the description without its second part, the number of
 * threads or multiprocessors. */
static char *device_text(const char *backend, int device)
{
    const struct solver_ops *ops = choice_find(&solver_registry, backend);
    char text[256];
    if (!ops || ops->describe(device, text, sizeof text) != STATUS_OK)
        return memory_text("");
    const char *second = strchr(text, ','), *third = second ? strchr(second + 1, ',') : NULL;
    return text_format(", on %.*s%s", (int)strcspn(text, ","), text, third ? third : "");
}

/* Returns "libx264, libavcodec 59.37.100": the encoder and, where it matters, the hardware. The
 * encoder's settings are left out: they follow from the scene, and if they do not, that is a change
 * to detect. */
static char *describe_encoder(const struct target *target)
{
    const struct sink_plan *plan = &target->plan;
    char *library_text = library(plan->libraries, "libavcodec"), *device = NULL;
    const char *with = *library_text ? library_text : plan->libraries;
    if (plan->codec && plan->codec->stands_in)
        device = device_text("cuda", target->params.cuda_device);
    else if (plan->codec && !target->params.output.deterministic)
        device = device_text("cpu", 0);
    const int name = (int)strcspn(plan->description, " ,");
    char *text = text_format("%.*s%s%s%s", name, plan->description, *with ? ", " : "", with,
                             device ? device : "");
    free(library_text);
    free(device);
    return text;
}

void platform_describe(struct record *record, const struct film *film, const struct target *target)
{
    const struct sink_plan *plan = &target->plan;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    record->platform = (struct platform){
        .start = describe_start(film->scene),
        .physics = describe_physics(film),
        .drawing = memory_text(renderer_driver(film->renderer)),
        .encoder = describe_encoder(target),
        .muxer = library(plan->libraries, "libavformat"),
    };
    record->renderer_class = platform_renderer_class(record->platform.drawing);
    record->device = text_format("%s, %s; %s", solver->model, solver->kernel,
                                 renderer_description(film->renderer));
    record->libraries = memory_text(plan->libraries);
    record->encoding = memory_text(plan->description);
}

/* ---- making it ---- */

struct making {
    const struct record_request *request;
    struct scene *changed; /* copy for a hook to change; NULL: use the scene asked for */
    struct target target;
    struct film film;
    struct recorder *recorder;
    volatile sig_atomic_t *stop;
    struct target_result result;
};

/* Copies the scene for a hook to change. */
static enum status choose_scene(struct making *making)
{
    const struct record_request *request = making->request;
    const struct record_hooks *hooks = request->hooks;
    if (!hooks || !hooks->scene)
        return STATUS_OK;
    const enum status status = scene_copy(&making->changed, request->scene);
    if (status == STATUS_OK)
        hooks->scene(hooks->user, making->changed);
    return status;
}

static const struct scene *scene_of(const struct making *making)
{
    return making->changed ? making->changed : making->request->scene;
}

static enum status plan(struct making *making)
{
    const struct record_request *request = making->request;
    const struct target_request wanted = {
        .scene = request->name,
        .output = request->output,
        .format = request->format ? request->format : "",
        .backend = request->backend,
        .device = request->device,
        .overwrite = true,
        .has_range = request->has_range,
        .first = request->first,
        .last = request->last,
        .encoders = request->encoders,
        .change = request->hooks ? request->hooks->sink : NULL,
        .user = request->hooks ? request->hooks->user : NULL,
    };
    struct target *target = &making->target;
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        status = target_plan(target, &wanted, scene_of(making));
        if (status == STATUS_OK)
            status = recorder_check(target);
        free(target->scene_path);
        free(target->diagnostics_path);
        target->scene_path = target->diagnostics_path = NULL;
    }
    status = ranks_end_first(status);
    return status == STATUS_OK ? target_share(target) : status;
}

static enum status open_film(struct making *making)
{
    const struct record_request *request = making->request;
    const struct recorder_params params = {
        .film = &making->film,
        .scene = request->scene,
        .target = &making->target,
        .diagnostics = request->diagnostics,
        .expected = request->expected,
        .hooks = request->hooks,
    };
    enum status status =
        film_open(&making->film, &(struct film_options){.scene = scene_of(making),
                                                        .backend = request->backend,
                                                        .device = request->device,
                                                        .format = making->target.plan.format,
                                                        .whole = "this command"});
    return status == STATUS_OK ? recorder_open(&making->recorder, &params) : status;
}

static struct pipeline_params pipeline_of(struct making *making)
{
    return (struct pipeline_params){
        .simulations = making->film.simulations,
        .simulation_count = making->film.simulation_count,
        .renderer = making->film.renderer,
        .first = making->target.first,
        .last = making->target.last,
        .memory = machine_memory() / 4,
        .threads = making->request->threads,
        .stop = making->stop,
    };
}

static enum status run_job(struct making *making)
{
    struct job *job;
    struct pipeline_progress progress = {.failed = STAGE_COUNT};
    struct failure failure = {0};
    const struct job_options options = {.overwrite = true, .as_found = true};
    enum status status = job_open(&job, &making->target, &making->film, &options);
    if (status == STATUS_OK) {
        struct pipeline_params params = pipeline_of(making);
        job_set_pipeline(job, &params);
        recorder_set_pipeline(making->recorder, &params);
        status = pipeline_run(&params, &progress);
    }
    failure_keep(&failure, status);
    failure_keep(&failure, job_close(&job, status, &progress, making->stop, &making->result));
    return failure_report(&failure);
}

static enum status run_single(struct making *making)
{
    struct sink *sink;
    struct pipeline_progress progress;
    enum status status = single_open(&sink, &making->target, &making->film);
    if (status != STATUS_OK)
        return status;
    struct pipeline_params params = pipeline_of(making);
    single_set_pipeline(sink, &params);
    recorder_set_pipeline(making->recorder, &params);
    status = pipeline_run(&params, &progress);
    return single_close(&sink, &making->film, status, progress.done[STAGE_ENCODE], &making->result);
}

static bool needs_segments(const struct making *making)
{
    const struct target *target = &making->target;
    const uint64_t length = scene_segment_length(scene_of(making));
    return target->work_folder && target->first / length != target->last / length;
}

static enum status make(struct making *making, struct record *out)
{
    enum status status = choose_scene(making);
    if (status == STATUS_OK)
        status = plan(making);
    if (status == STATUS_OK)
        status = open_film(making);
    if (status == STATUS_OK)
        status = needs_segments(making) ? run_job(making) : run_single(making);
    if (ranks_begin_first() && status == STATUS_OK)
        status = recorder_finish(making->recorder, making->result.bytes, out);
    return ranks_end_first(status);
}

enum status record_film(const struct record_request *request, struct record *out)
{
    volatile sig_atomic_t never = 0;
    struct making making = {.request = request, .stop = request->stop ? request->stop : &never};
    *out = (struct record){0};
    const unsigned before = request->threads ? solver_use_threads(request->threads) : 0;
    enum status status = make(&making, out);
    if (before)
        solver_use_threads(before);
    recorder_close(&making.recorder);
    film_close(&making.film);
    target_free(&making.target);
    scene_close(&making.changed);
    return status;
}
