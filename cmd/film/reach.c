#include "cmd/film/reach.h"

#include "base/memory.h"
#include "cmd/film/camera.h"

#include <math.h>
#include <stdlib.h>

bool reach_is_needed(const struct scene *scene)
{
    return scene->camera.frame->automatic && scene->camera.keyframe_count == 0;
}

static enum status open_follow(struct reach *reach, const struct bodies *bodies)
{
    struct camera_part *parts;
    enum status status = film_camera_parts(&parts, reach->scene, bodies);
    if (status == STATUS_OK)
        status = camera_follow_open(
            &reach->follow,
            &(struct camera_follow_setup){.follow = reach->scene->camera.follow,
                                          .key = "camera.follow",
                                          .parts = parts,
                                          .part_count = (int)bodies->component_count});
    free(parts);
    reach->open = status == STATUS_OK;
    return status;
}

enum status reach_point(void *user, const struct bodies *bodies, const struct view *view,
                        double point[3])
{
    struct reach *reach = user;
    enum status status = reach->open ? STATUS_OK : open_follow(reach, bodies);
    if (status != STATUS_OK)
        return status;
    camera_follow_centre(reach->follow, view, point);
    for (int c = 0; c < 3; c++)
        point[c] += reach->scene->camera.target[c];
    return STATUS_OK;
}

void reach_end(struct reach *reach)
{
    camera_follow_close(&reach->follow);
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

double *reach_smooth(const struct pilot *pilot, const struct moment_scale *scale)
{
    const size_t count = scale->frames, reach = (size_t)ceil(scale->fps);
    double *raw = memory_new(count, sizeof *raw), *wide = memory_new(count, sizeof *wide);
    size_t *queue = memory_new(count, sizeof *queue);
    for (size_t f = 0; f < count; f++)
        raw[f] = radius_at(pilot, frame_clock_time(scale->clock, f));
    spread(raw, count, reach, queue, wide);
    average(wide, count, reach, raw);
    free(wide);
    free(queue);
    return raw;
}
