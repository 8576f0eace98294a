#include "sim/galaxy/disk_potential.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Extends the table to arguments up to `most`. */
static void bessel_reach(struct bessel *bessel, double most)
{
    const size_t count = (size_t)(most * BESSEL_PER_UNIT) + 3;
    if (count <= bessel->count)
        return;
    bessel->j = memory_grow(bessel->j, count, sizeof *bessel->j);
    for (size_t i = bessel->count; i < count; i++) {
        const double x = (double)i / BESSEL_PER_UNIT, b = fn_j1(x);
        double *j = bessel->j[i];
        j[0] = fn_j0(x);
        j[1] = b;
        j[2] = i ? j[0] - b / x : 0.5;
        j[3] = i ? -b - j[2] / x + b / (x * x) : 0;
        j[4] = i ? -j[2] - j[3] / x + 2 * j[2] / (x * x) - 2 * b / (x * x * x) : -0.375;
    }
    bessel->count = count;
}

void bessel_close(struct bessel *bessel)
{
    free(bessel->j);
    *bessel = (struct bessel){0};
}

enum {
    SURFACE_POINTS = 32, /* per scale length, for sums of the surface density */
    LAYERS = 32,         /* of the density on either side of the plane, four per scale height */
};

/* The largest k is seven divided by height or softening, whichever is larger, but within 20 to 60
 * inverse scale lengths. */
static const double WAVES = 7, WAVES_LEAST = 20, WAVES_MOST = 60;

static const double STEP = 1;      /* of k, in inverse largest radii */
static const double LEAST = 1e-12; /* below which exp(-k q) is neglected */

static const double WIDTH = 0.5; /* of the edge, in scale lengths */

static double shape(const struct sheet *sheet, double radius)
{
    const double x = radius / sheet->scale;
    return fn_exp(-x) / (1 + fn_exp((x - sheet->edge / sheet->scale) / WIDTH));
}

static int surface_points(const struct sheet *sheet)
{
    return (int)(SURFACE_POINTS * sheet_end(sheet) / sheet->scale);
}

struct sheet sheet_of(const struct galaxy_params *galaxy, enum sheet_part part)
{
    const bool gas = part == SHEET_GAS;
    struct sheet sheet = {.mass = gas ? galaxy->gas_mass : galaxy->disk_mass,
                          .scale = galaxy->disk_scale,
                          .height = galaxy->disk_height};
    if (!(sheet.mass > 0))
        return (struct sheet){.mass = 0};
    if (gas) {
        sheet.scale = galaxy->gas_scale > 0 ? galaxy->gas_scale : galaxy->disk_scale;
        sheet.height = galaxy->gas_height > 0 ? galaxy->gas_height : galaxy->disk_height / 4;
    }
    if (!(sheet.height > 1e-3 * sheet.scale))
        sheet.height = 1e-3 * sheet.scale;
    sheet.edge = (galaxy->disk_edge > 0 ? galaxy->disk_edge / galaxy->disk_scale : 6) * sheet.scale;
    const double step = sheet.scale / SURFACE_POINTS;
    double mass = 0;
    for (int i = 1; i <= surface_points(&sheet); i++)
        mass += 2 * M_PI * step * step * i * shape(&sheet, step * i);
    mass += 2 * M_PI * step * step / 12 * shape(&sheet, 0); /* slope at 0 */
    sheet.unit = sheet.mass / mass;
    return sheet;
}

double sheet_surface(const struct sheet *sheet, double radius)
{
    return sheet->mass > 0 ? sheet->unit * shape(sheet, radius) : 0;
}

double sheet_end(const struct sheet *sheet)
{
    return sheet->edge + 6 * WIDTH * sheet->scale;
}

/* Nodes and weights of Gauss-Legendre quadrature on 0 to 1, by Newton's method. */
enum { COLUMNS = 32 };
struct rule {
    double node[COLUMNS], weight[COLUMNS];
};

