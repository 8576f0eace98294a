#include "sim/solver/cuda/cuda_state.h"

#include "base/memory.h"
#include "kernels/pairs/cuda/force_plan.h"
#include "sim/gravity/force.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory budget of partial sums. */
static const size_t SLOT_BUDGET = (size_t)1 << 30;

size_t cuda_padded(size_t rows)
{
    return (rows + FORCE_CUDA_PAD - 1) / FORCE_CUDA_PAD * FORCE_CUDA_PAD;
}

/* number of sources of a turn */
static size_t cuda_part(const struct solver_setup *setup, size_t count)
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

/* Opens the force, which chooses its kernels. STATUS_RUNTIME if the device lacks the memory; the
 * message says how much is needed and how many bodies would fit. */
static enum status cuda_plan(struct cuda *cuda, const struct solver_setup *setup,
                             int multiprocessors)
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

/* The contents of a CUDA solver's rows besides positions: masses, halves, and the order of the
 * bodies. */

static int upload(struct cuda *cuda, void *device, const void *host, size_t bytes)
{
    return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda->stream);
}

static int upload_tiles(struct cuda *cuda)
{
    const struct tiles *tiles = &cuda->tiles;
    const size_t all = tiles_for(tiles->count);
    int error = upload(cuda, cuda->order, tiles->order, tiles->count * sizeof *tiles->order);
    if (error == cudaSuccess)
        error = upload(cuda, cuda->chosen, tiles->chosen, all * sizeof *tiles->chosen);
    if (error == cudaSuccess)
        error = upload(cuda, cuda->weights, tiles->weight, all * sizeof *tiles->weight);
    return error;
}

/* Fills rows and halves, as numbers of `number` bytes that the force reads, in host memory. Only
 * tiled forces permute rows, and those read floats. */
static void fill(const struct cuda *cuda, const void *halves, void *rows, void *ordered)
{
    const size_t count = cuda->solver.count, number = cuda->number;
    const uint32_t *order = cuda->tiles.order;
    for (size_t k = 0; k < count; k++) {
        const double mass = cuda->mass[order ? order[k] : k];
        if (number == sizeof(double))
            ((double *)rows)[4 * k + 3] = mass;
        else
            ((float *)rows)[4 * k + 3] = (float)mass;
    }
    if (halves)
        memcpy(ordered, halves, cuda->padded * number);
    for (size_t k = 0; halves && order && k < count; k++)
        ((float *)ordered)[k] = ((const float *)halves)[order[k]];
}

/* Uses the solver's masses and tiles. halves: [padded] in the order of the bodies, or NULL. */
static enum status cuda_fill_rows(struct cuda *cuda, const void *halves)
{
    const size_t bytes = 4 * cuda->solver.count * cuda->number, half = cuda->padded * cuda->number;
    void *rows = calloc(1, bytes), *ordered = halves ? malloc(half) : NULL;
    if (!rows || (halves && !ordered)) {
        free(rows);
        return status_fail(STATUS_RUNTIME,
                           "no memory for the sources of %zu bodies, %zu bytes; ask for fewer "
                           "with -n",
                           cuda->solver.count, bytes);
    }
    fill(cuda, halves, rows, ordered);
    int error = upload(cuda, cuda->rows, rows, bytes);
    if (error == cudaSuccess && halves)
        error = upload(cuda, cuda->halves, ordered, half);
    if (error == cudaSuccess && cuda->tiles.count)
        error = upload_tiles(cuda);
    int finished = cudaStreamSynchronize(cuda->stream);
    free(rows);
    free(ordered);
    return cuda_check(cuda, error == cudaSuccess ? finished : error, "load the bodies");
}

