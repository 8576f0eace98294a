/* Checkpoints: runs that continue bit for bit, and invalid files. */
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "base/file.h"
#include "sim/integrators/integrator.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/checkpoint/seal.h"
#include "sim/hdf5/store.h"
#include "tests/support/forces/checkpoint_checks.h"
#include "tests/support/films/sink_fixture.h"
#include "tests/support/forces/sphere.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

enum { COUNT = 40 };
static const char scene[] = "00112233aabbccdd";

static struct simulation *open_small(size_t count, uint64_t seed, double dt, uint32_t steps)
{
    struct bodies *bodies = sphere_make(count, false, seed);
    struct simulation *simulation;
    struct simulation_params params = {.dt = dt,
                                       .softening = 0.05,
                                       .steps_per_frame = steps,
                                       .force = choose(&force_registry, "fast"),
                                       .integrator = choose(&integrator_registry, "kdk")};
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    bodies_destroy(&bodies);
    return simulation;
}

static void copy_floats(float *out, const float *from, size_t floats)
{
    memcpy(out, from, floats * sizeof *out);
}

TEST(test_continues)
{
    for (const struct run_kind *kind = run_kinds; kind->count > 0; kind++)
        check_continues("cpu", kind, *state, copy_floats);
}

/* A state in the middle of a frame: the same step of a run whose frames are single steps. */
TEST(test_within_a_frame)
{
    struct simulation *single = open_small(COUNT, 1, 0.01, 1),
                      *whole = open_small(COUNT, 1, 0.01, 3),
                      *other = open_small(COUNT, 1, 0.01, 3);
    struct simulation_state at, end;
    assert_ok(simulation_advance(single, 7, NULL));
    assert_ok(simulation_state_create(simulation_solver(single)->count, &at));
    assert_ok(simulation_state_create(simulation_solver(single)->count, &end));
    assert_ok(simulation_get_state(single, &at));
    assert_true(at.frame == 7 && at.step == 7 && at.turn == 8);
    assert_fails(simulation_set_state(other, &at), STATUS_USAGE, "step 7 frame");
    at.frame = 2;
    assert_ok(simulation_set_state(other, &at));
    assert_true(simulation_time(other) == 7 * 0.01);
    assert_ok(simulation_advance(other, 4, NULL));
    assert_ok(simulation_advance(whole, 4, NULL));
    assert_true(simulation_step(other) == 12);
    assert_ok(simulation_get_state(other, &at));
    assert_ok(simulation_get_state(whole, &end));
    assert_memory_equal(at.position, end.position, COUNT * sizeof *at.position);
    assert_memory_equal(at.velocity, end.velocity, COUNT * sizeof *at.velocity);
    at.velocity[3][1] = NAN;
    assert_fails(simulation_set_state(other, &at), STATUS_USAGE, "finite");
    simulation_state_free(&at);
    simulation_state_free(&end);
    simulation_state_free(&end);
    simulation_close(&single);
    simulation_close(&whole);
    simulation_close(&other);
}

/* The force tree, which asks the run to stop after a number of evaluations. */
static volatile sig_atomic_t asked;
static int evaluations_left;
static struct force_path counted;

static int count_evaluation(struct force *force, const struct sources *sources, double (*out)[3],
                            void *stream)
{
    asked = --evaluations_left == 0;
    return force_path_of(&force_tree, "cpu")->accelerate(force, sources, out, stream);
}

static struct simulation *open_counted(const struct bodies *bodies)
{
    static const struct force_path *const paths[] = {&counted, NULL};
    static struct force_ops ops;
    struct simulation *simulation;
    counted = *force_path_of(&force_tree, "cpu");
    counted.accelerate = count_evaluation;
    ops = force_tree;
    ops.paths = paths;
    const struct simulation_params params = {.dt = 0.1,
                                             .softening = 0.05,
                                             .steps_per_frame = 1,
                                             .force = &ops,
                                             .integrator = choose(&integrator_registry, "kdk"),
                                             .adaptive = 0.1};
    assert_ok(simulation_open(&simulation, &params, "cpu", 0, bodies));
    return simulation;
}

/* A saved state in the middle of a frame, with each byte or the size changed to an impossible
 * value. */
