/* Several renderers, each of its own share of the bodies, whose light is added up: the picture of
 * one renderer of all bodies. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { CROWD = 3000, ACROSS = 160, ROWS = 90, FRAMES = 18, SHARES_MOST = 5, ADDS_MOST = 16 };

/* How the bodies of each group are divided. */
static const struct split {
    int shares, parts[SHARES_MOST];
} divisions[] = {{2, {1, 3}}, {3, {2, 0, 1}}, {5, {0, 3, 1, 0, 2}}};

/* Steps that are left out, to see that it is noticed. */
enum fault { NONE, SHARE_LEFT_OUT, PLACES_AS_NUMBERS, GROUPS_AS_HERE };

/* The light of a frame so far, as the processes add it one after the other. */
struct sum {
    int adds; /* by the process that draws now */
    int due;  /* by each process before it, or -1 */
    float *light[ADDS_MOST];
    size_t count[ADDS_MOST];
};

/* One process. */
struct process {
    struct sum *sum;
    bool leads, silent;
    struct renderer *renderer;
    struct picture *picture;
    struct draw_group groups[2];
    size_t count;
    struct bodies_share {
        struct view view;
        struct view_trail trail;
        float position[CROWD][4], velocity[CROWD][4], columns[VIEW_COLUMNS_MAX][CROWD];
        float rows[FRAMES * CROWD][8];
    } * bodies[2]; /* of each source */
};

static enum status add(void *user, float *light, size_t count)
{
    struct process *process = user;
    struct sum *sum = process->sum;
    const int k = sum->adds++;
    assert_true(k < ADDS_MOST);
    if (!sum->light[k]) {
        sum->light[k] = calloc(count, sizeof *light);
        sum->count[k] = count;
    }
    assert_non_null(sum->light[k]);
    assert_true(sum->count[k] == count);
    for (size_t i = 0; i < count && !process->silent; i++)
        sum->light[k][i] += light[i];
    for (size_t i = 0; i < count; i++)
        light[i] = process->leads ? sum->light[k][i] : NAN;
    return STATUS_OK;
}

/* All processes have added up the same number of times. */
static void end_turn(struct process *process)
{
    struct sum *sum = process->sum;
    assert_true(sum->due < 0 || sum->due == sum->adds);
    sum->due = sum->adds;
    sum->adds = 0;
    for (int k = 0; process->leads && k < ADDS_MOST; k++) {
        free(sum->light[k]);
        sum->light[k] = NULL;
    }
    if (process->leads)
        sum->due = -1;
}

/* A body's place among all of a source, to its place among those of the process; `rows` of `size`
 * floats. */
static void take(const struct process *process, const struct renderer_params *params, float *to,
                 const float *from, size_t size)
{
    for (int g = 0; from && g < params->group_count; g++) {
        const struct draw_group *own = &process->groups[g];
        memcpy(to + own->first * size, from + (own->first + own->before) * size,
               own->count * size * sizeof *to);
    }
}

static void share_view(const struct process *process, const struct renderer_params *params,
                       const struct view *view, struct bodies_share *out)
{
    static float sample[2][CROWD][4];
    out->view = *view;
    out->view.count = process->count;
    out->view.position = out->position[0];
    out->view.velocity = out->velocity[0];
    take(process, params, out->position[0], view->position, 4);
    take(process, params, out->velocity[0], view->velocity, 4);
    for (int k = 0; k < view->column_count; k++) {
        take(process, params, out->columns[k], view->columns[k].value, 1);
        out->view.columns[k].value = out->columns[k];
    }
    assert_true(view->count == CROWD && view_sample_stride(CROWD) == 1);
    memcpy(sample[0], view->position, sizeof sample[0]);
    memcpy(sample[1], view->velocity, sizeof sample[1]);
    out->view.whole_sample = sample[0][0];
    out->view.whole = CROWD;
    if (!view->trail)
        return;
    out->trail = *view->trail;
    out->trail.bodies = process->count;
    out->trail.rows = out->rows;
    out->view.trail = &out->trail;
    for (size_t k = 0; k < view->trail->frames; k++)
        take(process, params, out->rows[k * process->count], view->trail->rows[k * CROWD], 8);
}

static const struct view *view_for(struct process *process, const struct renderer_params *params,
                                   const struct view *view)
{
    for (int s = 0; s < (view->next ? 2 : 1); s++)
        share_view(process, params, s == 0 ? view : view->next, process->bodies[s]);
    if (view->next)
        process->bodies[0]->view.next = &process->bodies[1]->view;
    return &process->bodies[0]->view;
}

