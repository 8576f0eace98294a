#include "sim/solver/cpu.h"

#include "base/clock.h"
#include "base/memory.h"
#include "kernels/pairs/force_cpu.h"
#include "kernels/isa.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/solver/cpu_among.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *aligned(size_t size)
{
    return aligned_alloc(64, (size + 63) / 64 * 64);
}

void host_view_destroy(struct solver *solver, struct view **view)
{
    (void)solver;
    if (!*view)
        return;
    free((*view)->position);
    free((*view)->velocity);
    for (int k = 0; k < (*view)->column_count; k++)
        free((*view)->columns[k].value);
    free(*view);
    *view = NULL;
}

enum status host_view_create(struct solver *solver, struct view **out)
{
    const size_t bytes = solver->count * sizeof(float[4]);
    struct view *view = memory_new(1, sizeof *view);
    *view = (struct view){.memory = VIEW_HOST, .device = -1, .count = solver->count};
    view->position = aligned(bytes);
    view->velocity = aligned(bytes);
    *out = NULL;
    bool whole = view->position && view->velocity;
    for (int k = 0; k < solver->columns.count; k++) {
        float *value = malloc(solver->count * sizeof *value);
        view->columns[view->column_count++] = (struct view_column){
            .name = solver->columns.list[k], .memory = VIEW_HOST, .value = value};
        whole = whole && value;
    }
    if (!whole) {
        host_view_destroy(solver, &view);
        return status_fail(STATUS_RUNTIME, "no memory for a view of %zu bodies, %zu bytes",
                           solver->count, 2 * bytes);
    }
    *out = view;
    return STATUS_OK;
}

enum status host_view_read(struct solver *solver, const float *from, size_t count, float *to)
{
    (void)solver;
    memcpy(to, from, count * sizeof *to);
    return STATUS_OK;
}

struct cpu_near {
    struct neighbours *neighbours;
    size_t count;      /* bodies that take part */
    double (*rows)[4]; /* rows of these bodies */
    float *distance;
};

/* Accepts a pointer to NULL. */
static void cpu_near_close(struct cpu_near **near)
{
    if (!*near)
        return;
    neighbours_close(&(*near)->neighbours);
    free((*near)->rows);
    free((*near)->distance);
    free(*near);
    *near = NULL;
}

static enum status open(struct cpu_near **out, const struct solver_near *request, size_t count)
{
    struct cpu_near *near = memory_new(1, sizeof *near);
    near->count = request->bodies ? request->count : count;
    near->rows = malloc(near->count * sizeof *near->rows);
    near->distance = malloc(near->count * sizeof *near->distance);
    enum status status =
        near->rows && near->distance
            ? neighbours_open(&near->neighbours, near->count, request->k)
            : status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies, %zu bytes",
                          near->count, near->count * (sizeof *near->rows + sizeof(float)));
    if (status == STATUS_OK)
        *out = near;
    else
        cpu_near_close(&near);
    return status;
}

/* Fills the view's COLUMN_DISTANCE for the bodies at these positions and, from the view's
 * velocities, its COLUMN_DISPERSION if it has one; opens *near if it is NULL. STATUS_RUNTIME: out
 * of memory. */
static enum status cpu_near_find(struct cpu_near **near, const struct solver *solver,
                                 const double *mass, const double (*position)[3], int threads,
                                 struct view *view)
{
    const uint32_t *bodies = solver->near.bodies;
    enum status status = *near ? STATUS_OK : open(near, &solver->near, solver->count);
    if (status != STATUS_OK)
        return status;
    struct cpu_near *n = *near;
    for (size_t i = 0; i < n->count; i++) {
        const size_t body = bodies ? bodies[i] : i;
        for (int c = 0; c < 3; c++)
            n->rows[i][c] = position[body][c];
        n->rows[i][3] = mass[body];
    }
    status =
        neighbours_find(n->neighbours, (const double(*)[4])n->rows, threads, n->distance, NULL);
    if (status != STATUS_OK)
        return status;
    float *distance = view_values(view, COLUMN_DISTANCE);
    float *dispersion = view_values(view, COLUMN_DISPERSION);
    for (size_t i = 0; i < solver->count && bodies; i++)
        distance[i] = INFINITY;
    for (size_t i = 0; i < n->count; i++)
        distance[bodies ? bodies[i] : i] = n->distance[i];
    if (!dispersion)
        return STATUS_OK;
    if (bodies)
        memset(dispersion, 0, solver->count * sizeof *dispersion);
    neighbours_dispersion(n->neighbours, (const float(*)[4])view->velocity, bodies, threads,
                          n->distance, dispersion);
    return STATUS_OK;
}

