/* Moments, expansions and their shifts against direct sums in double, for every instruction set
 * that this machine has and both orders. */
#include "tests/support/test.h"
#include "kernels/isa.h"
#include "kernels/tree/tree.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <string.h>

enum { BODIES = 21, ROW = 64 };

/* Two cells of bodies within `radius` of centres that are `apart` away from each other. */
struct scene {
    float x[64], y[64], z[64], mass[64];
    struct tree_bodies bodies;
    double centre[2][3];
    struct tree_place place[2] __attribute__((aligned(64)));
    float moments[2 * ROW] __attribute__((aligned(64))); /* rows of the kernels' own length */
    struct tree_run run[2];
};

static double at(const struct scene *scene, int cell, size_t i, int axis)
{
    const float *column[] = {scene->bodies.x, scene->bodies.y, scene->bodies.z};
    return scene->centre[cell][axis] + (double)column[axis][i];
}

/* Bodies relative to their centre of mass. */
static void fill_cell(struct scene *scene, const struct tree_kernels *kernels, int cell,
                      size_t count, double radius, uint64_t *seed)
{
    double place[32][3], mass[32], middle[3] = {0}, total = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
        mass[i] = (0.5 + uniform(seed)) / BODIES;
        total += mass[i];
        for (int c = 0; c < 3; c++) {
            place[i][c] = radius * (2 * uniform(seed) - 1);
            middle[c] += mass[i] * place[i][c];
        }
    }
    size_t first = cell == 0 ? 0 : scene->run[0].count;
    for (size_t i = 0; i < count; i++) {
        double square = 0;
        for (int c = 0; c < 3; c++) {
            place[i][c] -= middle[c] / total;
            square += place[i][c] * place[i][c];
        }
        if (square > most) /* fmax() here: see render/density/density.c */
            most = square;
        scene->x[first + i] = (float)place[i][0];
        scene->y[first + i] = (float)place[i][1];
        scene->z[first + i] = (float)place[i][2];
        scene->mass[first + i] = (float)mass[i];
    }
    struct tree_place *out = &scene->place[cell];
    *out = (struct tree_place){.radius = (float)(sqrt(most) * 1.000001), .mass = (float)total};
    for (int c = 0; c < 3; c++) {
        scene->centre[cell][c] += middle[c] / total;
        out->hi[c] = (float)scene->centre[cell][c];
        out->lo[c] = (float)(scene->centre[cell][c] - (double)out->hi[c]);
        scene->centre[cell][c] = (double)out->hi[c] + (double)out->lo[c];
    }
    scene->run[cell] = (struct tree_run){(uint32_t)first, (uint32_t)count};
    float *moments = scene->moments + cell * kernels->row;
    kernels->collect(&scene->bodies, scene->run[cell], out->radius, moments);
    kernels->weigh(moments, 1, out);
}

static void make_scene(struct scene *scene, const struct tree_kernels *kernels, double apart,
                       double radius, double other_radius, uint64_t *seed)
{
    memset(scene, 0, sizeof *scene);
    scene->bodies =
        (struct tree_bodies){.x = scene->x, .y = scene->y, .z = scene->z, .mass = scene->mass};
    double direction[3], size = 0;
    for (int c = 0; c < 3; c++) {
        direction[c] = 2 * uniform(seed) - 1;
        size += direction[c] * direction[c];
    }
    for (int c = 0; c < 3; c++)
        scene->centre[1][c] = direction[c] / sqrt(size) * apart;
    fill_cell(scene, kernels, 0, BODIES, radius, seed);
    fill_cell(scene, kernels, 1, BODIES, other_radius, seed);
}

/* What cell 0 gives body i of cell 1: out[0..2] the acceleration, out[3] Psi. */
static void direct(const struct scene *scene, int from, int to, size_t i, double eps, double out[4])
{
    memset(out, 0, 4 * sizeof *out);
    for (size_t j = scene->run[from].first; j < scene->run[from].first + scene->run[from].count;
         j++) {
        double d[3], r2 = eps * eps;
        for (int c = 0; c < 3; c++) {
            d[c] = at(scene, from, j, c) - at(scene, to, i, c);
            r2 += d[c] * d[c];
        }
        double m = (double)scene->mass[j];
        for (int c = 0; c < 3; c++)
            out[c] += m * d[c] / (r2 * sqrt(r2));
        out[3] += m / sqrt(r2);
    }
}

