/* The launchers of kernels/pairs/cuda/ on the host: forces by the CPU's kernels, which give the
 * same bits in `exact`, and what a solver does to its state, rounded one by one as there. */
#include "tests/support/cuda/fake_device.h"
#include "kernels/pairs/force_cpu.h"
#include "kernels/pairs/cuda/pairs.h"
#include "kernels/exact_tree/cuda/exact_tree_cuda.h"
#include "kernels/steps/device_state.h"
#include "kernels/tensor/tensor.h"
#include "kernels/tree/cuda/neighbours.h"
#include "kernels/tree/cuda/tree_cuda.h"
#include "sim/solver/tiles.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/ranks/stretch_device.h"
#include "sim/solver/solver.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef const struct fake_launch *launch;
typedef const float (*float_rows)[4];
typedef const double (*double_rows)[4];

static const struct force_cpu *cpu(void)
{
    return force_cpu_find("auto");
}

/* Ranks have no such device. */
enum status stretch_device_open(struct stretch_device **out, int number, size_t total, bool mixed)
{
    (void)total;
    (void)mixed;
    *out = NULL;
    return status_fail(STATUS_DEVICE, "device %d has no trees of ranks", number);
}

/* ---- the fast force of all bodies ---- */

int force_cuda_supported(void)
{
    return 0;
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes);
    fake_device_insist(memory, "no memory");
    return memory;
}

/* Numbers of rows to those of bodies; frees them. */
static void scatter(const unsigned *order, size_t count, size_t numbers, double *rows, double *out)
{
    for (size_t k = 0; k < count; k++)
        memcpy(out + numbers * (order ? order[k] : k), rows + numbers * k, numbers * sizeof *out);
    free(rows);
}

static float tile_mass(const struct force_cuda_plan *plan, float_rows rows, unsigned tile)
{
    float_rows first = rows + (size_t)tile * plan->tile;
    for (unsigned i = 1; i < plan->tile; i++)
        if (first[i][3] != first[0][3])
            return -1;
    return first[0][3];
}

static void tile_masses(launch l)
{
    float *out = l->to[0];
    for (unsigned t = 0; t < l->plan.tiles; t++)
        out[t] = tile_mass(&l->plan, l->from[0], t);
}

int force_cuda_tile_masses(const struct force_cuda_plan *plan, const float *rows, float *masses,
                           void *stream)
{
    return fake_device_launch(
        stream,
        &(struct fake_launch){.run = tile_masses, .plan = *plan, .from = {rows}, .to = {masses}});
}

static void fast(launch l)
{
    float_rows rows = l->from[0];
    const float *masses = l->from[1];
    const struct force_cuda_plan *plan = &l->plan;
    memset(l->to[1], 0xff, plan->slot_bytes);
    for (unsigned t = 0; plan->scheme == FORCE_CUDA_PAIRS && t < plan->tiles; t++)
        fake_device_insist(masses[t] == tile_mass(plan, rows, t), "the mass of a tile");
    fake_device_insist(plan->scheme != FORCE_CUDA_PAIRS ||
                           plan->equal_tiles + plan->mixed_tiles > 0,
                       "tiles that nobody counted");
    double(*by_row)[3] = room(plan->count * sizeof *by_row);
    cpu()->fast(plan->count, rows, (float)l->value[0], l->from[2], by_row);
    scatter(l->from[3], plan->count, 3, by_row[0], l->to[0]);
}

int force_cuda_accelerate(const struct force_cuda_plan *plan, const float *rows,
                          const float *masses, float softening, const struct force_tiles *tiles,
                          float *slots, double *acceleration, void *stream)
{
    return fake_device_launch(
        stream, &(struct fake_launch){.run = fast,
                                      .plan = *plan,
                                      .value = {(double)softening},
                                      .from = {rows, masses, tiles->centres, tiles->order},
                                      .to = {acceleration, slots}});
}

static void fast_potential(launch l)
{
    double *by_row = room(l->count * sizeof *by_row);
    cpu()->fast_potential(l->count, l->from[0], 0, l->count, (float)l->value[0], l->from[1],
                          by_row);
    scatter(l->from[2], l->count, 1, by_row, l->to[0]);
}

