#include "cmd/regression/compare/films.h"

#include "base/file.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/queue.h"
#include "render/picture/png_pdf.h"
#include "base/status.h"
#include "render/reader/frame.h"
#include "render/reader/reader.h"

#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- a film ---- */

enum status side_open(struct side *side, const char *path, int threads)
{
    *side = (struct side){.path = path};
    enum status status = reader_open_threads(&side->reader, path, threads);
    if (status != STATUS_OK)
        return status;
    side->info = reader_info(side->reader);
    side->first = side->info->first;
    side->frames = side->info->frames;
    if (!side->info->is_video)
        return STATUS_OK;
    status = stream_read(path, &side->stream);
    return status == STATUS_OK ? played_read(path, &side->played) : status;
}

void side_close(struct side *side)
{
    reader_close(&side->reader);
    stream_free(&side->stream);
    played_free(&side->played);
    *side = (struct side){0};
}

enum status side_choose(struct side *side, const struct text_range *frames)
{
    const struct reader_info *info = side->info;
    const uint64_t end = info->first + info->frames - 1;
    const uint64_t first = frames->has_first ? frames->first : info->first;
    const uint64_t last = frames->has_last                         ? frames->last
                          : frames->has_count && frames->count > 0 ? first + frames->count - 1
                                                                   : end;
    if (frames->has_count && frames->count == 0)
        return status_fail(STATUS_USAGE, "--frames 0 leaves no frame of '%s' to compare",
                           side->path);
    if (first < info->first || last < first || last > end)
        return status_fail(STATUS_USAGE,
                           "--frames goes beyond '%s', which has frames %" PRIu64 " to %" PRIu64,
                           side->path, info->first, end);
    side->first = first;
    side->frames = last - first + 1;
    return STATUS_OK;
}

bool side_same(const struct side *a, const struct side *b)
{
    char in_a[PATH_MAX], in_b[PATH_MAX];
    if (strcmp(a->path, b->path) == 0 || file_same(a->path, b->path))
        return true;
    return !a->info->is_video && !b->info->is_video &&
           png_name(a->path, a->info->first, in_a, sizeof in_a) == STATUS_OK &&
           png_name(b->path, b->info->first, in_b, sizeof in_b) == STATUS_OK &&
           file_same(in_a, in_b);
}

/* ---- pairs of frames ---- */

enum { WAITING = 4, WORKERS_MAX = 64 };

struct run {
    const struct pairs_params *params;
    struct queue *queue[2]; /* decoded frames of each side */
    bool luma_bytes;        /* luma of both sides can be compared as bytes */

    pthread_mutex_t taking; /* guards `next` */
    uint64_t next;

    pthread_mutex_t telling;
    pthread_cond_t told;
    uint64_t due; /* the pair to deliver next */
    bool ended;   /* no more pairs will be delivered */

    pthread_mutex_t failing;
    struct failure failure;
};

struct decoder {
    struct run *run;
    int side;
    pthread_t thread;
};

/* The data of one worker. */
struct worker {
    struct run *run;
    pthread_t thread;
    struct planes planes[2];
    struct measurer *measurer;
    uint8_t *needed;
    uint8_t *luma[2]; /* for films that cannot be compared as bytes; NULL: not needed yet */
    bool same;        /* the frames of the present pair are the same */
    struct pair_result result;
};

static void fail(struct run *run, enum status status)
{
    pthread_mutex_lock(&run->failing);
    failure_keep(&run->failure, status);
    pthread_mutex_unlock(&run->failing);
    pthread_mutex_lock(&run->telling);
    run->ended = true;
    pthread_cond_broadcast(&run->told);
    pthread_mutex_unlock(&run->telling);
}

static bool has_ended(struct run *run)
{
    pthread_mutex_lock(&run->telling);
    const bool ended = run->ended;
    pthread_mutex_unlock(&run->telling);
    return ended;
}

static int64_t number_of(const struct frame_pair *pair, int side)
{
    return side == 0 ? pair->a : pair->b;
}

