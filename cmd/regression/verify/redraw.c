#include "cmd/regression/verify/verify.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/status.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/film/job/target.h"
#include "cmd/film/stills/still.h"
#include "cmd/regression/judge/frame_join.h"
#include "cmd/film/tags.h"
#include "cmd/regression/judge/picture_judge.h"
#include "render/compare/align.h"
#include "render/compare/measure.h"
#include "render/reader/pixels.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "render/sinks.h"
#include "render/video/codecs.h"
#include "render/video/picture_file.h"
#include "scenes/scene.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TILE = 32 };

/* Frames to compare are drawn with those before them, for their order and because an encoder's loss
 * depends on what it encoded before: as many as have this many pixels in all, about 1,000 frames of
 * 1920x1080. */
static const uint64_t PIXELS = UINT64_C(1) << 31;

/* Errors below an RMS of three codes of 255 count little; the constant is a square of 16-bit codes.
 * How an encoder divides bits between what stands still and what moves depends on the frames before
 * and after. */
static const double CODE = 9 * 257.0 * 257.0;

/* A frame to compare. */
struct compared {
    uint64_t index;  /* in the film */
    uint64_t place;  /* among all frames that are drawn */
    uint16_t *drawn; /* [height][width][3], of a film */
};

struct redraw {
    const struct subject *subject;
    const struct verify_params *params;
    struct case_report *one;
    struct target target;
    struct snapshot snapshot;
    struct sink *sink; /* encodes the redrawn pictures */
    struct tags tags;  /* the tags that the film would have now */
    struct temporary temporary;
    char *path;
    struct reader *again, *film; /* the pictures encoded again, and the film */
    uint32_t width, height;      /* of the scene's pictures */
    uint32_t columns, rows;      /* number of tiles */
    uint16_t *rgb[2];            /* a picture encoded again, and one of the film */
    bool whole;                  /* all frames, by the same programs: bits must be the same */

    uint64_t count; /* number of frames to compare */
    struct compared *compared;
    uint64_t span;    /* frames to draw up to and including each of these */
    uint64_t ordered; /* number of all frames that are drawn */
    uint64_t *number; /* [ordered] their numbers within the scene's film */

    struct planes planes[2];
    struct measurer *measurer;
    struct aligner *aligner;
    struct lit_judge lit; /* the film's frames against those encoded again */

    /* The worst values over the frames to compare. */
    double *tiles[2]; /* [columns * rows] mean square error of a picture encoded again, and of the
                       * film's, relative to the drawn picture */
    bool lossless;
    double lost; /* dB by which a tile has lost more in the film than when it is encoded again */
    int64_t lost_frame, unlike_frame;
    uint32_t lost_tile;
    uint64_t unlike; /* pixels in which the film's frame differs from the one encoded again */
};

/* ---- opening ---- */

/* Returns the index of the first frame to draw up to the i-th to compare. */
static uint64_t first_index(const struct redraw *self, uint64_t i)
{
    const uint64_t end = self->compared[i].index + 1,
                   free = i > 0 ? self->compared[i - 1].index + 1 : 0;
    return end - free > self->span ? end - self->span : free;
}

static void choose_frames(struct redraw *self)
{
    const uint64_t all = self->subject->film.count,
                   wanted = self->params->redraw < all ? self->params->redraw : all;
    self->width = self->subject->scene->output.size.width;
    self->height = self->subject->scene->output.size.height;
    self->count = wanted;
    self->compared = memory_new(wanted, sizeof *self->compared);
    for (uint64_t i = 0; i < wanted; i++)
        self->compared[i].index = (uint64_t)((unsigned __int128)(i + 1) * all / wanted) - 1;
    const uint64_t each = PIXELS / ((uint64_t)self->width * self->height) / wanted;
    self->span = each > 1 ? each : 1;
    for (uint64_t i = 0; i < wanted; i++)
        for (uint64_t k = first_index(self, i); k <= self->compared[i].index; k++) {
            self->compared[i].place = self->ordered;
            *MEMORY_ADD(self->number, self->ordered) = k;
        }
    self->aligner = align_open(self->ordered, self->ordered);
}

