#include "sim/solver/cpu.h"
#include "base/memory.h"
#include "kernels/rows.h"
#include "sim/gravity/force.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 2048 };

static size_t padded(size_t rows)
{
    return (rows + FORCE_PAD - 1) / FORCE_PAD * FORCE_PAD;
}

/* Reads a number of a row, or of the halves. */
static double get(const void *numbers, size_t number, size_t i)
{
    return number == sizeof(double) ? ((const double *)numbers)[i]
                                    : (double)((const float *)numbers)[i];
}

static void set(void *numbers, size_t number, size_t i, double value)
{
    if (number == sizeof(double))
        ((double *)numbers)[i] = value;
    else
        ((float *)numbers)[i] = (float)value;
}

/* Allocates zeroed memory; the size of padded rows is a multiple of the alignment. */
static enum status allocate(void **out, size_t rows, size_t row_bytes)
{
    const size_t bytes = padded(rows) * row_bytes;
    *out = aligned_alloc(64, bytes);
    if (!*out)
        return status_fail(STATUS_RUNTIME,
                           "no memory for the sources of %zu bodies, %zu bytes; ask for fewer "
                           "with -n",
                           rows, bytes);
    memset(*out, 0, bytes);
    return STATUS_OK;
}

void cpu_sources_close(struct cpu_sources *sources)
{
    free(sources->rows);
    free(sources->halves);
    free(sources->part);
    free(sources->part_halves);
    free(sources->centres);
    free(sources->part_centres);
    free(sources->mass);
    free(sources->half);
    tiles_close(&sources->tiles);
    *sources = (struct cpu_sources){0};
}

static size_t body_of(const struct cpu_sources *sources, size_t row)
{
    return sources->tiles.count ? sources->tiles.order[row] : row;
}

/* Fills in what rows contain besides positions. */
static void fill_rows(struct cpu_sources *sources)
{
    for (size_t k = 0; k < sources->read.bodies; k++) {
        set(sources->rows, sources->number, 4 * k + 3, sources->mass[body_of(sources, k)]);
        if (sources->halves)
            set(sources->halves, sources->number, k, sources->half[body_of(sources, k)]);
    }
}

static enum status open_tiles(struct cpu_sources *sources, const struct bodies *bodies,
                              double softening, size_t part)
{
    enum status status = tiles_open(&sources->tiles, bodies, softening);
    if (status != STATUS_OK)
        return status;
    sources->centres = memory_new(tiles_for(bodies->count), sizeof *sources->centres);
    sources->part_centres = memory_new(tiles_for(part), sizeof *sources->part_centres);
    const bool some = sources->subset > 1;
    sources->read.order = sources->tiles.order;
    sources->read.centres = (force_centres)sources->centres;
    sources->read.from_centres = (force_centres)(some ? sources->part_centres : sources->centres);
    return STATUS_OK;
}

enum status cpu_sources_open(struct cpu_sources *sources, const struct solver_setup *setup,
                             const struct bodies *bodies)
{
    const size_t number = setup->force->number, count = bodies->count;
    const size_t part = (count + setup->subset - 1) / setup->subset;
    const bool some = setup->subset > 1;
    *sources = (struct cpu_sources){.number = number, .subset = setup->subset};
    enum status status = allocate(&sources->rows, count, 4 * number);
    if (status == STATUS_OK && some)
        status = allocate(&sources->part, part, 4 * number);
    if (status == STATUS_OK && setup->mixed)
        status = allocate(&sources->halves, count, number);
    if (status == STATUS_OK && setup->mixed && some)
        status = allocate(&sources->part_halves, part, number);
    if (status == STATUS_OK)
        status = allocate((void **)&sources->mass, count, sizeof(double));
    if (status == STATUS_OK && setup->mixed)
        status = allocate((void **)&sources->half, count, sizeof(double));
    if (status != STATUS_OK) {
        cpu_sources_close(sources);
        return status;
    }
    memcpy(sources->mass, bodies->mass, count * sizeof *sources->mass);
    if (setup->mixed) {
        softening_halves(bodies, setup->softening, padded(count), number, sources->halves);
        softening_halves(bodies, setup->softening, count, sizeof(double), sources->half);
    }
    sources->read = (struct sources){
        .bodies = count,
        .end = count,
        .rows = sources->rows,
        .halves = sources->halves,
        .count = part,
        .from = some ? sources->part : sources->rows,
        .from_halves = some ? sources->part_halves : sources->halves,
        .softening = setup->softening,
    };
    if (setup->force->tiled)
        status = open_tiles(sources, bodies, setup->softening, part);
    if (status == STATUS_OK)
        fill_rows(sources);
    else
        cpu_sources_close(sources);
    return status;
}

