#include "cmd/film/script/reach.h"

#include "base/functions/fn.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/queue.h"
#include "cmd/film/script/crowd.h"
#include "cmd/film/script/ellipse.h"
#include "cmd/film/start/panels.h"
#include "render/camera/camera.h"
#include "render/camera/project.h"
#include "render/overlay/layout.h"
#include "render/panel/places.h"
#include "render/picture/picture.h"
#include "render/sprites/modes.h"
#include "sim/diagnostics.h"
#include "sim/gravity/tree/neighbours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the drawn bodies are at a sample, along the picture's axes from the camera's target. */
struct trace {
    double frame, edge[2], zoom;
    float (*at)[3]; /* [drawn bodies] */
};

struct reach_eyes {
    struct renderer_params params; /* of the whole picture, as far as cameras depend on it */
    struct camera_part *parts;
    struct camera *camera[PANELS_MAX];
    int count;
    double clear[2]; /* of a panel's width and height, see overlay_clear */
    double aspect;   /* of a panel */
    bool shifts, sphere;
    struct crowd crowd; /* the pilot run's bodies */
    double (*at)[3];    /* [bodies]: where the drawn ones are, along the picture's axes from
                           the camera's target */
    struct measurement *measurement; /* [galaxies + 1]: of each galaxy, and of all bodies */
    struct crowd outskirts;          /* reach.many */
    float *scatter;                  /* of each of its drawn bodies' stars, in lengths */
    struct shell *outer_shells;      /* room for each of them */
    double least;         /* smallest distance, for a single body, whose ellipse is a point */
    double *side[2];      /* [drawn bodies]: positions along an axis, in both directions */
    struct shell *shells; /* [drawn bodies]: a buffer */
    double out[REACH_STAGES][2][2]; /* where the light last ended on each side of each axis */
    struct trace *trace; /* [trace_count]: of a single flat picture in which time goes on */
    size_t trace_count;
};

/* At this distance only directions matter. */
static const double far_away = 1e9;
/* The part of a galaxy's light in its ellipse, and in the ellipse that must not be cut by the
 * picture's edge. */
static const double most_light = 0.95, nearly_all_light = 0.995;
/* Factors that enlarge ellipses: the film's bodies are not the pilot run's, and differ more after
 * the passage. */
static const double spare_before = 1.02, spare = 1.2, spare_edge = 1.75;
/* Tails may come earlier or later than in the pilot run by this part of the film. */
static const double shifted = 0.05;
/* Factors on the camera's distance after the passage: more than two galaxies scatter each other, so
 * the pilot run's paths soon differ from the film's. */
static const double spare_two = 1.04, spare_group = 1.11;
/* Two galaxies are close at this part of their initial distance. */
static const double near_part = 0.6;
/* The part of the picture's shorter side that galaxies fill at least during the passage, before
 * pace and easing reduce it slightly: the camera does not back off for faint light at the edge. */
static const double passage_fill = 0.7;
/* The same before the passage: the camera does not back off further for single stars, or to centre
 * the light. */
static const double opening_fill = 0.48;
/* Galaxies merge in the film when they do in the pilot run, or by this part of it later. */
static const double late = 0.2;
/* Part of half the picture within which ellipses must be. */
static const double within_margin = 0.9;
/* Factor on the pace towards peaks; the rest compensates for averaging, which lowers peaks. */
static const double eased = 0.94;
/* Part of the light in the opening shot if no galaxies are known, since nothing has been flung out
 * yet that could be left out. */
static const double opening_part = 0.998;
/* Part of the light at each edge that the opening shot may cut, if galaxies are known: some of the
 * outermost bodies have no bright stars. A spheroid's outermost ones are so far out that the camera
 * does not back off for them by more than this factor. */
static const double unseen_light = 5e-5, spare_outskirts = 1.12;
/* Part of the light on either side of each axis between whose edges the picture is centred, and the
 * factor by which the camera may back off for that. */
static const double centred_part = 0.99, spare_centre = 1.05;
/* Stars are scattered about their body by this part of the distance to its neighbour, the
 * standard deviation. */
static const double scattered = 0.25;

bool reach_is_needed(const struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    return camera->frame->automatic && camera->distance == 0 && camera->keyframe_count == 0;
}

/* A picture at one moment: the target, the picture's axes, and the tangents of its edges, of its
 * margin, and of the area clear of the overlay. */
struct sight {
    double target[3], axis[3][3], edge[2], margin[2], clear[2];
    double zoom; /* the factor by which the scene's zoom and moves multiply the camera's distance */
};

enum { RIGHT, UP, BACK };

/* A possible camera: its distance from the target, and the picture's shift. */
struct place {
    double distance, shift[2];
};

