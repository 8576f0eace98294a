#include "sim/ranks/solver.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/ranks/tasks.h"
#include "kernels/threads.h"
#include "sim/gravity/exact_tree/force.h"
#include "sim/gravity/pairs/pairs.h"
#include "sim/gravity/softening.h"
#include "sim/gravity/tree/force.h"
#include "sim/ranks/method.h"
#include "sim/solver/cpu.h"
#include "sim/solver/cpu_near.h"
#include "sim/solver/host_view.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOLVERS = 64, WORTH_THREADS = 8192, BATCH = 2048 };

static const struct method_ops *const methods[] = {&method_slices_fast, &method_slices_exact,
                                                   &method_slices_double, &method_stretches};

/* A rank's part of a solver. On rank 0 it begins with the solver itself. */
struct part {
    struct solver solver;
    uint32_t slot;
    size_t total;
    struct solver_setup setup;
    char kernel[32], backend[16];
    const struct method_ops *ops;
    struct method *method;
    struct share share, kept;
    /* Rank 0 only. */
    uint64_t kept_turn;
    double *mass, *half; /* [total] */
    struct cpu_near *near;
    double (*position)[3]; /* [total], for neighbours; NULL before the first view */
    struct ranks_evaluation last;
    uint64_t evaluations;
    double slowest, seconds, waiting, bytes; /* sums over evaluations */
};

enum command_kind {
    OPEN,
    ACCELERATE,
    KICK,
    DRIFT,
    DAMP,
    KEEP,
    RESTORE,
    POTENTIAL,
    LOAD,
    COLLECT,
    LARGEST,
    BROKEN,
    CLOSE,
};

struct command {
    uint32_t kind, slot;
    double value;
    uint64_t turn;
};

/* What a solver is opened with. */
struct opening {
    char force[32], kernel[32], backend[16];
    double softening, error, largest;
    uint64_t subset, total;
    uint32_t mixed, spline;
    int32_t device, spare;
};

/* A body as rank 0 collects it. */
struct collected {
    double position[3], velocity[3], acceleration[3];
    uint32_t number, spare;
};

struct potential_of {
    double value;
    uint32_t number, spare;
};

static struct part *slots[SOLVERS];                      /* of this rank, by slot */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of rank 0's slots */

static struct part *part_of(struct solver *solver)
{
    return (struct part *)solver;
}

static int threads_for(const struct part *part)
{
    return part->share.count < WORTH_THREADS ? 1 : force_cpu_threads();
}

static const struct method_ops *method_for(const struct force_ops *force)
{
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        if (methods[k]->force == force)
            return methods[k];
    return NULL;
}

static bool has(const struct force_ops *force)
{
    return method_for(force) != NULL;
}

static void close_part(struct part **part)
{
    if (!*part)
        return;
    struct part *p = *part;
    if (p->ops)
        p->ops->close(&p->method);
    share_close(&p->share);
    share_close(&p->kept);
    free(p->mass);
    free(p->half);
    free(p->position);
    cpu_near_close(&p->near);
    free(p);
    *part = NULL;
}

/* Collective: the masses, positions and softenings of all bodies, for a method that wants them. */
static enum status share_bodies(size_t total, const struct bodies *bodies, struct bodies **all)
{
    uint64_t components = bodies ? bodies->component_count : 0;
    enum status status = ranks_share(&components, sizeof components, 0);
    if (status == STATUS_OK)
        status = ranks_agree(bodies_create(all, total, components));
    if (status != STATUS_OK)
        return status;
    if (bodies) {
        memcpy((*all)->mass, bodies->mass, total * sizeof *bodies->mass);
        memcpy((*all)->position, bodies->position, total * sizeof *bodies->position);
        memcpy((*all)->components, bodies->components, components * sizeof *bodies->components);
    }
    status = ranks_share((*all)->mass, total * sizeof *(*all)->mass, 0);
    if (status == STATUS_OK)
        status = ranks_share((*all)->position, total * sizeof *(*all)->position, 0);
    if (status == STATUS_OK)
        status = ranks_share((*all)->components, components * sizeof *(*all)->components, 0);
    return status;
}

