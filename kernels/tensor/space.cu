#include "kernels/tensor/space.cuh"

#include <type_traits>

struct tensor_space tensor_space_of(const struct tensor_cuda_plan *plan, const void *work,
                                    size_t *bytes)
{
    struct tensor_space space = {};
    const size_t rows = plan->rows, fragments = rows / STRIP * LANES;
    size_t end = 0;
    auto take = [&](auto **pointer, size_t size) {
        end = (end + 255) / 256 * 256;
        *pointer = (std::remove_reference_t<decltype(**pointer)> *)((char *)work + end);
        end += size;
    };
    hilbert_take(&space.curve, plan->bodies, plan->sort_bytes, take);
    take(&space.tile, plan->tiles * sizeof *space.tile);
    take(&space.unit, rows / UNIT * sizeof *space.unit);
    take(&space.sink, fragments * sizeof *space.sink);
    take(&space.source, fragments * sizeof *space.source);
    take(&space.weighted, fragments * sizeof *space.weighted);
    take(&space.offset, rows * sizeof *space.offset);
    take(&space.beside, rows * sizeof *space.beside);
    take(&space.half, rows * sizeof *space.half);
    take(&space.moment, rows / UNIT * sizeof *space.moment);
    take(&space.heavy, sizeof *space.heavy);
    take(&space.slots, plan->slot_bytes);
    *bytes = end;
    return space;
}