/* ---- steps per body ---- */

/* With fewer bodies than CPU_WORTH_THREADS, waking the other threads takes longer than one pass
 * over the bodies. */
enum { CPU_WORTH_THREADS = 8192, CPU_BATCH = 2048 };

struct cpu {
    struct solver solver;
    struct cpu_sources sources;
    double *mass;
    double (*position)[3], (*velocity)[3], (*acceleration)[3];
    uint8_t *rungs;    /* all 0 at first */
    double (*kept)[3]; /* positions, velocities, accelerations saved by `keep`; NULL before the
                        * first call */
    uint64_t kept_turn;
    struct cpu_near *near;        /* NULL until a view needs it */
    struct force_request request; /* by which the force was opened */
    struct cpu_among *among;      /* NULL until accelerations are wanted in two parts */
};

static inline struct cpu *cpu_of(struct solver *solver)
{
    return (struct cpu *)solver;
}

static inline int cpu_threads(const struct solver *solver)
{
    return solver->count < CPU_WORTH_THREADS ? 1 : force_cpu_threads();
}

static enum status cpu_evaluate(struct cpu *cpu, int from_rung);

static double softening_of(const struct sources *sources, size_t i)
{
    const double *halves = sources->halves; /* of a force in double: only such forces are partial */
    return halves ? sqrt(2 * halves[i]) : sources->softening;
}

static enum status choose(struct solver *solver, const struct rung_rule *rule, int from,
                          uint64_t count[RUNGS + 1])
{
    struct cpu *cpu = cpu_of(solver);
    uint64_t chosen[RUNGS + 1] = {0};
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver)) \
    reduction(+ : chosen)
    for (size_t i = 0; i < solver->count; i++) {
        if (cpu->rungs[i] < from)
            continue;
        const double *a = cpu->acceleration[i];
        const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        int rung = rung_for(rule, softening_of(&cpu->sources.read, i), size);
        cpu->rungs[i] = (uint8_t)(rung > from ? rung : from);
        chosen[cpu->rungs[i]]++;
    }
    memcpy(count, chosen, sizeof chosen);
    return STATUS_OK;
}

static enum status kick_half(struct solver *solver, double frame_time, int from)
{
    struct cpu *cpu = cpu_of(solver);
    double half[RUNGS];
    for (int k = 0; k < RUNGS; k++)
        half[k] = ldexp(frame_time, -k) / 2;
#pragma omp parallel for schedule(dynamic, CPU_BATCH) num_threads(cpu_threads(solver))
    for (size_t i = 0; i < solver->count; i++)
        for (int c = 0; cpu->rungs[i] >= from && c < 3; c++)
            cpu->velocity[i][c] += cpu->acceleration[i][c] * half[cpu->rungs[i]];
    return STATUS_OK;
}

static enum status accelerate(struct solver *solver, int from)
{
    return cpu_evaluate(cpu_of(solver), from);
}

static enum status save(struct solver *solver, uint8_t *rungs)
{
    memcpy(rungs, cpu_of(solver)->rungs, solver->count);
    return STATUS_OK;
}