/* Rank 0: a body of the given state. */
static struct share_body body_of(const struct part *part, size_t number,
                                 const double (*position)[3], const double (*velocity)[3],
                                 const double (*acceleration)[3])
{
    struct share_body body = {.mass = part->mass[number],
                              .half = part->half ? part->half[number] : 0,
                              .number = (uint32_t)number};
    memcpy(body.position, position[number], sizeof body.position);
    memcpy(body.velocity, velocity[number], sizeof body.velocity);
    if (acceleration)
        memcpy(body.acceleration, acceleration[number], sizeof body.acceleration);
    return body;
}

/* Collective: the bodies of the share go to the device that has them, if there is one. */
static enum status hand_over(struct part *part)
{
    const struct method_held *held = part->method->held;
    return ranks_agree(held ? held->load(part->method, &part->share) : STATUS_OK);
}

/* The rank's bodies as they are now: its share, or a copy in `scratch`, which the caller closes. */
static enum status bodies_now(struct part *part, struct share *scratch, const struct share **out)
{
    const struct method_held *held = part->method->held;
    *out = held ? scratch : &part->share;
    return held ? held->save(part->method, scratch) : STATUS_OK;
}

/* Collective: rank 0 deals the state of all bodies. */
static enum status deal(struct part *part, const double (*position)[3], const double (*velocity)[3],
                        const double (*acceleration)[3])
{
    struct share_body *all = NULL;
    enum status status = STATUS_OK;
    if (ranks_own() == 0) {
        const uint32_t *order = part->ops->order ? part->ops->order(part->method) : NULL;
        all = malloc(part->total * sizeof *all);
        for (size_t k = 0; all && k < part->total; k++)
            all[k] = body_of(part, order ? order[k] : k, position, velocity, acceleration);
        if (!all)
            status = status_fail(STATUS_RUNTIME, "no memory to share out %zu bodies, %zu bytes",
                                 part->total, part->total * sizeof *all);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = share_deal(&part->share, all, part->total, part->ops->block);
    free(all);
    return status == STATUS_OK ? hand_over(part) : status;
}

/* Collective: opens a part. bodies: on rank 0. */
static enum status open_part(struct part *part, const struct opening *opening,
                             const struct bodies *bodies)
{
    struct bodies *all = NULL;
    const struct force_ops *force = choice_find(&force_registry, opening->force);
    part->total = opening->total;
    snprintf(part->kernel, sizeof part->kernel, "%s", opening->kernel);
    snprintf(part->backend, sizeof part->backend, "%s", opening->backend);
    part->ops = force ? method_for(force) : NULL;
    enum status status =
        part->ops ? STATUS_OK
                  : status_fail(STATUS_DEVICE, "simulation.force %s is not available on ranks",
                                opening->force);
    status = ranks_agree(status);
    if (status != STATUS_OK)
        return status;
    part->setup = (struct solver_setup){.force = force,
                                        .path = force_path_of(force, solver_cpu.name),
                                        .softening = opening->softening,
                                        .force_error = opening->error,
                                        .mixed = opening->mixed,
                                        .spline = opening->spline,
                                        .subset = opening->subset,
                                        .device = opening->device,
                                        .backend = part->backend,
                                        .kernel = part->kernel};
    if (part->ops->whole)
        status = share_bodies(part->total, bodies, &all);
    const struct method_setup setup = {
        .solver = &part->setup, .bodies = all, .total = part->total, .largest = opening->largest};
    if (status == STATUS_OK)
        status = ranks_agree(part->ops->open(&part->method, &setup));
    bodies_destroy(&all);
    if (status != STATUS_OK)
        return status;
    if (!bodies)
        return deal(part, NULL, NULL, NULL);
    return deal(part, (const double(*)[3])bodies->position, (const double(*)[3])bodies->velocity,
                NULL);
}

static enum status kick(struct part *part, double dt)
{
    if (part->method->held)
        return part->method->held->kick(part->method, dt);
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(threads_for(part))
    for (size_t i = 0; i < part->share.count; i++) {
        struct share_body *body = part->share.body + i;
        for (int c = 0; c < 3; c++)
            body->velocity[c] += body->acceleration[c] * dt;
    }
    return STATUS_OK;
}

static enum status drift(struct part *part, double dt)
{
    if (part->method->held)
        return part->method->held->drift(part->method, dt);
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(threads_for(part))
    for (size_t i = 0; i < part->share.count; i++) {
        struct share_body *body = part->share.body + i;
        for (int c = 0; c < 3; c++)
            body->position[c] += body->velocity[c] * dt;
    }
    return STATUS_OK;
}

static enum status damp(struct part *part, double factor)
{
    if (part->method->held)
        return part->method->held->damp(part->method, factor);
    for (size_t i = 0; i < part->share.count; i++)
        for (int c = 0; c < 3; c++)
            part->share.body[i].velocity[c] *= factor;
    return STATUS_OK;
}

static enum status keep(struct part *part)
{
    const struct method_held *held = part->method->held;
    return held ? held->keep(part->method) : share_copy(&part->kept, &part->share);
}

static enum status restore(struct part *part)
{
    const struct method_held *held = part->method->held;
    return held ? held->restore(part->method, &part->share) : share_copy(&part->share, &part->kept);
}

/* The square of the largest acceleration. */
static enum status largest_of(struct part *part, double *out)
{
    if (part->method->held)
        return part->method->held->largest(part->method, out);
    double largest = 0;
    for (size_t i = 0; i < part->share.count; i++) {
        const double *a = part->share.body[i].acceleration;
        const double square = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
        largest = square > largest ? square : largest;
    }
    *out = largest;
    return STATUS_OK;
}

static bool is_whole(const struct share_body *body)
{
    for (int c = 0; c < 3; c++)
        if (!isfinite(body->position[c]) || !isfinite(body->velocity[c]))
            return false;
    return true;
}

/* The first body whose state is not finite; all of them: the total. */
static enum status broken_of(struct part *part, size_t *out)
{
    size_t first = part->total;
    *out = first;
    if (part->method->held)
        return part->method->held->broken(part->method, out);
    for (size_t i = 0; i < part->share.count; i++) {
        const struct share_body *body = part->share.body + i;
        if (!is_whole(body) && body->number < first)
            first = body->number;
    }
    *out = first;
    return STATUS_OK;
}

/* Collective: all bodies to rank 0; `all` there, ordered by number. */
static enum status collect(struct part *part, struct collected *all)
{
    struct share scratch = {0};
    const struct share *share;
    enum status status = bodies_now(part, &scratch, &share);
    struct collected *own = malloc((part->share.count + 1) * sizeof *own);
    if (status == STATUS_OK && !own)
        status = status_fail(STATUS_RUNTIME, "no memory to send %zu bodies", part->share.count);
    for (size_t i = 0; status == STATUS_OK && i < share->count; i++) {
        const struct share_body *body = share->body + i;
        own[i] = (struct collected){.number = body->number};
        memcpy(own[i].position, body->position, sizeof body->position);
        memcpy(own[i].velocity, body->velocity, sizeof body->velocity);
        memcpy(own[i].acceleration, body->acceleration, sizeof body->acceleration);
    }
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = share_collect(own, part->share.count, sizeof *own, all);
    free(own);
    share_close(&scratch);
    return status;
}

/* Collective: the potential of every body to rank 0. */
static enum status collect_potential(struct part *part, struct potential_of *all)
{
    double *value = NULL;
    struct share scratch = {0};
    const struct share *share;
    enum status status = part->ops->potential(part->method, &part->share, &value);
    if (status == STATUS_OK)
        status = bodies_now(part, &scratch, &share);
    struct potential_of *own = malloc((part->share.count + 1) * sizeof *own);
    if (status == STATUS_OK && !own)
        status = status_fail(STATUS_RUNTIME, "no memory to send %zu bodies", part->share.count);
    for (size_t i = 0; status == STATUS_OK && i < part->share.count; i++)
        own[i] = (struct potential_of){.value = value[i], .number = share->body[i].number};
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = share_collect(own, part->share.count, sizeof *own, all);
    free(own);
    share_close(&scratch);
    return status;
}

/* What rank 0 gives and gets with a command. */
struct exchange {
    struct opening opening;
    const struct bodies *bodies;
    const double (*position)[3], (*velocity)[3], (*acceleration)[3];
    struct collected *collected;
    struct potential_of *potential;
    double value;
};

static enum status perform(const struct command *command, struct exchange *exchange)
{
    struct part *part = slots[command->slot];
    switch ((enum command_kind)command->kind) {
    case OPEN: {
        enum status status = ranks_share(&exchange->opening, sizeof exchange->opening, 0);
        return status == STATUS_OK ? open_part(part, &exchange->opening, exchange->bodies) : status;
    }
    case ACCELERATE:
        part->last.work = (struct method_work){0};
        return part->ops->accelerate(part->method, &part->share, command->turn, &part->last.work);
    case KICK:
        return kick(part, command->value);
    case DRIFT:
        return drift(part, command->value);
    case DAMP:
        return damp(part, command->value);
    case KEEP:
        return ranks_agree(keep(part));
    case RESTORE:
        return ranks_agree(restore(part));
    case POTENTIAL:
        return collect_potential(part, exchange->potential);
    case LOAD:
        return deal(part, exchange->position, exchange->velocity, exchange->acceleration);
    case COLLECT:
        return collect(part, exchange->collected);
    case LARGEST: {
        enum status status = ranks_agree(largest_of(part, &exchange->value));
        return status == STATUS_OK ? ranks_largest(&exchange->value, 1) : status;
    }
    case BROKEN: {
        size_t first;
        enum status status = ranks_agree(broken_of(part, &first));
        exchange->value = -(double)first;
        return status == STATUS_OK ? ranks_largest(&exchange->value, 1) : status;
    }
    case CLOSE:
        if (ranks_own() > 0) /* rank 0 has a solver to close */
            close_part(slots + command->slot);
        return STATUS_OK;
    }
    return STATUS_OK;
}

/* Runs on every rank. */
static enum status obey(const void *message, size_t bytes, void *own)
{
    const struct command *command = message;
    struct exchange none = {0};
    (void)bytes;
    const bool there = command->slot < SOLVERS && slots[command->slot];
    if (command->slot >= SOLVERS || (!there && command->kind != OPEN && command->kind != CLOSE))
        return status_fail(STATUS_RUNTIME, "rank 0 sent a command for solver %u", command->slot);
    if (command->kind == OPEN && ranks_own() > 0)
        slots[command->slot] = memory_new(1, sizeof **slots);
    return perform(command, own ? own : &none);
}

const struct ranks_task ranks_solver_task = {obey, sizeof(struct command)};

/* Rank 0: tells all ranks a command and carries it out. */
static enum status run(struct part *part, struct command command, struct exchange *exchange)
{
    struct exchange none = {0};
    command.slot = part->slot;
    return ranks_together(&ranks_solver_task, &command, sizeof command,
                          exchange ? exchange : &none);
}

static enum status probe(int device)
{
    (void)device;
    if (ranks_count() == 1)
        return status_fail(STATUS_DEVICE, "this program runs alone; start it by mpirun or srun to "
                                          "simulate on ranks");
    return solver_cpu.probe(0);
}

static enum status describe(int device, char *text, size_t size)
{
    (void)device;
    int hosts = 0;
    for (int r = 0; r < ranks_count(); r++) {
        bool known = false;
        for (int s = 0; s < r && !known; s++)
            known = strcmp(ranks_host(r), ranks_host(s)) == 0;
        hosts += !known;
    }
    snprintf(text, size, "%d ranks on %d host%s, %s", ranks_count(), hosts, hosts == 1 ? "" : "s",
             ranks_library());
    return STATUS_OK;
}

static void close_solver(struct solver **solver)
{
    if (!*solver)
        return;
    struct part *part = part_of(*solver);
    (void)run(part, (struct command){.kind = CLOSE}, NULL);
    pthread_mutex_lock(&lock);
    slots[part->slot] = NULL;
    pthread_mutex_unlock(&lock);
    close_part(&part);
    *solver = NULL;
}

static bool take_slot(struct part *part)
{
    bool taken = false;
    pthread_mutex_lock(&lock);
    for (uint32_t slot = 0; slot < SOLVERS && !taken; slot++)
        if (!slots[slot]) {
            slots[slot] = part;
            part->slot = slot;
            taken = true;
        }
    pthread_mutex_unlock(&lock);
    return taken;
}

static enum status keep_masses(struct part *part, const struct bodies *bodies,
                               const struct solver_setup *setup)
{
    part->mass = malloc(bodies->count * sizeof *part->mass);
    part->half = setup->mixed ? malloc(bodies->count * sizeof *part->half) : NULL;
    if (!part->mass || (setup->mixed && !part->half))
        return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies", bodies->count);
    memcpy(part->mass, bodies->mass, bodies->count * sizeof *part->mass);
    if (setup->mixed)
        softening_halves(bodies, setup->softening, bodies->count, sizeof(double), part->half);
    return STATUS_OK;
}

static enum status check_masses(const struct bodies *bodies, const struct force_ops *force)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < bodies->count && force == &force_tree_exact; i++)
        status = tree_check_mass(i, bodies->mass[i]);
    return status;
}

