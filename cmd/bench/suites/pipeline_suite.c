/* The stages of a film alone and together: how close the whole comes to the speed of its slowest
 * stage. */
#include "cmd/bench/suites/suites.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "cmd/bench/bound.h"
#include "cmd/film/film.h"
#include "cmd/film/pipeline/pipeline.h"
#include "render/sinks.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLES = 24 }; /* different pictures for encoding alone */

struct bench_case {
    const char *label, *count, *size, *format, *preset;
    unsigned encoders, threads; /* 0: chosen by the number of processors */
    uint64_t length, frames;    /* of a segment, of the run */
};

static unsigned thread_count(const struct bench_case *what)
{
    return what->threads ? what->threads : machine_processors();
}

struct reel {
    const struct bench_case *what;
    struct scene *scene;
    struct film film;
    struct sink_params sink;
    struct temporary temporary;
    uint64_t first;         /* frames simulated so far */
    double views, pictures; /* waiting views and pictures, summed over ticks */
    unsigned ticks;
    volatile sig_atomic_t stop;
};

static enum status open_segment(void *user, uint64_t segment, uint64_t *frames, struct sink **sink)
{
    (void)frames;
    const struct reel *reel = user;
    struct sink_params params = reel->sink;
    char path[320];
    snprintf(path, sizeof path, "%s/%llu.%s", reel->temporary.folder, (unsigned long long)segment,
             reel->what->format);
    if (strcmp(reel->what->format, "png") == 0)
        snprintf(path, sizeof path, "%s/%%08d.png", reel->temporary.folder);
    params.path = path;
    params.first_frame = segment * reel->what->length;
    return sink_open(&params, sink);
}

static enum status close_segment(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    (void)user, (void)segment, (void)frames, (void)whole, (void)broken;
    return (*sink)->ops->close(sink, false, NULL, NULL); /* discards the file */
}

static const struct segment_ops segments = {.open = open_segment, .close = close_segment};

static void note_queues(void *user, const struct pipeline_progress *progress)
{
    struct reel *reel = user;
    reel->views += (double)progress->views;
    reel->pictures += (double)progress->pictures;
    reel->ticks++;
}

static void close_reel(struct reel *reel)
{
    film_close(&reel->film);
    scene_close(&reel->scene);
    temporary_close(&reel->temporary);
}

static enum status make_scene(struct reel *reel)
{
    char frames[32];
    snprintf(frames, sizeof frames, "%llu", (unsigned long long)(16 * reel->what->frames));
    const char *const settings[][2] = {{"bodies.count", reel->what->count},
                                       {"output.size", reel->what->size},
                                       {"output.frames", frames},
                                       {"simulation.steps_per_frame", "1"},
                                       {"simulation.dt", "0.01"}};
    enum status status = scene_open(&reel->scene, builtin_default());
    for (size_t i = 0; i < sizeof settings / sizeof settings[0] && status == STATUS_OK; i++)
        status = scene_set(reel->scene, settings[i][0], settings[i][1], "bench");
    return status == STATUS_OK ? scene_validate(reel->scene) : status;
}

static enum status open_reel(struct reel *reel, const struct bench_case *what,
                             const struct bench_options *options)
{
    *reel = (struct reel){.what = what};
    enum status status = make_scene(reel);
    if (status != STATUS_OK)
        return status;
    const struct output_params *output = &reel->scene->output;
    const char *path = strcmp(what->format, "png") == 0 ? "%08d.png" : "film";
    reel->sink = (struct sink_params){.path = path,
                                      .format = what->format,
                                      .width = output->size.width,
                                      .height = output->size.height,
                                      .fps_num = output->fps.num,
                                      .fps_den = output->fps.den,
                                      .output = *output};
    reel->sink.output.crf = -1;
    reel->sink.output.preset = (char *)(size_t)what->preset; /* only read */
    reel->sink.output.threads = thread_count(what);
    struct sink_plan plan = {0};
    if (ranks_begin_first()) {
        status = temporary_open(&reel->temporary);
        if (status == STATUS_OK)
            status = sink_make_plan(&reel->sink, &plan);
    }
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status =
            film_open(&reel->film, &(struct film_options){.scene = reel->scene,
                                                          .backend = options->cuda ? "cuda" : "cpu",
                                                          .device = options->device,
                                                          .format = plan.format,
                                                          .whole = "this command"});
    return status;
}

