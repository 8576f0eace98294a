#include "sim/solver/auto.h"
#include "sim/solver/pairs.h"
#include "sim/solver/tensor.h"
#include "sim/solver/tree.h"

/* From how many bodies on a tree is quicker than all pairs, for errors from `error` on; largest
 * errors first. On the CPU measured with AVX-512, whose lanes both fill, on CUDA on one H200. */
static const struct crossover {
    double error;
    size_t bodies;
} on_cpu[] = {{1e-3, 8192}, {4e-4, 10240}, {2e-4, 14336}, {1e-4, 24576}, {3e-5, 40960}, {0, 65536}},
  on_cuda[] = {{3e-4, 65536}, {1.5e-4, 81920}, {8e-5, 98304}, {2.5e-5, 196608}, {0, 524288}};

static size_t crossover_at(const struct crossover *row, double error)
{
    while (!(error >= row->error))
        row++;
    return row->bodies;
}

/* From where on matrix units are quicker than plain kernels, on one H200. */
static const size_t tensor_from = 49152;

static bool worth_tensor(const struct force_wish *wish)
{
    return wish->bodies >= tensor_from && wish->error >= FORCE_TENSOR_ERROR && wish->subset == 1 &&
           wish->plummer && force_tensor.cuda->runs && force_tensor.cuda->runs(wish->device);
}

const struct force_ops *force_resolve(const struct force_ops *ops, bool on_gpu,
                                      const struct force_wish *wish)
{
    if (ops != &force_auto)
        return ops;
    const bool able = (on_gpu ? force_tree.cuda : force_tree.cpu) != NULL;
    if (able && wish->subset == 1 && !wish->negative &&
        wish->bodies >= crossover_at(on_gpu ? on_cuda : on_cpu, wish->error))
        return &force_tree;
    return on_gpu && worth_tensor(wish) ? &force_tensor : &force_fast;
}

const struct force_ops force_auto = {
    .name = "auto",
    .doc =
        "fast or, from some ten thousand bodies on, tree or tensor where that is quicker; decided "
        "by the number of bodies, simulation.force_error and the kind of device",
};
