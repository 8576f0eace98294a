/* What holds for every octree, whatever the bodies. */
#include "tests/support/test.h"
#include "sim/gravity/tree/octree.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <string.h>

typedef double (*row_list)[4];

static row_list rows_make(size_t count)
{
    row_list rows = calloc(count, sizeof *rows);
    assert_non_null(rows);
    for (size_t i = 0; i < count; i++)
        rows[i][3] = 1;
    return rows;
}

/* The least difference of neighbouring keys, and that of the ends: volumes, in which a factor of
 * 256 is less than OCTREE_SPAN levels. */
static double closest(const struct octree *tree, const struct octree_cell *cell)
{
    double least = INFINITY;
    for (uint32_t i = cell->first; i + 1 < cell->first + cell->count; i++)
        least = fmin(least, (double)(tree->key[i + 1] - tree->key[i]));
    return least;
}

static double widest(const struct octree *tree, const struct octree_cell *cell)
{
    return (double)(tree->key[cell->first + cell->count - 1] - tree->key[cell->first]);
}

static bool outside(const struct octree *tree, const struct octree_cell *cell)
{
    static const uint64_t axis = UINT64_C(0x1249249249249249);
    for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
        for (int c = 0; c < 3; c++)
            if ((tree->key[i] >> c & axis) % axis == 0)
                return true;
    return false;
}

static void check_cells(const struct octree *tree)
{
    uint32_t *leaf_of = calloc(tree->count, sizeof *leaf_of);
    size_t children = 0;
    assert_non_null(leaf_of);
    assert_int_equal(tree->cell[0].first, 0);
    assert_int_equal(tree->cell[0].count, tree->count);
    assert_int_equal(tree->level[tree->levels], tree->cells);
    for (uint32_t c = 0; c < tree->cells; c++) {
        const struct octree_cell *cell = tree->cell + c;
        assert_true(cell->count > 0);
        if (cell->children == 0) {
            for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
                assert_int_equal(leaf_of[i], 0);
                leaf_of[i] = c + 1;
            }
            assert_true(cell->count <= OCTREE_LEAF);
            continue;
        }
        assert_true(cell->count > OCTREE_LEAF || closest(tree, cell) < widest(tree, cell) / 256 ||
                    outside(tree, cell));
        assert_in_range(cell->children, 2, 8);
        assert_true(cell->child > c && cell->child + cell->children <= tree->cells);
        uint32_t at = cell->first;
        for (uint32_t k = 0; k < cell->children; k++) {
            assert_int_equal(tree->cell[cell->child + k].first, at);
            at += tree->cell[cell->child + k].count;
        }
        assert_int_equal(at, cell->first + cell->count);
        children += cell->children;
    }
    assert_int_equal(children + 1, tree->cells);
    for (size_t i = 0; i < tree->count; i++)
        assert_int_not_equal(leaf_of[i], 0);
    free(leaf_of);
}

/* Keys ascend along the curve, equal ones at one place in the order of the bodies, each body
 * once. */
static void check_order(const struct octree *tree, const double (*rows)[4])
{
    bool *seen = calloc(tree->count, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < tree->count; i++) {
        assert_true(tree->body[i] < tree->count && !seen[tree->body[i]]);
        seen[tree->body[i]] = true;
        assert_memory_equal(tree->row[i], rows[tree->body[i]], sizeof tree->row[i]);
        if (i == 0)
            continue;
        const uint64_t before = key_of(&tree->box, tree->row[i - 1]),
                       own = key_of(&tree->box, tree->row[i]);
        assert_true(before <= own);
        if (memcmp(tree->row[i - 1], tree->row[i], 3 * sizeof(double)) == 0)
            assert_true(tree->body[i - 1] < tree->body[i]);
    }
    free(seen);
}

static const struct octree_limit unlimited;

