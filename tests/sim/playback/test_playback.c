/* Playback of snapshots: files written by this test, of bodies with known paths. */
#include "tests/support/choose.h"
#include "tests/support/files/folder.h"
#include "tests/support/files/hdf5_maker.h"
#include "tests/support/test.h"

#include "base/file.h"
#include "sim/checkpoint/checkpoint.h"
#include "sim/formats/formats.h"
#include "sim/models/models.h"
#include "sim/playback/openspace.h"
#include "sim/playback/playback.h"
#include "sim/playback/series.h"
#include "sim/simulation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Body `id` orbits the origin at a distance of 1 + id / 10, with a period of 2 pi. */
static void place(uint64_t id, double time, double x[3], double v[3])
{
    const double r = 1 + (double)id / 10, angle = time + (double)id;
    x[0] = r * cos(angle), x[1] = r * sin(angle), x[2] = (double)id;
    v[0] = -r * sin(angle), v[1] = r * cos(angle), v[2] = 0;
}

static char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s", folder_path(name));
    return path;
}

/* A snapshot of the bodies with these ids, which end with a 0. */
static void leave(const char *name, double time, const uint64_t *ids)
{
    struct bodies *bodies;
    size_t count = 0;
    while (ids[count])
        count++;
    assert_ok(bodies_create(&bodies, count, 1));
    assert_ok(bodies_add_ids(bodies, count));
    struct snapshot snapshot = {.bodies = bodies, .time = time, .time_known = true};
    snapshot_name_all(&snapshot);
    snprintf(bodies->components[0].name, BODIES_NAME_MAX, "disk");
    for (size_t i = 0; i < count; i++) {
        bodies->id[i] = ids[i];
        bodies->mass[i] = (double)ids[i];
        place(ids[i], time, bodies->position[i], bodies->velocity[i]);
    }
    assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
    bodies_destroy(&bodies);
}

static struct bodies_params series_of(const char *pattern)
{
    return (struct bodies_params){.model = choose(&model_registry, "snapshots"),
                                  .file = path_of(pattern),
                                  .file_units = choose(&unit_system_registry, "none"),
                                  .use = "",
                                  .position_scale = 1,
                                  .velocity_scale = 1,
                                  .mass_scale = 1};
}

static size_t row_of(const struct bodies *bodies, uint64_t id)
{
    size_t row = 0;
    while (row < bodies->count && bodies->id[row] != id)
        row++;
    assert_true(row < bodies->count);
    return row;
}

