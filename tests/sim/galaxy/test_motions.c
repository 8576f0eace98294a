/* Motions of a galaxy's parts: distribution functions against their densities, Jeans' equations,
 * Toomre's Q, the escape speed. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "sim/galaxy/disk.h"
#include "sim/galaxy/galaxy.h"
#include "sim/galaxy/spheroid.h"

#include <math.h>

static struct galaxy_params whole(void)
{
    return (struct galaxy_params){.name = "a",
                                  .disk_mass = 1,
                                  .disk_scale = 1,
                                  .disk_height = 0.2,
                                  .toomre_q = 1.5,
                                  .bulge_mass = 0.3,
                                  .bulge_scale = 0.3,
                                  .halo_mass = 8,
                                  .halo_scale = 5};
}

static struct galaxy *open_galaxy(const struct galaxy_params *params, double softening)
{
    struct galaxy *galaxy;
    assert_ok(galaxy_check(params));
    assert_ok(galaxy_open(&galaxy, params, softening));
    return galaxy;
}

/* f at every radius: 4 pi int f v^2 dv is the density, and the dispersion satisfies Jeans'
 * equation. */
static void check_spheroid(const struct galaxy *galaxy, const struct sphere *sphere,
                           enum galaxy_part part)
{
    const struct speeds *speeds = galaxy_speeds(galaxy, part);
    const struct shells *shells = speeds->radii;
    double pressure = 0;
    for (int i = SHELLS - 2; i >= 0; i--) {
        const double r = shells->radius[i], rho = sphere_density(sphere, r);
        const double outer = sphere_density(sphere, shells->radius[i + 1]);
        pressure += 0.5 * (rho + outer) * (speeds->depth[i + 1] - speeds->depth[i]);
        assert_true(speeds->f[i] >= 0);
        if (r < 0.02 * sphere->scale || r * r * r * rho < 1e-5 * sphere->mass)
            continue;
        const double limit = sqrt(2 * (speeds->escape - speeds->depth[i]));
        double sum = 0;
        enum { STEPS = 4000 };
        for (int s = 0; s < STEPS; s++) {
            const double v = limit * (s + 0.5) / STEPS;
            sum +=
                4 * M_PI * v * v * limit / STEPS * speeds_f(speeds, speeds->depth[i] + v * v / 2);
        }
        assert_about(sum / rho, 1, r * r * r * rho > 1e-3 * sphere->mass ? 0.025 : 0.04);
        assert_about(speeds->square[i] / 3 / (pressure / rho), 1,
                     r * r * r * rho > 1e-3 * sphere->mass ? 0.025 : 0.04);
    }
}

TEST(spheroids_keep_their_density)
{
    static const char *const haloes[] = {"hernquist", "nfw", "isothermal"};
    for (int h = 0; h < 3; h++) {
        struct galaxy_params params = whole();
        params.halo_profile = choose(&halo_profile_registry, haloes[h]);
        params.bulge_profile = choose(&bulge_profile_registry, h ? "sersic" : "hernquist");
        params.sersic_index = h == 1 ? 1 : 4;
        struct galaxy *galaxy = open_galaxy(&params, h == 2 ? 0 : 0.05);
        const struct sphere bulge = sphere_of(&params, SPHEROID_BULGE),
                            halo = sphere_of(&params, SPHEROID_HALO);
        check_spheroid(galaxy, &bulge, GALAXY_BULGE);
        if (h < 2) /* a core's f is a little below 0 at the centre of the bulge */
            check_spheroid(galaxy, &halo, GALAXY_HALO);
        assert_true(galaxy_speeds(galaxy, GALAXY_HALO)->negative < 0.005);
        galaxy_close(&galaxy);
    }
}

enum { BODIES = 60000, RINGS = 8 };
static double place[BODIES][3], motion[BODIES][3];

