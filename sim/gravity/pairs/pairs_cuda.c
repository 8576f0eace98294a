#include "sim/gravity/force.h"
#include "base/memory.h"
#include "kernels/pairs/cuda/pairs.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The fast kernels (`plan`) support only all bodies as sources and a single softening; the direct
 * kernels do the rest. Work memory: the slots and, for `plan`, one mass per tile after them. */
struct pairs {
    struct force force;
    bool direct_only, spline;
    struct force_cuda_plan plan;
    struct force_direct_plan direct;
};

static struct pairs *pairs_of(struct force *force)
{
    return (struct pairs *)force;
}

static float *tile_masses(struct pairs *pairs)
{
    return (float *)((char *)pairs->force.work + pairs->plan.slot_bytes);
}

static enum status no_kernel(const char *name)
{
    return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto", name);
}

static void open_any(struct force *force, const struct force_request *request)
{
    force->interactions = (double)request->bodies * (double)request->sources;
    force->repeatable = request->subset == 1; /* a recorded turn would never change */
}

static enum status open_direct(struct force *force, const struct force_request *request)
{
    struct pairs *pairs = pairs_of(force);
    const struct force_direct_plan *plan = &pairs->direct;
    const char *softening = softening_words(request->spline, request->mixed);
    if (strcmp(request->kernel, "auto") != 0)
        return no_kernel(request->kernel);
    open_any(force, request);
    pairs->direct_only = true;
    pairs->spline = request->spline;
    force_direct_plan(request->bodies, request->sources, &pairs->direct);
    force->work_bytes = plan->slot_bytes;
    force->name = force->ops->name;
    if (request->subset > 1)
        snprintf(force->kernel, sizeof force->kernel,
                 "1/%zu of the sources in turn, %s, tiles of %u%s", request->subset, force->name,
                 plan->tile, softening);
    else
        snprintf(force->kernel, sizeof force->kernel,
                 "all pairs, %s, tiles of %u, sources in %u groups%s", force->name, plan->tile,
                 plan->groups, softening);
    return STATUS_OK;
}

static enum status open_fast(struct force *force, const struct force_request *request)
{
    struct pairs *pairs = pairs_of(force);
    const struct force_cuda_plan *plan = &pairs->plan;
    if (request->subset > 1 || request->mixed || request->slice)
        return open_direct(force, request);
    if (!force_cuda_plan(request->bodies, request->multiprocessors, request->budget,
                         request->kernel, &pairs->plan))
        return no_kernel(request->kernel);
    open_any(force, request);
    force->work_bytes = plan->slot_bytes + plan->tiles * sizeof(float);
    force->name = plan->name;
    if (plan->scheme == FORCE_CUDA_SPLIT)
        snprintf(force->kernel, sizeof force->kernel,
                 "all pairs, tiles of %u, sources in %u shares", plan->tile, plan->splits);
    else
        snprintf(force->kernel, sizeof force->kernel,
                 "pairs once (Newton's third law), tiles of %u, %u wave%s", plan->tile,
                 (plan->distances + plan->wave - 1) / plan->wave,
                 plan->wave < plan->distances ? "s" : "");
    return STATUS_OK;
}

static struct force_tiles tiles_of(const struct sources *s)
{
    return (struct force_tiles){.centres = (const double *)s->centres,
                                .from_centres = (const double *)s->from_centres,
                                .weights = s->weights,
                                .order = s->order};
}