/* The largest error of accelerations and of Psi over the bodies of cell `to`, absolute. */
static void worst(const struct scene *scene, int from, int to, double eps, float *const got[4],
                  double *pull, double *value)
{
    *pull = *value = 0;
    for (size_t k = 0; k < scene->run[to].count; k++) {
        double want[4], square = 0;
        direct(scene, from, to, scene->run[to].first + k, eps, want);
        for (int c = 0; c < 3; c++)
            square += pow((double)got[c][k] - want[c], 2);
        *pull = fmax(*pull, sqrt(square));
        *value = fmax(*value, fabs((double)got[3][k] - want[3]));
    }
}

static void expand(const struct scene *scene, const struct tree_kernels *kernels, int from, int to,
                   double eps, float local[TREE_TERMS_MOST])
{
    uint32_t list[1 + TREE_LANES] = {(uint32_t)from};
    memset(local, 0, TREE_TERMS_MOST * sizeof *local);
    kernels->translate(scene->place, scene->moments, (uint32_t)to, 1, list, (float)(eps * eps),
                       false, true, local);
}

/* The same in flat terms, without Psi. */
static void expand_flat(const struct scene *scene, const struct tree_kernels *kernels, int from,
                        int to, double eps, float local[TREE_TERMS_MOST])
{
    struct tree_source sources[2] __attribute__((aligned(64)));
    uint32_t list[1 + TREE_LANES] = {(uint32_t)from};
    memset(local, 0, TREE_TERMS_MOST * sizeof *local);
    kernels->fold(scene->moments, 2, scene->place, sources);
    kernels->translate_flat(sources, scene->place + to, 1, list, (float)(eps * eps), false, local);
}

static void for_all(void (*check)(const struct tree_kernels *kernels))
{
    static const char *const sets[] = {ISA_LEAST, "avx2", "avx512"};
    int found = 0;
    for (size_t s = 0; s < 3; s++)
        for (int order = 4; order <= 5; order++) {
            const struct tree_kernels *kernels = tree_kernels_find(sets[s], order);
            if (!kernels)
                continue;
            assert_int_equal(kernels->order, order);
            assert_string_equal(kernels->isa, sets[s]);
            assert_true(kernels->row <= ROW && kernels->row % 16 == 0);
            check(kernels);
            found++;
        }
    assert_true(found >= 2);
    assert_null(tree_kernels_find("auto", 3));
    assert_null(tree_kernels_find("quantum", 4));
}

/* The error falls with the distance to the power of the order: those of two orders higher would be
 * a hundredth of it at a tenth. */
static void check_convergence(const struct tree_kernels *kernels)
{
    uint64_t seed = 7;
    float space[4][64], *const out[4] = {space[0], space[1], space[2], space[3]};
    double error[2], error_of_value[2];
    static const double eps[] = {1e-3, 1.5};
    for (size_t e = 0; e < 2; e++) {
        for (int far = 0; far < 2; far++) {
            struct scene scene;
            double apart = far ? 12 : 6;
            seed = 7;
            make_scene(&scene, kernels, apart, 0.8, 0.6, &seed);
            float local[TREE_TERMS_MOST];
            expand(&scene, kernels, 0, 1, eps[e], local);
            kernels->evaluate(local, scene.place[1].radius, &scene.bodies, scene.run[1], true, out);
            worst(&scene, 0, 1, eps[e], out, &error[far], &error_of_value[far]);
            error[far] *= apart * apart / (double)scene.place[0].mass;
            error_of_value[far] *= apart / (double)scene.place[0].mass;
        }
        /* relative; half the distance is 2^-p, rounding 1e-6 */
        assert_true(error[0] < 5 * pow(0.25, kernels->order));
        assert_true(error[0] > 1e-6);
        assert_true(error[1] < error[0] / pow(2, kernels->order - 1) + 1e-6);
        assert_true(error_of_value[0] < pow(0.25, kernels->order));
        assert_true(error_of_value[1] < error_of_value[0] / pow(2, kernels->order) + 1e-6);
    }
}