void cuda_close(struct solver **solver)
{
    if (!*solver)
        return;
    struct cuda *cuda = cuda_of(*solver);
    (void)cudaSetDevice(cuda->device);
    if (cuda->stream)
        (void)cudaStreamSynchronize(cuda->stream);
    cuda_forget_graphs(cuda);
    for (int t = 0; t < CUDA_TIMERS; t++)
        for (int e = 0; e < 2; e++)
            if (cuda->timer[t][e])
                (void)cudaEventDestroy(cuda->timer[t][e]);
    if (cuda->stream)
        (void)cudaStreamDestroy(cuda->stream);
    void *const memory[] = {
        cuda->rows,         cuda->halves,
        cuda->part,         cuda->part_halves,
        cuda->position,     cuda->velocity,
        cuda->acceleration, cuda->kept,
        cuda->rungs,        cuda->order,
        cuda->centres,      cuda->part_centres,
        cuda->chosen,       cuda->weights,
        cuda->found,        cuda->solver.force ? cuda->solver.force->work : NULL};
    for (size_t m = 0; m < sizeof memory / sizeof *memory; m++)
        (void)cudaFree(memory[m]);
    cuda_near_close(cuda);
    force_close(&cuda->solver.force);
    tiles_close(&cuda->tiles);
    free(cuda->mass);
    free(cuda);
    *solver = NULL;
}

/* Allocates zeroed memory, so that padding rows, also those of parts, have no mass. */
static enum status allocate(struct cuda *cuda, const struct solver_setup *setup)
{
    size_t count = cuda->solver.count, state = count * sizeof(double[3]);
    size_t rows = cuda_padded(count);
    size_t part = setup->subset > 1 ? cuda_padded(cuda_part(setup, count)) : 0;
    size_t number = cuda->number, half = setup->mixed ? number : 0;
    const size_t centre = setup->force->tiled ? sizeof(double[3]) : 0;
    const struct {
        void **pointer;
        size_t bytes;
    } blocks[] = {
        {&cuda->rows, rows * 4 * number},
        {&cuda->part, part * 4 * number},
        {&cuda->halves, rows * half},
        {&cuda->part_halves, part * half},
        {(void **)&cuda->order, setup->force->tiled ? count * sizeof *cuda->order : 0},
        {(void **)&cuda->centres, rows / FORCE_TILE * centre},
        {(void **)&cuda->part_centres, part / FORCE_TILE * centre},
        {(void **)&cuda->chosen, setup->force->tiled ? rows / FORCE_TILE * FORCE_CHOSEN : 0},
        {(void **)&cuda->weights, setup->force->tiled ? rows / FORCE_TILE * sizeof(double) : 0},
        {(void **)&cuda->position, state},
        {(void **)&cuda->velocity, state},
        {(void **)&cuda->acceleration, state},
        {&cuda->solver.force->work, cuda->solver.force->work_bytes},
        {(void **)&cuda->rungs, cuda->solver.force->path->partial ? count : 0},
        {(void **)&cuda->found, (RUNGS + 1) * sizeof *cuda->found},
    };
    int least, greatest;
    int error = cudaDeviceGetStreamPriorityRange(&least, &greatest);
    if (error == cudaSuccess) /* the search for neighbours has a lower priority than the steps */
        error = cudaStreamCreateWithPriority(&cuda->stream, cudaStreamNonBlocking, greatest);
    for (size_t b = 0; error == cudaSuccess && b < sizeof blocks / sizeof *blocks; b++) {
        if (blocks[b].bytes == 0)
            continue;
        error = cudaMalloc(blocks[b].pointer, blocks[b].bytes);
        if (error == cudaSuccess)
            error = cudaMemsetAsync(*blocks[b].pointer, 0, blocks[b].bytes, cuda->stream);
    }
    if (error == cudaErrorMemoryAllocation) {
        (void)cudaGetLastError();
        return status_fail(STATUS_RUNTIME,
                           "%s has no room for %zu bodies (kernel %s); ask for fewer bodies with "
                           "-n, or use --backend cpu",
                           cuda->solver.device, count, cuda->solver.force->name);
    }
    for (int t = 0; t < CUDA_TIMERS; t++)
        for (int e = 0; error == cudaSuccess && e < 2; e++)
            error = cudaEventCreate(&cuda->timer[t][e]);
    return cuda_check(cuda, error, "set up a solver");
}

