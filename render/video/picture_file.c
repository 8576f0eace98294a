#include "render/video/picture_file.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/queue.h"
#include "base/text.h"
#include "render/picture/png_pdf.h"
#include "render/video/libav.h"

#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* PICTURE_FILES lists the formats that are built, see CMakeLists.txt: ROW(png) ROW(exr). */
#define ROW(name) extern const struct picture_file picture_##name;
PICTURE_FILES
#undef ROW
#define ROW(name) &picture_##name,
static const struct picture_file *const files[] = {PICTURE_FILES};
const struct registry picture_file_registry = REGISTRY_LIST("picture format", files);

const struct picture_file *picture_file_of_head(const void *head, size_t size)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (size >= files[i]->magic_size &&
            memcmp(head, files[i]->magic, files[i]->magic_size) == 0)
            return files[i];
    return NULL;
}

const struct picture_file *picture_file_of(const char *path)
{
    char head[PICTURE_FILE_MAGIC];
    size_t size;
    return file_read_head(path, head, sizeof head, &size) == STATUS_OK
               ? picture_file_of_head(head, size)
               : NULL;
}

const struct picture_file *picture_file_named(const char *path)
{
    return choice_find(&picture_file_registry, file_extension(path));
}

/* The decoder of TIFF takes tags that it does not know for damage. */
static int decode(const AVCodec *decoder, const AVPacket *packet, AVFrame *frame)
{
    AVCodecContext *codec = avcodec_alloc_context3(decoder);
    if (!codec)
        memory_exhausted();
    codec->thread_count = 1;
    codec->err_recognition = AV_EF_CRCCHECK | (decoder->id == AV_CODEC_ID_TIFF ? 0 : AV_EF_EXPLODE);
    libav_forget();
    int error = avcodec_open2(codec, decoder, NULL);
    if (error >= 0)
        error = avcodec_send_packet(codec, packet);
    if (error >= 0)
        error = avcodec_receive_frame(codec, frame);
    avcodec_free_context(&codec);
    return error;
}

/* The hash of a file, and the room for it; NULL: the file has no seal. */
static char *find_seal(char *data, size_t size, char hash[HASH_TEXT])
{
    const size_t length = strlen(PICTURE_FILE_SEAL), room = HASH_TEXT - 1, name = length - room;
    char *seal = memmem(data, size, PICTURE_FILE_SEAL, name);
    if (!seal || (size_t)(data + size - seal) < length)
        return NULL;
    seal += name;
    const struct hash_part parts[] = {{data, (size_t)(seal - data)},
                                      {PICTURE_FILE_SEAL + name, room},
                                      {seal + room, (size_t)(data + size - seal) - room}};
    hash_parts(parts, 3, hash);
    return seal;
}

void picture_file_seal(void *data, size_t size)
{
    char hash[HASH_TEXT];
    memcpy(find_seal(data, size, hash), hash, HASH_TEXT - 1);
}

void picture_file_tag(struct tags *tags, const char *text)
{
    const char *value = strchr(text, '=');
    char *name = text_format("%.*s", value ? (int)(value - text) : 0, text);
    if (*name)
        tags_add(tags, name, value + 1);
    free(name);
}

/* ICC.1:2010 (version 4.2): primaries of IEC 61966-2-1 adapted to D50, one curve for all channels.
 * Words in the order of bytes. */
