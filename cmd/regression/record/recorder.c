#include "cmd/regression/record/recorder.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/tags.h"
#include "render/sinks.h"
#include "scenes/print.h"
#include "sim/bodies/bodies_whole.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- bodies ---- */

static enum status diagnose(struct simulation *simulation, struct diagnostics *diagnostics,
                            double *half_mass)
{
    const enum status status = simulation_diagnose(simulation, diagnostics);
    return status == STATUS_OK ? simulation_half_mass_all(simulation, half_mass) : status;
}

/* A sketch of the bodies up to `next`. */
struct sketching {
    size_t next;
    double *sketch;
};

static enum status add_positions(void *user, const double *rows, size_t count)
{
    struct sketching *sketching = user;
    record_sketch_add((const double(*)[3])rows, sketching->next, count, sketching->sketch);
    sketching->next += count;
    return STATUS_OK;
}

static enum status sketch(struct simulation *simulation, double out[RECORD_SKETCH])
{
    struct sketching sketching = {0, out};
    memset(out, 0, RECORD_SKETCH * sizeof *out);
    return simulation_pass(simulation, ROWS_POSITION, add_positions, &sketching);
}

/* Scales the sketch of a panel's own scene, because record_distance divides by the number of bodies
 * of the first simulation. */
static void scale_sketch(const struct film *film, int s, double sketch[RECORD_SKETCH])
{
    const double first = (double)simulation_solver(film->simulations[0])->count;
    const double scale = sqrt(first / (double)simulation_solver(film->simulations[s])->count);
    for (int k = 0; k < RECORD_SKETCH && film->apart; k++)
        sketch[k] *= scale;
}

enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame)
{
    enum status status = film_state_hash(film, frame->state);
    frame->time = simulation_time(film->simulations[0]);
    for (int s = 0; s < film->simulation_count && status == STATUS_OK; s++) {
        if (s > 0)
            status = film_state_hash_one(film, s, frame->bodies[s].state);
        if (status == STATUS_OK)
            status = sketch(film->simulations[s], frame->bodies[s].sketch);
        scale_sketch(film, s, frame->bodies[s].sketch);
    }
    bool taken =
        status == STATUS_OK && diagnostics && known && frame_record_take_diagnostics(frame, known);
    if (status == STATUS_OK && diagnostics && known)
        status = ranks_first(&taken, sizeof taken);
    for (int s = 0; s < film->simulation_count && status == STATUS_OK && diagnostics && !taken; s++)
        status = diagnose(film->simulations[s], &frame->bodies[s].diagnostics,
                          &frame->bodies[s].half_mass);
    return status;
}

void physics_describe(const struct film *film, struct record *record)
{
    const struct look_params *look = &film->scene->look;
    struct film_sources sources;
    film_sources(film->scene, &sources);
    for (int s = 1; s < film->simulation_count; s++) {
        int panel = 0;
        while (panel < look_pictures(look) - 1 && sources.panel[panel] != s)
            panel++;
        const char *title = look->panels[panel].title;
        free(record->other_panel[s - 1]);
        record->other_panel[s - 1] = title && *title ? text_format("%d (%s)", panel + 1, title)
                                                     : text_format("%d", panel + 1);
    }
}

/* ---- a run ---- */

static const uint64_t kept_most = 512ull << 20; /* bytes of pictures */

struct recorder {
    struct recorder_params params;
    struct record_hooks hooks;
    struct pipeline_watcher watcher;
    struct record record;
    struct kept_pictures kept;
    uint64_t kept_bytes;
    bool too_many; /* some pictures were not kept */
};

/* Returns whether the sink's files hold pictures that a reader can read. */
static bool is_readable(const struct target *target)
{
    return target->sink->sequence || target->plan.codec;
}