static void assert_integrator_refused(struct simulation *resumed, struct simulation *stopped,
                                      struct simulation_state *at)
{
    assert_ok(simulation_get_state(stopped, at));
    struct integrator_state *own = &at->integrator;
    const uint8_t high = own->bytes[TICK_BYTES - 1], rung = own->bytes[TICK_BYTES + 9];
    own->bytes[TICK_BYTES - 1] = 1;
    assert_fails(simulation_set_state(resumed, at), STATUS_USAGE, "never reaches");
    own->bytes[TICK_BYTES - 1] = high;
    own->bytes[TICK_BYTES + 9] = RUNG_MOST + 1;
    assert_fails(simulation_set_state(resumed, at), STATUS_USAGE, "never reaches");
    own->bytes[TICK_BYTES + 9] = rung;
    own->size--;
    assert_fails(simulation_set_state(resumed, at), STATUS_USAGE, "never reaches");
    own->size++;
    assert_ok(simulation_set_state(resumed, at));
}

/* Stopped in the middle of a frame with steps per body, where every body is at its own time. */
TEST(test_steps_per_body)
{
    enum { BODIES = 150 };
    const char *path = fixture_path(*state, "s.h5");
    struct bodies *bodies = sphere_make(BODIES, false, 3);
    struct simulation *whole = open_counted(bodies), *stopped = open_counted(bodies),
                      *resumed = open_counted(bodies);
    struct simulation_state at, end;
    assert_ok(simulation_state_create(BODIES, &at));
    assert_ok(simulation_state_create(BODIES, &end));
    assert_ok(simulation_advance(whole, 4, NULL));
    assert_ok(simulation_get_state(whole, &end));
    evaluations_left = 7;
    assert_int_equal(simulation_advance(stopped, 4, &asked), STATUS_STOPPED);
    assert_ok(simulation_get_state(stopped, &at));
    assert_int_equal(at.integrator.size, TICK_BYTES + BODIES);
    const uint8_t *rungs = at.integrator.bytes + TICK_BYTES;
    bool differ = false;
    for (size_t i = 1; i < BODIES; i++)
        differ |= rungs[i] != rungs[0];
    assert_true(differ);
    assert_ok(checkpoint_write(path, &stopped, 1, scene));
    assert_ok(checkpoint_read(path, &resumed, 1, scene));
    assert_true(simulation_time(resumed) == simulation_time(stopped));
    assert_ok(simulation_advance(resumed, 4, NULL));
    assert_true(simulation_step(resumed) == simulation_step(whole));
    assert_ok(simulation_get_state(resumed, &at));
    assert_memory_equal(at.position, end.position, BODIES * sizeof *at.position);
    assert_memory_equal(at.velocity, end.velocity, BODIES * sizeof *at.velocity);
    assert_memory_equal(at.acceleration, end.acceleration, BODIES * sizeof *at.acceleration);
    assert_int_equal(at.integrator.size, 0);
    assert_integrator_refused(resumed, stopped, &at);
    simulation_state_free(&at);
    simulation_state_free(&end);
    simulation_close(&whole);
    simulation_close(&stopped);
    simulation_close(&resumed);
    bodies_destroy(&bodies);
}

