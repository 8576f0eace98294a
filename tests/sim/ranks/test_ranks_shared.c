/* Simulations of bodies that ranks share, against the same in one process, bit for bit.
 * test_ranks_shared.sh starts this under mpirun with several numbers of ranks.
 * Usage: test_ranks_shared FOLDER [TEST [FAULT]]
 * FAULT: rank 1 brings the numbers of two bodies to each other's homes (swap), leaves out its last
 * body there (lost), gets another's slice of what rank 0 deals (slice), or adds nothing to sums
 * (missed). */
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/spread.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/pilot/pilot.h"
#include "sim/ranks/home.h"
#include "sim/ranks/rank_solver.h"
#include "sim/simulation.h"
#include "sim/state.h"
#include "tests/support/choose.h"
#include "tests/support/forces/softening_checks.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

enum { TRACED = 2 }; /* frames of a trail before the present one */

/* ---- what is made to fail ---- */

static const char *fault = "";

static bool is_planted(const char *name)
{
    return ranks_own() == 1 && strcmp(fault, name) == 0;
}

enum status __real_home_bring(const struct home *home, const struct share *share, unsigned parts,
                              const double *value, home_put put, void *user);
enum status __wrap_home_bring(const struct home *home, const struct share *share, unsigned parts,
                              const double *value, home_put put, void *user);
enum status __wrap_home_bring(const struct home *home, const struct share *share, unsigned parts,
                              const double *value, home_put put, void *user)
{
    struct share copy = {0};
    if (share_copy(&copy, share) != STATUS_OK)
        return STATUS_RUNTIME;
    if (copy.count > 1 && is_planted("lost"))
        copy.count--;
    if (copy.count > 1 && is_planted("swap")) {
        const uint32_t first = copy.body[0].number;
        copy.body[0].number = copy.body[1].number;
        copy.body[1].number = first;
    }
    const enum status status = __real_home_bring(home, &copy, parts, value, put, user);
    share_close(&copy);
    return status;
}

enum status __real_ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes,
                              int from);
enum status __wrap_ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes,
                              int from);
enum status __wrap_ranks_deal(const void *all, const size_t *bytes_of, void *own, size_t bytes,
                              int from)
{
    const enum status status = __real_ranks_deal(all, bytes_of, own, bytes, from);
    if (is_planted("slice") && bytes > sizeof(double))
        memmove(own, (char *)own + sizeof(double), bytes - sizeof(double));
    return status;
}

/* Rank 1 fails where it should pass on positions. */
static bool fails;

enum status __real_pieces_pass(const struct bodies *bodies, const double *rows, size_t width,
                               pieces_take take, void *user);
enum status __wrap_pieces_pass(const struct bodies *bodies, const double *rows, size_t width,
                               pieces_take take, void *user);
enum status __wrap_pieces_pass(const struct bodies *bodies, const double *rows, size_t width,
                               pieces_take take, void *user)
{
    return fails && width == 3 && ranks_own() == 1
               ? status_fail(STATUS_RUNTIME, "this rank has gone")
               : __real_pieces_pass(bodies, rows, width, take, user);
}

static void add_nothing(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sums)
{
    (void)user, (void)bodies, (void)first, (void)count, (void)sums;
}

enum status __real_whole_continue(const struct bodies *bodies, size_t c, whole_add add,
                                  const void *user, double *sums, size_t n);
enum status __wrap_whole_continue(const struct bodies *bodies, size_t c, whole_add add,
                                  const void *user, double *sums, size_t n);
enum status __wrap_whole_continue(const struct bodies *bodies, size_t c, whole_add add,
                                  const void *user, double *sums, size_t n)
{
    return __real_whole_continue(bodies, c, is_planted("missed") ? add_nothing : add, user, sums,
                                 n);
}

/* Every rank runs all tests, and rank 0 compares. */
static bool compares(void)
{
    return ranks_own() == 0;
}

#define assert_fails_alike(call, code, words)                                                      \
    do {                                                                                           \
        const enum status found_ = ranks_scope(call);                                              \
        assert_int_equal(found_, code);                                                            \
        assert_contains_all(status_text(), words);                                                 \
    } while (0)

static void assert_contains_all(const char *text, const char *words)
{
    char copy[256], *rest = copy;
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word; compares() && (word = strtok_r(rest, " ", &rest));)
        assert_contains(text, word);
}

