#include "sim/gravity/auto/auto.h"
#include "sim/bodies/bodies_whole.h"

#include <string.h>

/* The number of bodies from which a tree is faster than all pairs, for errors of at least `error`;
 * largest errors first. Measured on the CPU with AVX-512, whose lanes both methods fill; on CUDA on
 * one H200, against plain kernels and against matrix units. */
static const struct crossover {
    double error;
    size_t bodies;
} on_cpu[] = {{1e-3, 8192}, {4e-4, 10240}, {2e-4, 14336}, {1e-4, 24576}, {3e-5, 40960}, {0, 65536}},
  on_cuda[] = {{3e-4, 65536}, {1.5e-4, 81920}, {8e-5, 98304}, {2.5e-5, 196608}, {0, 524288}},
  on_tensor[] = {{3e-4, 65536},    {1.5e-4, 114688}, {8e-5, 163840},
                 {2.5e-5, 262144}, {1e-5, 458752},   {0, 524288}};

/* The number of bodies from which matrix units are faster than plain kernels, on one H200. Plain
 * kernels use Newton's third law only with a single Plummer softening. */
static const size_t tensor_from = 40960, tensor_from_softened = 28672;

/* Other backends have not been measured. */
static const struct measured {
    const char *backend;
    const struct crossover *plain, *tensor;
} measured[] = {{"cpu", on_cpu, on_cpu}, {"cuda", on_cuda, on_tensor}};

static const struct measured *find_measured(const char *backend)
{
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
        if (strcmp(measured[k].backend, backend) == 0)
            return &measured[k];
    return NULL;
}

static size_t crossover_at(const struct crossover *row, double error)
{
    while (!(error >= row->error))
        row++;
    return row->bodies;
}

enum status force_wish_for(struct force_wish *out, const struct bodies *bodies, double error,
                           bool plummer, size_t subset, int device)
{
    *out = (struct force_wish){
        .bodies = bodies_whole(bodies),
        .error = error,
        .subset = subset,
        .plummer = plummer,
        .tensor = force_tensor.error(bodies, error),
        .device = device,
    };
    for (size_t i = 0; i < bodies->count; i++)
        out->negative |= bodies->mass[i] < 0;
    return whole_any(bodies, &out->negative);
}

/* Whether matrix units support the request and are faster than plain kernels. */
static bool worth_tensor(const char *backend, const struct force_wish *wish)
{
    return !whole_below(wish->bodies, wish->plummer ? tensor_from : tensor_from_softened) &&
           wish->error >= wish->tensor && wish->subset == 1 &&
           force_runs(&force_tensor, backend, wish->device);
}

/* force_fast, or the first force that the backend has. */
static const struct force_ops *usual(const char *backend)
{
    const struct force_ops *ops;
    for (size_t i = 0; (ops = choice_at(&force_registry, i)); i++)
        if (force_path_of(ops, backend))
            return ops;
    return &force_fast;
}

const struct force_ops *force_resolve(const struct force_ops *ops, const char *backend,
                                      const struct force_wish *wish)
{
    if (ops != &force_auto)
        return ops;
    const struct measured *known = find_measured(backend);
    if (!known)
        return usual(backend);
    const bool tensor = worth_tensor(backend, wish);
    const struct crossover *table = tensor ? known->tensor : known->plain;
    if (force_path_of(&force_tree, backend) && wish->subset == 1 && !wish->negative &&
        !whole_below(wish->bodies, crossover_at(table, wish->error)))
        return &force_tree;
    return tensor ? &force_tensor : &force_fast;
}

const struct force_ops force_auto = {
    .name = "auto",
    .doc =
        "fast or, from some ten thousand bodies on, tree or tensor where that is quicker; decided "
        "by the number of bodies, simulation.force_error and the kind of device",
};