/* Bodies drawn from it: radii follow the density, speeds have the dispersion. */
TEST(spheroids_are_drawn_as_they_are)
{
    const struct galaxy_params params = whole();
    struct galaxy *galaxy = open_galaxy(&params, 0.05);
    for (int noisy = 0; noisy < 2; noisy++) {
        for (enum galaxy_part part = GALAXY_BULGE; part <= GALAXY_HALO; part++) {
            const struct galaxy_draw draw = {1, (uint32_t)part, noisy};
            const struct speeds *speeds = galaxy_speeds(galaxy, part);
            struct shells shells;
            double enclosed[SHELLS];
            const struct parts parts = parts_of(&params);
            parts_span(&parts, &shells);
            parts_spread(&parts, part, &shells);
            shells_enclosed(&shells, enclosed);
            double sums[2] = {0};
            galaxy_fill(galaxy, part, &draw, 0, BODIES, place, motion);
            assert_true(galaxy_settles(part, &draw, BODIES) == !noisy);
            if (!noisy) {
                galaxy_weigh(galaxy, part, 0, BODIES, (const double(*)[3])place,
                             (const double(*)[3])motion, sums);
                galaxy_settle(sums, BODIES, motion);
            }
            size_t within[3] = {0};
            double warm = 0, wanted = 0, side[3] = {0};
            const double radii[3] = {0.3, 1.5, 9};
            for (int i = 0; i < BODIES; i++) {
                const double *x = place[i], *v = motion[i];
                const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
                const double v2 = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
                for (int k = 0; k < 3; k++)
                    within[k] += r < radii[k];
                assert_true(v2 < 2.02 * (speeds->escape - shells_at(&shells, speeds->depth, r)));
                warm += v2;
                wanted += shells_at(&shells, speeds->square, r);
                for (int k = 0; k < 3; k++)
                    side[k] += v[k] * v[k];
            }
            for (int k = 0; k < 3; k++) {
                const double inside = shells_at(&shells, enclosed, radii[k]) / enclosed[SHELLS - 1];
                assert_about((double)within[k] / BODIES, inside, noisy ? 0.008 : 0.002);
                assert_about(3 * side[k] / warm, 1, 0.02);
            }
            assert_about(warm / wanted, 1, noisy ? 0.02 : 1e-9);
        }
    }
    galaxy_close(&galaxy);
}

/* The disk: surface density and dispersions as wanted, and the radial Jeans equation
 * <vphi^2> = R dPhi/dR + sigma^2 (1 + d ln(Sigma sigma^2) / d ln R), which no step of making it
 * uses.
 */
TEST(a_disk_moves_as_jeans_has_it)
{
    const struct galaxy_params params = whole();
    struct galaxy *galaxy = open_galaxy(&params, 0.05);
    const struct disk *disk = galaxy_disk(galaxy, GALAXY_DISK);
    const struct galaxy_draw draw = {1, 0, true};
    galaxy_fill(galaxy, GALAXY_DISK, &draw, 0, BODIES, place, motion);
    double count[RINGS] = {0}, out2[RINGS] = {0}, along2[RINGS] = {0}, wanted[RINGS] = {0};
    for (int i = 0; i < BODIES; i++) {
        const double *x = place[i], *v = motion[i], r = hypot(x[0], x[1]);
        const int ring = (int)(2 * r) - 1; /* from half a scale length on */
        if (r < 0.5 || ring >= RINGS)
            continue;
        const double d = 0.02, out = (x[0] * v[0] + x[1] * v[1]) / r,
                     along = (x[0] * v[1] - x[1] * v[0]) / r;
        const double s0 = orbits_at(&disk->orbits, disk->wanted, r - d),
                     s1 = orbits_at(&disk->orbits, disk->wanted, r + d);
        const double falls = log(sheet_surface(&disk->sheet, r + d) * s1 * s1 /
                                 (sheet_surface(&disk->sheet, r - d) * s0 * s0)) /
                             (2 * d) * r;
        const double sigma = orbits_at(&disk->orbits, disk->wanted, r);
        count[ring]++;
        out2[ring] += out * out / (sigma * sigma);
        along2[ring] += along * along;
        wanted[ring] +=
            r * orbits_at(&disk->orbits, disk->orbits.pull, r) + sigma * sigma * (1 + falls);
    }
    for (int k = 0; k < RINGS; k++) {
        assert_true(count[k] > 1000);
        assert_about(out2[k] / count[k], 1, 5 * sqrt(2 / count[k]));
        assert_about(along2[k] / wanted[k], 1, 0.02);
    }
    galaxy_close(&galaxy);
}

