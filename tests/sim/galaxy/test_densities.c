/* Densities and potentials of a galaxy's parts: the requested values, the softened potential
 * against sums over bodies and against closed forms. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "sim/galaxy/field.h"
#include "base/random.h"

#include <math.h>

/* r^2 dPhi/dr: without softening the mass within r. It grows from 0 to `total`. */
static double mass_within(const struct galaxy_field *field, double r)
{
    const double first = field->shells.radius[0];
    if (r < first)
        return field->pull[0] * (r / first) * (r / first) * (r / first);
    return r < field->shells.radius[SHELLS - 1] ? shells_at(&field->shells, field->pull, r)
                                                : field->total;
}

static struct galaxy_params whole(void)
{
    return (struct galaxy_params){.name = "a",
                                  .disk_mass = 1,
                                  .disk_scale = 1,
                                  .disk_height = 0.1,
                                  .toomre_q = 1.5,
                                  .bulge_mass = 0.3,
                                  .bulge_scale = 0.2,
                                  .halo_mass = 6,
                                  .halo_scale = 4};
}

/* Mass and slope of every profile, edge and index. */
TEST(spheroids_have_their_mass)
{
    static const char *const haloes[] = {"hernquist", "nfw", "isothermal"};
    static const double edges[] = {0, 3, 40};
    static const double indices[] = {0, 1, 2.5};
    for (int h = 0; h < 6; h++) {
        for (int e = 0; e < 3; e++) {
            struct galaxy_params galaxy = whole();
            if (h < 3)
                galaxy.halo_profile = choose(&halo_profile_registry, haloes[h]);
            galaxy.halo_edge = galaxy.bulge_edge = edges[e];
            galaxy.bulge_profile = choose(&bulge_profile_registry, "sersic");
            galaxy.sersic_index = indices[h % 3];
            const struct sphere sphere = sphere_of(&galaxy, h < 3 ? SPHEROID_HALO : SPHEROID_BULGE);
            double mass = 0, least = 1e-4 * sphere.scale;
            const int points = 5000;
            const double step = log(sphere_end(&sphere) / least) / points;
            for (int i = 0; i <= points; i++) {
                const double r = least * exp(step * i);
                mass += 4 * M_PI * r * r * r * step * sphere_density(&sphere, r);
                const double d = 1e-5 * r;
                const double slope =
                    (sphere_density(&sphere, r + d) - sphere_density(&sphere, r - d)) / (2 * d);
                const double rho = sphere_density(&sphere, r);
                if (rho > 1e-200)
                    assert_about(sphere_slope(&sphere, r) / slope, 1,
                                 1e-5 + 1e-9 * rho / fabs(r * slope));
            }
            assert_about(mass / sphere.mass, 1, 1e-3);
        }
    }
}

/* sech(r / edge) at r = edge; the edge is that of the profile where none is given. */
TEST(spheroids_end_where_it_is_said)
{
    static const struct {
        const char *halo;
        double edge;
    } haloes[] = {{"hernquist", 6}, {"nfw", 10}, {"isothermal", 10}};
    struct galaxy_params galaxy = whole();
    for (int h = 0; h < 3; h++) {
        galaxy.halo_profile = choose(&halo_profile_registry, haloes[h].halo);
        galaxy.halo_edge = 0;
        const struct sphere usual = sphere_of(&galaxy, SPHEROID_HALO);
        galaxy.halo_edge = 1e9;
        const struct sphere endless = sphere_of(&galaxy, SPHEROID_HALO);
        const double edge = haloes[h].edge * galaxy.halo_scale, inside = 1e-3 * edge;
        assert_about(sphere_density(&usual, edge) / sphere_density(&endless, edge) /
                         (sphere_density(&usual, inside) / sphere_density(&endless, inside)),
                     1 / cosh(1), 1e-5);
    }
    for (int own = 0; own < 2; own++) { /* disks end at half of their density there */
        galaxy.disk_edge = own ? 4 : 0;
        galaxy.gas_mass = 0.1;
        galaxy.gas_scale = 2;
        for (enum sheet_part part = SHEET_DISK; part <= SHEET_GAS; part++) {
            const struct sheet sheet = sheet_of(&galaxy, part);
            const double edge = (own ? 4 : 6) * sheet.scale;
            assert_about(sheet_surface(&sheet, edge) / sheet_surface(&sheet, 0.1 * sheet.scale) *
                             exp(edge / sheet.scale - 0.1),
                         0.5, 1e-3);
        }
    }
}