TEST(expansions_converge)
{
    for_all(check_convergence);
}

/* Flat terms give the same as all terms, but for a part of eps^2 / R^2 that falls with the size of
 * the cells. */
static void check_flat(const struct tree_kernels *kernels)
{
    static const double part[] = {0, 0.01, 0.1};
    for (size_t e = 0; e < sizeof part / sizeof *part; e++)
        for (int far = 0; far < 2; far++) {
            uint64_t seed = 19;
            struct scene scene;
            const double apart = far ? 6 : 3, eps = apart * sqrt(part[e]);
            float local[2][TREE_TERMS_MOST], space[2][4][64];
            make_scene(&scene, kernels, apart, 0.5, 0.4, &seed);
            expand(&scene, kernels, 0, 1, eps, local[0]);
            expand_flat(&scene, kernels, 0, 1, eps, local[1]);
            for (int f = 0; f < 2; f++)
                kernels->evaluate(local[f], scene.place[1].radius, &scene.bodies, scene.run[1],
                                  false, (float *const[4]){space[f][0], space[f][1], space[f][2]});
            double off = 0;
            for (int c = 0; c < 3; c++)
                for (uint32_t k = 0; k < scene.run[1].count; k++)
                    off = fmax(off, fabs((double)space[0][c][k] - (double)space[1][c][k]));
            off *= apart * apart / (double)scene.place[0].mass;
            const double bound = part[e] * (far ? 0.015 : 0.1) + 2e-6;
            if (!(off <= bound))
                fail_msg("order %d, %s, eps^2 / R^2 %g: off by %g, and %g is expected",
                         kernels->order, kernels->isa, part[e], off, bound);
        }
}

TEST(flat_terms_are_enough)
{
    for_all(check_flat);
}

/* Sums of moments over children about the parent's centre are the moments of all the bodies, and an
 * expansion about a parent is the same polynomial about a child. */