/* Bodies closer than this part of the camera's distance are treated as being there. */
static const double nearest_part = 0.2;

static double nearness(double depth, double distance)
{
    const double away = 1 - depth / distance;
    return away > nearest_part ? away : nearest_part;
}

/* A group's light in the picture, in lengths at its mean depth. */
struct sighted {
    struct ellipse ellipse;
    double depth; /* from the target towards the camera */
};

enum { PARTS = 2 };

/* The ellipses around parts of a group's light, seen from a place. */
struct measurement {
    const struct reach_eyes *eyes;
    const struct group *group;
    struct place from;
    double part[PARTS]; /* 0: none */
    struct sighted sighted[PARTS];
    struct ellipse_lights seen; /* [group->count] */
    struct ellipse_buffers buffers[PARTS];
    struct worker *worker; /* runs measure_group */
};

/* One galaxy for every so many processors is measured on a thread of its own; the other processors
 * compute forces. */
enum { PROCESSORS_EACH = 4 };

static enum status measure_group(void *user)
{
    struct measurement *measured = user;
    const struct place *from = &measured->from;
    const struct ellipse_lights *seen = &measured->seen;
    double light = 0, depth = 0;
    for (size_t k = 0; k < seen->count; k++) {
        const double *at = measured->eyes->at[measured->group->body[k]];
        const double away = nearness(at[BACK], from->distance);
        for (int axis = 0; axis < 2; axis++)
            seen->at[k][axis] = (at[axis] - from->shift[axis]) / away;
        light += seen->light[k];
        depth += seen->light[k] * at[BACK];
    }
    depth = light > 0 ? depth / light : 0;
    const double away = nearness(depth, from->distance);
    for (size_t k = 0; k < seen->count; k++)
        for (int axis = 0; axis < 2; axis++)
            seen->at[k][axis] *= away;
    for (int p = 0; p < PARTS && measured->part[p] > 0; p++) {
        measured->sighted[p].depth = depth;
        ellipse_find(&measured->sighted[p].ellipse, seen, measured->part[p], &measured->buffers[p]);
    }
    return STATUS_OK;
}

static void open_measurement(struct measurement *measured, const struct reach_eyes *eyes,
                             const struct group *group, bool beside)
{
    const size_t count = group->count;
    double *rows = memory_new(5 * count, sizeof *rows);
    struct shell *shells = memory_new(count, sizeof *shells);
    *measured = (struct measurement){.eyes = eyes,
                                     .group = group,
                                     .part = {most_light, nearly_all_light},
                                     .worker = worker_open(measure_group, measured, beside),
                                     .seen = {count, (double(*)[2])rows, rows + 2 * count}};
    for (int p = 0; p < PARTS; p++)
        measured->buffers[p] =
            (struct ellipse_buffers){rows + 3 * count, rows + 4 * count, shells, {0}};
    for (size_t k = 0; k < count; k++)
        measured->seen.light[k] = eyes->crowd.light[group->body[k]];
}

static void close_measurement(struct measurement *measured)
{
    worker_close(&measured->worker);
    free(measured->seen.at);
    free(measured->buffers->shells);
}

/* Bodies of the opening shot, and how far their stars are scattered. */
static enum status open_outskirts(struct reach_eyes *eyes, const struct bodies *many,
                                  const struct look_params *look)
{
    struct neighbours *neighbours = NULL;
    crowd_open(&eyes->outskirts, many, many, look);
    const struct group *drawn = &eyes->outskirts.all;
    eyes->outer_shells = memory_new(drawn->count, sizeof *eyes->outer_shells);
    float *distance = eyes->scatter = memory_new(drawn->count, sizeof *distance);
    if (drawn->count == 0)
        return STATUS_OK;
    double(*rows)[4] = memory_new(drawn->count, sizeof *rows);
    for (size_t k = 0; k < drawn->count; k++)
        memcpy(rows[k], eyes->outskirts.position[drawn->body[k]], sizeof(double[3]));
    enum status status = neighbours_open(&neighbours, drawn->count, SIZING_NEIGHBOUR);
    if (status == STATUS_OK)
        status = neighbours_find(neighbours, (const double(*)[4])rows, 1, distance, NULL);
    for (size_t k = 0; k < drawn->count && status == STATUS_OK; k++)
        distance[k] = isfinite(distance[k]) ? (float)scattered * distance[k] : 0;
    neighbours_close(&neighbours);
    free(rows);
    return status;
}