enum status recorder_check(const struct target *target)
{
    const char *path = target->params.path;
    struct stat found;
    const char *format = sink_format(&target->params);
    if (strcmp(format, "webp") == 0 || target->sink->views)
        return status_fail(STATUS_USAGE,
                           "a manifest needs a film that can be read again, and %s cannot; use "
                           "another format",
                           format);
    const bool regular =
        strcmp(path, "-") != 0 &&
        (target->sink->sequence || stat(path, &found) != 0 || S_ISREG(found.st_mode));
    if (target->sink->discards || !regular)
        return status_fail(STATUS_USAGE,
                           "a manifest needs a film that can be read again, and %s cannot; write "
                           "it to a file with -o",
                           target->sink->discards   ? "discarded pictures"
                           : strcmp(path, "-") == 0 ? "standard output"
                                                    : path);
    return STATUS_OK;
}

static const struct frame_record *expected_frame(const struct recorder *recorder, uint64_t number)
{
    const struct record *expected = recorder->params.expected;
    return expected ? record_frame(expected, number) : NULL;
}

static enum status see_state(void *user, uint64_t number)
{
    struct recorder *recorder = user;
    const struct film *film = recorder->params.film;
    struct frame_record *frame = record_frame(&recorder->record, number);
    enum status status = STATUS_OK;
    if (recorder->hooks.simulated)
        status = recorder->hooks.simulated(recorder->hooks.user, film->simulations,
                                           film->simulation_count);
    if (status != STATUS_OK || !frame)
        return status;
    const struct frame_record *known =
        frame == recorder->record.frames ? NULL : expected_frame(recorder, number);
    return physics_record(film, recorder->params.diagnostics, known, frame);
}

static enum status see_view(void *user, struct renderer *renderer, struct view *view)
{
    const struct record_hooks *hooks = &((struct recorder *)user)->hooks;
    return hooks->drawing(hooks->user, renderer, view);
}

static void keep(struct recorder *recorder, const struct picture *picture, uint64_t place)
{
    struct kept_pictures *kept = &recorder->kept;
    const size_t bytes = picture->layout.size;
    kept->layout = picture->layout;
    if (!is_readable(recorder->params.target) || bytes > kept_most - recorder->kept_bytes) {
        recorder->too_many = true;
        return;
    }
    kept->data[place] = malloc(bytes);
    if (!kept->data[place]) {
        recorder->too_many = true;
        return;
    }
    memcpy(kept->data[place], picture->data, bytes);
    recorder->kept_bytes += bytes;
}

static enum status see_picture(void *user, struct picture *picture)
{
    struct recorder *recorder = user;
    const struct record_hooks *hooks = &recorder->hooks;
    struct frame_record *frame = record_frame(&recorder->record, picture->frame);
    enum status status = hooks->picture ? hooks->picture(hooks->user, picture) : STATUS_OK;
    if (status == STATUS_OK && frame) {
        drawn_record(picture, expected_frame(recorder, frame->frame), frame);
        keep(recorder, picture, (uint64_t)(frame - recorder->record.frames));
    }
    if (status == STATUS_OK && hooks->encoding)
        status = hooks->encoding(hooks->user, picture);
    return status;
}

void recorder_set_pipeline(struct recorder *recorder, struct pipeline_params *params)
{
    recorder->watcher = (struct pipeline_watcher){
        .user = recorder,
        .simulated = see_state,
        .drawing = recorder->hooks.drawing ? see_view : NULL,
        .drawn = see_picture,
    };
    params->watcher = &recorder->watcher;
}

/* ---- before and after ---- */

static void describe(struct recorder *recorder)
{
    const struct recorder_params *params = &recorder->params;
    struct record *record = &recorder->record;
    char hash[17];
    scene_hash(params->scene, hash);
    record->program = memory_text("gravreel " GRAVREEL_VERSION);
    record->scene = scene_print(params->scene);
    record->scene_hash = memory_text(hash);
    record->bodies = whole_size(bodies_whole(params->film->bodies));
    record->softening = params->scene->simulation.softening;
    record->output_format = memory_text(sink_format(&params->target->params));
    physics_describe(params->film, record);
    platform_describe(record, params->film, params->target);
}