/* ---- bodies ---- */

/* In up to four components, of which the second is not drawn and the others are of galaxies. */
static struct bodies *bodies_of(size_t count)
{
    static const char *const galaxies[] = {"one", "", "two", "one"};
    struct bodies *bodies = mixed_make(count, count);
    assert_ok(body_columns_add(&bodies->columns, "age", "Gyr", false, count));
    for (size_t i = 0; i < count; i++)
        bodies->columns.list[0].value[i] = sqrt((double)i);
    for (size_t c = 0; c < bodies->component_count; c++) {
        struct component *component = &bodies->components[c];
        component->draw = c != 1;
        snprintf(component->name, sizeof component->name, "part %zu", c);
        snprintf(component->galaxy, sizeof component->galaxy, "%s", galaxies[c % 4]);
    }
    return bodies;
}

static const struct column_ask asks[] = {
    {.name = COLUMN_ACCELERATION}, {.name = COLUMN_DISTANCE}, {.name = "age", .of = "age"}};
enum { ASKS = sizeof asks / sizeof *asks, WATCHED = 3 };

static enum status ask(struct simulation *simulation, const struct bodies *bodies)
{
    uint64_t drawn = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        drawn += bodies->components[c].draw ? component_whole(&bodies->components[c]) : 0;
    const uint64_t n = whole_size(bodies_whole(bodies)), watched[WATCHED] = {n - 1, 0, n / 2};
    simulation_sample_views(simulation);
    simulation_watch(simulation, watched, WATCHED);
    const size_t all = whole_size(bodies_whole(bodies));
    simulation_follow(simulation, (const size_t[]){all - 1, 0, all / 2}, WATCHED);
    return drawn > 0 ? simulation_ask_columns(simulation, asks, ASKS, drawn > 4 ? 4 : 1)
                     : STATUS_OK;
}

/* ---- what all ranks do ---- */

struct request {
    enum { ASK_OPEN, ASK_VIEW, ASK_THIN, ASK_COPY, ASK_FAIL, ASK_CLOSE } what;
    char force[32];
    double adaptive;
    uint64_t bodies;
    const struct view *view; /* VIEW */
    uint64_t size;           /* THIN */
    bool fails;              /* FAIL */
};

/* What rank 0 gets of all ranks. */
struct answer {
    float (*position)[4], (*velocity)[4]; /* VIEW, of all bodies */
    double *column[ASKS];
    float *sample;
    struct bodies *thin[2];
    uint64_t copy; /* COPY: a hash */
};

static struct simulation *simulation; /* shared */
static struct bodies *bodies;         /* this rank's share */

static struct simulation_params params_of(const char *force, double adaptive)
{
    return (struct simulation_params){.dt = 0.0078125,
                                      .softening = 0.0625,
                                      .steps_per_frame = 2,
                                      .force = choose(&force_registry, force),
                                      .force_error = 1e-3,
                                      .integrator = choose(&integrator_registry, "kdk"),
                                      .adaptive = adaptive};
}

/* Puts a column of words before all others. */
static enum status add_words(struct bodies *all)
{
    struct body_columns *columns = &all->columns;
    const enum status status = body_columns_add(columns, "name", "", false, all->count);
    if (status != STATUS_OK)
        return status;
    const struct body_column words = columns->list[columns->count - 1];
    memmove(columns->list + 1, columns->list, (columns->count - 1) * sizeof *columns->list);
    columns->list[0] = words;
    body_column_begin_words(&columns->list[0]);
    columns->list[0].value[0] = body_column_word(&columns->list[0], "Sun");
    return STATUS_OK;
}

static enum status open_here(const struct request *request)
{
    const struct simulation_params params = params_of(request->force, request->adaptive);
    struct bodies *all = compares() ? bodies_of(request->bodies) : NULL;
    enum status status = all ? add_words(all) : STATUS_OK;
    if (status == STATUS_OK)
        status = bodies_spread(&all, DIVIDE_EVENLY, &bodies);
    bodies_destroy(&all);
    if (status == STATUS_OK && body_columns_find(&bodies->columns, "name"))
        return status_fail(STATUS_MISMATCH, "words are on ranks");
    if (status == STATUS_OK)
        status = simulation_open(&simulation, &params, "cpu", 0, bodies);
    if (status == STATUS_OK)
        status = simulation_keep_trail(simulation, TRACED);
    return status == STATUS_OK ? ask(simulation, bodies) : status;
}

