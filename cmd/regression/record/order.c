#include "cmd/regression/record/readback.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/compare/align.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

struct film_order {
    const struct kept_pictures *kept;
    uint64_t pictures, frames; /* numbers to compare */
    uint64_t added[2];         /* number added so far, per side */
    struct aligner *aligner;
    uint8_t *luma[2];
    bool blind; /* luma cannot be compared */
};

struct film_order *film_order_open(const struct kept_pictures *kept, uint64_t pictures,
                                   uint64_t frames)
{
    struct film_order *order = memory_new(1, sizeof *order);
    const size_t pixels = (size_t)kept->layout.width * kept->layout.height;
    uint64_t whole = 0;
    while (whole < pictures && kept->data[whole])
        whole++;
    order->kept = kept;
    order->pictures = whole;
    order->frames = whole < pictures && frames > whole ? whole : frames;
    order->blind = order->pictures == 0 || order->frames == 0;
    order->aligner = align_open(order->pictures, order->frames);
    order->luma[0] = memory_new(pixels + 1, 1);
    order->luma[1] = memory_new(pixels + 1, 1);
    return order;
}

void film_order_close(struct film_order **order)
{
    struct film_order *self = *order;
    if (!self)
        return;
    align_close(&self->aligner);
    free(self->luma[0]);
    free(self->luma[1]);
    free(self);
    *order = NULL;
}

static void add(struct film_order *order, int side)
{
    const struct picture_layout *layout = &order->kept->layout;
    struct sketch sketch;
    order->added[side]++;
    sketch_bytes(&sketch, order->luma[side], (ptrdiff_t)layout->width, layout->width,
                 layout->height);
    align_add(order->aligner, side, &sketch);
}

void film_order_add(struct film_order *order, const struct decoded *decoded)
{
    const struct kept_pictures *kept = order->kept;
    bool more = !order->blind;
    /* Pictures for which the film has no frames are added with its last frame. */
    while (more) {
        const uint64_t picture =
            order->added[0] < order->pictures ? order->added[0] : order->pictures - 1;
        order->blind =
            !loss_luma(&kept->layout, kept->data[picture], decoded, order->luma[0], order->luma[1]);
        if (order->blind)
            return;
        if (order->added[0] < order->pictures)
            add(order, 0);
        if (order->added[1] < order->frames)
            add(order, 1);
        more = order->added[1] == order->frames && order->added[0] < order->pictures;
    }
}

/* Fills in the pictures that the film's frames show; RECORD_NO_FRAME: none. */
static void take_steps(const struct align_step *steps, size_t count, uint64_t *place)
{
    for (size_t i = 0; i < count; i++) {
        const struct align_step *step = &steps[i];
        const bool before = (step->kind == ALIGN_AGAIN && !step->next) ||
                            (step->kind == ALIGN_REPEATED && !step->of_a);
        if (step->kind == ALIGN_DROPPED)
            continue;
        place[step->b] = before && step->b > 0       ? place[step->b - 1]
                         : step->kind == ALIGN_ADDED ? RECORD_NO_FRAME
                                                     : step->a;
    }
}

static bool is_plain(const uint64_t *place, uint64_t frames, uint64_t pictures)
{
    bool plain = frames == pictures;
    for (uint64_t i = 0; i < frames && plain; i++)
        plain = place[i] == i;
    return plain;
}

void film_order_end(struct film_order *order, uint64_t frames, struct record *record)
{
    size_t count;
    if (order->blind || order->added[0] < order->pictures || order->added[1] < order->frames)
        return;
    struct align_step *steps = align_end(order->aligner, &count);
    uint64_t *place = memory_new(frames + 1, sizeof *place), known = order->frames;
    take_steps(steps, count, place);
    free(steps);
    /* A frame near the end may show a picture that was not kept. */
    while (order->pictures < record->count && known > 0 && place[known - 1] == RECORD_NO_FRAME)
        known--;
    for (; known < frames; known++)
        place[known] = known > 0 && place[known - 1] + 1 < record->count ? place[known - 1] + 1
                                                                         : RECORD_NO_FRAME;
    if (is_plain(place, frames, record->count)) {
        free(place);
        return;
    }
    for (uint64_t i = 0; i < frames; i++)
        place[i] = place[i] < record->count ? record->frames[place[i]].frame : RECORD_NO_FRAME;
    free(record->shows);
    record->shows = place;
    record->shown = frames;
}

