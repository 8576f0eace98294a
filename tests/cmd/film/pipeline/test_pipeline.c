/* The three stages with a real simulation and a real renderer, and a sink controlled by this test.
 */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/clock.h"
#include "cmd/film/pipeline/pipeline.h"
#include "tests/support/programs/asleep.h"

#include <pthread.h>
#include <stdatomic.h>

enum { WIDTH = 32, HEIGHT = 18, BODIES = 24, FRAMES = 13, NEVER = 1 << 20 };

/* Replaces the machine's clock: only slow sinks advance it. */
static atomic_long now;

double clock_seconds(void)
{
    return (double)now;
}

/* Notes what arrives. */
struct notebook {
    struct sink sink;
    uint64_t expected, count;
    uint32_t hash[FRAMES]; /* of each picture */
    uint64_t fail_at;      /* of the pictures that arrive, from 0 */
    enum status failure;
    bool slow;  /* stops everything before it */
    long takes; /* seconds of the test's own clock */
    uint64_t stop_at;
    volatile sig_atomic_t *stop;
    bool in_order;
    double time;
};

static enum status note(struct sink *sink, const struct picture *picture)
{
    struct notebook *book = (struct notebook *)sink;
    if (book->slow)
        let_others_wait();
    now += book->takes;
    if (book->count == book->fail_at)
        return status_fail(book->failure, "the disk is full of %llu pictures",
                           (unsigned long long)book->count);
    book->in_order &= picture->frame == book->expected;
    book->in_order &= book->count == 0 || picture->time > book->time;
    book->time = picture->time;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < picture->layout.size; i++)
        hash = (hash ^ picture->data[i]) * 16777619u;
    if (picture->frame < FRAMES)
        book->hash[picture->frame] = hash;
    book->expected++;
    book->count++;
    if (book->count == book->stop_at)
        *book->stop = SIGTERM;
    return STATUS_OK;
}

static const struct sink_ops note_ops = {.name = "note", .write = note};

static struct bodies *bodies;
static volatile sig_atomic_t stop;
static bool has_gl;

static struct renderer_params drawing(const struct draw_group *group)
{
    return (struct renderer_params){
        .width = WIDTH,
        .height = HEIGHT,
        .format = PICTURE_NV12,
        .camera = {.distance = 10, .zoom = 1, .fov = 40},
        .look = {.mode = choose(&draw_mode_registry, "sprites"),
                 .color = choose(&colour_registry, "velocity-rgb"),
                 .map = choose(&colour_map_registry, "plasma"),
                 .point_size = 200,
                 .smallest = 3,
                 .size = choose(&sprite_sizing_registry, "fixed"),
                 .tone = choose(&tone_registry, "filmic"),
                 .profile = choose(&sprite_profile_registry, "soft"),
                 .weight = choose(&light_weight_registry, "component"),
                 .samples = 1,
                 .speed = 1,
                 .saturation = 1},
        .count = BODIES,
        .groups = group,
        .group_count = 1,
        .frames = FRAMES,
        .views = {VIEW_HOST, -1},
        .gl_device = -1,
    };
}

static int set_up(void **state)
{
    (void)state;
    assert_ok(bodies_create(&bodies, BODIES, 1));
    bodies->components[0].count = BODIES;
    bodies->components[0].draw = true;
    bodies->components[0].light = 1;
    for (int i = 0; i < BODIES; i++) {
        bodies->mass[i] = 1.0 / BODIES;
        for (int k = 0; k < 3; k++)
            bodies->position[i][k] = (double)((i * 37 + k * 101) % 97) / 48 - 1;
    }
    const struct draw_group group = {.count = BODIES, .light = 1, .tint = {1, 1, 1}};
    struct renderer_params params = drawing(&group);
    struct renderer *renderer;
    enum status status = renderer_open(&renderer, &params);
    has_gl = status == STATUS_OK;
    if (status == STATUS_DEVICE)
        print_message("no GL: %s\n", status_text());
    else
        assert_ok(status);
    renderer_close(&renderer);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    bodies_destroy(&bodies);
    return 0;
}

static struct notebook new_book(uint64_t first)
{
    return (struct notebook){
        .sink = {.ops = &note_ops, .format = PICTURE_NV12},
        .expected = first,
        .fail_at = NEVER,
        .failure = STATUS_IO,
        .in_order = true,
        .stop = &stop,
    };
}

