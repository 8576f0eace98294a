#include "cmd/bench/bed.h"

#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "sim/models/models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TARGETS_MAX = 2048 };

static const double SOFTENING = 0.01;

struct bench_bed {
    const struct bench_options *options;
    size_t count;
    struct bodies *bodies;       /* on ranks, rank 0 has all */
    struct bench_device *device; /* not owned; NULL without CUDA */
    size_t padded, targets;
    size_t *which;     /* [targets], the last body among them */
    double (*want)[3]; /* [targets] */
    float *arrays;     /* LADDER_MEMORY of them, [padded] each */
    struct ladder_bodies host, on_device;
};

static enum status no_memory(size_t count)
{
    return status_fail(STATUS_RUNTIME, "%zu bodies do not fit in memory; ask for fewer with -n",
                       count);
}

void bench_bed_close(struct bench_bed **bed)
{
    if (!*bed)
        return;
    if ((*bed)->device)
        bench_device_clear((*bed)->device);
    bodies_destroy(&(*bed)->bodies);
    free((*bed)->which);
    free((*bed)->want);
    free((*bed)->arrays);
    free(*bed);
    *bed = NULL;
}

static enum status fill_device(struct bench_bed *bed)
{
    size_t array = bed->padded * sizeof *bed->arrays;
    void *memory = NULL;
    bench_device_clear(bed->device);
    enum status status = bench_device_alloc(bed->device, LADDER_MEMORY * array, &memory);
    if (status == STATUS_OK)
        status = bench_device_upload(bed->device, memory, bed->arrays, LADDER_INPUT * array);
    if (status == STATUS_OK)
        bed->on_device = ladder_lay_out(memory, bed->bodies->count, (float)SOFTENING);
    return status;
}

static enum status make_bodies(struct bench_bed *bed, size_t count, bool equal)
{
    struct bodies_params params = {
        .model = &model_plummer,
        .file = "",
        .count = count,
        .seed = 1,
        .use = "all",
        .position_scale = 1,
        .velocity_scale = 1,
        .mass_scale = 1,
        .divide = ranks_are_together() ? DIVIDE_FIRST : DIVIDE_NOT,
    };
    enum status status = bodies_make(&params, &bed->bodies);
    for (size_t i = 0; status == STATUS_OK && !equal && i < bed->bodies->count; i++)
        bed->bodies->mass[i] *= 0.75 + 0.5 * (double)(i * 7 % 11) / 10;
    return status;
}

/* Computes what the accelerations of some bodies must be, and lays out the memory of kernels. */
static enum status make_reference(struct bench_bed *bed)
{
    const size_t count = bed->count;
    bed->padded = ladder_rows(count);
    bed->targets = count < TARGETS_MAX ? count : TARGETS_MAX;
    bed->which = memory_new(bed->targets, sizeof *bed->which);
    bed->want = memory_new(bed->targets, sizeof *bed->want);
    bed->arrays = aligned_alloc(64, LADDER_MEMORY * bed->padded * sizeof *bed->arrays);
    if (!bed->arrays)
        return no_memory(count);
    for (size_t k = 0; k < bed->targets; k++)
        bed->which[k] = bed->targets > 1 ? k * (count - 1) / (bed->targets - 1) : 0;
    ladder_fill(bed->arrays, count, bed->bodies->mass, (const double(*)[3])bed->bodies->position);
    bed->host = ladder_lay_out(bed->arrays, count, (float)SOFTENING);
    ladder_reference(count, bed->bodies->mass, (const double(*)[3])bed->bodies->position, SOFTENING,
                     bed->targets, bed->which, bed->want);
    return bed->device ? fill_device(bed) : STATUS_OK;
}

enum status bench_bed_open(struct bench_bed **out, const struct bench_options *options,
                           size_t count, bool equal, struct bench_device *device)
{
    struct bench_bed *bed = memory_new(1, sizeof *bed);
    bed->options = options;
    bed->count = count;
    bed->device = device;
    enum status status = make_bodies(bed, count, equal);
    if (ranks_begin_first() && status == STATUS_OK)
        status = make_reference(bed);
    status = ranks_end_first(status);
    if (status != STATUS_OK)
        bench_bed_close(&bed);
    *out = bed;
    return status;
}

/* ---- right or wrong ---- */

struct sums {
    double error, size;
};

static void compare(struct sums *sums, const double want[3], double x, double y, double z)
{
    const double got[3] = {x, y, z};
    for (int c = 0; c < 3; c++) {
        sums->error += (got[c] - want[c]) * (got[c] - want[c]);
        sums->size += want[c] * want[c];
    }
}

static enum status judge(const struct sums *sums, double most, double *error)
{
    *error = sums->error == 0 ? 0 : sqrt(sums->error / sums->size);
    if (*error <= most)
        return STATUS_OK;
    return status_fail(STATUS_RUNTIME, "relative error %.2g against double, above %.2g", *error,
                       most);
}

/* ---- kernels ---- */

struct work {
    const struct ladder_rung *kernel;
    const struct ladder_bodies *bodies;
};

static int launch_device(void *user, void *stream)
{
    const struct work *work = user;
    return work->kernel->launch(work->bodies, stream);
}

static void launch_host(void *user)
{
    (void)launch_device(user, NULL);
}

