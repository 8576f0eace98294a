#include "cmd/film/reach.h"

#include "base/memory.h"
#include "cmd/film/camera.h"
#include "render/camera/camera.h"
#include "render/camera/project.h"
#include "render/overlay/layout.h"
#include "render/panel/places.h"
#include "render/picture/projection.h"
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
    double clear[2]; /* of a panel's width and height, see overlay_clear */
    double aspect;   /* of a panel */
    bool shifts, sphere;
    struct galaxy_core **core; /* [core_count]: of galaxies that are drawn */
    double (*centre)[3];       /* [core_count], now */
    double *extent;            /* [core_count], of the film's own bodies */
    size_t core_count;
    struct shell *shells; /* [bodies] */
};

/* From here only directions are seen. */
static const double far_away = 1e9;
/* Part of the drawn mass that the opening shot holds where no galaxies are known, since nothing has
 * been flung out yet that is better left outside; and room for the light around the outermost. */
static const double opening_part = 0.998, opening_room = 1.1;
/* Of the mass, on this side of what is centred: tails do not draw the picture to themselves. */
static const double middling = 0.9;

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

/* The pilot run's few bodies do not show where a disk ends; the film's own do. */
static enum status find_extent(double *extent, const struct bodies *film, size_t component)
{
    struct galaxy_core *core;
    enum status status = galaxy_core_open(&core, film, component);
    if (status == STATUS_OK)
        *extent = galaxy_core_extent(core);
    galaxy_core_close(&core);
    return status;
}

/* Both have the same components. */
static enum status open_cores(struct reach_eyes *eyes, const struct bodies *bodies,
                              const struct bodies *film)
{
    size_t *first = memory_new(bodies->component_count, sizeof *first);
    const size_t galaxies = galaxies_find(bodies, first);
    enum status status = STATUS_OK;
    eyes->core = memory_new(galaxies, sizeof *eyes->core);
    eyes->centre = memory_new(galaxies, sizeof *eyes->centre);
    eyes->extent = memory_new(galaxies, sizeof *eyes->extent);
    for (size_t g = 0; g < galaxies && status == STATUS_OK; g++) {
        if (!is_drawn(bodies, bodies->components[first[g]].galaxy))
            continue;
        const size_t k = eyes->core_count++;
        status = galaxy_core_open(&eyes->core[k], bodies, first[g]);
        if (status == STATUS_OK)
            status = find_extent(&eyes->extent[k], film, first[g]);
    }
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
        .loops = scene->output.loop,
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
        status = open_cores(eyes, bodies, reach->bodies);
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

enum edge { LEFT, RIGHT, BELOW, ABOVE, EDGES };

/* From the target, so that a sphere about `place` is not cut by the edges from `first` to before
 * `end`. */
static double distance_for(const struct sight *sight, int first, int end, const double place[3],
                           double radius)
{
    const double *const axes[] = {sight->right, sight->up};
    double most = -INFINITY;
    for (int edge = first; edge < end; edge++) {
        const double away = along(sight, axes[edge / 2], place), tangent = sight->tangent[edge / 2];
        const double outwards = edge % 2 == 0 ? -away : away;
        most = fmax(most, (outwards + radius * sqrt(1 + tangent * tangent)) / tangent);
    }
    return most + along(sight, sight->back, place);
}

/* So that the edges cut no core and leave `part` of the drawn mass. Bodies count alike where none
 * that is drawn has mass. */
static double distance_for_all(const struct reach_eyes *eyes, const struct sight *sight, int first,
                               int end, const struct bodies *bodies, double part)
{
    struct shell *shells = eyes->shells;
    double total = 0;
    size_t used = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1)) {
        shells[used++] = (struct shell){distance_for(sight, first, end, bodies->position[i], 0),
                                        bodies->mass[i]};
        total += bodies->mass[i];
    }
    for (size_t k = 0; k < used; k++)
        shells[k].weight = total > 0 ? shells[k].weight / total : 1 / (double)used;
    double most = shells_radius(shells, used, part - 1e-12);
    for (size_t g = 0; g < eyes->core_count; g++)
        most = fmax(most, distance_for(sight, first, end, eyes->centre[g], eyes->extent[g]));
    return most;
}