/* Where pieces of some width go. */
struct to {
    char *next;
    size_t width;
};

static enum status take(void *user, const double *rows, size_t count)
{
    struct to *to = user;
    memcpy(to->next, rows, count * to->width * sizeof *rows);
    to->next += count * to->width * sizeof *rows;
    return STATUS_OK;
}

static enum status pass(const void *rows, size_t width, void *all)
{
    struct to to = {all, width};
    return pieces_pass(bodies, rows, width, take, &to);
}

static enum status view_here(const struct request *request, struct answer *answer)
{
    const struct view *view = request->view;
    double *column = memory_new(bodies->count + 1, sizeof *column);
    enum status status = pass(view->position, 2, answer->position);
    if (status == STATUS_OK)
        status = pass(view->velocity, 2, answer->velocity);
    for (int k = 0; k < ASKS && status == STATUS_OK; k++) {
        const float *values = view_values(view, asks[k].name);
        for (size_t i = 0; i < bodies->count; i++)
            column[i] = values ? (double)values[i] : 0;
        status = pass(column, 1, answer->column[k]);
    }
    if (status == STATUS_OK && view->whole != whole_size(bodies_whole(bodies)))
        status = status_fail(STATUS_RUNTIME, "the view is of %zu bodies", view->whole);
    answer->sample = view->whole_sample;
    free(column);
    return status;
}

static enum status thin_here(const struct request *request, struct answer *answer)
{
    enum status status = whole_thin(bodies, request->size, &answer->thin[0]);
    return status == STATUS_OK ? pilot_thin(&answer->thin[1], bodies, request->size) : status;
}

/* A hash of state, energies and view of a simulation, after some frames. */
static enum status hash_end_of(struct simulation *copy, const struct bodies *of, uint64_t *out)
{
    struct simulation_state end;
    struct diagnostics energies;
    struct view *view = NULL;
    char text[HASH_TEXT];
    struct hash_stream *stream = hash_open();
    const size_t n = of->count;
    enum status status = simulation_state_create(n, &end);
    if (status == STATUS_OK)
        status = simulation_advance(copy, 3, NULL);
    if (status == STATUS_OK)
        status = simulation_get_state(copy, &end);
    if (status == STATUS_OK)
        status = simulation_diagnose(copy, &energies);
    if (status == STATUS_OK)
        status = simulation_view_create(copy, &view);
    if (status == STATUS_OK)
        status = simulation_view_fill(copy, view);
    if (status == STATUS_OK) {
        hash_add(stream, end.position, n * sizeof *end.position);
        hash_add(stream, end.velocity, n * sizeof *end.velocity);
        hash_add(stream, end.acceleration, n * sizeof *end.acceleration);
        hash_add(stream, &energies, sizeof energies);
        hash_add(stream, view->position, n * sizeof(float[4]));
        hash_add(stream, view->velocity, n * sizeof(float[4]));
        for (int k = 0; k < ASKS; k++)
            hash_add(stream, view_values(view, asks[k].name), n * sizeof(float));
    }
    hash_end(&stream, text);
    *out = strtoull(text + 16, NULL, 16); /* the last 16 of 32 digits */
    simulation_view_destroy(copy, &view);
    simulation_state_free(&end);
    return status;
}

/* A simulation of bodies that rank 0 has, whose forces all ranks compute. */
static enum status copy_here(const struct request *request, struct answer *answer)
{
    const struct simulation_params params = params_of(request->force, request->adaptive);
    struct bodies *all = compares() ? bodies_of(request->bodies) : NULL, *share = NULL;
    struct simulation *copy = NULL;
    enum status status = bodies_spread(&all, DIVIDE_FIRST, &share);
    if (status == STATUS_OK && share->count != (compares() ? request->bodies : 0))
        status = status_fail(STATUS_RUNTIME, "this rank has %zu bodies", share->count);
    if (status == STATUS_OK)
        status = simulation_open(&copy, &params, "cpu", 0, share);
    if (status == STATUS_OK && simulation_solver(copy)->ops != &solver_ranks)
        status = status_fail(STATUS_RUNTIME, "each rank computes alone");
    if (status == STATUS_OK)
        status = ask(copy, share);
    if (status == STATUS_OK)
        status = hash_end_of(copy, share, &answer->copy);
    simulation_close(&copy);
    bodies_destroy(&share);
    return status;
}