static enum status open_solver(const struct solver_setup *setup, const struct bodies *bodies,
                               struct solver **out)
{
    struct part *part = memory_new(1, sizeof *part);
    struct exchange exchange = {.bodies = bodies};
    struct opening *opening = &exchange.opening;
    part->solver = (struct solver){.count = bodies->count, .ops = &solver_ranks};
    part->total = bodies->count;
    *opening = (struct opening){.softening = setup->softening,
                                .error = setup->force_error,
                                .subset = setup->subset,
                                .total = bodies->count,
                                .mixed = setup->mixed,
                                .device = setup->device,
                                .spline = setup->spline};
    snprintf(opening->force, sizeof opening->force, "%s", setup->force->name);
    snprintf(opening->kernel, sizeof opening->kernel, "%s", setup->kernel);
    snprintf(opening->backend, sizeof opening->backend, "%s", setup->backend);
    for (size_t i = 0; i < bodies->count; i++)
        opening->largest = bodies->mass[i] > opening->largest ? bodies->mass[i] : opening->largest;
    if (!take_slot(part)) {
        close_part(&part);
        return status_fail(STATUS_RUNTIME, "more than %d simulations at once on ranks", SOLVERS);
    }
    enum status status = check_masses(bodies, setup->force);
    if (status == STATUS_OK)
        status = keep_masses(part, bodies, setup);
    if (status == STATUS_OK)
        status = run(part, (struct command){.kind = OPEN}, &exchange);
    if (status != STATUS_OK) {
        close_solver(&(struct solver *){&part->solver});
        return status;
    }
    const int threads = force_cpu_threads();
    part->solver.force = part->method->force;
    part->solver.kernel = part->solver.force->kernel;
    part->solver.model = part->method->where           ? part->method->where
                         : setup->force == &force_fast ? "cpu ranks"
                                                       : solver_cpu.name;
    if (part->method->where)
        snprintf(part->solver.device, sizeof part->solver.device, "%d ranks, %s", ranks_count(),
                 part->method->where);
    else
        snprintf(part->solver.device, sizeof part->solver.device, "%d ranks, %d thread%s each",
                 ranks_count(), threads, threads == 1 ? "" : "s");
    *out = &part->solver;
    return STATUS_OK;
}

