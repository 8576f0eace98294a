#include "cmd/film/points/points.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/pipeline/passing.h"
#include "cmd/film/start/panels.h"
#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "scenes/scene_check.h"
#include "sim/bodies/bodies.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what points do not have ---- */

static enum status refuse(const struct scene *scene, const char *key, const char *what)
{
    status_fail(STATUS_USAGE, "a file of points cannot have %s; choose another one, or make a film",
                what);
    return scene_blame(scene, key);
}

enum status points_check(const struct scene *scene)
{
    const struct look_params *look = &scene->look;
    enum status status = pass_check(scene, film_played(scene), "a file of points");
    if (status != STATUS_OK)
        return status;
    if (look->panel_count > 0) {
        status_fail(STATUS_USAGE, "a file of points has one camera and no panels; remove them");
        return scene_blame(scene, "look.panels");
    }
    if (look->mode->counts)
        return refuse(scene, "look.mode", "a map of counted bodies");
    if (look->slab > 0)
        log_info("the file has all bodies, including those outside look.slab");
    if (look->color->by_density && !look->mode->plain)
        return refuse(scene, "look.color", "colours by the density in the picture");
    return STATUS_OK;
}

/* ---- collecting ---- */

enum { FROM_POSITION, FROM_VELOCITY, FROM_COLUMN, FROM_ABSENT, FROM_KINDS };

struct seen {
    uint64_t frame;
    struct camera_aim aim;
};

struct points {
    const struct film *film;
    struct sink *sink;
    const struct pipeline_params *params;
    struct recipe recipe;
    size_t count;                  /* of drawn bodies */
    bool moving;                   /* colours change with time */
    size_t frames, room;           /* kept so far, and in all */
    struct seen *moments;          /* [room] */
    float (*place)[3];             /* [room][count] by groups */
    float (*light)[3];             /* [moving ? room : 1][count] linear */
    bool *absent;                  /* [room][count]; NULL: all are there */
    const float *rows[FROM_KINDS]; /* of the present view in host memory; NULL: it has none */
    float *host[FROM_KINDS];       /* buffers for the rows of views on a device */
};

static enum status fetch(struct points *points, int which, enum view_memory memory,
                         const float *from, size_t numbers)
{
    points->rows[which] = from;
    if (memory == VIEW_HOST)
        return STATUS_OK;
    if (!points->host[which])
        points->host[which] = memory_new(numbers, sizeof(float));
    points->rows[which] = points->host[which];
    return simulation_view_read(points->film->simulations[0], memory, from, numbers,
                                points->host[which]);
}

static enum status fetch_rows(struct points *points, const struct view *view)
{
    const struct colour *colour = points->film->scene->look.color;
    const struct view_column *column =
        colour->columns[0] ? view_column(view, colour->columns[0]) : NULL;
    const struct view_column *absent = view_column(view, COLUMN_ABSENT);
    enum status status =
        fetch(points, FROM_POSITION, view->memory, view->position, 4 * view->count);
    if (status == STATUS_OK)
        status = fetch(points, FROM_VELOCITY, view->memory, view->velocity, 4 * view->count);
    if (status == STATUS_OK && column)
        status = fetch(points, FROM_COLUMN, column->memory, column->value, view->count);
    if (status == STATUS_OK && absent)
        status = fetch(points, FROM_ABSENT, absent->memory, absent->value, view->count);
    return status;
}

/* ---- colours ---- */

struct colouring {
    const struct points *points;
    const struct look_params *look;
    const struct colour *colour;
    struct legend_look map;
    double full; /* of the legend; 0: it has none */
    const double *eye;
    double right[3], up[3], back[3]; /* of the camera */
};

static double along(const float v[3], const double axis[3])
{
    return v[0] * axis[0] + v[1] * axis[1] + v[2] * axis[2];
}

static double within(double value)
{
    return fmin(fmax(value, -1), 1);
}

static void show_velocity(const struct colouring *by, const float v[3], float shown[3])
{
    double moves[3] = {along(v, by->right), along(v, by->up), along(v, by->back)};
    for (int c = 0; c < 3; c++)
        moves[c] /= by->full;
    by->colour->legend.disk(&by->map, moves, shown);
}

static void show_axes(const struct colouring *by, const float v[3], float shown[3])
{
    float hue[3];
    for (int c = 0; c < 3; c++)
        hue[c] = (float)(0.5 + 0.5 * within(v[c] / by->full));
    const float most = fmaxf(fmaxf(hue[0], hue[1]), hue[2]);
    for (int c = 0; c < 3; c++)
        hue[c] /= most;
    legend_tint(hue, by->look->saturation, shown);
}

