#include "sim/gravity/auto/auto.h"
#include "sim/gravity/pairs/pairs.h"
#include "sim/gravity/tensor/tensor.h"
#include "sim/gravity/tree/force.h"

/* From how many bodies on a tree is quicker than all pairs, for errors from `error` on; largest
 * errors first. On the CPU measured with AVX-512, whose lanes both fill, on CUDA on one H200: than
 * plain kernels and than matrix units. */
static const struct crossover {
    double error;
    size_t bodies;
} on_cpu[] = {{1e-3, 8192}, {4e-4, 10240}, {2e-4, 14336}, {1e-4, 24576}, {3e-5, 40960}, {0, 65536}},
  on_cuda[] = {{3e-4, 65536}, {1.5e-4, 81920}, {8e-5, 98304}, {2.5e-5, 196608}, {0, 524288}},
  on_tensor[] = {{3e-4, 65536},    {1.5e-4, 114688}, {8e-5, 163840},
                 {2.5e-5, 262144}, {1e-5, 458752},   {0, 524288}};

/* From where on matrix units are quicker than plain kernels, on one H200: these have the third law
 * for one Plummer softening alone. */
static const size_t tensor_from = 40960, tensor_from_softened = 28672;

static size_t crossover_at(const struct crossover *row, double error)
{
    while (!(error >= row->error))
        row++;
    return row->bodies;
}

/* Whether matrix units can do it, and are quicker than plain kernels. */
static bool worth_tensor(bool on_gpu, const struct force_wish *wish)
{
    const struct force_path *path = force_tensor.cuda;
    return on_gpu && wish->bodies >= (wish->plummer ? tensor_from : tensor_from_softened) &&
           wish->error >= wish->tensor && wish->subset == 1 && path->runs &&
           path->runs(wish->device);
}

const struct force_ops *force_resolve(const struct force_ops *ops, bool on_gpu,
                                      const struct force_wish *wish)
{
    if (ops != &force_auto)
        return ops;
    const bool able = (on_gpu ? force_tree.cuda : force_tree.cpu) != NULL;
    const bool tensor = worth_tensor(on_gpu, wish);
    const struct crossover *table = tensor ? on_tensor : on_gpu ? on_cuda : on_cpu;
    if (able && wish->subset == 1 && !wish->negative &&
        wish->bodies >= crossover_at(table, wish->error))
        return &force_tree;
    return tensor ? &force_tensor : &force_fast;
}

const struct force_ops force_auto = {
    .name = "auto",
    .doc =
        "fast or, from some ten thousand bodies on, tree or tensor where that is quicker; decided "
        "by the number of bodies, simulation.force_error and the kind of device",
};