TEST(test_contents)
{
    const char *path = fixture_path(*state, "c.h5");
    struct simulation *two[] = {open_small(COUNT, 1, 0.01, 2), open_small(COUNT, 1, 0.005, 4)};
    assert_ok(simulation_advance(two[0], 5, NULL));
    assert_fails(checkpoint_write(path, two, 2, scene), STATUS_RUNTIME, "different frames");
    assert_ok(simulation_advance(two[1], 5, NULL));
    assert_ok(checkpoint_write(path, two, 2, scene));
    assert_fails(checkpoint_read(path, two, 1, scene), STATUS_USAGE, "2 simulations");

    char program[STORE_TEXT_MAX], hash[STORE_TEXT_MAX];
    uint64_t frame, step, bodies, simulations;
    double time;
    struct store *store = store_open(path);
    assert_non_null(store);
    assert_true(store_get_text(store, "/", "program", program));
    assert_true(store_get_text(store, "/", "motion", hash));
    assert_true(store_get_count(store, "/", "frame", &frame));
    assert_true(store_get_count(store, "/", "bodies", &bodies));
    assert_true(store_get_count(store, "/", "simulations", &simulations));
    assert_true(store_get_count(store, "simulation_1", "step", &step));
    assert_true(store_get_number(store, "simulation_1", "time", &time));
    store_close(&store);
    assert_string_equal(program, GRAVREEL_VERSION);
    assert_string_equal(hash, scene);
    assert_true(frame == 5 && step == 10 && time == 10 * 0.01);
    assert_true(bodies == COUNT && simulations == 2);

    struct simulation_state was, is;
    assert_ok(simulation_state_create(simulation_solver(two[1])->count, &was));
    assert_ok(simulation_state_create(simulation_solver(two[1])->count, &is));
    assert_ok(simulation_get_state(two[1], &was));
    assert_ok(simulation_advance(two[0], 6, NULL));
    assert_ok(simulation_advance(two[1], 6, NULL));
    assert_ok(checkpoint_read(path, two, 2, scene));
    assert_true(simulation_frame(two[0]) == 5 && simulation_frame(two[1]) == 5);
    assert_true(simulation_step(two[0]) == 10 && simulation_step(two[1]) == 20);
    assert_ok(simulation_get_state(two[1], &is));
    assert_memory_equal(is.position, was.position, COUNT * sizeof *is.position);

    /* the same bytes again */
    const char *again = fixture_path(*state, "d.h5");
    assert_ok(checkpoint_write(again, two, 2, scene));
    assert_true(fixture_same_files(path, again));
    simulation_state_free(&was);
    simulation_state_free(&is);
    simulation_close(&two[0]);
    simulation_close(&two[1]);
}

/* Reading must fail with one message that names the file, and leave the simulation unchanged. */
static enum status refused(const char *path, struct simulation *simulation)
{
    struct simulation_state before, after;
    assert_ok(simulation_state_create(simulation_solver(simulation)->count, &before));
    assert_ok(simulation_state_create(simulation_solver(simulation)->count, &after));
    assert_ok(simulation_get_state(simulation, &before));
    enum status status = checkpoint_read(path, &simulation, 1, scene);
    char sentence[STATUS_TEXT_MAX];
    snprintf(sentence, sizeof sentence, "%s", status_text());
    if (status == STATUS_OK)
        fail_msg("'%s' was believed", path);
    if (!strstr(sentence, path) || strchr(sentence, '\n'))
        fail_msg("'%s' is no sentence about '%s'", sentence, path);
    assert_ok(simulation_get_state(simulation, &after));
    assert_true(before.frame == after.frame && before.step == after.step);
    assert_memory_equal(before.position, after.position, COUNT * sizeof *before.position);
    simulation_state_free(&before);
    simulation_state_free(&after);
    (void)status_fail(status, "%s", sentence);
    return status;
}

static char *good_file(const char *path, size_t *size)
{
    char *bytes;
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    assert_ok(simulation_advance(simulation, 3, NULL));
    assert_ok(checkpoint_write(path, &simulation, 1, scene));
    simulation_close(&simulation);
    assert_ok(file_read(path, 1 << 24, &bytes, size));
    return bytes;
}

TEST(test_damage)
{
    const char *path = fixture_path(*state, "c.h5");
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    size_t size;
    char *bytes = good_file(path, &size), *bad = malloc(size + 1);
    assert_true(bad && size > 80 * COUNT && size < 80 * COUNT + 100000);
    uint64_t random = 88172645463325252u;
    for (int round = 0; round < 600; round++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        memcpy(bad, bytes, size);
        bad[round < 512 ? (size_t)round : random % size] ^= (char)(1 << (random >> 40) % 8);
        assert_ok(file_write(path, bad, size));
        assert_int_equal(refused(path, simulation), STATUS_IO);
    }
    for (size_t length = 0; length < size; length += length < 600 ? 31 : 997) {
        assert_ok(file_write(path, bytes, length));
        assert_int_equal(refused(path, simulation), STATUS_IO);
        if (length > 20)
            assert_says(status_text(), "short bytes");
    }
    memcpy(bad, bytes, size);
    bad[size] = 0;
    assert_ok(file_write(path, bad, size + 1));
    assert_int_equal(refused(path, simulation), STATUS_IO);
    assert_ok(file_write(path, bytes, size));
    assert_ok(checkpoint_read(path, &simulation, 1, scene));
    assert_int_equal(simulation_frame(simulation), 3);
    free(bad);
    free(bytes);
    simulation_close(&simulation);
}