static void show_radial(const struct colouring *by, const float *place, const float v[3],
                        float shown[3])
{
    double sight[3];
    for (int c = 0; c < 3; c++)
        sight[c] = place[c] - by->eye[c];
    const double distance = fmax(vector_length(sight), 1e-300);
    const double away = within(along(v, sight) / distance / by->full);
    by->colour->legend.colour(&by->map, 0, 0.5 + 0.5 * away, shown);
}

static void show_mapped(const struct colouring *by, float value, float shown[3])
{
    const struct legend *legend = &by->colour->legend;
    double at = value;
    if (legend->scale == LEGEND_QUANTITY && !(value >= 0)) {
        shown[0] = shown[1] = shown[2] = 0.5f; /* as in shaders/colours.glsl */
        return;
    }
    if (legend->decades > 0)
        at = 1 + fn_log(fmax(value / by->full, 1e-6)) / (legend->decades * fn_log(10));
    else if (by->full > 0)
        at = value / by->full;
    legend->colour(&by->map, 0, fmin(fmax(at, 0), 1), shown);
}

static void show_tint(const struct colouring *by, const struct draw_group *group,
                      const float *column, float shown[3])
{
    float tint[3];
    memcpy(tint, group->tint, sizeof tint);
    if (by->colour->tint == TINT_STARS && column && *column >= 0 && !group->given) {
        const double age = fmax(*column, STAR_YOUNGEST);
        star_age_shown(fn_log(age / STAR_YOUNGEST) / fn_log(STAR_OLDEST / STAR_YOUNGEST), tint);
    }
    legend_tint(tint, by->look->saturation, shown);
}

/* The colour of a body on a display, as the film's shaders find it. */
static void show(const struct colouring *by, const struct draw_group *group, size_t row,
                 float shown[3])
{
    const struct points *points = by->points;
    const float *v = points->rows[FROM_VELOCITY] + 4 * row;
    const float *column = points->rows[FROM_COLUMN] ? points->rows[FROM_COLUMN] + row : NULL;
    const struct legend *legend = &by->colour->legend;
    if (points->recipe.is_plain)
        memcpy(shown, points->recipe.plain, sizeof points->recipe.plain);
    else if (legend->disk)
        show_velocity(by, v, shown);
    else if (legend->bars == 3)
        show_axes(by, v, shown);
    else if (legend->signed_scale)
        show_radial(by, points->rows[FROM_POSITION] + 4 * row, v, shown);
    else if (by->colour->mapped)
        show_mapped(
            by, by->colour->columns[0] ? *column : sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]),
            shown);
    else if (by->colour->tint != TINT_NONE)
        show_tint(by, group, column, shown);
    else
        shown[0] = shown[1] = shown[2] = 1;
}

static void keep_colours(struct points *points, float (*light)[3])
{
    const struct film *film = points->film;
    const struct look_params *look = &film->scene->look;
    const struct camera_aim *aim = &points->moments[points->frames].aim;
    struct colouring by = {
        .points = points,
        .look = look,
        .colour = look->color,
        .map = {look->map, look->saturation},
        .eye = aim->eye,
    };
    if (look->color->legend.full)
        by.full = look->color->legend.full(look, &film->shown.found.look);
    camera_aim_axes(aim, by.right, by.up, by.back);
    for (int g = 0; g < points->recipe.group_count; g++) {
        const struct draw_group *group = &points->recipe.groups[g];
        for (size_t i = group->first; i < group->first + group->count; i++, light++) {
            show(&by, group, i, *light);
            for (int c = 0; c < 3; c++)
                (*light)[c] = (float)fn_pow(fmax((*light)[c], 0), 2.2); /* as the shaders do */
        }
    }
}

/* ---- the film ---- */

static enum status make_room(struct points *points)
{
    const double all = (double)points->count * (double)points->room;
    const double bytes = all * (points->moving ? 67 : 43);
    char bodies[32], frames[32];
    text_whole(bodies, sizeof bodies, (double)points->count);
    text_whole(frames, sizeof frames, (double)points->room);
    if (bytes > POINTS_BYTES)
        return status_fail(
            STATUS_USAGE,
            "%s bodies in %s frames make a USD file of about %.2g GB, and the limit is "
            "%.0f GB; ask for fewer frames (--frames 0..99) or bodies",
            bodies, frames, bytes / 1e9, POINTS_BYTES / 1e9);
    if (bytes > POINTS_BYTES / 8)
        log_warning("the USD file will have about %.2g GB of text; `usdcat film.usda -o film.usdc` "
                    "makes a binary file of a third of the size, which opens faster",
                    bytes / 1e9);
    points->place = malloc((size_t)all * sizeof *points->place);
    points->light = malloc((points->moving ? (size_t)all : points->count) * sizeof *points->light);
    if (points->rows[FROM_ABSENT])
        points->absent = malloc((size_t)all);
    points->moments = memory_new(points->room, sizeof *points->moments);
    if (points->place && points->light && (points->absent || !points->rows[FROM_ABSENT]))
        return STATUS_OK;
    return status_fail(
        STATUS_RUNTIME,
        "no memory left for the points of %s bodies over %s frames, %.2g GB; ask for "
        "fewer bodies or frames",
        bodies, frames, all * (points->moving ? 24 : 12) / 1e9);
}