/* order: of the bodies in `position` that are the rows of the tile. */
static void place_tile(struct cpu_sources *sources, const uint32_t *order,
                       const double (*position)[3], size_t tile)
{
    const size_t first = tile * FORCE_TILE, left = sources->read.bodies - first;
    const size_t count = left < FORCE_TILE ? left : FORCE_TILE;
    float(*rows)[4] = (float(*)[4])sources->rows + first;
    double *centre = sources->centres[tile];
    tiles_centre(order, sources->tiles.chosen[tile], position, centre);
    for (size_t k = 0; k < count; k++)
        for (int c = 0; c < 3; c++)
            rows[k][c] = (float)(position[order[k]][c] - centre[c]);
}

static void place_row(struct cpu_sources *sources, size_t row, const double position[3])
{
    for (int c = 0; c < 3; c++)
        set(sources->rows, sources->number, 4 * row + (size_t)c, position[c]);
}

void cpu_sources_place(struct cpu_sources *sources, const double (*position)[3], int threads)
{
    if (sources->tiles.count) {
#pragma omp parallel for schedule(dynamic, BATCH / FORCE_TILE) num_threads(threads)
        for (size_t tile = 0; tile < tiles_for(sources->tiles.count); tile++)
            place_tile(sources, sources->tiles.order + tile * FORCE_TILE, position, tile);
        return;
    }
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(threads)
    for (size_t i = 0; i < sources->read.bodies; i++)
        place_row(sources, i, position[i]);
}

void cpu_sources_place_some(struct cpu_sources *sources, size_t begin, size_t end,
                            const double (*position)[3], int threads)
{
    uint32_t order[FORCE_TILE];
    for (uint32_t k = 0; k < FORCE_TILE; k++)
        order[k] = k;
    if (sources->tiles.count) {
#pragma omp parallel for schedule(dynamic, BATCH / FORCE_TILE) num_threads(threads)
        for (size_t tile = begin / FORCE_TILE; tile < tiles_for(end); tile++)
            place_tile(sources, order, position + (tile * FORCE_TILE - begin), tile);
        return;
    }
#pragma omp parallel for schedule(dynamic, BATCH) num_threads(threads)
    for (size_t k = begin; k < end; k++)
        place_row(sources, k, position[k - begin]);
}

/* Stores the row as an offset from the centre of its tile of the part, computed in the same way as
 * the kernels move the same body as a target, so that the body exerts no pull on itself. */
static void move_to_part(struct cpu_sources *sources, size_t row, size_t place)
{
    float *moved = (float *)sources->part + 4 * place;
    float shift[3];
    force_shift((force_centres)sources->centres, row / FORCE_TILE,
                (force_centres)sources->part_centres, place / FORCE_TILE, shift);
    for (int c = 0; c < 3; c++)
        moved[c] -= shift[c];
}

/* Takes every subset-th row from turn % subset on, with its mass multiplied to replace the missing
 * rows; if the count is not divisible, the part ends with a massless row. */
void cpu_sources_turn(struct cpu_sources *sources, uint64_t turn)
{
    const size_t number = sources->number, row = 4 * number, subset = sources->subset;
    if (subset == 1)
        return;
    for (size_t p = 0; sources->tiles.count && p < tiles_for(sources->read.count); p++)
        memcpy(sources->part_centres[p],
               sources->centres[tiles_of_part(tiles_for(sources->tiles.count), subset, p)],
               sizeof *sources->part_centres);
    for (size_t s = 0; s < sources->read.count; s++) {
        const size_t j = turn % subset + s * subset;
        char *part = (char *)sources->part + s * row;
        if (j >= sources->read.bodies) {
            set(part, number, 3, 0);
            continue;
        }
        memcpy(part, (const char *)sources->rows + j * row, row);
        if (sources->tiles.count)
            move_to_part(sources, j, s);
        set(part, number, 3, (double)subset * get(part, number, 3));
        if (sources->halves)
            set(sources->part_halves, number, s, get(sources->halves, number, j));
    }
}