static void open_share(struct process *process, struct renderer_params params,
                       const struct split *division, int p, enum fault fault)
{
    int before = 0, all = 0;
    for (int k = 0; k < division->shares; k++) {
        before += k < p ? division->parts[k] : 0;
        all += division->parts[k];
    }
    for (int g = 0; g < params.group_count; g++) {
        const struct draw_group *whole = &params.groups[g];
        struct draw_group *own = &process->groups[g];
        const size_t from = whole->count * (size_t)before / (size_t)all,
                     end = whole->count * (size_t)(before + division->parts[p]) / (size_t)all;
        *own = *whole;
        own->first = process->count;
        own->count = end - from;
        own->whole = fault == GROUPS_AS_HERE ? 0 : whole->count;
        own->before = whole->first + from - own->first;
        process->count += own->count;
    }
    for (int s = 0; s < 2; s++) {
        process->bodies[s] = calloc(1, sizeof *process->bodies[s]);
        assert_non_null(process->bodies[s]);
    }
    process->leads = p + 1 == division->shares; /* and is the last to add */
    process->silent = fault == SHARE_LEFT_OUT && division->parts[p] == 1;
    struct draw_group groups[2];
    for (int g = 0; g < params.group_count; g++) {
        groups[g] = process->groups[g];
        groups[g].before *= fault != PLACES_AS_NUMBERS;
    }
    params.groups = groups;
    params.count = process->count;
    params.sum =
        (struct light_sum){.add = add, .user = process, .leads = process->leads, .bodies = CROWD};
    assert_ok(renderer_open(&process->renderer, &params));
}

/* What all processes do with a frame, followers first. */

static void take_turn(struct process *process, enum light_kind turn, const struct view *view,
                      uint32_t x)
{
    struct renderer *renderer = process->renderer;
    assert_ok(renderer_bind(renderer));
    if (process->leads && !process->picture)
        assert_ok(renderer_picture_create(renderer, &process->picture));
    if (x > 0)
        renderer_set_tile(renderer, x, 0);
    if (turn == LIGHT_METER)
        assert_ok(renderer_meter(renderer, view));
    else if (turn == LIGHT_OBSERVE)
        assert_ok(renderer_observe(renderer, view));
    else {
        assert_ok(renderer_submit(renderer, view, process->picture));
        assert_ok(renderer_wait(renderer));
    }
    renderer_unbind(renderer);
    if (process->sum)
        end_turn(process);
}

static void close_process(struct process *process)
{
    assert_ok(renderer_bind(process->renderer));
    renderer_picture_destroy(process->renderer, &process->picture);
    renderer_unbind(process->renderer);
    renderer_close(&process->renderer);
    for (int s = 0; s < 2; s++)
        free(process->bodies[s]);
}

/* A film of `frames` frames, of which the first is drawn, the others are observed, and the last is
 * drawn; for a tile, twice. Keeps the last picture. */
static void film(const struct renderer_params *params, struct view *view, uint64_t frames,
                 const struct split *division, enum fault fault, struct picture *out)
{
    struct sum sum = {.due = -1};
    struct process processes[SHARES_MOST] = {0};
    const int count = division ? division->shares : 1;
    for (int p = 0; division && p < count; p++) {
        processes[p].sum = &sum;
        open_share(&processes[p], *params, division, p, fault);
    }
    if (!division) {
        processes[0].leads = true;
        assert_ok(renderer_open(&processes[0].renderer, params));
    }
    for (uint64_t turn = 0; turn < frames + 2; turn++) {
        view->frame = turn < 2 ? 0 : turn < frames + 1 ? turn - 1 : frames - 1;
        const bool again = turn == frames + 1;
        const enum light_kind kind = turn == 0                       ? LIGHT_METER
                                     : turn > 1 && turn + 1 < frames ? LIGHT_OBSERVE
                                                                     : LIGHT_PICTURE;
        for (int p = 0; p < count; p++)
            take_turn(&processes[p], kind, division ? view_for(&processes[p], params, view) : view,
                      again && params->whole_width ? params->whole_width - params->width : 0);
    }
    *out = *processes[count - 1].picture;
    out->data = malloc(out->layout.size);
    assert_non_null(out->data);
    memcpy(out->data, processes[count - 1].picture->data, out->layout.size);
    for (int p = 0; p < count; p++)
        close_process(&processes[p]);
}

/* The share of values that differ at all; 1 if any differs by more than 1. */
static double apart(const struct picture *a, const struct picture *b)
{
    size_t differing = 0;
    assert_true(a->layout.size == b->layout.size);
    for (size_t i = 0; i < a->layout.size; i++) {
        if (abs(a->data[i] - b->data[i]) > 1)
            return 1;
        differing += a->data[i] != b->data[i];
    }
    return (double)differing / (double)a->layout.size;
}