static void rule_make(struct rule *rule)
{
    for (int i = 0; i < COLUMNS; i++) {
        double x = fn_cos(M_PI * (i + 0.75) / (COLUMNS + 0.5)), slope = 1;
        for (int n = 0; n < 5; n++) {
            double p = x, before = 1;
            for (int k = 2; k <= COLUMNS; k++) {
                const double next = ((2 * k - 1) * x * p - (k - 1) * before) / k;
                before = p;
                p = next;
            }
            slope = COLUMNS * (before - x * p) / (1 - x * x);
            x -= p / slope;
        }
        rule->node[i] = (1 + x) / 2;
        rule->weight[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* Mass within a sphere, from vertical columns of the disk at R = end sin(angle), which avoids the
 * steep root; a column's mass below a height is a tanh. */
static double within(const struct sheet *sheet, const struct rule *rule, double r)
{
    const double end = fmin(r, sheet_end(sheet));
    double mass = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const double radius = end * rule->node[i];
        const double z = sqrt(fmax(r * r - radius * radius, 0));
        mass +=
            rule->weight[i] * radius * sheet_surface(sheet, radius) * fn_tanh(z / sheet->height);
    }
    return 2 * M_PI * end * mass;
}

void sheet_spread(const struct sheet *sheet, struct shells *shells)
{
    if (!(sheet->mass > 0))
        return;
    struct rule rule;
    rule_make(&rule);
    for (int i = 0; i < COLUMNS; i++) {
        const double angle = M_PI / 2 * rule.node[i];
        rule.node[i] = fn_sin(angle);
        rule.weight[i] *= M_PI / 2 * fn_cos(angle);
    }
    const double half = fn_exp(shells->step / 2), all = sheet_end(sheet) + 20 * sheet->height;
    double below = 0;
    for (int i = 0; i < SHELLS && !(shells->radius[i] > all * half); i++) {
        const double mass = within(sheet, &rule, shells->radius[i] * half);
        shells->mass[i] += fmax(mass - below, 0);
        below = fmax(mass, below);
    }
}

/* The sum over k, and its tables. */
enum { ABREAST = 4 }; /* heights summed at once */
struct hankel {
    double step;                  /* of k */
    size_t waves, heights, width; /* width: heights, rounded up to a multiple of ABREAST */
    struct bessel *bessel;
    double *strength; /* [waves]: 2 pi S(k) times the quadrature weight, for wave w + 1 */
    double *sum;      /* [waves][width]: exp(-k q), averaged over the layers */
    double *mean;     /* [waves]: averaged with the heights' weights */
    double *q, *q3;   /* [heights]: means of q and q^3 */
    double mean_q;    /* averaged with the heights' weights */
    double radius2;   /* mean of R^2 */
};

/* 2 pi step S(k), relative to S(0) = mass / 2 pi. */
static void find_strengths(struct hankel *hankel, const struct sheet *sheet)
{
    const double step = sheet->scale / SURFACE_POINTS;
    const int points = surface_points(sheet);
    double *ring = memory_new((size_t)points + 1, sizeof *ring);
    for (int i = 1; i <= points; i++)
        ring[i] = step * step * i * sheet_surface(sheet, step * i);
    ring[0] = step * step / 12 * sheet_surface(sheet, 0); /* correction for the integrand's slope at
                                                           * 0 */
    for (size_t w = 0; w < hankel->waves; w++) {
        const double k = hankel->step * (double)(w + 1);
        double sum = ring[0];
        for (int i = 1; i <= points; i++)
            sum += ring[i] * bessel_0(hankel->bessel, k * step * i);
        hankel->strength[w] = 2 * M_PI * hankel->step * sum;
    }
    for (int i = 1; i <= points; i++)
        hankel->radius2 += 2 * M_PI * ring[i] * step * i * step * i / sheet->mass;
    free(ring);
}

/* Each layer's exp(-k q) is multiplied by a constant factor from wave to wave. */
static void sum_layers(struct hankel *hankel, const struct sheet *sheet, double softening,
                       const double *heights)
{
    double weight[2 * LAYERS + 1], total = 0;
    for (int l = 0; l <= 2 * LAYERS; l++) {
        const double c = fn_cosh((l - LAYERS) / 4.0);
        total += weight[l] = 1 / (c * c);
    }
    for (size_t j = 0; j < hankel->heights; j++)
        for (int l = 0; l <= 2 * LAYERS; l++) {
            const double z = heights[j] - sheet->height / 4 * (l - LAYERS);
            const double q = sqrt(z * z + softening * softening);
            const double decay = fn_exp(-hankel->step * q);
            double wave = weight[l] / total;
            hankel->q[j] += wave * q;
            hankel->q3[j] += wave * q * q * q;
            for (size_t w = 0; w < hankel->waves && wave > LEAST; w++) {
                wave *= decay;
                hankel->sum[w * hankel->width + j] += wave;
            }
        }
}

static void hankel_open(struct hankel *hankel, const struct sheet *sheet, double softening,
                        double farthest, const struct sheet_heights *heights)
{
    const double end = fmax(farthest, sheet_end(sheet));
    const double blur = fmax(sheet->height, softening) / sheet->scale;
    const double most = fmin(fmax(WAVES / blur, WAVES_LEAST), WAVES_MOST) / sheet->scale;
    hankel->step = STEP / end;
    hankel->waves = (size_t)(most / hankel->step);
    hankel->heights = heights->count;
    hankel->width = (heights->count + ABREAST - 1) / ABREAST * ABREAST;
    bessel_reach(hankel->bessel, (double)hankel->waves * hankel->step * end);
    hankel->strength = memory_new(hankel->waves, sizeof(double));
    hankel->sum = memory_new(hankel->waves * hankel->width, sizeof(double));
    hankel->mean = memory_new(hankel->waves, sizeof(double));
    hankel->q = memory_new(hankel->heights, sizeof(double));
    hankel->q3 = memory_new(hankel->heights, sizeof(double));
    hankel->mean_q = hankel->radius2 = 0;
    find_strengths(hankel, sheet);
    sum_layers(hankel, sheet, softening, heights->height);
    for (size_t w = 0; w < hankel->waves; w++)
        for (size_t j = 0; j < heights->count; j++)
            hankel->mean[w] += heights->weight[j] * hankel->sum[w * hankel->width + j];
    for (size_t j = 0; j < heights->count; j++)
        hankel->mean_q += heights->weight[j] * hankel->q[j];
}

static void hankel_close(struct hankel *hankel)
{
    free(hankel->strength);
    free(hankel->sum);
    free(hankel->mean);
    free(hankel->q);
    free(hankel->q3);
}

/* The trapezoid rule in k converges fast except for the terms of exp(-k q) that are odd in k at k =
 * 0: the Euler-Maclaurin terms of second and fourth order, per unit of mass. */
static double odd_part(const struct hankel *hankel, size_t j, double radius)
{
    const double h2 = hankel->step * hankel->step, q = hankel->q[j];
    const double third = 1.5 * q * (radius * radius + hankel->radius2) - hankel->q3[j];
    return -h2 / 12 * q - h2 * h2 / 720 * third;
}

/* The number of waves that matter at ABREAST heights; all others are below LEAST of the first. */
static size_t count_waves(const struct hankel *hankel, size_t first)
{
    double rest = 0;
    for (size_t w = hankel->waves; w-- > 1;) {
        for (size_t n = 0; n < ABREAST; n++)
            rest += fabs(hankel->strength[w]) * hankel->sum[w * hankel->width + first + n];
        if (rest > LEAST * fabs(hankel->strength[0]))
            return w + 1;
    }
    return 1;
}

/* Sums `amount` over the waves at ABREAST heights. */
static void sum_waves(const struct hankel *hankel, size_t waves, const double *amount, size_t first,
                      double out[ABREAST])
{
    double a = 0, b = 0, c = 0, d = 0;
    const double *sum = hankel->sum + first;
    for (size_t w = 0; w < waves; w++, sum += hankel->width) {
        const double x = amount[w];
        a += x * sum[0];
        b += x * sum[1];
        c += x * sum[2];
        d += x * sum[3];
    }
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
}

void sheet_field(const struct sheet *sheet, double softening, size_t radii_count,
                 const double *radii, const struct sheet_heights *heights, struct bessel *bessel,
                 double *potential, double *pull)
{
    if (!(sheet->mass > 0))
        return;
    struct hankel hankel = {.bessel = bessel};
    hankel_open(&hankel, sheet, softening, radii[radii_count - 1], heights);
    double *amount = memory_new(hankel.waves, sizeof *amount);
    size_t *waves = memory_new(hankel.width, sizeof *waves);
    const double step = hankel.step;
    for (size_t j = 0; j < hankel.width; j += ABREAST)
        waves[j] = count_waves(&hankel, j);
    for (size_t i = 0; i < radii_count; i++) {
        for (size_t w = 0; w < hankel.waves; w++) {
            const double k = step * (double)(w + 1), x = k * radii[i];
            amount[w] = hankel.strength[w] * bessel_0(hankel.bessel, x);
            pull[i] += hankel.strength[w] * hankel.mean[w] * k * bessel_1(hankel.bessel, x);
        }
        pull[i] += sheet->mass * step * step * step * step / 240 * hankel.mean_q * radii[i];
        for (size_t j = 0; j < heights->count; j += ABREAST) {
            double sums[ABREAST];
            sum_waves(&hankel, waves[j], amount, j, sums);
            for (size_t n = 0; n < ABREAST && j + n < heights->count; n++)
                potential[i * heights->count + j + n] -=
                    sums[n] + sheet->mass * (step / 2 + odd_part(&hankel, j + n, radii[i]));
        }
    }
    free(amount);
    free(waves);
    hankel_close(&hankel);
}