static enum status make_room(struct redraw *self)
{
    const struct reader_info *info = reader_info(self->film);
    self->columns = (self->width + TILE - 1) / TILE;
    self->rows = (self->height + TILE - 1) / TILE;
    self->lossless = true;
    self->lost_frame = self->unlike_frame = -1;
    if (info->width < self->width || info->height < self->height)
        return status_fail(STATUS_MISMATCH, "the film is smaller than the scene's pictures");
    const size_t own = (size_t)self->width * self->height * 3 * sizeof *self->rgb[0];
    bool whole = true;
    for (uint64_t i = 0; whole && i < self->count && self->subject->film.is_film; i++)
        whole = (self->compared[i].drawn = malloc(own)) != NULL;
    if (!whole)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for %" PRIu64 " pictures of %zu MiB each",
                           self->count + 1, own >> 20);
    enum status status = measurer_open(&self->measurer, self->width, self->height, &measure_usual);
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        self->tiles[side] = memory_new((size_t)self->columns * self->rows, sizeof(double));
        status = planes_open(&self->planes[side], self->width, self->height);
    }
    return status;
}

static enum status plan(struct redraw *self)
{
    const struct container *container = self->subject->film.container;
    const char *extension = container ? container->name : self->subject->film.file_format->name;
    self->path =
        text_format("%s/redrawn%s.%s", self->temporary.folder, container ? "" : "-%06d", extension);
    const struct target_request request = {
        .scene = "",
        .output = self->path,
        .format = "",
        .silent = true,
        .backend = self->params->backend,
        .device = self->params->device,
    };
    enum status status = film_find_bodies(self->subject->scene, "");
    if (status == STATUS_OK && self->subject->scene->bodies.model->reads_file)
        log_info("the bodies are read from '%s', as the scene in '%s' says",
                 self->subject->scene->bodies.file, self->subject->path);
    return status == STATUS_OK ? target_plan(&self->target, &request, self->subject->scene)
                               : status;
}

static enum status open_all(struct redraw *self)
{
    enum status status = reader_open(&self->film, self->subject->path);
    if (status == STATUS_OK)
        status = make_room(self);
    if (status == STATUS_OK)
        status = temporary_open(&self->temporary);
    if (status == STATUS_OK)
        status = plan(self);
    if (status == STATUS_OK)
        status = snapshot_open(&self->snapshot,
                               &(struct film_options){.scene = self->subject->scene,
                                                      .backend = self->params->backend,
                                                      .device = self->params->device,
                                                      .format = self->target.plan.format});
    if (status == STATUS_OK)
        status = film_tags_make(&self->tags, &self->snapshot.film, NULL);
    self->target.params.first_frame = 0;
    return status == STATUS_OK ? sink_open(&self->target.params, &self->sink) : status;
}

static void close_all(struct redraw *self)
{
    if (self->sink)
        (void)self->sink->ops->close(&self->sink, false, NULL, NULL);
    snapshot_close(&self->snapshot);
    reader_close(&self->film);
    reader_close(&self->again);
    target_free(&self->target);
    tags_free(&self->tags);
    for (uint64_t i = 0; i < self->count; i++)
        free(self->compared[i].drawn);
    for (int side = 0; side < 2; side++) {
        planes_close(&self->planes[side]);
        free(self->rgb[side]);
        free(self->tiles[side]);
    }
    measurer_close(&self->measurer);
    align_close(&self->aligner);
    temporary_close(&self->temporary);
    free(self->path);
    free(self->compared);
    free(self->number);
}

/* ---- states ---- */

