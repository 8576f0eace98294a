#include "render/panel/images.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A kernel outside the picture reaches at most this far into it, in halves of the picture. */
static const double reach = 1;

/* The bounds of an image's bodies at the frame. */
struct place {
    double low[3], high[3];
};

static void corner_of(const struct place *place, int corner, double out[3])
{
    for (int c = 0; c < 3; c++)
        out[c] = corner >> c & 1 ? place->high[c] : place->low[c];
}

/* Whether all corners are outside a plane: plane[0] x + plane[1] y + plane[2] z + plane[3] > 0. */
static bool is_beyond(const struct place *place, const double plane[4])
{
    for (int k = 0; k < 8; k++) {
        double p[3];
        corner_of(place, k, p);
        if (!(plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3] > 0))
            return false;
    }
    return true;
}

static bool may_shine(const struct place *place, const struct camera_pose *pose)
{
    const float *m = pose->view_projection, *slab = pose->slab;
    for (int side = -1; side <= 1; side += 2) {
        double across[4], up[4], cut[4];
        for (int i = 0; i < 4; i++) {
            across[i] = side * m[4 * i] - (1 + reach) * m[4 * i + 3];
            up[i] = side * m[4 * i + 1] - (1 + reach) * m[4 * i + 3];
            cut[i] = side * slab[i] - (i == 3);
        }
        if (is_beyond(place, across) || is_beyond(place, up) || is_beyond(place, cut))
            return false;
    }
    const double behind[4] = {-m[3], -m[7], -m[11], -m[15]};
    return !is_beyond(place, behind);
}

double images_scale(const struct universe_found *universe, double time)
{
    return universe->comoving ? cosmology_scale_at(&universe->cosmology, universe->age + time) : 0;
}

/* The size of the box at a simulated time of the film, relative to frame 0. */
static double growth(const struct universe_found *universe, double time)
{
    const struct cosmology *cosmology = &universe->cosmology;
    if (universe->comoving || cosmology->hubble == 0)
        return 1;
    return cosmology_scale_at(cosmology, universe->age + time) /
           cosmology_scale_at(cosmology, universe->age);
}

static struct camera_aim moved(const struct camera_aim *aim, const double by[3], double grown)
{
    struct camera_aim out = *aim;
    vector_add(out.eye, aim->eye, -grown, by);
    vector_add(out.target, aim->target, -grown, by);
    return out;
}

static void add(struct images *images, const struct camera_pose *pose,
                const struct streak_ends *ends)
{
    if (images->count == images->room) {
        images->room = 2 * images->room + 8;
        images->poses = memory_grow(images->poses, images->room, sizeof *images->poses);
        images->ends = memory_grow(images->ends, images->room, sizeof *images->ends);
    }
    images->poses[images->count] = *pose;
    images->ends[images->count++] = *ends;
}

/* Adds an image that is moved by `by` at frame 0, and by grown[i] times that at aim i. */
static void add_image(struct images *images, const struct images_of *of,
                      const struct camera_pose *own, const double by[3], const double grown[AIMS])
{
    struct camera_pose pose;
    struct streak_ends ends = {.opening = {0}};
    for (int i = AIM_OPENING; i < AIMS && of->streaks; i++) {
        const struct camera_aim aim = moved(&of->aims[i], by, grown[i]);
        camera_project(&pose, &aim, of->window);
        memcpy(i == AIM_OPENING ? ends.opening : ends.closing, pose.view_projection,
               sizeof ends.opening);
    }
    const struct camera_aim aim = moved(&of->aims[AIM_MIDDLE], by, grown[AIM_MIDDLE]);
    camera_project(&pose, &aim, of->window);
    memcpy(pose.up, own->up, sizeof pose.up);
    memcpy(pose.slab, own->slab, sizeof pose.slab);
    for (int c = 0; c < 3; c++)
        pose.slab[3] += (float)(own->slab[c] * by[c] * grown[AIM_MIDDLE]);
    add(images, &pose, &ends);
}

void images_find(struct images *out, const struct images_of *of, const struct camera_pose *own)
{
    const struct universe_found *universe = of->universe;
    const double times[AIMS] = {[AIM_MIDDLE] = of->time,
                                [AIM_OPENING] = of->time - of->exposed,
                                [AIM_CLOSING] = of->time + of->exposed};
    const double none[3] = {0};
    double grown[AIMS] = {1, 1, 1};
    int most[3];
    for (int i = 0; i < AIMS && of->copies > 0; i++)
        grown[i] = growth(universe, times[i]);
    for (int c = 0; c < 3; c++)
        most[c] = universe->edge[c] > 0 ? (int)of->copies : 0;
    out->count = 0;
    add_image(out, of, own, none, grown);
    for (int k = -most[2]; k <= most[2]; k++)
        for (int j = -most[1]; j <= most[1]; j++)
            for (int i = -most[0]; i <= most[0]; i++) {
                const double by[3] = {i * universe->edge[0], j * universe->edge[1],
                                      k * universe->edge[2]};
                struct place place;
                for (int c = 0; c < 3; c++) {
                    const double middle = (universe->low[c] + universe->high[c]) / 2;
                    const double half = (universe->high[c] - universe->low[c]) / 2;
                    place.low[c] = middle + grown[AIM_MIDDLE] * (by[c] - half);
                    place.high[c] = middle + grown[AIM_MIDDLE] * (by[c] + half);
                }
                if ((i != 0 || j != 0 || k != 0) && may_shine(&place, own))
                    add_image(out, of, own, by, grown);
            }
}

void images_free(struct images *images)
{
    free(images->poses);
    free(images->ends);
    *images = (struct images){.count = 0};
}
