/* A film in segments: several sinks at once, each gets its own frames in order. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "cmd/film/pipeline/pipeline.h"
#include "tests/support/films/drawing.h"
#include "tests/support/programs/refuse_threads.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

enum {
    BODIES = 24,
    FRAMES = 23,
    LENGTH = 5,
    SEGMENTS = (FRAMES + LENGTH - 1) / LENGTH,
    NEVER = 999
};

/* What the sink of a segment receives; checked on the main thread afterwards. */
struct segment {
    struct sink sink;
    struct album *album;
    uint64_t frames[LENGTH], count, closed_with;
    uint32_t hash[LENGTH];
    bool opened, closed, whole, broken;
    uint64_t kept_of, kept; /* as segment_ops.keep was called */
    uint32_t kept_hash[LENGTH];
};

struct album {
    struct segment segment[SEGMENTS];
    uint64_t fail_write, fail_open, fail_close; /* segments */
    int together; /* segments that are open before the first picture is written */
    pthread_cond_t opened, stopped, drawn;
    volatile sig_atomic_t stop;
    uint64_t stop_at;          /* frame written */
    uint64_t left_out;         /* a segment that is not wanted */
    uint64_t ahead;            /* segments whose drawing has begun before segment 0 is closed */
    uint64_t before[SEGMENTS]; /* frames that the sinks have already */
    uint64_t simulated[SEGMENTS + 1], drawing[SEGMENTS + 1];
    size_t simulated_count, drawing_count;
    pthread_mutex_t lock;
    int open_now, open_most;
    int threads_left; /* that the pipeline may start; -1: any number */
};

static uint32_t hash_of(const struct picture *picture)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < picture->layout.size; i++)
        hash = (hash ^ picture->data[i]) * 16777619u;
    return hash;
}

static enum status write_segment(struct sink *sink, const struct picture *picture)
{
    struct segment *segment = (struct segment *)sink;
    struct album *album = segment->album;
    pthread_mutex_lock(&album->lock);
    while (album->open_most < album->together)
        pthread_cond_wait(&album->opened, &album->lock);
    pthread_mutex_unlock(&album->lock);
    if (album->fail_write == (uint64_t)(segment - album->segment) && segment->count == 2)
        return status_fail(STATUS_IO, "no room for segment %d", (int)(segment - album->segment));
    if (picture->frame == album->stop_at) {
        pthread_mutex_lock(&album->lock);
        album->stop = SIGINT;
        pthread_cond_signal(&album->stopped);
        pthread_mutex_unlock(&album->lock);
    }
    if (segment->count < LENGTH) {
        segment->hash[segment->count] = hash_of(picture);
        segment->frames[segment->count] = picture->frame;
    }
    segment->count++;
    return STATUS_OK;
}

static const struct sink_ops sink_ops = {.name = "segment", .write = write_segment};

static enum status open_segment(void *user, uint64_t index, uint64_t *frames, struct sink **sink)
{
    struct album *album = user;
    *frames = album->before[index];
    if (index == album->fail_open)
        return status_fail(STATUS_IO, "cannot open segment %d", (int)index);
    struct segment *segment = &album->segment[index];
    pthread_mutex_lock(&album->lock);
    if (++album->open_now > album->open_most)
        album->open_most = album->open_now;
    pthread_cond_broadcast(&album->opened);
    pthread_mutex_unlock(&album->lock);
    segment->opened = true;
    segment->album = album;
    segment->sink = (struct sink){.ops = &sink_ops, .format = PICTURE_NV12};
    *sink = &segment->sink;
    return STATUS_OK;
}

static enum status close_segment(void *user, uint64_t index, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct album *album = user;
    struct segment *segment = &album->segment[index];
    pthread_mutex_lock(&album->lock);
    while (index == 0 && album->drawing_count < album->ahead)
        pthread_cond_wait(&album->drawn, &album->lock);
    album->open_now--;
    pthread_mutex_unlock(&album->lock);
    *sink = NULL;
    segment->closed = true;
    segment->closed_with = frames;
    segment->whole = whole;
    segment->broken = broken;
    return index == album->fail_close
               ? status_fail(STATUS_IO, "cannot close segment %d", (int)index)
               : STATUS_OK;
}

