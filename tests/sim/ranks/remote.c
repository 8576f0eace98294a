#include "tests/sim/ranks/remote.h"
#include "sim/bodies/spread.h"
#include "sim/ranks/rank_solver.h"

#include <stdio.h>

enum { SLOTS = 16, NAMES = 32 };

enum verb {
    OPEN,
    ACCELERATE,
    KICK,
    DRIFT,
    DAMP,
    KEEP,
    RESTORE,
    POTENTIAL,
    SAVE,
    LOAD,
    BROKEN,
    LAST,
    LARGEST,
    SHOW,
    CLOSE,
};

struct order {
    enum verb verb;
    uint32_t slot, columns; /* columns: a bit each */
    double number;
    uint64_t turn;
    bool samples;
    unsigned near;
    /* OPEN */
    struct solver_params params;
    char force[NAMES], kernel[NAMES], backend[NAMES];
};

/* Rank 0's own arguments. */
struct own {
    const struct bodies *from;
    struct bodies *to;
    const double (*state[3])[3];
    double (*rows)[3], *number;
    size_t *body;
    struct view *view;
};

static struct solver *slots[SLOTS]; /* of this rank */
static struct solver_ops remote;    /* rank 0's: what they do, all ranks do */
static const char *const columns[] = {COLUMN_ACCELERATION, COLUMN_DISTANCE, COLUMN_DISPERSION};

static enum status open_here(const struct order *order, const struct own *own)
{
    struct solver_params params = order->params;
    struct bodies *all = NULL, *share = NULL;
    enum status status = own ? bodies_copy(&all, own->from) : STATUS_OK;
    params.force = (const void *)choice_find(&force_registry, order->force);
    params.kernel = order->kernel;
    params.softening_kernel = NULL;
    if (order->number > 0)
        params.softening_kernel = &softening_spline;
    if (status == STATUS_OK)
        status = bodies_spread(&all, DIVIDE_FIRST, &share);
    if (status == STATUS_OK)
        status = solver_open(order->backend, &params, share, &slots[order->slot]);
    bodies_destroy(&share);
    bodies_destroy(&all);
    if (status == STATUS_OK) /* no rank keeps one that another could not open */
        status = ranks_agree(STATUS_OK);
    if (status != STATUS_OK)
        solver_close(&slots[order->slot]);
    return status;
}

static enum status fill_here(const struct order *order, struct solver *solver, struct view *view)
{
    struct view *own = NULL;
    if (view)
        return solver_ranks.view_fill(solver, view);
    solver->samples = order->samples;
    solver->near = (struct solver_near){.k = order->near};
    solver->columns.count = 0;
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        if (order->columns >> k & 1)
            column_names_add(&solver->columns, columns[k]);
    enum status status = solver_ranks.view_create(solver, &own);
    if (status == STATUS_OK)
        status = solver_ranks.view_fill(solver, own);
    solver_ranks.view_destroy(solver, &own);
    return status;
}

static enum status obey(const void *message, size_t bytes, void *user)
{
    const struct order *order = message;
    struct own *own = user;
    struct solver *solver = slots[order->slot];
    double number = 0, (*rows)[3] = own ? own->rows : NULL;
    size_t body;
    struct bodies none = {0};
    (void)bytes;
    switch (order->verb) {
    case OPEN:
        return open_here(order, own);
    case ACCELERATE:
        solver->turn = order->turn;
        return solver_ranks.accelerate(solver);
    case KICK:
        return solver_ranks.kick(solver, order->number);
    case DRIFT:
        return solver_ranks.drift(solver, order->number);
    case DAMP:
        return solver_ranks.damp(solver, order->number);
    case KEEP:
        return solver_ranks.keep(solver);
    case RESTORE:
        return solver_ranks.restore(solver);
    case POTENTIAL:
        return solver_ranks.potential(solver, own ? own->number : &number);
    case SAVE:
        return solver_ranks.save(solver, own ? own->to : &none);
    case LOAD:
        return own ? solver_ranks.load(solver, own->state[0], own->state[1], own->state[2])
                   : solver_ranks.load(solver, NULL, NULL, NULL);
    case BROKEN:
        return solver_ranks.find_broken(solver, own ? own->body : &body);
    case LAST:
        return solver_ranks.accelerations(solver, rows);
    case LARGEST:
        return solver_ranks.largest(solver, own ? own->number : &number);
    case SHOW:
        return fill_here(order, solver, own ? own->view : NULL);
    case CLOSE:
        solver_ranks.close(&slots[order->slot]);
    }
    return STATUS_OK;
}