static enum status accelerate_all(struct solver *solver)
{
    struct part *part = part_of(solver);
    const double start = clock_seconds();
    const struct ranks_traffic before = ranks_traffic();
    enum status status =
        run(part, (struct command){.kind = ACCELERATE, .turn = solver->turn++}, NULL);
    const struct ranks_traffic after = ranks_traffic();
    part->last.seconds = clock_seconds() - start;
    part->last.traffic = (struct ranks_traffic){.bytes = after.bytes - before.bytes,
                                                .messages = after.messages - before.messages,
                                                .waiting = after.waiting - before.waiting};
    part->evaluations++;
    part->slowest += part->last.work.slowest;
    part->seconds += part->last.seconds;
    part->waiting += part->last.traffic.waiting;
    part->bytes += (double)part->last.traffic.bytes;
    solver->force_seconds += part->last.seconds;
    solver->force->work_done = (struct force_work){.pairs = (double)part->last.work.pairs,
                                                   .joins = (double)part->last.work.joins};
    solver->force->interactions = (double)part->last.work.pairs + (double)part->last.work.joins;
    solver->interactions += solver->force->interactions;
    return status;
}

struct ranks_evaluation ranks_last(const struct solver *solver)
{
    return ((const struct part *)solver)->last;
}

bool ranks_summary_of(const struct solver *solver, struct ranks_summary *out)
{
    const struct part *part = (const struct part *)solver;
    if (solver->ops != &solver_ranks || part->evaluations == 0)
        return false;
    const double evaluations = (double)part->evaluations;
    *out = (struct ranks_summary){.slowest = part->slowest / evaluations,
                                  .waiting = part->seconds > 0 ? part->waiting / part->seconds : 0,
                                  .bytes = part->bytes / evaluations};
    return true;
}

