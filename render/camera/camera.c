#include "render/camera/camera.h"

#include "base/choice.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/camera/follow.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- path ---- */

enum { CHANNELS = 4 }; /* position, target, up; field of view in the first component of the last */

struct knot {
    double moment;
    double value[CHANNELS][3], velocity[CHANNELS][3], acceleration[CHANNELS][3];
};

struct camera_path {
    uint32_t count;
    struct knot knots[];
};

static void fill_channel(struct knot *before, struct knot *here, struct knot *after, int c)
{
    const double h0 = here->moment - before->moment, h1 = after->moment - here->moment;
    double d0[3], d1[3];
    vector_add(d0, here->value[c], -1, before->value[c]);
    vector_add(d1, after->value[c], -1, here->value[c]);
    const double l0 = vector_length(d0), l1 = vector_length(d1);
    if (l0 == 0 || l1 == 0)
        return;
    const double speed = 2 * (l0 / h0) * (l1 / h1) / (l0 / h0 + l1 / h1);
    const double most = 2 * fmin(l0 / (h0 * h0), l1 / (h1 * h1));
    for (int i = 0; i < 3; i++) {
        here->velocity[c][i] = speed * (d0[i] / l0 + d1[i] / l1) / 2;
        here->acceleration[c][i] = 2 * (d1[i] / h1 - d0[i] / h0) / (h0 + h1);
    }
    const double size = vector_length(here->acceleration[c]);
    for (int i = 0; i < 3 && size > most; i++)
        here->acceleration[c][i] *= most / size;
}

static enum status fill_knot(struct knot *knot, const struct keyframe_params *keyframe,
                             double moment, double fov, unsigned number)
{
    double sight[3], side[3];
    const double up = vector_length(keyframe->up);
    vector_add(sight, keyframe->target, -1, keyframe->position);
    const double distance = vector_length(sight);
    knot->moment = moment;
    knot->value[3][0] = keyframe->fov > 0 ? keyframe->fov : fov;
    for (int i = 0; i < 3; i++) {
        knot->value[0][i] = keyframe->position[i];
        knot->value[1][i] = keyframe->target[i];
        knot->value[2][i] = keyframe->up[i] / up;
        sight[i] /= distance;
    }
    if (!(distance > 0))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].position is also its target, so it has no line "
                           "of sight; move one of them",
                           number);
    if (!(up > 0))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].up is zero; give a direction such as [0, 0, 1]",
                           number);
    vector_cross(side, sight, knot->value[2]);
    if (vector_length(side) < 1e-3)
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].up is parallel to its line of sight, so the "
                           "picture has no up; give another direction",
                           number);
    if (!(knot->value[3][0] >= 1 && knot->value[3][0] <= 170))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u].fov is %g degrees; give 1 to 170, or 0 for "
                           "camera.fov",
                           number, knot->value[3][0]);
    return STATUS_OK;
}

enum status camera_path_open(struct camera_path **out, const struct camera_params *params,
                             const double *moment)
{
    const uint32_t count = params->keyframe_count;
    struct camera_path *path = *out = memory_new(1, sizeof *path + count * sizeof path->knots[0]);
    enum status status = STATUS_OK;
    path->count = count;
    for (uint32_t k = 0; k < count && status == STATUS_OK; k++) {
        status = fill_knot(&path->knots[k], &params->keyframes[k], moment[k], params->fov, k + 1);
        if (status == STATUS_OK && k > 0 && !(moment[k] > moment[k - 1]))
            status = status_fail(STATUS_USAGE,
                                 "camera.keyframes[%u] is at frame %.10g, not after the one before "
                                 "it, at frame %.10g; list them in the order of their moments",
                                 k + 1, moment[k], moment[k - 1]);
    }
    for (uint32_t k = 1; k + 1 < count && status == STATUS_OK; k++)
        for (int c = 0; c < CHANNELS; c++)
            fill_channel(&path->knots[k - 1], &path->knots[k], &path->knots[k + 1], c);
    if (status != STATUS_OK)
        camera_path_close(out);
    return status;
}

void camera_path_close(struct camera_path **path)
{
    free(*path);
    *path = NULL;
}