const struct ranks_task remote_task = {obey, sizeof(struct order)};

static enum status tell(struct solver *solver, struct order order, struct own *own)
{
    struct own none = {0};
    while (slots[order.slot] != solver)
        order.slot++;
    return ranks_together(&remote_task, &order, sizeof order, own ? own : &none);
}

static enum status accelerate(struct solver *solver)
{
    return tell(solver, (struct order){.verb = ACCELERATE, .turn = solver->turn}, NULL);
}

static enum status kick(struct solver *solver, double dt)
{
    return tell(solver, (struct order){.verb = KICK, .number = dt}, NULL);
}

static enum status drift(struct solver *solver, double dt)
{
    return tell(solver, (struct order){.verb = DRIFT, .number = dt}, NULL);
}

static enum status damp(struct solver *solver, double factor)
{
    return tell(solver, (struct order){.verb = DAMP, .number = factor}, NULL);
}

static enum status keep(struct solver *solver)
{
    return tell(solver, (struct order){.verb = KEEP}, NULL);
}

static enum status restore(struct solver *solver)
{
    return tell(solver, (struct order){.verb = RESTORE}, NULL);
}

static enum status potential(struct solver *solver, double *energy)
{
    return tell(solver, (struct order){.verb = POTENTIAL}, &(struct own){.number = energy});
}

static enum status save(struct solver *solver, struct bodies *bodies)
{
    return tell(solver, (struct order){.verb = SAVE}, &(struct own){.to = bodies});
}

static enum status load(struct solver *solver, const double (*position)[3],
                        const double (*velocity)[3], const double (*acceleration)[3])
{
    return tell(solver, (struct order){.verb = LOAD},
                &(struct own){.state = {position, velocity, acceleration}});
}

static enum status find_broken(struct solver *solver, size_t *body)
{
    return tell(solver, (struct order){.verb = BROKEN}, &(struct own){.body = body});
}

static enum status accelerations(struct solver *solver, double (*out)[3])
{
    return tell(solver, (struct order){.verb = LAST}, &(struct own){.rows = out});
}

static enum status largest(struct solver *solver, double *acceleration)
{
    return tell(solver, (struct order){.verb = LARGEST}, &(struct own){.number = acceleration});
}

static enum status view_fill(struct solver *solver, struct view *view)
{
    struct order order = {.verb = SHOW, .samples = view->whole_sample, .near = solver->near.k};
    for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
        order.columns |= (uint32_t)(view_values(view, columns[k]) != NULL) << k;
    return tell(solver, order, &(struct own){.view = view});
}

static void close_all(struct solver **solver)
{
    if (*solver)
        (void)tell(*solver, (struct order){.verb = CLOSE}, NULL);
    *solver = NULL;
}

bool solver_is_remote(const struct solver *solver)
{
    return solver->ops == &remote;
}

enum status __real_solver_open(const char *backend, const struct solver_params *params,
                               const struct bodies *bodies, struct solver **out);
enum status __wrap_solver_open(const char *backend, const struct solver_params *params,
                               const struct bodies *bodies, struct solver **out);
enum status __wrap_solver_open(const char *backend, const struct solver_params *params,
                               const struct bodies *bodies, struct solver **out)
{
    struct order order = {.verb = OPEN, .params = *params};
    if (ranks_count() == 1 || ranks_are_together() || params->own)
        return __real_solver_open(backend, params, bodies, out);
    while (slots[order.slot])
        order.slot++;
    snprintf(order.force, sizeof order.force, "%s", params->force->name);
    snprintf(order.kernel, sizeof order.kernel, "%s", params->kernel ? params->kernel : "auto");
    snprintf(order.backend, sizeof order.backend, "%s", backend);
    order.number = params->softening_kernel == &softening_spline;
    const enum status status =
        ranks_together(&remote_task, &order, sizeof order, &(struct own){.from = bodies});
    *out = slots[order.slot];
    if (status != STATUS_OK)
        return status;
    remote = solver_ranks;
    remote.accelerate = accelerate;
    remote.kick = kick;
    remote.drift = drift;
    remote.damp = damp;
    remote.keep = keep;
    remote.restore = restore;
    remote.potential = potential;
    remote.save = save;
    remote.load = load;
    remote.find_broken = find_broken;
    remote.accelerations = accelerations;
    remote.largest = largest;
    remote.view_fill = view_fill;
    remote.close = close_all;
    (*out)->ops = &remote;
    return STATUS_OK;
}
