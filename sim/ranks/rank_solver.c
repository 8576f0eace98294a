#include "sim/ranks/rank_solver.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "sim/gravity/force.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/tree/tree_force.h"
#include "sim/ranks/home.h"
#include "sim/ranks/rank_view.h"
#include "sim/solver/cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORTH_THREADS = 8192, BATCH = 2048 };

static const struct method_ops *const methods[] = {&method_slices_fast, &method_slices_exact,
                                                   &method_slices_double, &method_stretches};

/* A rank's part of a solver; it begins with the solver itself. */
struct part {
    struct solver solver;
    struct home home;
    struct bodies bodies; /* bodies whose home is here: masses and components, but not positions and
                           * velocities */
    const struct method_ops *ops;
    struct method *method;
    struct share share, kept;
    uint64_t kept_turn;
    double *half; /* [bodies.count]; NULL: 0 */
    struct ranks_evaluation last;
    uint64_t evaluations;
    double slowest, seconds, waiting, bytes; /* sums over evaluations */
};

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

static void close_solver(struct solver **solver)
{
    if (!*solver)
        return;
    struct part *p = part_of(*solver);
    if (p->ops)
        p->ops->close(&p->method);
    share_close(&p->share);
    share_close(&p->kept);
    home_close(&p->home);
    free(p->bodies.mass);
    free(p->bodies.components);
    free(p->half);
    free(p);
    *solver = NULL;
}

/* The components of all bodies, where these bodies are a share. */
static void list_components(const struct bodies *bodies, struct component *out)
{
    size_t first = 0;
    for (size_t c = 0; c < bodies->component_count; first += out[c++].count) {
        out[c] = bodies->components[c];
        out[c].first = first;
        out[c].count = (size_t)component_whole(&bodies->components[c]);
        out[c].whole = out[c].before = 0;
    }
}

/* Collective: gathers the masses and positions of all bodies from their homes. */
static enum status share_rows(const struct home *home, const struct bodies *bodies,
                              struct bodies *all)
{
    const size_t ranks = (size_t)ranks_count();
    enum status status = STATUS_OK;
    for (size_t k = 0; k < home->blocks && status == STATUS_OK; k++) {
        const size_t first = home->first[k], count = home->first[k + 1] - first;
        const int rank = (int)(k % ranks);
        if (count == 0)
            continue;
        if (rank == ranks_own()) {
            memcpy(all->mass + first, bodies->mass + home->row[k], count * sizeof *all->mass);
            memcpy(all->position + first, bodies->position + home->row[k],
                   count * sizeof *all->position);
        }
        status = ranks_share(all->mass + first, count * sizeof *all->mass, rank);
        if (status == STATUS_OK)
            status = ranks_share(all->position + first, count * sizeof *all->position, rank);
    }
    return status;
}

/* Collective: gathers the masses, positions and softenings of all bodies, for a method that is
 * `whole`. */
static enum status share_bodies(const struct home *home, const struct bodies *bodies,
                                struct bodies **all)
{
    const enum status status =
        ranks_agree(bodies_create(all, home_total(home), bodies->component_count));
    if (status != STATUS_OK)
        return status;
    list_components(bodies, (*all)->components);
    return share_rows(home, bodies, *all);
}

/* Returns the rank's present bodies: its share, or a copy in `scratch`, which the caller closes. */
static enum status bodies_now(struct part *part, struct share *scratch, const struct share **out)
{
    const struct method_held *held = part->method->held;
    *out = held ? scratch : &part->share;
    return held ? held->save(part->method, scratch) : STATUS_OK;
}

/* The state of bodies at home. */
struct state {
    const struct part *part;
    const double (*position)[3], (*velocity)[3];
    const double (*acceleration)[3]; /* NULL: 0 */
};

static void get_state(const void *user, size_t row, struct share_body *out)
{
    const struct state *state = user;
    out->mass = state->part->bodies.mass[row];
    out->half = state->part->half ? state->part->half[row] : 0;
    memcpy(out->position, state->position[row], sizeof out->position);
    memcpy(out->velocity, state->velocity[row], sizeof out->velocity);
    if (state->acceleration)
        memcpy(out->acceleration, state->acceleration[row], sizeof out->acceleration);
}

/* Collective: deals the state of all bodies. */
static enum status deal(struct part *part, const double (*position)[3], const double (*velocity)[3],
                        const double (*acceleration)[3])
{
    const struct method_held *held = part->method->held;
    const struct state state = {part, position, velocity, acceleration};
    enum status status = home_deal(&part->home, get_state, &state,
                                   part->ops->order ? part->ops->order(part->method) : NULL,
                                   part->ops->block, &part->share);
    if (status == STATUS_OK)
        status = ranks_agree(held ? held->load(part->method, &part->share) : STATUS_OK);
    return status;
}