uint32_t camera_path_segment(const struct camera_path *path, double frame)
{
    uint32_t low = 0, high = path->count - 1;
    while (low < high) {
        const uint32_t middle = (low + high + 1) / 2;
        if (path->knots[middle].moment <= frame)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* The quintic polynomial on 0 .. 1 with these values, velocities and accelerations at its ends. */
static double quintic(const double x[2], const double v[2], const double a[2], double t)
{
    const double rest = x[1] - x[0] - v[0] - a[0] / 2;
    const double speed = v[1] - v[0] - a[0], bend = a[1] - a[0];
    const double c3 = 10 * rest - 4 * speed + bend / 2;
    const double c4 = -15 * rest + 7 * speed - bend;
    const double c5 = 6 * rest - 3 * speed + bend / 2;
    return x[0] + t * (v[0] + t * (a[0] / 2 + t * (c3 + t * (c4 + t * c5))));
}

void camera_path_at(const struct camera_path *path, double frame, struct camera_aim *out)
{
    const struct knot *from = &path->knots[camera_path_segment(path, frame)];
    const bool still = from + 1 == path->knots + path->count || frame <= from->moment;
    const struct knot *to = still ? from : from + 1;
    const double h = still ? 1 : to->moment - from->moment;
    const double t = still ? 0 : (frame - from->moment) / h;
    double value[CHANNELS][3];
    for (int c = 0; c < CHANNELS; c++)
        for (int i = 0; i < 3; i++)
            value[c][i] = quintic(
                (double[]){from->value[c][i], to->value[c][i]},
                (double[]){from->velocity[c][i] * h, to->velocity[c][i] * h},
                (double[]){from->acceleration[c][i] * h * h, to->acceleration[c][i] * h * h}, t);
    memcpy(out->eye, value[0], sizeof out->eye);
    memcpy(out->target, value[1], sizeof out->target);
    memcpy(out->up, value[2], sizeof out->up);
    out->fov = value[3][0];
}

/* ---- moves ---- */

static void apply_orbit(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_aim_orbit(aim, done * move->turn, done * move->tilt);
}

static void apply_zoom(const struct move_params *move, double done, struct camera_aim *aim)
{
    camera_aim_zoom(aim, fn_pow(move->factor, done));
}

static void apply_pan(const struct move_params *move, double done, struct camera_aim *aim)
{
    const double shift[] = {done * move->shift[0], done * move->shift[1], done * move->shift[2]};
    camera_aim_pan(aim, shift);
}

static const struct move_kind kinds[] = {
    {"orbit", "turns around the target: turn and tilt", apply_orbit},
    {"zoom", "moves nearer: factor", apply_zoom},
    {"pan", "moves sideways together with its target: shift", apply_pan},
};

const struct registry move_registry = REGISTRY_OF("move of the camera", kinds);

struct move {
    struct move_params params; /* its strings are not used */
    double from, to;           /* frames */
};

struct camera_moves {
    uint32_t count;
    struct move list[];
};

enum status camera_moves_open(struct camera_moves **out, const struct camera_params *params,
                              const double *from, const double *to)
{
    const uint32_t count = params->move_count;
    struct camera_moves *moves = *out =
        memory_new(1, sizeof *moves + count * sizeof moves->list[0]);
    moves->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct move *move = &moves->list[i];
        *move = (struct move){.params = params->moves[i], .from = from[i], .to = to[i]};
        move->params.from.text = move->params.to.text = NULL;
        if (!(move->to > move->from)) {
            camera_moves_close(out);
            return status_fail(STATUS_USAGE,
                               "camera.moves[%u] ends at frame %.10g, not after it begins, at "
                               "frame %.10g; give it another from or to",
                               i + 1, to[i], from[i]);
        }
    }
    return STATUS_OK;
}

void camera_moves_close(struct camera_moves **moves)
{
    free(*moves);
    *moves = NULL;
}

void camera_moves_apply(const struct camera_moves *moves, double frame, struct camera_aim *aim)
{
    for (uint32_t i = 0; i < moves->count; i++) {
        const struct move *move = &moves->list[i];
        const double part = (frame - move->from) / (move->to - move->from);
        move->params.move->apply(&move->params, ease_at(move->params.ease, part), aim);
    }
}

/* ---- camera ---- */

/* ---- framing ---- */

static const struct framing list[] = {
    {.name = "fixed", .doc = "camera.distance, camera.zoom and the moves"},
    {.name = "auto",
     .doc = "from a pilot run: changes slowly so that 95 % of the light of each galaxy is in the "
            "picture, clear of its margin and of the overlay, until the galaxies have merged, and "
            "then, or if none are named, camera.fraction of all light; the same for any number of "
            "bodies; with camera.follow mass the margins on both sides are equal; the orbit begins "
            "and ends at rest; camera.distance and keyframes take precedence",
     .automatic = true},
};

const struct registry framing_registry = REGISTRY_OF("choice of the distance", list);

/* ---- camera ---- */

struct camera {
    struct camera_params params; /* its arrays and strings are not used */
    const struct keyed *keyed;   /* [keyed_count] not owned */
    size_t keyed_count;
    double distance;
    double panel_azimuth, panel_elevation, panel_zoom;
    double stretch;               /* changes the field of view; 0: unchanged */
    bool glides;                  /* the orbit starts and ends at rest */
    bool orbit_keyed, zoom_keyed; /* their values hold at the frame, not at the film's end */
    uint64_t frames;
    double last;                    /* the frame at which orbit and zoom end */
    struct camera_framing *framing; /* [frames], or NULL */
    struct camera_axis *axes;       /* [frames], or NULL */
    struct camera_path *path;       /* NULL: no keyframes */
    bool path_views;                /* which have fields of view of their own */
    struct camera_moves *moves;
    struct camera_follow *follow; /* NULL: follows nothing */
    struct camera_follow *align;  /* NULL: the z axis is up */
};

static const double nearest = 1e-15, farthest = 1e18, finest = 1e6;

static double between(double here, double next, double part)
{
    return here + part * (next - here);
}

/* Interpolates between frames. */
static struct camera_framing framing_at(const struct camera *camera,
                                        const struct camera_params *params, double frame)
{
    if (!camera->framing)
        return (struct camera_framing){.distance = params->distance > 0 ? params->distance
                                                                        : camera->distance};
    const double within = fmin(fmax(frame, 0), (double)(camera->frames - 1));
    const uint64_t before = (uint64_t)within;
    const double part = within - (double)before;
    struct camera_framing at = camera->framing[before];
    if (part > 0) {
        const struct camera_framing *next = &camera->framing[before + 1];
        at.distance = between(at.distance, next->distance, part);
        for (int a = 0; a < 2; a++)
            at.shift[a] = between(at.shift[a], next->shift[a], part);
    }
    return at;
}

/* Part of the film over which the orbit of an automatically framed camera accelerates, and over
 * which it slows down. */
static const double starting = 0.2;

/* Eases an even motion so that it begins and ends at rest. */
static double glide(double t)
{
    const double u = fmin(fmin(t, 1 - t) / starting, 1);
    const double done = (u > 0 ? starting * u * u * u * (1 - u / 2) : 0) / (1 - starting);
    if (u < 1)
        return t < 0.5 ? done : 1 - done;
    return (t - starting / 2) / (1 - starting);
}

/* Places the eye on the x axis from the target, then turns it by azimuth and elevation as an
 * orbit. */
static void aim_plainly(const struct camera *camera, const struct camera_params *params,
                        double frame, struct camera_aim *out)
{
    const double progress = frame / camera->last;
    const double distance = framing_at(camera, params, frame).distance;
    *out = (struct camera_aim){.up = {0, 0, 1}, .fov = params->fov};
    memcpy(out->target, params->target, sizeof out->target);
    memcpy(out->eye, params->target, sizeof out->eye);
    out->eye[0] += distance * fn_pow(params->zoom, camera->zoom_keyed ? -1 : -progress);
    const double turned = camera->orbit_keyed ? 1 : camera->glides ? glide(progress) : progress;
    camera_aim_orbit(out, params->azimuth + params->orbit * turned, params->elevation);
}

/* Turns a direction as the shortest turn from the z axis to `axis` does; if they are opposite,
 * about the x axis. */
static void turn_to(const double axis[3], double x[3])
{
    const double least = -1 + 1e-12;
    if (axis[2] < least) {
        x[1] = -x[1];
        x[2] = -x[2];
        return;
    }
    /* Rodrigues' formula with the vector z x axis, whose length is the sine. */
    const double part = (axis[0] * x[0] + axis[1] * x[1]) / (1 + axis[2]);
    const double along = x[2];
    const double flat[2] = {x[0], x[1]};
    x[2] = axis[2] * along - axis[0] * flat[0] - axis[1] * flat[1];
    x[0] = flat[0] + axis[0] * (along - part);
    x[1] = flat[1] + axis[1] * (along - part);
}

/* Adds the moves, the framing and the panel's own angles to an aim around the followed centre. The
 * z axis of all that is `axis`, unless it is NULL. */
static void aim_about(const struct camera *camera, double frame, const double followed[3],
                      const double *axis, struct camera_aim *out)
{
    static const double origin[3];
    const double *centre = axis ? origin : followed;
    struct camera_params params = camera->params;
    keyed_apply(camera->keyed, camera->keyed_count, KEYED_CAMERA, frame, &params);
    if (camera->path)
        camera_path_at(camera->path, frame, out);
    else
        aim_plainly(camera, &params, frame, out);
    if (camera->path && !camera->path_views)
        out->fov = params.fov;
    vector_add(out->eye, out->eye, 1, centre);
    vector_add(out->target, out->target, 1, centre);
    camera_moves_apply(camera->moves, frame, out);
    const struct camera_framing framing = framing_at(camera, &params, frame);
    camera_aim_pan(out, (const double[3]){framing.shift[0], framing.shift[1], 0});
    camera_aim_orbit(out, camera->panel_azimuth, camera->panel_elevation);
    camera_aim_zoom(out, camera->panel_zoom);
    if (!axis)
        return;
    turn_to(axis, out->eye);
    turn_to(axis, out->target);
    turn_to(axis, out->up);
    vector_add(out->eye, out->eye, 1, followed);
    vector_add(out->target, out->target, 1, followed);
}

static void aim_at(const struct camera *camera, double frame, const double centre[3],
                   const double *axis, struct camera_aim *out)
{
    aim_about(camera, frame, centre, axis, out);
    if (camera->stretch > 0)
        out->fov = camera_stretched_fov(out->fov, camera->stretch);
}

static const double *find_axis(const struct camera *camera, const struct view *view, double axis[3])
{
    if (!camera->align)
        return NULL;
    if (camera->axes) {
        const uint64_t last = camera->frames - 1;
        memcpy(axis, camera->axes[view->frame < last ? view->frame : last].up, 3 * sizeof *axis);
    } else {
        camera_follow_axis(camera->align, view, axis);
    }
    return axis;
}

void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out)
{
    double centre[3], axis[3];
    camera_follow_centre(camera->follow, view, 0, centre);
    aim_at(camera, (double)view->frame, centre, find_axis(camera, view, axis), out);
}