static enum status open_eyes(struct reach *reach, const struct bodies *bodies)
{
    const struct scene *scene = reach->scene;
    struct reach_eyes *eyes = reach->eyes = memory_new(1, sizeof *eyes);
    struct renderer_params *params = &eyes->params;
    uint32_t width, height;
    enum status status = film_camera_parts(&eyes->parts, scene, bodies);
    crowd_open(&eyes->crowd, bodies, reach->bodies, &scene->look);
    *params = (struct renderer_params){
        .width = scene->output.size.width,
        .height = scene->output.size.height,
        .camera = scene->camera,
        .look = scene->look,
        .frames = scene->output.frames,
        .loops = scene->output.loop,
        .parts = eyes->parts,
        .part_count = (int)eyes->crowd.parts,
        .found.camera = reach->found,
    };
    params->camera.distance = far_away;
    params->found.camera.stretch = panel_stretch(params);
    panel_size(params, &width, &height);
    eyes->aspect = (double)width / height;
    eyes->least = scene->simulation.softening > 0 ? 20 * scene->simulation.softening : 1;
    overlay_clear(eyes->clear, &scene->overlay, width, height);
    eyes->at = memory_new(eyes->crowd.count, sizeof *eyes->at);
    for (int side = 0; side < 2; side++)
        eyes->side[side] = memory_new(eyes->crowd.all.count, sizeof *eyes->side[side]);
    eyes->shells = memory_new(eyes->crowd.all.count, sizeof *eyes->shells);
    if (status == STATUS_OK && reach->many)
        status = open_outskirts(eyes, reach->many, &scene->look);
    if (status == STATUS_OK)
        status = crowd_find_galaxies(&eyes->crowd, bodies);
    eyes->measurement = memory_new(eyes->crowd.galaxies + 1, sizeof *eyes->measurement);
    for (size_t g = 0; g < eyes->crowd.galaxies; g++)
        open_measurement(&eyes->measurement[g], eyes, &eyes->crowd.galaxy[g],
                         (g + 1) * PROCESSORS_EACH <= machine_processors());
    open_measurement(&eyes->measurement[eyes->crowd.galaxies], eyes, &eyes->crowd.all, false);
    while (eyes->count < look_pictures(&scene->look) && status == STATUS_OK) {
        status = camera_open_picture(&eyes->camera[eyes->count], params, eyes->count);
        eyes->count += status == STATUS_OK;
    }
    const struct projection *projection = scene->camera.projection;
    eyes->sphere = projection && projection->whole_sphere;
    eyes->shifts = eyes->count == 1 && !(projection && !projection->flat) &&
                   strcmp(scene->camera.follow, "mass") == 0;
    return status;
}

/* The camera distance that each edge requires: left, right, below, above. */
enum { EDGES = 4 };

struct edges {
    double distance[EDGES];
};

static const struct edges nowhere = {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}};

/* Requires an ellipse, enlarged `times`, to be within edges with these tangents. */
static void hold(struct edges *edges, const struct sighted *sighted, double times,
                 const double tangent[2])
{
    for (int edge = 0; edge < EDGES; edge++) {
        double direction[2] = {0};
        direction[edge / 2] = edge % 2 ? 1 : -1;
        const double out = ellipse_extent(&sighted->ellipse, direction, times);
        edges->distance[edge] =
            fmax(edges->distance[edge], out / tangent[edge / 2] + sighted->depth);
    }
}

/* Requires all stars to be within the edges, but for a part that is hardly seen. */
static void hold_outskirts(struct edges *edges, const struct reach *reach,
                           const struct sight *sight, const struct place *from, double most)
{
    const struct reach_eyes *eyes = reach->eyes;
    const struct crowd *outskirts = &eyes->outskirts;
    const struct group *drawn = &outskirts->all;
    double all = 0;
    for (size_t k = 0; k < drawn->count; k++)
        all += outskirts->light[drawn->body[k]];
    for (int edge = 0; edge < EDGES; edge++) {
        const int axis = edge / 2;
        for (size_t k = 0; k < drawn->count; k++) {
            const double *place = outskirts->position[drawn->body[k]];
            double out = eyes->scatter[k] - from->shift[axis] * (edge % 2 ? 1 : -1), depth = 0;
            for (int c = 0; c < 3; c++) {
                const double to = place[c] - sight->target[c];
                out += (edge % 2 ? 1 : -1) * sight->axis[axis][c] * to;
                depth += sight->axis[BACK][c] * to;
            }
            eyes->outer_shells[k] =
                (struct shell){out / sight->edge[axis] + depth, outskirts->light[drawn->body[k]]};
        }
        const double held =
            shells_radius(eyes->outer_shells, drawn->count, (1 - unseen_light) * all);
        edges->distance[edge] = fmax(
            edges->distance[edge], fmin(held, fmin(spare_outskirts * edges->distance[edge], most)));
    }
}

/* Combines the edges; where the picture can be shifted, the camera is nearest if it is shifted half
 * way between them. */
