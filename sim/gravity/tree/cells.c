#include "sim/gravity/tree/cells.h"

#include "kernels/bits.h"
#include "kernels/tree/tree_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SCANNED = 2048, /* for cells with more bodies, radii follow from their children's */
    BATCH = 32,
    MANY = 16, /* batches of a level that are worth using threads */
};

/* Radius of a cell with keys of its own, relative to its place, below which it is a point: single
 * bodies are lost in the rounding of centres. */
static const double POINT_BESIDE = 0x1p-46;

static void *aligned(size_t bytes)
{
    return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static enum status no_memory(size_t count)
{
    return status_fail(STATUS_RUNTIME,
                       "no memory for the cells of a tree of %zu bodies; ask for fewer with -n",
                       count);
}

static enum status make_room(struct cells *cells, size_t room)
{
    if (room <= cells->room)
        return STATUS_OK;
    room += room / 4;
    free(cells->place);
    free(cells->moments);
    free(cells->source);
    free(cells->centre);
    free(cells->shape);
    cells->place = aligned(room * sizeof *cells->place);
    cells->moments = aligned(room * (size_t)cells->kernels->row * sizeof(float));
    cells->source = aligned(room * sizeof *cells->source);
    cells->centre = malloc(room * sizeof *cells->centre);
    cells->shape = malloc(room * sizeof *cells->shape);
    cells->room =
        cells->place && cells->moments && cells->source && cells->centre && cells->shape ? room : 0;
    return cells->room > 0 ? STATUS_OK : no_memory(cells->count);
}

/* The number of bodies in the columns, with those that stand for merged leaves and what kernels may
 * read beyond each of the two. */
static size_t column_size(size_t count)
{
    return count + TREE_LANES + count / OCTREE_LEAF + 1 + TREE_LANES;
}

struct tree_run cells_sources(const struct cells *cells, const struct octree_cell *leaf)
{
    if (!octree_is_merged(leaf))
        return (struct tree_run){leaf->first, leaf->count};
    /* different for each of them, as they have more than OCTREE_LEAF bodies */
    const size_t at = cells->count + TREE_LANES + leaf->first / OCTREE_LEAF;
    return (struct tree_run){(uint32_t)at, 1};
}

enum status cells_open(struct cells *cells, size_t count, const struct tree_kernels *kernels)
{
    *cells = (struct cells){.kernels = kernels, .count = count};
    bool whole = true;
    for (int c = 0; c < 5; c++) {
        cells->column[c] = aligned(column_size(count) * sizeof(float));
        whole &= cells->column[c] != NULL;
        if (cells->column[c])
            memset(cells->column[c] + count, 0, (column_size(count) - count) * sizeof(float));
    }
    if (whole && make_room(cells, count / 8 + 64) == STATUS_OK)
        return STATUS_OK;
    cells_close(cells);
    return no_memory(count);
}

void cells_close(struct cells *cells)
{
    free(cells->place);
    free(cells->moments);
    free(cells->source);
    free(cells->centre);
    free(cells->shape);
    for (int c = 0; c < 5; c++)
        free(cells->column[c]);
    *cells = (struct cells){0};
}

static double distance(const double a[3], const double b[3])
{
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return sqrt(x * x + y * y + z * z);
}

static void set_place(struct tree_place *place, const double centre[3], double radius, double mass)
{
    for (int c = 0; c < 3; c++)
        bits_halve(centre[c], &place->hi[c], &place->lo[c]);
    place->radius = (float)(radius * (1 + 1e-6));
    place->mass = (float)mass;
    place->leaf = 0;
}

/* Makes a cell a point if its bodies are too close to tell apart. */
static void make_point(struct tree_place *place, const struct octree_cell *cell)
{
    const float *at = place->hi;
    const float beside = fmaxf(fmaxf(fabsf(at[0]), fabsf(at[1])), fabsf(at[2]));
    if (cell->finer > 0 &&
        (double)place->radius < fmax((double)TREE_POINT, POINT_BESIDE * (double)beside))
        place->radius = TREE_POINT;
}

/* Puts a cell whose bodies are at one place there, free of the rounding of a mean. */
static void put_at_place(const struct octree *tree, const struct octree_cell *cell,
                         double centre[3])
{
    for (int c = 0; c < 3; c++)
        centre[c] = (tree->row[cell->first][c] - tree->box.centre[c]) * tree->box.scale;
}

/* The smallest error tolerated by a leaf's bodies, from their last accelerations, but at least
 * `least`. */
static float least_hold(const struct octree *tree, const struct octree_cell *cell,
                        const struct cells_input *input, double unit, double least)
{
    float size = INFINITY;
    if (!input->last)
        return 0;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
        size = tree->last[i][3] < size ? tree->last[i][3] : size;
    return (float)(fmax((double)size * unit, least) * input->share);
}

/* The softenings of a leaf's bodies. */
static void fill_halves(struct cells *cells, const struct octree *tree,
                        const struct octree_cell *cell, const double *halves,
                        struct tree_place *place)
{
    const double square = tree->box.scale * tree->box.scale;
    float small = INFINITY, large = 0, sum = 0;
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        const float half = (float)(halves[tree->body[i]] * square);
        cells->column[4][i] = half;
        small = half < small ? half : small;
        large = half > large ? half : large;
        sum += half;
    }
    place->half = sum / (float)cell->count;
    place->spread = large - small;
}