void camera_aim_exposed(const struct camera *camera, const struct view *view, double part,
                        struct camera_aim out[AIMS])
{
    double centre[3], closing[3], opening[3], found[3];
    const double *axis = find_axis(camera, view, found);
    camera_follow_centre(camera->follow, view, 0, centre);
    camera_follow_centre(camera->follow, view, 0.5 * part * view->interval, closing);
    vector_add(opening, centre, -1, closing);
    vector_add(opening, centre, 1, opening);
    aim_at(camera, (double)view->frame, centre, axis, &out[AIM_MIDDLE]);
    aim_at(camera, (double)view->frame - 0.5 * part, opening, axis, &out[AIM_OPENING]);
    aim_at(camera, (double)view->frame + 0.5 * part, closing, axis, &out[AIM_CLOSING]);
}

static enum status check_path(const struct camera *camera, const struct camera_params *params,
                              uint64_t frame)
{
    struct camera_aim aim;
    double sight[3], side[3], least = HUGE_VAL;
    for (uint32_t k = 0; k < params->keyframe_count; k++) {
        vector_add(sight, params->keyframes[k].target, -1, params->keyframes[k].position);
        least = fmin(least, vector_length(sight));
    }
    camera_path_at(camera->path, (double)frame, &aim);
    vector_add(sight, aim.target, -1, aim.eye);
    vector_cross(side, sight, aim.up);
    const unsigned after = camera_path_segment(camera->path, (double)frame) + 1;
    if (!(vector_length(sight) > 1e-3 * least))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u] and the one after it lead the camera through its "
                           "own target at frame %" PRIu64 "; put a keyframe between them that "
                           "leads around it",
                           after, frame);
    if (!(vector_length(side) > 0.01 * vector_length(sight) * vector_length(aim.up)))
        return status_fail(STATUS_USAGE,
                           "camera.keyframes[%u] and the one after it make the camera look along "
                           "its up at frame %" PRIu64 "; give them another up, or put a keyframe "
                           "between them",
                           after, frame);
    return STATUS_OK;
}