static double away(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* The largest error of positions, and of velocities, over the whole series. */
static void find_errors(const char *pattern, double *position, double *velocity)
{
    const struct bodies_params params = series_of(pattern);
    struct bodies *bodies;
    struct playback *playback;
    *position = *velocity = 0;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(playback_open(&playback, &params, bodies));
    for (int k = 0; k <= 64; k++) {
        struct playback_state state;
        const double time = playback_duration(playback) * k / 64;
        assert_ok(playback_at(playback, time, &state));
        for (size_t i = 0; i < bodies->count; i++) {
            double x[3], v[3];
            place(bodies->id[i], time, x, v);
            *position = fmax(*position, away(x, state.position[i]));
            *velocity = fmax(*velocity, away(v, state.velocity[i]));
        }
    }
    playback_close(&playback);
    bodies_destroy(&bodies);
}

/* Fourth order in the time between two snapshots, and within the polynomial's error bound. */
TEST(error_falls_sixteenfold)
{
    static const uint64_t ids[] = {1, 2, 3, 0};
    double position[2], velocity[2];
    for (int k = 0; k <= 8; k++) {
        char name[32];
        snprintf(name, sizeof name, "fine_%d.g2", k);
        leave(name, 0.25 * k, ids);
        snprintf(name, sizeof name, "coarse_%d.g2", k);
        if (k % 2 == 0)
            leave(name, 0.25 * k, ids);
    }
    find_errors("fine_*.g2", &position[0], &velocity[0]);
    find_errors("coarse_%d.g2", &position[1], &velocity[1]);
    assert_true(position[0] <= 1.3 * pow(0.25, 4) / 384 * 1.0001);
    assert_true(position[1] / position[0] > 15 && position[1] / position[0] < 17);
    assert_true(velocity[1] / velocity[0] > 7.5 && velocity[1] / velocity[0] < 8.5);
}

/* The derivatives are those of the position, and the ends are met exactly. */
TEST(polynomial)
{
    const double h = 0.7, a = 1.25, b = -2.5, va = 3, vb = 0.5, small = 1e-4;
    double at[3], before[3], after[3];
    struct hermite by = hermite_at(0, h);
    hermite_move(&by, a, b, va, vb, at);
    assert_true(at[0] == a && fabs(at[1] - va) < 1e-14);
    by = hermite_at(1, h);
    hermite_move(&by, a, b, va, vb, at);
    assert_true(at[0] == b && fabs(at[1] - vb) < 1e-14);
    for (double u = 0.125; u < 1; u += 0.125) {
        by = hermite_at(u, h);
        hermite_move(&by, a, b, va, vb, at);
        by = hermite_at(u - small, h);
        hermite_move(&by, a, b, va, vb, before);
        by = hermite_at(u + small, h);
        hermite_move(&by, a, b, va, vb, after);
        assert_true(fabs((after[0] - before[0]) / (2 * small * h) - at[1]) < 1e-5);
        assert_true(fabs((after[1] - before[1]) / (2 * small * h) - at[2]) < 1e-5);
    }
    assert_true(hermite_rounds(9.5, 0.5, 10, 10) == -1);
    assert_true(hermite_rounds(0.5, 9.5, 10, 10) == 1);
    assert_true(hermite_rounds(9.5, 1, 10, 20) == -1); /* of a box that expands */
    assert_true(hermite_rounds(0.5, 9.5, 0, 10) == 0);
}

static void expect_shown(const struct playback_state *state, const struct bodies *bodies,
                         uint64_t id, bool shown)
{
    const size_t row = row_of(bodies, id);
    const bool absent = state->absent[row];
    if (absent == shown)
        fail_msg("body %d is %s", (int)id, absent ? "absent" : "shown");
}

/* Body 2 is in all snapshots, in any order; 3 disappears, 4 appears; the files' names do not give
 * the order. */
TEST(bodies_come_and_go)
{
    leave("go_c.g2", 1, (uint64_t[]){3, 2, 1, 0});
    leave("go_a.g2", 2, (uint64_t[]){2, 4, 1, 0});
    leave("go_b.g2", 3, (uint64_t[]){4, 1, 2, 0});
    const struct bodies_params params = series_of("go_?.g2");
    struct bodies *bodies;
    struct playback *playback;
    struct playback_state now;
    double x[3], v[3];
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->count, 4);
    assert_true(bodies->mass[row_of(bodies, 2)] == 2);
    assert_true(bodies->mass[row_of(bodies, 3)] == 0);
    assert_true(bodies->mass[row_of(bodies, 4)] == 0);
    place(4, 2, x, v);
    assert_true(away(bodies->position[row_of(bodies, 4)], x) < 1e-12);

    assert_ok(playback_open(&playback, &params, bodies));
    assert_true(playback_duration(playback) == 2 && playback_epoch(playback) == 1);
    static const struct {
        double time;
        bool third, fourth;
    } moments[] = {{0, true, false},   {0.5, false, false}, {1, false, true},
                   {1.5, false, true}, {2, false, true},    {9, false, true},
                   {0, true, false},   {1.5, false, true},  {0.5, false, false}};
    for (size_t k = 0; k < sizeof moments / sizeof *moments; k++) {
        const double time = moments[k].time;
        assert_ok(playback_at(playback, time, &now));
        expect_shown(&now, bodies, 1, true);
        expect_shown(&now, bodies, 2, true);
        expect_shown(&now, bodies, 3, moments[k].third);
        expect_shown(&now, bodies, 4, moments[k].fourth);
        place(2, 1 + fmin(time, 2), x, v);
        assert_true(away(now.position[row_of(bodies, 2)], x) < 4e-3);
        place(4, 2, x, v);
        if (!moments[k].fourth)
            assert_true(away(now.position[row_of(bodies, 4)], x) < 1e-12);
    }
    playback_close(&playback);
    bodies_destroy(&bodies);
}

/* As in a film: consecutive frames, skipped frames, a state that is set, and fewer bodies. */
TEST(a_simulation_of_snapshots)
{
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "film_%d.g2", k);
        leave(name, 0.125 * k, (uint64_t[]){5, 6, 7, 8, 0});
    }
    struct bodies_params params = series_of("film_*.g2");
    params.count = 2;
    const struct simulation_params physics = {.dt = 0.05,
                                              .steps_per_frame = 1,
                                              .softening = 0.1,
                                              .adaptive = 0.02,
                                              .force = choose(&force_registry, "fast"),
                                              .integrator = choose(&integrator_registry, "kdk"),
                                              .played = &params};
    struct bodies *bodies;
    struct simulation *simulation, *again;
    struct simulation_state kept;
    const struct bodies *now;
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->count, 2);
    assert_ok(simulation_open(&simulation, &physics, "cpu", 0, bodies));
    assert_ok(simulation_open(&again, &physics, "cpu", 0, bodies));
    assert_true(playback_duration(simulation_playback(simulation)) == 0.5);
    assert_ok(simulation_advance(simulation, 7, NULL));
    assert_true(fabs(simulation_time(simulation) - 0.35) < 1e-15);
    assert_ok(simulation_bodies(simulation, &now));
    for (size_t i = 0; i < 2; i++) {
        double x[3], v[3];
        place(now->id[i], 0.35, x, v);
        assert_true(away(x, now->position[i]) < 2e-6);
    }
    assert_ok(simulation_state_create(simulation_saved(simulation), &kept));
    assert_ok(simulation_get_state(simulation, &kept));
    assert_ok(simulation_set_state(again, &kept));
    assert_ok(simulation_advance(simulation, 10, NULL));
    for (uint64_t f = 8; f <= 10; f++)
        assert_ok(simulation_advance(again, f, NULL));
    struct bodies *copy;
    assert_ok(bodies_copy(&copy, bodies));
    assert_ok(simulation_save(again, copy));
    assert_ok(simulation_bodies(simulation, &now));
    assert_memory_equal(now->position, copy->position, 2 * sizeof *copy->position);
    assert_memory_equal(now->velocity, copy->velocity, 2 * sizeof *copy->velocity);
    simulation_state_free(&kept);
    simulation_close(&simulation);
    simulation_close(&again);
    bodies_destroy(&copy);
    bodies_destroy(&bodies);
}

