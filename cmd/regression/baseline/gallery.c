#include "cmd/regression/baseline/gallery.h"

#include "base/memory.h"
#include "cmd/regression/baseline/redraw.h"
#include "cmd/regression/exhibit/clip.h"
#include "cmd/regression/exhibit/frames.h"
#include "cmd/regression/judge/picture.h"
#include "render/reader/pixels.h"

#include <math.h>
#include <stdlib.h>

/* ---- positions ---- */

static const struct stored *find_stored(const struct stored *list, uint32_t count, uint64_t frame)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].frame == frame)
            return &list[i];
    return NULL;
}

/* Returns the doubles if they were kept, else the floats. */
static const double (*positions_of(struct gallery *gallery, int side, const struct state *state,
                                   size_t *count))[3]
{
    const struct view *view = &state->view[0];
    *count = view->count;
    free(gallery->positions[side]);
    gallery->positions[side] = malloc((view->count + 1) * sizeof *gallery->positions[side]);
    double(*out)[3] = gallery->positions[side];
    if (!out)
        return NULL;
    for (size_t i = 0; i < view->count; i++)
        for (size_t c = 0; c < 3; c++)
            out[i][c] = state->position ? state->position[i][c] : (double)view->position[4 * i + c];
    return (const double(*)[3])out;
}

static const double (*find_positions(void *user, bool now, uint64_t frame, size_t *count))[3]
{
    struct gallery *gallery = user;
    const struct baseline *baseline = gallery->baseline;
    if (now) {
        const struct state *state = capture_state(gallery->now, frame);
        return state ? positions_of(gallery, 1, state, count) : NULL;
    }
    const struct stored *stored = find_stored(baseline->states, baseline->state_count, frame);
    if (!stored || !capture_state(gallery->now, frame))
        return NULL;
    state_free(&gallery->state);
    if (baseline_get_state(baseline, stored, &gallery->state) != STATUS_OK)
        return NULL;
    return positions_of(gallery, 0, &gallery->state, count);
}

/* ---- pictures ---- */

struct side {
    uint16_t *rgb;
    struct planes planes;
};

struct hanging {
    struct gallery *gallery;
    uint32_t width, height;
    struct side side[2]; /* the baseline's; this program's */
    struct measurer *measurer;
    struct measure *measure;
    struct picture_judge *judge;
    size_t measured;
    double most; /* largest difference of a pixel so far, codes */
};

static enum status open_side(struct hanging *hanging, struct side *side)
{
    const size_t bytes = (size_t)hanging->width * hanging->height * 3 * sizeof *side->rgb;
    side->rgb = malloc(bytes);
    if (!side->rgb)
        return status_fail(STATUS_RUNTIME, "no memory for a picture of %zu bytes", bytes);
    return planes_open(&side->planes, hanging->width, hanging->height);
}

static enum status open_hanging(struct hanging *hanging, const struct picture *first)
{
    const struct limits *limits = hanging->gallery->limits;
    const struct measure_params params = picture_params(limits);
    hanging->width = first->layout.width;
    hanging->height = first->layout.height;
    enum status status = open_side(hanging, &hanging->side[0]);
    if (status == STATUS_OK)
        status = open_side(hanging, &hanging->side[1]);
    if (status == STATUS_OK)
        status = measurer_open(&hanging->measurer, hanging->width, hanging->height, &params);
    return status;
}

static void close_hanging(struct hanging *hanging)
{
    for (int s = 0; s < 2; s++) {
        free(hanging->side[s].rgb);
        planes_close(&hanging->side[s].planes);
    }
    measurer_close(&hanging->measurer);
    picture_judge_close(&hanging->judge);
    free(hanging->measure);
}

/* ---- measuring ---- */