/* How much is lit, so that black pictures do not agree. */
static double lit(const struct picture *picture)
{
    size_t count = 0;
    for (size_t i = 0; i < picture->layout.size; i += 4)
        count += picture->data[i] + picture->data[i + 1] + picture->data[i + 2] > 30;
    return 4.0 * (double)count / (double)picture->layout.size;
}

/* A crowd in the middle and fewer bodies further out, of two kinds. */
static struct view *crowd(void)
{
    static struct view copy; /* values_of changes the fixture's */
    const struct view *view = view_of(CROWD, 0);
    for (int k = 0; k < CROWD; k++) {
        /* so that both groups are everywhere */
        const double part = (k * 7 % CROWD + 0.5) / CROWD, reach = 0.7 * part * part * part;
        place(k, ACROSS, ROWS, ACROSS * (0.5 + reach * cos(2.4 * k)),
              ROWS * (0.5 + reach * sin(2.4 * k)));
        view->position[4 * k] = (float)(3 * sin(1.7 * k));
        view->position[4 * k + 3] = (float)(0.5 + k % 3);
        view->velocity[4 * k] = (float)(0.7 * cos(0.7 * k));
        view->velocity[4 * k + 1] = (float)(0.7 * sin(1.1 * k));
        view->velocity[4 * k + 2] = (float)(0.7 * cos(1.9 * k + 1));
        values_of(COLUMN_ACCELERATION)[k] = (float)(k % 11) / 11;
        values_of(COLUMN_DISTANCE)[k] = k % 97 == 5 ? INFINITY : (float)(0.02 + 30 * reach * reach);
    }
    copy = *view_of(CROWD, 0);
    copy.interval = 1;
    return &copy;
}

/* Groups in another order than their bodies, as the components of a scene may be. */
static const struct draw_group groups[] = {
    {.first = 1700, .count = 1300, .light = 0.3f, .tint = {0.2f, 0.4f, 1}},
    {.first = 0, .count = 1700, .light = 1, .tint = {1, 0.5f, 0.2f}},
};

/* The usual look of a film. */
static struct renderer_params film_params(void)
{
    struct renderer_params params = usual(PICTURE_RGBA8, ACROSS, ROWS);
    params.look.size = choose(&sprite_sizing_registry, "adaptive");
    params.look.tone = choose(&tone_registry, "log");
    params.look.color = choose(&colour_registry, "component");
    params.look.exposure.factor = 0;
    params.found.look.spacing = 1;
    params.labels.fps = 30;
    params.frames = FRAMES;
    params.camera.zoom = 3;
    params.count = CROWD;
    params.groups = groups;
    params.group_count = 2;
    return params;
}

static void plain(struct renderer_params *params, struct view *view)
{
    (void)params;
    (void)view;
}

static void filmic(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.size = choose(&sprite_sizing_registry, "fixed");
    params->look.tone = choose(&tone_registry, "filmic");
    params->look.color = choose(&colour_registry, "speed");
    params->look.samples = 4;
    params->look.trails = 1; /* of no view; full floats for one renderer, too */
}

static void values(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.color = choose(&colour_registry, "speed");
    params->look.weight = choose(&light_weight_registry, "mass");
    params->look.samples = 4;
    params->look.bloom = 0.2;
    params->look.glow = 0.3;
    params->look.spikes = 0.1;
    params->look.background_stars = 2000;
    params->look.background_light = 1;
}

static void resolved(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.stars = 6;
    params->look.resolved = 0.6;
    params->look.color = choose(&colour_registry, "stars");
    for (int k = 0; k < CROWD; k++) /* young, old and unknown */
        values_of(COLUMN_AGE)[k] = k % 2 ? 0 : (float)(k % 5) * 3 - 3;
}

static void resolved_quads(struct renderer_params *params, struct view *view)
{
    resolved(params, view);
    params->quads = true;
}

static void resolved_streaks(struct renderer_params *params, struct view *view)
{
    resolved(params, view);
    params->look.shutter = 0.8;
}

static void resolved_quad_streaks(struct renderer_params *params, struct view *view)
{
    resolved_streaks(params, view);
    params->quads = true;
}

static void resolved_splats(struct renderer_params *params, struct view *view)
{
    resolved(params, view);
    params->passes = PASSES_COMPUTED;
}

static void moments(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.samples = 8;
    params->look.shutter = 0.5;
    params->look.color = choose(&colour_registry, "velocity");
}

