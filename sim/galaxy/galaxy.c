#include "sim/galaxy/galaxy.h"

#include "base/memory.h"
#include "base/random.h"
#include "sim/galaxy/disk.h"
#include "sim/galaxy/spheroid.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 100, SETTLED_FROM = 256, KEPT = 8 };

struct galaxy {
    struct galaxy *next; /* opened before it, see `kept` */
    unsigned users;      /* galaxy_open without galaxy_close */
    double toomre_q[2];  /* of the disks */
    struct parts parts;
    double softening[GALAXY_PARTS];
    struct shells shells[GALAXY_PARTS];
    double enclosed[GALAXY_PARTS][SHELLS];
    double pull[GALAXY_PARTS][SHELLS]; /* on bodies of the current part, by each part */
    double all[GALAXY_PARTS][SHELLS];  /* total on bodies of each part */
    double depth[2][SHELLS];           /* the same for the disks, as a potential */
    double escape[2];
    struct disk disk[2];
    struct speeds speeds[2];
};

/* Rejects lengths that are too far apart for one table. */
static enum status check_lengths(const struct galaxy_params *galaxy)
{
    static const double FAR = 1e6, FAR_DISKS = 10, EDGE_MOST = 40;
    const struct parts parts = parts_of(galaxy);
    double least = INFINITY, most = 0, disks[2] = {INFINITY, 0};
    for (int k = 0; k < 2; k++) {
        const struct sphere *sphere = &parts.sphere[k];
        const struct sheet *sheet = &parts.sheet[k];
        if (sphere->mass > 0) {
            least = fmin(least, fmin(sphere->scale, sphere->edge));
            most = fmax(most, fmax(sphere->scale, sphere->edge));
        }
        if (sheet->mass > 0) {
            least = fmin(least, fmin(sheet->scale, sheet->edge));
            most = fmax(most, fmax(sheet->height, sheet->edge));
            disks[0] = fmin(disks[0], fmin(sheet->scale, sheet->edge));
            disks[1] = fmax(disks[1], fmax(sheet->scale, sheet->height));
        }
    }
    if (!(most < FAR * least))
        return status_fail(STATUS_USAGE,
                           "galaxy '%s': scales and edges range from %g to %g; keep them within "
                           "a factor of %g of each other",
                           galaxy->name, least, most, FAR);
    if (galaxy->disk_edge > EDGE_MOST * galaxy->disk_scale && disks[1] > 0)
        return status_fail(STATUS_USAGE,
                           "galaxy '%s': disk_edge is %g; give at most %g scale lengths",
                           galaxy->name, galaxy->disk_edge, EDGE_MOST);
    if (disks[1] > FAR_DISKS * disks[0])
        return status_fail(STATUS_USAGE,
                           "galaxy '%s': scales, heights and edge of its disks are from %g to %g; "
                           "no scale or height may be more than %g of another scale or the edge",
                           galaxy->name, disks[0], disks[1], FAR_DISKS);
    return STATUS_OK;
}

static enum status check_together(const struct galaxy_params *galaxy)
{
    double mass = 0, shares = 0;
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
        mass += galaxy_part_mass(galaxy, part);
        shares += galaxy_part_mass(galaxy, part) > 0 ? galaxy_part_share(galaxy, part) : 0;
    }
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++)
        if (shares > 0 && galaxy_part_mass(galaxy, part) > 0 &&
            galaxy_part_share(galaxy, part) == 0)
            return status_fail(STATUS_USAGE,
                               "galaxy '%s' gives shares, but no %s_share, and no bodies would be "
                               "left for its %s; give one above 0",
                               galaxy->name, galaxy_part_name(part), galaxy_part_name(part));
    if (!(mass > 0))
        return status_fail(STATUS_USAGE,
                           "galaxy '%s' has a mass of %g; give a disk_mass, bulge_mass or "
                           "halo_mass above 0",
                           galaxy->name, mass);
    if (!isfinite(galaxy->inclination) || !isfinite(galaxy->node))
        return status_fail(STATUS_USAGE,
                           "galaxy '%s': inclination and node must be finite numbers of degrees",
                           galaxy->name);
    return check_lengths(galaxy);
}