/* Moves the target into the middle between edges that leave as much on either side. */
static void centre(const struct reach_eyes *eyes, struct sight *sight, const struct bodies *bodies,
                   double shift[2])
{
    for (int axis = 0; axis < 2; axis++) {
        const int edge = 2 * axis;
        const double low = distance_for_all(eyes, sight, edge, edge + 1, bodies, middling);
        const double high = distance_for_all(eyes, sight, edge + 1, edge + 2, bodies, middling);
        shift[axis] = 0.5 * sight->tangent[axis] * (high - low);
    }
    for (int c = 0; c < 3; c++)
        sight->target[c] += shift[0] * sight->right[c] + shift[1] * sight->up[c];
}

static enum status look(struct sight *out, const struct reach_eyes *eyes, int picture,
                        const struct view *view)
{
    struct camera_aim aim;
    camera_aim(eyes->camera[picture], view, &aim);
    camera_aim_axes(&aim, out->right, out->up, out->back);
    if (eyes->sphere) {
        out->tangent[0] = out->tangent[1] = tan(SPHERE_SPAN * M_PI / 360);
        return camera_find_target(&eyes->params, picture, view, out->target);
    }
    out->tangent[1] = tan(aim.fov * M_PI / 360);
    out->tangent[0] = out->tangent[1] * eyes->aspect * eyes->clear[0];
    out->tangent[1] *= eyes->clear[1];
    return camera_find_target(&eyes->params, picture, view, out->target);
}

/* The distance at which these bodies fit the view's frame. */
static enum status find_need(const struct reach *reach, const struct bodies *bodies,
                             const struct view *view, struct reach_need *out)
{
    const struct reach_eyes *eyes = reach->eyes;
    const double asked = reach->scene->camera.fraction;
    const bool opening = reach->count == 0 && eyes->core_count == 0;
    const double part = opening ? fmax(asked, opening_part) : asked;
    struct reach_need need = {.distance = 0};
    enum status status = STATUS_OK;
    for (int i = 0; status == STATUS_OK && i < eyes->count; i++) {
        struct sight sight;
        status = look(&sight, eyes, i, view);
        if (status != STATUS_OK)
            break;
        if (eyes->shifts)
            centre(eyes, &sight, bodies, need.shift);
        memcpy(need.tangent, sight.tangent, sizeof need.tangent);
        need.distance = fmax(need.distance, distance_for_all(eyes, &sight, 0, EDGES, bodies, part));
    }
    if (opening)
        need.distance *= opening_room;
    need.distance = need.distance > 0 ? need.distance : 1;
    *out = need;
    return status;
}

/* The camera goes on around bodies that stand still. */
static enum status see_still(struct reach *reach, const struct bodies *bodies,
                             const struct view *view)
{
    const uint64_t frames = reach->scene->output.frames;
    enum status status = STATUS_OK;
    struct view now = *view;
    reach->still = memory_new(frames, sizeof *reach->still);
    for (now.frame = reach->clock->freeze_frame; status == STATUS_OK && now.frame < frames;
         now.frame++)
        status = find_need(reach, bodies, &now, &reach->still[now.frame]);
    return status;
}

enum status reach_see(void *user, const struct bodies *bodies, const struct view *view, double time)
{
    struct reach *reach = user;
    enum status status = reach->eyes ? STATUS_OK : open_eyes(reach, bodies);
    const struct frame_clock *clock = reach->clock;
    const double last = (double)(reach->scene->output.frames - 1);
    struct view now = *view;
    struct reach_need need = {.distance = 0};
    now.frame = (uint64_t)fmin(fmax(0, round(frame_clock_frame(clock, time))), last);
    for (size_t g = 0; status == STATUS_OK && g < reach->eyes->core_count; g++)
        galaxy_core_find(reach->eyes->core[g], bodies, reach->eyes->centre[g]);
    if (status == STATUS_OK)
        status = find_need(reach, bodies, &now, &need);
    if (status == STATUS_OK && clock->freezes && !reach->still && now.frame >= clock->freeze_frame)
        status = see_still(reach, bodies, view);
    reach->need = memory_grow(reach->need, reach->count + 1, sizeof *reach->need);
    reach->need[reach->count++] = need;
    return status;
}