/* Those that no snapshot beside the time has are left out. */
TEST(who_is_present)
{
    leave("who_1.g2", 1, (uint64_t[]){3, 2, 1, 0});
    leave("who_2.g2", 2, (uint64_t[]){2, 4, 1, 0});
    const struct bodies_params params = series_of("who_*.g2");
    const struct simulation_params physics = {.dt = 0.5,
                                              .steps_per_frame = 1,
                                              .softening = 0.1,
                                              .force = choose(&force_registry, "fast"),
                                              .integrator = choose(&integrator_registry, "kdk"),
                                              .played = &params};
    static const uint64_t ids[3][4] = {{3, 2, 1, 0}, {2, 1, 0}, {2, 1, 4, 0}};
    struct bodies *bodies, *present;
    struct simulation *simulation;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(simulation_open(&simulation, &physics, "cpu", 0, bodies));
    for (uint64_t frame = 0; frame < 3; frame++) {
        assert_ok(simulation_advance(simulation, frame, NULL));
        assert_ok(simulation_present(simulation, &present));
        size_t count = 0;
        for (; ids[frame][count]; count++) {
            double x[3], v[3];
            const size_t row = row_of(present, ids[frame][count]);
            place(ids[frame][count], 1 + 0.5 * (double)frame, x, v);
            assert_true(away(x, present->position[row]) < 5e-3);
        }
        assert_int_equal(present->count, count);
        assert_int_equal(present->components[0].count, count);
        bodies_destroy(&present);
    }
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

/* Which has no bodies, since the snapshots have them; these are HDF5, too, which only one thing at
 * a time may use. */
TEST(a_checkpoint_of_snapshots)
{
    for (int k = 0; k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "stored_%d.hdf5", k);
        leave(name, 0.125 * k, (uint64_t[]){5, 6, 7, 8, 0});
    }
    const struct bodies_params params = series_of("stored_*.hdf5");
    const struct simulation_params physics = {.dt = 0.05,
                                              .steps_per_frame = 1,
                                              .softening = 0.1,
                                              .force = choose(&force_registry, "fast"),
                                              .integrator = choose(&integrator_registry, "kdk"),
                                              .played = &params};
    struct bodies *bodies;
    struct simulation *simulation, *again;
    struct checkpoint *checkpoint;
    const struct bodies *now, *then;
    char path[256];
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(simulation_open(&simulation, &physics, "cpu", 0, bodies));
    assert_ok(simulation_open(&again, &physics, "cpu", 0, bodies));
    assert_ok(simulation_advance(simulation, 9, NULL));
    assert_ok(checkpoint_take(&simulation, 1, &checkpoint));
    snprintf(path, sizeof path, "%s", folder_path("stored.h5"));
    assert_ok(checkpoint_store(checkpoint, path, "0123456789abcdef", "", false));
    assert_ok(checkpoint_read(path, &again, 1, "0123456789abcdef"));
    assert_int_equal(simulation_frame(again), 9);
    assert_ok(simulation_bodies(simulation, &now));
    assert_ok(simulation_bodies(again, &then));
    assert_memory_equal(now->position, then->position, 4 * sizeof *now->position);
    assert_memory_equal(now->velocity, then->velocity, 4 * sizeof *now->velocity);
    checkpoint_free(&checkpoint);
    simulation_close(&simulation);
    simulation_close(&again);
    bodies_destroy(&bodies);
}

static enum status make(const char *pattern)
{
    const struct bodies_params params = series_of(pattern);
    struct bodies *bodies;
    enum status status = bodies_make(&params, &bodies);
    assert_true(status == STATUS_OK || !bodies);
    bodies_destroy(&bodies);
    return status;
}