static enum status begin(struct points *points)
{
    const struct look_params *look = &points->film->scene->look;
    enum status status = renderer_recipe(points->film->renderer, &points->recipe);
    if (status != STATUS_OK)
        return status;
    for (int g = 0; g < points->recipe.group_count; g++)
        points->count += points->recipe.groups[g].count;
    if (points->count == 0)
        return status_fail(STATUS_USAGE, "a file of points needs bodies that are drawn, and none "
                                         "are; see the components' `draw`");
    points->moving = !points->recipe.is_plain && look->color->tint == TINT_NONE &&
                     (look->color->legend.bars > 0 || look->color->legend.disk);
    points->room = points->params->last - points->params->first + 1;
    return make_room(points);
}

static enum status take_frame(void *user, const struct view *view)
{
    struct points *points = user;
    enum status status = STATUS_OK;
    if (view->frame == 0 || view->frame >= points->params->first)
        status = fetch_rows(points, view);
    if (status == STATUS_OK && view->frame == 0)
        status = begin(points);
    if (status != STATUS_OK || view->frame < points->params->first)
        return status;
    const size_t first = points->frames * points->count;
    struct seen *moment = &points->moments[points->frames];
    moment->frame = view->frame;
    renderer_aim_at(points->film->renderer, view, &moment->aim);
    size_t k = first;
    for (int g = 0; g < points->recipe.group_count; g++) {
        const struct draw_group *group = &points->recipe.groups[g];
        for (size_t i = group->first; i < group->first + group->count; i++, k++) {
            memcpy(points->place[k], points->rows[FROM_POSITION] + 4 * i, sizeof *points->place);
            if (points->absent)
                points->absent[k] = points->rows[FROM_ABSENT][i] > 0;
        }
    }
    if (points->moving || points->frames == 0)
        keep_colours(points, points->light + (points->moving ? first : 0));
    points->frames++;
    return STATUS_OK;
}

/* ---- USD's text ---- */

struct text {
    struct sink *sink;
    enum status status; /* the first failure */
    uint64_t frames;
    size_t used;
    char bytes[1 << 16];
};

enum { LINE_MOST = 1024 };

static void flush(struct text *text)
{
    if (text->status == STATUS_OK && text->used > 0)
        text->status = sink_write_text(text->sink, text->bytes, text->used, text->frames);
    text->used = 0;
}

static void put(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct text *text, const char *format, ...)
{
    va_list list;
    if (text->used + LINE_MOST > sizeof text->bytes)
        flush(text);
    va_start(list, format);
    const int length = vsnprintf(text->bytes + text->used, LINE_MOST, format, list);
    va_end(list);
    text->used += length < LINE_MOST ? (size_t)length : LINE_MOST - 1;
}

typedef char prim_name[2 * BODIES_NAME_MAX + 16];

/* Whether the camera or an earlier group has the name of group g. */
static bool is_taken(const prim_name *names, int g)
{
    bool taken = strcmp(names[g], "camera") == 0;
    for (int k = 0; k < g; k++)
        taken |= strcmp(names[k], names[g]) == 0;
    return taken;
}

/* Makes a valid and unique name for the prim of group g. */
static void name_group(const struct points *points, int g, prim_name *names)
{
    const struct bodies *bodies = points->film->bodies;
    const size_t first = points->recipe.groups[g].first, size = sizeof *names - 16;
    char *name = names[g];
    snprintf(name, size, "bodies");
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        if (component->first == first && component->count > 0)
            snprintf(name, size, "%s%s%s", component->galaxy, *component->galaxy ? "_" : "",
                     component->name);
    }
    for (char *at = name; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    if (!isalpha((unsigned char)*name)) {
        memmove(name + 1, name, strlen(name) + 1);
        *name = '_';
    }
    char *end = name + strlen(name);
    for (int number = g + 1; is_taken(names, g); number++)
        snprintf(end, 16, "_%d", number);
}