int force_cuda_potential(size_t count, const float *rows, float softening,
                         const struct force_tiles *tiles, double *out, void *stream)
{
    return fake_device_launch(stream,
                              &(struct fake_launch){.run = fast_potential,
                                                    .count = count,
                                                    .value = {(double)softening},
                                                    .from = {rows, tiles->centres, tiles->order},
                                                    .to = {out}});
}

/* ---- direct ---- */

/* With splines the other number is NaN, because no softening is given. */
static const struct force_cpu *cpu_of(launch l)
{
    return isnan(l->value[0]) ? cpu()->spline : cpu();
}

static int direct(void (*run)(launch), const struct force_direct_plan *plan, const void *target,
                  const void *source, double softening, const void *target_halves,
                  const void *source_halves, const struct force_tiles *tiles, double *slots,
                  double *acceleration, void *stream)
{
    return fake_device_launch(
        stream, &(struct fake_launch){.run = run,
                                      .direct = *plan,
                                      .value = {softening},
                                      .from = {target, source, target_halves, source_halves,
                                               tiles->centres, tiles->from_centres, tiles->order},
                                      .to = {acceleration, slots}});
}

static void exact(launch l)
{
    const struct force_direct_plan *plan = &l->direct;
    double(*by_row)[3] = room(plan->targets * sizeof *by_row);
    memset(l->to[1], 0xff, plan->slot_bytes);
    cpu_of(l)->exact(plan->targets, l->from[0], plan->sources, l->from[1], (float)l->value[0],
                     l->from[2], l->from[3], l->from[4], l->from[5], by_row);
    scatter(l->from[6], plan->targets, 3, by_row[0], l->to[0]);
}

static void quick(launch l)
{
    const struct force_direct_plan *plan = &l->direct;
    double(*by_row)[3] = room(plan->targets * sizeof *by_row);
    memset(l->to[1], 0xff, plan->slot_bytes);
    cpu_of(l)->quick(plan->targets, l->from[0], plan->sources, l->from[1], (float)l->value[0],
                     l->from[2], l->from[3], l->from[4], l->from[5], by_row);
    scatter(l->from[6], plan->targets, 3, by_row[0], l->to[0]);
}

static void in_double(launch l)
{
    const struct force_direct_plan *plan = &l->direct;
    memset(l->to[1], 0xff, plan->slot_bytes);
    cpu_of(l)->in_double(plan->targets, l->from[0], plan->sources, l->from[1], l->value[0],
                         l->from[2], l->from[3], l->to[0]);
}

int force_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, const struct force_tiles *tiles,
                           double *slots, double *acceleration, void *stream)
{
    return direct(exact, plan, target, source, (double)softening, target_halves, source_halves,
                  tiles, slots, acceleration, stream);
}

int force_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, const struct force_tiles *tiles,
                           double *slots, double *acceleration, void *stream)
{
    return direct(quick, plan, target, source, (double)softening, target_halves, source_halves,
                  tiles, slots, acceleration, stream);
}

int force_double_accelerate(const struct force_direct_plan *plan, const double *target,
                            const double *source, double softening, const double *target_halves,
                            const double *source_halves, double *slots, double *acceleration,
                            void *stream)
{
    const struct force_tiles none = {0};
    return direct(in_double, plan, target, source, softening, target_halves, source_halves, &none,
                  slots, acceleration, stream);
}

int force_spline_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream)
{
    return direct(exact, plan, target, source, NAN, target_halves, source_halves, tiles, slots,
                  acceleration, stream);
}

int force_spline_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream)
{
    return direct(quick, plan, target, source, NAN, target_halves, source_halves, tiles, slots,
                  acceleration, stream);
}

int force_spline_double_accelerate(const struct force_direct_plan *plan, const double *target,
                                   const double *source, const double *target_halves,
                                   const double *source_halves, double *slots, double *acceleration,
                                   void *stream)
{
    const struct force_tiles none = {0};
    return direct(in_double, plan, target, source, NAN, target_halves, source_halves, &none, slots,
                  acceleration, stream);
}