static void take(struct reach_need *need, const struct reach_eyes *eyes, const struct place *from,
                 const struct edges *edges, const double tangent[2])
{
    for (int axis = 0; axis < 2; axis++) {
        const double low = edges->distance[2 * axis], high = edges->distance[2 * axis + 1];
        need->shift[axis] =
            from->shift[axis] + (eyes->shifts ? 0.5 * tangent[axis] * (high - low) : 0);
        const double distance = eyes->shifts ? 0.5 * (low + high) : fmax(low, high);
        need->distance[axis] = fmax(distance, eyes->least);
        need->tangent[axis] = tangent[axis];
    }
}

static enum status look(struct sight *out, const struct reach_eyes *eyes, int picture,
                        const struct view *view)
{
    struct camera_aim aim;
    camera_aim(eyes->camera[picture], view, &aim);
    out->zoom = camera_aim_distance(&aim) / far_away;
    camera_aim_axes(&aim, out->axis[RIGHT], out->axis[UP], out->axis[BACK]);
    const double tangent =
        fn_tan((eyes->sphere ? eyes->params.camera.projection->span : aim.fov) * M_PI / 360);
    for (int axis = 0; axis < 2; axis++) {
        const double half = tangent * (axis == 0 && !eyes->sphere ? eyes->aspect : 1);
        out->edge[axis] = eyes->sphere ? far_away : half; /* a whole sphere has no edges */
        out->margin[axis] = half * (eyes->sphere ? 1 : within_margin);
        out->clear[axis] = half * (eyes->sphere ? 1 : eyes->clear[axis]);
    }
    return camera_find_target(&eyes->params, picture, view, out->target);
}

/* The distance at which the box around the galaxies fills `fill` of the picture's shorter side. */
static double distance_for(const struct edges *box, const struct sight *sight, double fill)
{
    const double *out = box->distance;
    const double longer = fmax(out[0] + out[1], out[2] + out[3]) / 2;
    return longer / (fill * fmin(sight->edge[0], sight->edge[1]));
}

/* The shift that centres the light in the picture, starting at the shift where the camera is
 * nearest: as far as the edges permit while the camera backs off a little, to a distance of at most
 * `most`. */
static void centre_light(struct reach_eyes *eyes, const struct sight *sight, enum reach_stage stage,
                         struct reach_need *need, double most)
{
    const struct crowd *crowd = &eyes->crowd;
    const struct measurement *all = &eyes->measurement[crowd->galaxies];
    const size_t count = all->seen.count;
    const double nearest = fmax(need->distance[0], need->distance[1]);
    const double distance =
        fmax(nearest, fmin(spare_centre * nearest, most)) * fmax(sight->zoom, 1);
    double light = 0;
    for (size_t k = 0; k < count; k++)
        light += all->seen.light[k];
    for (int axis = 0; axis < 2 && eyes->shifts; axis++) {
        double *out = eyes->out[stage][axis];
        for (size_t k = 0; k < count; k++) {
            const size_t body = all->group->body[k];
            double at = -need->shift[axis];
            for (int c = 0; c < 3; c++)
                at += sight->axis[axis][c] * (crowd->position[body][c] - sight->target[c]);
            at /= nearness(eyes->at[body][BACK], distance);
            eyes->side[0][k] = -at;
            eyes->side[1][k] = at;
        }
        for (int side = 0; side < 2; side++)
            out[side] = shells_radius_near(eyes->side[side], all->seen.light, count,
                                           centred_part * light, out[side], eyes->shells);
        const double room = need->tangent[axis] * (distance - need->distance[axis]);
        need->off[axis] = fmax(-room, fmin(0.5 * (out[1] - out[0]), room));
    }
}

/* Frames the light of each galaxy, as seen from this place, for the stages before the galaxies
 * merge. Returns the distance at which galaxies fill the least of the picture. */
static double frame_galaxies(const struct reach *reach, const struct sight *sight,
                             const struct place *from, struct reach_need need[REACH_STAGES])
{
    const struct reach_eyes *eyes = reach->eyes;
    static const double lengths[2] = {1, 1};
    struct edges edges[REACH_ONE] = {[REACH_WHOLE] = nowhere, [REACH_APART] = nowhere};
    struct edges whole = nowhere, box = nowhere;
    for (size_t g = 0; g < eyes->crowd.galaxies; g++) {
        const struct sighted *most = &eyes->measurement[g].sighted[0], *all = most + 1;
        const struct sighted flat = {.ellipse = most->ellipse};
        hold(&edges[REACH_WHOLE], most, spare_before, sight->margin);
        hold(&edges[REACH_WHOLE], most, 1, sight->clear);
        hold(&edges[REACH_APART], most, spare, sight->margin);
        hold(&edges[REACH_APART], most, 1, sight->clear);
        hold(&box, &flat, 1, lengths);
        hold(&edges[REACH_WHOLE], all, spare_edge, sight->edge);
        hold(&whole, all, 1, sight->edge);
    }
    const double smallest = distance_for(&box, sight, opening_fill);
    if (reach->count == 0 && eyes->scatter && !eyes->sphere)
        hold_outskirts(&edges[REACH_WHOLE], reach, sight, from, smallest);
    edges[REACH_PASSAGE] = edges[REACH_APART];
    const double most = distance_for(&box, sight, passage_fill);
    for (int edge = 0; edge < EDGES; edge++)
        edges[REACH_PASSAGE].distance[edge] =
            fmax(edges[REACH_PASSAGE].distance[edge], fmin(whole.distance[edge], most));
    for (int stage = REACH_WHOLE; stage <= REACH_APART; stage++)
        take(&need[stage], eyes, from, &edges[stage], sight->margin);
    return smallest;
}