static void check_tree(size_t count, const double (*rows)[4])
{
    struct octree one, three;
    assert_ok(octree_open(&one, count));
    assert_ok(octree_open(&three, count));
    assert_ok(octree_build(&one, rows, NULL, &unlimited, 1));
    assert_ok(octree_build(&three, rows, NULL, &unlimited, 3));
    check_cells(&one);
    check_order(&one, rows);
    assert_int_equal(one.cells, three.cells);
    assert_memory_equal(one.cell, three.cell, one.cells * sizeof *one.cell);
    assert_memory_equal(one.key, three.key, count * sizeof *one.key);
    assert_memory_equal(one.body, three.body, count * sizeof *one.body);
    octree_close(&one);
    octree_close(&three);
}

/* Few light bodies in one half of the box, in a strong tide, are cut down to single ones; those in
 * the other half stay together, and so do heavy ones. */
TEST(wide_leaves_are_cut)
{
    enum { COUNT = OCTREE_LEAF * 5 / 4 };
    row_list rows = rows_make(COUNT);
    double(*last)[3] = calloc(COUNT, sizeof *last);
    assert_non_null(last);
    uint64_t seed = 3;
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++)
            rows[i][c] = (uniform(&seed) - 0.5) / 4;
        rows[i][0] += i % 2 ? 0.5 : -0.5;
        last[i][1] = 1 + (i % 2 ? rows[i][1] : 0);
    }
    const struct octree_limit limit = {(const double(*)[3])last, 1e-4, 30, 0, 0};
    for (int heavy = 0; heavy < 2; heavy++) {
        struct octree tree;
        for (int i = 0; i < COUNT; i++)
            rows[i][3] = heavy ? 1 : 1e-9;
        assert_ok(octree_open(&tree, COUNT));
        assert_ok(octree_build(&tree, (const double(*)[4])rows, NULL, &limit, 1));
        uint32_t most[2] = {0}; /* in one leaf, of either half */
        for (size_t k = 0; k < tree.cells; k++)
            if (tree.cell[k].children == 0) {
                uint32_t half = tree.body[tree.cell[k].first] % 2;
                most[half] = tree.cell[k].count > most[half] ? tree.cell[k].count : most[half];
            }
        assert_true(most[0] >= 3);
        assert_true(heavy ? most[1] >= 3 : most[1] == 1);
        octree_close(&tree);
    }
    free(last);
    free(rows);
}

TEST(any_number_of_bodies)
{
    static const size_t counts[] = {1, 2, 3, 16, 17, 33, 1000, 40000};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        uint64_t seed = counts[k];
        row_list rows = rows_make(counts[k]);
        for (size_t i = 0; i < counts[k]; i++)
            for (int c = 0; c < 3; c++)
                rows[i][c] = pow(uniform(&seed), 3) - 0.2;
        check_tree(counts[k], (const double(*)[4])rows);
        free(rows);
    }
}

/* The level, from below, at which two keys differ. */
static int level_of(uint64_t a, uint64_t b)
{
    int level = 0;
    for (uint64_t differ = a ^ b; differ >> 3 * level > 7;)
        level++;
    return level;
}

/* Of a few bodies those that are close together are cut off, so that no leaf spans more than
 * OCTREE_SPAN levels. */
TEST(pairs_have_leaves_of_their_own)
{
    enum { COUNT = OCTREE_LEAF / 2 };
    row_list rows = rows_make(COUNT);
    struct octree tree;
    uint64_t seed = 3;
    int pairs = 0;
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            rows[i][c] =
                i % 4 == 1 ? rows[i - 1][c] + 0x1p-16 * uniform(&seed) : (uniform(&seed) - 0.5) / 4;
    assert_ok(octree_open(&tree, COUNT));
    assert_ok(octree_build(&tree, (const double(*)[4])rows, NULL, &unlimited, 1));
    for (size_t k = 0; k < tree.cells; k++) {
        const struct octree_cell *cell = tree.cell + k;
        const uint32_t last = cell->first + cell->count - 1;
        if (cell->children > 0)
            continue;
        for (uint32_t i = cell->first; i < last; i++)
            assert_true(level_of(tree.key[cell->first], tree.key[last]) -
                            level_of(tree.key[i], tree.key[i + 1]) <=
                        OCTREE_SPAN);
        pairs += cell->count == 2;
    }
    assert_true(pairs >= COUNT / 8);
    octree_close(&tree);
    free(rows);
}