static struct tree_frame frame_of(const struct cells *cells, const struct octree *tree)
{
    const double *at = tree->box.centre;
    return (struct tree_frame){{at[0], at[1], at[2]}, tree->box.scale, 1 / cells->mass};
}

static void fill_leaf(struct cells *cells, const struct octree *tree, size_t index,
                      const struct cells_input *input, double unit, double least)
{
    const struct octree_cell *cell = tree->cell + index;
    const struct tree_frame frame = frame_of(cells, tree);
    struct tree_place *place = cells->place + index;
    float *column[4];
    for (int c = 0; c < 4; c++)
        column[c] = cells->column[c] + cell->first;
    double *centre = cells->centre[index], radius2;
    const double mass = cells->kernels->centre((const double(*)[4])tree->row + cell->first,
                                               cell->count, &frame, centre, &radius2, column);
    if (cell->finer == OCTREE_ONE_PLACE) {
        put_at_place(tree, cell, centre);
        for (int c = 0; c < 3; c++)
            memset(column[c], 0, cell->count * sizeof(float));
        radius2 = 0;
    }
    set_place(place, centre, sqrt(radius2), mass);
    make_point(place, cell);
    place->leaf = (float)cell->count;
    place->half = place->spread = 0;
    if (input->halves)
        fill_halves(cells, tree, cell, input->halves, place);
    if (octree_is_merged(cell)) { /* at the centre, 0 0 0 */
        const uint32_t at = cells_sources(cells, cell).first;
        cells->column[3][at] = place->mass;
        cells->column[4][at] = cells->column[4][cell->first];
    }
    place->hold = least_hold(tree, cell, input, unit, least);
    float *moments = cells->moments + index * (size_t)cells->kernels->row;
    struct tree_bodies bodies = cells_bodies(cells, false);
    cells->kernels->collect(&bodies, (struct tree_run){cell->first, cell->count}, place->radius,
                            moments);
}

static void fill_parent(struct cells *cells, const struct octree *tree, size_t index)
{
    const struct octree_cell *cell = tree->cell + index;
    const struct tree_place *child = cells->place + cell->child;
    const double(*from)[3] = (const double(*)[3])cells->centre + cell->child;
    const struct tree_frame frame = frame_of(cells, tree);
    struct tree_place *place = cells->place + index;
    size_t row = (size_t)cells->kernels->row;
    float *moments = cells->moments + index * row;
    double mass = 0, middle[3] = {0}, weighted[3] = {0}, *centre = cells->centre[index];
    float hold = INFINITY, small = INFINITY, large = 0, sum = 0;
    for (uint32_t k = 0; k < cell->children; k++) {
        double m = (double)child[k].mass, count = tree->cell[cell->child + k].count;
        mass += m;
        for (int c = 0; c < 3; c++) {
            weighted[c] += m * from[k][c];
            middle[c] += count * from[k][c];
        }
        hold = fminf(hold, child[k].hold);
        small = fminf(small, child[k].half - child[k].spread / 2);
        large = fmaxf(large, child[k].half + child[k].spread / 2);
        sum += child[k].half * (float)count;
    }
    for (int c = 0; c < 3; c++)
        centre[c] = mass > 0 ? weighted[c] / mass : middle[c] / cell->count;
    double radius = 0;
    if (cell->finer == OCTREE_ONE_PLACE)
        put_at_place(tree, cell, centre);
    else if (cell->count <= SCANNED)
        radius = sqrt(cells->kernels->reach((const double(*)[4])tree->row + cell->first,
                                            cell->count, &frame, centre));
    else
        for (uint32_t k = 0; k < cell->children; k++)
            radius = fmax(radius, distance(from[k], centre) + (double)child[k].radius);
    set_place(place, centre, radius, mass);
    make_point(place, cell);
    place->hold = hold;
    place->half = sum / (float)cell->count;
    place->spread = large - small;
    float shift[TREE_CHILDREN][3];
    for (uint32_t k = 0; k < cell->children; k++)
        for (int c = 0; c < 3; c++)
            shift[k][c] = (float)(from[k][c] - centre[c]);
    cells->kernels->raise(child, cells->moments + cell->child * row, (const float(*)[3])shift,
                          cell->children, place->radius, moments);
}