static enum status check_kernel(struct bench_bed *bed, struct work *work, double *error)
{
    float *got = bed->host.acceleration;
    size_t bytes = 4 * bed->padded * sizeof *got;
    enum status status = STATUS_OK;
    /* The previous kernel's results must not count as this kernel's results. */
    memset(got, 0xff, bytes);
    if (work->kernel->cuda) {
        status = bench_device_upload(bed->device, work->bodies->acceleration, got, bytes);
        if (status == STATUS_OK)
            status = bench_device_launch(bed->device, launch_device, work);
        if (status == STATUS_OK)
            status = bench_device_download(bed->device, got, work->bodies->acceleration, bytes);
    } else {
        launch_host(work);
    }
    if (status != STATUS_OK)
        return status;
    struct sums sums = {0, 0};
    for (size_t k = 0; k < bed->targets; k++) {
        const float *a = got + 4 * bed->which[k];
        compare(&sums, bed->want[k], (double)a[0], (double)a[1], (double)a[2]);
    }
    return judge(&sums, BENCH_ERROR_MAX, error);
}

enum status bench_bed_kernel(struct bench_bed *bed, const struct ladder_rung *kernel,
                             struct bench_outcome *outcome)
{
    struct work work = {kernel, kernel->cuda ? &bed->on_device : &bed->host};
    double count = (double)bed->bodies->count;
    *outcome = (struct bench_outcome){0};
    if (kernel->usable && !kernel->usable())
        return status_fail(STATUS_RUNTIME, "this processor cannot run it");
    if (kernel->cuda && !bed->device)
        return status_fail(STATUS_RUNTIME, "there is no CUDA device");
    enum status status = check_kernel(bed, &work, &outcome->error);
    if (status == STATUS_OK)
        status = kernel->cuda
                     ? bench_device_median(bed->device, bed->options, launch_device, &work,
                                           &outcome->seconds)
                     : bench_median_cpu(bed->options, launch_host, &work, &outcome->seconds);
    if (status == STATUS_OK && outcome->seconds > 0)
        outcome->rate = count * count / outcome->seconds;
    return status;
}

/* ---- solvers ---- */

/* A step of forces alone, repeated like a run: CUDA replays recorded launches. */
static enum status forces_alone(struct solver *solver, double dt, double damping)
{
    (void)dt, (void)damping;
    return solver->ops->accelerate(solver);
}

enum status bench_sample_forces(void *user, unsigned calls, double *seconds)
{
    struct bench_forces *work = user;
    struct solver *solver = work->solver;
    double before = solver->force_seconds;
    uint64_t made;
    enum status status = solver_repeat(solver, forces_alone, 0, 1, calls, NULL, &made);
    if (status == STATUS_OK)
        status = solver->ops->accelerations(solver, work->accelerations);
    *seconds = solver->force_seconds - before;
    return status;
}

/* Judges the accelerations; on ranks, rank 0 has all of them. */
static enum status judge_solver(const struct bench_bed *bed, const struct bench_forces *work,
                                double *error)
{
    struct sums sums = {0, 0};
    for (size_t k = 0; k < bed->targets; k++) {
        const double *a = work->accelerations[bed->which[k]];
        compare(&sums, bed->want[k], a[0], a[1], a[2]);
    }
    double most = BENCH_ERROR_MAX;
    const struct force_ops *force = work->solver->force->ops;
    if (force->error) /* the bound is larger for few bodies */
        most = fmax(most, force->error(bed->bodies, FORCE_ERROR_DEFAULT));
    return judge(&sums, most, error);
}

static enum status check_solver(const struct bench_bed *bed, struct bench_forces *work,
                                double *error)
{
    double seconds = 0;
    enum status status = bench_sample_forces(work, 1, &seconds);
    if (ranks_begin_first() && status == STATUS_OK)
        status = judge_solver(bed, work, error);
    return ranks_end_first(status);
}

enum status bench_bed_solver(struct bench_bed *bed, const struct solver_ops *ops, const char *force,
                             const char *path, struct bench_outcome *outcome)
{
    double count = (double)bed->count;
    struct solver_params params = {.softening = SOFTENING,
                                   .force = choice_find(&force_registry, force),
                                   .device = bed->options->device,
                                   .kernel = path};
    struct bench_forces work = {NULL, malloc((bed->bodies->count + 1) * sizeof(double[3]))};
    *outcome = (struct bench_outcome){0};
    enum status status = work.accelerations ? STATUS_OK : no_memory(bed->count);
    if (ranks_are_together())
        status = ranks_agree(status);
    if (status == STATUS_OK)
        status = solver_open(ops->name, &params, bed->bodies, &work.solver);
    if (status == STATUS_OK) {
        memcpy(outcome->kernel, work.solver->kernel, sizeof outcome->kernel);
        status = check_solver(bed, &work, &outcome->error);
    }
    if (status == STATUS_OK)
        status = bench_median(bed->options, bench_sample_forces, &work, &outcome->seconds);
    if (status == STATUS_OK && outcome->seconds > 0)
        outcome->rate = count * count / outcome->seconds;
    solver_close(&work.solver);
    free(work.accelerations);
    return status;
}

/* ---- cells ---- */

void bench_bed_cell(struct bench_bed *bed, struct bench_table *table, size_t column,
                    const struct ladder_rung *kernel)
{
    struct bench_outcome outcome;
    if (!kernel)
        return;
    enum status status = bench_bed_kernel(bed, kernel, &outcome);
    bench_result(table, column, status, 1e-9 * outcome.rate);
}

void bench_bed_solver_cell(struct bench_bed *bed, struct bench_table *table, size_t column,
                           const struct solver_ops *ops, const char *force)
{
    struct bench_outcome outcome;
    enum status status = bench_bed_solver(bed, ops, force, NULL, &outcome);
    bench_result(table, column, status, 1e-9 * outcome.rate);
}

void bench_note_backends(const struct bench_options *options, struct bench_table *table)
{
    if (!options->cuda && options->no_cuda[0])
        bench_add_note(table, "No CUDA: %s.", options->no_cuda);
}
