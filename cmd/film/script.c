#include "cmd/film/script.h"

#include "base/memory.h"
#include "cmd/film/reach.h"
#include "render/camera/project.h"
#include "render/panel/places.h"
#include "sim/pilot/galaxy_core.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A moment of the scene. */
struct entry {
    const char *key, *field;
    const struct moment *moment;
    uint32_t item; /* from 1 */
};

/* All of them in order; false after the last. */
static bool find_entry(const struct scene *scene, uint32_t n, struct entry *out)
{
    const struct simulation_params *simulation = &scene->simulation;
    const struct camera_params *camera = &scene->camera;
    const struct overlay_params *overlay = &scene->overlay;
    if (n < simulation->slow_count) {
        *out = (struct entry){"simulation.slow", "at", &simulation->slow[n].at, n + 1};
        return true;
    }
    n -= simulation->slow_count;
    if (n < camera->keyframe_count) {
        *out = (struct entry){"camera.keyframes", "at", &camera->keyframes[n].at, n + 1};
        return true;
    }
    n -= camera->keyframe_count;
    if (n / 2 < camera->move_count) {
        const struct move_params *move = &camera->moves[n / 2];
        *out = n % 2 ? (struct entry){"camera.moves", "to", &move->to, n / 2 + 1}
                     : (struct entry){"camera.moves", "from", &move->from, n / 2 + 1};
        return true;
    }
    n -= 2 * camera->move_count;
    if (n / 2 < overlay->caption_count) {
        const struct caption_params *caption = &overlay->captions[n / 2];
        *out = n % 2 ? (struct entry){"overlay.captions", "to", &caption->to, n / 2 + 1}
                     : (struct entry){"overlay.captions", "from", &caption->from, n / 2 + 1};
        return true;
    }
    return false;
}

static enum status blame(const struct scene *scene, const struct entry *entry, enum status status)
{
    char key[64];
    snprintf(key, sizeof key, "%s[%u].%s", entry->key, entry->item, entry->field);
    return status == STATUS_USAGE ? scene_blame(scene, key) : status;
}

static struct frame_clock even_clock(const struct scene *scene)
{
    return (struct frame_clock){.dt = scene->simulation.dt,
                                .steps_per_frame = scene->simulation.steps_per_frame};
}

/* Adds a moment to what the pilot run has to find; without two galaxies it would find none. */
static void need(struct pilot_params *params, const struct moment *moment, size_t galaxies,
                 bool *happens)
{
    *happens = *happens || (galaxies >= 2 && moment_happens(moment));
    params->detailed = params->detailed || (galaxies >= 2 && moment_is_late(moment));
}

/* A pilot run for the scene's moments or for `alone`; *out stays NULL where none needs one. */
static enum status run_pilot(struct pilot **out, const struct script_source *source,
                             const struct moment *alone)
{
    const struct scene *scene = source->scene;
    const struct frame_clock even = even_clock(scene);
    struct reach reach = {.scene = scene};
    struct pilot_params params = {
        .simulation = &scene->simulation,
        .duration = frame_clock_time(&even, scene->output.frames - 1),
        .frames = scene->output.frames,
        .fraction = !alone && reach_is_needed(scene) ? scene->camera.fraction : 0,
        .backend = source->backend,
        .device = source->device,
        .point = reach_point,
        .user = &reach,
    };
    size_t *first = memory_new(source->bodies->component_count, sizeof *first);
    const size_t galaxies = galaxies_find(source->bodies, first);
    free(first);
    struct entry entry;
    bool happens = params.fraction > 0;
    if (alone)
        need(&params, alone, galaxies, &happens);
    for (uint32_t n = 0; !alone && find_entry(scene, n, &entry); n++)
        need(&params, entry.moment, galaxies, &happens);
    enum status status = happens ? pilot_run(out, &params, source->bodies) : STATUS_OK;
    reach_end(&reach);
    return status;
}

static enum status resolve(const struct scene *scene, const struct entry *entry,
                           const struct moment_scale *scale, double *frame)
{
    enum status status = moment_frame(entry->moment, scale, frame);
    if (status == STATUS_OK && (*frame < 0 || strcmp(entry->key, "overlay.captions") != 0))
        status = moment_within(*frame, scale);
    return blame(scene, entry, status);
}

static enum status make_clock(struct script *script, const struct scene *scene,
                              const struct moment_scale *even)
{
    const struct simulation_params *simulation = &scene->simulation;
    const double last = (double)(scene->output.frames - 1);
    const double frame_time = simulation->dt * simulation->steps_per_frame;
    struct entry entry;
    enum status status = STATUS_OK;
    script->clock = *even->clock;
    if (last == 0) /* a still has no motion to slow */
        return STATUS_OK;
    for (uint32_t n = 0; n < simulation->slow_count && status == STATUS_OK; n++) {
        const struct slow_params *slow = &simulation->slow[n];
        double frame = 0;
        find_entry(scene, n, &entry);
        status = resolve(scene, &entry, even, &frame);
        script->clock.slow[script->clock.slow_count++] = (struct slow_motion){
            .at = frame * frame_time,
            .factor = slow->factor,
            .span = slow->span > 0 ? slow->span : last * frame_time / 10,
        };
    }
    for (uint32_t n = 0; n < simulation->slow_count && status == STATUS_OK; n++) {
        double frame = frame_clock_frame(&script->clock, script->clock.slow[n].at);
        find_entry(scene, n, &entry);
        if (frame > last)
            status = blame(scene, &entry,
                           status_fail(STATUS_USAGE,
                                       "slow motion takes frames, so that the film ends with frame "
                                       "%.0f before the moment, which would be frame %.0f; raise "
                                       "output.frames, or give an earlier moment or a smaller "
                                       "factor or span",
                                       last, ceil(frame)));
    }
    return status;
}

