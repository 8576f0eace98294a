#include "cmd/regression/verify/redraw.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/status.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/film/tags.h"
#include "cmd/film/job/target.h"
#include "cmd/film/stills/snapshot.h"
#include "cmd/regression/judge/lit.h"
#include "cmd/regression/judge/order.h"
#include "cmd/regression/verify/stages.h"
#include "cmd/regression/verify/trust.h"
#include "render/compare/align.h"
#include "render/compare/measure.h"
#include "render/reader/pixels.h"
#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "render/sinks.h"
#include "render/video/container.h"
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

struct redraw {
    const struct subject *subject;
    const struct verify_params *params;
    struct case_report *one;
    struct target target;
    struct snapshot snapshot;
    struct sink *sink; /* encodes the redrawn pictures; NULL for PNG */
    struct tags tags;  /* the tags that the film would have now */
    struct temporary temporary;
    char *path;
    struct reader *film, *again; /* the film, and the film encoded again */
    uint32_t width, height;      /* of the scene's pictures */
    size_t samples;              /* of one picture */
    uint16_t *read;              /* a picture of the film, which may be padded */
    uint64_t encoded;            /* number of pictures */
    bool whole;                  /* all frames, by the same programs: bits must be the same */

    uint64_t count;   /* number of frames to compare */
    uint64_t *index;  /* [count] index in the film */
    uint64_t *place;  /* [count] index in the film encoded again */
    uint16_t **drawn; /* [count][width * height * 3] */
    double **tiles;   /* [count][columns * rows] mean square error of the film's frame relative to
                       * its own picture, tile by tile */
    uint32_t columns, rows; /* number of tiles */
    uint64_t *unlike;       /* [count] pixels that differ from its own picture */

    uint64_t span;           /* frames to draw up to each of these, itself included */
    uint64_t ordered;        /* number of all that are drawn */
    uint64_t *number;        /* [ordered] of these, within the scene's film */
    struct planes planes[2]; /* a picture as it should be, and the film's */
    struct measurer *measurer;
    struct aligner *aligner;
    struct lit_judge lit; /* the film's frames against those encoded again */
};

/* ---- measures, over the scene's own pixels ---- */

/* Fills the planes of a side from rgb, whose rows may be padded, and which is lost. */
static void fill_planes(struct redraw *self, int side, uint16_t *rgb, uint32_t rgb_width)
{
    for (uint32_t y = 1; y < self->height && rgb_width > self->width; y++)
        memmove(rgb + (size_t)y * self->width * 3, rgb + (size_t)y * rgb_width * 3,
                (size_t)self->width * 3 * sizeof *rgb);
    planes_fill(&self->planes[side], rgb);
}

/* Computes the mean square error of each tile. */
static void tile_errors(const struct redraw *self, const uint16_t *read, uint32_t read_width,
                        const uint16_t *drawn, double *tiles)
{
    for (uint32_t t = 0; t < self->columns * self->rows; t++)
        tiles[t] = 0;
    for (uint32_t y = 0; y < self->height; y++)
        for (uint32_t x = 0; x < self->width; x++)
            for (int c = 0; c < 3; c++) {
                const double d = (double)read[((size_t)y * read_width + x) * 3 + (size_t)c] -
                                 (double)drawn[((size_t)y * self->width + x) * 3 + (size_t)c];
                tiles[y / TILE * self->columns + x / TILE] += d * d;
            }
    for (uint32_t t = 0; t < self->columns * self->rows; t++) {
        const uint32_t x = t % self->columns * TILE, y = t / self->columns * TILE;
        const uint32_t width = self->width - x < TILE ? self->width - x : TILE,
                       height = self->height - y < TILE ? self->height - y : TILE;
        tiles[t] /= 3.0 * width * height;
    }
}

static uint64_t unlike_pixels(struct redraw *self, const uint16_t *read, uint32_t read_width,
                              const uint16_t *drawn)
{
    uint64_t count = 0;
    for (uint32_t y = 0; y < self->height; y++)
        for (uint32_t x = 0; x < self->width; x++)
            count += memcmp(read + ((size_t)y * read_width + x) * 3,
                            drawn + ((size_t)y * self->width + x) * 3, 3 * sizeof *read) != 0;
    return count;
}

/* ---- opening ---- */

static void choose_frames(struct redraw *self)
{
    const uint64_t all = self->subject->film.count,
                   wanted = self->params->redraw < all ? self->params->redraw : all;
    self->index = memory_new(wanted, sizeof *self->index);
    self->place = memory_new(wanted, sizeof *self->place);
    self->drawn = memory_new(wanted, sizeof *self->drawn);
    self->tiles = memory_new(wanted, sizeof *self->tiles);
    self->unlike = memory_new(wanted, sizeof *self->unlike);
    for (uint64_t i = 0; i < wanted; i++)
        self->index[i] = (uint64_t)((unsigned __int128)(i + 1) * all / wanted) - 1;
    self->count = wanted;
}