static void check_shifts(const struct tree_kernels *kernels)
{
    uint64_t seed = 11;
    struct scene scene;
    make_scene(&scene, kernels, 1.2, 0.5, 0.4, &seed);
    struct tree_place both = {.mass = scene.place[0].mass + scene.place[1].mass};
    double centre[3];
    float moments[ROW] __attribute__((aligned(64))) = {0}, want[ROW] __attribute__((aligned(64)));
    for (int c = 0; c < 3; c++)
        centre[c] = ((double)scene.place[0].mass * scene.centre[0][c] +
                     (double)scene.place[1].mass * scene.centre[1][c]) /
                    (double)both.mass;
    both.radius = 1.6F;
    struct scene merged = scene;
    merged.bodies =
        (struct tree_bodies){.x = merged.x, .y = merged.y, .z = merged.z, .mass = merged.mass};
    float shift[2][3];
    for (int cell = 0; cell < 2; cell++) {
        for (int c = 0; c < 3; c++)
            shift[cell][c] = (float)(scene.centre[cell][c] - centre[c]);
        for (uint32_t i = 0; i < scene.run[cell].count; i++) {
            merged.x[scene.run[cell].first + i] += shift[cell][0];
            merged.y[scene.run[cell].first + i] += shift[cell][1];
            merged.z[scene.run[cell].first + i] += shift[cell][2];
        }
    }
    kernels->raise(scene.place, scene.moments, (const float(*)[3])shift, 2, both.radius, moments);
    kernels->collect(&merged.bodies, (struct tree_run){0, 2 * BODIES}, both.radius, want);
    for (int n = 0; n < kernels->row; n++)
        if (fabsf(moments[n] - want[n]) > 2e-6F)
            fail_msg("order %d, %s, term %d: %g instead of %g", kernels->order, kernels->isa, n,
                     (double)moments[n], (double)want[n]);

    float local[TREE_TERMS_MOST], lowered[2][TREE_TERMS_MOST];
    float space[2][4][64];
    float *const out[4] = {space[0][0], space[0][1], space[0][2], space[0][3]};
    float *const again[4] = {space[1][0], space[1][1], space[1][2], space[1][3]};
    make_scene(&scene, kernels, 6, 0.5, 0.4, &seed);
    expand(&scene, kernels, 0, 1, 0.1, local);
    const float down[2][3] = {{0.1F, -0.2F, 0.15F}, {-0.2F, 0.1F, 0.1F}};
    const struct tree_place children[2] = {{.radius = 0.3F}, {.radius = 0.2F}};
    kernels->lower(local, scene.place[1].radius, children, down, 2, lowered);
    kernels->evaluate(local, scene.place[1].radius, &scene.bodies, scene.run[1], true, out);
    for (int child = 0; child < 2; child++) {
        struct scene moved = scene;
        moved.bodies =
            (struct tree_bodies){.x = moved.x, .y = moved.y, .z = moved.z, .mass = moved.mass};
        for (uint32_t i = 0; i < BODIES; i++) {
            moved.x[BODIES + i] -= down[child][0];
            moved.y[BODIES + i] -= down[child][1];
            moved.z[BODIES + i] -= down[child][2];
        }
        kernels->evaluate(lowered[child], children[child].radius, &moved.bodies, moved.run[1], true,
                          again);
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < BODIES; i++)
                assert_true(fabsf(out[c][i] - again[c][i]) < 1e-6F);
    }
}

TEST(shifts_are_exact)
{
    for_all(check_shifts);
}

/* What becomes of one source. */
static enum tree_fate judge_by(tree_judge *judge, const struct tree_place *places, uint32_t sink,
                               uint32_t source, struct tree_rule rule)
{
    uint32_t list[1 + TREE_LANES] = {source}, item[TREE_FATES][1 + TREE_LANES];
    struct tree_list fates[TREE_FATES], *to[TREE_FATES];
    for (int f = 0; f < TREE_FATES; f++) {
        fates[f] = (struct tree_list){item[f], 0};
        to[f] = fates + f;
    }
    judge(places, sink, rule, 1, list, to);
    int fate = TREE_FATES;
    for (int f = 0; f < TREE_FATES; f++)
        if (fates[f].count > 0) {
            assert_true(fate == TREE_FATES && fates[f].count == 1 && item[f][0] == source);
            fate = f;
        }
    assert_true(fate < TREE_FATES);
    return (enum tree_fate)fate;
}

/* The same, whichever terms are exchanged. */
static enum tree_fate judge_one(const struct tree_kernels *kernels, const struct tree_place *places,
                                uint32_t sink, uint32_t source, struct tree_rule rule)
{
    const enum tree_fate fate = judge_by(kernels->judge, places, sink, source, rule);
    return fate == TREE_JOINED_SOFT ? TREE_JOINED : fate;
}

/* Leaves meet where they may not be joined, and where there are few bodies; of a leaf and a cell
 * that are too near the cell is opened, and nothing is joined with itself. */
