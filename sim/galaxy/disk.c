#include "sim/galaxy/disk.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "sim/galaxy/spheroid.h"

#include <math.h>
#include <stdlib.h>

static void orbits_radii(double end, double radius[ORBITS])
{
    for (int i = 0; i < ORBITS; i++) {
        const double q = (i + 0.5) / ORBITS;
        radius[i] = end * q * q;
    }
}

/* Integral of the cubic over the first `t` of a cell. */
static double integral(const struct orbits *o, size_t i, double t)
{
    const double d = o->radius[i + 1] - o->radius[i], t2 = t * t, t3 = t2 * t, t4 = t2 * t2;
    return d * (o->pull[i] * (t - t3 + t4 / 2) + o->pull[i + 1] * (t3 - t4 / 2) +
                d * (o->slope[i] * (t2 / 2 - 2 * t3 / 3 + t4 / 4) +
                     o->slope[i + 1] * (t4 / 4 - t3 / 3)));
}

static double pull_in(const struct orbits *o, size_t i, double t)
{
    const double d = o->radius[i + 1] - o->radius[i], t2 = t * t, t3 = t2 * t;
    return o->pull[i] * (1 - 3 * t2 + 2 * t3) + o->pull[i + 1] * (3 * t2 - 2 * t3) +
           d * (o->slope[i] * (t - 2 * t2 + t3) + o->slope[i + 1] * (t3 - t2));
}

/* `pull` = dPhi/dR > 0 at those radii. */
static void orbits_make(double end, const double pull[ORBITS], struct orbits *out)
{
    out->end = end;
    orbits_radii(end, out->radius);
    for (int i = 0; i < ORBITS; i++)
        out->pull[i] = pull[i];
    for (int i = 0; i < ORBITS; i++) {
        const int before = i > 0 ? i - 1 : i, after = i < ORBITS - 1 ? i + 1 : i;
        const double q = (i + 0.5) / ORBITS, per = 2.0 * end * q / ORBITS; /* per: dR of a step */
        out->slope[i] = i == 0 ? pull[0] / out->radius[0]
                               : (pull[after] - pull[before]) / ((after - before) * per);
        const double turn2 = pull[i] / out->radius[i];
        out->epicyclic[i] = sqrt(fmax(out->slope[i] + 3 * turn2, turn2 / 4));
        out->spin2[i] = fn_pow(out->radius[i], 3) * pull[i];
        if (i > 0 && out->spin2[i] <= out->spin2[i - 1]) /* no stable orbits */
            out->spin2[i] = out->spin2[i - 1] * (1 + 1e-9);
    }
    out->potential[0] = 0;
    for (size_t i = 0; i + 1 < ORBITS; i++)
        out->potential[i + 1] = out->potential[i] + integral(out, i, 1);
}

/* The index of the radius below R; *part is R's position towards the next radius, in sqrt(R), 0 to
 * 1. */
static size_t orbits_cell(const struct orbits *orbits, double radius, double *part)
{
    const double at = ORBITS * sqrt(radius / orbits->end) - 0.5;
    const double inside = at > 0 ? (at < ORBITS - 1 ? at : ORBITS - 1) : 0;
    const size_t i = inside < ORBITS - 1 ? (size_t)inside : ORBITS - 2;
    *part = inside - (double)i;
    return i;
}

double orbits_at(const struct orbits *orbits, const double values[ORBITS], double radius)
{
    double part;
    const size_t i = orbits_cell(orbits, radius, &part);
    return (1 - part) * values[i] + part * values[i + 1];
}

/* The cell of R, and R's position in it. */
static size_t cell_of(const struct orbits *o, double radius, double *t)
{
    double part;
    size_t i = orbits_cell(o, radius, &part);
    *t = fmin(fmax((radius - o->radius[i]) / (o->radius[i + 1] - o->radius[i]), 0), 1);
    return i;
}

/* Up to a constant; its derivative is the interpolated force, cubic in R. */
static double orbits_potential(const struct orbits *orbits, double radius)
{
    double t;
    const size_t i = cell_of(orbits, radius, &t);
    return orbits->potential[i] + integral(orbits, i, t);
}