static enum status kick_all(struct solver *solver, double dt)
{
    return run(part_of(solver), (struct command){.kind = KICK, .value = dt}, NULL);
}

static enum status drift_all(struct solver *solver, double dt)
{
    return run(part_of(solver), (struct command){.kind = DRIFT, .value = dt}, NULL);
}

static enum status damp_all(struct solver *solver, double factor)
{
    return run(part_of(solver), (struct command){.kind = DAMP, .value = factor}, NULL);
}

static enum status keep_all(struct solver *solver)
{
    part_of(solver)->kept_turn = solver->turn;
    return run(part_of(solver), (struct command){.kind = KEEP}, NULL);
}

static enum status restore_all(struct solver *solver)
{
    solver->turn = part_of(solver)->kept_turn;
    return run(part_of(solver), (struct command){.kind = RESTORE}, NULL);
}

static enum status no_room_to_collect(const struct solver *solver)
{
    return status_fail(STATUS_RUNTIME, "no memory to collect %zu bodies from all ranks",
                       solver->count);
}

/* The sum runs in the order of the bodies' numbers, as on one machine. */
static enum status potential_all(struct solver *solver, double *energy)
{
    struct part *part = part_of(solver);
    struct exchange exchange = {.potential = malloc(part->total * sizeof *exchange.potential)};
    double *value = malloc(part->total * sizeof *value), sum = 0;
    enum status status = exchange.potential && value ? STATUS_OK : no_room_to_collect(solver);
    if (status == STATUS_OK)
        status = run(part, (struct command){.kind = POTENTIAL}, &exchange);
    for (size_t i = 0; status == STATUS_OK && i < part->total; i++)
        value[exchange.potential[i].number] = exchange.potential[i].value;
    for (size_t i = 0; status == STATUS_OK && i < part->total; i++)
        sum += part->mass[i] * value[i];
    free(exchange.potential);
    free(value);
    *energy = sum / 2;
    return status;
}

