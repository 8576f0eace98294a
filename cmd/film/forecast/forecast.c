#include "cmd/film/forecast/forecast.h"

#include "base/log.h"
#include "base/clock.h"
#include "base/ranks/ranks.h"
#include "cmd/film/forecast/trial.h"
#include "base/status.h"
#include "cmd/film/tags.h"
#include "scenes/scene.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { FRAMES_FOR_PLACES = 48, CLIP_MOST = 120 };
enum { PLACES = FORECAST_PLACES, CLIPS_MOST = 2 + 2 * PLACES };

/* Limits in seconds: for all clips (a single frame may exceed it), for fast forward, for that in a
 * film that takes minutes, and for filling an encoder. */
static const double clip_time = 5, fast_forward_time = 4, fast_forward_most = 6, fill_time = 5;

struct forecaster {
    const struct forecast_params *params;
    const struct target *target;
    struct film *film;
    uint64_t picture_bytes;
    struct trial trial;
    struct bar bar;
    uint64_t clips; /* clips begun */
    struct fast_forward *fast_forward;
    uint64_t frames;      /* frames of the run */
    double frame_seconds; /* rough, from the start */
    struct forecast_measured found;
    uint64_t encoder_memory, memory_before, clip_memory; /* clip_memory: of the first clip */
    bool encoder_waits;                                  /* false: drawing waits for the encoder */
    uint64_t measured, device_memory;
};

static double busy(const struct clip *clip, enum stage stage)
{
    return clip->progress.busy[stage];
}

/* Computes diagnostics as often as the film will, so that clips include their cost. */
static enum status diagnose(void *user, struct simulation *simulation)
{
    (void)user;
    struct diagnostics ignored;
    return simulation_diagnose(simulation, &ignored);
}

static enum status take_clip(struct forecaster *self, uint64_t first, uint64_t count,
                             struct clip *clip)
{
    bar_show(&self->bar, self->clips++, CLIPS_MOST);
    enum status status = trial_clip(&self->trial, first, count, clip);
    self->measured += clip->frames;
    if (clip->progress.device_memory > self->device_memory)
        self->device_memory = clip->progress.device_memory;
    return status;
}

/* Frame 0, twice: the first time includes compiling by drivers and filling caches. */
static enum status measure_start(struct forecaster *self)
{
    struct clip clip = {0};
    enum status status = take_clip(self, 0, 1, &clip);
    bool warm = clip.seconds < clip_time;
    if (status == STATUS_OK)
        status = ranks_first(&warm, sizeof warm);
    if (status == STATUS_OK && warm)
        status = take_clip(self, 0, 1, &clip);
    if (status != STATUS_OK)
        return status;
    self->found.start = (struct forecast_sample){
        .overhead = fmax(0, clip.seconds - busy(&clip, STAGE_DRAW)),
        .first_bytes = (double)clip.bytes,
        .frame_bytes = (double)clip.bytes,
    };
    self->clip_memory = clip.memory;
    double since = clock_seconds();
    for (int i = 0; i < self->film->simulation_count && self->film->scene->output.frames > 1 &&
                    status == STATUS_OK;
         i++)
        status = simulation_advance(self->film->simulations[i], 1, self->params->stop);
    self->found.step_seconds = clock_seconds() - since;
    self->frame_seconds =
        self->found.step_seconds + busy(&clip, STAGE_DRAW) + busy(&clip, STAGE_ENCODE);
    self->found.start.frame_seconds = self->frame_seconds;
    self->found.start.stage_seconds[STAGE_SIMULATE] = self->found.step_seconds;
    self->found.start.stage_seconds[STAGE_DRAW] = busy(&clip, STAGE_DRAW);
    self->found.start.stage_seconds[STAGE_ENCODE] = busy(&clip, STAGE_ENCODE);
    log_debug("the first frame: %.4g s, %.4g s to simulate the next one, %.4g s per segment",
              self->frame_seconds, self->found.step_seconds, self->found.start.overhead);
    return status;
}

static enum status measure_encoder(struct forecaster *self)
{
    const uint64_t segment = scene_segment_length(self->film->scene);
    self->memory_before = machine_memory_now();
    if (ranks_are_together() && ranks_own() > 0)
        return STATUS_OK;
    return trial_encoder(&self->trial, self->frames < segment ? self->frames : segment, fill_time,
                         &self->encoder_memory);
}