static enum status load(struct solver *solver, const uint8_t *rungs)
{
    memcpy(cpu_of(solver)->rungs, rungs, solver->count);
    cpu_among_close(&cpu_of(solver)->among);
    return STATUS_OK;
}

/* ---- accelerations in two parts ---- */

static enum status open_among(struct cpu *cpu, int from)
{
    return cpu->among ? STATUS_OK
                      : cpu_among_open(&cpu->among, cpu->solver.force, &cpu->request,
                                       &cpu->sources.read, cpu->rungs, from);
}

static enum status evaluate_among(struct cpu *cpu, int from)
{
    const double start = clock_seconds();
    enum status status = open_among(cpu, from);
    if (status != STATUS_OK || cpu->among->known)
        return status;
    status =
        cpu_among_evaluate(cpu->among, &cpu->sources.read, (const double(*)[3])cpu->acceleration);
    cpu->solver.turn++;
    cpu->solver.interactions += cpu->among->force->interactions;
    cpu->solver.force_seconds += clock_seconds() - start;
    return status;
}

static enum status kick_among(struct solver *solver, double dt, int from)
{
    struct cpu *cpu = cpu_of(solver);
    enum status status = evaluate_among(cpu, from);
    for (size_t k = 0; status == STATUS_OK && k < cpu->among->count; k++)
        for (int c = 0; c < 3; c++)
            cpu->velocity[cpu->among->body[k]][c] += cpu->among->acceleration[k][c] * dt;
    return status;
}

static enum status accelerate_apart(struct solver *solver, int from)
{
    struct cpu *cpu = cpu_of(solver);
    enum status status = evaluate_among(cpu, from);
    if (status != STATUS_OK)
        return status;
    cpu->sources.read.apart = from;
    status = cpu_evaluate(cpu, 0);
    cpu->sources.read.apart = 0;
    for (size_t k = 0; status == STATUS_OK && solver->force->apart && k < cpu->among->count; k++)
        for (int c = 0; c < 3; c++)
            cpu->acceleration[cpu->among->body[k]][c] += cpu->among->acceleration[k][c];
    return status;
}

static bool save_among(const struct solver *solver, size_t *count, const double (**acceleration)[3])
{
    const struct cpu_among *among = ((const struct cpu *)solver)->among;
    if (!among || !among->known)
        return false;
    *count = among->count;
    *acceleration = (const double(*)[3])among->acceleration;
    return true;
}

static enum status load_among(struct solver *solver, int from, size_t count,
                              const double (*acceleration)[3])
{
    struct cpu *cpu = cpu_of(solver);
    enum status status = open_among(cpu, from);
    if (status == STATUS_OK && count != cpu->among->count)
        return status_fail(STATUS_USAGE, "the saved accelerations are of %zu bodies, not of %zu",
                           count, cpu->among->count);
    if (status != STATUS_OK)
        return status;
    memcpy(cpu->among->acceleration, acceleration, count * sizeof *acceleration);
    cpu->among->known = cpu->among->begun = true;
    return STATUS_OK;
}

static const struct solver_apart cpu_apart = {
    .kick = kick_among,
    .accelerate = accelerate_apart,
    .save = save_among,
    .load = load_among,
};

static const struct solver_blocks cpu_blocks = {
    .choose = choose,
    .accelerate = accelerate,
    .kick_half = kick_half,
    .save = save,
    .load = load,
    .apart = &cpu_apart,
};

/* Updates the rows from the positions. */
static void place(struct cpu *cpu)
{
    cpu_sources_place(&cpu->sources, (const double(*)[3])cpu->position, cpu_threads(&cpu->solver));
}

/* Falls back to the architecture on aarch64, where Linux has no "model name". */
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
    cpu_among_close(&cpu->among);
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
    cpu->request = request;
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

/* Computes the accelerations of the bodies from that rung on; -1: of all bodies, whatever their
 * rungs. */
static enum status cpu_evaluate(struct cpu *cpu, int from_rung)
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
    if (cpu->among)
        cpu->among->known = false;
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