/* Collects all bodies; NULL on failure. The caller frees them. */
static struct collected *collect_all(struct solver *solver, enum status *status)
{
    struct part *part = part_of(solver);
    struct exchange exchange = {.collected = malloc(part->total * sizeof *exchange.collected)};
    *status = exchange.collected ? STATUS_OK : no_room_to_collect(solver);
    if (*status == STATUS_OK)
        *status = run(part, (struct command){.kind = COLLECT}, &exchange);
    for (size_t i = 0; *status == STATUS_OK && i < part->total; i++)
        if (exchange.collected[i].number >= part->total)
            *status = status_fail(STATUS_RUNTIME, "a rank sent body %u of %zu",
                                  exchange.collected[i].number, part->total);
    if (*status == STATUS_OK)
        return exchange.collected;
    free(exchange.collected);
    return NULL;
}

static enum status save_all(struct solver *solver, struct bodies *bodies)
{
    enum status status;
    struct collected *all = collect_all(solver, &status);
    for (size_t i = 0; all && i < solver->count; i++) {
        memcpy(bodies->position[all[i].number], all[i].position, sizeof *bodies->position);
        memcpy(bodies->velocity[all[i].number], all[i].velocity, sizeof *bodies->velocity);
    }
    free(all);
    return status;
}

static enum status load_all(struct solver *solver, const double (*position)[3],
                            const double (*velocity)[3], const double (*acceleration)[3])
{
    struct exchange exchange = {
        .position = position, .velocity = velocity, .acceleration = acceleration};
    return run(part_of(solver), (struct command){.kind = LOAD}, &exchange);
}