/* In a film the stages always overlap; in a clip they do not at its beginning and end. Busy
 * processors gain nothing from overlap; idle ones do, until the slowest stage limits the others. */
static double steady_seconds(const struct clip *one, const struct clip *many)
{
    const double frames = (double)many->frames;
    const double apart = frames > 1 ? (many->seconds - one->seconds) / (frames - 1) : many->seconds;
    const double slowest = busy(many, pipeline_bottleneck(&many->progress)) / frames;
    const double used = many->processor_seconds / (machine_processors() * many->seconds);
    return fmax(slowest, fmin(used, 1) * apart + (1 - fmin(used, 1)) * slowest);
}

/* Measures one frame and then `count`, so that costs per clip cancel. */
static enum status measure_place(struct forecaster *self, uint64_t frame, uint64_t count)
{
    struct clip one = {0}, many = {0};
    enum status status = take_clip(self, frame, 1, &one);
    if (status == STATUS_OK)
        status = take_clip(self, frame + 1, count, &many);
    if (status != STATUS_OK)
        return status;
    if (self->found.count == 0)
        self->clip_memory = many.memory;
    const double groups = (double)many.segments, pictures = (double)many.frames;
    struct forecast_sample *sample = &self->found.samples[self->found.count++];
    *sample = self->found.start;
    sample->first_bytes = (double)one.bytes;
    sample->frame_bytes =
        pictures > groups ? ((double)many.bytes - groups * (double)one.bytes) / (pictures - groups)
                          : (double)one.bytes;
    sample->frame_bytes = fmax(sample->frame_bytes, 0);
    sample->frame_seconds = steady_seconds(&one, &many);
    for (int stage = 0; stage < FORECAST_STAGES; stage++)
        sample->stage_seconds[stage] = busy(&many, (enum stage)stage) / pictures;
    self->encoder_waits = busy(&many, STAGE_ENCODE) < busy(&many, STAGE_DRAW) ||
                          busy(&many, STAGE_ENCODE) < busy(&many, STAGE_SIMULATE);
    log_debug("%llu frames from %llu on: %.4g s and %.0f bytes per frame, the first one %.0f",
              (unsigned long long)many.frames, (unsigned long long)frame, sample->frame_seconds,
              sample->frame_bytes, sample->first_bytes);
    return STATUS_OK;
}

/* The coarse simulation may fail where the film's does not; the trial then does without it. */
static enum status advance_to(struct forecaster *self, uint64_t frame, double *left, bool *there)
{
    const double since = clock_seconds();
    enum status status = STATUS_OK;
    *there = false;
    if (!self->fast_forward) {
        const struct fast_forward_params params = {
            .frames = self->target->first + self->frames * (2 * PLACES - 1) / (2 * PLACES),
            .frame_seconds = self->found.step_seconds / self->film->simulation_count,
            .seconds = *left,
        };
        status = fast_forward_open(&self->fast_forward, self->film, &params);
        *left *= 1.5; /* allows for a machine that is busier than before */
    }
    if (status == STATUS_OK)
        status = fast_forward_go(self->fast_forward, frame, *left, self->params->stop, there);
    *left -= clock_seconds() - since;
    if (status == STATUS_OK || status == STATUS_STOPPED)
        return status;
    log_debug("the trial uses only the beginning of the film: %s", status_text());
    *left = 0;
    return STATUS_OK;
}

/* Measures in the middle of each of PLACES stretches of the run. */
static enum status measure_places(struct forecaster *self, uint64_t count)
{
    const double film = self->frame_seconds * (double)self->frames;
    double left = fmin(fmax(fast_forward_time, film / 12), fast_forward_most);
    const double until = clock_seconds() + left + 2 * clip_time;
    bool there = true;
    enum status status = STATUS_OK;
    for (int place = 0; place < PLACES && status == STATUS_OK && there; place++) {
        if (place > 0 && clock_seconds() > until)
            break;
        const uint64_t middle =
            self->target->first + self->frames * (2 * (uint64_t)place + 1) / (2 * PLACES);
        const uint64_t frame = middle > (count + 1) / 2 + 1 ? middle - (count + 1) / 2 : 1;
        status = advance_to(self, frame - 1, &left, &there);
        if (status == STATUS_OK && there)
            status = measure_place(self, frame, count);
    }
    return status;
}