TEST(what_is_no_series)
{
    leave("bad_1.g2", 1, (uint64_t[]){1, 2, 0});
    assert_fails(make("none_*.g2"), STATUS_IO, "no file");
    assert_fails(make("bad_*.g2"), STATUS_USAGE, "--bodies-from two snapshots");
    leave("bad_2.g2", 1, (uint64_t[]){1, 2, 0});
    assert_fails(make("bad_*.g2"), STATUS_USAGE, "time 1");
    leave("bad_2.g2", 2, (uint64_t[]){1, 2, 2, 0});
    assert_fails(make("bad_*.g2"), STATUS_USAGE, "two bodies id 2");
    leave("row_1.mpv", 1, (uint64_t[]){1, 2, 0});
    leave("row_2.mpv", 2, (uint64_t[]){1, 2, 0});
    assert_ok(make("row_*.mpv"));
    leave("bad_2.csv", 2, (uint64_t[]){1, 2, 0});
    assert_int_equal(unlink(path_of("bad_2.g2")), 0);
    assert_fails(make("bad_*"), STATUS_USAGE, "time");
    assert_int_equal(unlink(path_of("bad_2.csv")), 0);
    /* Named like the files of one snapshot, but with two times; then with one. */
    leave("part.0.g2", 1, (uint64_t[]){1, 2, 0});
    leave("part.1.g2", 2, (uint64_t[]){1, 2, 0});
    assert_ok(make("part.*.g2"));
    leave("part.1.g2", 1, (uint64_t[]){1, 2, 0});
    assert_fails(make("part.*.g2"), STATUS_USAGE, "--bodies-from part.0.g2");
}

/* A file that has changed since the bodies were gathered gives a message on the calling thread. */
TEST(read_ahead_fails)
{
    for (int k = 0; k < 4; k++) {
        char name[32];
        snprintf(name, sizeof name, "lost_%d.g2", k);
        leave(name, k, (uint64_t[]){1, 2, 0});
    }
    const struct bodies_params params = series_of("lost_*.g2");
    struct bodies *bodies;
    struct playback *playback;
    struct playback_state now;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(playback_open(&playback, &params, bodies));
    assert_ok(playback_at(playback, 0.5, &now));
    assert_int_equal(truncate(path_of("lost_3.g2"), 100), 0);
    assert_int_not_equal(playback_at(playback, 2.5, &now), STATUS_OK);
    assert_says(status_text(), "lost_3.g2");
    playback_close(&playback);
    bodies_destroy(&bodies);
}

/* Around a periodic box of 10; in a box that bodies leave they move straight. */
TEST(boxes)
{
    for (int leaves = 0; leaves < 2; leaves++) {
        for (int k = 0; k < 2; k++) {
            struct bodies *bodies;
            assert_ok(bodies_create(&bodies, 2, 1));
            struct snapshot snapshot = {
                .bodies = bodies, .time = k, .time_known = true, .box = {10, 10, 10}};
            snapshot_name_all(&snapshot);
            bodies->mass[0] = bodies->mass[1] = 1;
            bodies->position[0][0] = k ? 0.5 : 9.5;
            bodies->position[1][0] = leaves ? -3 : 3;
            bodies->velocity[0][0] = leaves ? -9 : 1;
            char name[32];
            snprintf(name, sizeof name, "box%d_%d.hdf5", leaves, k);
            assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
            bodies_destroy(&bodies);
        }
        const struct bodies_params params = series_of(leaves ? "box1_*.hdf5" : "box0_*.hdf5");
        struct bodies *bodies;
        struct playback *playback;
        struct playback_state now;
        assert_ok(bodies_make(&params, &bodies));
        assert_ok(playback_open(&playback, &params, bodies));
        assert_ok(playback_at(playback, 0.5, &now));
        assert_true(fabs(now.position[0][0] - (leaves ? 5 : 0)) < 1e-12);
        playback_close(&playback);
        bodies_destroy(&bodies);
    }
}

enum { FLOW = 512 }; /* bodies of the expanding box */

/* Comoving coordinates, of a box of 1, at the scale factor a: straight lines in a. */
static double comoving(size_t i, double a)
{
    const double start = fmod((double)i * 0.754877666, 1),
                 way = 2 * fmod((double)i * 0.5698, 1) - 1;
    const double x = start + 2 * way * (a - 0.5);
    return x - floor(x);
}

/* A snapshot of matter alone, in GADGET's words: u = a^(1/2) dx/dt, with h = 1. */
static void leave_universe(const char *name, double a, double box, double hubble, double matter)
{
    static const struct maker_layout doubles = {.type = MAKER_F64}, whole = {.type = MAKER_U64};
    const uint64_t here[2] = {0, FLOW};
    static double x[3 * FLOW], u[3 * FLOW], mass[FLOW];
    static uint64_t ids[FLOW];
    struct maker *maker = maker_open(path_of(name));
    for (size_t i = 0; i < (size_t)3 * FLOW; i++) {
        const double way = 2 * fmod((double)i * 0.5698, 1) - 1;
        x[i] = box * comoving(i, a);
        u[i] = sqrt(a) * box * 2 * way * hubble / sqrt(a); /* da/dt = H0 a^(-1/2) */
        mass[i / 3] = 1;
        ids[i / 3] = i / 3 + 1;
    }
    maker_group(maker, "Header");
    maker_wholes(maker, "Header", "NumPart_ThisFile", here, 2, 4);
    maker_number(maker, "Header", "Time", a);
    maker_number(maker, "Header", "Redshift", 1 / a - 1);
    maker_number(maker, "Header", "Omega0", matter);
    maker_number(maker, "Header", "OmegaLambda", 0);
    maker_number(maker, "Header", "HubbleParam", 1);
    maker_number(maker, "Header", "BoxSize", box);
    maker_group(maker, "PartType1");
    maker_doubles(maker, "PartType1/Coordinates", FLOW, 3, x, &doubles);
    maker_doubles(maker, "PartType1/Velocities", FLOW, 3, u, &doubles);
    maker_doubles(maker, "PartType1/Masses", FLOW, 0, mass, &doubles);
    maker_ids(maker, "PartType1/ParticleIDs", FLOW, ids, &whole);
    maker_close(&maker);
}

