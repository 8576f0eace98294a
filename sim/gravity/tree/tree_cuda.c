#include "base/status.h"
#include "kernels/tree/cuda/tree_cuda.h"
#include "sim/gravity/tree/tree_force.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

struct tree {
    struct force force;
    struct tree_cuda_plan plan;
    struct tree_cuda_accuracy accuracy;
};

static struct tree *tree_of(struct force *force)
{
    return (struct tree *)force;
}

/* Estimated pairs and joins per body before the first evaluation. */
static const double forecast = 1000;

static enum status open_tree(struct force *force, const struct force_request *request)
{
    struct tree *tree = tree_of(force);
    enum status status = tree_takes(request);
    if (status != STATUS_OK)
        return status;
    if (strcmp(request->kernel, "auto") != 0)
        return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto",
                           request->kernel);
    tree->accuracy = tree_cuda_accuracy(request->error, request->bodies, request->spline);
    int error =
        tree_cuda_plan(request->bodies, request->error, tree->accuracy.order, request->mixed,
                       request->spline, request->multiprocessors, &tree->plan);
    if (error != cudaSuccess)
        return status_fail(STATUS_RUNTIME, "CUDA could not plan a tree of %zu bodies: %s",
                           request->bodies, cudaGetErrorString((cudaError_t)error));
    force->interactions = (double)request->bodies * forecast;
    force->repeatable = true;
    force->work_bytes = tree->plan.bytes;
    force->work_spare = tree->plan.spare;
    force->name = force->ops->name;
    snprintf(force->kernel, sizeof force->kernel, "tree, error %g, order %d, leaves of %d%s",
             request->error, tree->accuracy.order, TREE_CUDA_LEAF,
             softening_words(request->spline, request->mixed));
    return STATUS_OK;
}

static int accelerate(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    struct tree *tree = tree_of(force);
    const bool known = force->past == FORCE_PAST_KNOWN;
    if (!known)
        force->past = FORCE_PAST_ASKED;
    const struct tree_cuda_sinks sinks = {s->rungs, s->from_rung};
    return tree_cuda_accelerate(&tree->plan, &tree->accuracy.rule, s->rows, s->halves, s->softening,
                                sinks, known, force->work, out[0], stream);
}

static int potential(struct force *force, const struct sources *s, double *out, void *stream)
{
    struct tree *tree = tree_of(force);
    return tree_cuda_potential(&tree->plan, &tree->accuracy.potential, s->rows, s->halves,
                               s->softening, force->work, out, stream);
}

static enum status look(struct force *force, void *stream)
{
    struct tree *tree = tree_of(force);
    struct tree_cuda_work work;
    int error = tree_cuda_last(&tree->plan, force->work, &work, stream);
    if (error != cudaSuccess)
        return status_fail(STATUS_RUNTIME, "cannot read a tree's statistics from CUDA: %s",
                           cudaGetErrorString((cudaError_t)error));
    if (work.negative)
        return tree_refuses_mass("a body has a mass below 0", "fast");
    if (work.lost > 0)
        return status_fail(STATUS_RUNTIME,
                           "the lists of a tree of %zu bodies did not fit in the %zu entries that "
                           "there is room for; set simulation.force to fast, or a larger "
                           "simulation.force_error",
                           tree->plan.bodies, tree->plan.pool);
    if (force->past == FORCE_PAST_ASKED && work.known)
        force->past = FORCE_PAST_KNOWN;
    force->work_done =
        (struct force_work){.pairs = (double)work.pairs, .joins = (double)work.joins};
    if (work.pairs > 0)
        force->interactions = (double)work.pairs + (double)work.joins;
    return STATUS_OK;
}

const struct force_path tree_cuda = {
    .backend = "cuda",
    .size = sizeof(struct tree),
    .partial = true,
    .open = open_tree,
    .accelerate = accelerate,
    .potential = potential,
    .look = look,
};