/* Chooses as many frames as there is time for, at least two, at most `most`. Raw pictures must not
 * fill the disk for temporary files. */
static uint64_t clip_frames(const struct forecaster *self, double room, uint64_t most)
{
    const uint64_t disk = ((uint64_t)512 << 20) / self->picture_bytes + 2;
    most = most > CLIP_MOST ? CLIP_MOST : most;
    most = most > disk ? disk : most;
    const double count = fmax(room, 2);
    return count > (double)most ? most : (uint64_t)count;
}

static enum status measure(struct forecaster *self)
{
    enum status status = measure_start(self);
    if (status == STATUS_OK)
        status = measure_encoder(self);
    if (status == STATUS_OK) /* rank 0's clock decides */
        status = ranks_first(&self->frame_seconds, sizeof self->frame_seconds);
    if (status != STATUS_OK || self->frame_seconds > clip_time || self->frames < 4)
        return status;
    const double room = clip_time / self->frame_seconds;
    /* The coarse simulation has all bodies, which no rank has, and is of one scene. */
    const bool ahead = !simulation_is_shared(self->film->simulations[0]) && !self->film->apart;
    if (ahead && self->frames >= FRAMES_FOR_PLACES && room / PLACES > 1.5)
        status = measure_places(self, clip_frames(self, room / PLACES, self->frames / PLACES - 2));
    /* The first two frames are already measured. */
    if (status == STATUS_OK && self->found.count == 0)
        status = measure_place(self, simulation_frame(self->film->simulations[0]) + 1,
                               clip_frames(self, room, self->film->scene->output.frames - 3));
    return status;
}

/* Frames of the run, weighted by how much of each is hidden. Uncompressed pictures do not become
 * smaller when black. */
static double hidden(const struct forecaster *self)
{
    const struct scene *scene = self->film->scene;
    const double fps = (double)scene->output.fps.num / scene->output.fps.den;
    const double raw = (double)self->picture_bytes;
    double sum = 0;
    for (uint64_t f = self->target->first; f <= self->target->last; f++)
        sum += 1 - look_fade(&scene->look, f, scene->output.frames, fps) *
                       (1 - overlay_cover(&scene->overlay, (double)f / fps));
    return self->found.start.first_bytes < 0.9 * raw ? sum : 0;
}

static double segments(const struct forecaster *self)
{
    const double length = scene_segment_length(self->film->scene);
    const double first = floor((double)self->target->first / length);
    return self->target->work_folder ? floor((double)self->target->last / length) - first + 1 : 1;
}

static double tag_bytes(const struct forecaster *self)
{
    struct tags tags = {0};
    double bytes = 0;
    bool coded = self->target->plan.codec != NULL;
    if (ranks_first(&coded, sizeof coded) == STATUS_OK && coded &&
        film_tags_make(&tags, self->film, &self->target->plan) == STATUS_OK)
        for (size_t i = 0; i < tags.count; i++)
            bytes += (double)(strlen(tags.list[i].name) + strlen(tags.list[i].value) + 32);
    tags_free(&tags);
    return bytes;
}

/* Sums the memory held before, encoders, and all pictures that may be waiting. The trial's own peak
 * would include what its many clips leave behind. */
static void predict_memory(const struct forecaster *self, struct forecast *out)
{
    const uint64_t picture = self->picture_bytes;
    const uint64_t limit = self->params->memory;
    const double all = segments(self);
    unsigned encoders = self->target->encoders;
    encoders = all < encoders ? (unsigned)all : encoders;
    uint64_t pictures = pipeline_pictures(
        self->encoder_waits ? 1 : encoders, scene_segment_length(self->film->scene),
        self->target->work_folder && self->target->plan.container);
    pictures = pictures > self->frames ? self->frames : pictures;
    pictures = pictures * picture > limit ? limit / picture : pictures;
    const uint64_t sum = self->memory_before + encoders * self->encoder_memory + pictures * picture;
    out->memory = sum > self->clip_memory ? sum : self->clip_memory;
    out->device_memory = self->device_memory;
}

static void predict(struct forecaster *self, double age, struct forecast *out)
{
    struct forecast_measured *found = &self->found;
    found->age = age;
    found->frames = (double)self->frames;
    found->first = (double)self->target->first;
    found->hidden = hidden(self);
    found->segments = segments(self);
    found->tag_bytes = tag_bytes(self);
    found->joins = self->target->work_folder && self->target->plan.container;
    *out = forecast_predict(found);
    predict_memory(self, out);
    out->frames = self->measured;
}