void picture_file_icc(uint8_t out[PICTURE_FILE_ICC])
{
#define WORD(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (d))
#define D50              0x0000f6d6, 0x00010000, 0x0000d32d
#define TEXT_HEAD        WORD('m', 'l', 'u', 'c'), 0, 1, 12, WORD('e', 'n', 'U', 'S')
#define XYZ(...)         WORD('X', 'Y', 'Z', ' '), 0, __VA_ARGS__
#define TAG(c, d, e, f)  WORD(c, d, e, f)
    static const uint32_t words[PICTURE_FILE_ICC / 4] = {
        PICTURE_FILE_ICC, 0, 0x04200000, WORD('m', 'n', 't', 'r'), WORD('R', 'G', 'B', ' '),
        WORD('X', 'Y', 'Z', ' '), 0x07ea0001, 0x00010000, 0, WORD('a', 'c', 's', 'p'), 0, 0, 0, 0,
        0, 0, 0, D50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        /* the table: name, offset, size */
        10, TAG('d', 'e', 's', 'c'), 252, 36, TAG('c', 'p', 'r', 't'), 288, 36,
        TAG('w', 't', 'p', 't'), 324, 20, TAG('c', 'h', 'a', 'd'), 344, 44, TAG('r', 'X', 'Y', 'Z'),
        388, 20, TAG('g', 'X', 'Y', 'Z'), 408, 20, TAG('b', 'X', 'Y', 'Z'), 428, 20,
        TAG('r', 'T', 'R', 'C'), 448, 32, TAG('g', 'T', 'R', 'C'), 448, 32, TAG('b', 'T', 'R', 'C'),
        448, 32,
        /* "sRGB", "None" in UTF-16 */
        TEXT_HEAD, 8, 28, 0x00730052, 0x00470042, TEXT_HEAD, 8, 28, 0x004e006f, 0x006e0065,
        XYZ(D50), WORD('s', 'f', '3', '2'), 0, 0x00010c42, 0x000005de, 0xfffff325, 0x00000793,
        0x0000fd90, 0xfffffba1, 0xfffffda2, 0x000003dc, 0x0000c06e,
        XYZ(0x00006fa2, 0x000038f5, 0x00000390), XYZ(0x00006299, 0x0000b785, 0x000018da),
        XYZ(0x000024a0, 0x00000f84, 0x0000b6cf),
        /* ((x + 0.055) / 1.055)^2.4 from 0.04045 on, x / 12.92 below */
        WORD('p', 'a', 'r', 'a'), 0, 0x00030000, 0x00026666, 0x0000f2a7, 0x00000d59, 0x000013d0,
        0x00000a5b};
    for (size_t i = 0; i < PICTURE_FILE_ICC; i++)
        out[i] = (uint8_t)(words[i / 4] >> (24 - 8 * (i % 4)));
}

enum status picture_file_decode(const char *path, const char *decoder, const char *kind,
                                bool sealed, AVFrame **frame)
{
    static const size_t size_limit = INT_MAX - AV_INPUT_BUFFER_PADDING_SIZE;
    char *data;
    size_t size;
    libav_prepare();
    const AVCodec *found = avcodec_find_decoder_by_name(decoder);
    if (!found)
        return status_fail(STATUS_DEVICE,
                           "the installed libavcodec cannot decode %s; install a full libavcodec",
                           kind);
    enum status status = file_read(path, size_limit, &data, &size);
    if (status != STATUS_OK)
        return status;
    char hash[HASH_TEXT];
    const char *seal = sealed ? find_seal(data, size, hash) : NULL;
    if (seal && memcmp(seal, hash, HASH_TEXT - 1) != 0) {
        free(data);
        return status_fail(STATUS_IO,
                           "cannot read the %s picture '%s': it is damaged, truncated or changed "
                           "by another program",
                           kind, path);
    }
    AVPacket *packet = av_packet_alloc();
    *frame = av_frame_alloc();
    if (!packet || !*frame || av_new_packet(packet, (int)size) < 0)
        memory_exhausted();
    memcpy(packet->data, data, size);
    free(data);
    const int error = decode(found, packet, *frame);
    if (error < 0)
        status = status_fail(STATUS_IO, "'%s' is not a %s that can be read: %s", path, kind,
                             libav_reason(error));
    av_packet_free(&packet);
    if (status != STATUS_OK)
        av_frame_free(frame);
    return status;
}

enum status picture_file_frame(const char *path, int format, int width, int height, AVFrame **frame)
{
    *frame = av_frame_alloc();
    if (!*frame)
        memory_exhausted();
    (*frame)->format = format;
    (*frame)->width = width;
    (*frame)->height = height;
    if (av_frame_get_buffer(*frame, 0) >= 0)
        return STATUS_OK;
    av_frame_free(frame);
    return status_fail(STATUS_RUNTIME, "no memory left for the %dx%d pixels of '%s'", width, height,
                       path);
}

