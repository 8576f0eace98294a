#include "cmd/film/script/plan.h"

#include "base/json/codec.h"
#include "base/memory.h"
#include "scenes/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMAT = 2 };

#define SCRIPT(field) MEMBER_AT(struct plan, script.field)

static const struct json_member slow[] = {
    {"at", AS_REAL, MEMBER_AT(struct slow_motion, at)},
    {"factor", AS_REAL, MEMBER_AT(struct slow_motion, factor)},
    {"span", AS_REAL, MEMBER_AT(struct slow_motion, span)},
    {0},
};

static const struct json_member framing[] = {
    {"distance", AS_REAL, MEMBER_AT(struct camera_framing, distance)},
    {"right", AS_REAL, MEMBER_AT(struct camera_framing, shift[0])},
    {"up", AS_REAL, MEMBER_AT(struct camera_framing, shift[1])},
    {0},
};

static const struct json_member axis[] = {
    {"x", AS_REAL, MEMBER_AT(struct camera_axis, up[0])},
    {"y", AS_REAL, MEMBER_AT(struct camera_axis, up[1])},
    {"z", AS_REAL, MEMBER_AT(struct camera_axis, up[2])},
    {0},
};

static const struct json_member caption[] = {
    {"begins", AS_REAL, MEMBER_AT(struct caption_found, begins)},
    {"ends", AS_REAL, MEMBER_AT(struct caption_found, ends)},
    {"text", AS_TEXT | NULLABLE, MEMBER_AT(struct caption_found, text)},
    {0},
};

static const struct json_member label[] = {
    {"begins", AS_REAL, MEMBER_AT(struct label_found, begins)},
    {"ends", AS_REAL, MEMBER_AT(struct label_found, ends)},
    {0},
};

static const struct json_member light[] = {
    {"frame", AS_REAL, MEMBER_AT(struct plan_light, frame)},
    {"cells", AS_WHOLE, MEMBER_ARRAY(struct plan_light, cell)},
    {0},
};

static const struct json_member look[] = {
#define ROW(member, uniform, full) {#member, AS_REAL, MEMBER_AT(struct look_found, member)},
    LOOK_FOUND(ROW)
#undef ROW
        {0},
};

static const struct json_member members[] = {
    {"format", AS_FORMAT, .least = FORMAT, .most = FORMAT},
    {"program", AS_NAME, MEMBER_AT(struct plan, program)},
    {"scene_hash", AS_NAME, MEMBER_AT(struct plan, scene_hash)},
    {"start", AS_HASH, MEMBER_AT(struct plan, start)},
    {"dt", AS_REAL, SCRIPT(clock.dt)},
    {"steps_per_frame", AS_WHOLE, SCRIPT(clock.steps_per_frame)},
    {"slow", AS_TUPLE, MEMBER_SHORT_LIST(struct plan, script.clock.slow, script.clock.slow_count),
     .members = slow},
    {"freezes", AS_FLAG, SCRIPT(clock.freezes)},
    {"freeze_frame", AS_WHOLE, SCRIPT(clock.freeze_frame)},
    {"counts_from_event", AS_FLAG, SCRIPT(counts_from_event)},
    {"event", AS_REAL, SCRIPT(event)},
    {"captions_moved", AS_WHOLE, SCRIPT(captions_moved)},
    {"duration", AS_REAL, SCRIPT(duration)},
    {"passage", AS_REAL, SCRIPT(passage)},
    {"story", AS_REAL, SCRIPT(story)},
    {"story_frames", AS_WHOLE, SCRIPT(story_frames)},
    {"keyframes", AS_REAL | OPTIONAL, MEMBER_LIST(struct plan, script.keyframe, keyframes)},
    {"moves_from", AS_REAL | OPTIONAL, MEMBER_LIST(struct plan, script.move_from, moves_from)},
    {"moves_to", AS_REAL | OPTIONAL, MEMBER_LIST(struct plan, script.move_to, moves_to)},
    {"tracks", AS_REAL | OPTIONAL, MEMBER_LIST(struct plan, script.track, tracks)},
    {"captions", AS_TUPLE | OPTIONAL, MEMBER_LIST(struct plan, script.captions, captions),
     .members = caption},
    {"labels", AS_TUPLE | OPTIONAL, MEMBER_LIST(struct plan, script.labels, labels),
     .members = label},
    {"framing", AS_TUPLE | OPTIONAL, MEMBER_LIST(struct plan, script.framing, framings),
     .members = framing},
    {"axes", AS_TUPLE | OPTIONAL, MEMBER_LIST(struct plan, script.axes, axes), .members = axis},
    {"distance", AS_REAL, MEMBER_AT(struct plan, distance)},
    {"radii", AS_REAL | OPTIONAL, MEMBER_LIST(struct plan, radius, radii)},
    {"look", AS_OBJECT, MEMBER_AT(struct plan, look), .members = look},
    {"size", AS_ENTRY | OPTIONAL, MEMBER_AT(struct plan, size), .words = &sprite_sizing_registry},
    {"stars", AS_WHOLE, MEMBER_AT(struct plan, stars)},
    {"epoch", AS_REAL, MEMBER_AT(struct plan, epoch)},
    {"light", AS_OBJECT | OPTIONAL, MEMBER_LIST(struct plan, light, lights),
     .most = FOUND_LIGHT_TIMES, .members = light},
    {JSON_SEAL, .as = AS_SEAL},
    {0},
};

static const struct json_form form = {.members = members, .style = STYLE_LINES};