/* In an expanding box, bodies that cross its edge have no larger errors than others, none leaves
 * it, and the box as a whole is at rest. The scene's units are those of the files, divided by these
 * factors. */
static void check_expanding_box(double length, double velocity)
{
    const double box = 1000, unit_s = 3.085678e21 / 1e5; /* GADGET's: kpc and km/s */
    const double hubble = 100e5 / 3.0856775814913673e24 * unit_s, centre = 0.25 * box;
    static const double scales[] = {0.5, 0.53, 0.56};
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "grows_%d.hdf5", k);
        leave_universe(name, scales[k], box, hubble, 1);
    }
    struct bodies_params params = series_of("grows_*.hdf5");
    params.file_units = choose(&unit_system_registry, "gadget");
    params.units = (struct units_params){.length_kpc = 1 / length, .velocity_kms = 1 / velocity};
    struct bodies *bodies;
    struct playback *playback;
    size_t round = 0;
    double worst[2] = {0}, flow = 0, most = 0;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(playback_open(&playback, &params, bodies));
    const double epoch = playback_epoch(playback), unit_of_time = length / velocity;
    for (int k = 0; k <= 20; k++) {
        struct playback_state now;
        const double time = playback_duration(playback) * k / 20;
        const double a = pow(1.5 * hubble * (epoch + time) / unit_of_time, 2.0 / 3),
                     speed = hubble / sqrt(a);
        assert_ok(playback_at(playback, time, &now));
        for (size_t i = 0; i < (size_t)3 * FLOW; i++) {
            const double x = (now.position[i / 3][i % 3] / length - centre) / (a * box) + 0.5,
                         moves = now.velocity[i / 3][i % 3] / velocity;
            const double way = 2 * (2 * fmod((double)i * 0.5698, 1) - 1);
            const double v = (x - 0.5) * box * speed + a * way * box * speed;
            double off = fabs(x - comoving(i, a));
            const double first = fmod((double)i * 0.754877666, 1);
            const bool wraps = floor(first + way * (scales[2] - 0.5)) != 0;
            off = fmin(off, 1 - off);
            worst[wraps] = fmax(worst[wraps], off);
            if (!(x > -1e-6 && x < 1 + 1e-6))
                fail_msg("coordinate %zu is at %g of the box", i, x);
            if (!(fabs(moves - v) < 2e-3 * box * speed))
                fail_msg("coordinate %zu moves at %g, not %g", i, moves, v);
            round += k == 0 && wraps;
            flow += moves / (21 * 3 * FLOW);
            most = fmax(most, fabs(moves));
        }
    }
    assert_true(round > 50);
    assert_true(worst[0] < 1e-5 && worst[1] < 1.5 * worst[0]);
    assert_true(fabs(flow) < 0.05 * most);
    playback_close(&playback);
    bodies_destroy(&bodies);
}

/* In a comoving frame, bodies that move on straight lines in the scale factor are where they belong
 * at any time, the box stays as it is, and so does a body at rest. */
TEST(a_comoving_frame)
{
    const double box = 1000, unit_s = 3.085678e21 / 1e5;
    const double hubble = 100e5 / 3.0856775814913673e24 * unit_s;
    static const double scales[] = {0.3, 0.5, 0.7}, length = 0.5, velocity = 0.125;
    for (int k = 0; k < 3; k++) {
        char name[32];
        snprintf(name, sizeof name, "comoves_%d.hdf5", k);
        leave_universe(name, scales[k], box, hubble, 1);
    }
    struct bodies_params params = series_of("comoves_*.hdf5");
    params.file_units = choose(&unit_system_registry, "gadget");
    params.units = (struct units_params){.length_kpc = 1 / length, .velocity_kms = 1 / velocity};
    params.frame = choose(&space_frame_registry, "comoving");
    struct bodies *bodies;
    struct playback *playback;
    size_t round = 0;
    double off = 0, slow = 0;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(playback_open(&playback, &params, bodies));
    const double epoch = playback_epoch(playback), unit_of_time = length / velocity;
    for (int k = 0; k <= 20; k++) {
        struct playback_state now;
        const double time = playback_duration(playback) * k / 20;
        const double a = pow(1.5 * hubble * (epoch + time) / unit_of_time, 2.0 / 3);
        assert_ok(playback_at(playback, time, &now));
        for (size_t i = 0; i < (size_t)3 * FLOW; i++) {
            const double x = now.position[i / 3][i % 3] / length / box;
            const double way = 2 * (2 * fmod((double)i * 0.5698, 1) - 1);
            const double first = fmod((double)i * 0.754877666, 1);
            /* d/dt of x in comoving units: way da/dt */
            const double v = way * box * hubble / sqrt(a),
                         moves = now.velocity[i / 3][i % 3] / velocity;
            const double away = fabs(x - comoving(i, a));
            off = fmax(off, fmin(away, 1 - away));
            slow = fmax(slow, fabs(moves - v) / (box * hubble));
            round += k == 0 && floor(first + way * (scales[2] - 0.5)) != 0;
            assert_true(x > -1e-9 && x < 1 + 1e-9);
        }
    }
    print_message("%.2g of the box and %.2g of H0 off; %zu cross an edge\n", off, slow, round);
    assert_true(round > 50);
    assert_true(off < 1e-6 && slow < 1e-5);
    playback_close(&playback);
    bodies_destroy(&bodies);
}