/* Half of the projected mass of Sersic's spheroid is within the effective radius. */
TEST(sersic_has_its_effective_radius)
{
    for (double n = 1; n <= 4; n *= 2) {
        struct galaxy_params galaxy = whole();
        galaxy.bulge_profile = choose(&bulge_profile_registry, "sersic");
        galaxy.sersic_index = n;
        galaxy.bulge_scale = 1;
        galaxy.bulge_edge = 1e4;
        const struct sphere sphere = sphere_of(&galaxy, SPHEROID_BULGE);
        double seen = 0; /* of each shell: the part that lies within a cylinder of radius 1 */
        const double step = 1e-3;
        for (double x = log(1e-6); x < log(1e5); x += step) {
            const double r = exp(x), part = r < 1 ? 1 : 1 - sqrt(1 - 1 / (r * r));
            seen += 4 * M_PI * r * r * r * step * sphere_density(&sphere, r) * part;
        }
        assert_about(seen / sphere.mass, 0.5, 0.012);
    }
}

/* Without an edge: M = m r^2 / (r + a)^2, Phi = -m / (r + a). */
TEST(a_field_is_that_of_hernquist)
{
    struct galaxy_params galaxy = whole();
    galaxy.disk_mass = galaxy.bulge_mass = 0;
    galaxy.halo_edge = 4e4;
    static struct galaxy_field field;
    galaxy_field_make(&galaxy, 0, &field);
    assert_about(field.total, 6, 1e-12);
    for (double r = 0.01; r < 4e4; r *= 1.7) {
        const double x = r / (r + 4);
        assert_about(mass_within(&field, r) / (6 * x * x), 1, 3e-3);
        if (r < 100)
            assert_about(galaxy_field_potential(&field, r) / (-6 / (r + 4)), 1, 2e-3);
    }
    /* no step where the tables end */
    const double last = field.shells.radius[SHELLS - 1];
    assert_about(galaxy_field_potential(&field, last * (1 - 1e-9)) /
                     galaxy_field_potential(&field, last * (1 + 1e-9)),
                 1, 1e-6);
    assert_about(mass_within(&field, 1e9), 6, 1e-12);
    assert_about(galaxy_field_potential(&field, 1e9), -6e-9, 1e-18);
}

enum { BODIES = 40000 };
static double (*sampled(const struct sheet *sheet))[3]
{
    static double x[BODIES][3];
    const double end = sheet_end(sheet), most = 0.4 * sheet->unit;
    for (size_t i = 0; i < BODIES; i++) {
        struct random random = random_of(1, 1, i);
        double radius;
        do
            radius = end * random_uniform(&random);
        while (most * random_uniform(&random) > radius * sheet_surface(sheet, radius));
        double e[2];
        random_direction2(&random, e);
        x[i][0] = radius * e[0];
        x[i][1] = radius * e[1];
        x[i][2] = sheet->height * atanh(2 * random_uniform(&random) - 1);
    }
    return x;
}