/* Seals the store's content, whatever it is. */
static void seal_store(struct store **store, const char *path)
{
    char *image;
    size_t size;
    assert_true(store_image(*store, &image, &size));
    seal_set(image, size, CHECKPOINT_FORMAT);
    assert_ok(file_write(path, image, size));
    store_close(store);
}

TEST(test_foreign)
{
    const char *path = fixture_path(*state, "c.h5");
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    size_t size;
    assert_int_equal(refused("/nowhere/c.h5", simulation), STATUS_IO);
    assert_int_equal(refused(*state, simulation), STATUS_IO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(refused(path, simulation), STATUS_IO);
    assert_int_equal(unlink(path), 0);
    static const char film[1024] = "\x89PNG\r\n\x1a\n";
    assert_ok(file_write(path, film, sizeof film));
    assert_int_equal(refused(path, simulation), STATUS_IO);
    assert_says(status_text(), "checkpoint");

    /* an HDF5 file of someone else's, and one sealed without what belongs into it */
    struct store *store = store_create(512, 100);
    char *image;
    double zeros[COUNT] = {0};
    assert_non_null(store);
    assert_true(store_put_table(store, "mass", COUNT, 0, zeros));
    assert_true(store_image(store, &image, &size));
    assert_ok(file_write(path, image, size));
    assert_int_equal(refused(path, simulation), STATUS_IO);
    assert_says(status_text(), "checkpoint");
    seal_store(&store, path);
    assert_int_equal(refused(path, simulation), STATUS_IO);
    assert_says(status_text(), "lacks head");

    char *bytes = good_file(path, &size);
    assert_memory_equal(bytes + 20, "format 4", 8);
    seal_set(bytes, size, 3);
    assert_ok(file_write(path, bytes, size));
    assert_int_equal(refused(path, simulation), STATUS_USAGE);
    assert_says(status_text(), "format 3 format 4");
    free(bytes);
    simulation_close(&simulation);
}

/* Complete headers with states that are missing or of other shapes. */
TEST(test_shapes)
{
    const char *path = fixture_path(*state, "c.h5");
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    double numbers[3 * COUNT] = {0};
    for (int variant = 0; variant < 8; variant++) {
        struct store *store = store_create(512, 100);
        assert_non_null(store);
        assert_true(store_put_text(store, "/", "program", "x") &&
                    store_put_text(store, "/", "motion", scene) &&
                    store_put_count(store, "/", "frame", 0) &&
                    store_put_count(store, "/", "bodies", COUNT) &&
                    store_put_count(store, "/", "simulations", 1) &&
                    store_put_group(store, "simulation_1"));
        assert_true(store_put_number(store, "simulation_1", "time", 0) &&
                    store_put_count(store, "simulation_1", "step", 0));
        if (variant == 1)
            assert_true(store_put_table(store, "plan", 4, 0, numbers));
        if (variant > 1)
            assert_true(store_put_bytes(store, "plan", 0, ""));
        if (variant > 1)
            assert_true(store_put_count(store, "simulation_1", "turn", 1));
        if (variant > 2)
            assert_true(store_put_table(store, "simulation_1/mass", COUNT, 0, numbers));
        if (variant == 3)
            assert_true(store_put_table(store, "simulation_1/position", COUNT - 1, 3, numbers));
        if (variant > 3)
            assert_true(store_put_table(store, "simulation_1/position", COUNT, 3, numbers) &&
                        store_put_table(store, "simulation_1/velocity", COUNT, 3, numbers));
        if (variant == 5)
            assert_true(store_put_text(store, "simulation_1", "acceleration", "none"));
        if (variant > 5)
            assert_true(store_put_table(store, "simulation_1/acceleration", COUNT, 3, numbers));
        if (variant == 7) /* not a byte */
            assert_true(store_put_table(store, "simulation_1/integrator", 1, 0, &(double){0.5}));
        seal_store(&store, path);
        assert_int_equal(refused(path, simulation), STATUS_IO);
        assert_says(status_text(), "lacks");
        assert_true(has_words(status_text(), "integrator") == (variant > 5));
    }
    simulation_close(&simulation);
}

TEST(test_plan)
{
    const char *path = fixture_path(*state, "c.h5"), *plan = "{\"a\": \"b\\n\"}\n\xc3\xa4";
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    struct checkpoint *checkpoint;
    char *found;
    assert_ok(checkpoint_take(&simulation, 1, &checkpoint));
    assert_ok(checkpoint_store(checkpoint, path, scene, plan, false));
    assert_ok(checkpoint_plan(path, &found));
    assert_string_equal(found, plan);
    assert_ok(checkpoint_read(path, &simulation, 1, scene));
    free(found);
    assert_ok(checkpoint_store(checkpoint, path, scene, "", false));
    assert_ok(checkpoint_plan(path, &found));
    assert_string_equal(found, "");
    free(found);
    assert_ok(file_write(path, "no checkpoint", 13));
    assert_fails(checkpoint_plan(path, &found), STATUS_IO, "cut short");
    assert_null(found);
    checkpoint_free(&checkpoint);
    simulation_close(&simulation);
}

TEST(test_other_runs)
{
    const char *path = fixture_path(*state, "c.h5");
    size_t size;
    free(good_file(path, &size));
    struct simulation *more = open_small(COUNT + 1, 1, 0.01, 2),
                      *heavier = open_small(COUNT, 2, 0.01, 2),
                      *slower = open_small(COUNT, 1, 0.02, 2),
                      *same = open_small(COUNT, 1, 0.01, 2), *pair[2] = {same, slower},
                      *recording = open_small(COUNT, 1, 0.01, 2),
                      *tracing = open_small(COUNT, 1, 0.01, 2);
    assert_fails(checkpoint_read(path, &more, 1, scene), STATUS_USAGE, "40 bodies film 41");
    assert_fails(checkpoint_read(path, &heavier, 1, scene), STATUS_USAGE, "masses");
    assert_fails(checkpoint_read(path, &slower, 1, scene), STATUS_USAGE, "time 0.06");
    assert_fails(checkpoint_read(path, &same, 1, "ffff"), STATUS_USAGE, "move otherwise");
    assert_fails(checkpoint_check(path, "ffff"), STATUS_USAGE, "move otherwise");
    assert_ok(checkpoint_check(path, scene));
    assert_fails(checkpoint_read(path, pair, 2, scene), STATUS_USAGE, "1 simulations");
    assert_ok(simulation_record_energy(recording, 10));
    assert_fails(checkpoint_read(path, &recording, 1, scene), STATUS_IO, "energies");
    assert_ok(simulation_keep_trail(tracing, 10));
    assert_fails(checkpoint_read(path, &tracing, 1, scene), STATUS_IO, "trails");
    assert_ok(checkpoint_read(path, &same, 1, scene));
    /* other films of the same motion, with fewer points or a shorter trail, save less */
    struct simulation *longer = open_small(COUNT, 1, 0.01, 2);
    struct checkpoint *less;
    assert_ok(simulation_record_energy(longer, 1000));
    assert_ok(simulation_keep_trail(longer, 1));
    assert_ok(simulation_advance(longer, 4, NULL));
    assert_ok(checkpoint_take(&longer, 1, &less));
    assert_ok(checkpoint_store(less, path, scene, "", false));
    assert_ok(checkpoint_read(path, &same, 1, scene));
    assert_ok(checkpoint_read(path, &longer, 1, scene));
    assert_fails(checkpoint_read(path, &recording, 1, scene), STATUS_IO, "energies of this film");
    assert_fails(checkpoint_read(path, &tracing, 1, scene), STATUS_IO, "trails of this film");
    checkpoint_free(&less);
    simulation_close(&longer);
    simulation_close(&more);
    simulation_close(&heavier);
    simulation_close(&slower);
    simulation_close(&same);
    simulation_close(&recording);
    simulation_close(&tracing);
}

/* The old file stays, and nothing else is left. */
TEST(test_disk_full)
{
    const char *path = fixture_path(*state, "c.h5");
    size_t size;
    free(good_file(path, &size));
    struct simulation *simulation = open_small(COUNT, 1, 0.01, 2);
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 5000, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    enum status status = checkpoint_write(path, &simulation, 1, scene);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(status, STATUS_IO);
    assert_contains(status_text(), path);
    assert_int_equal(fixture_count_files(*state), 1);
    assert_ok(checkpoint_read(path, &simulation, 1, scene));
    assert_int_equal(simulation_frame(simulation), 3);
    assert_fails(checkpoint_write(fixture_path(*state, "none/c.h5"), &simulation, 1, scene),
                 STATUS_IO, "none/c.h5");
    simulation_close(&simulation);
}

TESTS_EACH(fixture_setup, fixture_teardown)
