/* Runs in memory and in files: what comes back, what is continued, what damage does. */
#include "tests/support/test.h"

#include "base/file.h"
#include "sim/hdf5/store.h"
#include "tests/sim/run/run_fixture.h"
#include "tests/support/files/folder.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

static void assert_bodies(const struct bodies *a, const struct bodies *b)
{
    const size_t n = a->count;
    assert_true(n == b->count && a->component_count == b->component_count);
    assert_memory_equal(a->mass, b->mass, n * sizeof *a->mass);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->id, b->id, n * sizeof *a->id);
    for (size_t c = 0; c < a->component_count; c++) {
        const struct component *one = &a->components[c], *other = &b->components[c];
        assert_string_equal(one->name, other->name);
        assert_string_equal(one->galaxy, other->galaxy);
        assert_true(one->first == other->first && one->count == other->count &&
                    one->draw == other->draw && one->light == other->light &&
                    one->softening == other->softening);
    }
    assert_true(a->columns.count == b->columns.count);
    for (size_t c = 0; c < a->columns.count; c++) {
        const struct body_column *one = &a->columns.list[c], *other = &b->columns.list[c];
        assert_string_equal(one->name, other->name);
        assert_string_equal(one->unit, other->unit);
        assert_true(one->single == other->single);
        assert_memory_equal(one->value, other->value, n * sizeof *one->value);
        for (size_t i = 0; i < n && one->words; i++)
            assert_string_equal(body_column_word_of(one, i), body_column_word_of(other, i));
    }
}

static void assert_same_about(const struct run_about *a, const struct run_about *b)
{
    assert_bodies(a->bodies, b->bodies);
    assert_true(a->frames == b->frames && a->every == b->every &&
                a->simulation_count == b->simulation_count && a->pilots.count == b->pilots.count);
    assert_string_equal(a->moves, b->moves);
    assert_string_equal(a->scene, b->scene);
    for (int s = 0; s < a->simulation_count; s++) {
        const struct run_simulation *one = &a->simulations[s], *other = &b->simulations[s];
        assert_string_equal(one->physics, other->physics);
        assert_string_equal(one->kernel, other->kernel);
        assert_memory_equal(one->acceleration, other->acceleration,
                            a->bodies->count * sizeof *one->acceleration);
    }
    const struct run_pilot *one = &a->pilots.list[0], *other = &b->pilots.list[0];
    assert_string_equal(one->key, other->key);
    assert_true(one->bodies == other->bodies && one->samples == other->samples);
    assert_memory_equal(one->motion, other->motion, 6 * sizeof *one->motion);
    assert_memory_equal(one->separation, other->separation, 3 * sizeof *one->separation);
}

/* Whether all frames that are kept have their numbers; the first failure else. */
static enum status check_frames(const struct run *run, bool exact)
{
    struct run_buffer buffer = {NULL};
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < run_count(run) && status == STATUS_OK; f++)
        for (int s = 0; s < 2 && status == STATUS_OK; s++) {
            struct run_rows rows;
            status = run_read(run, s, f, &buffer, &rows);
            for (size_t i = 0; i < 6 * FIXTURE_BODIES && status == STATUS_OK; i++) {
                const float found = ((const float *)rows.position)[i],
                            right = run_fixture_number(s, f, i);
                assert_true(exact ? found == right : fabsf(found - right) <= 4e-6f * 10);
            }
            for (size_t i = 0; i < FIXTURE_BODIES && status == STATUS_OK; i++)
                assert_true(fabsf(rows.column[1][i] - (float)f) < (exact ? 1e-30f : 1e-5f));
            if (status == STATUS_OK)
                assert_true(run_moment(run, f)->time == 0.1 * (double)f);
        }
    run_buffer_free(&buffer);
    return status;
}

static struct run *make(const char *path, uint32_t every, uint64_t frames)
{
    struct run *run;
    const struct run_about about = run_fixture_about(every);
    assert_ok(path ? run_create_file(&run, &about, path) : run_create(&run, &about));
    assert_true(run_count(run) == 0);
    assert_ok(run_fixture_add(run, 0, frames));
    return run;
}

TEST(what_comes_back)
{
    const char *path = folder_path("whole.gvr");
    struct run *memory = make(NULL, 1, FIXTURE_FRAMES), *file = make(path, 1, FIXTURE_FRAMES);
    assert_true(run_is_file(path) && run_count(file) == FIXTURE_FRAMES);
    assert_ok(check_frames(memory, true));
    assert_ok(check_frames(file, true));
    run_close(&file);
    assert_ok(run_open(&file, path));
    assert_true(run_count(file) == FIXTURE_FRAMES);
    assert_same_about(run_about(memory), run_about(file));
    assert_ok(check_frames(file, true));
    for (uint64_t f = 0; f < FIXTURE_FRAMES; f++)
        assert_memory_equal(run_moment(memory, f), run_moment(file, f),
                            sizeof *run_moment(memory, f));
    run_close(&file);
    run_close(&memory);
}