/* Returns the index of the first frame to draw up to the i-th to compare. */
static uint64_t first_index(const struct redraw *self, uint64_t i)
{
    const uint64_t end = self->index[i] + 1, free = i > 0 ? self->index[i - 1] + 1 : 0;
    return end - free > self->span ? end - self->span : free;
}

static void choose_order(struct redraw *self)
{
    const uint64_t each = PIXELS / ((uint64_t)self->width * self->height) / self->count;
    self->span = each > 1 ? each : 1;
    for (uint64_t i = 0; i < self->count; i++)
        self->ordered += self->index[i] + 1 - first_index(self, i);
    self->number = memory_new(self->ordered, sizeof *self->number);
    self->aligner = align_open(self->ordered, self->ordered);
    self->ordered = 0;
}

static enum status make_room(struct redraw *self)
{
    const struct reader_info *info = reader_info(self->film);
    self->width = self->subject->scene->output.size.width;
    self->height = self->subject->scene->output.size.height;
    self->samples = (size_t)self->width * self->height * 3;
    self->columns = (self->width + TILE - 1) / TILE;
    self->rows = (self->height + TILE - 1) / TILE;
    for (uint64_t i = 0; i < self->count; i++)
        self->tiles[i] = memory_new((size_t)self->columns * self->rows, sizeof *self->tiles[i]);
    if (info->width < self->width || info->height < self->height)
        return status_fail(STATUS_MISMATCH, "the film is smaller than the scene's pictures");
    self->read = malloc((size_t)info->width * info->height * 3 * sizeof *self->read);
    bool whole = self->read != NULL;
    for (uint64_t i = 0; whole && i < self->count; i++)
        whole = (self->drawn[i] = malloc(self->samples * sizeof *self->drawn[i])) != NULL;
    if (!whole)
        return status_fail(STATUS_RUNTIME,
                           "no memory left for %" PRIu64 " pictures of %zu MiB each",
                           self->count + 1, self->samples * sizeof *self->read >> 20);
    choose_order(self);
    enum status status = measurer_open(&self->measurer, self->width, self->height, &measure_usual);
    for (int side = 0; side < 2 && status == STATUS_OK; side++)
        status = planes_open(&self->planes[side], self->width, self->height);
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
        status = snapshot_open(&self->snapshot, self->subject->scene, self->params->backend,
                               self->params->device, self->target.plan.format,
                               &(struct film_picture){0});
    if (status == STATUS_OK)
        status = film_tags_make(&self->tags, &self->snapshot.film, NULL);
    if (status == STATUS_OK && self->subject->film.is_film)
        status = sink_open(&self->target.params, &self->sink);
    return status;
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
    for (uint64_t i = 0; i < self->count; i++) {
        free(self->drawn[i]);
        free(self->tiles[i]);
    }
    planes_close(&self->planes[0]);
    planes_close(&self->planes[1]);
    measurer_close(&self->measurer);
    align_close(&self->aligner);
    temporary_close(&self->temporary);
    free(self->path);
    free(self->read);
    free(self->index);
    free(self->place);
    free(self->drawn);
    free(self->number);
    free(self->tiles);
    free(self->unlike);
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

/* ---- pictures ---- */

/* Writes a picture to a file and reads it back, with what the file rounds or loses. */
static enum status through_file(struct redraw *self, const struct picture *picture, uint16_t *rgb)
{
    struct sink_params params = self->target.params;
    struct sink *sink;
    struct reader *reader = NULL;
    params.first_frame = self->encoded;
    enum status status = sink_open(&params, &sink);
    if (status != STATUS_OK)
        return status;
    status = sink->ops->write(sink, picture);
    const enum status closed = sink->ops->close(&sink, status == STATUS_OK, NULL, NULL);
    status = status == STATUS_OK ? closed : status;
    if (status == STATUS_OK)
        status = reader_open(&reader, self->path);
    if (status == STATUS_OK)
        status = reader_read(reader, self->encoded, rgb);
    reader_close(&reader);
    return status;
}

/* Adds the frame that both planes show to those whose order is judged. */
static void add_sketches(struct redraw *self)
{
    for (int side = 0; side < 2; side++) {
        struct sketch sketch;
        sketch_planes(&sketch, &self->planes[side]);
        align_add(self->aligner, side, &sketch);
    }
}

/* Draws a frame of the film, and compares it if it is the i-th to compare. `rgb` receives the
 * picture. */
static enum status take(struct redraw *self, uint64_t index, bool compared, uint64_t i,
                        uint16_t *rgb)
{
    const struct subject *subject = self->subject;
    const struct reader_info *info = reader_info(self->film);
    const uint64_t frame = subject_frame(subject, index);
    const struct picture *picture;
    if (frame >= subject->scene->output.frames)
        return status_fail(STATUS_MISMATCH, "the scene has no frame %" PRIu64, frame);
    enum status status = reader_read(self->film, info->first + index, self->read);
    if (status == STATUS_OK)
        status = snapshot_take(&self->snapshot, frame, &picture);
    if (status == STATUS_OK)
        status =
            subject->film.is_film ? drawn_to_rgb(picture, rgb) : through_file(self, picture, rgb);
    if (status == STATUS_OK && self->sink)
        status = self->sink->ops->write(self->sink, picture);
    if (status != STATUS_OK)
        return status;
    if (compared) {
        self->place[i] = self->encoded;
        self->unlike[i] = unlike_pixels(self, self->read, info->width, rgb);
        tile_errors(self, self->read, info->width, rgb, self->tiles[i]);
    }
    if (!self->sink) {
        planes_fill(&self->planes[0], rgb);
        fill_planes(self, 1, self->read, info->width);
        add_sketches(self);
    }
    self->number[self->ordered++] = index;
    self->encoded++;
    return STATUS_OK;
}

/* The worst values over all redrawn frames. */
struct outcome {
    double lost;
    uint64_t unlike;
    int64_t lost_frame, unlike_frame;
    uint32_t lost_tile;
    bool lossless;
};

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

static enum status redraw_all(struct redraw *self)
{
    uint16_t *beside = malloc(self->samples * sizeof *beside);
    if (!beside)
        return status_fail(STATUS_RUNTIME, "no memory left for a picture of %zu MiB",
                           self->samples * sizeof *beside >> 20);
    enum status status = STATUS_OK;
    self->whole = makes_whole_film(self);
    for (uint64_t i = 0; i < self->count; i++)
        for (uint64_t k = first_index(self, i); k <= self->index[i] && status == STATUS_OK; k++) {
            const bool compared = k == self->index[i];
            status = stop_asked(self->params->stop)
                         ? STATUS_STOPPED
                         : take(self, k, compared, i, compared ? self->drawn[i] : beside);
        }
    free(beside);
    if (status == STATUS_OK)
        judge_end(self);
    if (status == STATUS_OK && self->sink)
        status = self->sink->ops->close(&self->sink, true, NULL, NULL);
    if (status == STATUS_OK && self->subject->film.is_film)
        status = reader_open(&self->again, self->path);
    return status;
}

/* Finds how much more the film lost of the i-th frame than the encoder loses now, in dB, in the
 * worst tile. *kept: the encoder is lossless. */
static enum status lost_by(struct redraw *self, uint64_t i, double *tiles, struct outcome *out)
{
    const uint32_t count = self->columns * self->rows;
    for (uint32_t t = 0; t < count; t++)
        tiles[t] = 0;
    enum status status =
        self->again ? reader_read(self->again, self->place[i], self->read) : STATUS_OK;
    if (status == STATUS_OK && self->again)
        tile_errors(self, self->read, reader_info(self->again)->width, self->drawn[i], tiles);
    for (uint32_t t = 0; status == STATUS_OK && t < count; t++) {
        const double lost = 10 * log10((self->tiles[i][t] + CODE) / (tiles[t] + CODE));
        out->lossless = out->lossless && tiles[t] == 0;
        if (out->lost_frame >= 0 && lost <= out->lost)
            continue;
        out->lost = lost;
        out->lost_frame = (int64_t)self->index[i];
        out->lost_tile = t;
    }
    return status;
}

/* Compares all frames that were drawn with those encoded again: their order and their lit pixels.
 */
static enum status follow(struct redraw *self)
{
    const struct reader_info *info = reader_info(self->film);
    struct measure *measure = memory_new(1, sizeof *measure);
    enum status status = STATUS_OK;
    self->lit.apart = !same_encoder(self);
    for (uint64_t k = 0; self->again && k < self->ordered && status == STATUS_OK; k++) {
        status = stop_asked(self->params->stop) ? STATUS_STOPPED
                                                : reader_read(self->again, k, self->read);
        if (status == STATUS_OK) {
            fill_planes(self, 0, self->read, reader_info(self->again)->width);
            status = reader_read(self->film, info->first + self->number[k], self->read);
        }
        if (status != STATUS_OK)
            break;
        fill_planes(self, 1, self->read, info->width);
        add_sketches(self);
        measure_pictures(self->measurer, &self->planes[0], &self->planes[1], NULL, measure);
        lit_judge_add(&self->lit, measure);
    }
    free(measure);
    return status;
}

/* Counts the pixels of the film's frame that differ from encoding again, where the encoder must
 * give the same. */
static enum status compare_encoded(struct redraw *self, uint64_t i)
{
    const struct reader_info *info = reader_info(self->film);
    if (!self->whole || !self->again)
        return STATUS_OK;
    enum status status = reader_read(self->again, self->place[i], self->read);
    for (uint32_t y = 0; status == STATUS_OK && y < self->height; y++)
        memcpy(self->drawn[i] + (size_t)y * self->width * 3,
               self->read + (size_t)y * info->width * 3,
               (size_t)self->width * 3 * sizeof *self->read);
    if (status == STATUS_OK)
        status = reader_read(self->film, info->first + self->index[i], self->read);
    if (status == STATUS_OK)
        self->unlike[i] = unlike_pixels(self, self->read, info->width, self->drawn[i]);
    return status;
}

static enum status sum_up(struct redraw *self, struct outcome *out)
{
    *out = (struct outcome){.lossless = true, .lost_frame = -1, .unlike_frame = -1};
    double *tiles = memory_new((size_t)self->columns * self->rows, sizeof *tiles);
    enum status status = follow(self);
    for (uint64_t i = 0; i < self->count && status == STATUS_OK; i++) {
        status = lost_by(self, i, tiles, out);
        if (status == STATUS_OK)
            status = compare_encoded(self, i);
        if (self->unlike[i] <= out->unlike)
            continue;
        out->unlike = self->unlike[i];
        out->unlike_frame = (int64_t)self->index[i];
    }
    out->lost = fmax(out->lost, 0);
    free(tiles);
    return status;
}

/* Compares the packets, which also hold bits that no picture shows, such as an SEI. Another build
 * of the encoder may write other bits; then nothing is reported. */
static enum status judge_packets(const struct redraw *self, struct redrawn *out)
{
    struct stage_report *stage = &self->one->stages[JUDGED_PACKETS];
    struct stream film = {0}, again = {0};
    if (!self->whole || !self->again)
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
                        "%" PRIu64 " of %zu packets are not those that encoding again gives, the "
                        "first at frame %" PRId64,
                        wrong, film.count, first);
        else
            finding_say(finding, "every bit of them as encoded again");
        verify_packets_conclude(stage, finding);
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

static void judge_pictures(struct redraw *self, const struct outcome *out)
{
    struct stage_report *stage = &self->one->stages[JUDGED_PICTURE];
    const struct limits *limits = self->subject->limits;
    struct finding *finding;
    if (out->lossless || self->whole) {
        finding =
            stage_measured(stage, limits, &rules[RULE_FILM_REDRAWN_BITS], (double)out->unlike);
        finding->frame = out->unlike_frame;
        finding_say(finding, "%" PRIu64 " pixels differ from frame %" PRId64 " drawn again%s",
                    out->unlike, out->unlike_frame, elsewhere(self));
        judge_order(self);
        return;
    }
    lit_judge_end(&self->lit, LIT_OF_FILM, limits, stage);
    finding = stage_measured(stage, limits, &rules[RULE_FILM_REDRAWN], out->lost);
    finding->frame = out->lost_frame;
    finding->tile_x = (int32_t)(out->lost_tile % self->columns);
    finding->tile_y = (int32_t)(out->lost_tile / self->columns);
    finding_say(finding,
                "frame %" PRId64 " is %.1f dB farther from its picture drawn again than that "
                "encoded again is, in tile %d,%d%s",
                out->lost_frame, out->lost, finding->tile_x, finding->tile_y, elsewhere(self));
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
    struct outcome outcome;
    if (subject->film.is_alone)
        return not_judged(one, "one picture alone does not say which frame it is");
    if (!subject->scene)
        return not_judged(one, subject->refusal ? "its scene is refused" : "it holds no scene");
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
        status = sum_up(&self, &outcome);
    if (status == STATUS_OK)
        status = judge_packets(&self, out);
    if (status == STATUS_OK) {
        judge_pictures(&self, &outcome);
        out->frames = self.count;
        out->ordered = self.ordered;
        if (!outcome.lossless && !self.whole)
            out->missing = say_missing(&self);
        out->bits = outcome.lossless || self.whole;
    }
    struct failure failure = {0};
    failure_keep(&failure, status);
    close_all(&self);
    return status == STATUS_OK || status == STATUS_STOPPED ? status
                                                           : not_judged(one, failure.sentence);
}