enum status picture_file_save(const char *path, const void *data, size_t size, uint64_t frames,
                              uint64_t *bytes)
{
    struct output output;
    *bytes = 0;
    enum status status = output_open(&output, path);
    if (status != STATUS_OK)
        return status;
    const bool written = output_write(&output, data, size);
    if (!output_close(&output, written, false))
        status = output_failed(&output, frames);
    *bytes = output.bytes;
    output_release(&output);
    return status;
}

/* ---- png ---- */

enum { KEY_MAX = 79 };

static enum status png_plan(const struct sink_params *params, struct sink_plan *plan)
{
    if (params->output.png_bits != 8 && params->output.png_bits != 16)
        return status_fail(STATUS_USAGE,
                           "a PNG with %u bits per channel is not possible; use 8 or 16",
                           params->output.png_bits);
    if (params->output.png_level > 9)
        return status_fail(STATUS_USAGE, "PNG compression level %u is out of range; use 0 to 9",
                           params->output.png_level);
    for (size_t i = 0; i < params->tags.count; i++) {
        size_t length = strlen(params->tags.list[i].name);
        if (length == 0 || length > KEY_MAX)
            return status_fail(STATUS_USAGE,
                               "the key '%s' of a PNG text must have 1 to %d characters",
                               params->tags.list[i].name, KEY_MAX);
    }
    plan->format = picture_format_rgba(params->output.png_bits, params->alpha);
    png_file_libraries(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "PNG %u bits level %u%s",
             params->output.png_bits, params->output.png_level,
             params->alpha == ALPHA_STRAIGHT        ? ", straight alpha"
             : params->alpha == ALPHA_PREMULTIPLIED ? ", premultiplied alpha"
                                                    : "");
    return STATUS_OK;
}

static enum status png_write(const char *path, const struct picture *picture,
                             const struct sink_params *params, uint64_t frames, uint64_t *bytes)
{
    const struct png_settings settings = {.level = (int)params->output.png_level,
                                          .tags = params->tags};
    return png_file_write(path, picture, &settings, frames, bytes);
}

static enum status png_read(const char *path, AVFrame **frame, uint32_t *bits)
{
    enum status status = picture_file_decode(path, "png", "PNG", false, frame);
    if (status == STATUS_OK)
        *bits = (uint32_t)av_pix_fmt_desc_get((*frame)->format)->comp[0].depth;
    return status;
}

const struct picture_file picture_png = {
    .name = "png",
    .doc = "8 or 16 bits per channel, display values",
    .kind = "PNG",
    .magic = "\x89PNG\r\n\x1a\n",
    .magic_size = 8,
    .plan = png_plan,
    .write = png_write,
    .read = png_read,
    .tags = png_file_read_tags,
};

/* ---- sequence ---- */

/* A sink with one file per picture, in a format of picture_file.h, written by several threads. It
 * remembers which files it has written, so that a run can be undone. */

struct job {
    struct picture picture; /* owns its pixels */
    uint64_t number;        /* number of the picture within this run */
};

struct sequence {
    struct sink base;
    const struct picture_file *file;
    struct sink_params params; /* owns its path and tags */

    struct queue *work, *idle; /* pictures circulate in a ring of `job_count` */
    struct job *jobs;
    uint32_t job_count;
    pthread_t *workers;
    uint32_t worker_count;

    pthread_mutex_t lock; /* protects everything below */
    struct failure failure;
    uint64_t done, bytes;
    uint8_t *written; /* one bit per picture, so that a run can be undone */
    size_t written_size;
};

static void take_result(struct sequence *sequence, enum status status, uint64_t number,
                        uint64_t bytes)
{
    pthread_mutex_lock(&sequence->lock);
    failure_keep(&sequence->failure, status);
    if (status == STATUS_OK) {
        sequence->written[number / 8] |= (uint8_t)(1u << number % 8);
        sequence->done++;
        sequence->bytes += bytes;
    }
    pthread_mutex_unlock(&sequence->lock);
}

