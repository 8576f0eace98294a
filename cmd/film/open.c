#include "cmd/film/open.h"

#include "base/log.h"
#include "base/memory.h"
#include "cmd/film/start/sources.h"
#include "scenes/check.h"
#include "scenes/print.h"
#include "sim/bodies/edit.h"

#include <stdio.h>
#include <stdlib.h>

/* A film that this rank has opened together with the others. */
struct film_share {
    uint32_t number;
    struct film *film;
    /* On ranks from 1 on: */
    struct film own;
    struct scene *scene;
    char backend[16];
};

/* A command from rank 0 to the others; the scene's text follows TOLD_OPEN. */
struct told {
    enum { TOLD_OPEN, TOLD_LIGHT, TOLD_FIND, TOLD_CLOSE } what;
    uint32_t number;
    /* OPEN */
    int32_t device, format;
    char backend[16];
    bool unfaded, draws; /* draws: draw_device is given */
    int32_t draw_device;
    struct film_tile tile;
    struct loop_range loop;
    /* LIGHT */
    enum light_kind kind;
    uint32_t view[PANELS_MAX]; /* of each simulation */
    uint32_t x, y;             /* position of the tile */
    /* FIND */
    struct moment moment; /* without its text */
};

/* Rank 0's own data for a command. */
struct asked {
    struct film *film;
    enum picture_format format;
    const struct film_picture *how;
    enum status (*light)(void *frame);
    void *frame;
    const struct moment *moment;
    double at;
};

static struct ranks_numbers films;

/* ---- light ---- */

/* Collective: each rank adds up a part of the numbers, in the order of ranks, and rank 0 collects
 * the parts, or every rank. */
static enum status sum_up(float *light, size_t count, bool everywhere)
{
    const unsigned ranks = (unsigned)ranks_count(), own = (unsigned)ranks_own();
    size_t *out = memory_new(ranks, sizeof *out), *in = memory_new(ranks, sizeof *in);
    const size_t part = share_begin(count, own + 1, ranks) - share_begin(count, own, ranks);
    float *parts = malloc((part * ranks + 1) * sizeof *parts);
    for (unsigned r = 0; r < ranks; r++) {
        out[r] = (share_begin(count, r + 1, ranks) - share_begin(count, r, ranks)) * sizeof *light;
        in[r] = part * sizeof *light;
    }
    enum status status =
        parts ? ranks_exchange(light, out, parts, in)
              : status_fail(STATUS_RUNTIME, "no memory to add up light, %zu numbers", part * ranks);
    for (size_t i = 0; i < part && status == STATUS_OK; i++) {
        double sum = 0;
        for (unsigned r = 0; r < ranks; r++)
            sum += (double)parts[r * part + i];
        parts[i] = (float)sum;
    }
    if (status == STATUS_OK)
        status = everywhere ? ranks_gather(parts, light, out)
                            : ranks_collect(parts, part * sizeof *parts, light, out, 0);
    free(parts);
    free(out);
    free(in);
    return status;
}

static enum status add(void *user, float *light, size_t count)
{
    (void)user;
    return sum_up(light, count, false);
}

static enum status add_for_all(void *user, float *numbers, size_t count)
{
    (void)user;
    return sum_up(numbers, count, true);
}

/* Runs on rank 0. */
static enum status light_together(void *user, enum light_kind kind, const struct view *view,
                                  enum status (*light)(void *frame), void *frame)
{
    const struct film_share *share = user;
    struct asked asked = {.light = light, .frame = frame};
    struct told told = {.what = TOLD_LIGHT, .number = share->number, .kind = kind};
    for (int i = 0; view; view = view->next)
        told.view[i++] = view->number;
    renderer_tile(share->film->renderer, &told.x, &told.y);
    return ranks_together(&film_task, &told, sizeof told, &asked);
}

static struct light_sum sum_of(struct film_share *share)
{
    const bool leads = ranks_own() == 0;
    return (struct light_sum){.add = add,
                              .share = add_for_all,
                              .together = leads ? light_together : NULL,
                              .user = share,
                              .leads = leads};
}

/* ---- tasks ---- */

static void end(struct film_share *share)
{
    if (ranks_numbered(&films, share->number) == share)
        films.thing[share->number] = NULL;
    share->film->share = NULL;
    if (ranks_own() > 0) {
        film_free(&share->own);
        scene_close(&share->scene);
    }
    free(share);
}