static double farther(const struct reach_need *need)
{
    return fmax(fmax(need->distance[0], need->distance[1]), 0);
}

static struct place place_for(const struct reach_need *need)
{
    return (struct place){farther(need), {need->shift[0], need->shift[1]}};
}

/* Finds the drawn bodies along the picture's axes. */
static void project(const struct reach_eyes *eyes, const struct sight *sight)
{
    for (size_t k = 0; k < eyes->crowd.all.count; k++) {
        const size_t body = eyes->crowd.all.body[k];
        const double *place = eyes->crowd.position[body];
        for (int axis = 0; axis < 3; axis++) {
            double at = 0;
            for (int c = 0; c < 3; c++)
                at += sight->axis[axis][c] * (place[c] - sight->target[c]);
            eyes->at[body][axis] = at;
        }
    }
}

/* Finds the distance that frames these bodies, starting from the previous one, because their
 * apparent size depends on the distance. */
static void frame_bodies(const struct reach *reach, const struct sight *sight,
                         struct reach_moment *out)
{
    enum { ROUNDS = 3 };
    struct reach_eyes *eyes = reach->eyes;
    const double asked = reach->scene->camera.fraction;
    const bool opening = reach->count == 0 && eyes->crowd.galaxies == 0;
    struct reach_need need[REACH_STAGES];
    struct place apart = {.distance = far_away}, one = apart;
    struct measurement *all = &eyes->measurement[eyes->crowd.galaxies];
    double smallest = 0;
    if (reach->count > 0) {
        apart = place_for(&reach->moment[reach->count - 1].need[REACH_APART]);
        one = place_for(&reach->moment[reach->count - 1].need[REACH_ONE]);
    }
    project(eyes, sight);
    all->part[0] = opening ? fmax(asked, opening_part) : asked;
    all->part[1] = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct edges edges = nowhere;
        memset(need, 0, sizeof need);
        for (struct measurement *next = eyes->measurement; next <= all; next++) {
            next->from = next < all ? apart : one;
            worker_begin(next->worker);
        }
        for (struct measurement *next = eyes->measurement; next <= all; next++)
            worker_wait(next->worker);
        if (eyes->crowd.galaxies > 0) {
            smallest = frame_galaxies(reach, sight, &apart, need);
            apart = place_for(&need[REACH_APART]);
        }
        hold(&edges, &all->sighted[0], spare, sight->margin);
        take(&need[REACH_ONE], eyes, &one, &edges, sight->margin);
        one = place_for(&need[REACH_ONE]);
    }
    if (eyes->crowd.galaxies > 0) {
        centre_light(eyes, sight, REACH_WHOLE, &need[REACH_WHOLE], smallest);
        centre_light(eyes, sight, REACH_APART, &need[REACH_APART], INFINITY);
        memcpy(need[REACH_PASSAGE].off, need[REACH_APART].off, sizeof need->off);
    }
    for (int k = 0; k < REACH_STAGES; k++)
        if (farther(&need[k]) >= farther(&out->need[k]))
            out->need[k] = need[k];
}

static void keep_trace(struct reach_eyes *eyes, const struct sight *sight, uint64_t frame)
{
    const struct group *all = &eyes->crowd.all;
    struct trace *trace = MEMORY_ADD(eyes->trace, eyes->trace_count);
    *trace = (struct trace){.frame = (double)frame,
                            .edge = {sight->edge[0], sight->edge[1]},
                            .zoom = sight->zoom,
                            .at = memory_new(all->count, sizeof *trace->at)};
    for (size_t k = 0; k < all->count; k++)
        for (int axis = 0; axis < 3; axis++)
            trace->at[k][axis] = (float)eyes->at[all->body[k]][axis];
}