static void exact_potential(launch l)
{
    double *by_row = room(l->count * sizeof *by_row);
    cpu_of(l)->exact_potential(l->count, l->from[0], 0, l->count, (float)l->value[0], l->from[1],
                               l->from[2], by_row);
    scatter(l->from[3], l->count, 1, by_row, l->to[0]);
}

static void double_potential(launch l)
{
    cpu_of(l)->double_potential(l->count, l->from[0], 0, l->count, l->value[0], l->from[1],
                                l->to[0]);
}

int force_exact_potential(size_t count, const float *rows, float softening, const float *halves,
                          const struct force_tiles *tiles, double *out, void *stream)
{
    return fake_device_launch(
        stream, &(struct fake_launch){.run = exact_potential,
                                      .count = count,
                                      .value = {(double)softening},
                                      .from = {rows, halves, tiles->centres, tiles->order},
                                      .to = {out}});
}

int force_double_potential(size_t count, const double *rows, double softening, const double *halves,
                           double *out, void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = double_potential,
                                                            .count = count,
                                                            .value = {softening},
                                                            .from = {rows, halves},
                                                            .to = {out}});
}

int force_spline_exact_potential(size_t count, const float *rows, const float *halves,
                                 const struct force_tiles *tiles, double *out, void *stream)
{
    return force_exact_potential(count, rows, NAN, halves, tiles, out, stream);
}

int force_spline_double_potential(size_t count, const double *rows, const double *halves,
                                  double *out, void *stream)
{
    return force_double_potential(count, rows, NAN, halves, out, stream);
}

/* ---- the tree: direct sums ---- */

int tree_cuda_plan(size_t bodies, double error, int order, bool mixed, bool spline,
                   int multiprocessors, struct tree_cuda_plan *plan)
{
    fake_device_insist(error > 0 && (order == 4 || order == 5) && multiprocessors > 0,
                       "what a tree is planned for");
    *plan = (struct tree_cuda_plan){.bodies = bodies,
                                    .order = order,
                                    .mixed = mixed,
                                    .spline = spline,
                                    .bytes = bodies * sizeof(double[5]),
                                    .spare = bodies * sizeof(double[4])};
    return 0;
}

static void tree(launch l)
{
    const uint8_t *rungs = l->from[2];
    double(*out)[3] = l->to[0], (*all)[3] = calloc(l->count, sizeof *all);
    fake_device_insist(all != NULL, "no memory");
    cpu_of(l)->in_double(l->count, l->from[0], l->count, l->from[0], l->value[0], l->from[1],
                         l->from[1], all);
    for (size_t i = 0; i < l->count; i++)
        if (!rungs || rungs[i] >= l->size[0])
            memcpy(out[i], all[i], sizeof all[i]);
    free(all);
}

int tree_cuda_accelerate(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                         const double *rows, const double *halves, double softening,
                         struct tree_cuda_sinks sinks, bool known, void *work, double *acceleration,
                         void *stream)
{
    (void)known;
    fake_device_insist(work != NULL && rule->share > 0 && plan->mixed == (halves != NULL),
                       "what a tree works with");
    return fake_device_launch(stream,
                              &(struct fake_launch){.run = tree,
                                                    .count = plan->bodies,
                                                    .size = {(size_t)sinks.from},
                                                    .value = {plan->spline ? NAN : softening},
                                                    .from = {rows, halves, sinks.rungs},
                                                    .to = {acceleration}});
}

int tree_cuda_potential(const struct tree_cuda_plan *plan, const struct tree_cuda_rule *rule,
                        const double *rows, const double *halves, double softening, void *work,
                        double *out, void *stream)
{
    fake_device_insist(work == out && rule->opening > 0, "where a potential goes");
    return force_double_potential(plan->bodies, rows, plan->spline ? NAN : softening, halves, out,
                                  stream);
}

int tree_cuda_last(const struct tree_cuda_plan *plan, const void *work, struct tree_cuda_work *out,
                   void *stream)
{
    (void)work;
    (void)stream;
    *out = (struct tree_cuda_work){.pairs = (unsigned long long)plan->bodies * plan->bodies};
    return 0;
}

int tensor_cuda_runs(int device)
{
    return device == 0 ? 0 : 1;
}

