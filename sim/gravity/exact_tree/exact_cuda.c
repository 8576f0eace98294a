#include "base/status.h"
#include "kernels/exact_tree/cuda/exact_tree_cuda.h"
#include "kernels/exact_tree/walk.h"
#include "sim/gravity/tree/tree_force.h"
#include "sim/gravity/force.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

struct tree_exact {
    struct force force;
    struct exact_tree_cuda_plan plan;
    struct exact_tree_rule first, rule, potential;
};

static struct tree_exact *tree_of(struct force *force)
{
    return (struct tree_exact *)force;
}

/* Estimated pairs and joins per body before the first evaluation. */
static const double forecast = 2500;

static enum status open_tree(struct force *force, const struct force_request *request)
{
    struct tree_exact *tree = tree_of(force);
    enum status status = tree_takes_plummer(request);
    if (status != STATUS_OK)
        return status;
    if (strcmp(request->kernel, "auto") != 0)
        return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto",
                           request->kernel);
    int error = exact_tree_cuda_plan(request->bodies, request->mixed, request->multiprocessors,
                                     &tree->plan);
    if (error != cudaSuccess)
        return status_fail(STATUS_RUNTIME, "CUDA could not plan a tree of %zu bodies: %s",
                           request->bodies, cudaGetErrorString((cudaError_t)error));
    tree->first = exact_tree_rule_first(request->error);
    tree->rule = exact_tree_rule_for(request->error);
    tree->potential = exact_tree_rule_potential(request->error);
    force->interactions = (double)request->bodies * forecast;
    force->repeatable = true;
    force->work_bytes = tree->plan.bytes;
    force->name = force->ops->name;
    snprintf(force->kernel, sizeof force->kernel, "tree-exact, error %g, groups of %d%s",
             request->error, EXACT_TREE_GROUP, softening_words(request->spline, request->mixed));
    return STATUS_OK;
}

static int accelerate(struct force *force, const struct sources *s, double (*out)[3], void *stream)
{
    struct tree_exact *tree = tree_of(force);
    return exact_tree_cuda_accelerate(&tree->plan, &tree->first, &tree->rule, s->rows, s->halves,
                                      s->softening, force->work, out[0], stream);
}

static int potential(struct force *force, const struct sources *s, double *out, void *stream)
{
    struct tree_exact *tree = tree_of(force);
    return exact_tree_cuda_potential(&tree->plan, &tree->potential, s->rows, s->halves,
                                     s->softening, force->work, out, stream);
}

static enum status look(struct force *force, void *stream)
{
    struct tree_exact *tree = tree_of(force);
    struct exact_tree_cuda_work work;
    int error = exact_tree_cuda_last(&tree->plan, force->work, &work, stream);
    if (error != cudaSuccess)
        return status_fail(STATUS_RUNTIME, "cannot read a tree's statistics from CUDA: %s",
                           cudaGetErrorString((cudaError_t)error));
    if (work.negative)
        return tree_refuses_mass("a body has a mass below 0", "exact");
    force->work_done =
        (struct force_work){.pairs = (double)work.pairs, .joins = (double)work.joins};
    if (work.pairs > 0)
        force->interactions = (double)work.pairs + (double)work.joins;
    return STATUS_OK;
}

const struct force_path tree_exact_cuda = {
    .backend = "cuda",
    .size = sizeof(struct tree_exact),
    .open = open_tree,
    .accelerate = accelerate,
    .potential = potential,
    .look = look,
};