/* Collective. */
static enum status open_method(struct part *part, const struct solver_setup *solver,
                               const struct bodies *bodies, double largest)
{
    struct bodies *all = NULL;
    enum status status = ranks_largest(&largest, 1);
    if (status == STATUS_OK)
        status = home_open(&part->home, bodies);
    if (status == STATUS_OK && part->ops->whole)
        status = share_bodies(&part->home, bodies, &all);
    if (status == STATUS_OK) {
        const struct method_setup setup = {
            .solver = solver, .bodies = all, .total = home_total(&part->home), .largest = largest};
        status = ranks_agree(part->ops->open(&part->method, &setup));
    }
    bodies_destroy(&all);
    return status == STATUS_OK ? deal(part, (const double(*)[3])bodies->position,
                                      (const double(*)[3])bodies->velocity, NULL)
                               : status;
}

static enum status kick(struct solver *solver, double dt)
{
    struct part *part = part_of(solver);
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

static enum status drift(struct solver *solver, double dt)
{
    struct part *part = part_of(solver);
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

static enum status damp(struct solver *solver, double factor)
{
    struct part *part = part_of(solver);
    if (part->method->held)
        return part->method->held->damp(part->method, factor);
    for (size_t i = 0; i < part->share.count; i++)
        for (int c = 0; c < 3; c++)
            part->share.body[i].velocity[c] *= factor;
    return STATUS_OK;
}

static enum status keep(struct solver *solver)
{
    struct part *part = part_of(solver);
    const struct method_held *held = part->method->held;
    part->kept_turn = solver->turn;
    return ranks_agree(held ? held->keep(part->method) : share_copy(&part->kept, &part->share));
}

static enum status restore(struct solver *solver)
{
    struct part *part = part_of(solver);
    const struct method_held *held = part->method->held;
    solver->turn = part->kept_turn;
    return ranks_agree(held ? held->restore(part->method, &part->share)
                            : share_copy(&part->share, &part->kept));
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

/* Finds the first body whose state is not finite; *out stays if all are finite. */
static enum status broken_of(struct part *part, size_t *out)
{
    if (part->method->held)
        return part->method->held->broken(part->method, out);
    for (size_t i = 0; i < part->share.count; i++) {
        const struct share_body *body = part->share.body + i;
        if (!is_whole(body) && body->number < *out)
            *out = body->number;
    }
    return STATUS_OK;
}

static void put_value(void *user, size_t row, const double *numbers)
{
    ((double *)user)[row] = *numbers;
}

/* Collective: summed in the order of the bodies' numbers, as on one machine. */
static enum status potential(struct solver *solver, double *energy)
{
    struct part *part = part_of(solver);
    double twice = 0;
    double *value = NULL;
    struct share scratch = {0};
    const struct share *share = NULL;
    enum status status = part->ops->potential(part->method, &part->share, &value);
    if (status == STATUS_OK)
        status = bodies_now(part, &scratch, &share);
    double *own = malloc((part->bodies.count + 1) * sizeof *own);
    if (status == STATUS_OK && !own)
        status = status_fail(STATUS_RUNTIME, "no memory for the potential of %zu bodies",
                             part->bodies.count);
    status = ranks_agree(status);
    if (status == STATUS_OK)
        status = home_bring(&part->home, share, HOME_VALUE, value, put_value, own);
    if (status == STATUS_OK)
        status = home_sum(&part->home, part->bodies.mass, own, &twice);
    *energy = twice / 2;
    free(own);
    share_close(&scratch);
    return status;
}

/* Collective: brings numbers of all bodies to their homes. */
static enum status bring(struct solver *solver, unsigned parts, home_put put, void *user)
{
    struct part *part = part_of(solver);
    struct share scratch = {0};
    const struct share *share;
    enum status status = ranks_agree(bodies_now(part, &scratch, &share));
    if (status == STATUS_OK)
        status = home_bring(&part->home, share, parts, NULL, put, user);
    share_close(&scratch);
    return status;
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

static enum status keep_masses(struct part *part, const struct bodies *bodies,
                               const struct solver_setup *setup)
{
    const size_t count = bodies->count, components = bodies->component_count;
    part->bodies = (struct bodies){
        .count = count,
        .shared = bodies->shared,
        .mass = malloc((count + 1) * sizeof *part->bodies.mass),
        .component_count = components,
        .components = memory_new(components, sizeof *bodies->components),
    };
    part->half = setup->mixed ? malloc((count + 1) * sizeof *part->half) : NULL;
    if (!part->bodies.mass || (setup->mixed && !part->half))
        return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies", count);
    memcpy(part->bodies.mass, bodies->mass, count * sizeof *part->bodies.mass);
    memcpy(part->bodies.components, bodies->components, components * sizeof *bodies->components);
    if (setup->mixed)
        softening_halves(bodies, setup->softening, count, sizeof(double), part->half);
    return STATUS_OK;
}

static enum status check_masses(const struct bodies *bodies, const struct force_ops *force)
{
    enum status status = STATUS_OK;
    for (size_t i = 0; status == STATUS_OK && i < bodies->count && force == &force_tree_exact; i++)
        status = tree_check_mass(whole_number(bodies, i), bodies->mass[i]);
    return status;
}

static enum status open_solver(const struct solver_setup *setup, const struct bodies *bodies,
                               struct solver **out)
{
    struct part *part = memory_new(1, sizeof *part);
    double largest = 0;
    part->solver = (struct solver){.count = bodies->count, .ops = &solver_ranks};
    part->ops = method_for(setup->force);
    for (size_t i = 0; i < bodies->count; i++)
        largest = bodies->mass[i] > largest ? bodies->mass[i] : largest;
    enum status status =
        part->ops ? check_masses(bodies, setup->force)
                  : status_fail(STATUS_DEVICE, "simulation.force %s is not available on ranks",
                                setup->force->name);
    if (status == STATUS_OK)
        status = keep_masses(part, bodies, setup);
    if (status == STATUS_OK)
        status = open_method(part, setup, bodies, largest);
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

static enum status accelerate(struct solver *solver)
{
    struct part *part = part_of(solver);
    const double start = clock_seconds();
    const struct ranks_traffic before = ranks_traffic();
    part->last.work = (struct method_work){0};
    enum status status =
        part->ops->accelerate(part->method, &part->share, solver->turn++, &part->last.work);
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

static void put_motion(void *user, size_t row, const double *numbers)
{
    struct bodies *bodies = user;
    memcpy(bodies->position[row], numbers, sizeof *bodies->position);
    memcpy(bodies->velocity[row], numbers + 3, sizeof *bodies->velocity);
}

static enum status save(struct solver *solver, struct bodies *bodies)
{
    return bring(solver, HOME_POSITION | HOME_VELOCITY, put_motion, bodies);
}

static enum status load(struct solver *solver, const double (*position)[3],
                        const double (*velocity)[3], const double (*acceleration)[3])
{
    return deal(part_of(solver), position, velocity, acceleration);
}

static void put_vector(void *user, size_t row, const double *numbers)
{
    double(*out)[3] = user;
    memcpy(out[row], numbers, sizeof *out);
}

static enum status accelerations(struct solver *solver, double (*out)[3])
{
    return bring(solver, HOME_ACCELERATION, put_vector, out);
}

static enum status find_broken(struct solver *solver, size_t *body)
{
    struct part *part = part_of(solver);
    const size_t total = home_total(&part->home);
    size_t first = total;
    enum status status = ranks_agree(broken_of(part, &first));
    double least = -(double)first;
    if (status == STATUS_OK)
        status = ranks_largest(&least, 1);
    *body = -least < (double)total ? (size_t)-least : SOLVER_NONE;
    return status;
}

static enum status largest(struct solver *solver, double *acceleration)
{
    double square = 0;
    enum status status = ranks_agree(largest_of(part_of(solver), &square));
    if (status == STATUS_OK)
        status = ranks_largest(&square, 1);
    *acceleration = sqrt(square);
    return status;
}

/* A view that is being filled. */
struct filling {
    struct view *view;
    const double *mass;
    float *size;           /* of accelerations; NULL: not needed */
    double (*position)[3]; /* for neighbours; NULL: not needed */
};

static void put_in_view(void *user, size_t row, const double *numbers)
{
    const struct filling *filling = user;
    const double *a = numbers + 6;
    float *at = filling->view->position + 4 * row, *out = filling->view->velocity + 4 * row;
    for (int c = 0; c < 3; c++) {
        at[c] = (float)numbers[c];
        out[c] = (float)numbers[3 + c];
    }
    at[3] = (float)filling->mass[row];
    out[3] = 0;
    if (filling->size)
        filling->size[row] = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (filling->position)
        memcpy(filling->position[row], numbers, sizeof *filling->position);
}

static enum status view_fill(struct solver *solver, struct view *view)
{
    struct part *part = part_of(solver);
    const bool near = view_values(view, COLUMN_DISTANCE) != NULL;
    struct filling filling = {
        .view = view, .mass = part->bodies.mass, .size = view_values(view, COLUMN_ACCELERATION)};
    if (near && !(filling.position = malloc((solver->count + 1) * sizeof *filling.position)))
        return status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies",
                           solver->count);
    const unsigned parts = HOME_POSITION | HOME_VELOCITY | (filling.size ? HOME_ACCELERATION : 0);
    enum status status = bring(solver, parts, put_in_view, &filling);
    if (status == STATUS_OK)
        status = ranks_view_finish(solver, &part->bodies, filling.position, view);
    free(filling.position);
    return status;
}

static enum status view_create(struct solver *solver, struct view **out)
{
    return ranks_view_create(solver, &part_of(solver)->bodies, out);
}

const struct solver_ops solver_ranks = {
    .name = "cpu", /* whose results it has */
    .doc = "CPUs of many ranks, started by mpirun or srun",
    .views = VIEW_HOST,
    .has = has,
    .probe = probe,
    .describe = describe,
    .open = open_solver,
    .accelerate = accelerate,
    .kick = kick,
    .drift = drift,
    .damp = damp,
    .keep = keep,
    .restore = restore,
    .potential = potential,
    .save = save,
    .load = load,
    .find_broken = find_broken,
    .accelerations = accelerations,
    .largest = largest,
    .view_create = view_create,
    .view_fill = view_fill,
    .view_read = host_view_read,
    .view_destroy = ranks_view_destroy,
    .close = close_solver,
};