/* Returns the first failure so far; otherwise, the progress. */
static enum status poll_progress(struct sequence *sequence, uint64_t *done, uint64_t *bytes)
{
    pthread_mutex_lock(&sequence->lock);
    enum status status = failure_report(&sequence->failure);
    *done = sequence->done;
    *bytes = sequence->bytes;
    pthread_mutex_unlock(&sequence->lock);
    return status;
}

static void *work(void *argument)
{
    struct sequence *sequence = argument;
    void *item;
    while (queue_pop(sequence->work, &item) == STATUS_OK) {
        struct job *job = item;
        uint64_t done, bytes;
        if (poll_progress(sequence, &done, &bytes) == STATUS_OK) {
            char name[PATH_MAX];
            enum status status =
                png_name(sequence->params.path, sequence->params.first_frame + job->number, name,
                         sizeof name);
            if (status == STATUS_OK)
                status =
                    sequence->file->write(name, &job->picture, &sequence->params, done, &bytes);
            take_result(sequence, status, job->number, bytes);
        }
        queue_push(sequence->idle, job);
    }
    return NULL;
}

static enum status make_folder(const struct sink_params *params)
{
    char name[PATH_MAX];
    enum status status = png_name(params->path, params->first_frame, name, sizeof name);
    if (status != STATUS_OK)
        return status;
    char *folder = file_folder(name);
    status = file_make_folder(folder);
    if (status == STATUS_OK && access(folder, W_OK | X_OK) != 0)
        status =
            status_fail(STATUS_IO, "cannot write into folder '%s': %s", folder, strerror(errno));
    free(folder);
    return status;
}

static enum status make_jobs(struct sequence *sequence, const struct sink_params *params)
{
    uint32_t count = params->output.threads + 1;
    sequence->jobs = memory_new(count, sizeof *sequence->jobs);
    sequence->workers = memory_new(params->output.threads, sizeof *sequence->workers);
    sequence->work = queue_create(count);
    sequence->idle = queue_create(count);
    for (; sequence->job_count < count; sequence->job_count++) {
        struct picture *picture = &sequence->jobs[sequence->job_count].picture;
        picture_layout(&picture->layout, sequence->base.format, params->width, params->height);
        picture->data = malloc(picture->layout.size);
        if (!picture->data)
            return status_fail(STATUS_RUNTIME,
                               "not enough memory for %u pictures of %zu bytes; use fewer "
                               "output.threads",
                               count, picture->layout.size);
        queue_push(sequence->idle, &sequence->jobs[sequence->job_count]);
    }
    return STATUS_OK;
}

static enum status start_workers(struct sequence *sequence, uint32_t threads)
{
    for (; sequence->worker_count < threads; sequence->worker_count++) {
        int error =
            pthread_create(&sequence->workers[sequence->worker_count], NULL, work, sequence);
        if (error)
            return status_fail(STATUS_RUNTIME, "cannot start thread %u of %u for %s files: %s; %s",
                               sequence->worker_count + 1, threads, sequence->file->kind,
                               strerror(error), limits_advice("use fewer output.threads"));
    }
    return STATUS_OK;
}

static void join(struct sequence *sequence)
{
    if (sequence->work)
        queue_finish(sequence->work);
    for (uint32_t i = 0; i < sequence->worker_count; i++)
        pthread_join(sequence->workers[i], NULL);
    sequence->worker_count = 0;
}

static void release(struct sequence *sequence)
{
    join(sequence);
    queue_destroy(&sequence->work);
    queue_destroy(&sequence->idle);
    for (uint32_t i = 0; i < sequence->job_count; i++)
        free(sequence->jobs[i].picture.data);
    tags_free(&sequence->params.tags);
    free(sequence->jobs);
    free(sequence->workers);
    free((char *)sequence->params.path);
    free(sequence->written);
    pthread_mutex_destroy(&sequence->lock);
    free(sequence);
}