/* Checks every frame's aim around the origin: a followed centre only shifts the whole. */
static enum status check_frames(const struct camera *camera, const struct camera_params *params)
{
    static const double origin[3];
    enum { CHECKS = 1 << 16 };
    const uint64_t step = camera->frames / CHECKS + 1;
    enum status status = STATUS_OK;
    for (uint64_t frame = 0; frame < camera->frames && status == STATUS_OK; frame += step) {
        struct camera_aim aim;
        if (camera->path)
            status = check_path(camera, params, frame);
        if (status != STATUS_OK)
            break;
        aim_about(camera, (double)frame, origin, NULL, &aim);
        const double distance = camera_aim_distance(&aim), out = vector_length(aim.target);
        if (distance >= nearest && distance <= farthest && out <= finest * distance)
            continue;
        status = status_fail(STATUS_USAGE,
                             "at frame %" PRIu64 " the camera is %g from its target, which is %g "
                             "from the origin: too near or too far for single precision; change "
                             "%s so that the distance is %g to %g and at least a millionth of "
                             "the target's from the origin",
                             frame, distance > 0 ? distance : 0, out,
                             camera->path ? "camera.keyframes and camera.moves"
                                          : "camera.target, camera.distance, camera.zoom and "
                                            "camera.moves",
                             nearest, farthest);
    }
    return status;
}