static void check_fates(const struct tree_kernels *kernels)
{
    static const struct {
        float leaf[2];
        double apart;
        enum tree_fate of_first, of_second; /* what becomes of the other */
    } cases[] = {
        {{0, 0}, 100, TREE_JOINED, TREE_JOINED}, {{9, 9}, 100, TREE_JOINED, TREE_JOINED},
        {{8, 8}, 100, TREE_MET, TREE_MET},       {{9, 9}, 1.5, TREE_MET, TREE_MET},
        {{9, 0}, 100, TREE_JOINED, TREE_JOINED}, {{9, 0}, 1.5, TREE_OPENED, TREE_LEFT},
        {{0, 9}, 1.5, TREE_LEFT, TREE_OPENED},   {{0, 0}, 1.5, TREE_LEFT, TREE_OPENED},
    };
    const struct tree_rule rule = {.opening = 0.8f, .soft = 1};
    const struct tree_rule soft = {.opening = 0.8f, .soft = 1, .softening2 = 101, .flat = 0.01f};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct scene scene;
        uint64_t seed = 7;
        make_scene(&scene, kernels, cases[k].apart, 1, 0.5, &seed);
        assert_true(scene.place[0].radius > scene.place[1].radius);
        for (int c = 0; c < 2; c++)
            scene.place[c].leaf = cases[k].leaf[c];
        assert_int_equal(judge_one(kernels, scene.place, 0, 1, rule), cases[k].of_first);
        assert_int_equal(judge_one(kernels, scene.place, 1, 0, rule), cases[k].of_second);
        if (cases[k].of_first == TREE_JOINED)
            assert_int_equal(judge_by(kernels->judge, scene.place, 0, 1, soft), TREE_JOINED_SOFT);
        assert_int_equal(judge_one(kernels, scene.place, 0, 0, rule),
                         cases[k].leaf[0] > 0 ? TREE_MET : TREE_LEFT);
        scene.place[1].radius = scene.place[0].radius; /* then the first one is opened */
        if (cases[k].of_first == TREE_LEFT)
            assert_int_equal(judge_one(kernels, scene.place, 1, 0, rule), TREE_OPENED);
    }
}

TEST(fates_are_opposite)
{
    for_all(check_fates);
}

/* No pair of cells that the rule joins has an error above what the sink bears, on either side, and
 * what they give each other sums to nothing. */
static void check_rule(const struct tree_kernels *kernels)
{
    uint64_t seed = 3;
    int joined = 0, refused = 0;
    for (int trial = 0; trial < 300; trial++) {
        struct scene scene;
        double radius = pow(10, -2 * uniform(&seed)), other = pow(10, -2 * uniform(&seed));
        double apart = 1 + 5 * uniform(&seed), eps = 1e-3;
        make_scene(&scene, kernels, apart, radius, other, &seed);
        const float hold = (float)(pow(10, -2 - 3 * uniform(&seed)) * (double)scene.place[0].mass /
                                   (apart * apart));
        scene.place[0].hold = scene.place[1].hold = hold;
        const struct tree_rule rule = {.soft = 1};
        enum tree_fate fate[2];
        for (uint32_t sink = 0; sink < 2; sink++)
            fate[sink] = judge_one(kernels, scene.place, sink, 1 - sink, rule);
        assert_int_equal(fate[0] == TREE_JOINED, fate[1] == TREE_JOINED);
        if (fate[0] != TREE_JOINED) {
            assert_true(fate[0] != TREE_MET && fate[0] != fate[1]); /* one of them is opened */
            assert_int_equal(fate[0] == TREE_LEFT, scene.place[0].radius > scene.place[1].radius);
            refused++;
            continue;
        }
        joined++;
        double sum[3] = {0}, most = 0;
        for (int to = 0; to < 2; to++) {
            float local[TREE_TERMS_MOST], space[4][64];
            float *const out[4] = {space[0], space[1], space[2], space[3]};
            double pull, value;
            if (trial % 2)
                expand_flat(&scene, kernels, 1 - to, to, eps, local);
            else
                expand(&scene, kernels, 1 - to, to, eps, local);
            kernels->evaluate(local, scene.place[to].radius, &scene.bodies, scene.run[to], true,
                              out);
            worst(&scene, 1 - to, to, eps, out, &pull, &value);
            if (!(pull <= (double)hold + 2e-6 / (apart * apart)))
                fail_msg("order %d, %s, trial %d: error %g, and %g was allowed", kernels->order,
                         kernels->isa, trial, pull, (double)hold);
            for (uint32_t k = 0; k < scene.run[to].count; k++)
                for (int c = 0; c < 3; c++) {
                    double force = (double)scene.mass[scene.run[to].first + k] * (double)out[c][k];
                    sum[c] += force;
                    most += fabs(force);
                }
        }
        for (int c = 0; c < 3; c++)
            if (!(fabs(sum[c]) < 2e-6 * most))
                fail_msg("order %d, %s, trial %d: %g of %g is left", kernels->order, kernels->isa,
                         trial, sum[c], most);
    }
    assert_true(joined > 50 && refused > 50);
}