static enum status make_trials(struct forecaster *self)
{
    const struct simulation_observer observer = {self->film->scene->simulation.diagnostics_every,
                                                 diagnose, NULL};
    if (self->target->diagnostics_path)
        simulation_observe(self->film->simulations[0], &observer);
    enum status status = trial_open(&self->trial, self->target, self->film, self->params->stop);
    return status == STATUS_OK ? measure(self) : status;
}

enum status forecast_make(struct forecast *out, const struct forecast_params *params)
{
    const struct target *target = params->target;
    struct forecaster self = {.params = params,
                              .target = target,
                              .film = params->film,
                              .frames = target->last - target->first + 1};
    const double age = machine_age(), since = clock_seconds();
    const struct load load = load_now();
    *out = (struct forecast){0};
    self.picture_bytes =
        params->film->renderer ? renderer_picture_bytes(params->film->renderer) : 1;
    bar_begin(&self.bar, "trying clip");
    enum status status = make_trials(&self);
    bar_end(&self.bar);
    if (status == STATUS_OK)
        predict(&self, age, out);
    fast_forward_close(&self.fast_forward);
    trial_close(&self.trial);
    out->taken = clock_seconds() - since;
    out->load = load_since(load);
    return ranks_stop(params->stop) ? STATUS_STOPPED : status;
}

/* ==== prediction from the measurements ==== */

struct spread {
    double mean, least, most;
};

static struct spread spread_of(const struct forecast_measured *found, size_t member)
{
    struct spread spread = {.least = INFINITY};
    const int count = found->count ? found->count : 1;
    for (int i = 0; i < count; i++) {
        const struct forecast_sample *sample = found->count ? &found->samples[i] : &found->start;
        double value;
        memcpy(&value, (const char *)sample + member, sizeof value);
        spread.mean += value / count;
        spread.least = fmin(spread.least, value);
        spread.most = fmax(spread.most, value);
    }
    return spread;
}

#define SPREAD(member) spread_of(found, offsetof(struct forecast_sample, member))

/* For means over all places, a quarter of the spread remains uncertain, in addition to the usual
 * error. The beginning alone does not show what follows. */
static struct forecast_figure figure(const struct forecast_measured *found,
                                     const struct spread *spread, double fixed, double frames)
{
    static const double always = 0.1;
    const double value = fixed + frames * spread->mean;
    double down = always * value, up = down;
    if (found->count == FORECAST_PLACES) {
        down += frames * (spread->mean - spread->least) / 4;
        up += frames * (spread->most - spread->mean) / 4;
    } else {
        down += 0.2 * value;
        up += 0.6 * value;
    }
    return (struct forecast_figure){value, value - down, value + up};
}

static void predict_bytes(const struct forecast_measured *found, struct forecast *out)
{
    enum { GROUP = 240 };
    const struct spread others = SPREAD(frame_bytes);
    const double seen = 1 - found->hidden / found->frames;
    const double groups = ceil(seen * fmax(found->segments, ceil(found->frames / GROUP)));
    out->bytes = figure(found, &others, found->tag_bytes + groups * SPREAD(first_bytes).mean,
                        fmax(seen * found->frames - groups, 0));
    /* Segments stay until the film is complete. */
    if (found->joins)
        out->working_bytes = 2 * out->bytes.value;
}

static void predict_time(const struct forecast_measured *found, struct forecast *out)
{
    static const double disk = 200e6; /* bytes per second read and written to join segments */
    const struct spread frame = SPREAD(frame_seconds);
    const double fixed = found->age + found->segments * found->start.overhead +
                         found->first * found->step_seconds + out->working_bytes / disk;
    out->seconds = figure(found, &frame, fixed, found->frames);
    out->start = found->age + found->start.overhead + found->start.frame_seconds;
    for (size_t i = 0; i < FORECAST_STAGES; i++)
        out->stages[i] =
            found->frames *
            spread_of(found, offsetof(struct forecast_sample, stage_seconds) + i * sizeof(double))
                .mean;
}

struct forecast forecast_predict(const struct forecast_measured *found)
{
    struct forecast out = {.places = found->count ? found->count : 1};
    predict_bytes(found, &out);
    predict_time(found, &out);
    return out;
}
