#include "cmd/regression/report/pictures.h"

#include "base/file.h"
#include "base/memory.h"
#include "cmd/regression/report/summary.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 24, SIDE_MAX = 1 << 16 };

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Checks the first bytes before the file is read, so that a device or an unrelated file is never
 * read whole. */
static bool starts(const char *path, char head[HEADER])
{
    size_t got = 0;
    return path && file_read_head(path, head, HEADER, &got) == STATUS_OK && got == HEADER;
}

static bool read_as(struct embed *embed, const char *type, const char *path, size_t limit)
{
    if (file_read(path, limit, &embed->data, &embed->size) == STATUS_OK)
        embed->type = type;
    return embed->type != NULL;
}

bool embed_picture(struct embed *embed, const char *path, size_t limit)
{
    char head[HEADER];
    *embed = (struct embed){0};
    if (!starts(path, head) || memcmp(head, "\211PNG\r\n\032\n", 8) != 0 ||
        memcmp(head + 12, "IHDR", 4) != 0)
        return false;
    embed->width = big_endian(head + 16);
    embed->height = big_endian(head + 20);
    return embed->width > 0 && embed->height > 0 && embed->width < SIDE_MAX &&
           embed->height < SIDE_MAX && read_as(embed, "image/png", path, limit);
}

bool embed_film(struct embed *embed, const char *path, size_t limit)
{
    char head[HEADER];
    *embed = (struct embed){0};
    if (!starts(path, head))
        return false;
    if (memcmp(head + 4, "ftyp", 4) == 0)
        return read_as(embed, "video/mp4", path, limit);
    return memcmp(head, "\x1a\x45\xdf\xa3", 4) == 0 && read_as(embed, "video/webm", path, limit);
}

void embed_free(struct embed *embed)
{
    free(embed->data);
    *embed = (struct embed){0};
}

size_t embed_size(const struct embed *embed)
{
    return embed->type ? strlen("data:;base64,") + strlen(embed->type) + (embed->size + 2) / 3 * 4
                       : 0;
}

void embed_put(FILE *out, const struct embed *embed)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *data = (const unsigned char *)embed->data;
    fprintf(out, "data:%s;base64,", embed->type);
    for (size_t at = 0; at < embed->size; at += 3) {
        const size_t left = embed->size - at;
        const uint32_t bits = (uint32_t)data[at] << 16 |
                              (left > 1 ? (uint32_t)data[at + 1] << 8 : 0) |
                              (left > 2 ? data[at + 2] : 0U);
        putc(digits[bits >> 18], out);
        putc(digits[bits >> 12 & 63], out);
        putc(left > 1 ? digits[bits >> 6 & 63] : '=', out);
        putc(left > 2 ? digits[bits & 63] : '=', out);
    }
}

/* ---- the choice ---- */

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

bool pictures_has_sides(const struct frame_pictures *pictures)
{
    return pictures->side[SIDE_A].type || pictures->side[SIDE_B].type;
}

static void take_difference(const struct shown_frame *shown, struct frame_pictures *out,
                            size_t *room)
{
    if (pictures_has_sides(out) && !out->side[SIDE_DIFFERENCE].type &&
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
        out[list[i].of_case].left_out += !pictures_has_sides(pictures);
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