/* Finds the camera distances that the bodies need in the view's frame. */
static enum status find_needs(const struct reach *reach, const struct view *view,
                              struct reach_moment *out)
{
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < reach->eyes->count; i++) {
        struct sight sight;
        status = look(&sight, reach->eyes, i, view);
        if (status != STATUS_OK)
            break;
        frame_bodies(reach, &sight, out);
        if (reach->eyes->count == 1 && !reach->eyes->sphere && !reach->clock->freezes)
            keep_trace(reach->eyes, &sight, view->frame);
    }
    return status;
}

/* Continues for a camera that moves around bodies at rest. */
static enum status see_still(struct reach *reach, const struct view *view)
{
    const uint64_t frames = reach->scene->output.frames;
    enum status status = STATUS_OK;
    struct view now = *view;
    reach->still = memory_new(frames, sizeof *reach->still);
    for (now.frame = reach->clock->freeze_frame; status == STATUS_OK && now.frame < frames;
         now.frame++)
        status = find_needs(reach, &now, &reach->still[now.frame]);
    return status;
}

static double away(const double a[3], const double b[3])
{
    return fn_hypot(fn_hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Separations of galaxies relative to the sum of their radii: the smallest and the largest. */
static void find_separations(const struct crowd *crowd, struct reach_moment *out)
{
    out->nearest = INFINITY;
    out->farthest = 0;
    for (size_t g = 0; g < crowd->galaxies; g++) {
        for (size_t h = 0; h < g; h++) {
            const double apart =
                away(crowd->centre[g], crowd->centre[h]) / (crowd->radius[g] + crowd->radius[h]);
            out->nearest = fmin(out->nearest, apart);
            out->farthest = fmax(out->farthest, apart);
        }
    }
}

enum status reach_see(void *user, const struct bodies *bodies, const struct view *view, double time)
{
    struct reach *reach = user;
    enum status status = reach->eyes ? STATUS_OK : open_eyes(reach, bodies);
    const struct frame_clock *clock = reach->clock;
    const double last = (double)(reach->scene->output.frames - 1);
    struct view now = *view;
    struct reach_moment moment = {.nearest = 0};
    now.frame = (uint64_t)fmin(fmax(0, round(frame_clock_frame(clock, time))), last);
    if (status == STATUS_OK) {
        crowd_move(&reach->eyes->crowd, bodies);
        find_separations(&reach->eyes->crowd, &moment);
        status = find_needs(reach, &now, &moment);
    }
    if (status == STATUS_OK && clock->freezes && !reach->still && now.frame >= clock->freeze_frame)
        status = see_still(reach, view);
    *MEMORY_ADD(reach->moment, reach->count) = moment;
    return status;
}

/* The sample of the first passage of any two galaxies that separate again by at least a tenth. Once
 * two galaxies are close they lose light. */
static size_t find_passage(const struct reach *reach)
{
    const double end = reach->eyes->crowd.galaxies == 2 ? near_part * reach->moment[0].nearest : 0;
    size_t least = 0;
    for (size_t k = 1; k < reach->count && reach->moment[least].nearest > end; k++) {
        if (reach->moment[k].nearest < reach->moment[least].nearest)
            least = k;
        else if (reach->moment[k].nearest > 1.1 * reach->moment[least].nearest + 0.1)
            break;
    }
    return least;
}

void reach_end(struct reach *reach)
{
    struct reach_eyes *eyes = reach->eyes;
    free(reach->moment);
    free(reach->still);
    if (!eyes)
        return;
    for (int i = 0; i < eyes->count; i++)
        camera_close(&eyes->camera[i]);
    for (size_t g = 0; eyes->measurement && g <= eyes->crowd.galaxies; g++)
        close_measurement(&eyes->measurement[g]);
    free(eyes->measurement);
    crowd_close(&eyes->crowd);
    crowd_close(&eyes->outskirts);
    for (size_t k = 0; k < eyes->trace_count; k++)
        free(eyes->trace[k].at);
    free(eyes->trace);
    free(eyes->outer_shells);
    free(eyes->scatter);
    free(eyes->at);
    free(eyes->parts);
    free(eyes->side[0]);
    free(eyes->side[1]);
    free(eyes->shells);
    free(eyes);
}

static size_t find_nearest(const struct reach *reach, size_t passage)
{
    size_t least = passage;
    while (least + 1 < reach->count &&
           reach->moment[least + 1].nearest <= reach->moment[least].nearest)
        least++;
    return least;
}

/* Well after the passage, each sample also includes the needs shortly before and after it, enlarged
 * by a reserve. */
static void widen_around(struct reach *reach, size_t passage)
{
    const size_t around = (size_t)(shifted * (double)reach->count), first = passage + 2 * around;
    const double times = reach->eyes->crowd.galaxies == 2 ? spare_two : spare_group;
    double(*most)[2] = memory_new(reach->count, sizeof *most);
    for (size_t k = first; k < reach->count; k++)
        for (size_t j = k - around; j < reach->count && j <= k + around; j++)
            for (int axis = 0; axis < 2; axis++)
                most[k][axis] =
                    fmax(most[k][axis], times * reach->moment[j].need[REACH_APART].distance[axis]);
    for (size_t k = first; k < reach->count; k++)
        memcpy(reach->moment[k].need[REACH_APART].distance, most[k], sizeof *most);
    free(most);
}

/* Assigns each sample its stage of the story. */
void reach_settle(struct reach *reach, double interval)
{
    const size_t galaxies = reach->eyes->crowd.galaxies, passage = find_passage(reach);
    const size_t nearest = find_nearest(reach, passage);
    size_t one = galaxies == 0 ? 0 : reach->count;
    reach->interval = interval;
    while (galaxies > 1 && one > 0 && reach->moment[one - 1].farthest < 1)
        one--;
    one += galaxies > 1 ? (size_t)(late * (double)reach->count) : 0;
    for (size_t k = 0; k < reach->count; k++)
        reach->moment[k].stage = k >= one                        ? REACH_ONE
                                 : galaxies == 1 || k <= passage ? REACH_WHOLE
                                 : k <= nearest + 1              ? REACH_PASSAGE
                                                                 : REACH_APART;
    if (galaxies > 1)
        widen_around(reach, nearest);
}

/* The samples around a frame, and the interpolation weight. */
static double needs_at(const struct reach *reach, uint64_t frame, const struct reach_need *need[2])
{
    const size_t last = reach->count - 1;
    if (reach->still && frame >= reach->clock->freeze_frame) {
        /* A still view gives time to see faint edges, so it is framed for them even if the last
         * sample is one of those just after the passage. */
        const enum reach_stage stage = reach->moment[last].stage;
        need[0] = need[1] = &reach->still[frame].need[stage == REACH_APART ? REACH_PASSAGE : stage];
        return 0;
    }
    const double time = frame_clock_time(reach->clock, frame);
    const double place = reach->interval > 0 ? time / reach->interval : 0;
    const size_t k = place < (double)last ? (size_t)place : last;
    for (size_t i = 0; i < 2; i++) {
        const struct reach_moment *moment = &reach->moment[k + i < last ? k + i : last];
        need[i] = &moment->need[moment->stage];
    }
    return fmin(place - (double)k, 1);
}

static double shift_at(const struct reach *reach, uint64_t frame, int axis)
{
    const struct reach_need *need[2];
    const double part = needs_at(reach, frame, need);
    const double here = need[0]->shift[axis] + need[0]->off[axis];
    return here + part * (need[1]->shift[axis] + need[1]->off[axis] - here);
}

/* The distance for a picture shifted by `shift`, at least that at either neighbouring sample. */
static double distance_at(const struct reach *reach, uint64_t frame, const double shift[2])
{
    const struct reach_need *need[2];
    double most = 0;
    needs_at(reach, frame, need);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++)
            most = fmax(most, need[k]->distance[a] +
                                  fabs(shift[a] - need[k]->shift[a]) / need[k]->tangent[a]);
    return most > 0 ? most : 1;
}

/* Raises values so that none is less than its neighbours' minus `pace`. */
static void slow(double *value, size_t count, double pace)
{
    for (size_t f = 1; f < count; f++)
        value[f] = fmax(value[f], value[f - 1] - pace);
    for (size_t f = count - 1; f > 0; f--)
        value[f - 1] = fmax(value[f - 1], value[f] - pace);
}

/* The largest allowed difference of values `steps` apart next to a peak. */
static double fall(double pace, size_t window, double steps)
{
    return pace * steps * steps / (2 * (double)(window + 1));
}

/* Rounds the peaks after limiting the slope: out[i] = the maximum of in[j] - fall(j - i). */
static void round_off(const double *in, size_t count, double pace, size_t window, double *out)
{
    for (size_t i = 0; i < count; i++) {
        const size_t end = i + window + 1 < count ? i + window + 1 : count;
        out[i] = in[i];
        for (size_t j = i < window ? 0 : i - window; j < end; j++)
            out[i] = fmax(out[i], in[j] - fall(pace, window, (double)j - (double)i));
    }
}

static double weight_at(size_t j, size_t window)
{
    const double u = ((double)j - (double)window) / (double)(window + 1), rest = 1 - u * u;
    return rest * rest * rest;
}

/* out[i] = the maximum of in[j] with |j - i| <= window. */
static void spread(const double *in, size_t count, size_t window, double *out)
{
    round_off(in, count, 0, window, out);
}

/* Beyond the ends of the film the first and last value are repeated. */
static void average(const double *in, size_t count, size_t window, double *out)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0, weights = 0;
        for (size_t j = 0; j <= 2 * window; j++) {
            const size_t k = i + j < window ? 0 : i + j - window;
            sum += weight_at(j, window) * in[k < count ? k : count - 1];
            weights += weight_at(j, window);
        }
        out[i] = sum / weights;
    }
}

