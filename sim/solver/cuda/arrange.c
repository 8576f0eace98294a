#include "sim/solver/cuda/arrange.h"
#include "sim/solver/cuda/graph.h"

#include <stdlib.h>
#include <string.h>

static int upload(struct cuda *cuda, void *device, const void *host, size_t bytes)
{
    return cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, cuda->stream);
}

/* Rows in the numbers of `number` bytes that the force reads; only tiled forces permute, and those
 * read floats. */
enum status cuda_fill_rows(struct cuda *cuda)
{
    const size_t count = cuda->solver.count, number = cuda->number;
    const uint32_t *order = cuda->tiles.count ? cuda->tiles.order : NULL;
    void *rows = calloc(count, 4 * number);
    float *halves = cuda->body_halves ? malloc(cuda->padded * sizeof *halves) : NULL;
    if (!rows || (cuda->body_halves && !halves)) {
        free(rows);
        return status_fail(STATUS_RUNTIME,
                           "no memory for the sources of %zu bodies, %zu bytes; ask for fewer "
                           "with -n",
                           count, 4 * count * number);
    }
    for (size_t k = 0; k < count; k++) {
        const double mass = cuda->mass[order ? order[k] : k];
        if (number == sizeof(double))
            ((double *)rows)[4 * k + 3] = mass;
        else
            ((float *)rows)[4 * k + 3] = (float)mass;
    }
    for (size_t k = 0; halves && k < cuda->padded; k++)
        halves[k] = ((float *)cuda->body_halves)[k < count ? order[k] : 0];
    int error = upload(cuda, cuda->rows, rows, 4 * count * number);
    if (error == cudaSuccess && halves)
        error = upload(cuda, cuda->halves, halves, cuda->padded * sizeof *halves);
    if (error == cudaSuccess && order)
        error = upload(cuda, cuda->order, order, count * sizeof *order);
    int finished = cudaStreamSynchronize(cuda->stream);
    free(rows);
    free(halves);
    return cuda_check(cuda, error == cudaSuccess ? finished : error, "load the bodies");
}

static bool same_masses(const struct cuda *cuda, const uint32_t *before)
{
    for (size_t k = 0; k < cuda->tiles.count; k++)
        if (cuda->mass[before[k]] != cuda->mass[cuda->tiles.order[k]])
            return false;
    return true;
}

/* Recorded launches know which kernels the masses of the tiles need. */
static enum status prepare_again(struct cuda *cuda)
{
    struct force *force = cuda->solver.force;
    cuda_forget_graphs(cuda);
    if (!force->path->prepare)
        return STATUS_OK;
    return cuda_check(cuda, force->path->prepare(force, &cuda->sources, cuda->stream),
                      "prepare the forces");
}

enum status cuda_arrange(struct solver *solver, const uint32_t *order)
{
    struct cuda *cuda = cuda_of(solver);
    const size_t bytes = solver->count * sizeof(double[3]);
    if (!cuda->order)
        return STATUS_OK;
    double(*position)[3] = malloc(bytes);
    uint32_t *before = malloc(solver->count * sizeof *before);
    enum status status = cuda_begin(cuda);
    if (status == STATUS_OK && (!position || !before))
        status = status_fail(STATUS_RUNTIME, "no memory to sort %zu bodies", solver->count);
    if (status == STATUS_OK && !order)
        status = cuda_fetch(cuda, position, cuda->position, bytes, "fetch the positions");
    if (status == STATUS_OK) {
        memcpy(before, cuda->tiles.order, solver->count * sizeof *before);
        if (order)
            tiles_set(&cuda->tiles, order);
        else
            tiles_sort(&cuda->tiles, cuda->mass, (const double(*)[3])position);
        status = cuda_fill_rows(cuda);
    }
    if (status == STATUS_OK)
        status = cuda_drift(solver, 0); /* only fills the rows */
    if (status == STATUS_OK && !same_masses(cuda, before))
        status = prepare_again(cuda);
    free(position);
    free(before);
    return status;
}
