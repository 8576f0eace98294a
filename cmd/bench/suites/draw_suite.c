/* Drawing one frame: from bodies to light, glow, tone curve, overlay, conversion and read-back,
 * with two pictures in flight as in a film. */
#include "cmd/bench/suites/suites.h"

#include "base/clock.h"
#include "cmd/bench/bound.h"
#include "cmd/bench/table.h"
#include "cmd/film/film.h"
#include "scenes/scene.h"
#include "scenes/scene_check.h"
#include "sim/run/run.h"
#include "sim/views.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct drawing {
    struct film film;
    struct view *view;
    struct picture *picture[2];
};

static void close_drawing(struct drawing *drawing)
{
    for (int i = 0; i < 2 && drawing->film.renderer; i++)
        renderer_picture_destroy(drawing->film.renderer, &drawing->picture[i]);
    if (drawing->film.renderer)
        renderer_unbind(drawing->film.renderer);
    views_destroy(drawing->film.simulations, &drawing->view);
    film_close(&drawing->film);
}

/* The looks of a row share it; the first film makes the bodies. */
struct row {
    const char *count, *size;
    struct bodies *bodies;
    struct run_pilots pilots;
    double bound; /* see bound_of */
};

/* Takes the row's bodies, if there are any. */
static enum status open_drawing(struct drawing *drawing, const struct scene *scene,
                                const char *backend, int device, struct row *row)
{
    *drawing = (struct drawing){0};
    enum status status = film_open(&drawing->film, &(struct film_options){.scene = scene,
                                                                          .backend = backend,
                                                                          .device = device,
                                                                          .bodies = row->bodies,
                                                                          .pilots = &row->pilots,
                                                                          .format = PICTURE_NV12,
                                                                          .whole = "this command"});
    row->bodies = NULL;
    if (status != STATUS_OK)
        return status;
    struct film *film = &drawing->film;
    status = renderer_bind(film->renderer);
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = renderer_picture_create(film->renderer, &drawing->picture[i]);
    if (status == STATUS_OK)
        status = views_create(film->simulations, film->simulation_count, &drawing->view);
    if (status == STATUS_OK)
        status = views_fill(film->simulations, drawing->view);
    if (status == STATUS_OK)
        status = renderer_meter(film->renderer, drawing->view);
    if (status != STATUS_OK)
        close_drawing(drawing);
    return status;
}

static enum status sample_frames(void *user, unsigned calls, double *seconds)
{
    struct drawing *drawing = user;
    struct renderer *renderer = drawing->film.renderer;
    double since = clock_seconds();
    enum status status = renderer_submit(renderer, drawing->view, drawing->picture[0]);
    for (unsigned k = 1; k < calls && status == STATUS_OK; k++) {
        drawing->view->frame = k % 2;
        status = renderer_submit(renderer, drawing->view, drawing->picture[k % 2]);
        if (status == STATUS_OK)
            status = renderer_wait(renderer);
    }
    if (status == STATUS_OK)
        status = renderer_wait(renderer);
    *seconds = clock_seconds() - since;
    return status;
}

struct look_case {
    const char *heading, *bloom, *overlay, *size, *tone, *glow, *shutter, *resolved;
};

static const struct look_case looks[] = {
    {"bodies alone", "0", "false", "fixed", "filmic", "0", "0", "0"},
    {"with glow", "0.5", "false", "fixed", "filmic", "0", "0", "0"},
    {"and overlay", "0.5", "true", "fixed", "filmic", "0", "0", "0"},
    {"adaptive", "0", "true", "adaptive", "log", "0.15", "0", "0"},
    {"in motion", "0", "true", "adaptive", "log", "0.15", "0.5", "0"},
    {"with stars", "0", "true", "adaptive", "log", "0.15", "0.5", "0.55"},
};
enum {
    LOOKS = sizeof looks / sizeof looks[0],
    ADAPTIVE = 3, /* the first look with sprites of adaptive size */
    BODIES = 0,
    SIZE,
    FIRST_LOOK,
    BOUND = FIRST_LOOK + LOOKS,
    COLUMNS
};

static enum status make_scene(struct scene **scene, const char *count, const char *size,
                              const struct look_case *look)
{
    const char *const settings[][2] = {
        {"bodies.count", count},           {"output.size", size},
        {"look.bloom", look->bloom},       {"overlay.title", look->overlay},
        {"overlay.clock", look->overlay},  {"overlay.scale_bar", look->overlay},
        {"look.size", look->size},         {"look.tone", look->tone},
        {"look.glow", look->glow},         {"look.shutter", look->shutter},
        {"look.resolved", look->resolved}, {"look.point_size", "2"}};
    enum status status = scene_open(scene, builtin_default());
    /* Few bodies are drawn as in a film, very many bodies as points of two pixels. */
    const size_t used = sizeof settings / sizeof settings[0] - (strlen(count) < 7);
    for (size_t i = 0; i < used && status == STATUS_OK; i++)
        status = scene_set(*scene, settings[i][0], settings[i][1], "bench");
    return status == STATUS_OK ? scene_validate(*scene) : status;
}