static enum status open_align(struct camera_follow **out, const struct camera_setup *setup)
{
    const struct camera_follow_setup align = {.follow = setup->params->align,
                                              .key = "camera.align",
                                              .parts = setup->parts,
                                              .part_count = setup->part_count};
    enum status status = camera_follow_open(out, &align);
    if (status == STATUS_OK)
        status = camera_follow_check_axis(*out, align.key);
    if (status != STATUS_OK)
        camera_follow_close(out);
    return status;
}

static enum status fill(struct camera *camera, const struct camera_setup *setup)
{
    const struct camera_params *params = setup->params;
    const struct camera_found *found = &setup->found;
    if ((params->keyframe_count > 0 && !found->keyframe) ||
        (params->move_count > 0 && !(found->move_from && found->move_to)))
        return status_fail(STATUS_RUNTIME,
                           "the moments of camera.keyframes and camera.moves were not "
                           "found");
    const struct camera_follow_setup follow = {
        .follow = params->follow,
        .key = setup->follow_key ? setup->follow_key : "camera.follow",
        .parts = setup->parts,
        .part_count = setup->part_count,
        .bodies = setup->bodies,
    };
    enum status status = camera_follow_open(&camera->follow, &follow);
    if (status == STATUS_OK)
        status = open_align(&camera->align, setup);
    if (status == STATUS_OK && params->keyframe_count > 0)
        status = camera_path_open(&camera->path, params, found->keyframe);
    for (uint32_t i = 0; i < params->keyframe_count; i++)
        camera->path_views |= params->keyframes[i].fov > 0;
    if (status == STATUS_OK)
        status = camera_moves_open(&camera->moves, params, found->move_from, found->move_to);
    if (status == STATUS_OK && found->framing) {
        camera->framing = memory_new(setup->frames, sizeof *camera->framing);
        memcpy(camera->framing, found->framing, setup->frames * sizeof *camera->framing);
    }
    if (status == STATUS_OK && found->axes) {
        camera->axes = memory_new(setup->frames, sizeof *camera->axes);
        memcpy(camera->axes, found->axes, setup->frames * sizeof *camera->axes);
    }
    return status == STATUS_OK ? check_frames(camera, params) : status;
}

/* Whether the number at this offset in struct camera_params has keyframes. */
static bool has_keyframes(const struct camera_found *found, size_t offset)
{
    for (size_t i = 0; i < found->keyed_count; i++)
        if (found->keyed[i].part == KEYED_CAMERA && found->keyed[i].offset == offset)
            return true;
    return false;
}