TEST(errors_stay_below_what_is_allowed)
{
    for_all(check_rule);
}

/* P_n / radius^n, from its definition. */
static double power_of(const struct scene *scene, int cell, int degree)
{
    double sum = 0;
    const size_t first = scene->run[cell].first, end = first + scene->run[cell].count;
    for (size_t i = first; i < end; i++)
        for (size_t j = first; j < end; j++) {
            double dot = 0, a = 0, b = 0;
            for (int c = 0; c < 3; c++) {
                const double x = at(scene, cell, i, c) - scene->centre[cell][c];
                const double y = at(scene, cell, j, c) - scene->centre[cell][c];
                dot += x * y;
                a += x * x;
                b += y * y;
            }
            const double size = sqrt(a * b), u = dot / size;
            double before = 1, legendre = u;
            for (int n = 2; n <= degree; n++) {
                const double next = ((2 * n - 1) * u * legendre - (n - 1) * before) / n;
                before = legendre;
                legendre = next;
            }
            sum += (double)scene->mass[i] * (double)scene->mass[j] * pow(size, degree) * legendre;
        }
    return sqrt(fmax(sum, 0)) / pow((double)scene->place[cell].radius, degree);
}

static void check_powers(const struct tree_kernels *kernels)
{
    uint64_t seed = 17;
    for (int trial = 0; trial < 10; trial++) {
        struct scene scene;
        make_scene(&scene, kernels, 3, 0.5, 0.01, &seed);
        for (int cell = 0; cell < 2; cell++)
            for (int degree = 2; degree < TREE_POWERS; degree++) {
                const double got = (double)scene.place[cell].power[degree - 2];
                const double want = degree > kernels->order ? 0 : power_of(&scene, cell, degree);
                if (!(fabs(got - want) <= 1e-3 * want))
                    fail_msg("order %d, %s: power of degree %d is %g instead of %g", kernels->order,
                             kernels->isa, degree, got, want);
            }
    }
}

TEST(powers_of_multipoles)
{
    for_all(check_powers);
}

static bool joined(const struct tree_kernels *kernels, const struct tree_place place[2],
                   struct tree_rule rule)
{
    bool either = judge_one(kernels, place, 0, 1, rule) == TREE_JOINED;
    assert_int_equal(judge_one(kernels, place, 1, 0, rule) == TREE_JOINED, either);
    return either;
}

/* What the sink is told that the source may get wrong, by the formula of Dehnen. */
static double estimate(const struct tree_place *source, const struct tree_place *sink, double r,
                       int order)
{
    const double a = (double)source->radius / r, b = (double)sink->radius / r;
    double sum = (double)source->mass * pow(b, order), binomial = 1;
    for (int k = 1; k <= order; k++) {
        binomial = binomial * (order + 1 - k) / k;
        if (k > 1)
            sum += binomial * (double)source->power[k - 2] * pow(a, k) * pow(b, order - k);
    }
    return 8 * fmax(a, b) / (a + b) * sum / (r * r) / (1 - a - b);
}