static void judge_state(const struct redraw *self, enum judged name, const struct rule *rule,
                        const char *tagged, const char *what)
{
    struct stage_report *stage = &self->one->stages[name];
    char found[HASH_TEXT];
    if (film_state_hash(&self->snapshot.film, found) != STATUS_OK) {
        stage_not_judged(stage, "%s", status_text());
        return;
    }
    if (!*found) {
        stage_not_judged(stage, "no process has all bodies; start one process without mpirun");
        return;
    }
    const bool same = strcmp(found, tagged) == 0;
    stage->planned = stage->compared = 1;
    stage->same_platform = true;
    struct finding *finding = stage_measured(stage, self->subject->limits, rule, same ? 0 : 1);
    finding_say(finding, "%s are %s", what,
                same ? "those of the film's tag" : "not those of the film's tag");
    stage_say(stage, "%s", finding->text);
    stage_conclude(stage);
}

static bool same_tag(const struct redraw *self, const char *name)
{
    const char *then = tags_find(&self->subject->film.tags, name),
               *now = tags_find(&self->tags, name);
    return then && now && strcmp(then, now) == 0;
}

static bool bits_must_agree(const struct redraw *self)
{
    return self->subject->scene->simulation.force->same_everywhere ||
           same_tag(self, "gravreel_device");
}

static void judge_start(const struct redraw *self)
{
    const char *tagged = tags_find(&self->subject->film.tags, FILM_TAG_FIRST_STATE);
    if (tagged)
        judge_state(self, JUDGED_START, &rules[RULE_START_BITS], tagged, "bodies at frame 0");
    else
        stage_not_applicable(&self->one->stages[JUDGED_START],
                             "the film does not say what its first state was");
}

/* Judges the state at the film's last frame. */
static void judge_end(const struct redraw *self)
{
    struct stage_report *stage = &self->one->stages[JUDGED_PHYSICS];
    const char *tagged = tags_find(&self->subject->film.tags, FILM_TAG_LAST_STATE);
    if (!tagged)
        stage_not_applicable(stage, "the film does not say what its last state was");
    else if (!bits_must_agree(self))
        stage_not_applicable(stage, "made on another device or kernel, where only force exact has "
                                    "the same bits");
    else
        judge_state(self, JUDGED_PHYSICS, &rules[RULE_PHYSICS_BITS], tagged,
                    "bodies at the film's last frame");
}

/* ---- drawing and encoding again ---- */

/* Returns whether the film's tags name the encoder that encodes again. A copy in another codec
 * keeps the tags, but in another container the scene may ask for another encoder. */
static bool same_encoder(const struct redraw *self)
{
    const char *encoder = tags_find(&self->subject->film.tags, FILM_TAG_ENCODER);
    return encoder && strcmp(encoder, self->target.plan.description) == 0;
}

/* Returns whether the whole film is made again; segments are encoded separately, so that it must be
 * one segment. */
static bool makes_whole_film(const struct redraw *self)
{
    const struct subject *subject = self->subject;
    const struct sink_plan *plan = &self->target.plan;
    const char *libraries = tags_find(&subject->film.tags, "gravreel_libraries");
    const uint64_t segment = scene_segment_length(subject->scene), last = subject->film.count - 1;
    return self->count == subject->film.count && libraries && same_encoder(self) &&
           strcmp(libraries, plan->libraries) == 0 && same_tag(self, "gravreel_renderer") &&
           same_tag(self, "gravreel_device") &&
           subject_frame(subject, 0) / segment == subject_frame(subject, last) / segment;
}

/* Opens a reader's picture for a side. */
static enum status open_picture(struct redraw *self, int side)
{
    const struct reader_info *info = reader_info(side == 0 ? self->again : self->film);
    const size_t bytes = (size_t)info->width * info->height * 3 * sizeof *self->rgb[side];
    self->rgb[side] = malloc(bytes);
    return self->rgb[side] ? STATUS_OK
                           : status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                                         bytes >> 20);
}