static void put_head(struct text *text, const struct points *points)
{
    const struct film *film = points->film;
    const struct frame_rate *rate = &film->scene->output.fps;
    const double fps = (double)rate->num / rate->den;
    put(text,
        "#usda 1.0\n(\n"
        "    defaultPrim = \"film\"\n"
        "    doc = \"A unit of length of the simulation counts as a metre.\"\n"
        "    metersPerUnit = 1\n"
        "    upAxis = \"Z\"\n"
        "    startTimeCode = %llu\n"
        "    endTimeCode = %llu\n"
        "    timeCodesPerSecond = %.17g\n"
        "    framesPerSecond = %.17g\n",
        (unsigned long long)points->moments[0].frame,
        (unsigned long long)points->moments[points->frames - 1].frame, fps, fps);
    if (film->shown.labels.length_kpc > 0)
        put(text, "    customLayerData = {\n        double kiloparsecsPerUnit = %.17g\n    }\n",
            film->shown.labels.length_kpc);
    put(text, ")\n\ndef Xform \"film\"\n{\n");
}

/* A sensor 36 mm wide, as Blender assumes. The unit of apertures is a tenth of the scene's. */
#define SENSOR 0.36

static void put_camera(struct text *text, const struct points *points)
{
    const struct renderer_params *shown = &points->film->shown;
    const double height = SENSOR * shown->height / shown->width;
    double near = INFINITY, far = 0;
    for (size_t k = 0; k < points->frames; k++) {
        const double distance = camera_aim_distance(&points->moments[k].aim);
        near = fmin(near, 1e-3 * distance);
        far = fmax(far, 1e3 * distance);
    }
    put(text,
        "    def Camera \"camera\"\n    {\n"
        "        float2 clippingRange = (%.9g, %.9g)\n"
        "        float horizontalAperture = %.9g\n"
        "        float verticalAperture = %.9g\n"
        "        float focalLength.timeSamples = {\n",
        near, far, SENSOR, height);
    for (size_t k = 0; k < points->frames; k++)
        put(text, "            %llu: %.9g,\n", (unsigned long long)points->moments[k].frame,
            height / 2 / fn_tan(points->moments[k].aim.fov * (M_PI / 360)));
    put(text, "        }\n        float focusDistance.timeSamples = {\n");
    for (size_t k = 0; k < points->frames; k++)
        put(text, "            %llu: %.9g,\n", (unsigned long long)points->moments[k].frame,
            camera_aim_distance(&points->moments[k].aim));
    put(text, "        }\n        matrix4d xformOp:transform.timeSamples = {\n");
    for (size_t k = 0; k < points->frames; k++) {
        const struct camera_aim *aim = &points->moments[k].aim;
        double axis[3][3];
        camera_aim_axes(aim, axis[0], axis[1], axis[2]);
        put(text, "            %llu: (", (unsigned long long)points->moments[k].frame);
        for (int a = 0; a < 3; a++)
            put(text, "(%.17g, %.17g, %.17g, 0), ", axis[a][0], axis[a][1], axis[a][2]);
        put(text, "(%.17g, %.17g, %.17g, 1)),\n", aim->eye[0], aim->eye[1], aim->eye[2]);
    }
    put(text, "        }\n        uniform token[] xformOpOrder = [\"xformOp:transform\"]\n    }\n");
}

/* Writes rows of three numbers: of every frame if `moving`, otherwise of the first frame. */
static void put_rows(struct text *text, const struct points *points, const char *name,
                     const float (*rows)[3], size_t first, size_t count, bool moving,
                     const char *format)
{
    put(text, "        %s%s", name, moving ? ".timeSamples = {\n" : " = ");
    for (size_t k = 0; k < (moving ? points->frames : 1); k++) {
        const float(*row)[3] = rows + k * points->count + first;
        if (moving)
            put(text, "            %llu: ", (unsigned long long)points->moments[k].frame);
        for (size_t i = 0; i < count; i++) {
            put(text, "%s", i == 0 ? "[" : ", ");
            put(text, format, row[i][0], row[i][1], row[i][2]);
        }
        put(text, moving ? "],\n" : "]");
    }
    put(text, moving ? "        }\n" : "");
}