/* Counts the tiles whose bodies share one mass, for the pairs scheme. */
static int prepare_fast(struct force *force, const struct sources *sources, void *stream)
{
    struct pairs *pairs = pairs_of(force);
    size_t bytes = pairs->plan.tiles * sizeof(float);
    if (pairs->direct_only || pairs->plan.scheme != FORCE_CUDA_PAIRS)
        return cudaSuccess;
    float *mass = memory_new(1, bytes);
    int error = force_cuda_tile_masses(&pairs->plan, sources->rows, tile_masses(pairs), stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(mass, tile_masses(pairs), bytes, cudaMemcpyDeviceToHost,
                                (cudaStream_t)stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize((cudaStream_t)stream);
    if (error == cudaSuccess)
        force_cuda_count_tiles(&pairs->plan, mass);
    free(mass);
    return error;
}

static int accelerate_fast(struct force *force, const struct sources *s, double (*out)[3],
                           void *stream)
{
    struct pairs *pairs = pairs_of(force);
    float softening = (float)s->softening;
    const struct force_tiles tiles = tiles_of(s);
    if (pairs->spline)
        return force_spline_quick_accelerate(&pairs->direct, s->rows, s->from, s->halves,
                                             s->from_halves, &tiles, force->work, out[0], stream);
    if (pairs->direct_only)
        return force_quick_accelerate(&pairs->direct, s->rows, s->from, softening, s->halves,
                                      s->from_halves, &tiles, force->work, out[0], stream);
    return force_cuda_accelerate(&pairs->plan, s->rows, tile_masses(pairs), softening, &tiles,
                                 force->work, out[0], stream);
}

static int accelerate_exact(struct force *force, const struct sources *s, double (*out)[3],
                            void *stream)
{
    const struct force_tiles tiles = tiles_of(s);
    if (pairs_of(force)->spline)
        return force_spline_exact_accelerate(&pairs_of(force)->direct, s->rows, s->from, s->halves,
                                             s->from_halves, &tiles, force->work, out[0], stream);
    return force_exact_accelerate(&pairs_of(force)->direct, s->rows, s->from, (float)s->softening,
                                  s->halves, s->from_halves, &tiles, force->work, out[0], stream);
}

static int accelerate_double(struct force *force, const struct sources *s, double (*out)[3],
                             void *stream)
{
    if (pairs_of(force)->spline)
        return force_spline_double_accelerate(&pairs_of(force)->direct, s->rows, s->from, s->halves,
                                              s->from_halves, force->work, out[0], stream);
    return force_double_accelerate(&pairs_of(force)->direct, s->rows, s->from, s->softening,
                                   s->halves, s->from_halves, force->work, out[0], stream);
}

static int potential_exact(struct force *force, const struct sources *s, double *out, void *stream)
{
    const struct force_tiles tiles = {
        .centres = (const double *)s->centres,
        .from_centres = (const double *)s->centres,
        .order = s->order,
    };
    if (pairs_of(force)->spline)
        return force_spline_exact_potential(s->bodies, s->rows, s->halves, &tiles, out, stream);
    return force_exact_potential(s->bodies, s->rows, (float)s->softening, s->halves, &tiles, out,
                                 stream);
}

static int potential_fast(struct force *force, const struct sources *s, double *out, void *stream)
{
    if (s->halves)
        return potential_exact(force, s, out, stream);
    const struct force_tiles tiles = tiles_of(s);
    return force_cuda_potential(s->bodies, s->rows, (float)s->softening, &tiles, out, stream);
}

static int potential_double(struct force *force, const struct sources *s, double *out, void *stream)
{
    if (pairs_of(force)->spline)
        return force_spline_double_potential(s->bodies, s->rows, s->halves, out, stream);
    return force_double_potential(s->bodies, s->rows, s->softening, s->halves, out, stream);
}

const struct force_path pairs_cuda_fast = {
    .backend = "cuda",
    .size = sizeof(struct pairs),
    .open = open_fast,
    .prepare = prepare_fast,
    .accelerate = accelerate_fast,
    .potential = potential_fast,
};

const struct force_path pairs_cuda_exact = {
    .backend = "cuda",
    .size = sizeof(struct pairs),
    .open = open_direct,
    .accelerate = accelerate_exact,
    .potential = potential_exact,
};

const struct force_path pairs_cuda_double = {
    .backend = "cuda",
    .size = sizeof(struct pairs),
    .open = open_direct,
    .accelerate = accelerate_double,
    .potential = potential_double,
};