static void keep_pictures(void *user, uint64_t index, uint64_t frames,
                          struct picture *const *pictures, uint64_t count)
{
    struct segment *segment = &((struct album *)user)->segment[index];
    segment->kept_of = frames;
    segment->kept = count;
    for (uint64_t i = 0; i < count && i < LENGTH; i++)
        segment->kept_hash[i] = hash_of(pictures[i]);
}

static const struct segment_ops segments = {open_segment, keep_pictures, close_segment};

static bool is_wanted(void *user, uint64_t frame)
{
    const struct album *album = user;
    return frame / LENGTH != album->left_out && frame % LENGTH >= album->before[frame / LENGTH];
}

/* The simulation, which may be far ahead of the frame being written, does not end before the stop.
 */
static enum status note_simulated(void *user, uint64_t frame)
{
    struct album *album = user;
    pthread_mutex_lock(&album->lock);
    while (album->stop_at != NEVER && frame == FRAMES / LENGTH * LENGTH && !album->stop)
        pthread_cond_wait(&album->stopped, &album->lock);
    pthread_mutex_unlock(&album->lock);
    album->simulated[album->simulated_count++ % (SEGMENTS + 1)] = frame;
    return STATUS_OK;
}

static enum status note_drawing(void *user, uint64_t frame)
{
    struct album *album = user;
    pthread_mutex_lock(&album->lock);
    album->drawing[album->drawing_count++ % (SEGMENTS + 1)] = frame;
    pthread_cond_signal(&album->drawn);
    pthread_mutex_unlock(&album->lock);
    return STATUS_OK;
}

static struct album new_album(void)
{
    return (struct album){.fail_write = NEVER,
                          .fail_open = NEVER,
                          .fail_close = NEVER,
                          .stop_at = NEVER,
                          .left_out = NEVER,
                          .threads_left = -1,
                          .lock = PTHREAD_MUTEX_INITIALIZER,
                          .opened = PTHREAD_COND_INITIALIZER,
                          .stopped = PTHREAD_COND_INITIALIZER,
                          .drawn = PTHREAD_COND_INITIALIZER};
}

static enum status run(struct album *album, unsigned encoders, uint64_t memory, uint64_t first,
                       struct pipeline_progress *progress)
{
    const struct simulation_params motion = {.dt = 0.01,
                                             .softening = 0.05,
                                             .steps_per_frame = 2,
                                             .force = choose(&force_registry, "fast"),
                                             .integrator = choose(&integrator_registry, "kdk")};
    struct renderer_params look = usual(PICTURE_NV12, WIDTH, HEIGHT);
    struct draw_group group = *look.groups;
    struct bodies *bodies;
    struct simulation *simulation;
    struct renderer *renderer;
    group.count = look.count = BODIES;
    look.groups = &group;
    assert_ok(bodies_create(&bodies, BODIES, 1));
    bodies->components[0].count = BODIES;
    for (int i = 0; i < BODIES; i++) {
        bodies->mass[i] = 1.0 / BODIES;
        for (int k = 0; k < 3; k++)
            bodies->position[i][k] = (double)((i * 37 + k * 101) % 97) / 8 - 6;
    }
    assert_ok(simulation_open(&simulation, &motion, "cpu", 0, bodies));
    assert_ok(renderer_open(&renderer, &look));
    const struct pipeline_events events = {
        .wanted = is_wanted, .simulated = note_simulated, .drawing = note_drawing};
    const struct pipeline_params params = {
        .simulations = &simulation,
        .simulation_count = 1,
        .renderer = renderer,
        .segments = &segments,
        .first = first,
        .last = FRAMES - 1,
        .segment_length = LENGTH,
        .encoders = encoders,
        .memory = memory,
        .stop = &album->stop,
        .events = &events,
        .user = album,
    };
    threads_left = album->threads_left;
    enum status status = pipeline_run(&params, progress);
    threads_left = -1;
    renderer_close(&renderer);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
    return status;
}

