/* The forces of all pairs: their evaluation on the CPU, and their entries. */
#include "sim/gravity/force.h"
#include "kernels/isa.h"
#include "kernels/pairs/force_cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef const float (*float_rows)[4];
typedef const double (*double_rows)[4];

struct pairs {
    struct force force;
    const struct force_cpu *cpu;
    double (*by_row)[3]; /* results in the order of the rows; for potentials, single numbers */
};

static const struct force_cpu *cpu_of(const struct force *force)
{
    return ((const struct pairs *)force)->cpu;
}

static double (*by_row(const struct force *force))[3]
{
    return ((const struct pairs *)force)->by_row;
}

/* Copies results from the order of the rows to that of the bodies. */
static void scatter(const struct sources *s, const double (*rows)[3], double (*out)[3])
{
    for (size_t k = 0; k < s->end - s->begin; k++)
        memcpy(out[s->order ? s->order[k] : k], rows[k], sizeof *out);
}

static void scatter_numbers(const struct sources *s, const double *rows, double *out)
{
    for (size_t k = 0; k < s->end - s->begin; k++)
        out[s->order ? s->order[k] : k] = rows[k];
}

/* The sinks as arguments of the kernels. */
struct sinks {
    size_t count;
    const void *rows;
    const float *halves;
    const double *wide_halves;
    force_centres centres;
};

static struct sinks sinks_of(const struct force *force, const struct sources *s)
{
    const size_t number = force->ops->number;
    const char *halves = s->halves ? (const char *)s->halves + s->begin * number : NULL;
    return (struct sinks){
        .count = s->end - s->begin,
        .rows = (const char *)s->rows + 4 * s->begin * number,
        .halves = (const float *)halves,
        .wide_halves = (const double *)halves,
        .centres = s->centres ? s->centres + s->begin / FORCE_TILE : NULL,
    };
}

static void close_pairs(struct force *force)
{
    free(by_row(force));
}

/* Whether the fast kernels apply: they support only all bodies as sinks and sources, and a single
 * softening. */
static bool is_plain(const struct sources *s)
{
    return s->from == s->rows && !s->halves && s->end - s->begin == s->bodies;
}

static enum status open_direct(struct force *force, const struct force_request *request)
{
    const struct force_cpu *cpu = force_cpu_find(request->kernel);
    if (!cpu)
        return status_fail(STATUS_DEVICE, ISA_MISSING, request->kernel);
    struct pairs *pairs = (struct pairs *)force;
    pairs->cpu = request->spline ? cpu->spline : cpu;
    if (force->ops->tiled) {
        pairs->by_row = malloc(request->bodies * sizeof *pairs->by_row);
        if (!pairs->by_row)
            return status_fail(STATUS_RUNTIME, "no memory for the forces of %zu bodies, %zu bytes",
                               request->bodies, request->bodies * sizeof *pairs->by_row);
    }
    force->interactions = (double)request->bodies * (double)request->sources;
    force->name = cpu->name;
    const char *softening = softening_words(request->spline, request->mixed);
    if (request->subset > 1)
        snprintf(force->kernel, sizeof force->kernel, "1/%zu of the sources in turn, %s, %s%s",
                 request->subset, force->ops->name, cpu->doc, softening);
    else
        snprintf(force->kernel, sizeof force->kernel, "all pairs, %s, %s%s", force->ops->name,
                 cpu->doc, softening);
    return STATUS_OK;
}

static enum status open_fast(struct force *force, const struct force_request *request)
{
    enum status status = open_direct(force, request);
    if (status == STATUS_OK && request->subset == 1 && !request->mixed && !request->slice)
        snprintf(force->kernel, sizeof force->kernel, "%s, %s, %d lanes",
                 request->bodies < FORCE_CPU_PAIRS_FROM ? "all pairs"
                                                        : "pairs once (Newton's third law)",
                 cpu_of(force)->doc, cpu_of(force)->lanes);
    return status;
}