static enum status ask_all(struct request request, struct answer *answer)
{
    struct answer none = {0};
    answer = answer ? answer : &none;
    switch (request.what) {
    case ASK_OPEN:
        return open_here(&request);
    case ASK_VIEW:
        return view_here(&request, answer);
    case ASK_THIN:
        return thin_here(&request, answer);
    case ASK_COPY:
        return copy_here(&request, answer);
    case ASK_FAIL:
        fails = request.fails;
        return STATUS_OK;
    case ASK_CLOSE:
        simulation_close(&simulation);
        bodies_destroy(&bodies);
    }
    return STATUS_OK;
}

/* ---- the two side by side ---- */

struct pair {
    struct bodies *all;
    struct simulation *one; /* in this process */
};

static struct pair open_pair(size_t count, const char *force, double adaptive)
{
    struct pair pair = {.all = bodies_of(count)};
    const struct simulation_params params = params_of(force, adaptive);
    struct request request = {.what = ASK_OPEN, .bodies = count, .adaptive = adaptive};
    snprintf(request.force, sizeof request.force, "%s", force);
    assert_ok(ask_all(request, NULL));
    ranks_leave();
    assert_ok(simulation_open(&pair.one, &params, "cpu", 0, pair.all));
    ranks_enter(LANE_MAIN);
    assert_ok(simulation_keep_trail(pair.one, TRACED));
    assert_ok(ask(pair.one, pair.all));
    return pair;
}

static void close_pair(struct pair *pair)
{
    simulation_close(&pair->one);
    bodies_destroy(&pair->all);
    assert_ok(ask_all((struct request){.what = ASK_CLOSE}, NULL));
}

static void same(const char *what, const void *got, const void *alone_, size_t bytes)
{
    const char *a = got, *b = alone_;
    size_t k = compares() ? 0 : bytes;
    while (k < bytes && a[k] == b[k])
        k++;
    if (k < bytes)
        fail_msg("%s: byte %zu of %zu is not that of one process alone", what, k, bytes);
}

static void same_views(struct pair *pair)
{
    const size_t n = pair->all->count;
    struct view *view, *whole;
    struct answer answer = {.position = memory_new(n, sizeof *answer.position),
                            .velocity = memory_new(n, sizeof *answer.velocity)};
    for (int k = 0; k < ASKS; k++)
        answer.column[k] = memory_new(n, sizeof *answer.column[k]);
    assert_ok(simulation_view_create(simulation, &view));
    assert_ok(simulation_view_fill(simulation, view));
    assert_ok(simulation_view_create(pair->one, &whole));
    assert_ok(simulation_view_fill(pair->one, whole));
    assert_true(view->time == whole->time && view->interval == whole->interval &&
                view->frame == whole->frame && view->step == whole->step);
    assert_ok(ask_all((struct request){.what = ASK_VIEW, .view = view}, &answer));
    same("positions of views", answer.position, whole->position, n * sizeof *answer.position);
    same("velocities of views", answer.velocity, whole->velocity, n * sizeof *answer.velocity);
    for (int k = 0; k < ASKS; k++) {
        const float *values = view_values(whole, asks[k].name);
        for (size_t i = 0; i < n && values && compares(); i++)
            if (answer.column[k][i] != (double)values[i])
                fail_msg("%s of body %zu is %.9g, alone %.9g", asks[k].name, i, answer.column[k][i],
                         (double)values[i]);
        free(answer.column[k]);
    }
    const size_t stride = view_sample_stride(n), rows = (n + stride - 1) / stride;
    for (size_t k = 0; k < rows && compares(); k++) {
        same("the sample", answer.sample + 4 * k, view_sample_row(whole, k), sizeof(float[4]));
        same("the sample's velocities", answer.sample + 4 * (rows + k),
             view_sample_velocity(whole, k), sizeof(float[4]));
    }
    same("the watched bodies", view->watched, whole->watched,
         (VIEW_FOLLOWED_MAX + WATCHED) * sizeof *view->watched);
    same("the followed bodies", view->followed, whole->followed, WATCHED * sizeof *view->followed);
    for (size_t k = 0; k < WATCHED; k++) {
        const size_t i = k == 0 ? n - 1 : k == 1 ? 0 : n / 2;
        same("a followed body", whole->followed[k], whole->position + 4 * i, sizeof(float[4]));
        same("a watched body", whole->watched[VIEW_FOLLOWED_MAX + k], whole->position + 4 * i,
             sizeof(float[4]));
    }
    free(answer.position);
    free(answer.velocity);
    simulation_view_destroy(simulation, &view);
    simulation_view_destroy(pair->one, &whole);
}