double orbits_guiding(const struct orbits *orbits, double spin)
{
    const double *table = orbits->spin2, want = spin * spin;
    if (!(want > table[0])) /* a homogeneous core */
        return orbits->radius[0] * sqrt(spin / sqrt(table[0]));
    if (!(want < table[ORBITS - 1]))
        return orbits->end;
    const size_t low = search_cell(table, ORBITS, want), high = low + 1;
    const double inner = orbits->radius[low], width = orbits->radius[high] - inner;
    double t = (want - table[low]) / (table[high] - table[low]);
    for (int i = 0; i < 2; i++) { /* Newton's method */
        const double r = inner + t * width, k = orbits->epicyclic[low];
        t -= (r * r * r * pull_in(orbits, low, t) - want) / (r * r * r * k * k) / width;
        t = fmin(fmax(t, 0), 1);
    }
    return inner + t * width;
}

enum {
    SPEEDS = 96,      /* azimuthal velocities over which f is summed, six dispersions each way */
    CORRECTIONS = 20, /* of Sigma' and sigma' */
};
static const double DEVIATES = 4.5; /* range of tabulated normal deviates, -4.5 to 4.5 */

static double across(int j)
{
    const double c = fn_cosh(j / 4.0);
    return 1 / (c * c);
}

void disk_places(const struct sheet *sheet, double radius[ORBITS], double height[DISK_HEIGHTS],
                 double weight[DISK_HEIGHTS])
{
    orbits_radii(sheet_end(sheet), radius);
    double whole = -across(0) / 2;
    for (int j = 0; j < DISK_HEIGHTS; j++)
        whole += across(j);
    for (int j = 0; j < DISK_HEIGHTS; j++) {
        height[j] = j * sheet->height / 4;
        weight[j] = (j ? 1 : 0.5) * across(j) / whole;
    }
}

/* Between two heights the density is assumed exponential. */
static void solve_vertical(const double *potential, double *vertical)
{
    for (int i = 0; i < ORBITS; i++) {
        const double *phi = potential + i * DISK_HEIGHTS;
        double *sigma = vertical + i * DISK_HEIGHTS;
        const int top = DISK_HEIGHTS - 1;
        double pressure = across(top) * 2 * (phi[top] - phi[top - 1]); /* of the layers above */
        sigma[top] = sqrt(fmax(pressure / across(top), 0));
        for (int j = top - 1; j >= 0; j--) {
            const double a = across(j), b = across(j + 1);
            pressure += (phi[j + 1] - phi[j]) * (a - b) / fn_log(a / b);
            sigma[j] = sqrt(fmax(pressure / a, 0));
        }
    }
}

static void fill_inside(struct disk *disk)
{
    const double end = sheet_end(&disk->sheet);
    double sum = 0, before = 0;
    for (int i = 0; i <= DISK_RADII; i++) {
        const double q = (double)i / DISK_RADII, radius = end * q * q;
        const double now = sheet_surface(&disk->sheet, radius) * radius * q;
        sum += i ? before + now : 0;
        disk->inside[i] = sum;
        before = now;
    }
    for (int i = 0; i <= DISK_RADII; i++)
        disk->inside[i] /= sum;
}

static double critical(const struct disk *disk, double radius)
{
    return 3.36 * sheet_surface(&disk->sheet, radius) /
           orbits_at(&disk->orbits, disk->orbits.epicyclic, radius);
}

static void want_dispersion(struct disk *disk, double toomre_q, const double escape[ORBITS])
{
    const double scale = disk->sheet.scale, sun = 2.43 * scale, core2 = scale * scale / 8;
    const double at_sun = toomre_q * critical(disk, sun), soft_sun = sqrt(sun * sun + core2);
    for (int i = 0; i < ORBITS; i++) {
        const double r = disk->orbits.radius[i], soft = sqrt(r * r + core2);
        const double usual = at_sun * fn_exp((soft_sun - soft) / (2 * scale));
        disk->wanted[i] =
            fmin(fmax(usual, toomre_q * critical(disk, r)), 0.4 * escape[i]) + 1e-9 * escape[i];
    }
}

/* f at one radius and azimuthal velocity, without the corrected factors. */
struct place {
    size_t cell;
    double part;   /* position of Rg within its cell of the orbits' radii */
    double speed;  /* azimuthal */
    double energy; /* E - Ec(L), without radial motion */
};

struct work {
    struct place place[ORBITS][SPEEDS];
    double step[ORBITS]; /* step in azimuthal velocity */
    double surface[ORBITS], sigma2[ORBITS], factor[ORBITS];
    double weight[SPEEDS];
};