/* ---- in words ---- */

enum { NAMED = 4 }; /* faults that are described one by one */

struct telling {
    struct order_faults faults;
    unsigned told;
};

__attribute__((format(printf, 4, 5))) static void tell(struct telling *telling, uint64_t frame,
                                                       uint64_t count, const char *format, ...)
{
    struct order_faults *faults = &telling->faults;
    char one[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(one, sizeof one, format, arguments);
    va_end(arguments);
    faults->count += count;
    if (faults->first < 0 || (int64_t)frame < faults->first)
        faults->first = (int64_t)frame;
    if (telling->told++ < NAMED)
        text_append(&faults->text, "; ", "%s", one);
}

/* Counts how often the film shows each picture. */
static uint32_t *count_shown(const struct record *record)
{
    uint32_t *times = memory_new(record->count + 1, sizeof *times);
    for (uint64_t i = 0; i < record->shown; i++) {
        const struct frame_record *frame = record_frame(record, record->shows[i]);
        if (frame)
            times[frame - record->frames]++;
    }
    return times;
}

static void tell_counts(struct telling *telling, const struct record *record, const uint32_t *times)
{
    for (uint64_t i = 0; i < record->count; i++) {
        const uint64_t frame = record->frames[i].frame;
        uint64_t missing = 0;
        while (i + missing < record->count && times[i + missing] == 0)
            missing++;
        if (missing == 1)
            tell(telling, frame, 1, "frame %" PRIu64 " is missing in the film", frame);
        else if (missing > 1)
            tell(telling, frame, missing,
                 "frames %" PRIu64 " to %" PRIu64 " are missing in the film", frame,
                 record->frames[i + missing - 1].frame);
        else if (times[i] == 2)
            tell(telling, frame, 1, "frame %" PRIu64 " is in the film twice", frame);
        else if (times[i] > 2)
            tell(telling, frame, times[i] - 1, "frame %" PRIu64 " is in the film %u times", frame,
                 times[i]);
        i += missing > 0 ? missing - 1 : 0;
    }
}

static void tell_places(struct telling *telling, const struct record *record)
{
    for (uint64_t i = 0; i < record->shown; i++) {
        const uint64_t frame = record->shows[i],
                       next = i + 1 < record->shown ? record->shows[i + 1] : RECORD_NO_FRAME;
        if (frame == RECORD_NO_FRAME)
            tell(telling, record->frames[0].frame + i, 1,
                 "frame %" PRIu64 " of the film shows no picture that was drawn", i);
        else if (frame == next + 1)
            tell(telling, next, 2, "frames %" PRIu64 " and %" PRIu64 " are swapped in the film",
                 next, frame);
        else if (next < frame)
            tell(telling, next, 1, "frame %" PRIu64 " comes after frame %" PRIu64 " in the film",
                 next, frame);
    }
}

struct order_faults film_order_faults(const struct record *record)
{
    struct telling telling = {.faults.first = -1};
    if (!record->shows || record->count == 0)
        return telling.faults;
    uint32_t *times = count_shown(record);
    tell_counts(&telling, record, times);
    tell_places(&telling, record);
    free(times);
    if (telling.told > NAMED)
        text_append(&telling.faults.text, "; ", "and %u more", telling.told - NAMED);
    return telling.faults;
}

bool film_order_same(const struct record *a, const struct record *b)
{
    const uint64_t count = record_shown(a);
    bool same = (!a->shows && !b->shows) || count == record_shown(b);
    for (uint64_t i = 0; same && (a->shows || b->shows) && i < count; i++)
        same = record_shows(a, i) == record_shows(b, i);
    return same;
}