static enum status load_state(struct cuda *cuda, const struct bodies *bodies)
{
    size_t state = cuda->solver.count * sizeof(double[3]);
    int error = upload(cuda, cuda->position, bodies->position, state);
    if (error == cudaSuccess)
        error = upload(cuda, cuda->velocity, bodies->velocity, state);
    int finished = cudaStreamSynchronize(cuda->stream);
    return cuda_check(cuda, error == cudaSuccess ? finished : error, "load the bodies");
}

static enum status load_rows(struct cuda *cuda, const struct solver_setup *setup,
                             const struct bodies *bodies)
{
    size_t bytes = cuda->padded * cuda->number;
    void *halves = setup->mixed ? malloc(bytes) : NULL;
    if (setup->mixed && !halves)
        return status_fail(STATUS_RUNTIME, "no memory for the softenings of %zu bodies, %zu bytes",
                           bodies->count, bytes);
    if (halves)
        softening_halves(bodies, setup->softening, cuda->padded, cuda->number, halves);
    enum status status = cuda_fill_rows(cuda, halves);
    free(halves);
    return status;
}

static enum status load(struct cuda *cuda, const struct solver_setup *setup,
                        const struct bodies *bodies)
{
    const size_t bytes = cuda->solver.count * sizeof *cuda->mass;
    cuda->mass = malloc(bytes);
    if (!cuda->mass)
        return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies, %zu bytes",
                           cuda->solver.count, bytes);
    memcpy(cuda->mass, bodies->mass, bytes);
    enum status status = load_state(cuda, bodies);
    if (status == STATUS_OK && setup->force->tiled)
        status = tiles_open(&cuda->tiles, bodies, setup->softening);
    if (status == STATUS_OK)
        status = load_rows(cuda, setup, bodies);
    return status == STATUS_OK ? cuda_drift(&cuda->solver, 0) : status; /* only fills the rows */
}

static enum status prepare(struct cuda *cuda, const struct solver_setup *setup)
{
    struct force *force = cuda->solver.force;
    const bool some = setup->subset > 1;
    cuda->sources = (struct sources){
        .bodies = cuda->solver.count,
        .rows = cuda->rows,
        .halves = cuda->halves,
        .count = cuda_part(setup, cuda->solver.count),
        .from = some ? cuda->part : cuda->rows,
        .from_halves = some ? cuda->part_halves : cuda->halves,
        .softening = setup->softening,
        .order = cuda->order,
        .centres = (force_centres)cuda->centres,
        .from_centres = (force_centres)(some ? cuda->part_centres : cuda->centres),
        .weights = cuda->weights,
    };
    if (!force->path->prepare)
        return STATUS_OK;
    return cuda_check(cuda, force->path->prepare(force, &cuda->sources, cuda->stream),
                      "prepare the forces");
}

enum status cuda_open(const struct solver_setup *setup, const struct bodies *bodies,
                      struct solver **out)
{
    struct cudaDeviceProp properties;
    struct cuda *cuda = memory_new(1, sizeof *cuda);
    cuda->solver = (struct solver){.count = bodies->count};
    cuda->device = setup->device;
    cuda->number = setup->force->number;
    cuda->subset = setup->subset;
    cuda->padded = cuda_padded(bodies->count);
    snprintf(cuda->solver.device, sizeof cuda->solver.device, "CUDA device %d", setup->device);

    enum status status = cuda_enter(cuda);
    if (status == STATUS_OK)
        status = cuda_check(cuda, cudaGetDeviceProperties(&properties, setup->device),
                            "ask for the device's properties");
    if (status == STATUS_OK) {
        snprintf(cuda->solver.device, sizeof cuda->solver.device, "%.100s", properties.name);
        cuda->solver.model = cuda->solver.device;
        status = cuda_plan(cuda, setup, properties.multiProcessorCount);
    }
    if (status == STATUS_OK)
        status = allocate(cuda, setup);
    if (status == STATUS_OK)
        status = load(cuda, setup, bodies);
    if (status == STATUS_OK)
        status = prepare(cuda, setup);
    if (status != STATUS_OK) {
        cuda_close(&(struct solver *){&cuda->solver});
        return status;
    }
    *out = &cuda->solver;
    return STATUS_OK;
}