/* What rank 0 has got of all bodies, to the others. */
static void spread_state(const struct simulation_state *state)
{
    const size_t rows = state->count * sizeof *state->position;
    assert_ok(ranks_share(state->mass, state->count * sizeof *state->mass, 0));
    assert_ok(ranks_share(state->position, rows, 0));
    assert_ok(ranks_share(state->velocity, rows, 0));
    assert_ok(ranks_share(state->acceleration, rows, 0));
}

static void same_states(struct pair *pair)
{
    const size_t n = pair->all->count;
    struct simulation_state got, want;
    assert_int_equal(simulation_saved(simulation), n);
    assert_ok(simulation_state_create(n, &got));
    assert_ok(simulation_state_create(n, &want));
    assert_ok(simulation_get_state(simulation, &got));
    assert_ok(simulation_get_state(pair->one, &want));
    same("masses", got.mass, want.mass, n * sizeof *got.mass);
    same("positions", got.position, want.position, n * sizeof *got.position);
    same("velocities", got.velocity, want.velocity, n * sizeof *got.velocity);
    same("accelerations", got.acceleration, want.acceleration, n * sizeof *got.acceleration);
    assert_int_equal(got.frame, want.frame);
    assert_int_equal(got.step, want.step);
    assert_int_equal(got.turn, want.turn);
    simulation_state_free(&got);
    simulation_state_free(&want);
}

static void same_diagnostics(struct pair *pair)
{
    struct diagnostics got, want;
    double radius[8], wanted[8];
    assert_ok(simulation_diagnose(simulation, &got));
    assert_ok(simulation_diagnose(pair->one, &want));
    same("diagnostics", &got, &want, sizeof got);
    assert_ok(simulation_half_mass(simulation, radius));
    assert_ok(simulation_half_mass(pair->one, wanted));
    same("half-mass radii", radius, wanted, pair->all->component_count * sizeof *radius);
    assert_ok(simulation_half_mass_all(simulation, radius));
    assert_ok(simulation_half_mass_all(pair->one, wanted));
    same("the half-mass radius of all", radius, wanted, sizeof *radius);
}

static void same_trails(struct pair *pair, size_t frames)
{
    struct view_trail *got, *want;
    assert_ok(simulation_save_trail(simulation, &got));
    assert_ok(simulation_save_trail(pair->one, &want));
    assert_int_equal(got->bodies, pair->all->count);
    assert_int_equal(got->frames, frames);
    assert_int_equal(want->frames, frames);
    same("times of a trail", got->time, want->time, frames * sizeof *got->time);
    same("a trail", got->rows, want->rows, frames * got->bodies * sizeof *got->rows);
    trail_destroy(&got);
    trail_destroy(&want);
}

static void same_now(struct pair *pair)
{
    same_states(pair);
    same_diagnostics(pair);
    same_views(pair);
}

static const size_t counts[] = {1, 2, 5, 33, 257, 3000};
static const char *const forces[] = {"exact", "double", "tree-exact"};
enum { COUNTS = sizeof counts / sizeof *counts, FORCES = 3, FRAMES = 3 };

static void shared_bodies_move_like_those_of_one(void **state)
{
    (void)state;
    for (int f = 0; f < FORCES; f++)
        for (size_t k = 0; k < COUNTS; k++) {
            struct pair pair = open_pair(counts[k], forces[f], k % 2 ? 0.02 : 0);
            same_now(&pair);
            same_trails(&pair, 1);
            assert_ok(simulation_advance(simulation, FRAMES, NULL));
            assert_ok(simulation_advance(pair.one, FRAMES, NULL));
            same_now(&pair);
            same_trails(&pair, TRACED + 1);
            close_pair(&pair);
        }
}

