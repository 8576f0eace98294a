#include "sim/solver/cpu.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kernels/pairs/force.h"
#include "sim/solver/cpu_blocks.h"
#include "sim/solver/cpu_state.h"
#include "sim/solver/host_view.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *aligned(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

/* Updates the rows from the positions. */
static void place(struct cpu *cpu)
{
    cpu_sources_place(&cpu->sources, (const double(*)[3])cpu->position, cpu_threads(&cpu->solver));
}

/* On aarch64, where Linux has no "model name", the architecture. */
static void processor_name(char *name, size_t size)
{
    char line[256];
#if defined(__aarch64__)
    snprintf(name, size, "aarch64");
#else
    snprintf(name, size, "CPU");
#endif
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (!file)
        return;
    while (fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && value && value[1]) {
            snprintf(name, size, "%.*s", (int)strcspn(value + 2, "\n"), value + 2);
            break;
        }
    }
    (void)fclose(file);
}

static enum status cpu_probe(int device)
{
    (void)device;
    if (!force_cpu_find("auto"))
        return status_fail(
            STATUS_DEVICE,
            "this program was built for another processor (GRAVREEL_ISA=native), and "
            "this one lacks its instruction set; build it with -DGRAVREEL_ISA=all");
    return STATUS_OK;
}

static enum status cpu_describe(int device, char *text, size_t size)
{
    (void)device;
    char name[96];
    int threads = omp_get_max_threads();
    processor_name(name, sizeof name);
    const struct force_cpu *best = force_cpu_find("auto");
    snprintf(text, size, "%s, %d thread%s, %s, %d lanes", name, threads, threads == 1 ? "" : "s",
             best->doc, best->lanes);
    return STATUS_OK;
}

static void cpu_close(struct solver **solver)
{
    if (!*solver)
        return;
    struct cpu *cpu = cpu_of(*solver);
    cpu_sources_close(&cpu->sources);
    force_close(&cpu->solver.force);
    free(cpu->mass);
    free(cpu->position);
    free(cpu->velocity);
    free(cpu->acceleration);
    free(cpu->rungs);
    free(cpu->kept);
    cpu_near_close(&cpu->near);
    free(cpu);
    *solver = NULL;
}

static enum status allocate(struct cpu *cpu, size_t count)
{
    cpu->mass = aligned(count * sizeof *cpu->mass);
    cpu->position = aligned(count * sizeof *cpu->position);
    cpu->velocity = aligned(count * sizeof *cpu->velocity);
    cpu->acceleration = aligned(count * sizeof *cpu->acceleration);
    cpu->rungs = calloc(count, sizeof *cpu->rungs);
    if (!cpu->mass || !cpu->position || !cpu->velocity || !cpu->acceleration || !cpu->rungs)
        return status_fail(STATUS_RUNTIME,
                           "no memory for the state of %zu bodies, %zu bytes; ask for fewer "
                           "with -n",
                           count, count * (sizeof *cpu->mass + 3 * sizeof *cpu->position));
    return STATUS_OK;
}

/* Sets the bodies' initial state. */
static enum status begin(struct cpu *cpu, const struct bodies *bodies)
{
    const size_t count = bodies->count;
    struct force *force = cpu->solver.force;
    memcpy(cpu->mass, bodies->mass, count * sizeof *cpu->mass);
    memcpy(cpu->position, bodies->position, count * sizeof *cpu->position);
    memcpy(cpu->velocity, bodies->velocity, count * sizeof *cpu->velocity);
    memset(cpu->acceleration, 0, count * sizeof *cpu->acceleration);
    place(cpu);
    if (!force->path->prepare)
        return STATUS_OK;
    return (enum status)force->path->prepare(force, &cpu->sources.read, NULL);
}