static bool is_same(const struct pairs_params *params, uint64_t index)
{
    return params->same && params->same[index];
}

/* Decodes one side. A push waits while the queue is full, so the queue must be drained, even after
 * a failure, until this function has finished it. */
static void *decode_all(void *user)
{
    struct decoder *decoder = user;
    struct run *run = decoder->run;
    const struct pairs_params *params = run->params;
    struct reader *reader = (decoder->side == 0 ? params->a : params->b)->reader;
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < params->count && status == STATUS_OK && !has_ended(run); i++) {
        const int64_t number = number_of(&params->pairs[i], decoder->side);
        struct reader_frame *frame;
        if (number < 0 || (decoder->side == 1 && is_same(params, i)))
            continue;
        status = stop_asked(params->stop) ? STATUS_STOPPED
                                          : reader_take(reader, (uint64_t)number, &frame);
        if (status == STATUS_OK)
            status = queue_push(run->queue[decoder->side], frame);
    }
    if (status != STATUS_OK)
        fail(run, status);
    queue_finish(run->queue[decoder->side]);
    return NULL;
}

/* Takes the next pair with its frames; false at the end. */
static bool take_pair(struct worker *worker, uint64_t *index)
{
    struct run *run = worker->run;
    struct pair_result *result = &worker->result;
    pthread_mutex_lock(&run->taking);
    *index = run->next++;
    bool taken = *index < run->params->count;
    result->frame[0] = result->frame[1] = NULL;
    if (taken)
        result->pair = run->params->pairs[*index];
    worker->same = taken && is_same(run->params, *index);
    for (int side = 0; side < 2 && taken; side++)
        if (side == 1 && worker->same) {
            result->frame[1] = frame_share(result->frame[0]);
        } else if (number_of(&result->pair, side) >= 0) {
            void *frame;
            taken = queue_pop(run->queue[side], &frame) == STATUS_OK;
            result->frame[side] = taken ? frame : NULL;
        }
    pthread_mutex_unlock(&run->taking);
    return taken;
}

static enum status convert(struct worker *worker, int side, const uint8_t *needed, uint32_t row,
                           uint32_t rows)
{
    return frame_to_planes(worker->result.frame[side], &worker->planes[side], needed, row, rows);
}

/* Measures each row of tiles while it is still in the cache. */
static enum status measure_rows(struct worker *worker, const uint8_t *needed)
{
    struct planes *a = &worker->planes[0], *b = &worker->planes[1];
    struct measure *measure = &worker->result.measure;
    enum status status = STATUS_OK;
    for (uint32_t row = 0; row < a->rows && status == STATUS_OK; row++) {
        status = convert(worker, 0, needed, row, 1);
        if (status == STATUS_OK)
            status = convert(worker, 1, needed, row, 1);
        if (status == STATUS_OK)
            measure_row(worker->measurer, a, b, needed, row, measure);
    }
    if (status == STATUS_OK)
        measure_end(worker->measurer, a, b, needed, measure);
    const struct reader_frame *in_a = worker->result.frame[0], *in_b = worker->result.frame[1];
    if (status == STATUS_OK && frame_is_light(in_a) && frame_is_light(in_b))
        measure->light_pixels =
            frame_light_differs(in_a, in_b, worker->run->params->measure.light,
                                &measure->light_pixel.x, &measure->light_pixel.y);
    return status;
}

static enum status measure_pair(struct worker *worker)
{
    struct pair_result *result = &worker->result;
    const struct measure_params *params = &worker->run->params->measure;
    const struct reader_frame *a = result->frame[0], *b = result->frame[1];
    if (worker->same || frame_equal(a, b)) {
        measure_equal(worker->planes[0].width, worker->planes[0].height, &result->measure);
        return STATUS_OK;
    }
    const bool told = frame_find_needed(a, b, params->lit, params->free, worker->needed);
    return measure_rows(worker, told ? worker->needed : NULL);
}