/* Computes what the opening rule needs from the multipoles of a batch of cells. */
static void weigh(struct cells *cells, uint32_t from, uint32_t end)
{
    const size_t row = (size_t)cells->kernels->row;
    const float *moments = cells->moments + from * row;
    cells->kernels->weigh(moments, end - from, cells->place + from);
    cells->kernels->fold(moments, end - from, cells->place + from, cells->source + from);
}

static float own_shape(const struct cells *cells, size_t cell)
{
    return cell_shape(cells->moments + cell * (size_t)cells->kernels->row);
}

/* Raises the powers of flat and thin cells and lowers their tolerance; from the root downwards,
 * because small cells take their shape from those around them. */
static void mind_shapes(struct cells *cells, const struct octree *tree, int threads)
{
    cells->shape[0] = own_shape(cells, 0);
    for (size_t level = 0; level < tree->levels; level++) {
        const uint32_t from = tree->level[level], end = tree->level[level + 1];
#pragma omp parallel for schedule(static) num_threads(end - from < BATCH * MANY ? 1 : threads)
        for (uint32_t c = from; c < end; c++) {
            const struct octree_cell *cell = tree->cell + c;
            struct tree_place *place = cells->place + c;
            for (int k = 0; k < TREE_POWERS - 2; k++)
                place->power[k] *= cells->shape[c];
            place->hold /= cells->shape[c];
            for (uint32_t k = cell->child; k < cell->child + cell->children; k++)
                cells->shape[k] =
                    tree->cell[k].count < CELL_SHAPED ? cells->shape[c] : own_shape(cells, k);
        }
    }
}

/* The mean magnitude of the last accelerations. */
static double mean_size(const float (*last)[4], size_t count, int threads)
{
    double sum[BLOCKS] = {0}, all = 0;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (size_t b = 0; b < BLOCKS; b++) {
        double here = 0;
        for (size_t i = block_at(b, count); i < block_at(b + 1, count); i++)
            here += (double)last[i][3];
        sum[b] = here;
    }
    for (size_t b = 0; b < BLOCKS; b++)
        all += sum[b];
    return all / (double)count;
}

/* The lower limit of accelerations that set tolerances: a thousandth of the mean, or of the force
 * of all bodies at their edge if a small dense core makes the mean larger. */
static double least_of(const struct cells *cells, const struct octree *tree, int threads)
{
    const double most = tree->box.most;
    const double mean = mean_size((const float(*)[4])tree->last, cells->count, threads);
    return 1e-3 * (most > 0 ? fmin(mean, 3 * cells->mass / (most * most)) : mean);
}

enum status cells_fill(struct cells *cells, const struct octree *tree,
                       const struct cells_input *input, int threads)
{
    enum status status = make_room(cells, tree->cells);
    if (status != STATUS_OK)
        return status;
    cells->mass = input->mass;
    /* factor from the tree's unit of acceleration to the bodies' */
    double unit = 1 / (cells->mass * tree->box.scale * tree->box.scale);
    double least = input->last ? unit * least_of(cells, tree, threads) : 0;
    for (size_t level = tree->levels; level-- > 0;) {
        const uint32_t from = tree->level[level], end = tree->level[level + 1];
        const uint32_t batches = (end - from + BATCH - 1) / BATCH;
#pragma omp parallel for schedule(dynamic) num_threads(batches < MANY ? 1 : threads)
        for (uint32_t b = 0; b < batches; b++) {
            const uint32_t first = from + b * BATCH, last = b + 1 < batches ? first + BATCH : end;
            for (uint32_t c = first; c < last; c++)
                if (tree->cell[c].children == 0)
                    fill_leaf(cells, tree, c, input, unit, least);
                else
                    fill_parent(cells, tree, c);
            weigh(cells, first, last);
        }
    }
    if (input->last)
        mind_shapes(cells, tree, threads);
    return STATUS_OK;
}

struct tree_bodies cells_bodies(const struct cells *cells, bool halves)
{
    return (struct tree_bodies){.x = cells->column[0],
                                .y = cells->column[1],
                                .z = cells->column[2],
                                .mass = cells->column[3],
                                .half = halves ? cells->column[4] : NULL};
}
