#include "cmd/regression/compare/films.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/stop.h"
#include "cmd/film/film.h"
#include "cmd/regression/exhibit/clip.h"
#include "cmd/regression/exhibit/film.h"
#include "cmd/regression/exhibit/frames.h"
#include "render/reader/reader.h"

#include <stdlib.h>

/* ---- frames and a clip ---- */

struct look {
    const struct show_params *params;
    struct case_report *one;
    const struct alignment_step *astray; /* first step that is not a pair; NULL: none */
    struct picture_choice choices[PICTURE_CHOICES_MAX];
    struct exhibit_frame frames[PICTURE_CHOICES_MAX];
    size_t count;
};

static enum status fetch(void *user, int side, int64_t frame, uint16_t *rgb)
{
    const struct show_params *params = user;
    return reader_read((side == 0 ? params->a : params->b)->reader, (uint64_t)frame, rgb);
}

static const struct alignment_step *find_astray(const struct case_report *one)
{
    for (uint32_t i = 0; i < one->alignment_count; i++)
        if (one->alignment[i].kind != STEP_PAIR)
            return &one->alignment[i];
    return NULL;
}

/* Returns the frame of B that frame `a` was compared with. */
static int64_t partner_of(const struct show_params *params, int64_t a)
{
    for (uint64_t i = 0; i < params->count; i++)
        if (params->pairs[i].a == (uint64_t)a && params->pairs[i].b != PAIR_NONE)
            return (int64_t)params->pairs[i].b;
    return -1;
}

static const char *why_astray(const struct alignment_step *step)
{
    return step->b < 0                   ? "the first that is missing in B"
           : step->a < 0                 ? "the first that only B has"
           : step->kind == STEP_REPEATED ? "the first that is repeated"
                                         : "the first that is out of order";
}

/* Chooses the frames to show, beginning with the first one that is out of order. */
static void choose(struct look *look)
{
    const struct show_params *params = look->params;
    const struct alignment_step *astray = look->astray;
    if (astray)
        look->frames[look->count++] =
            (struct exhibit_frame){{astray->a, astray->b}, 1, why_astray(astray)};
    const size_t chosen =
        picture_judge_choose(params->judge, look->choices, PICTURE_CHOICES_MAX - look->count);
    for (size_t i = 0; i < chosen; i++)
        look->frames[look->count++] = (struct exhibit_frame){
            {look->choices[i].frame, partner_of(params, look->choices[i].frame)},
            look->choices[i].worst,
            look->choices[i].why};
}

/* Lists all pairs of the films, including gaps; *from: index of the first that is worth seeing. */
static struct exhibit_pair *list_pairs(const struct look *look, size_t *from)
{
    const struct case_report *one = look->one;
    const struct exhibit_frame *first = &look->frames[look->astray ? look->count > 1 : 0];
    struct exhibit_pair *pairs = memory_new(one->alignment_count, sizeof *pairs);
    *from = look->astray ? (size_t)(look->astray - one->alignment) : one->alignment_count;
    for (uint32_t i = 0; i < one->alignment_count; i++) {
        pairs[i] = (struct exhibit_pair){one->alignment[i].a, one->alignment[i].b};
        if (pairs[i].a == first->pair.a && i < *from)
            *from = i;
    }
    return pairs;
}

enum status show_films(const struct show_params *params, struct case_report *one)
{
    const struct reader_info *info = params->a->info;
    struct look look = {.params = params, .one = one, .astray = find_astray(one)};
    const struct exhibit exhibit = {.folder = params->folder,
                                    .note = "",
                                    .width = info->width,
                                    .height = info->height,
                                    .fps = one->fps,
                                    .limits = params->limits,
                                    .fetch = fetch,
                                    .user = (void *)params};
    choose(&look);
    if (look.count == 0)
        return STATUS_OK;
    size_t from;
    struct exhibit_pair *pairs = list_pairs(&look, &from);
    enum status status = exhibit_frames(&exhibit, look.frames, look.count, one);
    if (status == STATUS_OK)
        status = exhibit_clip(&exhibit, pairs, one->alignment_count, from, params->most, one);
    free(pairs);
    return status;
}

/* ---- a film of A | B | difference ---- */

struct difference {
    const struct difference_params *params;
    uint32_t width, height; /* size of one film */
    uint16_t *rgb[2];
    uint8_t *shown; /* [height][3 * width][3] */
    struct rgb_film *film;
};

static uint8_t byte_of(double value)
{
    return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : value + 0.5);
}

static void put_together(struct difference *self)
{
    const size_t row = 3 * (size_t)self->width;
    for (size_t y = 0; y < self->height; y++)
        for (size_t x = 0; x < row; x++) {
            const double a = self->rgb[0][y * row + x] / 257.0;
            const double b = self->rgb[1][y * row + x] / 257.0;
            uint8_t *to = self->shown + y * 3 * row + x;
            to[0] = byte_of(a);
            to[row] = byte_of(b);
            to[2 * row] = byte_of(self->params->gain * (a > b ? a - b : b - a));
        }
}

static enum status open_film(struct difference *self)
{
    const struct reader_info *info = self->params->a->info;
    const struct rgb_film_params params = {.path = self->params->path,
                                           .width = 3 * self->width,
                                           .height = self->height,
                                           .fps_num = info->fps_num > 0 ? info->fps_num : 30,
                                           .fps_den = info->fps_num > 0 ? info->fps_den : 1,
                                           .crf = -1,
                                           .threads = machine_processors()};
    return rgb_film_open(&self->film, &params);
}

static enum status open_pictures(struct difference *self)
{
    const size_t samples = 3 * (size_t)self->width * self->height;
    self->rgb[0] = malloc(2 * samples * sizeof *self->rgb[0]);
    self->shown = malloc(3 * samples);
    if (!self->rgb[0] || !self->shown)
        return status_fail(STATUS_RUNTIME, "no memory left for three pictures of %ux%u",
                           self->width, self->height);
    self->rgb[1] = self->rgb[0] + samples;
    return open_film(self);
}

static enum status write_pair(struct difference *self, const struct pair *pair)
{
    enum status status = reader_read(self->params->a->reader, pair->a, self->rgb[0]);
    if (status == STATUS_OK)
        status = reader_read(self->params->b->reader, pair->b, self->rgb[1]);
    if (status != STATUS_OK)
        return status;
    put_together(self);
    return rgb_film_write(self->film, self->shown);
}

static enum status write_all(struct difference *self)
{
    const struct difference_params *params = self->params;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < params->count && status == STATUS_OK; i++) {
        const struct pair *pair = &params->pairs[i];
        if (pair->a == PAIR_NONE || pair->b == PAIR_NONE)
            continue;
        status = stop_asked(params->stop) ? STATUS_STOPPED : write_pair(self, pair);
    }
    return status;
}

enum status difference_write(const struct difference_params *params)
{
    struct difference self = {
        .params = params, .width = params->a->info->width, .height = params->a->info->height};
    struct failure failure = {0};
    enum status status = open_pictures(&self);
    if (status == STATUS_OK)
        status = write_all(&self);
    failure_keep(&failure, status);
    failure_keep(&failure, rgb_film_close(&self.film, status == STATUS_OK, NULL));
    free(self.rgb[0]);
    free(self.shown);
    return failure_report(&failure);
}