TEST(every_frame_once_and_alike)
{
    need_gl(state);
    static const struct {
        unsigned encoders;
        uint64_t memory;
        int together;
    } cases[] = {{1, 0, 0}, {3, 0, 0}, {2, 1 << 20, 2}, {8, 1 << 20, 3}};
    struct album one = new_album();
    struct pipeline_progress progress;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct album album = new_album();
        album.together = cases[c].together;
        assert_ok(run(&album, cases[c].encoders, cases[c].memory, 0, &progress));
        assert_int_equal(progress.done[STAGE_ENCODE], FRAMES);
        assert_int_equal(progress.pictures, 0);
        assert_true(album.open_most <= (int)cases[c].encoders);
        for (int p = 0; p < SEGMENTS; p++) {
            const struct segment *segment = &album.segment[p];
            uint64_t count = p == SEGMENTS - 1 ? FRAMES - LENGTH * (SEGMENTS - 1) : LENGTH;
            assert_true(segment->closed && segment->whole && !segment->broken);
            assert_int_equal(segment->count, count);
            assert_int_equal(segment->closed_with, count);
            for (uint64_t k = 0; k < count; k++)
                assert_int_equal(segment->frames[k], p * LENGTH + k);
            if (c == 0)
                memcpy(one.segment[p].hash, segment->hash, sizeof segment->hash);
            else
                assert_memory_equal(segment->hash, one.segment[p].hash,
                                    count * sizeof *segment->hash);
        }
        assert_int_equal(album.simulated_count, SEGMENTS);
        assert_int_equal(album.drawing_count, SEGMENTS);
        for (int p = 0; p < SEGMENTS; p++) {
            assert_int_equal(album.simulated[p], p * LENGTH);
            assert_int_equal(album.drawing[p], p * LENGTH);
        }
    }
}

/* With room for pictures, segments really are encoded at once; with little, the drawing waits. */
TEST(memory_bounds_the_segments)
{
    need_gl(state);
    struct pipeline_progress progress;
    struct album wide = new_album();
    wide.together = 4;
    assert_ok(run(&wide, 4, 1 << 20, 0, &progress));
    assert_true(wide.open_most == 4);
}

/* While a segment is closed, which is when many encoders work, the drawing has all pictures: as
 * many as a segment, for the next one, and a few. Without them this test does not end. */
TEST(pictures_of_a_segment_that_is_closed)
{
    need_gl(state);
    struct pipeline_progress progress;
    struct album album = new_album();
    album.ahead = 2 + pipeline_pictures(1, LENGTH, true) / LENGTH;
    assert_ok(run(&album, 1, 1 << 20, 0, &progress));
    assert_int_equal(progress.done[STAGE_ENCODE], FRAMES);
}

TEST(segments_that_are_not_wanted)
{
    need_gl(state);
    struct pipeline_progress progress;
    struct album whole = new_album(), album = new_album();
    assert_ok(run(&whole, 2, 1 << 20, 0, &progress));
    album.left_out = 2;
    assert_ok(run(&album, 2, 1 << 20, 0, &progress));
    assert_int_equal(progress.wanted, FRAMES - LENGTH);
    assert_false(album.segment[2].opened);
    assert_memory_equal(album.segment[3].hash, whole.segment[3].hash, sizeof whole.segment[3].hash);
    struct album late = new_album();
    assert_ok(run(&late, 2, 1 << 20, 7, &progress));
    assert_false(late.segment[0].opened);
    assert_int_equal(late.segment[1].count, 3);
    assert_int_equal(late.segment[1].frames[0], 7);
    assert_true(late.segment[1].whole);
    assert_memory_equal(late.segment[1].hash, whole.segment[1].hash + 2, 3 * sizeof(uint32_t));
}