static void check_estimate(const struct tree_kernels *kernels)
{
    const struct tree_rule rule = {.soft = 1};
    uint64_t seed = 23;
    for (int trial = 0; trial < 40; trial++) {
        struct tree_place place[2] __attribute__((aligned(64))) = {0};
        const double r = 0.2 + 3 * uniform(&seed), share = 0.05 + 0.8 * uniform(&seed);
        for (int cell = 0; cell < 2; cell++) {
            place[cell].mass = (float)(0.1 + uniform(&seed));
            for (int k = 0; k < kernels->order - 1; k++)
                place[cell].power[k] = (float)uniform(&seed) * place[cell].mass;
        }
        place[0].radius = (float)(share * r * uniform(&seed));
        place[1].radius = (float)(share * r) - place[0].radius;
        place[1].hi[2] = (float)r;
        for (int sink = 0; sink < 2; sink++)
            for (int bears = 0; bears < 2; bears++) {
                const double error = estimate(&place[1 - sink], &place[sink], r, kernels->order);
                place[1 - sink].hold = 1e30F;
                place[sink].hold = (float)(error * (bears ? 1.001 : 0.999));
                if (joined(kernels, place, rule) != bears)
                    fail_msg("order %d, %s, trial %d: sink %d bears %g of an error of %g",
                             kernels->order, kernels->isa, trial, sink, (double)place[sink].hold,
                             error);
            }
    }
}

TEST(the_error_is_the_one_estimated)
{
    for_all(check_estimate);
}

/* The conditions beside that one, each just kept and just broken; the error is allowed. */
static void check_bounds(const struct tree_kernels *kernels)
{
    static const struct {
        float radius[2], spread[2];
        struct tree_rule kept, broken;
    } cases[] = {
        {{0.5F, 0.3F}, {0}, {.opening = 0.81F, .soft = 1}, {.opening = 0.79F, .soft = 1}},
        {{0.3F, 0.5F}, {0}, {.opening = 0.81F, .soft = 1}, {.opening = 0.79F, .soft = 1}},
        {{0.1F, 0.1F}, {0.1F, 0.2F}, {.soft = 0.46F}, {.soft = 0.44F}},
        {{0.1F, 0.1F},
         {0.1F, 0.2F},
         {.opening = 0.5F, .soft = 0.46F},
         {.opening = 0.5F, .soft = 0.44F}},
        /* softening counts as distance */
        {{0.5F, 0.5F}, {0}, {.soft = 1, .softening2 = 1.0F}, {.soft = 1, .softening2 = 0.9F}},
        {{0.5F, 0.5F},
         {0},
         {.opening = 0.8F, .soft = 1, .softening2 = 2.4F},
         {.opening = 0.8F, .soft = 1, .softening2 = 2.0F}},
        {{0.5F, 0.4F},
         {0},
         {.opening = 0.8F, .soft = 1, .softening2 = 2.4F},
         {.opening = 0.8F, .soft = 1, .softening2 = 2.4F, .mixed = true}},
    };
    struct tree_place place[2] __attribute__((aligned(64)));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int cell = 0; cell < 2; cell++)
            place[cell] = (struct tree_place){.hi = {(float)cell},
                                              .radius = cases[i].radius[cell],
                                              .spread = cases[i].spread[cell],
                                              .hold = 1e30F,
                                              .mass = 1};
        assert_true(joined(kernels, place, cases[i].kept));
        assert_false(joined(kernels, place, cases[i].broken));
    }
    for (int far = 0; far < 2; far++) { /* spreads are of R^2 */
        const struct tree_rule soft = {.opening = 0.5F, .soft = far ? 0.115F : 0.11F};
        for (int cell = 0; cell < 2; cell++)
            place[cell] = (struct tree_place){
                .hi = {2 * (float)cell}, .radius = 0.1F, .spread = 0.15F, .hold = 1e30F, .mass = 1};
        assert_true(joined(kernels, place, soft) == far);
        place[1].hi[0] = 1;
    }
    const struct tree_rule rule = {.soft = 1};
    place[0].spread = place[1].spread = 0;
    for (int far = 0; far < 2; far++) {
        place[0].radius = 0.6F;
        place[1].radius = far ? 0.29F : 0.31F;
        assert_true(joined(kernels, place, rule) == far);
    }
    /* nothing is joined that holds the other's centre */
    const struct tree_rule soft = {.opening = 0.5F, .soft = 1, .softening2 = 1e6F};
    for (int far = 0; far < 2; far++) {
        place[0].radius = far ? 0.99F : 1.01F;
        assert_true(joined(kernels, place, soft) == far);
    }
    const struct tree_rule mixed = {.opening = 0.5F, .soft = 1, .mixed = true};
    place[0].radius = 0.4F;
    place[1].radius = 0.2F;
    place[0].half = 1;
    for (int far = 0; far < 2; far++) { /* R^2 = 1 + half / 4 of what all pairs have at least */
        place[1].half = far ? 0.9F : 0.7F;
        place[0].spread = place[1].spread = 0;
        assert_true(joined(kernels, place, mixed) == far);
    }
    place[0].spread = 0.3F;
    assert_false(joined(kernels, place, mixed));
    place[1] = place[0]; /* in one place */
    place[0].radius = place[1].radius = 0;
    assert_false(joined(kernels, place, rule));
    assert_false(joined(kernels, place, (struct tree_rule){.opening = 0.5F, .soft = 1}));
}

