#include "cmd/film/turn/turn.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/pipeline/passing.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/turn/page.h"
#include "cmd/film/turn/paths.h"
#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "scenes/scene_check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a page cannot draw ---- */

static enum status refuse(const struct scene *scene, const char *key, const char *what,
                          const char *advice)
{
    status_fail(STATUS_USAGE, "a page that can be turned cannot show %s; %s", what, advice);
    return scene_blame(scene, key);
}

enum status turn_check(const struct scene *scene)
{
    const struct look_params *look = &scene->look;
    enum status status = pass_check(scene, film_played(scene), "a page");
    if (status != STATUS_OK)
        return status;
    if (look->panel_count > 0)
        return refuse(scene, "look.panels", "panels", "remove them, or make a film");
    if (look->mode->counts)
        return refuse(scene, "look.mode", "a map of counted bodies",
                      "choose another mode, or make a film");
    if (look->color->by_density && !look->mode->plain)
        return refuse(scene, "look.color", "colours by the density in the picture",
                      "choose another colour, or make a film");
    return STATUS_OK;
}

static bool changes(const struct scene *scene)
{
    bool any = false;
    for (size_t i = 0; i < scene_key_count; i++)
        any |= scene->tracks[i].count > 0 && strcmp(scene_keys[i].section, "camera") != 0;
    return any;
}

/* Says what the picture in the page lacks. */
static void tell_left_out(const struct scene *scene)
{
    const struct look_params *look = &scene->look;
    const struct {
        bool used;
        const char *name;
    } parts[] = {
        {look->shutter > 0, "motion blur (look.shutter)"},
        {look->samples > 1, "look.samples"},
        {look->trails > 0, "look.trails"},
        {look->dust > 0, "look.dust"},
        {look->slab > 0, "look.slab"},
        {look->copies > 0, "look.copies"},
        {scene->bodies.frame->comoving,
         "that lengths are comoving and speeds peculiar (bodies.frame)"},
        {look->spikes > 0, "look.spikes"},
        {look->background_stars > 0, "look.background_stars"},
        {look->background_galaxies > 0, "look.background_galaxies"},
        {look->mark_count > 0, "look.marks"},
        {scene->overlay.label_count > 0, "overlay.labels"},
        {scene->overlay.legend, "overlay.legend"},
        {scene->overlay.energy, "overlay.energy"},
        {changes(scene), "keyframes of numbers of the look"},
    };
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].used && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     parts[i].name);
    if (used)
        log_info("the page leaves out %s", list);
}

/* ---- collecting ---- */

/* Columns are kept at this many frames, evenly, with both ends. */
enum { COLUMN_TIMES = 24 };

/* The page numbers them with 16 bits. */
enum { FRAMES_MOST = 65535 };

struct collection {
    const struct film *film;
    struct sink *sink;
    const struct pipeline_params *params;
    struct recipe recipe;
    const struct view *view; /* of the present frame */
    size_t count;            /* of bodies in the page */
    uint32_t *chosen;        /* [count] their rows in views, by groups */
    struct page_group *groups;
    uint64_t stride;             /* between the frames that are kept */
    uint32_t frames;             /* kept so far */
    uint32_t room;               /* for frames */
    double *time;                /* [room] */
    struct path_row *rows;       /* [count][room] */
    struct page_moment *moments; /* [room] */
    struct page_column columns[VIEW_COLUMNS_MAX];
    uint32_t column_times, column_frame[COLUMN_TIMES + 1];
    float *mass; /* [count]; NULL: masses do not matter */
    float *host; /* room for a view's rows, if views are on a device */
};

static uint64_t drawn_bodies(const struct recipe *recipe)
{
    uint64_t drawn = 0;
    for (int g = 0; g < recipe->group_count; g++)
        drawn += recipe->groups[g].count;
    return drawn;
}