static int accelerate_fast(struct force *force, const struct sources *s, double (*out)[3],
                           void *stream)
{
    (void)stream;
    const struct sinks sinks = sinks_of(force, s);
    float softening = (float)s->softening;
    if (is_plain(s))
        cpu_of(force)->fast(s->bodies, sinks.rows, softening, s->centres, by_row(force));
    else
        cpu_of(force)->quick(sinks.count, sinks.rows, s->count, s->from, softening, sinks.halves,
                             s->from_halves, sinks.centres, s->from_centres, by_row(force));
    scatter(s, (const double(*)[3])by_row(force), out);
    return 0;
}

static int accelerate_exact(struct force *force, const struct sources *s, double (*out)[3],
                            void *stream)
{
    (void)stream;
    const struct sinks sinks = sinks_of(force, s);
    cpu_of(force)->exact(sinks.count, sinks.rows, s->count, s->from, (float)s->softening,
                         sinks.halves, s->from_halves, sinks.centres, s->from_centres,
                         by_row(force));
    scatter(s, (const double(*)[3])by_row(force), out);
    return 0;
}

static int accelerate_double(struct force *force, const struct sources *s, double (*out)[3],
                             void *stream)
{
    (void)stream;
    const struct sinks sinks = sinks_of(force, s);
    cpu_of(force)->in_double(sinks.count, sinks.rows, s->count, s->from, s->softening,
                             sinks.wide_halves, s->from_halves, out);
    return 0;
}

static int potential_exact(struct force *force, const struct sources *s, double *out, void *stream)
{
    (void)stream;
    float_rows rows = s->rows;
    double *phi = by_row(force)[0];
    cpu_of(force)->exact_potential(s->bodies, rows, s->begin, s->end, (float)s->softening,
                                   s->halves, s->centres, phi);
    scatter_numbers(s, phi, out);
    return 0;
}

static int potential_fast(struct force *force, const struct sources *s, double *out, void *stream)
{
    float_rows rows = s->rows;
    double *phi = by_row(force)[0];
    if (s->halves)
        return potential_exact(force, s, out, stream);
    cpu_of(force)->fast_potential(s->bodies, rows, s->begin, s->end, (float)s->softening,
                                  s->centres, phi);
    scatter_numbers(s, phi, out);
    return 0;
}

static int potential_double(struct force *force, const struct sources *s, double *out, void *stream)
{
    (void)stream;
    double_rows rows = s->rows;
    cpu_of(force)->double_potential(s->bodies, rows, s->begin, s->end, s->softening, s->halves,
                                    out);
    return 0;
}

static const struct force_path cpu_fast = {
    .backend = "cpu",
    .size = sizeof(struct pairs),
    .open = open_fast,
    .accelerate = accelerate_fast,
    .potential = potential_fast,
    .close = close_pairs,
};

static const struct force_path cpu_exact = {
    .backend = "cpu",
    .size = sizeof(struct pairs),
    .open = open_direct,
    .accelerate = accelerate_exact,
    .potential = potential_exact,
    .close = close_pairs,
};

static const struct force_path cpu_double = {
    .backend = "cpu",
    .size = sizeof(struct pairs),
    .open = open_direct,
    .accelerate = accelerate_double,
    .potential = potential_double,
};

/* In cuda.c; without CUDA in sim/gravity/forces_none.c. */
extern const struct force_path pairs_cuda_fast, pairs_cuda_exact, pairs_cuda_double;

const struct force_ops force_fast = {
    .name = "fast",
    .doc = "single precision; the same bits with the same kernel and kind of device",
    .number = sizeof(float),
    .paths = FORCE_PATHS(&cpu_fast, &pairs_cuda_fast),
    .tiled = true,
};

const struct force_ops force_exact = {
    .name = "exact",
    .doc = "single precision in IEEE-exact operations; the same bits on every device",
    .number = sizeof(float),
    .paths = FORCE_PATHS(&cpu_exact, &pairs_cuda_exact),
    .tiled = true,
    .same_everywhere = true,
};

const struct force_ops force_double = {
    .name = "double",
    .doc = "double precision; errors below 1e-14",
    .number = sizeof(double),
    .paths = FORCE_PATHS(&cpu_double, &pairs_cuda_double),
};