/* In a comoving frame, scale factors grow with time. */
TEST(two_universes)
{
    const double hubble = 1e-3;
    struct playback_span span;
    leave_universe("two_0.hdf5", 0.5, 1000, hubble, 1);
    leave_universe("two_1.hdf5", 0.4, 1000, hubble, 0.1);
    struct bodies_params params = series_of("two_*.hdf5");
    assert_ok(playback_measure(&params, &span));
    params.frame = choose(&space_frame_registry, "comoving");
    assert_fails(playback_measure(&params, &span), STATUS_USAGE,
                 "two_1.hdf5 two_0.hdf5 0.4 after 0.5 bodies.frame");
}

/* Files of a universe that does not expand have no comoving frame. */
TEST(no_comoving_frame)
{
    struct bodies *bodies;
    assert_ok(bodies_create(&bodies, 2, 1));
    for (int k = 0; k < 2; k++) {
        struct snapshot snapshot = {.bodies = bodies, .time = k, .time_known = true};
        char name[32];
        snprintf(name, sizeof name, "rests_%d.hdf5", k);
        snapshot_name_all(&snapshot);
        assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
    }
    bodies_destroy(&bodies);
    struct bodies_params params = series_of("rests_*.hdf5");
    struct playback_span span;
    params.frame = choose(&space_frame_registry, "comoving");
    assert_fails(playback_measure(&params, &span), STATUS_USAGE, "rests_0.hdf5 bodies.frame");
}

/* Each axis has its own edge, or none; a scene may state them. */
TEST(boxes_that_are_no_cubes)
{
    for (int stated = 0; stated < 2; stated++) {
        for (int k = 0; k < 2; k++) {
            struct bodies *bodies;
            assert_ok(bodies_create(&bodies, 1, 1));
            struct snapshot snapshot = {.bodies = bodies, .time = k, .time_known = true};
            const double edges[3] = {10, 0, 40};
            if (!stated)
                memcpy(snapshot.box, edges, sizeof edges);
            snapshot_name_all(&snapshot);
            bodies->mass[0] = 1;
            for (int c = 0; c < 3; c++) {
                bodies->position[0][c] = k ? 0.5 : 9.5;
                bodies->velocity[0][c] = c ? -9 : 1;
            }
            char name[48];
            snprintf(name, sizeof name, "long%d_%d.hdf5", stated, k);
            assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
            bodies_destroy(&bodies);
        }
        struct bodies_params params = series_of(stated ? "long1_*.hdf5" : "long0_*.hdf5");
        struct bodies *bodies;
        struct playback *playback;
        struct playback_state now;
        params.box[0] = stated ? 10 : 0;
        assert_ok(bodies_make(&params, &bodies));
        assert_ok(playback_open(&playback, &params, bodies));
        assert_ok(playback_at(playback, 0.25, &now));
        assert_true(fabs(now.position[0][0] - 9.75) < 1e-12); /* through the edge */
        assert_true(fabs(now.position[0][1] - 7.25) < 1e-12 &&
                    fabs(now.position[0][2] - 7.25) < 1e-12);
        playback_close(&playback);
        bodies_destroy(&bodies);
    }
}

TEST(an_expanding_box)
{
    check_expanding_box(1, 1);
    check_expanding_box(0.5, 0.125);
}

/* Another program's snapshots: two galaxies, whose haloes are not drawn. */
TEST(of_another_program)
{
    char pattern[4200];
    snprintf(pattern, sizeof pattern, "%s/snapshot_*.hdf5", test_data("gadget_hdf5"));
    struct bodies_params params = series_of("");
    params.file = pattern;
    params.file_units = NULL;
    struct playback_span span;
    struct bodies *bodies;
    assert_ok(playback_measure(&params, &span));
    assert_int_equal(span.snapshots, 4);
    assert_true(span.epoch == 0 && fabs(span.duration - 1.50391) < 1e-5);
    assert_ok(bodies_make(&params, &bodies));
    assert_int_equal(bodies->count, 60000);
    assert_int_equal(bodies->component_count, 2);
    for (size_t c = 0; c < 2; c++)
        assert_int_equal(bodies->components[c].draw,
                         strcmp(bodies->components[c].name, "halo") != 0);
    bodies_destroy(&bodies);
}