enum status galaxy_check(const struct galaxy_params *galaxy)
{
    static const double MOST = 1e30; /* powers of it are still finite */
    const bool disk = galaxy->disk_mass > 0, gas = galaxy->gas_mass > 0;
    const bool bulge = galaxy->bulge_mass > 0, halo = galaxy->halo_mass > 0;
    const struct {
        const char *key;
        double value;
        bool positive, used;
    } checks[] = {
        {"disk_mass", galaxy->disk_mass, false, true},
        {"gas_mass", galaxy->gas_mass, false, true},
        {"bulge_mass", galaxy->bulge_mass, false, true},
        {"halo_mass", galaxy->halo_mass, false, true},
        {"disk_scale", galaxy->disk_scale, true, disk || gas},
        {"disk_height", galaxy->disk_height, false, disk || gas},
        {"disk_edge", galaxy->disk_edge, false, disk || gas},
        {"toomre_q", galaxy->toomre_q, false, disk || gas},
        {"gas_scale", galaxy->gas_scale, false, gas},
        {"gas_height", galaxy->gas_height, false, gas},
        {"gas_toomre_q", galaxy->gas_toomre_q, false, gas},
        {"bulge_scale", galaxy->bulge_scale, true, bulge},
        {"bulge_edge", galaxy->bulge_edge, false, bulge},
        {"sersic_index", galaxy->sersic_index, false, bulge},
        {"halo_scale", galaxy->halo_scale, true, halo},
        {"halo_edge", galaxy->halo_edge, false, halo},
        {"disk_softening", galaxy->disk_softening, false, true},
        {"gas_softening", galaxy->gas_softening, false, true},
        {"bulge_softening", galaxy->bulge_softening, false, true},
        {"halo_softening", galaxy->halo_softening, false, true},
        {"disk_share", galaxy->disk_share, false, true},
        {"gas_share", galaxy->gas_share, false, true},
        {"bulge_share", galaxy->bulge_share, false, true},
        {"halo_share", galaxy->halo_share, false, true},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const double value = checks[i].value;
        const bool good = isfinite(value) && value >= 0 && (value > 0 || !checks[i].positive);
        if (checks[i].used && !good)
            return status_fail(STATUS_USAGE, "galaxy '%s': %s is %g; give a finite number %s 0",
                               galaxy->name, checks[i].key, value,
                               checks[i].positive ? "above" : "not below");
        if (checks[i].used && value != 0 && !(value > 1 / MOST && value < MOST))
            return status_fail(STATUS_USAGE,
                               "galaxy '%s': %s is %g; give a number from %g to %g, in other units "
                               "if need be",
                               galaxy->name, checks[i].key, value, 1 / MOST, MOST);
    }
    return check_together(galaxy);
}

static bool has(const struct galaxy *galaxy, enum galaxy_part part)
{
    return part < GALAXY_BULGE ? galaxy->parts.sheet[part].mass > 0
                               : galaxy->parts.sphere[part - GALAXY_BULGE].mass > 0;
}

static double pair_softening(const struct galaxy *galaxy, enum galaxy_part a, enum galaxy_part b)
{
    const double x = galaxy->softening[a], y = galaxy->softening[b];
    return sqrt((x * x + y * y) / 2);
}

/* The spherically averaged forces on bodies of a part, by each part; reuses those on the previous
 * part if they are the same. */
static void find_pulls(struct galaxy *galaxy, enum galaxy_part on, double known[GALAXY_PARTS])
{
    for (enum galaxy_part by = 0; by < GALAXY_PARTS; by++) {
        const double softening = pair_softening(galaxy, on, by);
        if (known[by] == softening || !has(galaxy, by))
            continue;
        known[by] = softening;
        for (int i = 0; i < SHELLS; i++)
            galaxy->pull[by][i] = 0;
        shells_pull(&galaxy->shells[by], softening, galaxy->pull[by]);
    }
    for (int i = 0; i < SHELLS; i++) {
        galaxy->all[on][i] = 0;
        for (int by = 0; by < GALAXY_PARTS; by++)
            galaxy->all[on][i] += galaxy->pull[by][i];
    }
}

struct grid {
    double radius[ORBITS], height[DISK_HEIGHTS], weight[DISK_HEIGHTS];
    double potential[ORBITS * DISK_HEIGHTS], pull[ORBITS];
};

