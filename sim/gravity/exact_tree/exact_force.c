#include "base/status.h"
#include "sim/gravity/exact_tree/exact_gravity.h"
#include "sim/gravity/tree/tree_force.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <stdio.h>

struct tree_exact {
    struct force force;
    struct exact_gravity *gravity;
};

static struct exact_gravity *gravity_of(struct force *force)
{
    return ((struct tree_exact *)force)->gravity;
}

/* Estimated pairs and joins per body before the first evaluation. */
static double forecast(size_t bodies)
{
    return (double)bodies * fmin((double)bodies, 2500);
}

static enum status open_tree(struct force *force, const struct force_request *request)
{
    enum status status = tree_takes_plummer(request);
    if (status != STATUS_OK)
        return status;
    const struct exact_gravity_params params = {
        .bodies = request->bodies, .error = request->error, .isa = request->kernel};
    if (!request->slice) /* ranks have the tree in parts (sim/ranks) */
        status = exact_gravity_open(&((struct tree_exact *)force)->gravity, &params);
    if (status != STATUS_OK)
        return status;
    force->interactions = forecast(request->bodies);
    force->name = exact_tree_find(request->kernel)->isa;
    snprintf(force->kernel, sizeof force->kernel, "tree-exact, error %g, %s%s", request->error,
             force->name, softening_words(request->spline, request->mixed));
    return STATUS_OK;
}

static void close_tree(struct force *force)
{
    if (gravity_of(force))
        exact_gravity_close(&((struct tree_exact *)force)->gravity);
}

static int accelerate(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    (void)stream;
    if (tree_spoilt(s, 3 * s->bodies, out[0]))
        return STATUS_OK;
    exact_gravity_accelerate(gravity_of(force), s->rows, s->halves, s->softening, out);
    force->work_done = exact_gravity_last(gravity_of(force));
    force->interactions = force->work_done.pairs + force->work_done.joins;
    return STATUS_OK;
}

static int potential(struct force *force, const struct sources *s, double *out, void *stream)
{
    (void)stream;
    if (tree_spoilt(s, s->bodies, out))
        return STATUS_OK;
    exact_gravity_potential(gravity_of(force), s->rows, s->halves, s->softening, out);
    return STATUS_OK;
}

static const struct force_path cpu_tree_exact = {
    .backend = "cpu",
    .size = sizeof(struct tree_exact),
    .open = open_tree,
    .prepare = tree_check_masses,
    .accelerate = accelerate,
    .potential = potential,
    .close = close_tree,
};

/* In cuda.c; without CUDA in sim/gravity/forces_none.c. */
extern const struct force_path tree_exact_cuda;

/* The error stays below what was asked for, except in flat disks and dense cusps, where it grows
 * with the number of bodies: 1.8 times for a disk of a million (docs/physics.md). */
static double at_most(const struct bodies *bodies, double asked)
{
    (void)bodies;
    return 2 * asked;
}

const struct force_ops force_tree_exact = {
    .name = "tree-exact",
    .doc = "a tree in IEEE-exact operations, near simulation.force_error; the same bits on "
           "every device",
    .number = sizeof(double),
    .paths = FORCE_PATHS(&cpu_tree_exact, &tree_exact_cuda),
    .error = at_most,
    .same_everywhere = true,
};
