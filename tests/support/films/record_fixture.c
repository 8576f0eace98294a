#include "tests/support/films/record_fixture.h"
#include "tests/support/test.h"
#include "tests/support/choose.h"
#include "tests/support/forces/sphere.h"

#include "base/memory.h"
#include "sim/params.h"
#include "sim/integrators/integrator.h"
#include "sim/solver/solver.h"

#include <math.h>
#include <string.h>

void record_fixture_text(char **text, const char *with)
{
    free(*text);
    *text = memory_text(with);
}

static void hash_of(const char *what, uint64_t frame, char out[HASH_TEXT])
{
    const struct hash_part parts[] = {{what, strlen(what)}, {&frame, sizeof frame}};
    hash_parts(parts, 2, out);
}

static void fill_physics(struct frame_record *frame)
{
    const double t = (double)frame->frame * 0.04;
    hash_of("state", frame->frame, frame->state);
    frame->time = t;
    for (int k = 0; k < RECORD_SKETCH; k++)
        frame->bodies[0].sketch[k] = 40 * sin(k + t) + t * t;
    frame->bodies[0].diagnostics = (struct diagnostics){.mass = 1,
                                                        .kinetic = 0.25 + 1e-3 * t,
                                                        .potential = -0.5 - 1e-3 * t,
                                                        .energy = -0.25,
                                                        .virial = 1,
                                                        .centre = {1, 2, 3},
                                                        .momentum = {0, 1e-9, 0},
                                                        .angular_momentum = {0, 0, 0.1}};
    frame->bodies[0].half_mass = 1 + 1e-3 * t;
}

static void fill_pictures(struct frame_record *frame)
{
    hash_of("light", frame->frame, frame->light);
    hash_of("picture", frame->frame, frame->picture);
    hash_of("packet", frame->frame, frame->packet);
    hash_of("decoded", frame->frame, frame->decoded);
    for (int c = 0; c < 3; c++)
        frame->light_sum[c] = 1000 + 10 * c + (double)frame->frame;
    frame->picture_light = 0.01 + 1e-4 * (double)frame->frame;
    for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
        for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++)
            frame->thumbnail[y][x] = (uint8_t)(10 + x + y);
    frame->packet_bytes = 1000 + frame->frame;
    frame->key = frame->frame % 12 == 0;
    frame->psnr_y = 42 + 0.01 * (double)frame->frame;
    frame->psnr_cb = 46;
    frame->psnr_cr = 45;
    frame->ssim = 0.9;
    frame->bias = -0.02;
}

void record_fixture_make(struct record *record, uint64_t frames)
{
    *record = (struct record){0};
    assert_ok(record_create(record, 0, frames));
    record->program = memory_text("gravreel 1.0.0");
    record->renderer_class = memory_text("llvmpipe-256");
    record->device = memory_text("cpu, fast, AVX2, 8 lanes; llvmpipe (LLVM 15.0.6, 256 bits)");
    record->libraries = memory_text("libavcodec 59.37.100, libavformat 59.27.100");
    record->encoding = memory_text("libx264 medium crf 23, 8 threads");
    record->platform = (struct platform){
        .start = memory_text("libm probe 0x11111111"),
        .physics = memory_text("fast on cpu, AVX2, 8 lanes"),
        .drawing = memory_text("llvmpipe (LLVM 15.0.6, 256 bits), Mesa 22.3.6"),
        .encoder = memory_text("H.264 (libx264 164), libavcodec 59.37.100"),
        .muxer = memory_text("libavformat 59.27.100"),
    };
    record->scene = memory_text("simulation:\n  dt: 0.01\n  softening: 0.05\n  force: fast\n"
                                "look:\n  exposure: 1\n  bloom: 0.2\noutput:\n  frames: 24\n");
    record->scene_hash = memory_text("");
    record->bodies = 1000;
    record->softening = 0.05;
    record->output_format = memory_text("mp4");
    record->container = (struct container_record){
        .format = memory_text("mov,mp4,m4a,3gp,3g2,mj2"),
        .codec = memory_text("h264"),
        .profile = memory_text("High"),
        .pixel_format = memory_text("yuv420p"),
        .range = memory_text("tv"),
        .matrix = memory_text("bt709"),
        .transfer = memory_text("bt709"),
        .primaries = memory_text("bt709"),
        .chroma_site = memory_text("left"),
        .time_base = memory_text("1/15360"),
        .width = 320,
        .height = 180,
        .fps_num = 30,
        .fps_den = 1,
        .frames = frames,
        .bytes = 50000,
        .duration = (double)frames / 30,
    };
    hash_of("times", frames, record->container.times);
    for (uint64_t i = 0; i < frames; i++) {
        fill_physics(&record->frames[i]);
        fill_pictures(&record->frames[i]);
    }
}

