#include "sim/solver/solver.h"

#include "base/functions/fn.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/auto/auto.h"
#include "sim/params.h"

#include <float.h>
#include <math.h>
#include <string.h>

int rung_for(const struct rung_rule *rule, double softening, double acceleration)
{
    int rung = 0;
    if (!isfinite(acceleration))
        return 0;
    const double limit = rule->eta * sqrt(softening / acceleration);
    while (rung < RUNGS && ldexp(fabs(rule->frame_time), -rung) > limit)
        ++rung;
    return rung;
}

int rung_at(uint64_t tick)
{
    return tick == 0 ? 0 : RUNG_MOST - __builtin_ctzll(tick);
}

extern const struct solver_ops solver_cuda, solver_cpu, solver_ranks;

static const struct solver_ops *const solvers[] = {&solver_cuda, &solver_cpu};
const char solver_choices[] = "auto|cpu|cuda";

const struct registry solver_registry = {
    "backend", sizeof solvers / sizeof solvers[0], solvers, 0, NULL, true};

/* Limits for kernels that compute masses, r^2 and m / r^3 in single precision. */
static const double LENGTH_MAX = 1e18, PULL_MAX = 1e36;

static enum status check_params(const struct solver_params *params)
{
    if (params->subset > 16 || (params->subset & (params->subset - 1)) != 0)
        return status_fail(STATUS_USAGE, "simulation.subset is %u; choose 1, 2, 4, 8 or 16",
                           params->subset);
    if (!(params->softening > 0) || !isfinite(params->softening))
        return status_fail(STATUS_USAGE, "simulation.softening is %g, but must be positive",
                           params->softening);
    if (params->softening > LENGTH_MAX)
        return status_fail(STATUS_USAGE,
                           "simulation.softening is %g, beyond the %g that single-precision forces "
                           "can hold; choose a larger unit of length",
                           params->softening, LENGTH_MAX);
    return STATUS_OK;
}

static enum status check_body(const struct bodies *bodies, size_t i, double softening)
{
    static const char axis[] = "xyz";
    const size_t number = whole_number(bodies, i) + 1;
    for (int c = 0; c < 3; c++) {
        double x = bodies->position[i][c], v = bodies->velocity[i][c];
        if (!isfinite(x) || !isfinite(v))
            return status_fail(STATUS_USAGE, "body %zu has %s %c = %g; every number must be finite",
                               number, isfinite(x) ? "velocity" : "position", axis[c],
                               isfinite(x) ? v : x);
        if (fabs(x) > LENGTH_MAX)
            return status_fail(STATUS_USAGE,
                               "body %zu has position %c = %g, beyond the %g that single-precision "
                               "forces can hold; choose a larger unit of length",
                               number, axis[c], x, LENGTH_MAX);
    }
    double mass = bodies->mass[i];
    if (!isfinite(mass))
        return status_fail(STATUS_USAGE, "body %zu has mass %g; every number must be finite",
                           number, mass);
    double pull = fmax(fabs(mass), 1) / (softening * softening * softening);
    if (fabs(mass) > FLT_MAX || pull > PULL_MAX)
        return status_fail(STATUS_USAGE,
                           "body %zu of mass %g with softening %g is beyond what single-precision "
                           "forces can hold; use a softening of at least %.2g or larger units",
                           number, mass, softening, fn_cbrt(fmax(fabs(mass), 1) / PULL_MAX) * 1.01);
    return STATUS_OK;
}

static enum status check_components(const struct bodies *bodies)
{
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        double softening = component->softening;
        if (!(softening >= 0 && softening <= LENGTH_MAX))
            return status_fail(STATUS_USAGE,
                               "component '%s' has softening %g; give a length up to %g, or 0 for "
                               "simulation.softening",
                               component->name, softening, LENGTH_MAX);
    }
    return STATUS_OK;
}

static enum status check_bodies(const struct bodies *bodies, double fallback)
{
    if (whole_below(bodies_whole(bodies), 1))
        return status_fail(STATUS_USAGE, "there are no bodies to simulate; ask for at least one");
    enum status status = check_components(bodies);
    double softening;
    for (size_t i = 0, end; status == STATUS_OK && i < bodies->count; i = end) {
        end = softening_run(bodies, fallback, i, &softening);
        for (size_t k = i; status == STATUS_OK && k < end; k++)
            status = check_body(bodies, k, softening);
    }
    return status;
}

/* A simulation on ranks is one backend; which ranks use a CUDA device is decided there. */
static enum status choose_ranks(const char *backend, const struct force_ops *force,
                                const struct solver_ops **out)
{
    const struct choice *named;
    if (strcmp(backend, "auto") != 0 &&
        choice_require(&solver_registry, backend, &named) != STATUS_OK)
        return STATUS_USAGE;
    if (force && force != &force_auto && !solver_ranks.has(force))
        return status_fail(STATUS_DEVICE,
                           "simulation.force %s is not available on ranks; choose tree-exact, "
                           "exact, fast or double, or start one process without mpirun",
                           force->name);
    *out = &solver_ranks;
    return solver_ranks.probe(0);
}