int tensor_cuda_plan(size_t bodies, struct tensor_cuda_plan *plan)
{
    tensor_plan_tiles(bodies, plan);
    plan->bytes = bodies * sizeof(double);
    return 0;
}

int tensor_cuda_prepare(const struct tensor_cuda_plan *plan, const double *rows, double heavy,
                        void *work, void *stream)
{
    (void)stream;
    fake_device_insist(plan->rows >= plan->bodies && rows && heavy > 0 && work,
                       "what masses are weighed with");
    memcpy(work, rows, sizeof *rows);
    return 0;
}

int tensor_cuda_accelerate(const struct tensor_cuda_plan *plan, const double *rows,
                           double softening, const double *halves, bool spline, void *work,
                           double *acceleration, void *stream)
{
    fake_device_insist(work != NULL && softening > 0 && (halves || !spline),
                       "what matrix units work with");
    return fake_device_launch(stream, &(struct fake_launch){.run = tree,
                                                            .count = plan->bodies,
                                                            .value = {spline ? NAN : softening},
                                                            .from = {rows, halves},
                                                            .to = {acceleration}});
}

int exact_tree_cuda_plan(size_t bodies, bool mixed, int multiprocessors,
                         struct exact_tree_cuda_plan *plan)
{
    fake_device_insist(multiprocessors > 0, "what an exact tree is planned for");
    *plan = (struct exact_tree_cuda_plan){
        .bodies = bodies, .mixed = mixed, .bytes = bodies * sizeof(double)};
    return 0;
}

int exact_tree_cuda_accelerate(const struct exact_tree_cuda_plan *plan,
                               const struct exact_tree_rule *first,
                               const struct exact_tree_rule *rule, const double *rows,
                               const double *halves, double softening, void *work,
                               double *acceleration, void *stream)
{
    fake_device_insist(work != NULL && isinf(first->hold) && rule->hold > 0 && rule->hold < 1 &&
                           plan->mixed == (halves != NULL),
                       "what an exact tree works with");
    return fake_device_launch(stream, &(struct fake_launch){.run = tree,
                                                            .count = plan->bodies,
                                                            .value = {softening},
                                                            .from = {rows, halves},
                                                            .to = {acceleration}});
}

int exact_tree_cuda_potential(const struct exact_tree_cuda_plan *plan,
                              const struct exact_tree_rule *rule, const double *rows,
                              const double *halves, double softening, void *work, double *out,
                              void *stream)
{
    fake_device_insist(work == out && rule->reach2 > 0 && rule->reach2 < 1,
                       "where an exact potential goes");
    return force_double_potential(plan->bodies, rows, softening, halves, out, stream);
}

int exact_tree_cuda_last(const struct exact_tree_cuda_plan *plan, const void *work,
                         struct exact_tree_cuda_work *out, void *stream)
{
    (void)work;
    (void)stream;
    *out = (struct exact_tree_cuda_work){.pairs = (unsigned long long)plan->bodies * plan->bodies};
    return 0;
}

/* ---- neighbours, by the CPU's tree ---- */

int neighbours_cuda_plan(size_t bodies, unsigned k, struct neighbours_cuda_plan *plan)
{
    fake_device_insist(bodies > 0 && k > 0 && k <= NEIGHBOURS_MOST, "whose neighbours are planned");
    *plan = (struct neighbours_cuda_plan){
        .bodies = bodies, .k = k, .bytes = bodies * sizeof(double[4])};
    return 0;
}

static void near(launch l)
{
    const double *position = l->from[0];
    const unsigned *of = l->from[1];
    float *distance = l->to[0];
    double(*rows)[4] = calloc(l->count, sizeof *rows);
    float *found = malloc(l->count * sizeof *found);
    struct neighbours *neighbours;
    fake_device_insist(rows && found, "there is memory");
    for (size_t i = 0; i < l->count; i++)
        memcpy(rows[i], position + 3 * (of ? of[i] : i), 3 * sizeof *position);
    for (size_t i = 0; i < l->number; i++)
        distance[i] = INFINITY;
    fake_device_insist(neighbours_open(&neighbours, l->count, (unsigned)l->size[0]) == STATUS_OK &&
                           neighbours_find(neighbours, (double_rows)rows, 1, found, NULL) ==
                               STATUS_OK,
                       "neighbours are found");
    for (size_t i = 0; i < l->count; i++)
        distance[of ? of[i] : i] = found[i];
    neighbours_close(&neighbours);
    memcpy(l->to[1], rows, l->count * sizeof *rows); /* for the dispersion */
    free(found);
    free(rows);
}