/* The thick softened disk against the sum over bodies. */
TEST(a_sheet_is_the_sum_of_its_bodies)
{
    static const double softenings[] = {0, 0.1, 0.5};
    const double radii[] = {0.05, 0.5, 1, 2.5, 6, 9}, heights[] = {0, 0.1, 0.5, 2};
    enum { R = 6, Z = 4 };
    struct galaxy_params galaxy = whole();
    galaxy.disk_height = 0.3;
    const struct sheet sheet = sheet_of(&galaxy, SHEET_DISK);
    double(*x)[3] = sampled(&sheet);
    struct bessel bessel = {0};
    for (int s = 0; s < 3; s++) {
        const double eps2 = softenings[s] * softenings[s];
        double potential[R * Z] = {0}, pull[Z][R] = {{0}};
        for (int j = 0; j < Z; j++) { /* each height's own pull, and the potential at all of them */
            double weights[Z] = {0}, unused[R * Z] = {0};
            weights[j] = 1;
            sheet_field(&sheet, softenings[s], R, radii,
                        &(struct sheet_heights){Z, heights, weights}, &bessel,
                        j ? unused : potential, pull[j]);
        }
        for (int i = 0; i < R; i++) {
            for (int j = 0; j < Z; j++) {
                double sum = 0, in = 0, in2 = 0;
                for (int b = 0; b < BODIES; b++) {
                    /* each body as a ring, by four of its places */
                    for (int q = 0; q < 4; q++) {
                        const double a = q & 1 ? x[b][1] : x[b][0], c = q & 1 ? x[b][0] : x[b][1];
                        const double dx = (q & 2 ? -a : a) - radii[i], dz = x[b][2] - heights[j];
                        const double d2 = dx * dx + c * c + dz * dz + eps2, d = sqrt(d2);
                        sum -= 1 / d;
                        in -= dx / (d2 * d);
                        in2 += dx * dx / (d2 * d2 * d2);
                    }
                }
                const double noise = sqrt(in2) / (4 * BODIES);
                assert_about(potential[i * Z + j], sum / (4 * BODIES), 0.006);
                assert_about(pull[j][i], in / (4 * BODIES), 4 * noise + 0.003);
            }
        }
    }
    bessel_close(&bessel);
}

/* A thin disk without softening or edge: Freeman (1970), at 2.2 scale lengths 0.3875 / 1. */
TEST(a_thin_sheet_is_freemans)
{
    struct galaxy_params galaxy = whole();
    galaxy.disk_height = 0;
    galaxy.disk_edge = 14;
    const struct sheet sheet = sheet_of(&galaxy, SHEET_DISK);
    const double radii[] = {0.3, 1, 2.2, 5}, height = 0, weight = 1;
    /* 2 y^2 (I0 K0 - I1 K1) at y = R / 2 */
    const double wanted[] = {0.069943, 0.277959, 0.386912, 0.239390};
    double potential[4] = {0}, pull[4] = {0};
    struct bessel bessel = {0};
    sheet_field(&sheet, 0, 4, radii, &(struct sheet_heights){1, &height, &weight}, &bessel,
                potential, pull);
    bessel_close(&bessel);
    for (int i = 0; i < 4; i++)
        assert_about(pull[i] * radii[i] / wanted[i], 1, 0.01);
}

/* The monopole of all parts is the mass that their bodies enclose, and the limit of the softened
 * force. */
TEST(shells_have_the_mass_of_the_parts)
{
    struct galaxy_params galaxy = whole();
    galaxy.gas_mass = 0.2;
    static struct galaxy_field field, soft;
    galaxy_field_make(&galaxy, 0, &field);
    galaxy_field_make(&galaxy, 0.3, &soft);
    assert_about(field.total, 7.5, 1e-9);
    double enclosed[SHELLS];
    shells_enclosed(&field.shells, enclosed);
    assert_about(enclosed[SHELLS - 1], 7.5, 2e-3);
    for (int i = 0; i < SHELLS; i += 7)
        assert_about(field.pull[i], enclosed[i], 1e-9);
    assert_about(mass_within(&soft, 30) / mass_within(&field, 30), 1, 1e-3);
    assert_true(mass_within(&soft, 0.1) < 0.2 * mass_within(&field, 0.1));
    struct galaxy_params thick = {.disk_mass = 1, .disk_scale = 1, .disk_height = 5};
    galaxy_field_make(&thick, 0, &field);
    shells_enclosed(&field.shells, enclosed);
    assert_about(enclosed[SHELLS - 1], 1, 2e-3);
    /* half of the disk's mass within 1.64 scale lengths, as its edge has it */
    galaxy.gas_mass = galaxy.bulge_mass = galaxy.halo_mass = 0;
    galaxy_field_make(&galaxy, 0, &field);
    double least = 0, most = 5;
    for (int i = 0; i < 50; i++) {
        const double r = (least + most) / 2;
        *(mass_within(&field, r) < 0.5 ? &least : &most) = r;
    }
    assert_about(least, 1.64, 0.03);
}

TESTS(NULL, NULL)