static enum status open_single(void *user, uint64_t segment, uint64_t *frames, struct sink **sink)
{
    assert_int_equal(segment, 0);
    assert_int_equal(*frames, 0);
    *sink = user;
    return STATUS_OK;
}

static enum status close_single(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                bool whole, bool broken)
{
    struct notebook *book = user;
    assert_int_equal(segment, 0);
    assert_ptr_equal(*sink, &book->sink);
    assert_int_equal(frames, book->count);
    assert_int_equal(broken, book->fail_at != NEVER && book->count == book->fail_at);
    assert_true(!whole || !broken);
    return STATUS_OK;
}

static const struct segment_ops single_sink = {.open = open_single, .close = close_single};

static void no_tick(void *user, const struct pipeline_progress *progress)
{
    uint64_t *ticks = user;
    assert_true(progress->done[STAGE_ENCODE] <= progress->wanted);
    ++*ticks;
}

/* Counts the views that exist at once. */
static struct solver_ops counting;
static enum status (*create_view)(struct solver *solver, struct view **out);
static int views_made;

static enum status count_view(struct solver *solver, struct view **out)
{
    views_made++;
    return create_view(solver, out);
}

static void count_views_of(struct simulation *simulation)
{
    struct solver *solver = (struct solver *)simulation_solver(simulation);
    counting = *solver->ops;
    create_view = counting.view_create;
    counting.view_create = count_view;
    solver->ops = &counting;
    views_made = 0;
}

static enum status run(struct notebook *book, uint64_t first, uint64_t last, double dt,
                       struct pipeline_progress *progress)
{
    if (!has_gl)
        outcome_skip(MISSING_GL, "see above");
    const struct simulation_params motion = {.dt = dt,
                                             .softening = 0.05,
                                             .steps_per_frame = 2,
                                             .force = choose(&force_registry, "fast"),
                                             .integrator = choose(&integrator_registry, "kdk")};
    const struct draw_group group = {.count = BODIES, .light = 1, .tint = {1, 1, 1}};
    struct renderer_params picture = drawing(&group);
    struct simulation *simulation;
    struct renderer *renderer;
    assert_ok(simulation_open(&simulation, &motion, "cpu", 0, bodies));
    assert_ok(renderer_open(&renderer, &picture));
    count_views_of(simulation);
    uint64_t ticks = 0;
    const struct pipeline_params params = {
        .simulations = &simulation,
        .simulation_count = 1,
        .renderer = renderer,
        .segments = &single_sink,
        .user = &book->sink,
        .first = first,
        .last = last,
        .encoders = 1,
        .stop = &stop,
        .tick = no_tick,
        .tick_user = &ticks,
    };
    enum status status = pipeline_run(&params, progress);
    assert_int_equal(views_made, VIEWS_IN_FLIGHT); /* the number for which solvers plan memory */
    assert_int_equal(progress->done[STAGE_ENCODE], book->count);
    assert_int_equal(progress->wanted, last - first + 1);
    renderer_close(&renderer);
    simulation_close(&simulation);
    stop = 0;
    return status;
}

TEST(pictures_come_once_and_in_order)
{
    struct pipeline_progress progress;
    struct notebook book = new_book(0);
    assert_ok(run(&book, 0, FRAMES - 1, 0.01, &progress));
    assert_int_equal(book.count, FRAMES);
    assert_true(book.in_order);
    assert_true(book.time > 0.01 * 2 * (FRAMES - 1) * 0.999);
    assert_int_equal(progress.done[STAGE_DRAW], FRAMES);
    for (int f = 1; f < FRAMES; f++)
        assert_true(book.hash[f] != book.hash[f - 1]);
    struct notebook again = new_book(0);
    assert_ok(run(&again, 0, FRAMES - 1, 0.01, &progress));
    assert_memory_equal(book.hash, again.hash, sizeof book.hash);
}