/* ---- simulations ---- */

static double factor(double given)
{
    return given == 0 ? 1 : given;
}

static void take(struct record *record, uint64_t i, double time, struct solver *solver,
                 struct bodies *bodies, const double *mass)
{
    struct frame_record *frame = &record->frames[i];
    double potential;
    assert_ok(solver->ops->save(solver, bodies));
    assert_ok(solver->ops->potential(solver, &potential));
    memcpy(bodies->mass, mass, bodies->count * sizeof *mass);
    diagnostics_compute(bodies, potential, &frame->bodies[0].diagnostics);
    assert_ok(diagnostics_half_mass(bodies, &frame->bodies[0].half_mass));
    memset(frame->bodies[0].sketch, 0, sizeof frame->bodies[0].sketch);
    record_sketch_add((const double(*)[3])bodies->position, 0, bodies->count,
                      frame->bodies[0].sketch);
    const struct hash_part parts[] = {
        {bodies->position, bodies->count * sizeof *bodies->position},
        {bodies->velocity, bodies->count * sizeof *bodies->velocity},
    };
    hash_parts(parts, 2, frame->state);
    frame->time = time;
}

static void round_state(struct solver *solver, struct bodies *bodies)
{
    double(*acceleration)[3] = memory_new(bodies->count, sizeof *acceleration);
    assert_ok(solver->ops->save(solver, bodies));
    assert_ok(solver->ops->accelerations(solver, acceleration));
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            bodies->position[i][c] = (float)bodies->position[i][c];
            bodies->velocity[i][c] = (float)bodies->velocity[i][c];
        }
    assert_ok(solver->ops->load(solver, (const double(*)[3])bodies->position,
                                (const double(*)[3])bodies->velocity,
                                (const double(*)[3])acceleration));
    free(acceleration);
}

static struct solver *open_solver(const struct record_run *run, struct bodies *bodies, bool skip)
{
    struct solver_params params = {
        .softening = 0.05 * factor(run->softening),
        .force = choose(&force_registry, run->force ? run->force : "fast"),
        .kernel = run->kernel ? run->kernel : "auto",
        .subset = run->subset,
    };
    struct solver *solver;
    for (size_t i = 0; i < bodies->count; i++)
        bodies->mass[i] *= skip && i < run->skipped ? 0 : factor(run->mass);
    assert_ok(solver_open("cpu", &params, bodies, &solver));
    assert_ok(solver->ops->accelerate(solver));
    return solver;
}

static void perturb(struct bodies *bodies, double by)
{
    uint64_t state = 7;
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            bodies->position[i][c] *= 1 + by * ((double)(state >> 11) / (double)(1ull << 52) - 1);
        }
}

void record_fixture_run(struct record *record, const struct record_run *run)
{
    const uint32_t steps = run->steps ? run->steps : 4, frames = run->frames ? run->frames : 16;
    const double dt = 0.01;
    const struct integrator *integrator =
        choose(&integrator_registry, run->integrator ? run->integrator : "kdk");
    struct bodies *bodies = sphere_make(run->bodies ? run->bodies : 256, true, 5);
    double *mass = memory_new(bodies->count, sizeof *mass);
    memcpy(mass, bodies->mass, bodies->count * sizeof *mass);
    perturb(bodies, run->perturbed);
    *record = (struct record){0};
    assert_ok(record_create(record, 0, frames));
    record->bodies = bodies->count;
    record->softening = 0.05;
    record->platform.physics = memory_text(run->kernel ? run->kernel : "auto");
    record->scene = memory_text("simulation:\n  dt: 0.01\n  force: fast\n");
    struct solver *solver = open_solver(run, bodies, run->from == 0);
    for (uint64_t i = 0; i < frames; i++) {
        for (uint32_t s = 0; i > 0 && s < steps; s++) {
            assert_ok(integrator->step(solver, dt * factor(run->dt), 1));
            if (run->rounded)
                round_state(solver, bodies);
        }
        take(record, i, (double)i * steps * dt, solver, bodies, mass);
        if (run->from > 0 && i + 1 == run->from) {
            solver_close(&solver);
            solver = open_solver(run, bodies, true);
        }
    }
    solver_close(&solver);
    bodies_destroy(&bodies);
    free(mass);
}