/* Bodies outside the box share no leaf, because nothing is known of the distances between them. */
TEST(bodies_outside_are_alone)
{
    enum { COUNT = 4000, FAR = 60 };
    row_list rows = rows_make(COUNT);
    struct octree tree;
    uint64_t seed = 4;
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            rows[i][c] = i >= 4 * FAR     ? uniform(&seed) - 0.5
                         : i >= FAR       ? 16 * (uniform(&seed) - 0.5) /* beside those outside */
                         : i / 2 % 3 == c ? (i % 2 ? 1e6 : -1e6) * (1 + uniform(&seed))
                                          : 8 * (uniform(&seed) - 0.5);
    assert_ok(octree_open(&tree, COUNT));
    assert_ok(octree_build(&tree, (const double(*)[4])rows, NULL, &unlimited, 1));
    for (size_t k = 0; k < tree.cells; k++)
        for (uint32_t i = 0; i < tree.cell[k].count && tree.cell[k].children == 0; i++)
            if (tree.body[tree.cell[k].first + i] < FAR)
                assert_int_equal(tree.cell[k].count, 1);
    octree_close(&tree);
    free(rows);
}

TEST(bodies_anywhere)
{
    enum { COUNT = 500 };
    row_list rows = rows_make(COUNT);
    check_tree(COUNT, (const double(*)[4])rows); /* all in one place */
    for (int i = 0; i < COUNT; i++)
        rows[i][0] = 1e5 + i * 1e-3; /* on a line, far from the origin */
    check_tree(COUNT, (const double(*)[4])rows);
    uint64_t seed = 1;
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 2; c++)
            rows[i][c] = uniform(&seed); /* in a plane */
    check_tree(COUNT, (const double(*)[4])rows);
    rows[COUNT / 2][1] = 1e9; /* one far away takes no resolution from the others */
    struct octree tree;
    assert_ok(octree_open(&tree, COUNT));
    assert_ok(octree_build(&tree, (const double(*)[4])rows, NULL, &unlimited, 1));
    check_cells(&tree);
    check_order(&tree, (const double(*)[4])rows);
    assert_true(tree.cells > COUNT / OCTREE_LEAF);
    assert_true(tree.box.scale > 0x1p-8);
    octree_close(&tree);
    free(rows);
}

/* Hundreds of bodies with equal keys are told apart by places of their own, then by their
 * softening, then by their numbers; no cell of them is larger than the tree says. */
TEST(crowds_are_divided)
{
    enum { COUNT = 3000 };
    static const double sizes[] = {0, 1e-8, 1e-12, 1e-300, 1e-320};
    row_list rows = rows_make(COUNT);
    double *halves = calloc(COUNT, sizeof *halves);
    assert_non_null(halves);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t seed = 7;
        for (int i = 0; i < COUNT; i++) {
            for (int c = 0; c < 3; c++)
                rows[i][c] = i % 10 ? sizes[s] * uniform(&seed) : uniform(&seed) - 0.5;
            halves[i] = 1 + i % 100;
        }
        check_tree(COUNT, (const double(*)[4])rows);
        struct octree tree;
        assert_ok(octree_open(&tree, COUNT));
        assert_ok(octree_build(&tree, (const double(*)[4])rows, halves, &unlimited, 2));
        check_cells(&tree);
        for (size_t k = 0; k < tree.cells; k++) {
            const struct octree_cell *cell = tree.cell + k;
            for (uint32_t i = cell->first; i < cell->first + cell->count; i++)
                for (int c = 0; c < 3 && cell->finer > 0; c++) {
                    const double apart = fabs(tree.row[i][c] - tree.row[cell->first][c]);
                    if (!(apart <= 4 * ldexp(1 / tree.box.scale, -cell->finer) + 0x1p-1000))
                        fail_msg("size %g: %g apart, %d levels finer", sizes[s], apart,
                                 cell->finer);
                }
        }
        octree_close(&tree);
    }
    free(halves);
    free(rows);
}