static void pair(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->camera.projection = choose(&projection_registry, "over-under");
    params->height = 2 * ROWS;
}

static void dusty(struct renderer_params *params, struct view *view)
{
    static struct draw_group own[2];
    (void)view;
    for (int g = 0; g < 2; g++)
        own[g] = params->groups[g];
    own[1].dusty = true;
    params->groups = own;
    params->look.dust = 1;
}

static void dusty_pair(struct renderer_params *params, struct view *view)
{
    dusty(params, view);
    pair(params, view);
}

static void sphere(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->camera.projection = choose(&projection_registry, "equirect");
    params->camera.distance = 6;
    params->camera.zoom = 1;
    params->look.glow = 0.3;
    params->height = ACROSS / 2;
}

/* Counts, and differences from another simulation. */
static void beside(struct renderer_params *params, struct view *view)
{
    static struct panel_params panels[2];
    static struct view second;
    static float position[CROWD][4];
    for (int i = 0; i < 2; i++)
        panels[i] = (struct panel_params){.title = "", .follow = "", .zoom = 1};
    panels[0].mode = choose(&draw_mode_registry, "activity");
    panels[1].difference = true;
    second = *view;
    second.position = position[0];
    for (int k = 0; k < CROWD; k++)
        for (int c = 0; c < 4; c++)
            position[k][c] = view->position[4 * k + c] + (c == 1 ? 1e-3f * (float)(k % 17) : 0);
    view->next = &second;
    params->look.panels = panels;
    params->look.panel_count = 2;
    params->sources = 2;
    params->panel_source[1] = 1;
    params->width = 2 * ACROSS;
}

static void adapting(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.exposure.adapts = true;
}

static void tiled(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->look.glow = 0.3;
    params->whole_width = ACROSS;
    params->whole_height = ROWS;
    params->width = ACROSS / 2;
}

static void absent(struct renderer_params *params, struct view *view)
{
    (void)view;
    params->absences = true;
    for (int k = 0; k < CROWD; k++)
        values_of(COLUMN_ABSENT)[k] = k % 3 == 1;
}

static void followed(struct renderer_params *params, struct view *view)
{
    static char name[] = "Dwarf";
    static const struct camera_part parts[] = {
        {"Big", "disk", 0, 1700, true, 3},
        {"Dwarf", "disk", 1700, 1300, true, 1},
    };
    params->parts = parts;
    params->part_count = 2;
    params->camera.follow = name;
    params->look.shutter = 0.5;
    for (int k = 1700; k < CROWD; k++)
        view->position[4 * k + 1] += 4;
}

/* With trails, and text that says how many bodies there are. */
static void traced(struct renderer_params *params, struct view *view)
{
    static struct view_trail trail;
    static double times[3] = {-2, -1, 0};
    static float rows[3 * CROWD][8];
    for (int f = 0; f < 3; f++)
        for (int k = 0; k < CROWD; k++) {
            float *row = rows[f * CROWD + k];
            memcpy(row + 4, view->velocity + 4 * k, 4 * sizeof *row);
            for (int c = 0; c < 3; c++)
                row[c] = view->position[4 * k + c] + (float)times[f] * row[4 + c];
            row[3] = view->position[4 * k + 3];
        }
    trail =
        (struct view_trail){.bodies = CROWD, .frames = 3, .room = 3, .time = times, .rows = rows};
    view->trail = &trail;
    params->look.trails = 1;
    params->overlay = (struct overlay_params){.bodies = true,
                                              .size = 100,
                                              .font = "DejaVu Sans",
                                              .length_unit = choose(&length_unit_registry, "kpc")};
}

/* Dust dims the bodies, and not the trails. */
static void dusty_traced(struct renderer_params *params, struct view *view)
{
    dusty(params, view);
    traced(params, view);
}

