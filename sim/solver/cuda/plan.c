#include "sim/solver/cuda/state.h"

#include <stdio.h>
#include <string.h>

/* Partial sums of the pairs scheme may take this much. */
static const size_t SLOT_BUDGET = (size_t)1 << 30;

static size_t padded(size_t count)
{
    return (count + FORCE_CUDA_PAD - 1) / FORCE_CUDA_PAD * FORCE_CUDA_PAD;
}

/* Rows and halves of softening beside them. */
static size_t row_bytes(const struct cuda *cuda)
{
    size_t number = cuda->mode == &force_double ? sizeof(double) : sizeof(float);
    return (cuda->mixed ? 5 : 4) * number;
}

/* All that a solver of `count` bodies and the views of a film need, but for the slots. */
static size_t state_bytes(const struct cuda *cuda, size_t count)
{
    size_t bytes = padded(count) * row_bytes(cuda) + 3 * count * sizeof(double[3]) +
                   VIEWS_IN_FLIGHT * 2 * count * sizeof(float[4]);
    if (cuda->mode == &force_double)
        bytes += padded(count) * sizeof(float[4]);
    if (cuda->keeps)
        bytes += 3 * count * sizeof(double[3]);
    if (cuda->subset > 1)
        bytes += padded((count + cuda->subset - 1) / cuda->subset) * row_bytes(cuda);
    return bytes;
}

/* Plans for `count` bodies and gives the bytes of the slots; false for an unknown path. */
static bool plan_slots(struct cuda *cuda, size_t count, const char *path, int multiprocessors,
                       size_t budget)
{
    if (!cuda->by_plan) {
        force_direct_plan(count, (count + cuda->subset - 1) / cuda->subset, &cuda->direct);
        cuda->slot_bytes = cuda->direct.slot_bytes;
        return !path || strcmp(path, "auto") == 0;
    }
    bool known = force_cuda_plan(count, multiprocessors, budget, path, &cuda->plan);
    cuda->slot_bytes = cuda->plan.slot_bytes;
    return known;
}

static size_t budget_of(const struct cuda *cuda, size_t count, size_t free_bytes)
{
    size_t state = state_bytes(cuda, count), spare = free_bytes > state ? free_bytes - state : 0;
    return spare / 2 < SLOT_BUDGET ? spare / 2 : SLOT_BUDGET;
}

/* The largest number of bodies below `count` whose state and slots fit. */
static size_t most_that_fit(const struct cuda *cuda, size_t count, const char *path,
                            int multiprocessors, size_t free_bytes)
{
    size_t fits = 0, beyond = count;
    while (beyond - fits > 1 + fits / 100) {
        struct cuda trial = *cuda;
        size_t n = fits + (beyond - fits) / 2;
        bool good = n >= cuda->subset &&
                    plan_slots(&trial, n, path, multiprocessors, budget_of(cuda, n, free_bytes));
        if (good && state_bytes(cuda, n) + trial.slot_bytes <= free_bytes)
            fits = n;
        else
            beyond = n;
    }
    return fits;
}

static void describe(struct cuda *cuda)
{
    char *text = cuda->solver.kernel;
    const size_t size = sizeof cuda->solver.kernel;
    const struct force_cuda_plan *plan = &cuda->plan;
    const char *softening = cuda->mixed ? ", softening by component" : "";
    if (cuda->subset > 1)
        snprintf(text, size, "1/%zu of the sources in turn, %s, tiles of %u%s", cuda->subset,
                 cuda->mode->name, cuda->direct.tile, softening);
    else if (!cuda->by_plan)
        snprintf(text, size, "all pairs, %s, tiles of %u, sources in %u groups%s", cuda->mode->name,
                 cuda->direct.tile, cuda->direct.groups, softening);
    else if (plan->scheme == FORCE_CUDA_SPLIT)
        snprintf(text, size, "all pairs, tiles of %u, sources in %u shares", plan->tile,
                 plan->splits);
    else
        snprintf(text, size, "pairs once (Newton's third law), tiles of %u, %u wave%s", plan->tile,
                 (plan->distances + plan->wave - 1) / plan->wave,
                 plan->wave < plan->distances ? "s" : "");
    cuda->kernel_name = cuda->by_plan ? plan->name : cuda->mode->name;
}

enum status cuda_plan(struct cuda *cuda, const struct solver_params *params, int multiprocessors)
{
    size_t count = cuda->solver.count, free_bytes = 0, all = 0;
    enum status status = cuda_check(cuda, cudaMemGetInfo(&free_bytes, &all), "ask for free memory");
    if (status != STATUS_OK)
        return status;
    cuda->free_before = free_bytes;
    if (count > FORCE_CUDA_COUNT_MAX)
        return status_fail(STATUS_USAGE,
                           "%zu bodies are more than the %d that --backend cuda takes", count,
                           FORCE_CUDA_COUNT_MAX);
    cuda->mode = force_mode_find(params->force);
    cuda->subset = params->subset > 1 ? params->subset : 1;
    cuda->solver.sources = (count + cuda->subset - 1) / cuda->subset;
    cuda->keeps = params->keeps;
    cuda->mixed = params->mixed;
    cuda->by_plan = cuda->mode == &force_fast && cuda->subset == 1 && !cuda->mixed;
    if (!plan_slots(cuda, count, params->isa, multiprocessors, budget_of(cuda, count, free_bytes)))
        return status_fail(STATUS_DEVICE, "there is no CUDA kernel '%s'; choose auto", params->isa);
    describe(cuda);
    size_t needed = state_bytes(cuda, count) + cuda->slot_bytes;
    if (needed <= free_bytes)
        return STATUS_OK;
    return status_fail(
        STATUS_RUNTIME,
        "%zu bodies need %zu MiB on %s, and %zu MiB are free, enough for %zu bodies; ask for fewer "
        "with -n, or use --backend cpu",
        count, needed >> 20, cuda->solver.device, free_bytes >> 20,
        most_that_fit(cuda, count, params->isa, multiprocessors, free_bytes));
}