static void choose_bodies(struct collection *all)
{
    const struct recipe *recipe = &all->recipe;
    const uint64_t drawn = drawn_bodies(recipe);
    all->groups = memory_new((size_t)recipe->group_count + 1, sizeof *all->groups);
    all->chosen = memory_new(drawn < TURN_BODIES ? drawn + 1 : TURN_BODIES, sizeof *all->chosen);
    for (int g = 0; g < recipe->group_count; g++) {
        const struct draw_group *from = &recipe->groups[g];
        const uint64_t kept =
            drawn <= TURN_BODIES ? from->count : (uint64_t)from->count * TURN_BODIES / drawn;
        struct page_group *group = &all->groups[g];
        *group = (struct page_group){.first = all->count, .count = kept};
        group->share = kept > 0 ? (double)from->count / (double)kept : 1;
        group->number = from->before + from->first;
        for (uint64_t i = 0; i < kept; i++)
            all->chosen[all->count++] =
                (uint32_t)(from->first + (2 * i + 1) * from->count / (2 * kept));
    }
    if (drawn > TURN_BODIES)
        log_info("the page has %zu of %llu drawn bodies, evenly chosen, which are as bright as all",
                 all->count, (unsigned long long)drawn);
}

/* The frames that columns are kept at, as numbers of kept frames. */
static void choose_times(struct collection *all)
{
    const uint32_t last = all->room - 1;
    const uint32_t steps = last < COLUMN_TIMES ? last : COLUMN_TIMES;
    for (uint32_t i = 0; i <= steps; i++)
        all->column_frame[i] = steps > 0 ? (uint32_t)((uint64_t)last * i / steps) : 0;
    all->column_times = steps + 1;
}

static enum status make_room(struct collection *all)
{
    const uint64_t frames = all->params->last - all->params->first + 1;
    const uint64_t each = (all->count + 1) * sizeof *all->rows;
    const uint64_t fit = TURN_MEMORY / each < FRAMES_MOST ? TURN_MEMORY / each : FRAMES_MOST;
    const uint64_t most = fit < 2 ? 2 : fit;
    all->stride = (frames + most - 1) / most;
    all->room = (uint32_t)((frames - 1) / all->stride + 1);
    if (all->stride > 1)
        log_info("the page keeps every %llu. frame of the paths, and %u in all",
                 (unsigned long long)all->stride, all->room);
    all->rows = malloc(all->room * each);
    if (!all->rows)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for the paths of %zu bodies over %u frames, %llu bytes; "
                           "ask for fewer bodies or frames",
                           all->count, all->room, (unsigned long long)(all->room * each));
    all->time = memory_new(all->room, sizeof *all->time);
    all->moments = memory_new(all->room, sizeof *all->moments);
    choose_times(all);
    for (int c = 0; c < all->recipe.columns.count; c++)
        all->columns[c] = (struct page_column){
            .name = all->recipe.columns.list[c],
            .values = memory_new(all->count * all->column_times + 1, sizeof(float)),
        };
    if (all->recipe.mass > 0)
        all->mass = memory_new(all->count + 1, sizeof *all->mass);
    return STATUS_OK;
}

/* Rows of the view in host memory. */
static enum status rows_of(struct collection *all, enum view_memory memory, const float *from,
                           size_t count, const float **out)
{
    *out = from;
    if (memory == VIEW_HOST)
        return STATUS_OK;
    if (!all->host)
        all->host = memory_new(4 * all->view->count, sizeof *all->host);
    *out = all->host;
    return simulation_view_read(all->film->simulations[0], memory, from, count, all->host);
}

static enum status keep_vectors(struct collection *all, bool velocity)
{
    const struct view *view = all->view;
    const float *rows;
    enum status status = rows_of(all, view->memory, velocity ? view->velocity : view->position,
                                 4 * view->count, &rows);
    for (size_t i = 0; i < all->count && status == STATUS_OK; i++) {
        struct path_row *row = &all->rows[i * all->room + all->frames];
        const float *from = rows + 4 * (size_t)all->chosen[i];
        memcpy(velocity ? row->velocity : row->position, from, sizeof row->position);
        if (!velocity && all->mass && all->frames == 0)
            all->mass[i] = from[3];
    }
    return status;
}

static enum status keep_columns(struct collection *all)
{
    uint32_t at = 0;
    while (at < all->column_times && all->column_frame[at] != all->frames)
        at++;
    if (at == all->column_times)
        return STATUS_OK;
    for (int c = 0; c < all->recipe.columns.count; c++) {
        const struct view_column *column = view_column(all->view, all->columns[c].name);
        const float *rows;
        enum status status = rows_of(all, column->memory, column->value, all->view->count, &rows);
        if (status != STATUS_OK)
            return status;
        all->columns[c].constant = column->constant;
        for (size_t i = 0; i < all->count; i++)
            all->columns[c].values[at * all->count + i] = rows[all->chosen[i]];
    }
    return STATUS_OK;
}