static const struct look {
    const char *name;
    void (*set)(struct renderer_params *params, struct view *view);
    double rounding; /* share of values that may differ by 1 */
    enum fault fault;
} looks[] = {
    {"plain", plain, 0.001, SHARE_LEFT_OUT},
    {"filmic", filmic, 0.001, SHARE_LEFT_OUT},
    {"values", values, 0.001, SHARE_LEFT_OUT},
    {"resolved", resolved, 0.001, PLACES_AS_NUMBERS},
    {"young stars", resolved, 0.001, GROUPS_AS_HERE},
    {"quads", resolved_quads, 0.001, PLACES_AS_NUMBERS},
    {"streaks", resolved_streaks, 0.001, PLACES_AS_NUMBERS},
    {"quad streaks", resolved_quad_streaks, 0.001, PLACES_AS_NUMBERS},
    {"splats", resolved_splats, 0.001, PLACES_AS_NUMBERS},
    {"moments", moments, 0.001, SHARE_LEFT_OUT},
    {"pair", pair, 0.001, SHARE_LEFT_OUT},
    {"sphere", sphere, 0.001, SHARE_LEFT_OUT},
    {"beside", beside, 0.001, SHARE_LEFT_OUT},
    {"adapting", adapting, 0.001, SHARE_LEFT_OUT},
    {"tiled", tiled, 0.001, SHARE_LEFT_OUT},
    {"absent", absent, 0.001, SHARE_LEFT_OUT},
    {"followed", followed, 0.001, SHARE_LEFT_OUT},
    {"traced", traced, 0.001, SHARE_LEFT_OUT},
    {"dusty", dusty, 0.001, SHARE_LEFT_OUT},
    {"dusty pair", dusty_pair, 0.001, SHARE_LEFT_OUT},
    {"dusty traced", dusty_traced, 0.001, SHARE_LEFT_OUT},
};

TEST(shares_make_one_picture)
{
    need_gl(state);
    for (size_t i = 0; i < sizeof looks / sizeof *looks; i++) {
        const struct look *look = &looks[i];
        struct view *view = crowd();
        struct renderer_params params = film_params();
        const uint64_t frames = look->set == adapting ? FRAMES : 2;
        struct picture alone, shared;
        look->set(&params, view);
        film(&params, view, frames, NULL, NONE, &alone);
        for (size_t d = 0; d < sizeof divisions / sizeof *divisions; d++) {
            film(&params, view, frames, &divisions[d], NONE, &shared);
            const double rounded = apart(&alone, &shared);
            print_message("%s, %d shares: %g lit, %g apart\n", look->name, divisions[d].shares,
                          lit(&alone), rounded);
            if (!(rounded <= look->rounding && lit(&alone) > 0.1))
                fail_msg("%s, %d shares: %g differ, %g are lit", look->name, divisions[d].shares,
                         rounded, lit(&alone));
            free(shared.data);
        }
        film(&params, view, frames, &divisions[1], look->fault, &shared);
        const double wrong = apart(&alone, &shared);
        if (!(wrong > 3 * look->rounding))
            fail_msg("%s: only %g differ with a fault", look->name, wrong);
        free(shared.data);
        free(alone.data);
    }
}

TEST(what_is_no_sum_is_refused)
{
    need_gl(state);
    struct renderer *renderer;
    struct renderer_params params = film_params();
    params.sum = (struct light_sum){.add = add, .leads = true, .bodies = CROWD};
    params.look.dust = 0.5; /* of nothing */
    assert_ok(renderer_open(&renderer, &params));
    renderer_close(&renderer);
    params.look.mode = choose(&draw_mode_registry, "activity"); /* has no dust */
    assert_ok(renderer_open(&renderer, &params));
    renderer_close(&renderer);
    params = film_params();
    params.sum = (struct light_sum){.add = add, .leads = true, .bodies = CROWD};
    params.look.color = choose(&colour_registry, "density");
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "look.color density");
}

static enum status refuse(void *user, float *light, size_t count)
{
    (void)light;
    (void)count;
    return --*(int *)user < 0 ? status_fail(STATUS_RUNTIME, "another process has failed")
                              : STATUS_OK;
}

/* On a whole sphere, whose light is added up six times a frame. */
TEST(failures_are_passed_on)
{
    need_gl(state);
    for (int leads = 0; leads < 2; leads++) {
        struct view *view = crowd();
        struct renderer_params params = film_params();
        struct renderer *renderer;
        struct picture *picture;
        int left;
        sphere(&params, view);
        params.look.exposure.adapts = true;
        params.sum =
            (struct light_sum){.add = refuse, .user = &left, .leads = leads, .bodies = CROWD};
        assert_ok(renderer_open(&renderer, &params));
        assert_ok(renderer_bind(renderer));
        assert_ok(renderer_picture_create(renderer, &picture));
        for (int adds = 0; adds < 6; adds++) {
            left = adds;
            assert_fails(renderer_meter(renderer, view), STATUS_RUNTIME, "another process");
            left = adds;
            assert_fails(renderer_observe(renderer, view), STATUS_RUNTIME, "another process");
            left = adds;
            assert_fails(renderer_submit(renderer, view, leads ? picture : NULL), STATUS_RUNTIME,
                         "another process");
        }
        left = 6;
        assert_ok(renderer_meter(renderer, view));
        renderer_picture_destroy(renderer, &picture);
        renderer_unbind(renderer);
        renderer_close(&renderer);
    }
}

TESTS(open_gl, NULL)
