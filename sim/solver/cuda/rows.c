#include "sim/solver/cuda/rows.h"

#include <stdlib.h>
#include <string.h>

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

enum status cuda_fill_rows(struct cuda *cuda, const void *halves)
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