/* Two snapshots with the columns Age and Other; body 5 is in the second alone, and of body 3 the
 * second does not know Age. */
static void leave_ages(void)
{
    static const uint64_t first[] = {4, 2, 3}, second[] = {3, 5, 4, 2};
    for (int k = 0; k < 2; k++) {
        struct bodies *bodies;
        const uint64_t *ids = k ? second : first;
        const size_t count = k ? 4 : 3;
        assert_ok(bodies_create(&bodies, count, 1));
        assert_ok(bodies_add_ids(bodies, count));
        assert_ok(body_columns_add(&bodies->columns, "Age", "", false, count));
        assert_ok(body_columns_add(&bodies->columns, "Other", "", false, count));
        struct snapshot snapshot = {.bodies = bodies, .time = k, .time_known = true};
        snapshot_name_all(&snapshot);
        for (size_t i = 0; i < count; i++) {
            bodies->id[i] = ids[i];
            bodies->mass[i] = 1;
            place(ids[i], k, bodies->position[i], bodies->velocity[i]);
            bodies->columns.list[0].value[i] =
                k == 1 && ids[i] == 3 ? NAN : (double)(10 * ids[i]) + 100 * k;
        }
        const char *name = k ? "age_1.hdf5" : "age_0.hdf5";
        assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
        bodies_destroy(&bodies);
    }
}

/* The first snapshot's further columns, of those that are chosen; who comes later has none. */
TEST(columns_of_the_first)
{
    leave_ages();
    struct bodies *all;
    struct bodies_params params = series_of("age_*.hdf5");
    params.columns = (const char *const[]){"Age", NULL};
    assert_ok(bodies_make(&params, &all));
    assert_int_equal(all->count, 4);
    assert_int_equal(all->columns.count, 1);
    for (size_t i = 0; i < 4; i++) {
        const double value = all->columns.list[0].value[i];
        assert_true(all->id[i] == 5 ? isnan(value) : value == 10 * (double)all->id[i]);
    }
    bodies_destroy(&all);
}

/* For drawn bodies in all snapshots, and in sixteen of many, including the first and the last. */
TEST(numbers_over_a_series)
{
    leave_ages();
    struct bodies_params params = series_of("age_*.hdf5");
    struct bodies *all;
    double *list;
    size_t count, missing = 0;
    params.columns = (const char *const[]){"Age", NULL};
    assert_ok(bodies_make(&params, &all));
    assert_ok(playback_numbers(&params, all, "Age", &list, &count));
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        isnan(list[i]) ? (void)missing++ : (void)(sum += list[i]);
    assert_true(count == 7 && missing == 1 && sum == 40 + 20 + 30 + 150 + 140 + 120);
    free(list);
    all->components[0].draw = false;
    assert_ok(playback_numbers(&params, all, "Age", &list, &count));
    assert_int_equal(count, 0);
    free(list);
    bodies_destroy(&all);
    for (int k = 0; k < 40; k++) {
        char name[32];
        struct bodies *one;
        assert_ok(bodies_create(&one, 1, 1));
        assert_ok(bodies_add_ids(one, 1));
        assert_ok(body_columns_add(&one->columns, "Age", "", false, 1));
        struct snapshot snapshot = {.bodies = one, .time = k, .time_known = true};
        snapshot_name_all(&snapshot);
        one->id[0] = 1;
        one->columns.list[0].value[0] = k;
        snprintf(name, sizeof name, "long_%02d.hdf5", k);
        assert_ok(format_of_extension(name)->write(path_of(name), &snapshot));
        bodies_destroy(&one);
    }
    params.file = path_of("long_*.hdf5");
    assert_ok(bodies_make(&params, &all));
    assert_ok(playback_numbers(&params, all, "Age", &list, &count));
    assert_int_equal(count, NUMBERS_SNAPSHOTS);
    assert_true(list[0] == 0 && list[count - 1] == 39);
    for (size_t i = 1; i < count; i++)
        assert_true(list[i] - list[i - 1] == 2 || list[i] - list[i - 1] == 3);
    free(list);
    bodies_destroy(&all);
}

static float doubled(const void *by, double number)
{
    return isnan(number) ? *(const float *)by : (float)(2 * number);
}

/* What a body's column is at a part of the way between the two snapshots. */
static double age_at(uint64_t id, double part)
{
    const double first = (double)(10 * id), second = first + 100;
    if (id == 5)
        return part == 1 ? second : NAN; /* absent before */
    if (id == 3)
        return part == 0 ? first : NAN;
    return first + part * (second - first);
}