/* Draws and encodes all frames, and keeps those to compare. */
static enum status redraw_all(struct redraw *self)
{
    const struct subject *subject = self->subject;
    struct compared *next = self->compared;
    enum status status = STATUS_OK;
    self->whole = makes_whole_film(self);
    for (uint64_t k = 0; k < self->ordered && status == STATUS_OK; k++) {
        const uint64_t frame = subject_frame(subject, self->number[k]);
        const struct picture *picture;
        if (stop_asked(self->params->stop))
            return STATUS_STOPPED;
        if (frame >= subject->scene->output.frames)
            return status_fail(STATUS_MISMATCH, "the scene has no frame %" PRIu64, frame);
        status = snapshot_take(&self->snapshot, frame, &picture);
        if (status == STATUS_OK && k == next->place) {
            status = next->drawn ? drawn_to_rgb(picture, next->drawn) : STATUS_OK;
            next++;
        }
        if (status == STATUS_OK)
            status = self->sink->ops->write(self->sink, picture);
    }
    if (status == STATUS_OK)
        judge_end(self);
    if (status == STATUS_OK)
        status = self->sink->ops->close(&self->sink, true, NULL, NULL);
    if (status == STATUS_OK)
        status = reader_open(&self->again, self->path);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = open_picture(self, side);
    return status;
}

/* ---- comparing, over the scene's own pixels ---- */

/* Reads a frame of a side; both may be padded. */
static enum status read_picture(struct redraw *self, int side, uint64_t index)
{
    struct reader *reader = side == 0 ? self->again : self->film;
    const struct reader_info *info = reader_info(reader);
    uint16_t *rgb = self->rgb[side];
    const enum status status = reader_read(reader, info->first + index, rgb);
    for (uint32_t y = 1; y < self->height && info->width > self->width; y++)
        memmove(rgb + (size_t)y * self->width * 3, rgb + (size_t)y * info->width * 3,
                (size_t)self->width * 3 * sizeof *rgb);
    if (status == STATUS_OK)
        planes_fill(&self->planes[side], rgb);
    return status;
}

/* Computes the mean square error of each tile of a side relative to the drawn picture. */
static void tile_errors(const struct redraw *self, int side, const uint16_t *drawn)
{
    double *tiles = self->tiles[side];
    for (uint32_t t = 0; t < self->columns * self->rows; t++)
        tiles[t] = 0;
    for (uint32_t y = 0; y < self->height; y++)
        for (uint32_t x = 0; x < self->width; x++)
            for (size_t c = 0; c < 3; c++) {
                const size_t at = ((size_t)y * self->width + x) * 3 + c;
                const double d = (double)self->rgb[side][at] - (double)drawn[at];
                tiles[y / TILE * self->columns + x / TILE] += d * d;
            }
    for (uint32_t t = 0; t < self->columns * self->rows; t++) {
        const uint32_t x = t % self->columns * TILE, y = t / self->columns * TILE;
        const uint32_t width = self->width - x < TILE ? self->width - x : TILE,
                       height = self->height - y < TILE ? self->height - y : TILE;
        tiles[t] /= 3.0 * width * height;
    }
}

/* Finds how much more the film lost of a frame than the encoder loses now, in the worst tile, and
 * whether the encoder loses anything. */
static void compare_loss(struct redraw *self, const struct compared *compared)
{
    for (int side = 0; side < 2; side++)
        tile_errors(self, side, compared->drawn);
    for (uint32_t t = 0; t < self->columns * self->rows; t++) {
        const double lost = 10 * log10((self->tiles[1][t] + CODE) / (self->tiles[0][t] + CODE));
        self->lossless = self->lossless && self->tiles[0][t] == 0;
        if (self->lost_frame >= 0 && lost <= self->lost)
            continue;
        self->lost = lost;
        self->lost_frame = (int64_t)compared->index;
        self->lost_tile = t;
    }
}

static void compare_bits(struct redraw *self, const struct compared *compared)
{
    uint64_t unlike = 0;
    for (size_t at = 0; at < (size_t)self->width * self->height * 3; at += 3)
        unlike += memcmp(self->rgb[0] + at, self->rgb[1] + at, 3 * sizeof *self->rgb[0]) != 0;
    if (unlike <= self->unlike)
        return;
    self->unlike = unlike;
    self->unlike_frame = (int64_t)compared->index;
}