static void add_spheroids(const struct galaxy *galaxy, struct grid *grid)
{
    const struct shells *shells = &galaxy->shells[0];
    double pull[SHELLS], depth[SHELLS];
    for (int i = 0; i < SHELLS; i++)
        pull[i] = galaxy->pull[GALAXY_BULGE][i] + galaxy->pull[GALAXY_HALO][i];
    shells_depth(shells, pull, depth);
    for (int i = 0; i < ORBITS; i++)
        for (int j = 0; j < DISK_HEIGHTS; j++) {
            const double r =
                sqrt(grid->radius[i] * grid->radius[i] + grid->height[j] * grid->height[j]);
            const double inner = fmin(r / shells->radius[0], 1); /* a homogeneous core */
            const double at = shells_place(shells, r);
            const double mass = shells_read(pull, at) * inner * inner * inner;
            grid->potential[i * DISK_HEIGHTS + j] += shells_read(depth, at) * inner * inner;
            grid->pull[i] += grid->weight[j] * mass * grid->radius[i] / (r * r * r);
        }
}

static void make_disk(struct galaxy *galaxy, enum galaxy_part part, double toomre_q,
                      struct bessel *bessel)
{
    const struct sheet *sheet = &galaxy->parts.sheet[part];
    const struct shells *shells = &galaxy->shells[0];
    struct grid *grid = memory_new(1, sizeof *grid);
    double *depth = galaxy->depth[part], escape[ORBITS];
    shells_depth(shells, galaxy->all[part], depth);
    galaxy->escape[part] =
        depth[SHELLS - 1] + galaxy->all[part][SHELLS - 1] / shells->radius[SHELLS - 1];
    disk_places(sheet, grid->radius, grid->height, grid->weight);
    for (int i = 0; i < ORBITS; i++)
        escape[i] = sqrt(2 * (galaxy->escape[part] - shells_at(shells, depth, grid->radius[i])));
    add_spheroids(galaxy, grid);
    const struct sheet_heights heights = {DISK_HEIGHTS, grid->height, grid->weight};
    for (enum galaxy_part by = 0; by < GALAXY_BULGE; by++)
        sheet_field(&galaxy->parts.sheet[by], pair_softening(galaxy, part, by), ORBITS,
                    grid->radius, &heights, bessel, grid->potential, grid->pull);
    disk_make(sheet, toomre_q, grid->potential, grid->pull, escape, &galaxy->disk[part]);
    free(grid);
}

static enum status make_sphere(struct galaxy *galaxy, enum galaxy_part part,
                               const struct galaxy_params *params)
{
    static const double MOST = 0.005;
    struct speeds *speeds = &galaxy->speeds[part - GALAXY_BULGE];
    speeds_make(&galaxy->parts.sphere[part - GALAXY_BULGE], &galaxy->shells[part],
                galaxy->all[part], speeds);
    if (speeds->negative <= MOST)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "galaxy '%s': its %s (%s) has no equilibrium: the distribution function "
                       "would be negative for %.2g %% of its mass; use a smaller %s_scale, another "
                       "%s_profile or less mass in the parts inside it",
                       params->name, galaxy_part_name(part),
                       galaxy->parts.sphere[part - GALAXY_BULGE].profile->name,
                       100 * speeds->negative, galaxy_part_name(part), galaxy_part_name(part));
}

/* Sets what the tables are made from. */
static void describe(struct galaxy *galaxy, const struct galaxy_params *params, double softening)
{
    *galaxy = (struct galaxy){.parts = parts_of(params)};
    galaxy->toomre_q[0] = params->toomre_q;
    galaxy->toomre_q[1] = params->gas_toomre_q > 0 ? params->gas_toomre_q : params->toomre_q;
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
        const double own = galaxy_part_softening(params, part);
        galaxy->softening[part] = own > 0 ? own : softening;
    }
}

static bool is_same(const struct galaxy *a, const struct galaxy *b)
{
    bool same = memcmp(&a->parts, &b->parts, sizeof a->parts) == 0; /* struct without padding */
    for (int k = 0; k < 2; k++)
        same = same && a->toomre_q[k] == b->toomre_q[k];
    for (int k = 0; k < GALAXY_PARTS; k++)
        same = same && a->softening[k] == b->softening[k];
    return same;
}

static enum status make_tables(struct galaxy *galaxy, const struct galaxy_params *params)
{
    double known[GALAXY_PARTS] = {-1, -1, -1, -1};
    struct bessel bessel = {0};
    enum status status = STATUS_OK;
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
        parts_span(&galaxy->parts, &galaxy->shells[part]);
        parts_spread(&galaxy->parts, part, &galaxy->shells[part]);
        shells_enclosed(&galaxy->shells[part], galaxy->enclosed[part]);
    }
    for (enum galaxy_part part = 0; status == STATUS_OK && part < GALAXY_PARTS; part++) {
        if (!has(galaxy, part))
            continue;
        find_pulls(galaxy, part, known);
        if (part < GALAXY_BULGE)
            make_disk(galaxy, part, galaxy->toomre_q[part], &bessel);
        else
            status = make_sphere(galaxy, part, params);
    }
    bessel_close(&bessel);
    return status;
}