static enum status sequence_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX], threads[32];
    *plan = (struct sink_plan){.pictures = choice_find(&picture_file_registry, params->format)};
    enum status status = plan->pictures->plan(params, plan);
    if (status != STATUS_OK)
        return status;
    snprintf(threads, sizeof threads, ", %u thread%s", params->output.threads,
             params->output.threads == 1 ? "" : "s");
    strncat(plan->description, threads, sizeof plan->description - strlen(plan->description) - 1);
    return png_name(params->path, params->first_frame, name, sizeof name);
}

static enum status sequence_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = sequence_plan(params, &plan);
    if (status == STATUS_OK)
        status = make_folder(params);
    if (status != STATUS_OK)
        return status;
    struct sequence *sequence = memory_new(1, sizeof *sequence);
    pthread_mutex_init(&sequence->lock, NULL);
    sink_start(&sequence->base, &sink_pictures, params, &plan);
    sequence->file = plan.pictures;
    sequence->params = *params;
    sequence->params.path = memory_text(params->path);
    sequence->params.tags = (struct tags){0};
    tags_copy(&sequence->params.tags, &params->tags);
    status = make_jobs(sequence, params);
    if (status == STATUS_OK)
        status = start_workers(sequence, params->output.threads);
    if (status != STATUS_OK) {
        release(sequence);
        return status;
    }
    *out = &sequence->base;
    return STATUS_OK;
}

static void make_room(struct sequence *sequence, uint64_t number)
{
    pthread_mutex_lock(&sequence->lock);
    if (number / 8 >= sequence->written_size) {
        size_t size = sequence->written_size ? 2 * sequence->written_size : 64;
        sequence->written = memory_grow(sequence->written, size, 1);
        memset(sequence->written + sequence->written_size, 0, size - sequence->written_size);
        sequence->written_size = size;
    }
    pthread_mutex_unlock(&sequence->lock);
}

static enum status sequence_write(struct sink *sink, const struct picture *picture)
{
    struct sequence *sequence = (struct sequence *)sink;
    enum status status = sink_check_picture(sink, picture);
    uint64_t done;
    if (status == STATUS_OK)
        status = poll_progress(sequence, &done, &sink->bytes);
    if (status != STATUS_OK)
        return status;
    void *item;
    make_room(sequence, sink->frames);
    status = queue_pop(sequence->idle, &item);
    if (status != STATUS_OK)
        return status;
    struct job *job = item;
    const struct picture_layout *from = &picture->layout, *to = &job->picture.layout;
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(job->picture.data + (size_t)y * to->plane[0].stride,
               picture->data + from->plane[0].offset + (size_t)y * from->plane[0].stride,
               to->plane[0].bytes);
    job->number = sink->frames;
    sink->frames++;
    return queue_push(sequence->work, job);
}

static void remove_written(struct sequence *sequence)
{
    for (uint64_t number = 0; number < sequence->base.frames; number++) {
        char name[PATH_MAX];
        bool ours = sequence->written[number / 8] >> number % 8 & 1;
        if (ours && png_name(sequence->params.path, sequence->params.first_frame + number, name,
                             sizeof name) == STATUS_OK)
            unlink(name);
    }
}

static enum status sequence_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct sequence *sequence = (struct sequence *)*sink;
    join(sequence);
    enum status status = keep ? failure_report(&sequence->failure) : STATUS_OK;
    if (!keep)
        remove_written(sequence);
    if (frames)
        *frames = keep ? sequence->done : 0;
    if (bytes)
        *bytes = keep ? sequence->bytes : 0;
    release(sequence);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_pictures = {
    .name = "pictures",
    .doc = "a file per picture, scene-linear light as EXR, display values otherwise",
    .formats = &picture_file_registry,
    .binary = true,
    .sequence = true,
    .plan = sequence_plan,
    .open = sequence_open,
    .write = sequence_write,
    .close = sequence_close,
};