/* Frames per second of the simulation with its views. */
static enum status simulate_alone(struct reel *reel, double *rate)
{
    struct simulation *simulation = reel->film.simulations[0];
    struct view *view = NULL;
    enum status status = simulation_view_create(simulation, &view);
    const uint64_t frames = reel->what->frames / 2 + 1;
    double since = clock_seconds();
    for (uint64_t k = 0; k < frames && status == STATUS_OK; k++) {
        status = simulation_advance(simulation, reel->first + k, NULL);
        if (status == STATUS_OK)
            status = simulation_view_fill(simulation, view);
    }
    struct diagnostics settled; /* diagnostics wait for the device */
    if (status == STATUS_OK)
        status = simulation_diagnose(simulation, &settled);
    *rate = (double)frames / (clock_seconds() - since);
    reel->first += frames;
    simulation_view_destroy(simulation, &view);
    return status;
}

static enum status draw(struct reel *reel, struct view *view, struct picture **pictures,
                        double *rate)
{
    struct renderer *renderer = reel->film.renderer;
    enum status status = renderer_meter(renderer, view);
    for (int i = 0; i < SAMPLES && status == STATUS_OK; i++)
        status = renderer_picture_create(renderer, &pictures[i]);
    const uint64_t frames = reel->what->frames;
    double since = clock_seconds();
    for (uint64_t k = 0; k < frames && status == STATUS_OK; k++) {
        view->frame = 8 * k; /* the camera turns, so pictures differ */
        status = renderer_submit(renderer, view, pictures[k % SAMPLES]);
        if (status == STATUS_OK && k > 0)
            status = renderer_wait(renderer);
    }
    if (status == STATUS_OK)
        status = renderer_wait(renderer);
    *rate = (double)frames / (clock_seconds() - since);
    return status;
}

static enum status draw_alone(struct reel *reel, struct picture **pictures, double *rate)
{
    struct simulation *simulation = reel->film.simulations[0];
    struct view *view = NULL;
    enum status status = simulation_view_create(simulation, &view);
    if (status == STATUS_OK)
        status = simulation_view_fill(simulation, view);
    if (ranks_begin_first() && status == STATUS_OK)
        status = draw(reel, view, pictures, rate);
    simulation_view_destroy(simulation, &view);
    return ranks_end_first(status);
}

/* Frames per second of the encoders alone, given previously drawn pictures. */
static enum status encode_alone(struct reel *reel, unsigned encoders, uint64_t length,
                                struct picture *const *samples, double *rate)
{
    const uint64_t frames = length ? reel->what->frames : reel->what->frames / 4 + 1;
    const struct encoders_params params = {.renderer = reel->film.renderer,
                                           .ops = &segments,
                                           .user = reel,
                                           .last = frames - 1,
                                           .length = length,
                                           .count = encoders,
                                           .pictures =
                                               (size_t)pipeline_pictures(encoders, length, false)};
    struct encoders *stage;
    double since = clock_seconds();
    enum status status = encoders_open(&stage, &params);
    for (uint64_t frame = 0; frame < frames && status == STATUS_OK; frame++) {
        struct picture *picture;
        status = encoders_picture(stage, &picture);
        if (status != STATUS_OK)
            break;
        memcpy(picture->data, samples[frame % SAMPLES]->data, picture->layout.size);
        picture->frame = frame;
        status = encoders_put(stage, picture);
    }
    struct failure first = {0};
    failure_keep(&first, status);
    if (stage)
        failure_keep(&first, encoders_finish(stage));
    *rate = (double)frames / (clock_seconds() - since);
    encoders_close(&stage);
    return failure_report(&first);
}