/* For everyone else it is HDF5. */
TEST(others_read_it)
{
    const char *path = folder_path("others.gvr");
    struct run *run = make(path, 1, FIXTURE_FRAMES);
    double mass[FIXTURE_BODIES], frames[FIXTURE_FRAMES][18];
    struct store *store = store_open(path);
    assert_non_null(store);
    assert_true(store_get_table(store, "bodies/mass", FIXTURE_BODIES, 0, mass));
    assert_true(store_get_table(store, "frames", FIXTURE_FRAMES, 18, frames[0]));
    store_close(&store);
    assert_memory_equal(mass, run_about(run)->bodies->mass, sizeof mass);
    for (int f = 0; f < FIXTURE_FRAMES; f++)
        assert_true(frames[f][0] == 0.1 * f && frames[f][2] == 3 * f);
    run_close(&run);
}

/* The cubic path goes through the frames in between. */
TEST(each_second)
{
    static const uint64_t readable[] = {0, 1, 1, 3, 3, 5, 6};
    const char *path = folder_path("each.gvr");
    for (uint64_t frames = 0; frames <= FIXTURE_FRAMES; frames++) {
        struct run *run = make(path, 2, frames);
        assert_true(run_count(run) == readable[frames]);
        assert_ok(check_frames(run, false));
        if (run_count(run) > 1)
            assert_true(!*run_moment(run, 1)->state && *run_moment(run, 2)->state);
        run_close(&run);
    }
}

TEST(is_continued)
{
    const char *path = folder_path("continued.gvr");
    struct run_about about = run_fixture_about(1), other = run_fixture_about(1);
    struct run *run = make(path, 1, 4), *again;
    assert_fails(run_continue(&again, &about, path, 2), STATUS_USAGE, "another process writing");
    run_close(&run);
    other.bodies->position[1][1] += 1e-9;
    assert_fails(run_continue(&run, &other, path, 2), STATUS_USAGE, "bodies at the start -y");
    assert_fails(run_continue(&run, &about, path, 5), STATUS_IO, "4 complete checkpoint -y");
    assert_ok(run_continue(&run, &about, path, 2));
    assert_true(run_count(run) == 2);
    assert_ok(run_fixture_add(run, 2, FIXTURE_FRAMES));
    assert_ok(check_frames(run, true));
    run_close(&run);
    assert_ok(run_open(&run, path));
    assert_ok(check_frames(run, true));
    assert_true(run_count(run) == FIXTURE_FRAMES);
    run_close(&run);
    run_about_free(&about);
    run_about_free(&other);
}

TEST(no_frame_yet)
{
    const char *path = folder_path("none.gvr");
    struct run *run = make(path, 1, 0);
    run_close(&run);
    assert_fails(run_open(&run, path), STATUS_USAGE, "no frame simulate");
    assert_fails(run_open(&run, folder_path("absent.gvr")), STATUS_IO, "absent.gvr");
}

/* Whether a file can be read to its end; what it says may be damaged, but never wrong. */
static bool survives(const char *path)
{
    struct run *run;
    enum status status = run_open(&run, path);
    if (status == STATUS_OK)
        status = check_frames(run, true);
    assert_true(status == STATUS_OK || status == STATUS_IO || status == STATUS_USAGE);
    run_close(&run);
    return status == STATUS_OK;
}

TEST(damage_is_found)
{
    const char *whole = folder_path("sound.gvr"), *path = folder_path("damaged.gvr");
    struct run *run = make(whole, 1, FIXTURE_FRAMES);
    char *bytes;
    size_t size, found = 0, tried = 0;
    run_close(&run);
    assert_ok(file_read(whole, 1 << 24, &bytes, &size));
    for (size_t at = 0; at < size; at += 37, tried++) {
        bytes[at] ^= (char)(1 << (at % 8));
        assert_ok(file_write(path, bytes, size));
        found += !survives(path);
        bytes[at] ^= (char)(1 << (at % 8));
    }
    /* the rest are bytes that only HDF5 reads, of 5 groups and 24 tables */
    assert_true((tried - found) * 37 < 14 << 10);
    for (size_t cut = 0; cut < size; cut += 211) {
        assert_ok(file_write(path, bytes, cut));
        if (cut < size - 4096)
            assert_false(survives(path));
    }
    free(bytes);
}

TESTS(folder_set_up, folder_tear_down)