int neighbours_cuda_find(const struct neighbours_cuda_plan *plan, size_t count,
                         const double *position, const unsigned *of, float *last, void *work,
                         float *distance, void *stream)
{
    fake_device_insist(last != NULL && work != NULL && plan->bodies <= count,
                       "where neighbours are found");
    return fake_device_launch(stream, &(struct fake_launch){.run = near,
                                                            .count = plan->bodies,
                                                            .number = count,
                                                            .size = {plan->k},
                                                            .from = {position, of},
                                                            .to = {distance, work}});
}

static void spread(launch l)
{
    const float *velocity = l->from[0], *distance = l->from[2];
    const unsigned *of = l->from[1];
    const double(*at)[4] = l->from[3];
    float *dispersion = l->to[0];
    float *own = malloc(l->count * sizeof *own), *again = malloc(l->count * sizeof *again);
    struct neighbours *neighbours;
    fake_device_insist(own && again, "there is memory");
    for (size_t i = 0; i < l->count; i++)
        own[i] = distance[of ? of[i] : i];
    memset(dispersion, 0, l->number * sizeof *dispersion);
    fake_device_insist(neighbours_open(&neighbours, l->count, (unsigned)l->size[0]) == STATUS_OK &&
                           neighbours_find(neighbours, at, 1, again, NULL) == STATUS_OK,
                       "neighbours are found");
    neighbours_dispersion(neighbours, (const float(*)[4])velocity, of, 1, own, dispersion);
    neighbours_close(&neighbours);
    free(again);
    free(own);
}

int neighbours_cuda_dispersion(const struct neighbours_cuda_plan *plan, size_t count,
                               const float *velocity, const unsigned *of, void *work,
                               const float *distance, float *dispersion, void *stream)
{
    fake_device_insist(work != NULL && plan->bodies <= count, "where velocities are spread");
    return fake_device_launch(stream, &(struct fake_launch){.run = spread,
                                                            .count = plan->bodies,
                                                            .number = count,
                                                            .size = {plan->k},
                                                            .from = {velocity, of, distance, work},
                                                            .to = {dispersion}});
}

/* Bodies of a part from last to first. */
static void order(launch l)
{
    const unsigned *of = l->from[0], *starts = l->from[1];
    const float(*position)[4] = l->from[2], (*velocity)[4] = l->from[3], *distance = l->from[4];
    float(*position_along)[4] = l->to[1], (*velocity_along)[4] = l->to[2];
    float *distance_along = l->to[3];
    unsigned *to = l->to[0];
    for (size_t i = 0, end; i < l->count; i = end) {
        size_t part = l->number;
        while (starts[part - 1] > (of ? of[i] : i))
            part--;
        for (end = i; end < l->count && (part == l->number || (of ? of[end] : end) < starts[part]);)
            end++;
        for (size_t k = i; k < end; k++) {
            const size_t place = of ? of[k] : k;
            const size_t body = of ? of[end - 1 - (k - i)] : end - 1 - (k - i);
            to[place] = (unsigned)body;
            memcpy(position_along[place], position[body], sizeof *position);
            memcpy(velocity_along[place], velocity[body], sizeof *velocity);
            distance_along[place] = distance[body];
        }
    }
}

int neighbours_cuda_order(const struct neighbours_cuda_plan *plan, const unsigned *of,
                          const unsigned *starts, unsigned parts, void *work,
                          const struct neighbours_cuda_rows *rows, unsigned *to,
                          const struct neighbours_cuda_rows *along, void *stream)
{
    fake_device_insist(work != NULL && parts > 0 && parts <= NEIGHBOURS_CUDA_PARTS,
                       "what is ordered");
    return fake_device_launch(
        stream,
        &(struct fake_launch){.run = order,
                              .count = plan->bodies,
                              .number = parts,
                              .from = {of, starts, rows->position, rows->velocity, rows->distance},
                              .to = {to, along->position, along->velocity, along->distance}});
}