static enum status run_together(struct reel *reel, unsigned encoders, uint64_t length,
                                struct pipeline_progress *progress)
{
    struct simulation *simulation = reel->film.simulations[0];
    const uint64_t first = simulation_frame(simulation);
    const struct pipeline_params params = {
        .simulations = &simulation,
        .simulation_count = 1,
        .renderer = reel->film.renderer,
        .metered = true,
        .segments = reel->film.renderer ? &segments : NULL, /* rank 0 draws all bodies */
        .user = reel,
        .first = first,
        .last = first + reel->what->frames - 1,
        .segment_length = length,
        .encoders = encoders,
        .memory = machine_memory() / 4,
        .stop = &reel->stop,
        .tick = note_queues,
        .tick_user = reel,
    };
    return pipeline_run(&params, progress);
}

struct figures {
    double simulation, drawing, encoding, together, one_encoder;
};

/* Logs the stage, because a case takes up to half a minute. */
static void tell(const struct reel *reel, const char *stage)
{
    log_info("pipeline: %s: %s", reel->what->label, stage);
}

static enum status measure_encoding(struct reel *reel, unsigned encoders,
                                    struct picture *const *samples, struct figures *figures)
{
    tell(reel, "encoding alone");
    enum status status =
        encode_alone(reel, encoders, reel->what->length, samples, &figures->encoding);
    if (status == STATUS_OK && encoders > 1) {
        tell(reel, "one encoder alone");
        reel->sink.output.threads = machine_processors() > 16 ? 16 : machine_processors();
        status = encode_alone(reel, 1, 0, samples, &figures->one_encoder);
        reel->sink.output.threads = thread_count(reel->what);
    }
    return status;
}

static enum status measure(struct reel *reel, unsigned encoders, struct figures *figures,
                           struct pipeline_progress *progress)
{
    struct picture *samples[SAMPLES] = {0};
    struct renderer *renderer = reel->film.renderer;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = renderer_bind(renderer);
    status = ranks_end_first(status);
    if (status != STATUS_OK)
        return status;
    tell(reel, "simulation alone");
    status = simulate_alone(reel, &figures->simulation);
    if (status == STATUS_OK) {
        tell(reel, "drawing alone");
        status = draw_alone(reel, samples, &figures->drawing);
    }
    if (ranks_begin_first()) {
        if (status == STATUS_OK)
            status = measure_encoding(reel, encoders, samples, figures);
        for (int i = 0; i < SAMPLES; i++)
            renderer_picture_destroy(renderer, &samples[i]);
        renderer_unbind(renderer);
    }
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        tell(reel, "all together");
    if (status == STATUS_OK)
        status = run_together(reel, encoders, reel->what->length, progress);
    figures->together = (double)progress->done[STAGE_ENCODE] / progress->elapsed;
    return status;
}

enum {
    LABEL,
    SIMULATION,
    DRAWING,
    ENCODERS,
    ENCODING,
    TOGETHER,
    BOUND,
    FRACTION,
    ONE,
    MEGABYTES,
    QUEUES,
    COLUMNS
};

static void fill_row(struct bench_table *table, struct reel *reel, unsigned encoders,
                     const struct figures *figures)
{
    const bool one_device = strstr(renderer_description(reel->film.renderer), "CUDA device");
    bench_number(table, SIMULATION, figures->simulation);
    bench_number(table, DRAWING, figures->drawing);
    bench_text(table, ENCODERS, "%u x %u", encoders, thread_count(reel->what));
    bench_number(table, ENCODING, figures->encoding);
    bench_number(table, TOGETHER, figures->together);
    bench_bound_rate(
        table, BOUND, figures->together,
        bench_bound_frames(figures->simulation, figures->drawing, figures->encoding, one_device));
    if (figures->one_encoder > 0)
        bench_number(table, ONE, figures->together / figures->one_encoder);
    bench_number(table, MEGABYTES, 1e-6 * (double)renderer_picture_bytes(reel->film.renderer));
    if (reel->ticks > 0)
        bench_text(table, QUEUES, "%.1f, %.1f", reel->views / reel->ticks,
                   reel->pictures / reel->ticks);
}

