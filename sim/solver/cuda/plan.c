#include "sim/solver/cuda/plan.h"
#include "kernels/pairs/cuda/plan.h"

/* Memory budget of partial sums. */
static const size_t SLOT_BUDGET = (size_t)1 << 30;

size_t cuda_padded(size_t rows)
{
    return (rows + FORCE_CUDA_PAD - 1) / FORCE_CUDA_PAD * FORCE_CUDA_PAD;
}

size_t cuda_part(const struct solver_setup *setup, size_t count)
{
    return (count + setup->subset - 1) / setup->subset;
}

/* Memory of a solver of `count` bodies and of the views of a film, without the force's work
 * memory. */
static size_t state_bytes(const struct solver_setup *setup, size_t count)
{
    size_t row = (setup->mixed ? 5 : 4) * setup->force->number; /* and the half of its softening */
    size_t bytes = cuda_padded(count) * row + 3 * count * sizeof(double[3]) +
                   (size_t)views_in_flight(count) * 2 * count * sizeof(float[4]);
    if (setup->path->partial)
        bytes += count; /* rungs */
    if (setup->force->tiled)
        bytes += count * sizeof(unsigned) +
                 cuda_padded(count) / FORCE_TILE * (sizeof(double[4]) + FORCE_CHOSEN);
    if (setup->keeps)
        bytes += 3 * count * sizeof(double[3]);
    if (setup->subset > 1)
        bytes += cuda_padded(cuda_part(setup, count)) * row;
    return bytes;
}

static enum status open_force(const struct solver_setup *setup, size_t count, int multiprocessors,
                              size_t free_bytes, struct force **out)
{
    size_t state = state_bytes(setup, count), spare = free_bytes > state ? free_bytes - state : 0;
    const struct force_request request = {
        .bodies = count,
        .sources = cuda_part(setup, count),
        .subset = setup->subset,
        .mixed = setup->mixed,
        .spline = setup->spline,
        .error = setup->force_error,
        .kernel = setup->kernel,
        .device = setup->device,
        .multiprocessors = multiprocessors,
        .budget = spare / 2 < SLOT_BUDGET ? spare / 2 : SLOT_BUDGET,
    };
    return force_open(setup->force, setup->path, &request, out);
}

/* The largest number of bodies below `count` whose state and work memory fit. */
static size_t most_that_fit(const struct solver_setup *setup, size_t count, int multiprocessors,
                            size_t free_bytes)
{
    size_t fits = 0, beyond = count;
    while (beyond - fits > 1 + fits / 100) {
        struct force *trial = NULL;
        size_t n = fits + (beyond - fits) / 2;
        bool good = n >= setup->subset &&
                    open_force(setup, n, multiprocessors, free_bytes, &trial) == STATUS_OK;
        if (good && state_bytes(setup, n) + trial->work_bytes <= free_bytes)
            fits = n;
        else
            beyond = n;
        force_close(&trial);
    }
    return fits;
}

enum status cuda_plan(struct cuda *cuda, const struct solver_setup *setup, int multiprocessors)
{
    size_t count = cuda->solver.count, free_bytes = 0, all = 0;
    enum status status = cuda_check(cuda, cudaMemGetInfo(&free_bytes, &all), "ask for free memory");
    if (status != STATUS_OK)
        return status;
    cuda->free_before = free_bytes;
    if (count > FORCE_CUDA_COUNT_MAX)
        return status_fail(
            STATUS_USAGE,
            "%zu bodies are more than the %d that --backend cuda supports; use fewer "
            "with -n, or --backend cpu",
            count, FORCE_CUDA_COUNT_MAX);
    status = open_force(setup, count, multiprocessors, free_bytes, &cuda->solver.force);
    if (status != STATUS_OK)
        return status;
    cuda->solver.kernel = cuda->solver.force->kernel;
    size_t needed = state_bytes(setup, count) + cuda->solver.force->work_bytes;
    if (needed <= free_bytes)
        return STATUS_OK;
    return status_fail(
        STATUS_RUNTIME,
        "%zu bodies need %zu MiB on %s, and %zu MiB are free, enough for %zu bodies; ask for fewer "
        "with -n, or use --backend cpu",
        count, needed >> 20, cuda->solver.device, free_bytes >> 20,
        most_that_fit(setup, count, multiprocessors, free_bytes));
}