static enum status open_film(const struct told *told, const char *text, const struct asked *asked)
{
    struct film_share *share = memory_new(1, sizeof *share);
    const int draw_device = told->draw_device;
    const struct film_picture how = {.tile = told->tile,
                                     .unfaded = told->unfaded,
                                     .loop = told->loop,
                                     .draw_device = told->draws ? &draw_device : NULL};
    share->film = asked ? asked->film : &share->own;
    enum status status = asked ? STATUS_OK : scene_parse(&share->scene, text, "rank 0's scene");
    if (status == STATUS_OK && !asked)
        status = scene_validate(share->scene);
    if (status == STATUS_OK)
        status = ranks_number(&films, share, "films", &share->number);
    if (status == STATUS_OK && !asked) {
        snprintf(share->backend, sizeof share->backend, "%s", told->backend);
        share->own =
            (struct film){.scene = share->scene, .backend = share->backend, .device = told->device};
    }
    if (status == STATUS_OK) {
        share->film->share = share;
        share->film->sum = sum_of(share);
        status =
            film_make(share->film, (enum picture_format)told->format, asked ? asked->how : &how);
    }
    if (status == STATUS_OK && !asked)
        status = renderer_bind(share->own.renderer);
    uint64_t well = status == STATUS_OK; /* no rank keeps a film that another could not open */
    if (status == STATUS_OK)
        status = ranks_sum(&well, 1);
    if (status != STATUS_OK) {
        film_free(share->film);
        end(share);
    }
    return status;
}

static enum status lend(const struct told *told, const struct film_share *share,
                        const struct asked *asked)
{
    if (asked)
        return asked->light(asked->frame);
    const int count = share->own.simulation_count;
    struct view views[PANELS_MAX];
    for (int i = 0; i < count; i++) {
        const struct view *view = simulation_shared_view(share->own.simulations[i], told->view[i]);
        if (!view)
            return status_fail(STATUS_RUNTIME, "rank 0 draws view %u, which is not filled",
                               told->view[i]);
        views[i] = *view;
        views[i].next = i + 1 < count ? &views[i + 1] : NULL;
    }
    renderer_set_tile(share->own.renderer, told->x, told->y);
    return renderer_lend(share->own.renderer, told->kind, views);
}

static enum status find(const struct film *film, const struct moment *moment, double *frame)
{
    const struct script_source source = {film->scene, film->bodies, film->backend, film->device};
    return script_find(&film->script, &source, moment, frame);
}

/* Runs on every rank. */
static enum status obey(const void *message, size_t bytes, void *own)
{
    struct told told;
    struct asked *asked = own;
    double at;
    const char *text;
    const enum status status = ranks_take_apart(message, bytes, &told, sizeof told, &text);
    if (status != STATUS_OK)
        return status;
    struct film_share *share = ranks_numbered(&films, told.number);
    if (told.what == TOLD_OPEN)
        return open_film(&told, text, asked);
    if (!share)
        return status_fail(STATUS_RUNTIME, "rank 0 sent a command for film %u, which is not open",
                           told.number);
    if (told.what == TOLD_LIGHT)
        return lend(&told, share, asked);
    if (told.what == TOLD_FIND)
        return find(share->film, asked ? asked->moment : &told.moment, asked ? &asked->at : &at);
    end(share);
    return STATUS_OK;
}

const struct ranks_task film_task = {obey, 0};

/* Opens the film on all ranks. */
static enum status open_shared(struct film *film, enum picture_format format,
                               const struct film_picture *how)
{
    struct told told = {.what = TOLD_OPEN,
                        .device = film->device,
                        .format = (int32_t)format,
                        .tile = how->tile,
                        .unfaded = how->unfaded,
                        .loop = how->loop,
                        .draws = how->draw_device,
                        .draw_device = how->draw_device ? *how->draw_device : 0};
    snprintf(told.backend, sizeof told.backend, "%s", film->backend);
    char *text = scene_print(film->scene);
    const enum status status =
        ranks_together_with(&film_task, &told, sizeof told, text,
                            &(struct asked){.film = film, .format = format, .how = how});
    free(text);
    return status;
}

enum status film_open_pictures(struct film *film, const struct scene *scene, const char *backend,
                               int device, enum picture_format format,
                               const struct film_picture *how)
{
    *film = (struct film){.scene = scene, .backend = backend, .device = device};
    if (ranks_count() == 1)
        return film_make(film, format, how);
    if (film_played(scene) || !how->whole)
        return open_shared(film, format, how);
    log_info("rank 0 has and draws all bodies, because %s needs them", how->whole);
    return film_make(film, format, how);
}

enum status film_open(struct film *film, const struct scene *scene, const char *backend, int device,
                      enum picture_format format)
{
    return film_open_pictures(film, scene, backend, device, format,
                              &(struct film_picture){.whole = "this command"});
}

void film_close(struct film *film)
{
    if (film->share) {
        const struct told told = {.what = TOLD_CLOSE, .number = film->share->number};
        (void)ranks_together(&film_task, &told, sizeof told, NULL);
    }
    film_free(film);
}

enum status film_find_moment(const struct film *film, const struct moment *moment, double *frame)
{
    struct asked asked = {.moment = moment};
    if (!film->share)
        return find(film, moment, frame);
    struct told told = {.what = TOLD_FIND, .number = film->share->number, .moment = *moment};
    told.moment.text = NULL;
    const enum status status = ranks_together(&film_task, &told, sizeof told, &asked);
    *frame = asked.at;
    return status;
}