/* ---- state ---- */

static double moved(double from, double rate, double dt)
{
    double way = rate * dt;
    return dt == 0 ? from : from + way;
}

static double square(const double a[3])
{
    double x = a[0] * a[0], y = a[1] * a[1], z = a[2] * a[2];
    return x + y + z;
}

static double get(const void *numbers, size_t number, size_t i)
{
    fake_device_insist(number == sizeof(float) || number == sizeof(double), "no such number");
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

static void kick(launch l)
{
    double *velocity = l->to[0];
    const double *acceleration = l->from[0];
    for (size_t k = 0; k < 3 * l->count; k++)
        velocity[k] = moved(velocity[k], acceleration[k], l->value[0]);
}

int state_cuda_kick(size_t count, double *velocity, const double *acceleration, double dt,
                    void *stream)
{
    return fake_device_launch(
        stream,
        &(struct fake_launch){
            .run = kick, .count = count, .value = {dt}, .from = {acceleration}, .to = {velocity}});
}

static void damp(launch l)
{
    double *velocity = l->to[0];
    for (size_t k = 0; k < 3 * l->count; k++)
        velocity[k] *= l->value[0];
}

int state_cuda_damp(size_t count, double *velocity, double factor, void *stream)
{
    return fake_device_launch(
        stream,
        &(struct fake_launch){.run = damp, .count = count, .value = {factor}, .to = {velocity}});
}

static void move_number(launch l, size_t k)
{
    double *position = l->to[0], *velocity = l->to[1];
    const double *acceleration = l->from[0];
    velocity[k] = moved(velocity[k], acceleration[k], l->value[0]);
    velocity[k] = moved(velocity[k], acceleration[k], l->value[1]);
    position[k] = moved(position[k], velocity[k], l->value[2]);
}

static void drift(launch l)
{
    const double *position = l->to[0];
    for (size_t k = 0; k < 3 * l->count; k++) {
        move_number(l, k);
        set(l->to[2], l->number, 4 * (k / 3) + k % 3, position[k]);
    }
}

int state_cuda_drift(size_t count, double *position, double *velocity, const double *acceleration,
                     double first, double second, double dt, size_t number, void *rows,
                     void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = drift,
                                                            .count = count,
                                                            .number = number,
                                                            .value = {first, second, dt},
                                                            .from = {acceleration},
                                                            .to = {position, velocity, rows}});
}

static void drift_tiled(launch l)
{
    const unsigned *order = l->from[1];
    const uint8_t(*chosen)[FORCE_CHOSEN] = l->from[2];
    const double(*position)[3] = l->to[0];
    double(*centres)[3] = l->to[3];
    float(*rows)[4] = l->to[2];
    for (size_t k = 0; k < 3 * l->count; k++)
        move_number(l, k);
    for (size_t first = 0; first < l->count; first += FORCE_TILE) {
        size_t left = l->count - first, count = left < FORCE_TILE ? left : FORCE_TILE;
        double *centre = centres[first / FORCE_TILE];
        tiles_centre(order + first, chosen[first / FORCE_TILE], position, centre);
        for (size_t k = first; k < first + count; k++)
            for (int c = 0; c < 3; c++)
                rows[k][c] = (float)(position[order[k]][c] - centre[c]);
    }
}

int state_cuda_drift_tiled(size_t count, const unsigned char *chosen, double *position,
                           double *velocity, const double *acceleration, double kick,
                           double second_kick, double dt, const unsigned *order, double *centres,
                           float *rows, void *stream)
{
    return fake_device_launch(stream,
                              &(struct fake_launch){.run = drift_tiled,
                                                    .count = count,
                                                    .value = {kick, second_kick, dt},
                                                    .from = {acceleration, order, chosen},
                                                    .to = {position, velocity, rows, centres}});
}