/* A state goes from ranks to one process and back. */
static void states_go_to_and_fro(void **state)
{
    (void)state;
    for (int f = 0; f < FORCES; f++) {
        struct pair pair = open_pair(1500, forces[f], 0);
        struct simulation_state saved;
        assert_ok(simulation_state_create(1500, &saved));
        for (int back = 0; back < 2; back++) {
            struct simulation *const from = back ? pair.one : simulation;
            assert_ok(simulation_advance(from, (uint64_t)back + 2, NULL));
            assert_ok(simulation_get_state(from, &saved));
            spread_state(&saved);
            assert_ok(simulation_set_state(back ? simulation : pair.one, &saved));
            same_now(&pair);
        }
        assert_ok(simulation_advance(simulation, 5, NULL));
        assert_ok(simulation_advance(pair.one, 5, NULL));
        same_now(&pair);
        saved.mass[1499] += 1;
        assert_fails_alike(simulation_set_state(simulation, &saved), STATUS_USAGE, "masses");
        simulation_state_free(&saved);
        same_states(&pair);
        close_pair(&pair);
    }
}

static const char *folder = ".";

static char *read_file(const char *path, size_t *size)
{
    char *bytes;
    assert_ok(file_read(path, (size_t)1 << 24, &bytes, size));
    return bytes;
}

/* Checkpoints have the bytes of one process's; either continues from the other's. One that fails
 * leaves the one before. */
static void checkpoints_are_those_of_one(void **state)
{
    (void)state;
    char paths[2][4096];
    snprintf(paths[0], sizeof paths[0], "%s/shared.checkpoint", folder);
    snprintf(paths[1], sizeof paths[1], "%s/alone-%d.checkpoint", folder, ranks_own());
    for (int f = 0; f < FORCES; f++) {
        struct pair pair = open_pair(1700, forces[f], 0.02);
        struct simulation *const both[2] = {simulation, pair.one};
        size_t size[2];
        for (int k = 0; k < 2; k++) {
            struct checkpoint *taken;
            assert_ok(simulation_advance(both[k], 2, NULL));
            assert_ok(checkpoint_take(&both[k], 1, &taken));
            assert_ok(checkpoint_store(taken, paths[k], "scene", "", k == 0 && f == 0));
            checkpoint_free(&taken);
        }
        assert_ok(ranks_agree(STATUS_OK)); /* the shared one is there for all */
        char *const bytes[2] = {read_file(paths[0], &size[0]), read_file(paths[1], &size[1])};
        assert_int_equal(size[0], size[1]);
        same("a checkpoint", bytes[0], bytes[1], size[1]);
        for (int k = 0; k < 2; k++) {
            assert_ok(simulation_advance(both[k], 4 + (uint64_t)k, NULL));
            if (k == 1)
                ranks_leave();
            assert_ok(checkpoint_read(paths[1 - k], &both[k], 1, "scene"));
            if (k == 1)
                ranks_enter(LANE_MAIN);
            assert_int_equal(simulation_frame(both[k]), 2);
        }
        same_trails(&pair, TRACED + 1);
        for (int k = 0; k < 2; k++)
            assert_ok(simulation_advance(both[k], 3, NULL));
        same_now(&pair);
        same_trails(&pair, TRACED + 1);

        struct checkpoint *taken;
        size_t now;
        assert_ok(checkpoint_take(both, 1, &taken));
        assert_ok(ask_all((struct request){.what = ASK_FAIL, .fails = true}, NULL));
        assert_fails_alike(checkpoint_store(taken, paths[0], "scene", "", false), STATUS_RUNTIME,
                           "rank 1 gone");
        assert_ok(ask_all((struct request){.what = ASK_FAIL}, NULL));
        checkpoint_free(&taken);
        char *const kept = read_file(paths[0], &now);
        assert_int_equal(now, size[0]);
        same("the checkpoint before", kept, bytes[0], now);
        char *const part = part_name(paths[0]);
        assert_false(file_exists(part));
        assert_ok(checkpoint_read(paths[0], both, 1, "scene"));
        assert_int_equal(simulation_frame(simulation), 2);
        assert_fails_alike(checkpoint_read(paths[0], both, 1, "another"), STATUS_USAGE, "scene");
        free(part);
        free(kept);
        free(bytes[0]);
        free(bytes[1]);
        close_pair(&pair);
    }
}