static void put_extent(struct text *text, const struct points *points, size_t first, size_t count,
                       double width)
{
    put(text, "        float3[] extent.timeSamples = {\n");
    for (size_t k = 0; k < points->frames; k++) {
        const float(*row)[3] = points->place + k * points->count + first;
        float from[3], to[3];
        for (int c = 0; c < 3; c++) {
            from[c] = to[c] = row[0][c];
            for (size_t i = 1; i < count; i++) {
                from[c] = fminf(from[c], row[i][c]);
                to[c] = fmaxf(to[c], row[i][c]);
            }
            from[c] -= (float)(width / 2);
            to[c] += (float)(width / 2);
        }
        put(text, "            %llu: [(%.9g, %.9g, %.9g), (%.9g, %.9g, %.9g)],\n",
            (unsigned long long)points->moments[k].frame, from[0], from[1], from[2], to[0], to[1],
            to[2]);
    }
    put(text, "        }\n");
}

/* Whether one of these bodies is absent from a frame. */
static bool some_absent(const struct points *points, size_t first, size_t count)
{
    for (size_t k = 0; k < points->frames && points->absent; k++)
        if (memchr(points->absent + k * points->count + first, true, count))
            return true;
    return false;
}

static void put_widths(struct text *text, const struct points *points, size_t first, size_t count,
                       double width)
{
    if (!some_absent(points, first, count)) {
        put(text,
            "        float[] widths = [%.9g] (\n            interpolation = \"constant\"\n        "
            ")\n",
            width);
        return;
    }
    put(text, "        float[] widths (\n            interpolation = \"vertex\"\n        )\n"
              "        float[] widths.timeSamples = {\n");
    for (size_t k = 0; k < points->frames; k++) {
        const bool *absent = points->absent + k * points->count + first;
        put(text, "            %llu: ", (unsigned long long)points->moments[k].frame);
        for (size_t i = 0; i < count; i++)
            put(text, "%s%.9g", i == 0 ? "[" : ", ", absent[i] ? 0 : width);
        put(text, "],\n");
    }
    put(text, "        }\n");
}

static void put_group(struct text *text, const struct points *points, const char *name,
                      const struct draw_group *group, size_t first, double width)
{
    const uint64_t *id = points->film->bodies->id;
    put(text, "    def Points \"%s\"\n    {\n", name);
    put_rows(text, points, "point3f[] points", (const float(*)[3])points->place, first,
             group->count, true, "(%.9g, %.9g, %.9g)");
    put_extent(text, points, first, group->count, width);
    put(text, "        int64[] ids = ");
    for (size_t i = 0; i < group->count; i++)
        put(text, "%s%lld", i == 0 ? "[" : ", ",
            id ? (long long)id[group->first + i]
               : (long long)(group->before + group->first + i + 1));
    put(text, "]\n");
    put_widths(text, points, first, group->count, width);
    put(text, "        color3f[] primvars:displayColor (\n            interpolation = \"vertex\"\n "
              "       )\n");
    put_rows(text, points, "color3f[] primvars:displayColor", (const float(*)[3])points->light,
             first, group->count, points->moving, "(%.4g, %.4g, %.4g)");
    put(text, "%s    }\n", points->moving ? "" : "\n");
}

/* The diameter of the film's points in the first frame, at the distance of the camera's target. */
static double width_of(const struct points *points)
{
    const struct camera_aim *aim = &points->moments[0].aim;
    return points->recipe.radius > 0
               ? 2 * points->recipe.radius
               : points->recipe.point / 1080 * 2 * fn_tan(aim->fov * (M_PI / 360)) *
                     camera_aim_distance(aim);
}

static enum status write_usda(void *user)
{
    const struct points *points = user;
    if (!points->sink || points->frames == 0)
        return STATUS_OK;
    const int groups = points->recipe.group_count;
    struct text *text = memory_new(1, sizeof *text);
    prim_name *names = memory_new((size_t)groups, sizeof *names);
    text->sink = points->sink;
    text->frames = points->frames;
    put_head(text, points);
    put_camera(text, points);
    size_t first = 0;
    for (int g = 0; g < groups && text->status == STATUS_OK; g++) {
        const struct draw_group *group = &points->recipe.groups[g];
        name_group(points, g, names);
        if (group->count > 0)
            put_group(text, points, names[g], group, first, width_of(points));
        first += group->count;
    }
    put(text, "}\n");
    flush(text);
    const enum status status = text->status;
    free(names);
    free(text);
    return status;
}

enum status points_make(const struct film *film, struct sink *sink,
                        const struct pipeline_params *params, struct pipeline_progress *progress)
{
    struct points points = {.film = film, .sink = sink, .params = params};
    const struct passing passing = {take_frame, write_usda, &points};
    const enum status status = pass_views(params, &passing, progress);
    if (sink)
        progress->bytes = sink->bytes;
    recipe_free(&points.recipe);
    free(points.place);
    free(points.light);
    free(points.absent);
    free(points.moments);
    for (int k = 0; k < FROM_KINDS; k++)
        free(points.host[k]);
    return status;
}