/* Compares the film's frames that were drawn with those encoded again: the order of all and their
 * lit pixels, and bits and loss of the frames to compare. */
static enum status compare_all(struct redraw *self)
{
    const struct compared *next = self->compared;
    struct measure *measure = memory_new(1, sizeof *measure);
    enum status status = STATUS_OK;
    self->lit.apart = !same_encoder(self);
    for (uint64_t k = 0; k < self->ordered && status == STATUS_OK; k++) {
        status = stop_asked(self->params->stop) ? STATUS_STOPPED : read_picture(self, 0, k);
        if (status == STATUS_OK)
            status = read_picture(self, 1, self->number[k]);
        if (status != STATUS_OK)
            break;
        if (k == next->place) {
            compare_bits(self, next);
            if (next->drawn)
                compare_loss(self, next);
            next++;
        }
        for (int side = 0; side < 2; side++) {
            struct sketch sketch;
            sketch_planes(&sketch, &self->planes[side]);
            align_add(self->aligner, side, &sketch);
        }
        if (!self->subject->film.is_film)
            continue;
        measure_pictures(self->measurer, &self->planes[0], &self->planes[1], NULL, measure);
        lit_judge_add(&self->lit, measure);
    }
    self->lost = fmax(self->lost, 0);
    free(measure);
    return status;
}

/* ---- judging ---- */

/* Compares the packets, which also hold bits that no picture shows, such as an SEI. Another build
 * of the encoder may write other bits; then nothing is reported. */
static enum status judge_packets(const struct redraw *self, struct redrawn *out)
{
    struct stage_report *stage = &self->one->stages[JUDGED_PACKETS];
    struct stream film = {0}, again = {0};
    if (!self->whole || !self->subject->film.is_film)
        return STATUS_OK;
    enum status status = stream_read(self->subject->path, &film);
    if (status == STATUS_OK)
        status = stream_read(self->path, &again);
    out->packets = status == STATUS_OK && film.count == again.count &&
                   strcmp(film.encoder, again.encoder) == 0;
    if (out->packets) {
        uint64_t wrong = 0;
        int64_t first = -1;
        for (size_t i = film.count; i-- > 0;)
            if (strcmp(film.packets[i].hash, again.packets[i].hash) != 0) {
                wrong++;
                first = (int64_t)i;
            }
        struct finding *finding =
            stage_measured(stage, self->subject->limits, &rules[RULE_PACKETS_BITS], (double)wrong);
        finding->frame = first;
        if (wrong)
            finding_say(finding,
                        "%" PRIu64 " of %zu packets differ when encoded again, the "
                        "first at frame %" PRId64,
                        wrong, film.count, first);
        else
            finding_say(finding, "every bit of them as encoded again");
        verify_conclude(stage, ", ");
    }
    stream_free(&film);
    stream_free(&again);
    return status;
}

/* Returns what has changed since the film was made, for the sentence. */
static const char *elsewhere(const struct redraw *self)
{
    if (!same_tag(self, "gravreel_renderer"))
        return "; it was drawn by another renderer";
    if (!same_tag(self, "gravreel_device"))
        return "; it was simulated on another device";
    return same_tag(self, "gravreel_version") ? "" : "; it was made with another version";
}

/* Judges the order of all frames that were drawn, of which some may lie between gaps. */
static void judge_order(struct redraw *self)
{
    size_t count;
    struct align_step *steps = align_end(self->aligner, &count);
    for (size_t i = 0; i < count; i++) {
        steps[i].a =
            steps[i].a < self->ordered ? self->number[steps[i].a] : self->subject->film.count;
        steps[i].b =
            steps[i].b < self->ordered ? self->number[steps[i].b] : self->subject->film.count;
        /* an encoder may repeat a frame of slow motion now, and not then */
        if (steps[i].kind == ALIGN_REPEATED && steps[i].of_a)
            steps[i].kind = ALIGN_PAIR;
    }
    order_judge(&(struct order_params){.name = {"the scene", "the film"},
                                       .rule = &rules[RULE_FILM_REDRAWN_ORDER],
                                       .limits = self->subject->limits},
                steps, count, self->one);
    free(steps);
}