static enum status measure_pair(struct hanging *hanging, const struct picture *a,
                                const struct picture *b)
{
    enum status status = STATUS_OK;
    if (!hanging->measurer)
        status = open_hanging(hanging, a);
    if (status != STATUS_OK)
        return status;
    if (a->layout.width != hanging->width || a->layout.height != hanging->height ||
        b->layout.width != hanging->width || b->layout.height != hanging->height)
        return status_fail(STATUS_MISMATCH, "the pictures differ in size: %ux%u and %ux%u pixels",
                           a->layout.width, a->layout.height, b->layout.width, b->layout.height);
    status = drawn_to_rgb(a, hanging->side[0].rgb);
    if (status == STATUS_OK)
        status = drawn_to_rgb(b, hanging->side[1].rgb);
    if (status != STATUS_OK)
        return status;
    for (int s = 0; s < 2; s++)
        planes_fill(&hanging->side[s].planes, hanging->side[s].rgb);
    measure_pictures(hanging->measurer, &hanging->side[0].planes, &hanging->side[1].planes, NULL,
                     hanging->measure);
    return STATUS_OK;
}

/* Returns a copy, which picture_free frees; NULL if there is none. */
static struct picture *find_before(struct gallery *gallery, uint64_t frame)
{
    const struct baseline *baseline = gallery->baseline;
    struct picture *out = NULL;
    const struct stored *stored = find_stored(baseline->pictures, baseline->picture_count, frame);
    if (stored && baseline_get_picture(baseline, stored, &out) != STATUS_OK)
        return NULL;
    return out;
}

static enum status hang(struct hanging *hanging, uint64_t frame)
{
    struct gallery *gallery = hanging->gallery;
    const struct picture *now = capture_picture(gallery->now, frame);
    struct picture *before = now ? find_before(gallery, frame) : NULL;
    if (!before)
        return STATUS_OK;
    enum status status = measure_pair(hanging, before, now);
    picture_free(&before);
    if (status != STATUS_OK)
        return status;
    hanging->measured++;
    hanging->most = fmax(hanging->most, hanging->measure->largest.value);
    picture_judge_add(hanging->judge, frame, (int64_t)frame, hanging->measure);
    return STATUS_OK;
}

/* ---- pictures to look at ---- */

static enum status fetch(void *user, int side, int64_t frame, uint16_t *rgb)
{
    struct gallery *gallery = user;
    struct picture *before = side == 0 ? find_before(gallery, (uint64_t)frame) : NULL;
    const struct picture *picture =
        side == 0 ? before : capture_picture(gallery->now, (uint64_t)frame);
    enum status status = picture
                             ? drawn_to_rgb(picture, rgb)
                             : status_fail(STATUS_IO, "the picture of frame %lld no longer exists",
                                           (long long)frame);
    picture_free(&before);
    return status;
}

static bool has_both(struct gallery *gallery, uint64_t frame)
{
    struct picture *before =
        capture_picture(gallery->now, frame) ? find_before(gallery, frame) : NULL;
    const bool both = before != NULL;
    picture_free(&before);
    return both;
}

static enum status show_clip(const struct hanging *hanging, const struct exhibit *exhibit,
                             int64_t first)
{
    struct gallery *gallery = hanging->gallery;
    struct exhibit_pair pairs[BASELINE_PICTURES_MAX];
    size_t count = 0, from = 0;
    for (uint32_t i = 0; i < gallery->now->picture_count; i++) {
        const uint64_t frame = gallery->now->picture_frames[i];
        if (!has_both(gallery, frame))
            continue;
        from = (int64_t)frame <= first ? count : from;
        pairs[count++] = (struct exhibit_pair){(int64_t)frame, (int64_t)frame};
    }
    return exhibit_clip(exhibit, pairs, count, from, hanging->most, gallery->one);
}

static struct exhibit exhibit_of(struct gallery *gallery, uint32_t width, uint32_t height)
{
    return (struct exhibit){.folder = gallery->folder,
                            .note = gallery->note ? gallery->note : "",
                            .width = width,
                            .height = height,
                            .fps = gallery->one->fps,
                            .limits = gallery->limits,
                            .fetch = fetch,
                            .user = gallery};
}

static enum status show(const struct hanging *hanging)
{
    struct gallery *gallery = hanging->gallery;
    const struct exhibit exhibit = exhibit_of(gallery, hanging->width, hanging->height);
    struct picture_choice choices[PICTURE_CHOICES_MAX];
    struct exhibit_frame frames[PICTURE_CHOICES_MAX];
    const size_t count = picture_judge_choose(hanging->judge, choices, PICTURE_CHOICES_MAX);
    for (size_t i = 0; i < count; i++)
        frames[i] = (struct exhibit_frame){
            {choices[i].frame, choices[i].frame}, choices[i].worst, choices[i].why};
    enum status status = exhibit_frames(&exhibit, frames, count, gallery->one);
    return status == STATUS_OK && count > 0 ? show_clip(hanging, &exhibit, choices[0].frame)
                                            : status;
}