TEST(a_range_is_part_of_the_whole)
{
    static const uint64_t ranges[][2] = {{0, 0}, {1, 1}, {4, 9}, {FRAMES - 1, FRAMES - 1}};
    struct pipeline_progress progress;
    struct notebook whole = new_book(0);
    assert_ok(run(&whole, 0, FRAMES - 1, 0.01, &progress));
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        struct notebook book = new_book(ranges[i][0]);
        assert_ok(run(&book, ranges[i][0], ranges[i][1], 0.01, &progress));
        assert_int_equal(book.count, ranges[i][1] - ranges[i][0] + 1);
        assert_true(book.in_order);
        for (uint64_t f = 0; f < FRAMES; f++)
            assert_int_equal(book.hash[f],
                             f >= ranges[i][0] && f <= ranges[i][1] ? whole.hash[f] : 0);
    }
}

TEST(a_failing_sink_ends_the_run)
{
    static const uint64_t places[] = {0, 1, 2, 5, FRAMES - 1};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        for (int slow = 0; slow < 2; slow++) {
            struct pipeline_progress progress;
            struct notebook book = new_book(0);
            book.fail_at = places[i];
            book.slow = slow;
            char sentence[64];
            snprintf(sentence, sizeof sentence, "the disk is full of %d pictures", (int)places[i]);
            assert_fails(run(&book, 0, FRAMES - 1, 0.01, &progress), STATUS_IO, sentence);
            assert_int_equal(book.count, places[i]);
            assert_true(book.in_order);
        }
    }
}

/* Bodies that fly apart: frames simulated before are still drawn and delivered. */
TEST(a_failing_simulation_keeps_the_film_so_far)
{
    struct pipeline_progress progress;
    struct notebook book = new_book(0);
    double kept = bodies->velocity[3][1];
    bodies->velocity[3][1] = 1e305;
    enum status status = run(&book, 0, FRAMES - 1, 300, &progress);
    bodies->velocity[3][1] = kept;
    assert_int_equal(status, STATUS_RUNTIME);
    assert_says(status_text(), "dt");
    assert_true(book.in_order);
    assert_int_equal(book.count, progress.done[STAGE_SIMULATE]);
    assert_true(book.count < FRAMES);
}

TEST(a_stop_delivers_what_is_under_way)
{
    for (uint64_t at = 1; at < 5; at++) {
        struct pipeline_progress progress;
        struct notebook book = new_book(0);
        book.stop_at = at;
        book.slow = true;
        enum status status = run(&book, 0, 4000, 1e-4, &progress);
        assert_int_equal(status, STATUS_STOPPED);
        assert_true(book.in_order);
        assert_true(book.count >= at && book.count < 100);
        assert_int_equal(book.count, progress.done[STAGE_DRAW]);
        assert_int_equal(book.count, progress.done[STAGE_SIMULATE]);
    }
    struct pipeline_progress progress;
    struct notebook book = new_book(0);
    stop = SIGINT; /* before the first frame */
    assert_int_equal(run(&book, 0, FRAMES - 1, 0.01, &progress), STATUS_STOPPED);
    assert_true(book.count <= 1);
}

/* A stage that waits for the encoder does not count as busy. */
TEST(waiting_is_no_work)
{
    struct pipeline_progress progress;
    struct notebook book = new_book(0);
    book.slow = true;
    book.takes = 1000;
    assert_ok(run(&book, 0, FRAMES - 1, 0.01, &progress));
    assert_int_equal(book.count, FRAMES);
    assert_int_equal(pipeline_bottleneck(&progress), STAGE_ENCODE);
    assert_true(progress.busy[STAGE_ENCODE] == 1000.0 * FRAMES);
    assert_true(progress.busy[STAGE_DRAW] == 0);
    assert_true(progress.busy[STAGE_SIMULATE] == 0);
    assert_true(progress.elapsed == 1000.0 * FRAMES);
}

static void *burn(void *argument)
{
    volatile sig_atomic_t *end = argument;
    while (!*end) {
    }
    return NULL;
}

TEST(a_busy_machine_changes_nothing)
{
    struct pipeline_progress progress;
    struct notebook calm = new_book(0), busy = new_book(0);
    assert_ok(run(&calm, 0, FRAMES - 1, 0.01, &progress));
    volatile sig_atomic_t end = 0;
    pthread_t burners[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&burners[i], NULL, burn, (void *)&end), 0);
    enum status status = run(&busy, 0, FRAMES - 1, 0.01, &progress);
    end = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(burners[i], NULL);
    assert_ok(status);
    assert_memory_equal(calm.hash, busy.hash, sizeof calm.hash);
}

TESTS(set_up, tear_down)