/* Bodies for pilot runs, and thinned ones, have the bits of one process. */
static void fewer_bodies_are_those_of_one(void **state)
{
    (void)state;
    static const size_t sizes[] = {1, 40, 600, 2000};
    struct pair pair = open_pair(2000, "exact", 0);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct answer answer = {0};
        struct bodies *want[2] = {NULL};
        assert_ok(ask_all((struct request){.what = ASK_THIN, .size = sizes[k]}, &answer));
        assert_ok(whole_thin(pair.all, sizes[k], &want[0]));
        assert_ok(pilot_thin(&want[1], pair.all, sizes[k]));
        for (int w = 0; w < 2; w++) {
            const struct bodies *got = answer.thin[w];
            assert_int_equal(got->count, want[w]->count);
            same("fewer masses", got->mass, want[w]->mass, got->count * sizeof *got->mass);
            same("fewer positions", got->position, want[w]->position,
                 got->count * sizeof *got->position);
            same("fewer velocities", got->velocity, want[w]->velocity,
                 got->count * sizeof *got->velocity);
            bodies_destroy(&answer.thin[w]);
            bodies_destroy(&want[w]);
        }
    }
    close_pair(&pair);
}

/* Rank 0 has the results, and all compute them. */
static void gathered_bodies_move_like_those_of_one(void **state)
{
    (void)state;
    for (int f = 0; f < FORCES; f++)
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            struct request request = {
                .what = ASK_COPY, .bodies = 1000, .adaptive = adaptive ? 0.02 : 0};
            struct answer answer = {0};
            struct bodies *all = bodies_of(1000);
            const struct simulation_params params = params_of(forces[f], request.adaptive);
            struct simulation *one;
            uint64_t want;
            snprintf(request.force, sizeof request.force, "%s", forces[f]);
            assert_ok(ask_all(request, &answer));
            ranks_leave();
            assert_ok(simulation_open(&one, &params, "cpu", 0, all));
            ranks_enter(LANE_MAIN);
            assert_ok(ask(one, all));
            assert_ok(hash_end_of(one, all, &want));
            same("a copy", &answer.copy, &want, sizeof want);
            simulation_close(&one);
            bodies_destroy(&all);
        }
}

/* Bodies that overflow are named by their number among all. */
static void broken_bodies_have_their_number(void **state)
{
    (void)state;
    struct pair pair = open_pair(900, "double", 0);
    struct simulation_state saved;
    assert_ok(simulation_state_create(900, &saved));
    assert_ok(simulation_get_state(simulation, &saved));
    spread_state(&saved);
    saved.velocity[777][1] = 1e308;
    saved.position[777][1] = 1.79e308;
    assert_ok(simulation_set_state(simulation, &saved));
    assert_false(simulation_is_broken(simulation));
    assert_fails(simulation_advance(simulation, 1, NULL), STATUS_RUNTIME, "body finite");
    if (strcmp(forces[1], "double") == 0)
        assert_true(simulation_is_broken(simulation));
    simulation_state_free(&saved);
    close_pair(&pair);
}

/* every: with what does not depend on how many ranks there are. */
static int test_on_ranks(bool every)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_bodies_move_like_those_of_one),
        cmocka_unit_test(states_go_to_and_fro),
        /* every */
        cmocka_unit_test(checkpoints_are_those_of_one),
        cmocka_unit_test(fewer_bodies_are_those_of_one),
        cmocka_unit_test(gathered_bodies_move_like_those_of_one),
        cmocka_unit_test(broken_bodies_have_their_number),
    };
    const size_t count = every ? sizeof tests / sizeof *tests : 2;
    return outcome_of(__FILE__, count, _cmocka_run_group_tests("tests", tests, count, NULL, NULL));
}

int main(int argc, char **argv)
{
    log_set_level(LOG_WARNING);
    folder = argc > 1 ? argv[1] : folder;
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    fault = argc > 3 ? argv[3] : "";
    int code = (int)ranks_open();
    if (code != STATUS_OK) {
        if (*status_text())
            log_error("%s", status_text());
        return code;
    }
    if (ranks_own() > 0 &&
        (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
        return STATUS_IO;
    ranks_enter(LANE_MAIN);
    code = test_on_ranks(argc > 2 || ranks_count() == 3 || getenv("GRAVREEL_TEST_ALL"));
    ranks_leave();
    ranks_close();
    return code;
}