static void judge_pictures(struct redraw *self)
{
    struct stage_report *stage = &self->one->stages[JUDGED_PICTURE];
    const struct limits *limits = self->subject->limits;
    struct finding *finding;
    if (self->lossless || self->whole) {
        finding =
            stage_measured(stage, limits, &rules[RULE_FILM_REDRAWN_BITS], (double)self->unlike);
        finding->frame = self->unlike_frame;
        finding_say(finding, "%" PRIu64 " pixels differ from frame %" PRId64 " drawn again%s",
                    self->unlike, self->unlike_frame, elsewhere(self));
        judge_order(self);
        return;
    }
    lit_judge_end(&self->lit, LIT_OF_FILM, limits, stage);
    finding = stage_measured(stage, limits, &rules[RULE_FILM_REDRAWN], self->lost);
    finding->frame = self->lost_frame;
    finding->tile_x = (int32_t)(self->lost_tile % self->columns);
    finding->tile_y = (int32_t)(self->lost_tile / self->columns);
    finding_say(finding,
                "frame %" PRId64 " has lost %.1f dB more than its picture drawn and encoded "
                "again, in tile %d,%d%s",
                self->lost_frame, self->lost, finding->tile_x, finding->tile_y, elsewhere(self));
    judge_order(self);
}

/* Returns what limits cannot tell of this film; NULL: nothing. The caller frees it. */
static char *say_missing(const struct redraw *self)
{
    char *missing = lit_judge_missing(&self->lit, LIT_OF_FILM, self->subject->limits);
    const char *order = order_missing(self->aligner);
    if (order)
        text_append(&missing, ", ", "%s", order);
    return missing;
}

static enum status not_judged(struct case_report *one, const char *why)
{
    struct stage_report *stages = one->stages;
    if (!stages[JUDGED_START].sentence)
        stage_not_judged(&stages[JUDGED_START], "%s", why);
    if (!stages[JUDGED_PHYSICS].sentence)
        stage_not_judged(&stages[JUDGED_PHYSICS], "%s", why);
    struct finding *finding = stage_add_finding(&stages[JUDGED_PICTURE], &rules[RULE_FILM_REDRAWN]);
    finding->value = NAN;
    finding_say(finding, "no frame could be drawn again: %s", why);
    return STATUS_OK;
}

enum status verify_redraw(const struct subject *subject, const struct verify_params *params,
                          struct case_report *one, struct redrawn *out)
{
    struct redraw self = {.subject = subject, .params = params, .one = one};
    if (subject->film.is_alone)
        return not_judged(one, "a picture alone does not say which frame it is");
    if (!subject->scene)
        return not_judged(one, subject->refusal ? "its scene is refused" : "it has no scene");
    if (trust_scene(subject) != STATUS_OK) {
        char *why = memory_text(status_text());
        const enum status status = not_judged(one, why);
        free(why);
        return status;
    }
    choose_frames(&self);
    enum status status = open_all(&self);
    if (status == STATUS_OK)
        judge_start(&self);
    if (status == STATUS_OK)
        status = redraw_all(&self);
    if (status == STATUS_OK)
        status = compare_all(&self);
    if (status == STATUS_OK)
        status = judge_packets(&self, out);
    if (status == STATUS_OK) {
        judge_pictures(&self);
        out->frames = self.count;
        out->ordered = self.ordered;
        out->bits = self.lossless || self.whole;
        if (!out->bits)
            out->missing = say_missing(&self);
    }
    struct failure failure = {0};
    failure_keep(&failure, status);
    close_all(&self);
    return status == STATUS_OK || status == STATUS_STOPPED ? status
                                                           : not_judged(one, failure.sentence);
}