/* Across the disk: the pressure's integral over the column is that of rho z dPhi/dz. A light disk
 * in a heavy halo has sigma_z = nu times the height's root mean square, nu^2 = M(R) / R^3. */
TEST(a_light_disk_is_thick_by_its_halo)
{
    struct galaxy_params params = whole();
    params.disk_mass = 1e-6;
    params.bulge_mass = 0;
    params.disk_height = 0.02;
    struct galaxy *galaxy = open_galaxy(&params, 0);
    const struct disk *disk = galaxy_disk(galaxy, GALAXY_DISK);
    const struct galaxy_draw draw = {1, 0, false};
    galaxy_fill(galaxy, GALAXY_DISK, &draw, 0, BODIES, place, motion);
    double found = 0, wanted = 0;
    for (int i = 0; i < BODIES; i++) {
        const double r = hypot(place[i][0], place[i][1]);
        if (r < 1 || r > 4)
            continue;
        const double nu2 = orbits_at(&disk->orbits, disk->orbits.pull, r) / r;
        found += motion[i][2] * motion[i][2] / nu2;
        wanted += 0.02 * 0.02 * M_PI * M_PI / 12;
    }
    assert_about(found / wanted, 1, 0.03);
    galaxy_close(&galaxy);
}

/* A fraction of the requested dispersion. */
static double toomre_q(const struct disk *disk, double radius)
{
    return orbits_at(&disk->orbits, disk->wanted, radius) *
           orbits_at(&disk->orbits, disk->orbits.epicyclic, radius) /
           (3.36 * sheet_surface(&disk->sheet, radius));
}

/* Q has the requested value at 2.43 scale lengths, and is not smaller anywhere, for disk and gas.
 */
TEST(toomres_q_is_the_least)
{
    for (double q = 0.5; q < 3; q *= 2) {
        struct galaxy_params params = whole();
        params.toomre_q = q;
        params.gas_mass = 0.1;
        params.gas_toomre_q = q == 1 ? 0 : 1.2 * q; /* 0: the disk's */
        struct galaxy *galaxy = open_galaxy(&params, 0.05);
        for (enum galaxy_part part = GALAXY_DISK; part <= GALAXY_GAS; part++) {
            const struct disk *disk = galaxy_disk(galaxy, part);
            const double want = part == GALAXY_DISK || q == 1 ? q : 1.2 * q;
            assert_about(toomre_q(disk, 2.43) / want, 1, 0.02);
            for (double r = 0.05; r < 6; r += 0.05)
                assert_true(toomre_q(disk, r) > 0.99 * want);
            assert_true(disk->miss < 0.15);
        }
        assert_true(galaxy_disk(galaxy, GALAXY_GAS)->wanted[60] <
                    0.3 * galaxy_disk(galaxy, GALAXY_DISK)->wanted[60]);
        galaxy_close(&galaxy);
    }
}

/* The radius of the circular orbit of an angular momentum, R v = sqrt(R^3 dPhi/dR), and that of a
 * homogeneous core, where it is Omega R^2. */
TEST(circles_have_their_spin)
{
    const struct galaxy_params params = whole();
    struct galaxy *galaxy = open_galaxy(&params, 0.05);
    const struct orbits *orbits = &galaxy_disk(galaxy, GALAXY_DISK)->orbits;
    for (int i = 0; i + 1 < ORBITS; i++) {
        const double r = orbits->radius[i];
        assert_about(orbits_guiding(orbits, sqrt(r * r * r * orbits->pull[i])) / r, 1, 1e-3);
    }
    const double first = orbits->radius[0], turn = sqrt(orbits->pull[0] / first);
    for (double part = 0.1; part < 1; part += 0.2)
        assert_about(orbits_guiding(orbits, turn * part * part * first * first) / first, part,
                     1e-9);
    galaxy_close(&galaxy);
}