/* Frames that are smoothed together. */
struct stretch {
    size_t first, count;
    bool loops;
};

static void smooth_stretch(const struct reach *reach, const struct moment_scale *scale,
                           const struct stretch *stretch, struct camera_framing *framing)
{
    const double seconds = (double)scale->frames / scale->fps;
    const size_t count = stretch->count, from = stretch->first;
    const size_t window = (size_t)ceil(scale->fps * fmin(REACH_WINDOW, seconds / REACH_WINDOWS));
    /* A loop is repeated on both sides, so that the middle one has all its neighbours. */
    const size_t sides = stretch->loops ? (4 * window + count - 1) / count : 0;
    const size_t total = (2 * sides + 1) * count, first = sides * count;
    double *raw = memory_new(total, sizeof *raw), *smooth = memory_new(total, sizeof *smooth);
    double *most = memory_new(total, sizeof *most);
    const double pace = fmax(REACH_PACE, REACH_TURNS / seconds) / scale->fps * eased;
    for (int axis = 0; axis < 2; axis++) {
        for (size_t f = 0; f < total; f++)
            raw[f] = shift_at(reach, from + f % count, axis);
        average(raw, total, window, smooth);
        for (size_t f = 0; f < count; f++)
            framing[from + f].shift[axis] = smooth[first + f];
    }
    for (size_t f = 0; f < total; f++)
        raw[f] = fn_log(distance_at(reach, from + f % count, framing[from + f % count].shift));
    slow(raw, total, pace);
    round_off(raw, total, pace, window, most);
    average(most, total, window, smooth);
    for (size_t f = 0; f < total; f++) /* restores what averaging has taken from peaks */
        raw[f] = fmax(0, raw[f] - smooth[f]);
    spread(raw, total, window, most);
    average(most, total, window, raw);
    for (size_t f = 0; f < count; f++)
        framing[from + f].distance = fn_exp(smooth[first + f] + raw[first + f]);
    free(most);
    free(raw);
    free(smooth);
}

