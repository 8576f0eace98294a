#include "render/panel/marks.h"

#include "base/memory.h"
#include "render/trails/trails.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The deviation of a spot of diameter 1, at half of whose radius it has 0.6 of its light; that of a
 * path, relative to its spot. */
static const double deviation = 0.25, narrow = 0.4;
static const double step = 0.6;       /* between the spots of a path, in deviations */
static const double path_light = 0.6; /* of the spot's display value, where the path is newest */

enum { SPOTS_OF_A_SPAN = 256 };

struct spot {
    double place[3];
    double shown; /* relative to the mark's brightness */
};

/* The spots of one entry of look.marks: those of bodies, then those of paths. */
struct entry {
    struct mark_params params;
    struct spot *spots; /* [count] */
    size_t count, bodies, room;
};

struct marks {
    struct marks_setup setup;
    struct stars *stars;
    struct entry *entries; /* [setup.param_count] */
    struct sky_star *drawn;
};

enum status marks_create(struct marks **out, const struct marks_setup *setup)
{
    struct marks *marks = *out = memory_new(1, sizeof *marks);
    marks->setup = *setup;
    marks->entries = memory_new(setup->param_count, sizeof *marks->entries);
    for (uint32_t i = 0; i < setup->param_count; i++)
        marks->entries[i].params = setup->params[i];
    const enum status status = stars_create(&marks->stars, &setup->stars);
    if (status != STATUS_OK)
        marks_destroy(out);
    return status;
}

void marks_destroy(struct marks **marks)
{
    struct marks *self = *marks;
    if (!self)
        return;
    for (uint32_t i = 0; i < self->setup.param_count; i++)
        free(self->entries[i].spots);
    free(self->entries);
    free(self->drawn);
    stars_destroy(&self->stars);
    free(self);
    *marks = NULL;
}

static void add_spot(struct entry *entry, const double place[3], double shown)
{
    if (entry->count == entry->room) {
        entry->room = 2 * entry->room + 64;
        entry->spots = memory_grow(entry->spots, entry->room, sizeof *entry->spots);
    }
    struct spot *spot = &entry->spots[entry->count++];
    memcpy(spot->place, place, sizeof spot->place);
    spot->shown = shown;
}

/* The part of a path between two frames, the later one of this age in frames. */
static void add_span(struct entry *entry, const struct trail_span *span, double age, double length,
                     double sigma, const struct camera_eye *eye)
{
    const double middle[3] = {(double)span->to[0], (double)span->to[1], (double)span->to[2]};
    double at[2], scale;
    if (!camera_see(eye, middle, at, &scale))
        return;
    const double count =
        fmin(fmax(ceil(span->fastest * scale / (step * narrow * sigma)), 1), SPOTS_OF_A_SPAN);
    for (int i = 0; i < (int)count; i++) {
        const double u = (i + 0.5) / count;
        float row[8];
        (void)trail_span_at(span, u, row);
        const double place[3] = {(double)row[0], (double)row[1], (double)row[2]};
        if (camera_slab_depth(eye->slab, place) <= 1)
            add_spot(entry, place, path_light * trail_left((age + 1 - u) / length));
    }
}

static void add_path(struct entry *entry, const struct view_trail *trail, size_t body,
                     double length, double sigma, const struct camera_eye *eye)
{
    for (size_t k = 1; k < trail->frames; k++) {
        const double age = (double)(trail->frames - 1 - k);
        const double interval = trail->time[k] - trail->time[k - 1];
        const float *from = trail->rows[(k - 1) * trail->bodies + body],
                    *to = trail->rows[k * trail->bodies + body];
        struct trail_span span;
        if (age >= length || interval == 0 || from[7] > 0 || to[7] > 0)
            continue;
        trail_span_make(&span, from, to, interval);
        add_span(entry, &span, age, length, sigma, eye);
    }
}

/* The deviation in pixels of a picture with this eye. */
static double sigma_of(const struct marks *marks, const struct entry *entry,
                       const struct camera_eye *eye)
{
    const double stretch = marks->setup.stars.stretch;
    const double rows = eye->whole_sphere ? camera_quarter(eye->width, eye->dome)
                        : stretch > 0     ? eye->height / stretch
                                          : eye->height;
    return deviation * entry->params.size * rows / 1080;
}

void marks_take(struct marks *marks, const struct view *view, const struct camera_eye *eye)
{
    const struct marks_setup *setup = &marks->setup;
    for (uint32_t e = 0; e < setup->param_count; e++) {
        struct entry *entry = &marks->entries[e];
        entry->count = 0;
        for (size_t i = 0; i < setup->count; i++) {
            double place[3];
            if (setup->tracked[i].entry == e &&
                setup->tracked[i].at(&setup->tracked[i], view, place) &&
                camera_slab_depth(eye->slab, place) <= 1)
                add_spot(entry, place, 1);
        }
        entry->bodies = entry->count;
        const double length = entry->params.trail * setup->fps;
        for (size_t i = 0; i < setup->count && length > 0 && view->trail; i++)
            if (setup->tracked[i].entry == e)
                add_path(entry, view->trail, (size_t)setup->tracked[i].body, length,
                         sigma_of(marks, entry, eye), eye);
    }
}

/* Draws spots first .. first + count - 1 with their directions from the eye. */
static void draw(struct marks *marks, const struct entry *entry, size_t first, size_t count,
                 double size, const struct gl_target *target, const struct camera_aim *aim,
                 const struct camera_window *window,
                 double (*light)(const void *user, double shown), const void *user)
{
    if (count == 0)
        return;
    marks->drawn = memory_grow(marks->drawn, count, sizeof *marks->drawn);
    for (size_t i = 0; i < count; i++) {
        const struct spot *spot = &entry->spots[first + i];
        struct sky_star *star = &marks->drawn[i];
        double direction[3];
        *star =
            (struct sky_star){.light = (float)light(user, entry->params.brightness * spot->shown)};
        vector_add(direction, spot->place, -1, aim->eye);
        const double away = fmax(vector_length(direction), 1e-300);
        for (int c = 0; c < 3; c++) {
            star->direction[c] = (float)(direction[c] / away);
            star->shown[c] = (float)entry->params.color.shown[c];
        }
    }
    stars_set(marks->stars, marks->drawn, count, size);
    stars_add(marks->stars, target, aim, window, 1);
}

void marks_add(struct marks *marks, const struct gl_target *target, const struct camera_aim *aim,
               const struct camera_window *window, double (*light)(const void *user, double shown),
               const void *user)
{
    for (uint32_t e = 0; e < marks->setup.param_count; e++) {
        const struct entry *entry = &marks->entries[e];
        const double size = deviation * entry->params.size / 1080;
        draw(marks, entry, entry->bodies, entry->count - entry->bodies, narrow * size, target, aim,
             window, light, user);
        draw(marks, entry, 0, entry->bodies, size, target, aim, window, light, user);
    }
}
