#include "sim/galaxy/sheet.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    SURFACE_POINTS = 32, /* per scale length, where the surface density is summed */
    LAYERS = 32,         /* of the density on either side of the plane, four per height */
};

/* The largest k is ten over the height or softening, whatever blurs more, but in inverse scale
 * lengths from 30 to 80. */
static const double WAVES = 10, WAVES_LEAST = 30, WAVES_MOST = 80;

static const double WIDTH = 0.5; /* of the edge, in scale lengths */

static double shape(const struct sheet *sheet, double radius)
{
    const double x = radius / sheet->scale;
    return exp(-x) / (1 + exp((x - sheet->edge / sheet->scale) / WIDTH));
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
    mass += 2 * M_PI * step * step / 12 * shape(&sheet, 0); /* the integrand's slope at 0 */
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

/* Mass within a sphere, from the columns of the disk: each has tanh of it below a height. */
static double within(const struct sheet *sheet, double r)
{
    enum { POINTS = 64 };
    const double end = fmin(r, sheet_end(sheet)), step = M_PI / 2 / POINTS;
    double mass = -2 * M_PI * step * step / 24 * end * end * sheet_surface(sheet, 0) *
                  tanh(r / sheet->height); /* the integrand's slope at 0 */
    for (int i = 0; i < POINTS; i++) {     /* R = end sin(angle), where the root would be steep */
        const double angle = step * (i + 0.5), radius = end * sin(angle);
        const double z = sqrt(fmax(r * r - radius * radius, 0));
        mass += 2 * M_PI * radius * sheet_surface(sheet, radius) * tanh(z / sheet->height) * end *
                cos(angle) * step;
    }
    return mass;
}

void sheet_spread(const struct sheet *sheet, struct shells *shells)
{
    if (!(sheet->mass > 0))
        return;
    const double half = exp(shells->step / 2);
    double below = 0;
    for (int i = 0; i < SHELLS; i++) {
        const double mass = within(sheet, shells->radius[i] * half);
        shells->mass[i] += fmax(mass - below, 0);
        below = fmax(mass, below);
    }
}

/* J0 and J1 by their values at steps and two terms of Taylor's series. */
enum { BESSEL_PER_UNIT = 20 };
struct bessel {
    size_t count;
    double (*j)[2];
};

static struct bessel bessel_new(double most)
{
    struct bessel bessel = {.count = (size_t)(most * BESSEL_PER_UNIT) + 3};
    bessel.j = memory_new(bessel.count, sizeof *bessel.j);
    for (size_t i = 0; i < bessel.count; i++) {
        const double x = (double)i / BESSEL_PER_UNIT;
        bessel.j[i][0] = j0(x);
        bessel.j[i][1] = j1(x);
    }
    return bessel;
}

static void bessel_at(const struct bessel *bessel, double x, double out[2])
{
    const size_t i = (size_t)(x * BESSEL_PER_UNIT + 0.5);
    const double at = (double)i / BESSEL_PER_UNIT, d = x - at, a = bessel->j[i][0],
                 b = bessel->j[i][1];
    const double slope = i ? a - b / at : 0.5; /* of J1 */
    const double bend = i ? -b - slope / at + b / (at * at) : 0;
    out[0] = a - d * b - d * d / 2 * slope - d * d * d / 6 * bend;
    out[1] = b + d * slope + d * d / 2 * bend;
}

/* Moves every distance's exp(-k q) on by one step of k and sums them over the layers. */
static void sum_layers(size_t heights, double *wave, const double *decay, const double *weight,
                       double *sum)
{
    for (size_t j = 0; j < heights; j++) {
        double total = 0;
        for (size_t l = 0; l <= 2 * LAYERS; l++) {
            const size_t at = j * (2 * LAYERS + 1) + l;
            wave[at] *= decay[at];
            total += weight[l] * wave[at];
        }
        sum[j] = total;
    }
}

/* S(k), in S(0) = mass / 2 pi. */
static double transform(const struct sheet *sheet, const struct bessel *bessel, double k)
{
    const double step = sheet->scale / SURFACE_POINTS;
    const int points = surface_points(sheet);
    double sum = step * step / 12 * sheet_surface(sheet, 0), j[2];
    for (int i = 1; i <= points; i++) {
        bessel_at(bessel, k * step * i, j);
        sum += step * step * i * sheet_surface(sheet, step * i) * j[0];
    }
    return sum;
}

/* What is summed over k, and the tables that it takes. */
struct hankel {
    double step; /* of k */
    size_t waves, heights;
    struct bessel bessel;
    double *wave, *decay; /* [heights][2 LAYERS + 1] */
    double weight[2 * LAYERS + 1], distance[2 * LAYERS + 1];
    double *sum; /* [heights] */
};

static void hankel_open(struct hankel *hankel, const struct sheet *sheet, double softening,
                        double farthest, size_t heights_count, const double *heights)
{
    const double layer = sheet->height / 4, end = fmax(farthest, sheet_end(sheet));
    hankel->step = 0.5 / end;
    const double blur = fmax(sheet->height, softening) / sheet->scale;
    const double most = fmin(fmax(WAVES / blur, WAVES_LEAST), WAVES_MOST) / sheet->scale;
    hankel->waves = (size_t)(most / hankel->step);
    hankel->heights = heights_count;
    hankel->bessel = bessel_new((double)hankel->waves * hankel->step * end);
    hankel->wave = memory_new(heights_count * (2 * LAYERS + 1), sizeof(double));
    hankel->decay = memory_new(heights_count * (2 * LAYERS + 1), sizeof(double));
    hankel->sum = memory_new(heights_count, sizeof(double));
    double total = 0;
    for (int l = 0; l <= 2 * LAYERS; l++) {
        const double c = cosh((l - LAYERS) / 4.0);
        total += hankel->weight[l] = 1 / (c * c);
    }
    for (int l = 0; l <= 2 * LAYERS; l++)
        hankel->weight[l] /= total;
    for (size_t j = 0; j < heights_count; j++)
        for (int l = 0; l <= 2 * LAYERS; l++) {
            const double z = heights[j] - layer * (l - LAYERS);
            const size_t at = j * (2 * LAYERS + 1) + (size_t)l;
            hankel->wave[at] = 1;
            hankel->decay[at] = exp(-hankel->step * sqrt(z * z + softening * softening));
        }
}

static void hankel_close(struct hankel *hankel)
{
    free(hankel->bessel.j);
    free(hankel->wave);
    free(hankel->decay);
    free(hankel->sum);
}

/* The trapezoid rule in k converges fast but for the slope of exp(-k q) at k = 0, which adds
 * step^2 / 12 of the mean q. */
static double slope_at_zero(const struct hankel *hankel, size_t j)
{
    double mean = 0;
    for (size_t l = 0; l <= 2 * LAYERS; l++)
        mean -= hankel->weight[l] * log(hankel->decay[j * (2 * LAYERS + 1) + l]) / hankel->step;
    return mean;
}

void sheet_field(const struct sheet *sheet, double softening, size_t radii_count,
                 const double *radii, size_t heights_count, const double *heights,
                 double *potential, double *pull)
{
    if (!(sheet->mass > 0))
        return;
    struct hankel hankel;
    hankel_open(&hankel, sheet, softening, radii[radii_count - 1], heights_count, heights);
    const double step = hankel.step, whole = sheet->mass;
    for (size_t i = 0; i < radii_count; i++)
        for (size_t j = 0; j < heights_count; j++)
            potential[i * heights_count + j] -=
                whole * (step / 2 - step * step / 12 * slope_at_zero(&hankel, j));
    for (size_t w = 1; w <= hankel.waves; w++) {
        const double k = step * (double)w;
        const double strength = 2 * M_PI * step * transform(sheet, &hankel.bessel, k);
        double j01[2];
        sum_layers(heights_count, hankel.wave, hankel.decay, hankel.weight, hankel.sum);
        for (size_t i = 0; i < radii_count; i++) {
            bessel_at(&hankel.bessel, k * radii[i], j01);
            const double a = -strength * j01[0], b = strength * k * j01[1];
            double *p = potential + i * heights_count, *f = pull + i * heights_count;
            for (size_t j = 0; j < heights_count; j++) {
                p[j] += a * hankel.sum[j];
                f[j] += b * hankel.sum[j];
            }
        }
    }
    hankel_close(&hankel);
}