enum status recorder_open(struct recorder **out, const struct recorder_params *params)
{
    struct recorder *recorder = *out = memory_new(1, sizeof *recorder);
    const uint64_t count = params->target->last - params->target->first + 1;
    recorder->params = *params;
    if (params->hooks)
        recorder->hooks = *params->hooks;
    enum status status = record_create(&recorder->record, params->target->first, count);
    if (status != STATUS_OK) {
        recorder_close(out);
        return status;
    }
    recorder->kept.data = memory_new((size_t)count, sizeof *recorder->kept.data);
    if (ranks_are_together() && ranks_own() > 0)
        return STATUS_OK; /* takes part in sums; rank 0 has the record */
    describe(recorder);
    renderer_measure_light(params->film->renderer);
    return STATUS_OK;
}

static bool same_packets(const struct record *record, const struct record *expected)
{
    const char *encoder = expected->platform.encoder, *own = record->platform.encoder;
    if (expected->count != record->count || !encoder || !own || strcmp(encoder, own) != 0 ||
        record->container.frames != record->count)
        return false;
    for (uint64_t i = 0; i < record->count; i++) {
        const struct frame_record *a = &record->frames[i], *b = &expected->frames[i];
        if (!*a->packet || strcmp(a->packet, b->packet) != 0 ||
            strcmp(a->picture, b->picture) != 0 || !*b->decoded ||
            isnan(b->psnr_y) != isnan(b->bias)) /* of an older program */
            return false;
    }
    return true;
}

/* Copies the results of decoding if the packets are the same. */
static bool take_over(struct record *record, const struct record *expected)
{
    if (!expected || !same_packets(record, expected))
        return false;
    for (uint64_t i = 0; i < record->count; i++) {
        memcpy(record->frames[i].decoded, expected->frames[i].decoded, HASH_TEXT);
        loss_take(&record->frames[i], &expected->frames[i]);
    }
    return true;
}

static enum status read_back(struct recorder *recorder, uint64_t bytes)
{
    const char *path = recorder->params.target->params.path;
    struct record *record = &recorder->record;
    uint64_t compared = 0;
    enum status status = recorder->params.target->sink->sequence
                             ? readback_sequence(path, bytes, record)
                             : readback_film(path, record);
    if (status != STATUS_OK || take_over(record, recorder->params.expected))
        return status;
    status = readback_pictures(path, &recorder->kept, &recorder->hooks, record, &compared);
    const struct order_faults faults = film_order_faults(record);
    if (status == STATUS_OK && faults.text)
        log_warning("the frames of '%s' are not those that were drawn: %s; render it again", path,
                    faults.text);
    else if (status == STATUS_OK && compared < record->count)
        log_warning("frames from %llu on of '%s' were not compared after encoding, because %s: the "
                    "manifest has no PSNR for them",
                    (unsigned long long)(record->frames[0].frame + compared), path,
                    recorder->too_many
                        ? "there was no room to keep their pictures (512 MiB at most)"
                        : "the file ends before them");
    free(faults.text);
    return status;
}

enum status recorder_finish(struct recorder *recorder, uint64_t bytes, struct record *out)
{
    enum status status = STATUS_OK;
    *out = (struct record){0};
    if (recorder->hooks.file)
        status = recorder->hooks.file(recorder->hooks.user, recorder->params.target->params.path);
    if (status == STATUS_OK && is_readable(recorder->params.target))
        status = read_back(recorder, bytes);
    if (status != STATUS_OK)
        return status;
    *out = recorder->record;
    recorder->record = (struct record){0};
    return STATUS_OK;
}

void recorder_close(struct recorder **recorder)
{
    struct recorder *self = *recorder;
    if (!self)
        return;
    const uint64_t count = self->params.target->last - self->params.target->first + 1;
    for (uint64_t i = 0; self->kept.data && i < count; i++)
        free(self->kept.data[i]);
    free(self->kept.data);
    record_free(&self->record);
    free(self);
    *recorder = NULL;
}
