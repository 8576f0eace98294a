#include "sim/solver/solver.h"
#include "base/log.h"
#include "base/text.h"
#include "sim/solver/force.h"
#include "sim/solver/softening.h"

#include <float.h>
#include <math.h>
#include <string.h>

const struct solver_ops *const solvers[] = {&solver_cuda, &solver_cpu, NULL};

/* Kernels work with masses, r^2 and m / r^3 in single precision. */
static const double LENGTH_MAX = 1e18, PULL_MAX = 1e36;

static enum status check_params(const struct solver_params *params)
{
    if (!force_mode_find(params->force)) {
        char names[128] = "";
        for (const struct force_mode *const *mode = force_modes; *mode; mode++)
            text_list(names, sizeof names, (*mode)->name);
        return status_fail(STATUS_USAGE, "simulation.force is '%s'; choose one of %s",
                           params->force, names);
    }
    if (params->subset > 16 || (params->subset & (params->subset - 1)) != 0)
        return status_fail(STATUS_USAGE, "simulation.subset is %u; choose 1, 2, 4, 8 or 16",
                           params->subset);
    if (!(params->softening > 0) || !isfinite(params->softening))
        return status_fail(STATUS_USAGE, "simulation.softening is %g, and must be positive",
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
    for (int c = 0; c < 3; c++) {
        double x = bodies->position[i][c], v = bodies->velocity[i][c];
        if (!isfinite(x) || !isfinite(v))
            return status_fail(STATUS_USAGE, "body %zu has %s %c = %g; every number must be finite",
                               i + 1, isfinite(x) ? "velocity" : "position", axis[c],
                               isfinite(x) ? v : x);
        if (fabs(x) > LENGTH_MAX)
            return status_fail(STATUS_USAGE,
                               "body %zu has position %c = %g, beyond the %g that single-precision "
                               "forces can hold; choose a larger unit of length",
                               i + 1, axis[c], x, LENGTH_MAX);
    }
    double mass = bodies->mass[i];
    if (!isfinite(mass))
        return status_fail(STATUS_USAGE, "body %zu has mass %g; every number must be finite", i + 1,
                           mass);
    double pull = fmax(fabs(mass), 1) / (softening * softening * softening);
    if (fabs(mass) > FLT_MAX || pull > PULL_MAX)
        return status_fail(STATUS_USAGE,
                           "body %zu of mass %g with softening %g is beyond what single-precision "
                           "forces can hold; use a softening of at least %.2g or larger units",
                           i + 1, mass, softening, cbrt(fmax(fabs(mass), 1) / PULL_MAX) * 1.01);
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
    if (bodies->count == 0)
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

static enum status choose(const char *backend, int device, const struct solver_ops **ops)
{
    bool automatic = strcmp(backend, "auto") == 0;
    enum status status = STATUS_OK;
    char names[128] = "auto";
    for (const struct solver_ops *const *s = solvers; *s; s++) {
        text_list(names, sizeof names, (*s)->name);
        if (!automatic && strcmp(backend, (*s)->name) != 0)
            continue;
        status = (*s)->probe(device);
        if (status == STATUS_OK) {
            *ops = *s;
            return STATUS_OK;
        }
        if (!automatic)
            return status;
        log_debug("backend %s passed over: %s", (*s)->name, status_text());
    }
    if (automatic)
        return status;
    return status_fail(STATUS_USAGE, "there is no backend '%s'; choose one of %s", backend, names);
}

enum status solver_open(const char *backend, const struct solver_params *params,
                        const struct bodies *bodies, struct solver **out)
{
    const struct solver_ops *ops = NULL;
    *out = NULL;
    enum status status = check_params(params);
    if (status == STATUS_OK)
        status = check_bodies(bodies, params->softening);
    if (status == STATUS_OK && params->subset > bodies->count)
        status = status_fail(STATUS_USAGE,
                             "simulation.subset is %u, and there are only %zu bodies; choose 1",
                             params->subset, bodies->count);
    if (status == STATUS_OK)
        status = choose(backend, params->device, &ops);
    if (status != STATUS_OK)
        return status;
    struct solver_params found = *params;
    double least, most;
    softening_range(bodies, params->softening, &least, &most);
    found.mixed = most > least;
    found.softening = found.mixed ? params->softening : least;
    return ops->open(&found, bodies, out);
}

enum status solver_repeat(struct solver *solver, solver_step step, double dt, double damping,
                          uint64_t count, volatile int *stop, uint64_t *done)
{
    /* A recorded step would always take the same part of the sources. */
    if (solver->ops->repeat && solver->sources == solver->count)
        return solver->ops->repeat(solver, step, dt, damping, count, stop, done);
    enum status status = STATUS_OK;
    for (*done = 0; status == STATUS_OK && *done < count;) {
        if (stop && *stop)
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