static enum status make_camera(struct script *script, const struct scene *scene,
                               const struct moment_scale *scale)
{
    const struct camera_params *camera = &scene->camera;
    const uint32_t first = scene->simulation.slow_count, moves = first + camera->keyframe_count;
    struct entry entry;
    enum status status = STATUS_OK;
    for (uint32_t n = 0; n < camera->keyframe_count && status == STATUS_OK; n++) {
        find_entry(scene, first + n, &entry);
        status = resolve(scene, &entry, scale, &script->keyframe[n]);
    }
    for (uint32_t n = 0; n < 2 * camera->move_count && status == STATUS_OK; n++) {
        find_entry(scene, moves + n, &entry);
        status = resolve(scene, &entry, scale,
                         n % 2 ? &script->move_to[n / 2] : &script->move_from[n / 2]);
    }
    return status;
}

static enum status make_captions(struct script *script, const struct scene *scene,
                                 const struct moment_scale *scale)
{
    const uint32_t first =
        scene->simulation.slow_count + scene->camera.keyframe_count + 2 * scene->camera.move_count;
    enum status status = STATUS_OK;
    for (uint32_t n = 0; n < scene->overlay.caption_count && status == STATUS_OK; n++) {
        struct caption_found *caption = &script->captions[n];
        struct entry from, to;
        double begin = 0, end = 0;
        char key[64];
        snprintf(key, sizeof key, "overlay.captions[%u]", n + 1);
        find_entry(scene, first + 2 * n, &from);
        find_entry(scene, first + 2 * n + 1, &to);
        status = resolve(scene, &from, scale, &begin);
        if (status == STATUS_OK)
            status = resolve(scene, &to, scale, &end);
        caption->begins = begin / scale->fps;
        caption->ends = end / scale->fps;
        if (status == STATUS_OK && !(end > begin)) {
            status_fail(STATUS_USAGE,
                        "expected its end after its beginning, found from %g to %g seconds",
                        caption->begins, caption->ends);
            status = scene_blame(scene, key);
        }
    }
    return status;
}

static void make_room(struct script *script, const struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    script->keyframe = memory_new(camera->keyframe_count, sizeof *script->keyframe);
    script->move_from = memory_new(camera->move_count, sizeof *script->move_from);
    script->move_to = memory_new(camera->move_count, sizeof *script->move_to);
    script->captions = memory_new(scene->overlay.caption_count, sizeof *script->captions);
}

static struct moment_scale scale_of(const struct scene *scene, const struct frame_clock *clock)
{
    return (struct moment_scale){
        .fps = (double)scene->output.fps.num / scene->output.fps.den,
        .frames = scene->output.frames,
        .clock = clock,
    };
}

enum status script_open(struct script *out, const struct script_source *source)
{
    const struct scene *scene = source->scene;
    const struct frame_clock even = even_clock(scene);
    struct pilot *pilot = NULL;
    struct moment_scale scale = scale_of(scene, &even);
    *out = (struct script){0};
    make_room(out, scene);
    enum status status = run_pilot(&pilot, source, NULL);
    scale.pilot = pilot;
    if (status == STATUS_OK)
        status = make_clock(out, scene, &scale);
    scale.clock = &out->clock;
    if (status == STATUS_OK)
        status = make_camera(out, scene, &scale);
    if (status == STATUS_OK)
        status = make_captions(out, scene, &scale);
    if (status == STATUS_OK && pilot && pilot->radius)
        out->radius = reach_smooth(pilot, &scale);
    if (status == STATUS_OK)
        out->duration = frame_clock_time(&out->clock, scene->output.frames - 1);
    pilot_close(&pilot);
    if (status != STATUS_OK)
        script_close(out);
    return status;
}

void script_close(struct script *script)
{
    free(script->keyframe);
    free(script->move_from);
    free(script->move_to);
    free(script->radius);
    free(script->distances);
    free(script->captions);
    *script = (struct script){0};
}

enum status script_find(const struct script *script, const struct script_source *source,
                        const struct moment *moment, double *frame)
{
    struct moment_scale scale = scale_of(source->scene, &script->clock);
    struct pilot *pilot = NULL;
    enum status status = run_pilot(&pilot, source, moment);
    scale.pilot = pilot;
    if (status == STATUS_OK)
        status = moment_frame(moment, &scale, frame);
    if (status == STATUS_OK)
        status = moment_within(*frame, &scale);
    pilot_close(&pilot);
    return status;
}

void script_direct(struct script *script, struct renderer_params *params)
{
    if (script->radius && !script->distances) {
        uint32_t width, height;
        panel_size(params, &width, &height);
        script->distances = memory_new(params->frames, sizeof *script->distances);
        for (uint64_t f = 0; f < params->frames; f++)
            script->distances[f] = camera_fit(&params->camera, script->radius[f], width, height);
    }
    params->found.camera.keyframe = script->keyframe;
    params->found.camera.move_from = script->move_from;
    params->found.camera.move_to = script->move_to;
    params->found.camera.distances = script->distances;
    params->found.captions = script->captions;
    params->found.duration = script->duration;
}