void plan_describe(struct plan *out, const struct scene *scene, const char *start,
                   const struct script *script, const struct renderer_params *params)
{
    *out = (struct plan){.program = GRAVREEL_VERSION,
                         .script = *script,
                         .keyframes = scene->camera.keyframe_count,
                         .moves_from = scene->camera.move_count,
                         .moves_to = scene->camera.move_count,
                         .framings = script->framing ? scene->output.frames : 0,
                         .axes = script->axes ? scene->output.frames : 0,
                         .captions = scene->overlay.caption_count,
                         .labels = scene->overlay.label_count,
                         .tracks = script_tracks(scene)};
    scene_hash(scene, out->scene_hash);
    snprintf(out->start, sizeof out->start, "%s", start);
    if (!params)
        return;
    out->distance = params->found.camera.distance;
    out->look = params->found.look;
    out->size = params->look.size;
    out->stars = params->look.stars;
    out->epoch = params->found.epoch;
    out->radii = (size_t)params->part_count;
    out->radius = memory_new(out->radii, sizeof *out->radius);
    for (size_t i = 0; i < out->radii; i++)
        out->radius[i] = params->parts[i].radius;
    const struct found_light *seen = &params->found.light;
    out->lights = (size_t)seen->times;
    out->light = memory_new(out->lights, sizeof *out->light);
    for (size_t t = 0; t < out->lights; t++) {
        out->light[t].frame = seen->frame[t];
        memcpy(out->light[t].cell, seen->cell[t], sizeof out->light[t].cell);
    }
}

void plan_described_free(struct plan *plan)
{
    free(plan->radius);
    free(plan->light);
}

enum status plan_write(const struct plan *plan, char **text)
{
    char *open = json_write(&form, plan, NULL);
    *text = open ? json_seal(open, strlen(open)) : NULL;
    free(open);
    return *text ? STATUS_OK
                 : status_fail(STATUS_RUNTIME, "the film's plan has a number that is not finite");
}

/* Whether it has as many entries as the scene asks for. */
static bool fits(const struct plan *plan, const struct scene *scene)
{
    return plan->keyframes == scene->camera.keyframe_count &&
           plan->moves_from == scene->camera.move_count &&
           plan->moves_to == scene->camera.move_count &&
           (plan->framings == 0 || plan->framings == scene->output.frames) &&
           (plan->axes == 0 || plan->axes == scene->output.frames) &&
           plan->captions == scene->overlay.caption_count &&
           plan->labels == scene->overlay.label_count && plan->tracks == script_tracks(scene);
}

static enum status read_any(struct plan *out, const char *text)
{
    int format;
    *out = (struct plan){0};
    if (!json_is_sealed(text, strlen(text)))
        return status_fail(STATUS_IO, "its checksum does not match");
    const enum status status = json_read(&form, text, strlen(text), out, NULL, &format);
    if (status == STATUS_USAGE)
        return status_fail(STATUS_USAGE,
                           "it has format %d, but this version of gravreel reads format %d; "
                           "continue with the version that wrote it",
                           format, FORMAT);
    return status;
}

enum status plan_read_near(struct plan *out, const char *text, const struct scene *scene)
{
    const enum status status = read_any(out, text);
    if (status != STATUS_OK || fits(out, scene))
        return status;
    return status_fail(STATUS_USAGE, "the plan has other moments than its scene");
}

enum status plan_read(struct plan *out, const char *text, const struct scene *scene)
{
    char hash[sizeof out->scene_hash];
    const enum status status = read_any(out, text);
    if (status != STATUS_OK)
        return status;
    scene_hash(scene, hash);
    if (strcmp(out->scene_hash, hash) != 0)
        return status_fail(STATUS_USAGE,
                           "it belongs to another scene (hash %s, expected %s); give that scene, "
                           "or use another folder for this one",
                           out->scene_hash, hash);
    return fits(out, scene) ? STATUS_OK
                            : status_fail(STATUS_IO, "its moments are not those of its scene");
}

enum status plan_check_start(const struct plan *plan, const char *start)
{
    return strcmp(plan->start, start) == 0
               ? STATUS_OK
               : status_fail(STATUS_USAGE,
                             "the film's plan was made for other bodies at the start (hash %s) "
                             "than the scene has now (hash %s): the bodies file has changed; "
                             "restore it, or start over with -y",
                             plan->start, start);
}

void plan_free(struct plan *plan)
{
    json_free(members, plan);
}

void plan_give_script(struct plan *plan, struct script *out)
{
    *out = plan->script;
    out->caption_count = (uint32_t)plan->captions;
    out->caption_notes = memory_new(plan->captions, sizeof *out->caption_notes);
    plan->script = (struct script){0};
    plan->keyframes = plan->moves_from = plan->moves_to = plan->framings = plan->captions = 0;
    plan->labels = plan->tracks = plan->axes = 0;
}

void plan_give(const struct plan *plan, struct renderer_params *params, struct camera_part *parts)
{
    params->found.camera.distance = plan->distance;
    params->found.look = plan->look;
    struct found_light *seen = &params->found.light;
    seen->times = (int)plan->lights;
    for (size_t t = 0; t < plan->lights; t++) {
        seen->frame[t] = plan->light[t].frame;
        memcpy(seen->cell[t], plan->light[t].cell, sizeof seen->cell[t]);
    }
    params->found.epoch = plan->epoch;
    for (size_t i = 0; i < plan->radii && i < (size_t)params->part_count; i++)
        if (plan->radius[i] != 0) /* 0: its scene needed none */
            parts[i].radius = plan->radius[i];
}