/* Makes the sketch of one side from new planes, because measuring may have changed them. */
static enum status sketch_side(struct worker *worker, int side)
{
    struct pair_result *result = &worker->result;
    const struct planes *planes = &worker->planes[side];
    ptrdiff_t stride;
    const uint8_t *luma = worker->run->luma_bytes ? frame_luma(result->frame[side], &stride) : NULL;
    if (luma) {
        sketch_bytes(&result->sketch[side], luma, stride, planes->width, planes->height);
        return STATUS_OK;
    }
    enum status status = convert(worker, side, NULL, 0, planes->rows);
    if (status == STATUS_OK)
        sketch_planes(&result->sketch[side], planes);
    return status;
}

/* Gets luma as displayed, in codes of 255, from new planes, because measuring may have changed
 * them. */
static enum status fill_luma(struct worker *worker, int side)
{
    const struct planes *planes = &worker->planes[side];
    const size_t pixels = (size_t)planes->width * planes->height;
    enum status status = convert(worker, side, NULL, 0, planes->rows);
    if (!worker->luma[side])
        worker->luma[side] = memory_new(pixels, 1);
    for (uint32_t y = 0; y < planes->height && status == STATUS_OK; y++) {
        const uint16_t *red = planes->channel[0] + y * planes->stride,
                       *green = planes->channel[1] + y * planes->stride,
                       *blue = planes->channel[2] + y * planes->stride;
        uint8_t *luma = worker->luma[side] + (size_t)y * planes->width;
        for (uint32_t x = 0; x < planes->width; x++)
            luma[x] =
                (uint8_t)((0.2126f * red[x] + 0.7152f * green[x] + 0.0722f * blue[x]) / 257 + 0.5f);
    }
    return status;
}

/* Measures the coded samples if both films have them, as FFmpeg does; otherwise the displayed
 * ones. */
static enum status measure_quality(struct worker *worker)
{
    struct pair_result *result = &worker->result;
    const struct planes *planes = &worker->planes[0];
    ptrdiff_t stride[2];
    const uint8_t *a = frame_luma(result->frame[0], &stride[0]);
    const uint8_t *b = frame_luma(result->frame[1], &stride[1]);
    enum status status = STATUS_OK;
    if (!a || !b || !frame_alike(result->frame[0], result->frame[1])) {
        for (int side = 0; side < 2 && status == STATUS_OK; side++)
            status = fill_luma(worker, side);
        a = worker->luma[0];
        b = worker->luma[1];
        stride[0] = stride[1] = (ptrdiff_t)planes->width;
    }
    result->has_quality = status == STATUS_OK;
    if (result->has_quality)
        quality_measure(a, stride[0], b, stride[1], planes->width, planes->height,
                        &result->quality);
    return status;
}

static enum status work_on(struct worker *worker)
{
    struct pair_result *result = &worker->result;
    const bool sketches = worker->run->params->sketches;
    enum status status = STATUS_OK;
    result->measured = result->frame[0] && result->frame[1];
    if (result->measured)
        status = measure_pair(worker);
    result->has_quality = false;
    if (result->measured && status == STATUS_OK && worker->run->params->quality)
        status = measure_quality(worker);
    for (int side = 0; side < 2 && sketches && status == STATUS_OK; side++)
        if (side == 1 && worker->same)
            result->sketch[1] = result->sketch[0];
        else if (result->frame[side])
            status = sketch_side(worker, side);
    return status;
}

static enum status tell(struct worker *worker, uint64_t index)
{
    struct run *run = worker->run;
    enum status status = STATUS_STOPPED;
    pthread_mutex_lock(&run->telling);
    while (run->due != index && !run->ended)
        pthread_cond_wait(&run->told, &run->telling);
    if (!run->ended) {
        status = run->params->take(run->params->user, index, &worker->result);
        run->due++;
        pthread_cond_broadcast(&run->told);
    }
    pthread_mutex_unlock(&run->telling);
    return status;
}