static enum status measure_frames(void *user, const uint64_t *frames, size_t count,
                                  struct stage_report *stage, size_t *measured)
{
    struct gallery *gallery = user;
    struct hanging hanging = {.gallery = gallery,
                              .measure = memory_new(1, sizeof *hanging.measure)};
    enum status status = STATUS_OK;
    picture_judge_open(&hanging.judge, gallery->limits, gallery->one->frames);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = hang(&hanging, frames[i]);
    if (status == STATUS_OK && gallery->folder && hanging.measured > 0)
        status = show(&hanging);
    if (status == STATUS_OK && hanging.measured > 0)
        picture_judge_end(hanging.judge, gallery->one, stage);
    *measured = hanging.measured;
    close_hanging(&hanging);
    return status;
}

struct comparison_details gallery_details(struct gallery *gallery)
{
    return (struct comparison_details){
        .user = gallery, .positions = find_positions, .pictures = measure_frames};
}

/* ---- views without a verdict ---- */

/* Frames that both sides have, and their size on each side. */
struct both {
    uint64_t frames[BASELINE_PICTURES_MAX];
    size_t count;
    uint32_t width[2], height[2];
};

static void find_both(struct gallery *gallery, struct both *both)
{
    *both = (struct both){.count = 0};
    for (uint32_t i = 0; i < gallery->now->picture_count; i++) {
        const uint64_t frame = gallery->now->picture_frames[i];
        const struct picture *now = capture_picture(gallery->now, frame);
        struct picture *before = now ? find_before(gallery, frame) : NULL;
        if (before) {
            both->frames[both->count++] = frame;
            both->width[0] = before->layout.width;
            both->height[0] = before->layout.height;
            both->width[1] = now->layout.width;
            both->height[1] = now->layout.height;
        }
        picture_free(&before);
    }
}

static enum status show_alone(struct gallery *gallery, const struct both *both, int side,
                              int64_t frame)
{
    const struct exhibit exhibit = exhibit_of(gallery, both->width[side], both->height[side]);
    const struct exhibit_frame one = {.pair = {side == 0 ? frame : -1, side == 1 ? frame : -1},
                                      .why = ""};
    return exhibit_frames(&exhibit, &one, 1, gallery->one);
}

/* Shows the pictures of each side separately, for the first, middle and last frame: pictures that
 * differ in size have no difference. */
static enum status show_apart(struct gallery *gallery, const struct both *both)
{
    const size_t chosen[] = {0, both->count / 2, both->count - 1};
    enum status status = STATUS_OK;
    for (size_t c = 0; c < 3; c++)
        for (int side = 0; side < 2 && status == STATUS_OK; side++)
            if (c == 0 || chosen[c] != chosen[c - 1])
                status = show_alone(gallery, both, side, (int64_t)both->frames[chosen[c]]);
    return status;
}

enum status gallery_show(struct gallery *gallery)
{
    struct both both;
    size_t measured;
    find_both(gallery, &both);
    if (both.count == 0)
        return STATUS_OK;
    if (both.width[0] != both.width[1] || both.height[0] != both.height[1])
        return show_apart(gallery, &both);
    return measure_frames(gallery, both.frames, both.count, &gallery->one->stages[JUDGED_PICTURE],
                          &measured);
}

void gallery_move_shown(struct case_report *from, struct case_report *to)
{
    if (from->shown_count == 0)
        return;
    if (!to->clip.path) {
        to->clip = from->clip;
        from->clip = (struct clip){0};
    }
    to->shown = memory_grow(to->shown, PICTURE_CHOICES_MAX, sizeof *to->shown);
    for (uint32_t i = 0; i < from->shown_count && to->shown_count < PICTURE_CHOICES_MAX; i++) {
        to->shown[to->shown_count++] = from->shown[i];
        from->shown[i] = (struct shown_frame){0};
    }
}

void gallery_close(struct gallery *gallery)
{
    state_free(&gallery->state);
    free(gallery->positions[0]);
    free(gallery->positions[1]);
    *gallery = (struct gallery){0};
}