/* Keeps what the page shows of the present frame. */
static enum status keep_frame(struct collection *all)
{
    const struct renderer *renderer = all->film->renderer;
    double state[RENDERER_STATE];
    enum status status = keep_vectors(all, false);
    if (status == STATUS_OK)
        status = keep_vectors(all, true);
    if (status == STATUS_OK)
        status = keep_columns(all);
    renderer_state(renderer, state);
    all->moments[all->frames].frame = all->view->frame;
    all->moments[all->frames].exposure = state[0];
    renderer_aim_at(renderer, all->view, &all->moments[all->frames].aim);
    all->time[all->frames++] = all->view->time;
    return status;
}

/* ---- the film ---- */

static enum status begin(struct collection *all)
{
    struct renderer *renderer = all->film->renderer;
    enum status status = renderer_meter(renderer, all->view);
    if (status == STATUS_OK)
        status = renderer_recipe(renderer, &all->recipe);
    if (status != STATUS_OK)
        return status;
    choose_bodies(all);
    return all->count > 0 ? make_room(all)
                          : status_fail(STATUS_USAGE, "a page needs bodies that are drawn, and "
                                                      "none are; see the components' `draw`");
}

static enum status take_frame(void *user, const struct view *view)
{
    struct collection *all = user;
    struct renderer *renderer = all->film->renderer;
    const struct pipeline_params *params = all->params;
    const uint64_t frame = view->frame;
    enum status status = STATUS_OK;
    all->view = view;
    if (frame == 0)
        status = begin(all);
    else if (renderer_meters_every_frame(renderer))
        status = renderer_observe(renderer, all->view);
    if (status != STATUS_OK || frame < params->first ||
        (frame - params->first) % all->stride != 0 || all->frames == all->room)
        return status;
    return keep_frame(all);
}

/* Distances to neighbours among fewer bodies. */
static void spread_columns(struct collection *all)
{
    for (int c = 0; c < all->recipe.columns.count; c++) {
        struct page_column *column = &all->columns[c];
        const bool distance = strcmp(column->name, COLUMN_DISTANCE) == 0;
        column->none = distance                                     ? 1e30f
                       : strcmp(column->name, COLUMN_QUANTITY) == 0 ? -1
                       : strcmp(column->name, COLUMN_AGE) == 0      ? -1
                                                                    : 0;
        for (int g = 0; g < all->recipe.group_count && distance; g++) {
            const struct page_group *group = &all->groups[g];
            const float factor = (float)fn_cbrt(group->share);
            for (uint32_t at = 0; at < all->column_times; at++)
                for (uint64_t i = group->first; i < group->first + group->count; i++)
                    column->values[at * all->count + i] *= factor;
        }
    }
}

static enum status write_page(void *user)
{
    struct collection *all = user;
    if (!all->sink || all->frames == 0)
        return STATUS_OK;
    spread_columns(all);
    /* A film that was stopped has fewer frames than there was room for. */
    for (size_t i = 0; all->frames < all->room && i < all->count; i++)
        memmove(all->rows + i * all->frames, all->rows + i * all->room,
                all->frames * sizeof *all->rows);
    const struct page page = {
        .film = all->film,
        .recipe = &all->recipe,
        .groups = all->groups,
        .paths = {.bodies = all->count,
                  .frames = all->frames,
                  .time = all->time,
                  .rows = all->rows},
        .moments = all->moments,
        .columns = all->columns,
        .column_times = all->column_times,
        .column_frame = all->column_frame,
        .mass = all->mass,
    };
    return page_write(&page, all->sink);
}

static void end(struct collection *all)
{
    for (int c = 0; c < VIEW_COLUMNS_MAX; c++)
        free(all->columns[c].values);
    recipe_free(&all->recipe);
    free(all->chosen);
    free(all->groups);
    free(all->rows);
    free(all->time);
    free(all->moments);
    free(all->mass);
    free(all->host);
}

enum status turn_make(const struct film *film, struct sink *sink,
                      const struct pipeline_params *params, struct pipeline_progress *progress)
{
    struct collection all = {.film = film, .sink = sink, .params = params};
    const struct passing passing = {take_frame, write_page, &all};
    if (sink)
        tell_left_out(film->scene);
    const enum status status = pass_views(params, &passing, progress);
    if (sink)
        progress->bytes = sink->bytes;
    end(&all);
    return status;
}