static enum status open_worker(struct worker *worker)
{
    const struct pairs_params *params = worker->run->params;
    enum status status = STATUS_OK;
    for (int side = 0; side < 2 && status == STATUS_OK; side++) {
        const struct reader_info *info = (side == 0 ? params->a : params->b)->info;
        status = planes_open(&worker->planes[side], info->width, info->height);
    }
    const struct reader_info *info = params->a->info;
    if (status == STATUS_OK)
        status = measurer_open(&worker->measurer, info->width, info->height, &params->measure);
    if (status == STATUS_OK)
        worker->needed = memory_new((size_t)worker->planes[0].columns * worker->planes[0].rows, 1);
    return status;
}

static void close_worker(struct worker *worker)
{
    planes_close(&worker->planes[0]);
    planes_close(&worker->planes[1]);
    measurer_close(&worker->measurer);
    free(worker->needed);
    free(worker->luma[0]);
    free(worker->luma[1]);
}

static void *work(void *user)
{
    struct worker *worker = user;
    struct run *run = worker->run;
    uint64_t index;
    enum status status = open_worker(worker);
    while (status == STATUS_OK && take_pair(worker, &index)) {
        status = work_on(worker);
        if (status == STATUS_OK)
            status = tell(worker, index);
        frame_release(&worker->result.frame[0]);
        frame_release(&worker->result.frame[1]);
    }
    /* of a pair of which only one frame was taken */
    frame_release(&worker->result.frame[0]);
    frame_release(&worker->result.frame[1]);
    close_worker(worker);
    if (status != STATUS_OK)
        fail(run, status);
    return NULL;
}

static void drain(struct queue *queue)
{
    void *item;
    while (queue_pop(queue, &item) == STATUS_OK) {
        struct reader_frame *frame = item;
        frame_release(&frame);
    }
}

static void run_threads(struct run *run)
{
    struct decoder decoders[2] = {{.run = run, .side = 0}, {.run = run, .side = 1}};
    const unsigned processors = machine_processors();
    const unsigned wanted = processors < WORKERS_MAX ? processors : WORKERS_MAX;
    struct worker *workers = memory_new(wanted, sizeof *workers);
    int started[2] = {0};
    unsigned working = 0;
    for (int side = 0; side < 2; side++) {
        started[side] =
            pthread_create(&decoders[side].thread, NULL, decode_all, &decoders[side]) == 0;
        if (!started[side])
            queue_finish(run->queue[side]);
        if (!started[side])
            fail(run, status_fail(STATUS_RUNTIME, "no thread can be started to decode a film"));
    }
    for (; working < wanted; working++) {
        workers[working].run = run;
        if (pthread_create(&workers[working].thread, NULL, work, &workers[working]) != 0)
            break;
    }
    if (working == 0)
        fail(run, status_fail(STATUS_RUNTIME, "no thread can be started to compare pictures"));
    for (unsigned i = 0; i < working; i++)
        pthread_join(workers[i].thread, NULL);
    for (int side = 0; side < 2; side++)
        if (started[side]) {
            drain(run->queue[side]);
            pthread_join(decoders[side].thread, NULL);
        }
    free(workers);
}

enum status pairs_run(const struct pairs_params *params)
{
    struct run run = {.params = params,
                      .luma_bytes =
                          strcmp(params->a->info->pixel_format, params->b->info->pixel_format) == 0,
                      .taking = PTHREAD_MUTEX_INITIALIZER,
                      .telling = PTHREAD_MUTEX_INITIALIZER,
                      .told = PTHREAD_COND_INITIALIZER,
                      .failing = PTHREAD_MUTEX_INITIALIZER};
    for (int side = 0; side < 2; side++)
        run.queue[side] = queue_create(WAITING);
    run_threads(&run);
    for (int side = 0; side < 2; side++)
        queue_destroy(&run.queue[side]);
    return failure_report(&run.failure);
}