struct camera_framing *reach_smooth(const struct reach *reach, const struct moment_scale *scale,
                                    const struct loop_range *loop)
{
    struct camera_framing *framing = memory_new(scale->frames, sizeof *framing);
    smooth_stretch(reach, scale, &(struct stretch){0, scale->frames, scale->loops}, framing);
    if (loop && loop->frames > 0 && loop->frames < scale->frames)
        smooth_stretch(reach, scale, &(struct stretch){loop->first, loop->frames, true}, framing);
    return framing;
}

static void add_light(struct found_light *out, const struct reach_eyes *eyes,
                      const struct trace *trace, const struct camera_framing *framing)
{
    const double distance = framing->distance * trace->zoom;
    double cell[FOUND_LIGHT_SIDE][FOUND_LIGHT_SIDE] = {{0}}, everywhere = 0;
    for (size_t k = 0; k < eyes->crowd.all.count; k++) {
        const double away = distance - (double)trace->at[k][BACK];
        const double light = eyes->crowd.light[eyes->crowd.all.body[k]];
        double at[2];
        for (int axis = 0; axis < 2; axis++)
            at[axis] =
                ((double)trace->at[k][axis] - framing->shift[axis]) / (away * trace->edge[axis]);
        everywhere += light;
        if (away > 0 && fabs(at[RIGHT]) < 1 && fabs(at[UP]) < 1)
            cell[(int)((1 - at[UP]) / 2 * FOUND_LIGHT_SIDE)]
                [(int)((1 + at[RIGHT]) / 2 * FOUND_LIGHT_SIDE)] += light;
    }
    found_light_add(out, trace->frame, cell, everywhere);
}

void reach_light(const struct reach *reach, const struct camera_framing *framing,
                 struct found_light *out)
{
    const struct reach_eyes *eyes = reach->eyes;
    const double last = (double)(reach->scene->output.frames - 1);
    *out = (struct found_light){0};
    for (size_t k = 0; k < eyes->trace_count && out->times < FOUND_LIGHT_TIMES; k++) {
        const struct trace *trace = &eyes->trace[k];
        const double wanted = last * out->times / (FOUND_LIGHT_TIMES - 1);
        if (trace->frame >= wanted - 0.5 || k + 1 == eyes->trace_count)
            add_light(out, eyes, trace, &framing[(size_t)trace->frame]);
    }
}
