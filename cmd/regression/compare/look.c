#include "cmd/regression/compare/look.h"

#include "base/memory.h"
#include "cmd/regression/exhibit/clip.h"
#include "cmd/regression/exhibit/frames.h"
#include "render/reader/reader.h"

#include <stdlib.h>

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