/* However hot, no body of a disk is faster than 0.95 of the escape speed. */
TEST(no_body_leaves)
{
    struct galaxy_params params = whole();
    params.toomre_q = 1e6;
    struct galaxy *galaxy = open_galaxy(&params, 0.05);
    const struct galaxy_draw draw = {1, 0, false};
    const struct speeds *speeds = galaxy_speeds(galaxy, GALAXY_HALO); /* of the same softening */
    galaxy_fill(galaxy, GALAXY_DISK, &draw, 0, BODIES, place, motion);
    double fastest = 0;
    for (int i = 0; i < BODIES; i++) {
        const double *x = place[i], *v = motion[i];
        const double r = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        const double limit2 = 2 * (speeds->escape - shells_at(speeds->radii, speeds->depth, r));
        fastest = fmax(fastest, sqrt((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / limit2));
    }
    assert_true(fastest > 0.9 && fastest <= 0.95 * (1 + 1e-9));
    const struct disk *disk = galaxy_disk(galaxy, GALAXY_DISK);
    for (int i = 0; i < ORBITS; i++) { /* nor hotter than 0.4 of it */
        const double r = disk->orbits.radius[i], depth = shells_at(speeds->radii, speeds->depth, r);
        assert_about(disk->wanted[i] / sqrt(2 * (speeds->escape - depth)), 0.4, 1e-6);
    }
    galaxy_close(&galaxy);
}

static struct galaxy_params with_gas(void)
{
    struct galaxy_params params = whole();
    params.gas_mass = 0.2;
    params.disk_softening = params.gas_softening = 0.05;
    params.bulge_softening = params.halo_softening = 0.05;
    return params;
}

/* A softening that hardly differs from the others' has hardly any effect. */
TEST(parts_of_other_softening_are_pulled_by_all)
{
    struct galaxy_params params = with_gas();
    double *const softening[] = {&params.disk_softening, &params.gas_softening,
                                 &params.bulge_softening, &params.halo_softening};
    struct galaxy *usual = open_galaxy(&params, 1);
    for (int k = 0; k < 4; k++) {
        *softening[k] *= 1 + 1e-9;
        struct galaxy *galaxy = open_galaxy(&params, 1);
        for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
            const struct disk *a = galaxy_disk(usual, part), *b = galaxy_disk(galaxy, part);
            if (part < GALAXY_BULGE)
                for (int i = 0; i < ORBITS; i++)
                    assert_about(b->orbits.pull[i] / a->orbits.pull[i], 1, 1e-6);
            else
                assert_about(galaxy_speeds(galaxy, part)->escape /
                                 galaxy_speeds(usual, part)->escape,
                             1, 1e-6);
        }
        galaxy_close(&galaxy);
        *softening[k] = 0.05;
    }
    galaxy_close(&usual);
}

/* Three times as long and as heavy in all its parts: speeds are the same. */
TEST(a_galaxy_is_scaled_as_a_whole)
{
    struct galaxy_params params = with_gas();
    struct galaxy *small = open_galaxy(&params, 0.05);
    double *const numbers[] = {
        &params.disk_mass,      &params.gas_mass,        &params.bulge_mass,
        &params.halo_mass,      &params.disk_scale,      &params.disk_height,
        &params.bulge_scale,    &params.halo_scale,      &params.gas_softening,
        &params.disk_softening, &params.bulge_softening, &params.halo_softening};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] *= 3;
    struct galaxy *large = open_galaxy(&params, 0.15);
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
        const struct disk *a = galaxy_disk(small, part), *b = galaxy_disk(large, part);
        for (int i = 0; part < GALAXY_BULGE && i < ORBITS; i++) {
            assert_about(b->orbits.radius[i] / a->orbits.radius[i], 3, 1e-9);
            assert_about(b->wanted[i] / a->wanted[i], 1, 1e-5);
            assert_about(b->vertical[i * DISK_HEIGHTS] / a->vertical[i * DISK_HEIGHTS], 1, 1e-5);
        }
        if (part >= GALAXY_BULGE)
            assert_about(galaxy_speeds(large, part)->escape / galaxy_speeds(small, part)->escape, 1,
                         1e-5);
    }
    galaxy_close(&small);
    galaxy_close(&large);
}