/* The galaxies in use and at least the last KEPT ones, the last one opened first. A film makes its
 * galaxies several times, with different numbers of bodies. */
static struct galaxy *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of `kept` and `users` */

/* Takes a galaxy with these tables from the list; NULL: there is none. */
static struct galaxy *take(const struct galaxy *like)
{
    for (struct galaxy **at = &kept; *at; at = &(*at)->next)
        if (is_same(*at, like)) {
            struct galaxy *galaxy = *at;
            *at = galaxy->next;
            return galaxy;
        }
    return NULL;
}

static void forget_unused(void)
{
    size_t count = 0;
    for (struct galaxy **at = &kept; *at;) {
        struct galaxy *galaxy = *at;
        const bool keep = count++ < KEPT || galaxy->users > 0;
        if (keep) {
            at = &galaxy->next;
        } else {
            *at = galaxy->next;
            free(galaxy);
        }
    }
}

enum status galaxy_open(struct galaxy **out, const struct galaxy_params *params, double softening)
{
    enum status status = STATUS_OK;
    struct galaxy *made = memory_new(1, sizeof *made);
    describe(made, params, softening);
    pthread_mutex_lock(&lock); /* also while tables are made, which another may be waiting for */
    struct galaxy *galaxy = take(made);
    if (!galaxy) {
        galaxy = made;
        made = NULL;
        status = make_tables(galaxy, params);
    }
    if (status == STATUS_OK) {
        galaxy->users++;
        galaxy->next = kept;
        kept = galaxy;
        forget_unused();
    }
    pthread_mutex_unlock(&lock);
    free(made);
    if (status != STATUS_OK)
        free(galaxy);
    *out = status == STATUS_OK ? galaxy : NULL;
    return status;
}

void galaxy_close(struct galaxy **galaxy)
{
    pthread_mutex_lock(&lock);
    if (*galaxy)
        (*galaxy)->users--;
    pthread_mutex_unlock(&lock);
    *galaxy = NULL;
}

static double sphere_radius(const struct galaxy *galaxy, enum galaxy_part part, double fraction)
{
    const double *inside = galaxy->enclosed[part], *radius = galaxy->shells[part].radius;
    const double mass = fraction * inside[SHELLS - 1];
    if (!(mass > inside[0]))
        return radius[0] * sqrt(mass / inside[0]);
    const size_t low = search_cell(inside, SHELLS, mass), high = low + 1;
    const double part_way = (mass - inside[low]) / (inside[high] - inside[low]);
    return (1 - part_way) * radius[low] + part_way * radius[high];
}

static void sphere_body(const struct galaxy *galaxy, enum galaxy_part part, double fraction,
                        struct random *random, double x[3], double v[3])
{
    const double r = sphere_radius(galaxy, part, fraction);
    random_direction3(random, x);
    const double speed = speeds_draw(&galaxy->speeds[part - GALAXY_BULGE], r, random);
    random_direction3(random, v);
    for (int k = 0; k < 3; k++) {
        x[k] *= r;
        v[k] *= speed;
    }
}

static void disk_body(const struct galaxy *galaxy, enum galaxy_part part, double fraction,
                      struct random *random, double x[3], double v[3])
{
    disk_place(&galaxy->disk[part], fraction, random, x);
    const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    const double depth = shells_at(&galaxy->shells[part], galaxy->depth[part], r);
    const double limit = 0.95 * sqrt(2 * (galaxy->escape[part] - depth));
    double speed = INFINITY;
    for (int try = 0; try < TRIES && speed > limit; try++) {
        disk_move(&galaxy->disk[part], x, random, v);
        speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    }
    for (int k = 0; k < 3 && speed > limit; k++)
        v[k] *= limit / speed;
}

static void body(const struct galaxy *galaxy, enum galaxy_part part, double fraction,
                 struct random *random, double x[3], double v[3])
{
    if (part < GALAXY_BULGE)
        disk_body(galaxy, part, fraction, random, x, v);
    else
        sphere_body(galaxy, part, fraction, random, x, v);
}

static void noisy_body(const struct galaxy *galaxy, enum galaxy_part part,
                       const struct galaxy_draw *draw, size_t i, double x[3], double v[3])
{
    struct random random = random_of(draw->seed, draw->stream, i);
    const double fraction = random_uniform(&random);
    body(galaxy, part, fraction, &random, x, v);
}