/* No frame takes less time than reading position, velocity and distance of each drawn body, or
 * than copying the planes to the host. In seconds; 0: unknown. */
static double bound_of(const struct bench_bound *bound, const struct film *film)
{
    enum { BODY_BYTES = 7 * sizeof(float) };
    const struct picture_size *size = &film->scene->output.size;
    const double planes = 1.5 * (double)size->width * (double)size->height; /* NV12 */
    double drawn = 0;
    for (size_t c = 0; c < film->bodies->component_count; c++)
        if (film->bodies->components[c].draw)
            drawn += (double)film->bodies->components[c].count;
    return bench_least_seconds(
        bound, &(struct bench_least){.bytes = drawn * BODY_BYTES, .to_host = planes});
}

static void time_look(const struct bench_options *options, struct bench_table *table,
                      struct row *row, int which, const struct bench_bound *bound, char *renderer,
                      size_t room)
{
    struct scene *scene = NULL;
    struct drawing drawing;
    double seconds = 0;
    enum status status = make_scene(&scene, row->count, row->size, &looks[which]);
    if (status == STATUS_OK)
        status =
            open_drawing(&drawing, scene, options->cuda ? "cuda" : "cpu", options->device, row);
    if (status == STATUS_OK) {
        status = bench_median(options, sample_frames, &drawing, &seconds);
        snprintf(renderer, room, "%s", renderer_description(drawing.film.renderer));
        row->bound = bound_of(bound, &drawing.film);
        row->bodies = drawing.film.bodies;
        drawing.film.bodies = NULL;
        close_drawing(&drawing);
    }
    bench_result(table, (size_t)(FIRST_LOOK + which), status, 1e3 * seconds);
    scene_close(&scene);
}

static enum status run_draw(const struct bench_options *options, struct bench_report *report)
{
    static const struct bench_column columns[COLUMNS] = {
        {"bodies", "", 0, false, false},          {"size", "", 0, false, false},
        {looks[0].heading, "ms", 3, false, true}, {looks[1].heading, "ms", 3, false, true},
        {looks[2].heading, "ms", 3, false, true}, {looks[3].heading, "ms", 3, false, true},
        {looks[4].heading, "ms", 3, false, true}, {looks[5].heading, "ms", 3, false, true},
        {"bound", "ms", 2, false, false},
    };
    static const struct {
        const char *count, *size;
        bool large, again; /* again: repeats the size of an earlier case */
        bool huge;         /* only sprites of adaptive size, at rest */
    } cases[] = {
        {"16384", "1280x720", false, false, false},   {"65536", "1920x1080", true, false, false},
        {"65536", "3840x2160", true, false, false},   {"1048576", "1920x1080", true, true, false},
        {"1048576", "3840x2160", true, true, false},  {"10485760", "1920x1080", true, true, false},
        {"100000000", "1920x1080", true, true, true},
    };
    char renderer[320] = "", count[32];
    struct bench_bound bound;
    bench_bound_find(options, options->cuda, NULL, &bound);
    struct bench_table *table = bench_add_table(report, "draw", COLUMNS, columns,
                                                "one frame, NV12, mean over frames in flight");
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if ((cases[c].large && (options->quick || !options->cuda)) ||
            (cases[c].again && options->count))
            continue;
        if (options->count)
            snprintf(count, sizeof count, "%zu", options->count);
        else
            snprintf(count, sizeof count, "%s", cases[c].count);
        bench_add_row(table);
        bench_number(table, BODIES, strtod(count, NULL));
        bench_text(table, SIZE, "%s", cases[c].size);
        struct row row = {.count = count, .size = cases[c].size};
        const int first = cases[c].huge ? ADAPTIVE : 0, last = cases[c].huge ? ADAPTIVE : LOOKS - 1;
        for (int look = first; look <= last; look++)
            time_look(options, table, &row, look, &bound, renderer, sizeof renderer);
        bodies_destroy(&row.bodies);
        run_pilots_free(&row.pilots);
        if (row.bound > 0)
            bench_number(table, BOUND, 1e3 * row.bound);
    }
    bench_add_note(table, "Drawn by %s.", renderer[0] ? renderer : "nothing");
    bench_add_note(
        table, "Points of two pixels from 1,000,000 bodies upwards; adaptive: sprites of adaptive "
               "size, logarithmic, with glow and overlay; in motion: the same with look.shutter "
               "0.5; with stars: that with look.resolved 0.55.");
    bench_note_bound(table, &bound,
                     "the longer of reading 28 bytes of each drawn body (position, velocity and "
                     "distance to a neighbour) and copying the planes to the host; adding up "
                     "light is not counted.");
    return STATUS_OK;
}

const struct bench_suite suite_draw = {
    .name = "draw",
    .doc = "drawing of one frame at several sizes",
    .run = run_draw,
};