static void part_tiled(launch l)
{
    const size_t first = l->size[0], subset = l->size[1];
    const size_t sources = (l->count + subset - 1) / subset;
    const float(*rows)[4] = l->from[0];
    const double(*centres)[3] = l->from[1];
    float(*part)[4] = l->to[0];
    double(*part_centres)[3] = l->to[1];
    for (size_t s = 0; s < sources; s++) {
        size_t j = first + s * subset, p = s / FORCE_TILE;
        memcpy(part_centres[p], centres[tiles_of_part(tiles_for(l->count), subset, p)],
               sizeof *part_centres);
        float shift[3];
        force_shift(centres, (j < l->count ? j : 0) / FORCE_TILE, (force_centres)part_centres, p,
                    shift);
        for (int c = 0; c < 3; c++)
            part[s][c] = j < l->count ? rows[j][c] - shift[c] : 0;
        part[s][3] = j < l->count ? (float)subset * rows[j][3] : 0;
    }
}

int state_cuda_part_tiled(size_t count, const float *rows, const double *centres, size_t first,
                          size_t subset, float *to, double *part_centres, void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = part_tiled,
                                                            .count = count,
                                                            .size = {first, subset},
                                                            .from = {rows, centres},
                                                            .to = {to, part_centres}});
}

static void part(launch l)
{
    const size_t first = l->size[0], subset = l->size[1];
    for (size_t k = 0; k < 4 * ((l->count + subset - 1) / subset); k++) {
        size_t j = first + k / 4 * subset;
        double value = j < l->count ? get(l->from[0], l->number, 4 * j + k % 4) : 0;
        set(l->to[0], l->number, k, k % 4 == 3 ? (double)subset * value : value);
    }
}

static void part_halves(launch l)
{
    const size_t first = l->size[0], subset = l->size[1];
    for (size_t j = first; j < l->count; j += subset)
        set(l->to[0], l->number, (j - first) / subset, get(l->from[0], l->number, j));
}

static int launch_part(void (*run)(launch), size_t count, size_t number, const void *from,
                       size_t first, size_t subset, void *to, void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = run,
                                                            .count = count,
                                                            .number = number,
                                                            .size = {first, subset},
                                                            .from = {from},
                                                            .to = {to}});
}

int state_cuda_part(size_t count, size_t number, const void *rows, size_t first, size_t subset,
                    void *to, void *stream)
{
    return launch_part(part, count, number, rows, first, subset, to, stream);
}

int state_cuda_part_halves(size_t count, size_t number, const void *halves, size_t first,
                           size_t subset, void *to, void *stream)
{
    return launch_part(part_halves, count, number, halves, first, subset, to, stream);
}

static void largest(launch l)
{
    const double(*acceleration)[3] = l->from[0];
    double *out = l->to[0];
    *out = 0;
    for (size_t i = 0; i < l->count; i++)
        *out = fmax(*out, square(acceleration[i]));
}

int state_cuda_largest(size_t count, const double *acceleration, double *out, void *stream)
{
    return fake_device_launch(
        stream,
        &(struct fake_launch){.run = largest, .count = count, .from = {acceleration}, .to = {out}});
}

static void view(launch l)
{
    float *at = l->to[0], *out = l->to[1], *size = l->to[2];
    const unsigned *order = l->from[1];
    const double(*position)[3] = l->from[2], (*velocity)[3] = l->from[3];
    const double(*acceleration)[3] = l->from[4];
    for (size_t k = 0; k < l->count; k++) {
        const size_t i = order ? order[k] : k;
        for (size_t c = 0; c < 3; c++) {
            at[4 * i + c] = (float)position[i][c];
            out[4 * i + c] = (float)velocity[i][c];
        }
        at[4 * i + 3] = (float)get(l->from[0], l->number, 4 * k + 3);
        out[4 * i + 3] = 0;
        if (size)
            size[i] = (float)sqrt(square(acceleration[i]));
    }
}

int state_cuda_view(size_t count, size_t number, const void *rows, const unsigned *order,
                    const double *position, const double *velocity, const double *acceleration,
                    float *view_position, float *view_velocity, float *view_acceleration,
                    void *stream)
{
    return fake_device_launch(
        stream, &(struct fake_launch){.run = view,
                                      .count = count,
                                      .number = number,
                                      .from = {rows, order, position, velocity, acceleration},
                                      .to = {view_position, view_velocity, view_acceleration}});
}