/* Whatever slices bodies are made in, they and their sums are the same. */
TEST(slices_are_the_whole)
{
    enum { ALL = 101 };
    static const size_t ends[] = {0, 1, 34, 67, 67, ALL};
    const struct galaxy_params params = with_gas();
    struct galaxy *galaxy = open_galaxy(&params, 0.05);
    for (int noisy = 0; noisy < 2; noisy++)
        for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
            const struct galaxy_draw draw = {1, (uint32_t)part, noisy};
            double x[ALL][3], v[ALL][3], sums[2] = {0}, whole[2] = {0};
            if (!galaxy_disk(galaxy, part) && !galaxy_speeds(galaxy, part))
                continue;
            galaxy_fill(galaxy, part, &draw, 0, ALL, place, motion);
            for (size_t s = 0; s + 1 < sizeof ends / sizeof *ends; s++) {
                const size_t first = ends[s], count = ends[s + 1] - first;
                galaxy_fill(galaxy, part, &draw, first, count, x + first, v + first);
                if (part >= GALAXY_BULGE)
                    galaxy_weigh(galaxy, part, first, count, (const double(*)[3])x + first,
                                 (const double(*)[3])v + first, sums);
            }
            assert_memory_equal(x, place, sizeof x);
            assert_memory_equal(v, motion, sizeof v);
            if (part >= GALAXY_BULGE)
                galaxy_weigh(galaxy, part, 0, ALL, (const double(*)[3])place,
                             (const double(*)[3])motion, whole);
            assert_memory_equal(sums, whole, sizeof sums);
        }
    galaxy_close(&galaxy);
}

/* Equal galaxies share tables, which are kept when they are closed; others do not. */
TEST(tables_are_made_once)
{
    struct galaxy_params params = with_gas();
    struct galaxy *first = open_galaxy(&params, 0.05), *second;
    const struct disk *const disk = galaxy_disk(first, GALAXY_DISK);
    params.name = "another";
    params.inclination += 30;
    second = open_galaxy(&params, 0.05);
    assert_ptr_equal(galaxy_disk(second, GALAXY_DISK), disk);
    galaxy_close(&first);
    galaxy_close(&second);
    assert_null(first);
    for (int k = 0; k < 12; k++) { /* more than are kept, without the first one */
        struct galaxy_params other = params;
        other.toomre_q *= k > 0 ? 1 + 0.01 * k : 1;
        struct galaxy *galaxy = open_galaxy(&other, 0.05);
        assert_true((galaxy_disk(galaxy, GALAXY_DISK) == disk) == (k == 0));
        if (k == 0)
            first = galaxy;
        else
            galaxy_close(&galaxy);
    }
    const double wanted = galaxy_disk(first, GALAXY_DISK)->wanted[0]; /* still in use */
    second = open_galaxy(&params, 0.05);
    assert_ptr_equal(galaxy_disk(second, GALAXY_DISK), disk);
    assert_true(wanted == disk->wanted[0]);
    galaxy_close(&first);
    galaxy_close(&second);
    params.disk_softening += 0.01;
    second = open_galaxy(&params, 0.05);
    assert_ptr_not_equal(galaxy_disk(second, GALAXY_DISK), disk);
    galaxy_close(&second);
}

/* Of sech^2(z / h) the mean of |z| is h ln 2; gas that says nothing is a quarter as thick. */
TEST(disks_are_as_thick_as_asked)
{
    for (int own = 0; own < 2; own++) {
        struct galaxy_params params = with_gas();
        params.gas_height = own ? 0.08 : 0;
        struct galaxy *galaxy = open_galaxy(&params, 0.05);
        for (enum galaxy_part part = GALAXY_DISK; part <= GALAXY_GAS; part++) {
            const struct galaxy_draw draw = {1, (uint32_t)part, true};
            double mean = 0, above = 0;
            galaxy_fill(galaxy, part, &draw, 0, BODIES, place, motion);
            for (int i = 0; i < BODIES; i++) {
                mean += fabs(place[i][2]) / BODIES;
                above += place[i][2] / BODIES;
            }
            assert_true(fabs(above) < 0.03 * mean); /* as many on either side */
            assert_about(mean / M_LN2 / (part == GALAXY_DISK ? 0.2 : own ? 0.08 : 0.05), 1, 0.02);
        }
        galaxy_close(&galaxy);
    }
}

TESTS(NULL, NULL)