enum status camera_open(struct camera **out, const struct camera_setup *setup)
{
    const struct camera_params *params = setup->params;
    struct camera *camera = *out = memory_new(1, sizeof *camera);
    *camera = (struct camera){
        .params = *params,
        .keyed = setup->found.keyed,
        .keyed_count = setup->found.keyed_count,
        .distance = setup->found.distance,
        .panel_azimuth = setup->azimuth,
        .panel_elevation = setup->elevation,
        .panel_zoom = setup->zoom > 0 ? setup->zoom : 1,
        .stretch = setup->found.stretch,
        .glides = params->frame && params->frame->automatic && !setup->loops,
        .orbit_keyed = has_keyframes(&setup->found, offsetof(struct camera_params, orbit)),
        .zoom_keyed = has_keyframes(&setup->found, offsetof(struct camera_params, zoom)),
        .frames = setup->frames,
        .last = fmax(1, (double)setup->frames - !setup->loops),
    };
    enum status status = fill(camera, setup);
    if (status != STATUS_OK)
        camera_close(out);
    return status;
}

/* The setup of one picture (one of look.panels, or the only one) and the storage that it points
 * to. */
struct picture_setup {
    struct camera_setup setup;
    struct camera_params params;
    char key[48];
};

static void set_up_picture(struct picture_setup *out, const struct renderer_params *params,
                           int picture)
{
    *out = (struct picture_setup){.params = params->camera, .key = "camera.follow"};
    out->setup = (struct camera_setup){
        .params = &out->params,
        .found = params->found.camera,
        .parts = params->parts,
        .part_count = params->part_count,
        .bodies = params->bodies,
        .follow_key = out->key,
        .frames = params->frames,
        .loops = params->loops,
    };
    if (params->look.panel_count == 0)
        return;
    const struct panel_params *panel = &params->look.panels[picture];
    out->setup.azimuth = panel->azimuth;
    out->setup.elevation = panel->elevation;
    out->setup.zoom = panel->zoom;
    if (panel->follow[0]) {
        out->params.follow = panel->follow;
        snprintf(out->key, sizeof out->key, "look.panels[%d].follow", picture + 1);
    }
}

enum status camera_open_picture(struct camera **out, const struct renderer_params *params,
                                int picture)
{
    struct picture_setup own;
    set_up_picture(&own, params, picture);
    return camera_open(out, &own.setup);
}

static enum status check_keyframes(const struct camera_params *params)
{
    struct camera_path *path;
    if (params->keyframe_count == 0)
        return STATUS_OK;
    double *moments = memory_new(params->keyframe_count, sizeof *moments);
    for (uint32_t k = 0; k < params->keyframe_count; k++)
        moments[k] = k;
    enum status status = camera_path_open(&path, params, moments);
    camera_path_close(&path);
    free(moments);
    return status;
}

static enum status open_follow(struct camera_follow **out, const struct picture_setup *own)
{
    const struct camera_follow_setup setup = {.follow = own->params.follow,
                                              .key = own->key,
                                              .parts = own->setup.parts,
                                              .part_count = own->setup.part_count,
                                              .bodies = own->setup.bodies};
    return camera_follow_open(out, &setup);
}

enum status camera_check_picture(const struct renderer_params *params, int picture)
{
    struct picture_setup own;
    struct camera_follow *follow;
    set_up_picture(&own, params, picture);
    enum status status = open_follow(&follow, &own);
    camera_follow_close(&follow);
    if (status == STATUS_OK)
        status = open_align(&follow, &own.setup);
    camera_follow_close(&follow);
    return status == STATUS_OK ? check_keyframes(&own.params) : status;
}

enum status camera_find_target(const struct renderer_params *params, int picture,
                               const struct view *view, double target[3])
{
    struct picture_setup own;
    struct camera_follow *follow;
    double centre[3];
    set_up_picture(&own, params, picture);
    enum status status = open_follow(&follow, &own);
    if (status != STATUS_OK)
        return status;
    camera_follow_centre(follow, view, 0, centre);
    camera_follow_close(&follow);
    vector_add(target, params->camera.target, 1, centre);
    return STATUS_OK;
}

double camera_dome_lean_at(const struct renderer_params *params, double frame)
{
    struct camera_params camera = params->camera;
    keyed_apply(params->found.camera.keyed, params->found.camera.keyed_count, KEYED_CAMERA, frame,
                &camera);
    return camera_dome_lean(&camera);
}

void camera_close(struct camera **camera)
{
    struct camera *self = *camera;
    if (!self)
        return;
    camera_follow_close(&self->follow);
    camera_follow_close(&self->align);
    camera_path_close(&self->path);
    camera_moves_close(&self->moves);
    free(self->framing);
    free(self->axes);
    free(self);
    *camera = NULL;
}