static void sample(launch l)
{
    const size_t stride = l->size[0];
    const float(*rows)[4] = l->from[0];
    float(*out)[4] = l->to[0];
    for (size_t i = 0; i < l->count; i += stride)
        memcpy(out[i / stride], rows[i], sizeof *out);
}

int state_cuda_sample(size_t count, size_t stride, const float *view_position, float *out,
                      void *stream)
{
    return launch_part(sample, count, 0, view_position, stride, 0, out, stream);
}

static void pick(launch l)
{
    const uint64_t *numbers = l->from[0];
    const float(*position)[4] = l->from[1], (*velocity)[4] = l->from[2];
    float(*rows)[8] = l->to[0];
    for (size_t i = 0; i < l->count; i++) {
        memcpy(rows[i], position[numbers[i]], sizeof *position);
        memcpy(rows[i] + 4, velocity[numbers[i]], sizeof *velocity);
    }
}

int state_cuda_pick(size_t count, const uint64_t *numbers, const float *view_position,
                    const float *view_velocity, float *rows, void *stream)
{
    return fake_device_launch(stream,
                              &(struct fake_launch){.run = pick,
                                                    .count = count,
                                                    .from = {numbers, view_position, view_velocity},
                                                    .to = {rows}});
}

static void find_broken(launch l)
{
    const double *position = l->from[0], *velocity = l->from[1];
    unsigned *body = l->to[0];
    *body = UINT_MAX;
    for (size_t k = 3 * l->count; k-- > 0;)
        if (!isfinite(position[k]) || !isfinite(velocity[k]))
            *body = (unsigned)(k / 3);
}

int state_cuda_find_broken(size_t count, const double *position, const double *velocity,
                           unsigned *body, void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = find_broken,
                                                            .count = count,
                                                            .from = {position, velocity},
                                                            .to = {body}});
}

/* ---- steps per body ---- */

static void choose_rungs(launch l)
{
    const double(*acceleration)[3] = l->from[0], *halves = l->from[1];
    const struct rung_rule rule = {.eta = l->value[0], .frame_time = l->value[1]};
    uint8_t *rungs = l->to[0];
    uint64_t *counts = l->to[1];
    memset(counts, 0, (RUNGS + 1) * sizeof *counts);
    for (size_t i = 0; i < l->count; i++) {
        const double eps = halves ? sqrt(2 * halves[i]) : l->value[2];
        if (rungs[i] < l->size[0])
            continue;
        int rung = rung_for(&rule, eps, sqrt(square(acceleration[i])));
        rungs[i] = (uint8_t)(rung > (int)l->size[0] ? rung : (int)l->size[0]);
        counts[rungs[i]]++;
    }
}

int rungs_cuda_choose(size_t count, const struct rungs_cuda_rule *rule, const double *acceleration,
                      const double *halves, int from, uint8_t *rungs, uint64_t *counts,
                      void *stream)
{
    fake_device_insist(rule->most == RUNGS && rule->most <= RUNGS_CUDA_MOST,
                       "how many rungs there are");
    return fake_device_launch(
        stream, &(struct fake_launch){.run = choose_rungs,
                                      .count = count,
                                      .size = {(size_t)from},
                                      .value = {rule->eta, rule->frame_time, rule->softening},
                                      .from = {acceleration, halves},
                                      .to = {rungs, counts}});
}

static void kick_half(launch l)
{
    double(*velocity)[3] = l->to[0];
    const double(*acceleration)[3] = l->from[0];
    const uint8_t *rungs = l->from[1];
    for (size_t i = 0; i < l->count; i++)
        for (int c = 0; rungs[i] >= l->size[0] && c < 3; c++)
            velocity[i][c] =
                moved(velocity[i][c], acceleration[i][c], ldexp(l->value[0], -rungs[i]) / 2);
}

int rungs_cuda_kick_half(size_t count, double *velocity, const double *acceleration,
                         double frame_time, const uint8_t *rungs, int from, void *stream)
{
    return fake_device_launch(stream, &(struct fake_launch){.run = kick_half,
                                                            .count = count,
                                                            .size = {(size_t)from},
                                                            .value = {frame_time},
                                                            .from = {acceleration, rungs},
                                                            .to = {velocity}});
}