static void lay_out(const struct disk *disk, struct work *work)
{
    const struct orbits *o = &disk->orbits;
    for (int i = 0; i < ORBITS; i++) {
        const double r = o->radius[i], circular = sqrt(r * o->pull[i]);
        const double wide = 6 * disk->wanted[i] * fmin(o->epicyclic[i] * r / (2 * circular), 1.2);
        const double least = fmax(circular - 1.3 * wide, 0), most = circular + wide;
        work->step[i] = (most - least) / (SPEEDS - 1);
        for (int s = 0; s < SPEEDS; s++) {
            struct place *place = &work->place[i][s];
            const double v = place->speed = least + work->step[i] * s, spin = r * v;
            const double guiding = orbits_guiding(o, spin);
            place->cell = orbits_cell(o, guiding, &place->part);
            place->energy = orbits_potential(o, r) - orbits_potential(o, guiding) + v * v / 2;
            if (guiding > 0)
                place->energy -= spin * spin / (2 * guiding * guiding);
            place->energy = fmax(place->energy, 0);
            if (guiding >= o->end)
                place->energy = INFINITY;
        }
    }
}

static double between(const double values[ORBITS], const struct place *place)
{
    return (1 - place->part) * values[place->cell] + place->part * values[place->cell + 1];
}

/* The weights of the azimuthal velocities at radius i; returns the surface density. */
static double weigh(struct work *work, int i, double *sigma2)
{
    double sum = 0, warm = 0;
    for (int s = 0; s < SPEEDS; s++) {
        const struct place *place = &work->place[i][s];
        const double own = between(work->sigma2, place);
        const double w = (s == 0 || s == SPEEDS - 1 ? 0.5 : 1) * between(work->factor, place) *
                         fn_exp(-place->energy / own);
        work->weight[s] = w;
        sum += w;
        warm += w * own;
    }
    *sigma2 = warm / sum;
    return sum * work->step[i];
}

static void set_factors(const struct disk *disk, struct work *work)
{
    const struct orbits *o = &disk->orbits;
    for (int i = 0; i < ORBITS; i++) {
        const double gamma = 2 * sqrt(o->pull[i] / o->radius[i]) / o->epicyclic[i];
        work->factor[i] = gamma * work->surface[i] / sqrt(2 * M_PI * work->sigma2[i]);
    }
}

static void correct(struct disk *disk, struct work *work)
{
    double got[ORBITS], warm[ORBITS];
    for (int i = 0; i < ORBITS; i++) {
        work->surface[i] = sheet_surface(&disk->sheet, disk->orbits.radius[i]);
        work->sigma2[i] = disk->wanted[i] * disk->wanted[i];
    }
    for (int c = 0; c <= CORRECTIONS; c++) {
        set_factors(disk, work);
        disk->miss = 0;
        for (int i = 0; i < ORBITS; i++) {
            const double r = disk->orbits.radius[i], wanted2 = disk->wanted[i] * disk->wanted[i];
            got[i] = sheet_surface(&disk->sheet, r) / weigh(work, i, &warm[i]);
            warm[i] = wanted2 / warm[i];
            if (r < 4 * disk->sheet.scale)
                disk->miss = fmax(disk->miss, fmax(fabs(got[i] - 1), fabs(warm[i] - 1)));
        }
        for (int i = 0; c < CORRECTIONS && i < ORBITS; i++) {
            const double r = disk->orbits.radius[i], wanted2 = disk->wanted[i] * disk->wanted[i];
            const double surface = sheet_surface(&disk->sheet, r);
            work->surface[i] *= fmin(fmax(got[i], 0.5), 2);
            work->surface[i] = fmin(fmax(work->surface[i], 1e-2 * surface), 1e2 * surface);
            work->sigma2[i] *= fmin(fmax(warm[i], 0.7), 1.4);
            work->sigma2[i] = fmin(fmax(work->sigma2[i], 0.1 * wanted2), 4 * wanted2);
        }
    }
}