static void run_case(const struct bench_options *options, struct bench_table *table,
                     const struct bench_case *what)
{
    struct reel reel;
    struct figures figures = {0};
    struct pipeline_progress progress = {0};
    const unsigned encoders =
        what->encoders ? what->encoders : encoders_default_count(thread_count(what));
    bench_add_row(table);
    bench_text(table, LABEL, "%s", what->label);
    enum status status = open_reel(&reel, what, options);
    if (status == STATUS_OK)
        status = measure(&reel, encoders, &figures, &progress);
    if (status == STATUS_OK && reel.film.renderer)
        fill_row(table, &reel, encoders, &figures);
    else if (status != STATUS_OK)
        bench_failed(table, TOGETHER, "%s", status_text());
    close_reel(&reel);
}

static enum status run_pipeline(const struct bench_options *options, struct bench_report *report)
{
    static const struct bench_column columns[COLUMNS] = {
        {"case", "", 0, false, false},
        {"simulation", "frames/s", 3, false, false},
        {"drawing", "frames/s", 3, false, false},
        {"encoders x threads", "", 0, false, false},
        {"encoding", "frames/s", 3, false, false},
        {"together", "frames/s", 3, false, false},
        {"bound", "frames/s", 3, false, false},
        {"of the bound", "%", 3, false, false},
        {"against one encoder", "times", 3, false, false},
        {"read back per frame", "MB", 3, false, false},
        {"views, pictures waiting", "", 0, false, false},
    };
    static const struct bench_case large[] = {
        {"65,536 bodies 1080p x264 medium", "65536", "1080p", "mkv", "medium", 0, 8, 40, 3000},
        {"x264 by 6 x 4", "65536", "1080p", "mkv", "medium", 6, 4, 40, 3000},
        {"the same, discarded", "65536", "1080p", "null", "", 1, 1, 60, 2000},
        {"the same, 4K x264 medium", "65536", "4k", "mkv", "medium", 0, 8, 40, 1600},
        {"the same, PNG 1080p", "65536", "1080p", "png", "", 1, 0, 60, 960},
    };
    static const struct bench_case small[] = {
        {"2,048 bodies 720p x264 medium", "2048", "720p", "mkv", "medium", 0, 2, 30, 90},
        {"the same, discarded", "2048", "720p", "null", "", 1, 1, 30, 90},
    };
    struct bench_table *table =
        bench_add_table(report, "pipeline", COLUMNS, columns, "stages alone and together");
    const bool use_large = options->cuda && !options->quick;
    const struct bench_case *cases = use_large ? large : small;
    const size_t count =
        use_large ? sizeof large / sizeof large[0] : sizeof small / sizeof small[0];
    for (size_t c = 0; c < count; c++)
        run_case(options, table, &cases[c]);
    bench_add_note(
        table, "One step per frame. Against one encoder: with all the processors' threads, 16 at "
               "most, the same preset and quality.");
    bench_note_bound(table, NULL,
                     "the slowest stage alone; simulation and drawing count as one stage, one "
                     "after the other, where one CUDA device does both. Processors that stages "
                     "share are not counted.");
    return STATUS_OK;
}

const struct bench_suite suite_pipeline = {
    .name = "pipeline",
    .doc = "simulation, drawing and encoding alone and together",
    .run = run_pipeline,
    .on_ranks = true,
};
