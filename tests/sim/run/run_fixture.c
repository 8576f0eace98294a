#include "tests/sim/run/run_fixture.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static void add_bodies(struct run_about *about)
{
    const size_t n = FIXTURE_BODIES;
    if (bodies_create(&about->bodies, n, 2) != STATUS_OK ||
        bodies_add_ids(about->bodies, n + 1) != STATUS_OK ||
        body_columns_add(&about->bodies->columns, "age", "Gyr", true, n + 1) != STATUS_OK ||
        body_columns_add(&about->bodies->columns, "name", "", false, n + 1) != STATUS_OK)
        abort();
    struct bodies *bodies = about->bodies;
    body_column_begin_words(&bodies->columns.list[1]);
    for (size_t i = 0; i < n; i++) {
        bodies->mass[i] = 0.1 * (double)(i + 1);
        bodies->id[i] = 1000000007 * (uint64_t)i;
        bodies->columns.list[0].value[i] = (double)i / 3;
        bodies->columns.list[1].value[i] =
            body_column_word(&bodies->columns.list[1], i % 2 ? "Vega" : "Deneb");
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] = (double)i + 0.1 * k;
            bodies->velocity[i][k] = -0.3 * (double)i;
        }
    }
    bodies->components[0] = (struct component){
        .name = "disk", .galaxy = "a/b \"c\"", .count = 5, .draw = true, .light = 1.5};
    bodies->components[1] =
        (struct component){.name = "halo", .first = 5, .count = n - 5, .softening = 0.25};
}

struct run_about run_fixture_about(uint32_t every)
{
    struct run_about about = {.frames = FIXTURE_FRAMES,
                              .every = every,
                              .moves = "0123456789abcdef",
                              .scene = memory_text("bodies:\n  count: 9\n"),
                              .simulation_count = 2,
                              .columns = {{COLUMN_DISTANCE, COLUMN_ACCELERATION}, 2},
                              .pilots = {.count = 1}};
    add_bodies(&about);
    for (int s = 0; s < 2; s++) {
        struct run_simulation *one = &about.simulations[s];
        snprintf(one->physics, sizeof one->physics, "force %d", s);
        snprintf(one->backend, sizeof one->backend, "cpu");
        snprintf(one->kernel, sizeof one->kernel, "a kernel");
        snprintf(one->model, sizeof one->model, "cpu");
        one->acceleration = memory_new(FIXTURE_BODIES, sizeof *one->acceleration);
        one->acceleration[3][1] = 7 + s;
    }
    struct run_pilot *pilot = &about.pilots.list[0];
    *pilot = (struct run_pilot){.key = "a pilot", .bodies = 2, .samples = 3};
    pilot->motion = memory_new(6, sizeof *pilot->motion);
    pilot->separation = memory_new(3, sizeof *pilot->separation);
    pilot->motion[5][5] = 0.7;
    pilot->separation[2] = 0.3;
    return about;
}

/* Positions of a cubic path in time, whose velocity belongs to it, so that interpolation is exact
 * but for rounding. */
float run_fixture_number(int simulation, uint64_t frame, size_t index)
{
    const double t = 0.1 * (double)frame, place = (double)(index % (3 * FIXTURE_BODIES));
    const double along = (double)simulation + place + t * (1 + t * (place - t));
    const double speed = 1 + t * (2 * place - 3 * t);
    return (float)(index < 3 * FIXTURE_BODIES ? along : speed);
}

enum status run_fixture_add(struct run *run, uint64_t from, uint64_t end)
{
    const struct run_about *about = run_about(run);
    enum status status = STATUS_OK;
    float block[2][8 * FIXTURE_BODIES];
    for (uint64_t f = from; f < end && status == STATUS_OK; f++) {
        struct run_rows rows[2];
        struct run_moment moment = {
            .step = 3 * f, .time = 0.1 * (double)f, .interval = 0.1, .diagnosed = f % 2 == 0};
        moment.diagnosis[3] = -(double)f;
        for (int s = 0; s < 2; s++) {
            for (size_t i = 0; i < 8 * FIXTURE_BODIES; i++)
                block[s][i] = i < 6 * FIXTURE_BODIES ? run_fixture_number(s, f, i) : (float)f;
            run_rows_at(about, block[s], &rows[s]);
            hash_parts(&(struct hash_part){block[s], sizeof block[s]}, 1, moment.states[s]);
        }
        hash_parts(&(struct hash_part){block, sizeof block}, 1, moment.state);
        status = run_add(run, &moment, rows);
    }
    return status;
}
