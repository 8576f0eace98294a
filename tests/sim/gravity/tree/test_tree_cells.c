/* What every cell of a tree says of its bodies. */
#include "tests/support/test.h"
#include "kernels/isa.h"
#include "kernels/tree/tree_cells.h"
#include "kernels/tree/tree.h"
#include "sim/gravity/tree/cells.h"
#include "tests/support/forces/uniform.h"

#include <math.h>

enum { COUNT = 6000 };

static double rows[COUNT][4], last[COUNT][3], halves[COUNT];

/* Clumps of all sizes, one of them without mass, whose bodies have softenings of their own. */
static void scatter(void)
{
    uint64_t seed = 3;
    for (size_t i = 0; i < COUNT; i++) {
        const double size = pow(2, -(double)(i % 7));
        for (int c = 0; c < 3; c++) {
            rows[i][c] = (i % 7 == 6 ? 9 : 1) + size * (uniform(&seed) - 0.5);
            last[i][c] = pow(uniform(&seed), 8) - 0.1;
        }
        rows[i][3] = i % 7 == 6 ? 0 : 1 + uniform(&seed);
        halves[i] = 1e-4 * pow(uniform(&seed), 5);
    }
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* A body in the tree's units. */
static void place_of(const struct octree *tree, uint32_t i, double at[3])
{
    for (int c = 0; c < 3; c++)
        at[c] = (rows[tree->body[i]][c] - tree->box.centre[c]) * tree->box.scale;
}

/* All numbers of a cell against those of its bodies, in the tree's units. */
static void check(const struct cells *cells, const struct octree *tree,
                  const struct cells_input *input, size_t index)
{
    const struct octree_cell *cell = tree->cell + index;
    const struct tree_place *place = cells->place + index;
    const double scale = tree->box.scale, unit = 1 / (cells->mass * scale * scale);
    double mass = 0, weighted[3] = {0}, middle[3] = {0}, small = INFINITY, large = 0, sum = 0;
    double bears = INFINITY, all = 0;
    for (size_t i = 0; i < COUNT; i++)
        all += length(last[i]) / COUNT;
    all = fmin(all, 3 * cells->mass / (tree->box.most * tree->box.most));
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        const size_t body = tree->body[i];
        const double half = halves[body] * scale * scale;
        double at[3], own = rows[body][3];
        place_of(tree, i, at);
        mass += own;
        for (int c = 0; c < 3; c++) {
            weighted[c] += own * at[c];
            middle[c] += at[c];
        }
        small = fmin(small, half);
        large = fmax(large, half);
        sum += half;
        bears = fmin(bears, fmax(length(last[body]), 1e-3 * all) * unit * input->share);
    }
    double centre[3], radius = 0;
    for (int c = 0; c < 3; c++) {
        centre[c] = mass > 0 ? weighted[c] / mass : middle[c] / cell->count;
        /* those above leaves weigh their children in single precision */
        assert_true(fabs((double)place->hi[c] + (double)place->lo[c] - centre[c]) <
                    (cell->children == 0 ? 1e-13 : 1e-9));
    }
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
        double from[3];
        place_of(tree, i, from);
        for (int c = 0; c < 3; c++)
            from[c] -= centre[c];
        radius = fmax(radius, length(from));
    }
    if (!((double)place->radius >= radius) || !((double)place->radius <= 4 * radius + 1e-9))
        fail_msg("cell %zu of %u bodies: radius %g, and a body at %g", index, cell->count,
                 (double)place->radius, radius);
    assert_true(fabs((double)place->mass - mass / cells->mass) < 1e-6);
    bears /= (double)cells->shape[index];
    assert_true(fabs((double)place->hold - bears) <= 1e-5 * bears);
    assert_true(fabs((double)place->half - sum / cell->count) <= 1e-5 * large);
    /* of parents roughly: a child's range is taken to lie about its mean */
    const double least = cell->children > 0 ? 0.9 : 1 - 1e-5;
    if (!((double)place->spread >= least * (large - small) - 1e-5 * large))
        fail_msg("cell %zu of %u bodies: spread %g instead of %g", index, cell->count,
                 (double)place->spread, large - small);
}