static enum status cpu_open(const struct solver_setup *setup, const struct bodies *bodies,
                            struct solver **out)
{
    size_t count = bodies->count;
    struct cpu *cpu = memory_new(1, sizeof *cpu);
    cpu->solver = (struct solver){.count = count};
    enum status status = cpu_sources_open(&cpu->sources, setup, bodies);
    const struct force_request request = {
        .bodies = count,
        .sources = cpu->sources.read.count,
        .subset = setup->subset,
        .mixed = setup->mixed,
        .spline = setup->spline,
        .error = setup->force_error,
        .kernel = setup->kernel,
    };
    if (status == STATUS_OK)
        status = force_open(setup->force, setup->path, &request, &cpu->solver.force);
    if (status == STATUS_OK)
        status = allocate(cpu, count);
    if (status == STATUS_OK)
        status = begin(cpu, bodies);
    if (status != STATUS_OK) {
        cpu_close(&(struct solver *){&cpu->solver});
        return status;
    }

    char name[96];
    processor_name(name, sizeof name);
    int threads = omp_get_max_threads();
    cpu->solver.model = solver_cpu.name;
    snprintf(cpu->solver.device, sizeof cpu->solver.device, "%s (%d thread%s)", name, threads,
             threads == 1 ? "" : "s");
    cpu->solver.kernel = cpu->solver.force->kernel;
    *out = &cpu->solver;
    return STATUS_OK;
}

enum status cpu_evaluate(struct cpu *cpu, int from_rung)
{
    struct solver *solver = &cpu->solver;
    struct force *force = solver->force;
    double start = clock_seconds();
    cpu_sources_turn(&cpu->sources, solver->turn++);
    cpu->sources.read.rungs = from_rung < 0 ? NULL : cpu->rungs;
    cpu->sources.read.from_rung = from_rung;
    int failed = force->path->accelerate(force, &cpu->sources.read, cpu->acceleration, NULL);
    solver->force_seconds += clock_seconds() - start;
    solver->interactions += force->interactions;
    return (enum status)failed;
}

static enum status cpu_accelerate(struct solver *solver)
{
    return cpu_evaluate(cpu_of(solver), -1);
}

static enum status cpu_kick(struct solver *solver, double dt)
{
    struct cpu *cpu = cpu_of(solver);
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver))
    for (size_t i = 0; i < solver->count; i++)
        for (int c = 0; c < 3; c++)
            cpu->velocity[i][c] += cpu->acceleration[i][c] * dt;
    return STATUS_OK;
}

static enum status cpu_drift(struct solver *solver, double dt)
{
    struct cpu *cpu = cpu_of(solver);
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver))
    for (size_t i = 0; i < solver->count; i++)
        for (int c = 0; c < 3; c++)
            cpu->position[i][c] += cpu->velocity[i][c] * dt;
    place(cpu);
    return STATUS_OK;
}

static enum status cpu_damp(struct solver *solver, double factor)
{
    struct cpu *cpu = cpu_of(solver);
    for (size_t i = 0; i < solver->count; i++)
        for (int c = 0; c < 3; c++)
            cpu->velocity[i][c] *= factor;
    return STATUS_OK;
}

static enum status cpu_keep(struct solver *solver)
{
    struct cpu *cpu = cpu_of(solver);
    size_t n = solver->count, bytes = n * sizeof *cpu->kept;
    if (!cpu->kept)
        cpu->kept = aligned(3 * bytes);
    if (!cpu->kept)
        return status_fail(STATUS_RUNTIME, "no memory to keep %zu bodies for a step, %zu bytes", n,
                           3 * bytes);
    memcpy(cpu->kept, cpu->position, bytes);
    memcpy(cpu->kept + n, cpu->velocity, bytes);
    memcpy(cpu->kept + 2 * n, cpu->acceleration, bytes);
    cpu->kept_turn = solver->turn;
    return STATUS_OK;
}

static enum status cpu_potential(struct solver *solver, double *energy)
{
    struct cpu *cpu = cpu_of(solver);
    double *phi = malloc(solver->count * sizeof *phi), sum = 0;
    if (!phi)
        return status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies, %zu bytes",
                           solver->count, solver->count * sizeof *phi);
    int failed = solver->force->path->potential(solver->force, &cpu->sources.read, phi, NULL);
    for (size_t i = 0; !failed && i < solver->count; i++)
        sum += cpu->mass[i] * phi[i];
    free(phi);
    *energy = sum / 2;
    return (enum status)failed;
}

