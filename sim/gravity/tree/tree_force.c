#include "sim/gravity/tree/tree_force.h"
#include "base/status.h"
#include "kernels/isa.h"
#include "sim/gravity/tree/tree_gravity.h"

#include <math.h>
#include <stdio.h>

typedef const double (*double_rows)[4];

struct tree {
    struct force force;
    struct gravity *gravity;
};

static struct tree *tree_of(struct force *force)
{
    return (struct tree *)force;
}

enum status tree_takes(const struct force_request *request)
{
    if (request->subset > 1)
        return status_fail(STATUS_USAGE,
                           "simulation.subset is %zu, but a tree needs all sources; set "
                           "simulation.subset to 1 or simulation.force to fast",
                           request->subset);
    return STATUS_OK;
}

enum status tree_takes_plummer(const struct force_request *request)
{
    enum status status = tree_takes(request);
    if (status == STATUS_OK && request->spline)
        return status_fail(STATUS_USAGE,
                           "simulation.softening_kernel is spline, which the force tree-exact does "
                           "not have; set simulation.force to tree or exact, or "
                           "simulation.softening_kernel to plummer");
    return status;
}

static enum status open_tree(struct force *force, const struct force_request *request)
{
    enum status status = tree_takes(request);
    if (status != STATUS_OK)
        return status;
    const struct gravity_params params = {.bodies = request->bodies,
                                          .among = request->among,
                                          .error = request->error,
                                          .isa = request->kernel,
                                          .spline = request->spline};
    status = gravity_open(&tree_of(force)->gravity, &params);
    if (status != STATUS_OK)
        return status;
    const struct tree_kernels *kernels = gravity_kernels(tree_of(force)->gravity);
    force->interactions = gravity_forecast(tree_of(force)->gravity);
    force->name = kernels->isa;
    snprintf(force->kernel, sizeof force->kernel, "tree, error %g, order %d, %s%s", request->error,
             kernels->order, kernels->isa, softening_words(request->spline, request->mixed));
    return STATUS_OK;
}

static void close_tree(struct force *force)
{
    gravity_close(&tree_of(force)->gravity);
}

static int threads_for(const struct sources *s)
{
    static const size_t worth = 8192;
    return s->bodies < worth ? 1 : force_cpu_threads();
}

static bool all_finite(const struct sources *s)
{
    double_rows rows = s->rows;
    bool finite = true;
#pragma omp parallel for schedule(dynamic, 4096) num_threads(threads_for(s)) reduction(&& : finite)
    for (size_t i = 0; i < s->bodies; i++)
        finite = finite && isfinite(rows[i][0]) && isfinite(rows[i][1]) && isfinite(rows[i][2]);
    return finite;
}

bool tree_spoilt(const struct sources *s, size_t numbers, double *out)
{
    if (all_finite(s))
        return false;
    for (size_t i = 0; i < numbers; i++)
        out[i] = NAN;
    return true;
}

enum status tree_refuses_mass(const char *what, const char *instead)
{
    return status_fail(STATUS_USAGE,
                       "%s, and a tree takes no negative masses; set simulation.force to %s", what,
                       instead);
}

enum status tree_check_mass(size_t body, double mass)
{
    char what[64];
    if (!(mass < 0))
        return STATUS_OK;
    snprintf(what, sizeof what, "body %zu has mass %g", body + 1, mass);
    return tree_refuses_mass(what, "fast");
}

int tree_check_masses(struct force *force, const struct sources *s, void *stream)
{
    double_rows rows = s->rows;
    enum status status = STATUS_OK;
    (void)force;
    (void)stream;
    for (size_t i = 0; status == STATUS_OK && i < s->bodies; i++)
        status = tree_check_mass(i, rows[i][3]);
    return status;
}

static int accelerate(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    (void)stream;
    if (tree_spoilt(s, 3 * s->bodies, out[0]))
        return STATUS_OK;
    const struct gravity_sinks sinks = {s->rungs, s->from_rung, s->apart};
    enum status status =
        gravity_accelerate(tree_of(force)->gravity, s->rows, s->halves, s->softening, sinks, out);
    force->apart = gravity_was_apart(tree_of(force)->gravity);
    force->work_done = gravity_last(tree_of(force)->gravity);
    force->interactions = force->work_done.pairs + force->work_done.joins;
    return (int)status;
}

static int potential(struct force *force, const struct sources *s, double *out, void *stream)
{
    (void)stream;
    if (tree_spoilt(s, s->bodies, out))
        return STATUS_OK;
    return (int)gravity_potential(tree_of(force)->gravity, s->rows, s->halves, s->softening, out);
}

static const struct force_path cpu_tree = {
    .backend = "cpu",
    .size = sizeof(struct tree),
    .partial = true,
    .open = open_tree,
    .prepare = tree_check_masses,
    .accelerate = accelerate,
    .potential = potential,
    .close = close_tree,
};

/* Defined in cuda.c or, in builds without CUDA, in sim/gravity/forces_none.c. */
extern const struct force_path tree_cuda;

static double asked_for(const struct bodies *bodies, double asked)
{
    (void)bodies;
    return asked;
}

const struct force_ops force_tree = {
    .name = "tree",
    .doc = "for many bodies: cells of an octree pull each other, within "
           "simulation.force_error",
    .number = sizeof(double),
    .paths = FORCE_PATHS(&cpu_tree, &tree_cuda),
    .error = asked_for,
};