/* 1 + 3 (1 - 9 I3 / (I1 I2))^2 of the second moments' invariants, for bodies of one cell. */
static double shape_of(const struct octree *tree, const struct octree_cell *cell)
{
    double mass = 0, middle[3] = {0}, m[3][3] = {{0}}, at[3];
    for (int round = 0; round < 2; round++)
        for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
            const double own = rows[tree->body[i]][3];
            place_of(tree, i, at);
            mass += round == 0 ? own : 0;
            for (int a = 0; a < 3; a++)
                middle[a] += round == 0 ? own * at[a] : 0;
            for (int a = 0; round == 1 && a < 3; a++)
                for (int b = 0; b < 3; b++)
                    m[a][b] += own * (at[a] - middle[a] / mass) * (at[b] - middle[b] / mass);
        }
    const double i1 = m[0][0] + m[1][1] + m[2][2],
                 i2 = m[0][0] * m[1][1] + m[1][1] * m[2][2] + m[2][2] * m[0][0] -
                      m[0][1] * m[0][1] - m[1][2] * m[1][2] - m[0][2] * m[0][2],
                 i3 = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[1][2]) -
                      m[0][1] * (m[0][1] * m[2][2] - m[1][2] * m[0][2]) +
                      m[0][2] * (m[0][1] * m[1][2] - m[1][1] * m[0][2]);
    const double thin = 1 - 9 * i3 / (i1 * i2);
    return mass > 0 ? 1 + 3 * thin * thin : 1;
}

/* Of cells of few bodies it is that of the cell around them. */
static void check_shapes(const struct cells *cells, const struct octree *tree)
{
    for (size_t c = 0; c < tree->cells; c++) {
        const struct octree_cell *cell = tree->cell + c;
        if (c == 0 || cell->count >= CELL_SHAPED)
            assert_true(fabs((double)cells->shape[c] - shape_of(tree, cell)) < 1e-4);
        for (uint32_t k = cell->child; k < cell->child + cell->children; k++)
            if (tree->cell[k].count < CELL_SHAPED)
                assert_true(cells->shape[k] == cells->shape[c]);
    }
}

/* Round, flat, thin, two bodies, and none with mass. */
TEST(shapes)
{
    static const struct {
        float moments[6], shape;
    } cases[] = {{{0.5f, 0, 0, 0.5f, 0, 0.5f}, 1},
                 {{0.5f, 0, 0, 0.5f, 0, 0}, 4},
                 {{0.5f, 0, 0, 0, 0, 0}, 4},
                 {{0.5f, 1, 0, 0.5f, 0, 0}, 4},
                 {{0}, 1},
                 {{0.5e-30f, 0, 0, 0.5e-30f, 0, 0.25e-30f}, 1 + 3 * 0.1f * 0.1f}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_true(fabsf(cell_shape(cases[k].moments) - cases[k].shape) < 1e-5f);
}

static void check_with(const struct tree_kernels *kernels)
{
    struct octree tree;
    struct cells cells;
    size_t massless = 0, large = 0;
    scatter();
    const struct cells_input input = {
        .halves = halves, .last = (const double(*)[3])last, .share = 1e-3, .mass = 1000};
    assert_ok(octree_open(&tree, COUNT));
    assert_ok(octree_build(&tree, rows, halves,
                           &(struct octree_limit){input.last, INFINITY, 0, 0, 0}, 2));
    assert_ok(cells_open(&cells, COUNT, kernels));
    assert_ok(cells_fill(&cells, &tree, &input, 2));
    for (size_t i = 0; i < tree.cells; i++) {
        check(&cells, &tree, &input, i);
        massless += cells.place[i].mass == 0 && tree.cell[i].count > 1;
        large += tree.cell[i].count > 2048 && tree.cell[i].children > 0;
    }
    assert_true(massless > 0 && large > 0);
    check_shapes(&cells, &tree);
    last[COUNT / 2][0] = 1e9; /* raises the mean, but not what others bear */
    assert_ok(octree_build(&tree, rows, halves,
                           &(struct octree_limit){input.last, INFINITY, 0, 0, 0}, 2));
    assert_ok(cells_fill(&cells, &tree, &input, 2));
    for (size_t i = 0; i < tree.cells; i++)
        check(&cells, &tree, &input, i);
    cells_close(&cells);
    octree_close(&tree);
}

/* With the kernels of every instruction set that is compiled and that this machine has. */
TEST(cells_tell_of_their_bodies)
{
    static const char *const sets[] = {ISA_LEAST, "avx2", "avx512"};
    int checked = 0;
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        const struct tree_kernels *kernels = tree_kernels_find(sets[s], 4);
        if (!kernels)
            continue;
        check_with(kernels);
        checked++;
    }
    assert_true(checked > 0);
}

TESTS(NULL, NULL)