static enum status cpu_save(struct solver *solver, struct bodies *bodies)
{
    struct cpu *cpu = cpu_of(solver);
    memcpy(bodies->position, cpu->position, solver->count * sizeof *cpu->position);
    memcpy(bodies->velocity, cpu->velocity, solver->count * sizeof *cpu->velocity);
    return STATUS_OK;
}

static enum status cpu_load(struct solver *solver, const double (*position)[3],
                            const double (*velocity)[3], const double (*acceleration)[3])
{
    struct cpu *cpu = cpu_of(solver);
    size_t bytes = solver->count * sizeof *position;
    memcpy(cpu->position, position, bytes);
    memcpy(cpu->velocity, velocity, bytes);
    memcpy(cpu->acceleration, acceleration, bytes);
    place(cpu);
    return STATUS_OK;
}

static enum status cpu_restore(struct solver *solver)
{
    const struct cpu *cpu = cpu_of(solver);
    const double(*kept)[3] = (const double(*)[3])cpu->kept;
    solver->turn = cpu->kept_turn;
    return cpu_load(solver, kept, kept + solver->count, kept + 2 * solver->count);
}

static enum status cpu_find_broken(struct solver *solver, size_t *body)
{
    struct cpu *cpu = cpu_of(solver);
    size_t first = SOLVER_NONE;
    int threads = cpu_threads(solver);
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(threads) reduction(min : first)
    for (size_t i = 0; i < solver->count; i++) {
        const double *x = cpu->position[i], *v = cpu->velocity[i];
        bool whole = isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && isfinite(v[0]) &&
                     isfinite(v[1]) && isfinite(v[2]);
        if (!whole && i < first)
            first = i;
    }
    *body = first;
    return STATUS_OK;
}

static enum status cpu_accelerations(struct solver *solver, double (*out)[3])
{
    memcpy(out, cpu_of(solver)->acceleration, solver->count * sizeof *out);
    return STATUS_OK;
}

static enum status cpu_largest(struct solver *solver, double *acceleration)
{
    struct cpu *cpu = cpu_of(solver);
    double largest = 0;
    int threads = cpu_threads(solver);
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(threads) reduction(max : largest)
    for (size_t i = 0; i < solver->count; i++) {
        const double *a = cpu->acceleration[i];
        double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
        largest = square > largest ? square : largest;
    }
    *acceleration = sqrt(largest);
    return STATUS_OK;
}

static enum status cpu_view_fill(struct solver *solver, struct view *view)
{
    struct cpu *cpu = cpu_of(solver);
    float *size = view_values(view, COLUMN_ACCELERATION);
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver))
    for (size_t i = 0; i < solver->count; i++) {
        const double *v = cpu->velocity[i], *a = cpu->acceleration[i];
        float *at = view->position + 4 * i, *out = view->velocity + 4 * i;
        for (int c = 0; c < 3; c++) {
            at[c] = (float)cpu->position[i][c];
            out[c] = (float)v[c];
        }
        at[3] = (float)cpu->mass[i];
        out[3] = 0;
        if (size)
            size[i] = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    if (!view_values(view, COLUMN_DISTANCE))
        return STATUS_OK;
    return cpu_near_find(&cpu->near, solver, cpu->mass, (const double(*)[3])cpu->position,
                         cpu_threads(solver), view);
}

const struct solver_ops solver_cpu = {
    .name = "cpu",
    .doc = "all pairs on the CPU: OpenMP and SIMD",
    .views = VIEW_HOST,
    .probe = cpu_probe,
    .describe = cpu_describe,
    .open = cpu_open,
    .accelerate = cpu_accelerate,
    .kick = cpu_kick,
    .drift = cpu_drift,
    .blocks = &cpu_blocks,
    .damp = cpu_damp,
    .keep = cpu_keep,
    .restore = cpu_restore,
    .potential = cpu_potential,
    .save = cpu_save,
    .load = cpu_load,
    .find_broken = cpu_find_broken,
    .accelerations = cpu_accelerations,
    .largest = cpu_largest,
    .view_create = host_view_create,
    .view_fill = cpu_view_fill,
    .view_read = host_view_read,
    .view_destroy = host_view_destroy,
    .close = cpu_close,
};