static enum status accelerations_all(struct solver *solver, double (*out)[3])
{
    enum status status;
    struct collected *all = collect_all(solver, &status);
    for (size_t i = 0; all && i < solver->count; i++)
        memcpy(out[all[i].number], all[i].acceleration, sizeof *out);
    free(all);
    return status;
}

static enum status find_broken_in_all(struct solver *solver, size_t *body)
{
    struct exchange exchange = {0};
    enum status status = run(part_of(solver), (struct command){.kind = BROKEN}, &exchange);
    *body = (size_t)-exchange.value;
    return status;
}

static enum status largest_of_all(struct solver *solver, double *acceleration)
{
    struct exchange exchange = {0};
    enum status status = run(part_of(solver), (struct command){.kind = LARGEST}, &exchange);
    *acceleration = sqrt(exchange.value);
    return status;
}

static enum status view_fill_all(struct solver *solver, struct view *view)
{
    enum status status;
    struct part *part = part_of(solver);
    struct collected *all = collect_all(solver, &status);
    float *size = view_values(view, COLUMN_ACCELERATION);
    const bool near = view_values(view, COLUMN_DISTANCE) != NULL;
    if (all && near && !part->position) {
        part->position = malloc(part->total * sizeof *part->position);
        if (!part->position)
            status = no_room_to_collect(solver);
    }
    for (size_t i = 0; status == STATUS_OK && i < solver->count; i++) {
        const size_t number = all[i].number;
        const double *a = all[i].acceleration;
        float *at = view->position + 4 * number, *out = view->velocity + 4 * number;
        for (int c = 0; c < 3; c++) {
            at[c] = (float)all[i].position[c];
            out[c] = (float)all[i].velocity[c];
        }
        at[3] = (float)part->mass[number];
        out[3] = 0;
        if (size)
            size[number] = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        if (near)
            memcpy(part->position[number], all[i].position, sizeof *part->position);
    }
    free(all);
    if (status != STATUS_OK || !near)
        return status;
    return cpu_near_find(&part->near, solver, part->mass, (const double(*)[3])part->position,
                         force_cpu_threads(), view);
}

const struct solver_ops solver_ranks = {
    .name = "cpu", /* whose results it has */
    .doc = "CPUs of many ranks, started by mpirun or srun",
    .views = VIEW_HOST,
    .has = has,
    .probe = probe,
    .describe = describe,
    .open = open_solver,
    .accelerate = accelerate_all,
    .kick = kick_all,
    .drift = drift_all,
    .damp = damp_all,
    .keep = keep_all,
    .restore = restore_all,
    .potential = potential_all,
    .save = save_all,
    .load = load_all,
    .find_broken = find_broken_in_all,
    .accelerations = accelerations_all,
    .largest = largest_of_all,
    .view_create = host_view_create,
    .view_fill = view_fill_all,
    .view_read = host_view_read,
    .view_destroy = host_view_destroy,
    .close = close_solver,
};
