#include "cmd/film/reach.h"

#include "cmd/film/camera.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool reach_is_wanted(const struct scene *scene)
{
    return strcmp(scene->camera.frame, "auto") == 0 && scene->camera.keyframe_count == 0;
}

static enum status open_camera(struct reach *reach, const struct bodies *bodies)
{
    struct renderer_params params = {.camera = reach->scene->camera, .frames = 1};
    params.camera.distance = film_camera_some_distance(&params.camera);
    params.camera.move_count = 0;
    enum status status = film_camera_parts(&params, reach->scene, bodies);
    if (status == STATUS_OK)
        status = renderer_camera_open(&reach->camera, &params, 0);
    film_camera_free(&params);
    return status;
}

enum status reach_point(void *user, const struct bodies *bodies, const struct view *view,
                        double point[3])
{
    struct reach *reach = user;
    struct camera_aim aim;
    enum status status = reach->camera ? STATUS_OK : open_camera(reach, bodies);
    if (status != STATUS_OK)
        return status;
    camera_aim(reach->camera, view, &aim);
    memcpy(point, aim.target, sizeof aim.target);
    return STATUS_OK;
}

void reach_end(struct reach *reach)
{
    camera_close(&reach->camera);
}

static double radius_at(const struct pilot *pilot, double time)
{
    double place = pilot->interval > 0 ? time / pilot->interval : 0;
    size_t last = pilot->count - 1, k = place < (double)last ? (size_t)place : last;
    double part = place - (double)k;
    if (k == last)
        return pilot->radius[last];
    return (1 - part) * pilot->radius[k] + part * pilot->radius[k + 1];
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

/* Beyond its ends the film stands still. */
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

enum status reach_smooth(const struct pilot *pilot, const struct moment_scale *scale, double **out)
{
    const size_t count = scale->frames, reach = (size_t)ceil(scale->fps);
    double *raw = calloc(count, sizeof *raw), *wide = calloc(count, sizeof *wide);
    size_t *queue = calloc(count, sizeof *queue);
    enum status status = STATUS_OK;
    if (!raw || !wide || !queue) {
        free(raw);
        status = status_fail(STATUS_RUNTIME, "no memory left for the camera's distances");
    } else {
        for (size_t f = 0; f < count; f++)
            raw[f] = radius_at(pilot, frame_clock_time(scale->clock, f));
        spread(raw, count, reach, queue, wide);
        average(wide, count, reach, raw);
        *out = raw;
    }
    free(wide);
    free(queue);
    return status;
}