/* Tabulates the velocity quantiles at each normal deviate. */
static void tabulate(struct disk *disk, struct work *work)
{
    double share[DISK_QUANTILES];
    for (int k = 0; k < DISK_QUANTILES; k++) {
        const double deviate = DEVIATES * (2.0 * k / (DISK_QUANTILES - 1) - 1);
        share[k] = 0.5 * fn_erfc(-deviate / sqrt(2));
    }
    for (int i = 0; i < ORBITS; i++) {
        double sigma2, whole = 0, below = 0;
        weigh(work, i, &sigma2);
        for (int s = 0; s < SPEEDS - 1; s++)
            whole += work->weight[s] + work->weight[s + 1];
        int s = 0;
        for (int k = 0; k < DISK_QUANTILES; k++) {
            const double want = whole * share[k];
            double more = work->weight[s] + work->weight[s + 1];
            while (s < SPEEDS - 2 && below + more < want) {
                below += more;
                s++;
                more = work->weight[s] + work->weight[s + 1];
            }
            const double part = more > 0 ? fmin(fmax((want - below) / more, 0), 1) : 0;
            disk->azimuthal[i][k] = work->place[i][s].speed + part * work->step[i];
        }
    }
}

void disk_make(const struct sheet *sheet, double toomre_q, const double *potential,
               const double pull[ORBITS], const double escape[ORBITS], struct disk *out)
{
    struct work *work = memory_new(1, sizeof *work);
    out->sheet = *sheet;
    fill_inside(out);
    orbits_make(sheet_end(sheet), pull, &out->orbits);
    solve_vertical(potential, out->vertical);
    want_dispersion(out, toomre_q, escape);
    lay_out(out, work);
    correct(out, work);
    tabulate(out, work);
    for (int i = 0; i < ORBITS; i++)
        out->dispersion[i] = sqrt(work->sigma2[i]);
    free(work);
}

void disk_place(const struct disk *disk, double fraction, struct random *random, double x[3])
{
    const size_t low = search_cell(disk->inside, DISK_RADII + 1, fraction), high = low + 1;
    const double *inside = disk->inside,
                 part = (fraction - inside[low]) / (inside[high] - inside[low]);
    const double a = (double)low / DISK_RADII, b = (double)high / DISK_RADII;
    const double radius =
        sheet_end(&disk->sheet) * sqrt((1 - part) * (a * a * a * a) + part * (b * b * b * b));
    double e[2];
    random_direction2(random, e);
    x[0] = radius * e[0];
    x[1] = radius * e[1];
    x[2] = disk->sheet.height * fn_atanh(2 * random_uniform(random) - 1);
}

/* Bilinear; constant beyond the last height. */
static double vertical_at(const struct disk *disk, double radius, double z)
{
    double part;
    const size_t i = orbits_cell(&disk->orbits, radius, &part);
    const double at = fmin(fabs(z) / disk->sheet.height * 4, DISK_HEIGHTS - 1.001);
    const size_t j = (size_t)at;
    const double up = at - (double)j, *a = &disk->vertical[i * DISK_HEIGHTS + j],
                 *b = a + DISK_HEIGHTS;
    return (1 - part) * ((1 - up) * a[0] + up * a[1]) + part * ((1 - up) * b[0] + up * b[1]);
}

void disk_move(const struct disk *disk, const double x[3], struct random *random, double v[3])
{
    const double radius = sqrt(x[0] * x[0] + x[1] * x[1]);
    double part;
    const size_t i = orbits_cell(&disk->orbits, radius, &part);
    const double deviate = fmin(fmax(random_normal(random), -DEVIATES), DEVIATES);
    const double at = (deviate / DEVIATES + 1) / 2 * (DISK_QUANTILES - 1);
    const size_t k = at < DISK_QUANTILES - 2 ? (size_t)at : DISK_QUANTILES - 2;
    const double on = at - (double)k, *a = &disk->azimuthal[i][k], *b = &disk->azimuthal[i + 1][k];
    const double along =
        (1 - part) * ((1 - on) * a[0] + on * a[1]) + part * ((1 - on) * b[0] + on * b[1]);
    const double guiding = orbits_guiding(&disk->orbits, radius * along);
    const double out = orbits_at(&disk->orbits, disk->dispersion, guiding) * random_normal(random);
    const double c = radius > 0 ? x[0] / radius : 1, s = radius > 0 ? x[1] / radius : 0;
    v[0] = out * c - along * s;
    v[1] = out * s + along * c;
    v[2] = vertical_at(disk, radius, x[2]) * random_normal(random);
}