/* In views, in what is written as a snapshot, and after a state was set, in any order of times. */
TEST(columns_between_two)
{
    static const float none = -7;
    static const uint64_t frames[] = {0, 1, 3, 4};
    leave_ages();
    struct bodies_params params = series_of("age_*.hdf5");
    params.columns = (const char *const[]){"Age", NULL};
    const struct simulation_params physics = {.dt = 0.25,
                                              .steps_per_frame = 1,
                                              .softening = 0.1,
                                              .force = choose(&force_registry, "fast"),
                                              .integrator = choose(&integrator_registry, "kdk"),
                                              .played = &params};
    const struct column_ask asks[] = {{.name = "twice", .of = "Age", .as = doubled, .by = &none},
                                      {.name = "age", .of = "Age"}};
    struct bodies *bodies, *present;
    struct simulation *simulation, *again;
    struct simulation_state kept;
    struct view *view, *other;
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(simulation_open(&simulation, &physics, "cpu", 0, bodies));
    assert_ok(simulation_open(&again, &physics, "cpu", 0, bodies));
    assert_true(simulation_has_absences(simulation));
    assert_fails(simulation_ask_columns(simulation,
                                        &(struct column_ask){.name = "a", .of = "Nothing"}, 1, 0),
                 STATUS_USAGE, "column Nothing");
    assert_ok(simulation_ask_columns(simulation, asks, 2, 0));
    assert_ok(simulation_ask_columns(again, asks, 2, 0));
    assert_ok(simulation_view_create(simulation, &view));
    assert_ok(simulation_view_create(again, &other));
    assert_ok(simulation_state_create(simulation_saved(simulation), &kept));
    for (size_t f = 0; f < 4; f++) {
        const double part = 0.25 * (double)frames[f];
        assert_ok(simulation_advance(simulation, frames[f], NULL));
        assert_ok(simulation_view_fill(simulation, view));
        const float *twice = view_values(view, "twice"), *age = view_values(view, "age");
        const float *absent = view_values(view, COLUMN_ABSENT);
        assert_false(view_column(view, "age")->constant);
        assert_ok(simulation_present(simulation, &present));
        assert_int_equal(present->count, part < 1 ? 3 : 4);
        for (size_t i = 0; i < bodies->count; i++) {
            const uint64_t id = bodies->id[i];
            const double want = age_at(id, part);
            assert_true(isnan(want) ? isnan(age[i]) : fabs((double)age[i] - want) < 1e-5);
            assert_true(isnan(want) ? twice[i] == none : twice[i] == 2 * age[i]);
            assert_true(absent[i] == (id == 5 && part < 1));
            if (absent[i] == 0) {
                const double shown = present->columns.list[0].value[row_of(present, id)];
                assert_true(isnan(want) ? isnan(shown) : fabs(shown - want) < 1e-12);
            }
        }
        bodies_destroy(&present);
        /* Set from a state, the same. */
        assert_ok(simulation_get_state(simulation, &kept));
        assert_ok(simulation_set_state(again, &kept));
        assert_ok(simulation_view_fill(again, other));
        for (int k = 0; k < view->column_count; k++)
            assert_memory_equal(view->columns[k].value, other->columns[k].value,
                                bodies->count * sizeof(float));
    }
    simulation_state_free(&kept);
    simulation_view_destroy(simulation, &view);
    simulation_view_destroy(again, &other);
    simulation_close(&simulation);
    simulation_close(&again);
    bodies_destroy(&bodies);
}

/* The rows of the data: all bodies of the first snapshot, then of the second, without the one that
 * the third lacks, in the order of their ids. */
TEST(for_openspace)
{
    static const uint64_t all[] = {3, 5, 8, 0}, some[] = {8, 3, 0};
    leave("os_0.hdf5", 0, all);
    leave("os_1.hdf5", 0.5, all);
    leave("os_2.hdf5", 1.5, some);
    const struct bodies_params params = series_of("os_*.hdf5");
    struct openspace_export done;
    char path[256], *text;
    snprintf(path, sizeof path, "%s", folder_path("two runs.asset"));
    assert_ok(openspace_write(path, &params, false, &done));
    assert_true(done.bodies == 2 && done.steps == 3 && done.left_out == 1 && !done.sized);
    assert_fails(openspace_write(path, &params, false, &done), STATUS_USAGE, "two runs.disk.csv");
    assert_ok(file_read(path, 1 << 20, &text, NULL));
    assert_says(text, "Identifier = \"gravreel-two-runs-disk\" RenderableInterpolatedPoints "
                      "asset.resource(\"two runs.disk.csv\") NumberOfObjects = 2, Unit = \"Kpc\"");
    free(text);
    assert_ok(file_read(folder_path("two runs.disk.csv"), 1 << 20, &text, NULL));
    static const double times[] = {0, 0.5, 1.5};
    static const uint64_t ids[] = {3, 8};
    const char *line = strchr(text, '\n');
    for (int row = 0; row < 6; row++) {
        double at[3], x[3], v[3];
        assert_non_null(line);
        assert_int_equal(sscanf(line + 1, "%lf,%lf,%lf", &at[0], &at[1], &at[2]), 3);
        place(ids[row % 2], times[row / 2], x, v);
        assert_true(away(at, x) < 1e-6);
        line = strchr(line + 1, '\n');
    }
    assert_true(line && line[1] == '\0');
    free(text);
}

TESTS(folder_set_up, folder_tear_down)