TEST(failures_stop_the_run)
{
    need_gl(state);
    struct pipeline_progress progress;
    for (unsigned encoders = 1; encoders <= 3; encoders++) {
        struct album album = new_album();
        album.fail_write = 1;
        assert_fails(run(&album, encoders, 1 << 20, 0, &progress), STATUS_IO, "segment 1");
        assert_true(album.segment[0].closed && album.segment[0].whole);
        assert_true(album.segment[1].closed && album.segment[1].broken && !album.segment[1].whole);
        assert_int_equal(album.segment[1].closed_with, 2);
        album = new_album();
        album.fail_open = 2;
        assert_fails(run(&album, encoders, 1 << 20, 0, &progress), STATUS_IO, "segment 2");
        assert_false(album.segment[2].closed);
        album = new_album();
        album.fail_close = 1;
        assert_fails(run(&album, encoders, 1 << 20, 0, &progress), STATUS_IO, "segment 1");
        assert_int_equal(album.open_now, 0);
        uint64_t safe = 0;
        for (int s = 0; s < SEGMENTS; s++)
            safe += album.segment[s].whole && s != 1 ? album.segment[s].closed_with : 0;
        assert_true(album.segment[1].whole && safe >= LENGTH);
        assert_int_equal(progress.safe, safe);
    }
}

/* A few pictures, plus those of the segments being encoded, or of the one that is kept. */
TEST(pictures_that_are_of_use)
{
    const uint64_t few = pipeline_pictures(1, 30, false);
    assert_in_range(few, 3, 8);
    assert_int_equal(pipeline_pictures(1, 30, true), few + 30);
    assert_int_equal(pipeline_pictures(3, 30, false), few + 90);
    assert_int_equal(pipeline_pictures(3, 30, true), few + 90);
    assert_int_equal(pipeline_pictures(256, 100000, true), 1 << 16);
}

/* Encoders start first, then the drawing, then the simulation. */
TEST(threads_that_do_not_start)
{
    need_gl(state);
    static const char *const names[] = {"encoder 1 of 2", "encoder 2 of 2", "drawing",
                                        "simulation"};
    for (int n = 0; n < 4; n++) {
        struct pipeline_progress progress;
        struct album album = new_album();
        album.threads_left = n;
        assert_fails(run(&album, 2, 0, 0, &progress), STATUS_RUNTIME, names[n]);
        assert_contains(status_text(), strerror(EAGAIN));
        assert_int_equal(progress.done[STAGE_ENCODE], 0);
        assert_int_equal(album.open_now, 0);
    }
}

TEST(a_stop_leaves_a_part_of_a_segment)
{
    need_gl(state);
    for (unsigned encoders = 1; encoders <= 3; encoders++) {
        struct pipeline_progress progress;
        struct album album = new_album();
        album.stop_at = 7;
        assert_int_equal(run(&album, encoders, 0, 0, &progress), STATUS_STOPPED);
        uint64_t written = 0;
        bool ended = false;
        for (int p = 0; p < SEGMENTS; p++) {
            const struct segment *segment = &album.segment[p];
            assert_int_equal(segment->opened, segment->closed);
            assert_false(segment->broken);
            assert_true(!ended || !segment->opened);
            ended |= segment->opened && !segment->whole;
            written += segment->count;
        }
        assert_int_equal(written, progress.done[STAGE_ENCODE]);
        assert_true(written >= 8 && written < FRAMES);
    }
}

/* Only the incomplete segment is kept, with all its drawn pictures; none without enough memory. */
TEST(a_stop_keeps_pictures)
{
    need_gl(state);
    for (unsigned encoders = 1; encoders <= 3; encoders++)
        for (int room = 0; room < 2; room++) {
            struct pipeline_progress progress;
            struct album album = new_album();
            album.stop_at = 6;
            album.before[1] = 1;
            const enum status status = run(&album, encoders, room ? 1 << 20 : 0, 0, &progress);
            assert_int_equal(status, STATUS_STOPPED);
            for (int p = 0; p < SEGMENTS; p++) {
                const struct segment *segment = &album.segment[p];
                const bool part = segment->opened && !segment->whole;
                assert_int_equal(segment->kept, part && room ? segment->count : 0);
                assert_memory_equal(segment->kept_hash, segment->hash,
                                    segment->kept * sizeof *segment->hash);
                if (segment->opened)
                    assert_int_equal(segment->closed_with, segment->count + album.before[p]);
                if (segment->kept)
                    assert_int_equal(segment->kept_of, segment->closed_with);
                if (part)
                    assert_int_equal(progress.next, p * LENGTH + segment->closed_with);
            }
        }
}

TESTS(open_gl, NULL)