/* Cells whose bodies differ in softening are judged by what any of their pairs may have: the least
 * softening where it counts as distance, the largest where a spline has to be left behind. */
static void check_spreads(const struct tree_kernels *kernels)
{
    const struct tree_rule mixed = {.opening = 0.5F, .soft = 1, .mixed = true};
    const struct tree_rule wide = {.opening = 0.9F, .soft = 1};
    struct tree_place place[2] __attribute__((aligned(64)));
    for (int other = 0; other < 2; other++)
        for (int far = 0; far < 2; far++) {
            for (int cell = 0; cell < 2; cell++)
                place[cell] = (struct tree_place){
                    .hi = {(float)cell}, .radius = cell ? 0.2F : 0.4F, .hold = 1e30F, .mass = 1};
            /* R^2 = 1 + (h + h') / 4 has to be above 1.44, h + h' above 1.76 */
            place[other].half = 0.9F;
            place[!other].half = far ? 1.1F : 1.05F;
            place[!other].spread = 0.2F;
            assert_true(joined(kernels, place, mixed) == far);
            place[!other].half = 0.1F; /* no softening is below 0 */
            place[other].half = far ? 1.8F : 1.7F;
            assert_true(joined(kernels, place, mixed) == far);
            /* H^2 = 15.68 h has to be below (1 - 0.6)^2, h below 0.0102 */
            place[other].half = 0.001F;
            place[other].spread = 0;
            place[!other].half = 0.006F;
            place[!other].spread = far ? 0.004F : 0.0045F;
            for (uint32_t sink = 0; sink < 2; sink++)
                assert_true(far == (judge_by(kernels->judge_spline, place, sink, !sink, wide) ==
                                    TREE_JOINED));
        }
}

TEST(spreads_count)
{
    for_all(check_spreads);
}

TEST(bounds_of_the_rule)
{
    for_all(check_bounds);
}

/* Bodies against bodies, of one softening. */
static void check_pull(const struct tree_kernels *kernels)
{
    uint64_t seed = 5;
    struct scene scene;
    make_scene(&scene, kernels, 0.7, 0.5, 0.4, &seed);
    float space[4][64] = {{0}}, *const out[4] = {space[0], space[1], space[2], space[3]};
    float shift[3][1 + TREE_LANES];
    float *const axes[3] = {shift[0], shift[1], shift[2]};
    uint32_t list[1 + TREE_LANES] = {0};
    double pull, value, eps = 0.05;
    kernels->approach(scene.place, 1, 1, list, axes);
    for (int c = 0; c < 3; c++)
        assert_true(fabs((double)shift[c][0] - (scene.centre[0][c] - scene.centre[1][c])) < 1e-7);
    for (int potential = 0; potential < 2; potential++)
        kernels->pull(&scene.bodies, scene.run[1], 1, &scene.run[0], (const float *const *)axes,
                      (struct tree_pulling){(float)(eps * eps), 4, potential, false}, out);
    worst(&scene, 0, 1, eps, out, &pull, &value);
    assert_true(pull < 2e-5);
    assert_true(value < 2e-6);
}

TEST(bodies_pull_bodies)
{
    for_all(check_pull);
}

TESTS(NULL, NULL)