/* Bits of the three axes alternate, that of x first. */
TEST(keys_interleave)
{
    const struct key_box box = {.centre = {0}, .scale = 1};
    assert_true(key_of(&box, (const double[4]){-1, -1, -1, 0}) == 0);
    assert_true(key_of(&box, (const double[4]){0, -1, -1, 0}) == UINT64_C(4) << 60);
    assert_true(key_of(&box, (const double[4]){-1, 0, -1, 0}) == UINT64_C(2) << 60);
    assert_true(key_of(&box, (const double[4]){-1, -1, 0, 0}) == UINT64_C(1) << 60);
    assert_true(key_of(&box, (const double[4]){-0.5, -1, -0.5, 0}) == UINT64_C(5) << 57);
    assert_true(key_of(&box, (const double[4]){5, 5, 5, 0}) == (UINT64_C(1) << 63) - 1);
    assert_true(key_of(&box, (const double[4]){-1 + 0x1p-20, -1, -1, 0}) == 4);
}

/* The root's children are bodies of one softening each, or of a few near ones. */
static void check_kinds(const double (*rows)[4], size_t count, const double *halves, double ratio,
                        uint32_t children)
{
    struct octree tree;
    assert_ok(octree_open(&tree, count));
    assert_ok(octree_build(&tree, rows, halves, &unlimited, 2));
    assert_true(tree.kinds);
    assert_int_equal(tree.cell[0].children, children);
    check_cells(&tree);
    for (uint32_t k = 0; k < children; k++) {
        const struct octree_cell *cell = tree.cell + tree.cell[0].child + k;
        double least = INFINITY, largest = 0;
        for (uint32_t i = cell->first; i < cell->first + cell->count; i++) {
            least = fmin(least, halves[tree.body[i]]);
            largest = fmax(largest, halves[tree.body[i]]);
            assert_true(tree.key[i] ==
                        ((uint64_t)k << 60 | key_of(&tree.box, rows[tree.body[i]]) >> 3));
        }
        if (!(largest <= ratio * least))
            fail_msg("child %u of %u: from %g to %g", k, children, least, largest);
    }
    octree_close(&tree);
}

TEST(kinds_of_softening_come_first)
{
    enum { COUNT = 2000 };
    static const double few[] = {3e-4, 1e-4, 1.1e-4, 5};
    row_list rows = rows_make(COUNT);
    double *halves = calloc(COUNT, sizeof *halves);
    assert_non_null(halves);
    uint64_t seed = 5;
    for (int i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++)
            rows[i][c] = uniform(&seed);
    for (int i = 0; i < COUNT; i++)
        halves[i] = few[i % 4];
    check_kinds((const double(*)[4])rows, COUNT, halves, 1, 4);
    for (int i = 0; i < COUNT; i++)
        halves[i] = 1e-6 * pow(2, (double)(i % 33) / 4);
    check_kinds((const double(*)[4])rows, COUNT, halves, 2, 8);
    struct octree plain, alike;
    for (int i = 0; i < COUNT; i++)
        halves[i] = 1e-4;
    assert_ok(octree_open(&plain, COUNT));
    assert_ok(octree_open(&alike, COUNT));
    assert_ok(octree_build(&plain, (const double(*)[4])rows, NULL, &unlimited, 1));
    assert_ok(octree_build(&alike, (const double(*)[4])rows, halves, &unlimited, 1));
    assert_false(alike.kinds);
    assert_memory_equal(plain.key, alike.key, COUNT * sizeof *plain.key);
    for (int i = 0; i < COUNT; i++) /* none is of the first kind */
        halves[i] = i % 40 ? 1e-6 * (double)(i % 40) : 0;
    assert_ok(octree_build(&alike, (const double(*)[4])rows, halves, &unlimited, 1));
    assert_in_range(alike.cell[0].children, 2, 8);
    const struct key_kinds kinds = key_kinds_of(COUNT, halves);
    assert_int_equal(kinds.count, KEY_KINDS);
    assert_true(kinds.from[0] == 1e-6); /* ratios are of those that have any */
    for (int k = 1; k < KEY_KINDS; k++)
        assert_true(fabs(kinds.from[k] / kinds.from[k - 1] / pow(39, 1. / KEY_KINDS) - 1) < 1e-12);
    check_cells(&alike);
    octree_close(&plain);
    octree_close(&alike);
    free(halves);
    free(rows);
}

TESTS(NULL, NULL)