/* Whether the backend can run here, with this force unless `force` is NULL. */
static enum status probe(const struct solver_ops *ops, int device, const struct force_ops *force)
{
    if (force && force != &force_auto && !force_path_of(force, ops->name))
        return status_fail(
            STATUS_DEVICE,
            "simulation.force %s is not available on backend %s; choose another force or backend",
            force->name, ops->name);
    return ops->probe(device);
}

static enum status choose(const char *backend, int device, const struct force_ops *force, bool own,
                          const struct solver_ops **out)
{
    enum status status = STATUS_OK;
    if (ranks_are_together() && !own)
        return choose_ranks(backend, force, out);
    if (strcmp(backend, "auto") != 0) {
        const struct choice *named;
        status = choice_require(&solver_registry, backend, &named);
        *out = (const void *)named;
        return status == STATUS_OK ? probe(*out, device, force) : status;
    }
    for (size_t i = 0; (*out = choice_at(&solver_registry, i)); i++) {
        status = probe(*out, device, force);
        if (status == STATUS_OK)
            break;
        log_debug("backend %s passed over: %s", (*out)->name, status_text());
    }
    return status;
}

enum status solver_choose(const char *backend, int device, const struct solver_ops **out)
{
    return choose(backend, device, NULL, true, out);
}

enum status solver_open(const char *backend, const struct solver_params *params,
                        const struct bodies *bodies, struct solver **out)
{
    const struct solver_ops *ops = NULL;
    *out = NULL;
    enum status status = check_params(params);
    if (status == STATUS_OK)
        status = check_bodies(bodies, params->softening);
    if (status == STATUS_OK && whole_below(bodies_whole(bodies), params->subset))
        status = status_fail(STATUS_USAGE,
                             "simulation.subset is %u, and there are only %zu bodies; choose 1",
                             params->subset, whole_size(bodies_whole(bodies)));
    if (status == STATUS_OK)
        status = limits_check("computing forces", machine_processors(), 0);
    if (status == STATUS_OK)
        status = choose(backend, params->device, params->force, params->own, &ops);
    if (status != STATUS_OK)
        return status;
    double least, most;
    softening_range(bodies, params->softening, &least, &most);
    const double error = params->force_error > 0 ? params->force_error : FORCE_ERROR_DEFAULT;
    const size_t subset = params->subset > 1 ? params->subset : 1;
    const bool spline = params->softening_kernel == &softening_spline;
    struct force_wish wish;
    status = force_wish_for(&wish, bodies, error, !spline && most == least, subset, params->device);
    if (status != STATUS_OK)
        return status;
    const struct force_ops *force = force_resolve(params->force, ops->name, &wish);
    if (ops == &solver_ranks && force == &force_tree) { /* auto */
        force = &force_tree_exact;
        log_info_once("simulation.force auto takes tree-exact on ranks and tree in one process, so "
                      "bodies move a little differently than there; simulation.force=tree-exact "
                      "gives the same film everywhere");
    }
    const struct solver_setup setup = {
        .force = force,
        .path = force_path_of(force, ops->name),
        .softening = most > least ? params->softening : least,
        .force_error = error,
        .mixed = spline || most > least,
        .spline = spline,
        .subset = subset,
        .keeps = params->keeps,
        .device = params->device,
        .backend = backend,
        .kernel = params->kernel ? params->kernel : "auto",
    };
    status = ops->open(&setup, bodies, out);
    if (status == STATUS_OK)
        (*out)->ops = ops;
    return status;
}

enum status solver_repeat(struct solver *solver, solver_step step, double dt, double damping,
                          uint64_t count, volatile sig_atomic_t *stop, uint64_t *done)
{
    if (solver->ops->repeat && solver->force->repeatable)
        return solver->ops->repeat(solver, step, dt, damping, count, stop, done);
    enum status status = STATUS_OK;
    for (*done = 0; status == STATUS_OK && *done < count;) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        status = step(solver, dt, damping);
        if (status == STATUS_OK)
            ++*done;
    }
    return status;
}

void solver_close(struct solver **solver)
{
    if (*solver)
        (*solver)->ops->close(solver);
}

unsigned solver_use_threads(unsigned threads)
{
    return (unsigned)force_cpu_use_threads((int)threads);
}

bool solver_orders_views(const struct solver *solver)
{
    return solver->ops->views == VIEW_CUDA && solver->near.starts &&
           solver->near.parts <= SOLVER_ORDERED_PARTS &&
           column_names_have(&solver->columns, COLUMN_DISTANCE);
}
