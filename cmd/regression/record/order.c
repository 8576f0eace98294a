#include "cmd/regression/record/readback.h"

#include "base/memory.h"
#include "base/text.h"
#include "render/compare/align.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { RING = 4 * ALIGN_WINDOW }; /* sketches kept per side */

/* The picture within ALIGN_WINDOW that is nearest to a frame. */
struct nearest {
    uint64_t picture;
    double distance, motion; /* from it to the frame; from it to its neighbours */
    float from[2 * ALIGN_WINDOW +
               1]; /* distances from all pictures within ALIGN_WINDOW, its own in the middle */
};

/* A frame counts as out of place only if it is nearer to another picture than to its own by these
 * factors. The factor for a frame that repeats a neighbour is stricter, because an encoder with few
 * bits repeats frames by itself. */
static const double NEARER = 0.5, REPEATS = 0.15;

struct film_order {
    const struct kept_pictures *kept;
    uint64_t pictures, frames; /* numbers to compare */
    uint64_t added[2];         /* number added so far, per side */
    uint64_t found;            /* frames whose nearest picture is known */
    struct aligner *aligner;
    uint8_t *luma[2];
    struct sketch ring[2][RING];
    struct nearest *nearest; /* [frames] */
    bool blind;              /* luma cannot be compared */
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
    order->nearest = memory_new(order->frames + 1, sizeof *order->nearest);
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
    free(self->nearest);
    free(self);
    *order = NULL;
}

static const struct sketch *sketch_of(const struct film_order *order, int side, uint64_t at)
{
    return &order->ring[side][at % RING];
}

static void add(struct film_order *order, int side)
{
    const struct picture_layout *layout = &order->kept->layout;
    struct sketch *own = &order->ring[side][order->added[side]++ % RING];
    sketch_bytes(own, order->luma[side], (ptrdiff_t)layout->width, layout->width, layout->height);
    align_add(order->aligner, side, own);
}

static double motion_at(const struct film_order *order, uint64_t picture)
{
    double most = 0;
    if (picture > 0)
        most = sketch_distance(sketch_of(order, 0, picture), sketch_of(order, 0, picture - 1));
    if (picture + 1 < order->added[0])
        most = fmax(
            most, sketch_distance(sketch_of(order, 0, picture), sketch_of(order, 0, picture + 1)));
    return most;
}

/* Finds the nearest picture of each frame for which all pictures within ALIGN_WINDOW, or the last
 * picture, have been added. */
static void find_nearest(struct film_order *order)
{
    while (order->found < order->added[1] && (order->added[0] == order->pictures ||
                                              order->added[0] > order->found + ALIGN_WINDOW + 1)) {
        const uint64_t frame = order->found++,
                       from = frame > ALIGN_WINDOW ? frame - ALIGN_WINDOW : 0;
        struct nearest *nearest = &order->nearest[frame];
        *nearest = (struct nearest){RECORD_NO_FRAME, INFINITY, 0, {0}};
        for (int k = 0; k <= 2 * ALIGN_WINDOW; k++)
            nearest->from[k] = INFINITY;
        for (uint64_t i = from; i <= frame + ALIGN_WINDOW && i < order->added[0]; i++) {
            const double distance =
                sketch_distance(sketch_of(order, 1, frame), sketch_of(order, 0, i));
            nearest->from[i + ALIGN_WINDOW - frame] = (float)distance;
            if (distance >= nearest->distance)
                continue;
            nearest->picture = i;
            nearest->distance = distance;
            nearest->motion = motion_at(order, i);
        }
    }
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
        find_nearest(order);
        more = order->added[1] == order->frames && order->added[0] < order->pictures;
    }
}

/* Returns the index of the picture that a step's frame of the film shows. */
static uint64_t place_of(const struct film_order *order, const struct align_step *step)
{
    const struct nearest *nearest = &order->nearest[step->b];
    switch (step->kind) {
    case ALIGN_REPEATED:
        return step->of_a ? step->a : nearest->picture;
    case ALIGN_AGAIN:
        return nearest->picture;
    case ALIGN_ADDED:
        return nearest->distance <= nearest->motion ? nearest->picture : RECORD_NO_FRAME;
    default:
        return step->a;
    }
}

static double distance_from(const struct film_order *order, uint64_t frame, uint64_t picture)
{
    const uint64_t at = picture + ALIGN_WINDOW - frame; /* wraps beyond ALIGN_WINDOW */
    return frame < order->frames && at <= 2 * ALIGN_WINDOW ? (double)order->nearest[frame].from[at]
                                                           : INFINITY;
}

/* Returns whether encoding changes pictures more than the film's motion does: then a frame cannot
 * be told from its neighbours. */
static bool is_drowned(const struct film_order *order)
{
    double lost = 0, moved = 0;
    for (uint64_t i = 0; i < order->frames; i++) {
        lost += sqrt(order->nearest[i].distance);
        moved += sqrt(order->nearest[i].motion);
    }
    return !(lost < moved);
}

/* Puts runs of frames back in their own place if they are hardly nearer to others. A run that goes
 * on to the end of a film with more or fewer frames than pictures has nowhere to go. */
static void put_back(const struct film_order *order, uint64_t *place, uint64_t frames,
                     uint64_t pictures)
{
    for (uint64_t i = 0, end; i < frames; i = end) {
        double own = 0, shown = 0;
        bool repeats = false;
        for (end = i; end < frames && place[end] != end; end++) {
            own += distance_from(order, end, end);
            shown += place[end] == RECORD_NO_FRAME ? 0 : distance_from(order, end, place[end]);
            repeats = repeats || (end > 0 && place[end] == place[end - 1]) ||
                      (end + 1 < frames && place[end] == place[end + 1]);
        }
        const bool clear = shown < (repeats ? REPEATS : NEARER) * own;
        for (uint64_t k = i; k < end && !clear && (end < frames || frames == pictures); k++)
            place[k] = k;
        end += end == i;
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
    if (order->blind || order->added[0] < order->pictures || order->added[1] < order->frames ||
        is_drowned(order))
        return;
    struct align_step *steps = align_end(order->aligner, &count);
    uint64_t *place = memory_new(frames + 1, sizeof *place);
    uint64_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (steps[i].kind == ALIGN_DROPPED)
            continue;
        place[steps[i].b] = place_of(order, &steps[i]);
        known = steps[i].b >= known ? steps[i].b + 1 : known;
    }
    free(steps);
    /* A frame near the end may show a picture that was not kept. */
    while (order->pictures < record->count && known > 0 && place[known - 1] == RECORD_NO_FRAME)
        known--;
    for (; known < frames; known++)
        place[known] = known > 0 && place[known - 1] + 1 < record->count ? place[known - 1] + 1
                                                                         : RECORD_NO_FRAME;
    put_back(order, place, frames, record->count);
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
                 "frame %" PRIu64 " of the film is none that was drawn", i);
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