/* Bodies 2 i and 2 i + 1, those of them that are among `count` from `first` on. */
static void pair(const struct galaxy *galaxy, enum galaxy_part part, const struct galaxy_draw *draw,
                 size_t i, size_t first, size_t count, double (*position)[3], double (*velocity)[3])
{
    struct random random = random_of(draw->seed, draw->stream, i);
    double x[3], v[3];
    body(galaxy, part, random_even(draw->seed, draw->stream, i), &random, x, v);
    for (size_t twin = 0; twin < 2; twin++) {
        const size_t number = 2 * i + twin;
        if (number < first || number >= first + count)
            continue;
        for (int k = 0; k < 3; k++) {
            position[number - first][k] = twin ? -x[k] : x[k];
            velocity[number - first][k] = twin ? -v[k] : v[k];
        }
    }
}

void galaxy_fill(const struct galaxy *galaxy, enum galaxy_part part, const struct galaxy_draw *draw,
                 size_t first, size_t count, double (*position)[3], double (*velocity)[3])
{
    enum { BATCH = 1024 };
    const size_t begin = draw->noisy ? first : first / 2;
    const size_t end = draw->noisy ? first + count : (first + count + 1) / 2;
#pragma omp parallel for schedule(dynamic, BATCH)
    for (size_t i = begin; i < end; i++)
        if (draw->noisy)
            noisy_body(galaxy, part, draw, i, position[i - first], velocity[i - first]);
        else
            pair(galaxy, part, draw, i, first, count, position, velocity);
}

bool galaxy_settles(enum galaxy_part part, const struct galaxy_draw *draw, size_t all)
{
    return !draw->noisy && part >= GALAXY_BULGE && all >= SETTLED_FROM;
}

/* Sums over the first of each pair. */
void galaxy_weigh(const struct galaxy *galaxy, enum galaxy_part part, size_t first, size_t count,
                  const double (*position)[3], const double (*velocity)[3], double sums[2])
{
    const struct speeds *speeds = &galaxy->speeds[part - GALAXY_BULGE];
    for (size_t i = first % 2; i < count; i += 2) {
        const double *x = position[i], *v = velocity[i];
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        sums[0] += shells_at(&galaxy->shells[part], speeds->square, r);
        sums[1] += v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    }
}

void galaxy_settle(const double sums[2], size_t count, double (*velocity)[3])
{
    const double factor = sums[1] > 0 ? sqrt(sums[0] / sums[1]) : 1;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            velocity[i][k] *= factor;
}

const struct disk *galaxy_disk(const struct galaxy *galaxy, enum galaxy_part part)
{
    return part < GALAXY_BULGE && has(galaxy, part) ? &galaxy->disk[part] : NULL;
}

const struct speeds *galaxy_speeds(const struct galaxy *galaxy, enum galaxy_part part)
{
    return part >= GALAXY_BULGE && has(galaxy, part) ? &galaxy->speeds[part - GALAXY_BULGE] : NULL;
}

/* Offset of a part's stream, so that ages and motions use different numbers. */
enum { STREAM = 1 << 16 };

static const double HALO = 12, BULGE = 10, INSIDE = 8, OUTSIDE = 1.5; /* Gyr */
static const double HALFWAY = 2;                                      /* scale lengths */
static const double SCATTER = 0.3, YOUNGEST = 0.1, OLDEST = 13;

static double disk_age(double radius, struct random *random)
{
    const double x = radius / HALFWAY, mean = OUTSIDE + (INSIDE - OUTSIDE) / (1 + x * x);
    return fmin(fmax(mean * (1 + SCATTER * random_normal(random)), YOUNGEST), OLDEST);
}

void populations_fill(enum galaxy_part part, const struct galaxy_draw *draw, double scale,
                      size_t first, size_t count, const double (*position)[3], double *birth_radius,
                      double *age)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        const double *x = position[i];
        struct random random = random_of(draw->seed, draw->stream + STREAM, first + i);
        birth_radius[i] = part < GALAXY_BULGE ? sqrt(x[0] * x[0] + x[1] * x[1]) / scale : NAN;
        age[i] = part == GALAXY_DISK    ? disk_age(birth_radius[i], &random)
                 : part == GALAXY_GAS   ? 0
                 : part == GALAXY_BULGE ? BULGE
                                        : HALO;
    }
}
