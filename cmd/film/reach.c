#include "cmd/film/reach.h"

#include "base/memory.h"
#include "cmd/film/camera.h"
#include "render/camera/camera.h"
#include "render/overlay/layout.h"
#include "render/panel/places.h"
#include "sim/pilot/galaxy_core.h"
#include "sim/shells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reach_eyes {
    struct renderer_params params; /* of the whole picture, as far as cameras depend on it */
    struct camera_part *parts;
    struct camera *camera[PANELS_MAX];
    int count;
    double clear[2];           /* of a panel's width and height, see overlay_clear */
    double aspect;             /* of a panel */
    struct galaxy_core **core; /* [core_count]: of galaxies that are drawn */
    size_t core_count;
    struct shell *shells; /* [bodies] */
};

/* From here only directions are seen. */
static const double far_away = 1e9;
/* In core radii, within which half of a galaxy is: a disk is seen about as far out as this. */
static const double core_seen = 2.5;

bool reach_is_needed(const struct scene *scene)
{
    const struct camera_params *camera = &scene->camera;
    return camera->frame->automatic && camera->distance == 0 && camera->keyframe_count == 0;
}

static bool is_drawn(const struct bodies *bodies, const char *galaxy)
{
    for (size_t c = 0; c < bodies->component_count; c++)
        if (bodies->components[c].draw && strcmp(bodies->components[c].galaxy, galaxy) == 0)
            return true;
    return false;
}

static enum status open_cores(struct reach_eyes *eyes, const struct bodies *bodies)
{
    size_t *first = memory_new(bodies->component_count, sizeof *first);
    const size_t galaxies = galaxies_find(bodies, first);
    enum status status = STATUS_OK;
    eyes->core = memory_new(galaxies, sizeof *eyes->core);
    for (size_t g = 0; g < galaxies && status == STATUS_OK; g++)
        if (is_drawn(bodies, bodies->components[first[g]].galaxy))
            status = galaxy_core_open(&eyes->core[eyes->core_count++], bodies, first[g]);
    free(first);
    return status;
}

static enum status open_eyes(struct reach *reach, const struct bodies *bodies)
{
    const struct scene *scene = reach->scene;
    struct reach_eyes *eyes = reach->eyes = memory_new(1, sizeof *eyes);
    struct renderer_params *params = &eyes->params;
    uint32_t width, height;
    enum status status = film_camera_parts(&eyes->parts, scene, bodies);
    *params = (struct renderer_params){
        .width = scene->output.size.width,
        .height = scene->output.size.height,
        .camera = scene->camera,
        .look = scene->look,
        .frames = scene->output.frames,
        .parts = eyes->parts,
        .part_count = (int)bodies->component_count,
        .found.camera = reach->found,
    };
    params->camera.distance = far_away;
    params->found.camera.stretch = panel_stretch(params);
    panel_size(params, &width, &height);
    eyes->aspect = (double)width / height;
    overlay_clear(eyes->clear, &scene->overlay, width, height);
    eyes->shells = memory_new(bodies->count, sizeof *eyes->shells);
    if (status == STATUS_OK)
        status = open_cores(eyes, bodies);
    while (eyes->count < look_pictures(&scene->look) && status == STATUS_OK) {
        status = camera_open_picture(&eyes->camera[eyes->count], params, eyes->count);
        eyes->count += status == STATUS_OK;
    }
    return status;
}

/* A picture at one moment: the target, the axes of the picture, and the tangents of what is clear
 * of it. */
struct sight {
    double target[3], right[3], up[3], back[3], tangent[2];
};

static double along(const struct sight *sight, const double axis[3], const double place[3])
{
    double sum = 0;
    for (int c = 0; c < 3; c++)
        sum += axis[c] * (place[c] - sight->target[c]);
    return sum;
}

/* From the target, so that a sphere about `place` is seen whole. */
static double distance_for(const struct sight *sight, const double place[3], double radius)
{
    const double *const axes[] = {sight->right, sight->up};
    double most = 0;
    for (int a = 0; a < 2; a++) {
        const double away = fabs(along(sight, axes[a], place)), tangent = sight->tangent[a];
        most = fmax(most, (away + radius * sqrt(1 + tangent * tangent)) / tangent);
    }
    return fmax(0, most + along(sight, sight->back, place));
}

/* Bodies count alike where none that is drawn has mass. */
static double distance_for_mass(const struct reach_eyes *eyes, const struct sight *sight,
                                const struct bodies *bodies)
{
    struct shell *shells = eyes->shells;
    double total = 0;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1)) {
        shells[used++] =
            (struct shell){distance_for(sight, bodies->position[i], 0), bodies->mass[i]};
        total += bodies->mass[i];
    }
    for (size_t k = 0; k < used; k++)
        shells[k].weight = total > 0 ? shells[k].weight / total : 1 / (double)used;
    return shells_radius(shells, used, eyes->params.camera.fraction - 1e-12);
}

