#include "cmd/regression/compare/films.h"

#include "base/memory.h"
#include "cmd/regression/exhibit/exhibit.h"
#include "render/reader/reader.h"

#include <stdlib.h>

static enum status read_frame(void *user, int64_t frame, uint16_t *rgb)
{
    return reader_read(user, (uint64_t)frame, rgb);
}

static struct exhibit exhibit_of(const struct show_params *params, const struct exhibit_pair *pairs,
                                 size_t count)
{
    struct exhibit exhibit = {.note = "", .limits = params->limits, .pairs = pairs, .count = count};
    for (int s = 0; s < 2; s++) {
        const struct side *side = s == 0 ? params->a : params->b;
        exhibit.side[s] = (struct exhibit_side){.width = side->info->width,
                                                .height = side->info->height,
                                                .picture = read_frame,
                                                .user = side->reader};
    }
    return exhibit;
}

static const char *why_astray(const struct alignment_step *step)
{
    return step->b < 0                   ? "the first that is missing in B"
           : step->a < 0                 ? "the first that only B has"
           : step->kind == STEP_REPEATED ? "the first that is repeated"
                                         : "the first that is out of order";
}

enum status show_films(const struct show_params *params, const char *folder,
                       struct case_report *one)
{
    const uint32_t count = one->alignment_count;
    struct exhibit_pair *pairs = memory_new(count, sizeof *pairs);
    struct exhibit exhibit = exhibit_of(params, pairs, count);
    struct exhibit_frame astray = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct alignment_step *step = &one->alignment[i];
        pairs[i] = (struct exhibit_pair){step->a, step->b};
        if (step->kind == STEP_PAIR || exhibit.frame_count > 0)
            continue;
        astray = (struct exhibit_frame){pairs[i], 1, why_astray(step)};
        exhibit.frame_count = 1;
    }
    exhibit.frames = &astray;
    exhibit.folder = folder;
    exhibit.fps = one->fps;
    exhibit.judge = params->judge;
    const enum status status = exhibit_show(&exhibit, one);
    free(pairs);
    return status;
}

enum status show_difference(const struct show_params *params, const char *path, double gain)
{
    const struct reader_info *info = params->a->info;
    struct exhibit_pair *pairs = memory_new(params->count, sizeof *pairs);
    for (uint64_t i = 0; i < params->count; i++)
        pairs[i] = (struct exhibit_pair){
            params->pairs[i].a == PAIR_NONE ? -1 : (int64_t)params->pairs[i].a,
            params->pairs[i].b == PAIR_NONE ? -1 : (int64_t)params->pairs[i].b};
    const struct exhibit exhibit = exhibit_of(params, pairs, params->count);
    const bool known = info->fps_num > 0;
    const enum status status = exhibit_film(&exhibit, path, gain, known ? info->fps_num : 30,
                                            known ? info->fps_den : 1, params->stop);
    free(pairs);
    return status;
}
