#include "cmd/regression/report/pictures.h"

#include "base/memory.h"
#include "cmd/regression/report/summary.h"

#include <stdlib.h>

/* A frame that competes for room. */
struct candidate {
    uint32_t of_case, shown, rank; /* rank: number of worse frames in its case */
    double worst;
};

static uint32_t rank_of(const struct case_report *one, uint32_t index)
{
    uint32_t rank = 0;
    for (uint32_t s = 0; s < one->shown_count; s++) {
        const double other = summary_worst(one, &one->shown[s]),
                     own = summary_worst(one, &one->shown[index]);
        rank += other > own || (other == own && s < index);
    }
    return rank;
}

static int by_rank(const void *a, const void *b)
{
    const struct candidate *one = a, *other = b;
    if (one->rank != other->rank)
        return one->rank < other->rank ? -1 : 1;
    if (one->worst != other->worst)
        return one->worst > other->worst ? -1 : 1;
    if (one->of_case != other->of_case)
        return one->of_case < other->of_case ? -1 : 1;
    return one->shown < other->shown ? -1 : one->shown > other->shown;
}

static struct candidate *list_frames(const struct report *report, size_t *count)
{
    struct candidate *list = memory_new(0, 1);
    *count = 0;
    for (uint32_t c = 0; c < report->case_count; c++) {
        const struct case_report *one = &report->cases[c];
        for (uint32_t s = 0; !verdict_passes(one->verdict) && s < one->shown_count; s++) {
            list = memory_grow(list, *count + 1, sizeof *list);
            list[(*count)++] =
                (struct candidate){c, s, rank_of(one, s), summary_worst(one, &one->shown[s])};
        }
    }
    qsort(list, *count, sizeof *list, by_rank);
    return list;
}

/* Keeps a file that was read if there is room for it. */
static bool keep(struct embed *embed, size_t *room)
{
    const size_t size = embed_size(embed);
    if (size == 0 || size > *room) {
        embed_free(embed);
        return false;
    }
    *room -= size;
    return true;
}

/* Takes both sides or, if there is only one, that one. */
static void take_sides(const struct shown_frame *shown, struct frame_pictures *out, size_t *room)
{
    const size_t before = *room;
    const bool a = embed_picture(&out->side[SIDE_A], shown->a, *room);
    const bool b = embed_picture(&out->side[SIDE_B], shown->b, *room);
    const bool kept = keep(&out->side[SIDE_A], room) == a && keep(&out->side[SIDE_B], room) == b;
    if (kept && a == (shown->a != NULL) && b == (shown->b != NULL))
        return;
    embed_free(&out->side[SIDE_A]);
    embed_free(&out->side[SIDE_B]);
    *room = before;
}

static bool has_sides(const struct frame_pictures *pictures)
{
    return pictures->side[SIDE_A].type || pictures->side[SIDE_B].type;
}

static void take_difference(const struct shown_frame *shown, struct frame_pictures *out,
                            size_t *room)
{
    if (has_sides(out) && !out->side[SIDE_DIFFERENCE].type &&
        embed_picture(&out->side[SIDE_DIFFERENCE], shown->difference, *room))
        keep(&out->side[SIDE_DIFFERENCE], room);
}

static void take_clips(const struct report *report, struct case_pictures *out, size_t limit,
                       size_t *room)
{
    for (uint32_t c = 0; c < report->case_count; c++)
        if (!verdict_passes(report->cases[c].verdict) &&
            embed_film(&out[c].clip, report->cases[c].clip.path, limit))
            keep(&out[c].clip, room);
}

struct case_pictures *pictures_choose(const struct report *report, size_t budget, size_t clip_limit)
{
    struct case_pictures *out = memory_new(report->case_count, sizeof *out);
    for (uint32_t c = 0; c < report->case_count; c++)
        out[c].shown = memory_new(report->cases[c].shown_count, sizeof *out[c].shown);
    size_t count, room = budget, first = 0;
    struct candidate *list = list_frames(report, &count);
    const struct shown_frame *shown;
    for (size_t i = 0; i < count; i++) {
        struct frame_pictures *pictures = &out[list[i].of_case].shown[list[i].shown];
        if (list[i].rank > 0 && first == 0) {
            first = i;
            take_clips(report, out, clip_limit, &room);
        }
        shown = &report->cases[list[i].of_case].shown[list[i].shown];
        take_sides(shown, pictures, &room);
        if (list[i].rank == 0)
            take_difference(shown, pictures, &room);
        out[list[i].of_case].left_out += !has_sides(pictures);
    }
    if (first == 0)
        take_clips(report, out, clip_limit, &room);
    for (size_t i = 0; i < count; i++) {
        shown = &report->cases[list[i].of_case].shown[list[i].shown];
        take_difference(shown, &out[list[i].of_case].shown[list[i].shown], &room);
    }
    free(list);
    return out;
}

void pictures_free(const struct report *report, struct case_pictures *pictures)
{
    for (uint32_t c = 0; c < report->case_count; c++) {
        for (uint32_t s = 0; s < report->cases[c].shown_count; s++)
            for (int side = 0; side < SIDE_COUNT; side++)
                embed_free(&pictures[c].shown[s].side[side]);
        embed_free(&pictures[c].clip);
        free(pictures[c].shown);
    }
    free(pictures);
}