static enum status look(struct sight *out, const struct reach_eyes *eyes, int picture,
                        const struct view *view)
{
    struct camera_aim aim;
    camera_aim(eyes->camera[picture], view, &aim);
    camera_aim_axes(&aim, out->right, out->up, out->back);
    out->tangent[1] = tan(aim.fov * M_PI / 360);
    out->tangent[0] = out->tangent[1] * eyes->aspect * eyes->clear[0];
    out->tangent[1] *= eyes->clear[1];
    return camera_find_target(&eyes->params, picture, view, out->target);
}

enum status reach_see(void *user, const struct bodies *bodies, const struct view *view, double time)
{
    struct reach *reach = user;
    enum status status = reach->eyes ? STATUS_OK : open_eyes(reach, bodies);
    const double last = (double)(reach->scene->output.frames - 1);
    struct view now = *view;
    double most = 0, centre[3];
    now.frame = (uint64_t)fmin(fmax(0, round(frame_clock_frame(reach->clock, time))), last);
    for (int i = 0; status == STATUS_OK && i < reach->eyes->count; i++) {
        const struct reach_eyes *eyes = reach->eyes;
        struct sight sight;
        status = look(&sight, eyes, i, &now);
        if (status != STATUS_OK)
            break;
        most = fmax(most, distance_for_mass(eyes, &sight, bodies));
        for (size_t g = 0; g < eyes->core_count; g++) {
            galaxy_core_find(eyes->core[g], bodies, centre);
            const double radius = core_seen * galaxy_core_radius(eyes->core[g]);
            most = fmax(most, distance_for(&sight, centre, radius));
        }
    }
    reach->distance = memory_grow(reach->distance, reach->count + 1, sizeof *reach->distance);
    reach->distance[reach->count++] = most > 0 ? most : 1;
    return status;
}

void reach_end(struct reach *reach)
{
    struct reach_eyes *eyes = reach->eyes;
    free(reach->distance);
    if (!eyes)
        return;
    for (int i = 0; i < eyes->count; i++)
        camera_close(&eyes->camera[i]);
    for (size_t g = 0; g < eyes->core_count; g++)
        galaxy_core_close(&eyes->core[g]);
    free(eyes->core);
    free(eyes->parts);
    free(eyes->shells);
    free(eyes);
}

/* At no less than at either sample beside it. */
static double distance_at(const struct reach_track *track, double time)
{
    double place = track->interval > 0 ? time / track->interval : 0;
    size_t last = track->count - 1, k = place < (double)last ? (size_t)place : last;
    return fmax(track->distance[k], track->distance[k < last ? k + 1 : last]);
}

/* No value is less than `shrink` times its neighbours. */
static void slow(double *distance, size_t count, double shrink)
{
    for (size_t f = 1; f < count; f++)
        distance[f] = fmax(distance[f], shrink * distance[f - 1]);
    for (size_t f = count - 1; f > 0; f--)
        distance[f - 1] = fmax(distance[f - 1], shrink * distance[f]);
}

/* out[i] = the largest of in[i - reach .. i + reach], as far as they exist. `queue` has room for
 * all indices; those in it lead down from the largest. */
static void spread(const double *in, size_t count, size_t reach, size_t *queue, double *out)
{
    size_t first = 0, end = 0, next = 0;
    for (size_t i = 0; i < count; i++) {
        for (; next < count && next <= i + reach; next++) {
            while (end > first && in[queue[end - 1]] <= in[next])
                end--;
            queue[end++] = next;
        }
        while (queue[first] + reach < i)
            first++;
        out[i] = in[queue[first]];
    }
}

/* Beyond the ends of the film its first and last value count. */
static void average(const double *in, size_t count, size_t reach, double *out)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0, weights = 0;
        for (size_t j = 0; j <= 2 * reach; j++) {
            double u = ((double)j - (double)reach) / (double)(reach + 1), rest = 1 - u * u;
            size_t k = i + j < reach ? 0 : i + j - reach;
            sum += rest * rest * rest * in[k < count ? k : count - 1];
            weights += rest * rest * rest;
        }
        out[i] = sum / weights;
    }
}

double *reach_smooth(const struct reach_track *track, const struct moment_scale *scale)
{
    const size_t count = scale->frames, reach = (size_t)ceil(scale->fps);
    double *raw = memory_new(count, sizeof *raw), *wide = memory_new(count, sizeof *wide);
    size_t *queue = memory_new(count, sizeof *queue);
    for (size_t f = 0; f < count; f++)
        raw[f] = distance_at(track, frame_clock_time(scale->clock, f));
    slow(raw, count, exp(-REACH_PACE / scale->fps));
    spread(raw, count, reach, queue, wide);
    average(wide, count, reach, raw);
    free(wide);
    free(queue);
    return raw;
}
