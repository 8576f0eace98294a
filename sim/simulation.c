#include "sim/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct simulation {
    struct solver *solver;
    const struct integrator *integrator;
    struct bodies *bodies; /* masses, and room for diagnostics */
    double dt;
    uint64_t steps_per_frame, step, frame;
};

static enum status copy_bodies(const struct bodies *bodies, struct bodies **out)
{
    enum status status = bodies_create(out, bodies->count, 1);
    if (status != STATUS_OK)
        return status;
    memcpy((*out)->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    memcpy((*out)->position, bodies->position, bodies->count * sizeof *bodies->position);
    memcpy((*out)->velocity, bodies->velocity, bodies->count * sizeof *bodies->velocity);
    (*out)->components[0].count = bodies->count;
    return STATUS_OK;
}

static enum status check_params(const struct simulation_params *params)
{
    if (!isfinite(params->dt) || params->dt == 0)
        return status_fail(STATUS_USAGE, "simulation.dt is %g, and must be a number other than 0",
                           params->dt);
    if (params->steps_per_frame == 0)
        return status_fail(STATUS_USAGE, "simulation.steps_per_frame is 0, and must be at least 1");
    if (!integrator_find(params->integrator))
        return status_fail(STATUS_USAGE,
                           "simulation.integrator is '%s', and there is none of that name; the "
                           "default is '%s'",
                           params->integrator, integrators[0]->name);
    return STATUS_OK;
}

enum status simulation_open(struct simulation **out, const struct simulation_params *params,
                            const char *backend, int device, const struct bodies *bodies)
{
    *out = NULL;
    enum status status = check_params(params);
    if (status != STATUS_OK)
        return status;
    struct simulation *simulation = calloc(1, sizeof *simulation);
    if (!simulation)
        return status_fail(STATUS_RUNTIME, "no memory for a simulation");
    simulation->integrator = integrator_find(params->integrator);
    simulation->dt = params->dt;
    simulation->steps_per_frame = params->steps_per_frame;

    struct solver_params solver = {
        .softening = params->softening, .force = params->force, .device = device, .isa = "auto"};
    status = solver_open(backend, &solver, bodies, &simulation->solver);
    if (status == STATUS_OK)
        status = copy_bodies(bodies, &simulation->bodies);
    if (status == STATUS_OK)
        status = simulation->solver->ops->accelerate(simulation->solver);
    if (status != STATUS_OK) {
        simulation_close(&simulation);
        return status;
    }
    *out = simulation;
    return STATUS_OK;
}

void simulation_close(struct simulation **simulation)
{
    if (!*simulation)
        return;
    solver_close(&(*simulation)->solver);
    bodies_destroy(&(*simulation)->bodies);
    free(*simulation);
    *simulation = NULL;
}

static enum status check_finite(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    size_t body = 0;
    enum status status = solver->ops->find_broken(solver, &body);
    if (status == STATUS_OK && body < solver->count)
        return status_fail(STATUS_RUNTIME,
                           "body %zu has left the finite numbers by step %llu; use a simulation.dt "
                           "smaller than %g, such as %g, or a larger simulation.softening",
                           body + 1, (unsigned long long)simulation->step, simulation->dt,
                           simulation->dt / 4);
    return status;
}

enum status simulation_advance(struct simulation *simulation, uint64_t frame, volatile int *stop)
{
    while (simulation->frame < frame) {
        uint64_t target = (simulation->frame + 1) * simulation->steps_per_frame;
        while (simulation->step < target) {
            if (stop && *stop)
                return STATUS_STOPPED;
            enum status status = simulation->integrator->step(simulation->solver, simulation->dt);
            if (status != STATUS_OK)
                return status;
            simulation->step++;
        }
        simulation->frame++;
        enum status status = check_finite(simulation);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

enum status simulation_view_create(struct simulation *simulation, struct view **out)
{
    return simulation->solver->ops->view_create(simulation->solver, out);
}

enum status simulation_view_fill(struct simulation *simulation, struct view *view)
{
    view->time = simulation_time(simulation);
    view->step = simulation->step;
    view->frame = simulation->frame;
    return simulation->solver->ops->view_fill(simulation->solver, view);
}

void simulation_view_destroy(struct simulation *simulation, struct view **view)
{
    simulation->solver->ops->view_destroy(simulation->solver, view);
}

enum status simulation_diagnose(struct simulation *simulation, struct diagnostics *out)
{
    struct solver *solver = simulation->solver;
    double potential = 0;
    enum status status = solver->ops->potential(solver, &potential);
    if (status == STATUS_OK)
        status = solver->ops->save(solver, simulation->bodies);
    if (status == STATUS_OK)
        diagnostics_compute(simulation->bodies, potential, out);
    return status;
}

enum status simulation_save(struct simulation *simulation, struct bodies *bodies)
{
    return simulation->solver->ops->save(simulation->solver, bodies);
}

const struct solver *simulation_solver(const struct simulation *simulation)
{
    return simulation->solver;
}

double simulation_time(const struct simulation *simulation)
{
    return (double)simulation->step * simulation->dt;
}

uint64_t simulation_step(const struct simulation *simulation)
{
    return simulation->step;
}