void reach_end(struct reach *reach)
{
    struct reach_eyes *eyes = reach->eyes;
    free(reach->need);
    free(reach->still);
    if (!eyes)
        return;
    for (int i = 0; i < eyes->count; i++)
        camera_close(&eyes->camera[i]);
    for (size_t g = 0; g < eyes->core_count; g++)
        galaxy_core_close(&eyes->core[g]);
    free(eyes->core);
    free(eyes->centre);
    free(eyes->extent);
    free(eyes->parts);
    free(eyes->shells);
    free(eyes);
}

/* The samples before and after, and how far between them. */
static double samples_at(const struct reach_track *track, const struct frame_clock *clock,
                         uint64_t frame, const struct reach_need *sample[2])
{
    if (track->still && frame >= clock->freeze_frame) {
        sample[0] = sample[1] = &track->still[frame];
        return 0;
    }
    const double time = frame_clock_time(clock, frame);
    const double place = track->interval > 0 ? time / track->interval : 0;
    const size_t last = track->count - 1, k = place < (double)last ? (size_t)place : last;
    sample[0] = &track->need[k];
    sample[1] = &track->need[k < last ? k + 1 : last];
    return fmin(place - (double)k, 1);
}

static double shift_at(const struct reach_track *track, const struct frame_clock *clock,
                       uint64_t frame, int axis)
{
    const struct reach_need *sample[2];
    const double part = samples_at(track, clock, frame, sample);
    return sample[0]->shift[axis] + part * (sample[1]->shift[axis] - sample[0]->shift[axis]);
}

/* At no less than at either sample beside it, as long as the picture is moved by `shift`. */
static double distance_at(const struct reach_track *track, const struct frame_clock *clock,
                          uint64_t frame, const double shift[2])
{
    const struct reach_need *sample[2];
    double most = 0;
    samples_at(track, clock, frame, sample);
    for (int k = 0; k < 2; k++)
        for (int a = 0; a < 2; a++)
            most = fmax(most, sample[k]->distance +
                                  fabs(shift[a] - sample[k]->shift[a]) / sample[k]->tangent[a]);
    return most;
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

struct camera_framing *reach_smooth(const struct reach_track *track,
                                    const struct moment_scale *scale)
{
    enum { TURNS = 3 }; /* of a loop, of which the middle one has all its neighbours */
    const size_t count = scale->frames, reach = (size_t)ceil(scale->fps);
    const size_t total = track->loops ? TURNS * count : count, first = track->loops ? count : 0;
    struct camera_framing *framing = memory_new(count, sizeof *framing);
    double *raw = memory_new(total, sizeof *raw), *smooth = memory_new(total, sizeof *smooth);
    size_t *queue = memory_new(total, sizeof *queue);
    for (int axis = 0; axis < 2; axis++) {
        for (size_t f = 0; f < total; f++)
            raw[f] = shift_at(track, scale->clock, f % count, axis);
        average(raw, total, reach, smooth);
        for (size_t f = 0; f < count; f++)
            framing[f].shift[axis] = smooth[first + f];
    }
    for (size_t f = 0; f < total; f++)
        raw[f] = distance_at(track, scale->clock, f % count, framing[f % count].shift);
    slow(raw, total, exp(-REACH_PACE / scale->fps));
    spread(raw, total, reach, queue, smooth);
    average(smooth, total, reach, raw);
    for (size_t f = 0; f < count; f++)
        framing[f].distance = raw[first + f];
    free(raw);
    free(smooth);
    free(queue);
    return framing;
}
