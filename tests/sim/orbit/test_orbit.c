/* Initial states of galaxies: orbits of points, orientations of disks, explicit positions. */
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

#include "sim/orbit/orbit.h"

/* The pericentre is where e * GM points: the Laplace-Runge-Lenz vector v x L - GM x / r. */
TEST(the_pericentre_lies_where_it_is_said_to)
{
    static const double shapes[] = {0.3, 0.8, 1, 1.7};
    for (size_t i = 0; i < 4; i++) {
        struct orbit orbit;
        const double mass = 3, e = shapes[i], q = 0.8, r = 1.3;
        assert_ok(kepler_orbit(mass, r, q, e, &orbit));
        const double *x = orbit.position, *v = orbit.velocity;
        const double spin = x[0] * v[1] - x[1] * v[0];
        const double lenz[2] = {v[1] * spin / mass - x[0] / r, -v[0] * spin / mass - x[1] / r};
        assert_about(hypot(lenz[0], lenz[1]), e, 1e-12);
        assert_about(atan2(lenz[1], lenz[0]), orbit.pericentre, 1e-12);
        assert_true(v[0] < 0 && orbit.pericentre > 0);
    }
    struct orbit orbit;
    assert_ok(kepler_orbit(1, 2, 2, 0, &orbit));
    assert_about(orbit.pericentre, 0, 0);
    assert_ok(kepler_orbit(1, 2, 0, 1, &orbit));
    assert_about(orbit.pericentre, M_PI, 0);
    assert_about(orbit.velocity[0], -1, 1e-15); /* that of escape, sqrt(2 GM / r) */
    assert_about(orbit.velocity[1], 0, 0);
}

TEST(energy_says_what_eccentricity_does)
{
    const double mass = 3, q = 0.8, r = 1.3, shapes[] = {0.3, 0.8, 1, 1.7};
    struct orbit orbit, same;
    for (size_t i = 0; i < 4; i++) {
        const double e = shapes[i], energy = -mass * (1 - e) / (2 * q);
        assert_ok(kepler_orbit(mass, r, q, e, &same));
        assert_ok(kepler_orbit_of_energy(mass, r, q, energy, &orbit));
        const double *x = orbit.position, *v = orbit.velocity;
        assert_about((v[0] * v[0] + v[1] * v[1]) / 2 - mass / r, energy, 1e-12);
        assert_about(x[0], same.position[0], 0);
        assert_about(v[0], same.velocity[0], 1e-12);
        assert_about(v[1], same.velocity[1], 1e-12);
        assert_about(orbit.pericentre, same.pericentre, 1e-12);
    }
    assert_ok(kepler_orbit_of_energy(2, 4, 0, 0.5, &orbit)); /* head-on */
    assert_about(orbit.velocity[0], -sqrt(2 * (0.5 + 0.5)), 1e-12);
    assert_about(orbit.velocity[1], 0, 0);
    assert_ok(kepler_orbit_of_energy(2, 4, 0, -0.5, &orbit)); /* at rest */
    assert_about(orbit.velocity[0], 0, 1e-12);
    assert_ok(kepler_orbit_of_energy(3, 2, 1, -1, &orbit)); /* from the apocentre */
    assert_about(orbit.velocity[0], 0, 1e-7);
    assert_fails(kepler_orbit_of_energy(3, 2, 1, -1.001, &orbit), STATUS_USAGE,
                 "separation 2 energy -1");
    assert_fails(kepler_orbit_of_energy(3, 2, 2.5, 1, &orbit), STATUS_USAGE, "separation 2 orbit");
    assert_fails(kepler_orbit_of_energy(3, 2, 1, NAN, &orbit), STATUS_USAGE, "separation 2 orbit");
}

/* The companion's direction when it rises through the disk, plus omega, is that of its pericentre.
 */
TEST(omega_counts_from_the_rise_through_the_disk)
{
    for (int k = 0; k < 24; k++) {
        const double omega = 30 * k - 345, pericentre = 47, inclination = 15 + 5 * k;
        const double rise = (pericentre - omega) * M_PI / 180;
        double spin[3] = {0, 0, 1};
        const struct orientation lies =
            orientation_of(inclination, orientation_node(omega, pericentre));
        orientation_tilt(&lies, spin);
        assert_about(spin[2], cos(inclination * M_PI / 180), 1e-12);
        /* in the disk's plane there, and coming from below it: the orbit runs anticlockwise */
        assert_about(spin[0] * cos(rise) + spin[1] * sin(rise), 0, 1e-12);
        assert_true(-spin[0] * sin(rise) + spin[1] * cos(rise) > 0);
    }
}

TEST(galaxies_see_each_other_from_opposite_sides)
{
    struct galaxy_params galaxies[2] = {{.name = "a", .inclination = 60, .argument = -30},
                                        {.name = "b", .inclination = 60, .argument = -30}};
    struct bodies_params params = {
        .galaxies = galaxies, .galaxy_count = 2, .separation = 4, .pericentre = 4};
    const double mass[] = {1, 3};
    struct start start[GALAXIES_MOST];
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, start));
    assert_about(start[0].node, remainder(0 + 30 + 180, 360), 1e-9);
    assert_about(start[1].node, remainder(180 + 30 + 180, 360), 1e-9);
    assert_about(start[0].position[0], -3, 1e-15);
    assert_about(start[1].position[0], 1, 1e-15);
    for (int k = 0; k < 3; k++)
        assert_about(mass[0] * start[0].velocity[k] + mass[1] * start[1].velocity[k], 0, 1e-15);
    galaxies[1].argument = ARGUMENT_NONE;
    galaxies[1].node = 12;
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, start));
    assert_about(start[1].node, 12, 0);
}

/* The last orbit is kept for the bodies that a film makes of the same galaxies, and for no others.
 */
TEST(orbits_are_those_of_their_galaxies)
{
    struct galaxy_params galaxies[2] = {
        {.name = "a", .halo_mass = 10, .halo_scale = 3, .argument = ARGUMENT_NONE},
        {.name = "b", .halo_mass = 5, .halo_scale = 2, .argument = ARGUMENT_NONE}};
    struct bodies_params params = {.galaxies = galaxies,
                                   .galaxy_count = 2,
                                   .separation = 30,
                                   .pericentre = 4,
                                   .pericentre_time = 20};
    const double mass[] = {10, 5};
    struct start first[GALAXIES_MOST], other[4][GALAXIES_MOST];
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, first));
    params.pericentre = 5;
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, other[0]));
    params.pericentre = 4;
    params.pericentre_time = 21;
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, other[1]));
    params.pericentre_time = 20;
    galaxies[1].halo_scale = 3;
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, other[2]));
    galaxies[1].halo_scale = 2;
    galaxies[0].name = "c";
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, other[3]));
    for (int k = 0; k < 3; k++)
        assert_true(memcmp(first[0].velocity, other[k][0].velocity, sizeof first->velocity) != 0);
    assert_memory_equal(first[0].velocity, other[3][0].velocity, sizeof first->velocity);
}

TEST(galaxies_begin_where_they_say)
{
    struct galaxy_params galaxies[3] = {
        {.name = "a", .position = {1, 2, 3}, .argument = ARGUMENT_NONE},
        {.name = "b", .velocity = {0, 0, 6}, .argument = ARGUMENT_NONE},
        {.name = "c", .position = {0, 1, 0}, .node = 5, .argument = ARGUMENT_NONE}};
    struct bodies_params params = {.galaxies = galaxies, .galaxy_count = 3};
    const double mass[] = {1, 2, 3};
    struct start start[GALAXIES_MOST];
    assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, start));
    for (int k = 0; k < 3; k++) {
        double x = 0, v = 0;
        for (int g = 0; g < 3; g++) {
            x += mass[g] * start[g].position[k];
            v += mass[g] * start[g].velocity[k];
        }
        assert_about(x, 0, 1e-14);
        assert_about(v, 0, 1e-14);
        assert_about(start[0].position[k] - start[1].position[k], k + 1, 1e-14);
    }
    assert_about(start[1].velocity[2] - start[0].velocity[2], 6, 1e-14);
    assert_about(start[2].node, 5, 0);

    galaxies[2].argument = 20;
    assert_fails(starts_find(&params, STARTS_OF_GALAXIES, mass, start), STATUS_USAGE,
                 "node instead");
    galaxies[2].argument = ARGUMENT_NONE;
    galaxies[2].position[1] = 0;
    assert_fails(starts_find(&params, STARTS_OF_GALAXIES, mass, start), STATUS_USAGE, "one place");
    struct galaxy_params bare[3] = {{.name = "a", .argument = ARGUMENT_NONE},
                                    {.name = "b", .argument = ARGUMENT_NONE},
                                    {.name = "c", .argument = ARGUMENT_NONE}};
    params.galaxies = bare; /* three are on no orbit that they would be put on */
    assert_fails(starts_find(&params, STARTS_OF_GALAXIES, mass, start), STATUS_USAGE, "one place");
    params.galaxies = galaxies;
    galaxies[2].position[1] = NAN;
    assert_fails(starts_find(&params, STARTS_OF_GALAXIES, mass, start), STATUS_USAGE, "finite");
}

/* For points, the solver reproduces Kepler's orbit from its time of fall. */
TEST(a_timed_passage_of_points_is_keplers)
{
    const double q = 0.3, r = 4, mass = 2;
    struct orbit kepler, timed;
    struct passage_potential potential;
    passage_potential_points(mass, 0.01, 5, &potential);
    /* Barker's equation: t = sqrt(2 q^3 / M) (D + D^3 / 3), D = tan(f / 2) */
    const double tangent = sqrt(r / q - 1);
    const double time = sqrt(2 * q * q * q / mass) * (tangent + tangent * tangent * tangent / 3);
    assert_ok(kepler_orbit(mass, r, q, 1, &kepler));
    assert_ok(passage_orbit(&potential, r, q, time, &timed));
    for (int k = 0; k < 3; k++) {
        assert_about(timed.position[k], kepler.position[k], 0);
        assert_about(timed.velocity[k], kepler.velocity[k], 1e-5);
    }
    assert_about(timed.pericentre, kepler.pericentre, 1e-4);
    /* the longest is from the apocentre: half of Kepler's period of a = (r + q) / 2 */
    const double half = M_PI * sqrt(pow((r + q) / 2, 3) / mass);
    assert_ok(passage_orbit(&potential, r, q, 0.9995 * half, &timed));
    assert_fails(passage_orbit(&potential, r, q, 1.0005 * half, &timed), STATUS_USAGE,
                 "separation 4 7.003 bodies.pericentre_time");
    /* head-on: from rest at infinity it takes sqrt(2 / M) r^(3/2) / 3, and turns by half a circle
     */
    const double fall = sqrt(2 / mass) * r * sqrt(r) / 3;
    passage_potential_points(mass, 1e-6, 5, &potential);
    assert_ok(passage_orbit(&potential, r, 0, fall, &timed));
    assert_about(timed.pericentre, M_PI, 0);
    assert_about(timed.velocity[0], -sqrt(2 * mass / r), 1e-3);
    assert_about(timed.velocity[1], 0, 1e-6);
    assert_fails(passage_orbit(&potential, r, q, 100, &timed), STATUS_USAGE,
                 "separation 4 7.003 bodies.pericentre_time");
    assert_fails(passage_orbit(&potential, r, r, 1, &timed), STATUS_USAGE, "separation 4 orbit");
    assert_fails(passage_orbit(&potential, r, q, NAN, &timed), STATUS_USAGE, "separation 4 orbit");
}

/* The orbit of two haloes, integrated with forces that are differences of their potential, reaches
 * its pericentre at the requested time and distance. */
TEST(a_timed_passage_of_haloes_arrives)
{
    const struct galaxy_params galaxies[2] = {
        {.name = "a", .halo_mass = 5, .halo_scale = 2, .bulge_mass = 0.5, .bulge_scale = 0.3},
        {.name = "b", .halo_mass = 2, .halo_scale = 1}};
    struct galaxy_field field[2];
    struct passage_potential potential, swapped;
    for (int g = 0; g < 2; g++)
        galaxy_field_make(&galaxies[g], 0, &field[g]);
    passage_potential_make(&field[0], &field[1], 12, &potential);
    passage_potential_make(&field[1], &field[0], 12, &swapped); /* action and reaction */
    struct orbit orbit, other;
    const double time = 7.5, pericentre = 1.2;
    assert_ok(passage_orbit(&potential, 10, pericentre, time, &orbit));
    assert_ok(passage_orbit(&swapped, 10, pericentre, time, &other));
    for (int k = 0; k < 2; k++)
        assert_about(orbit.velocity[k], other.velocity[k], 2e-3);
    double x[2] = {orbit.position[0], orbit.position[1]};
    double v[2] = {orbit.velocity[0], orbit.velocity[1]}, before = 100, t = 0;
    for (const double dt = 5e-4; t < 2 * time && hypot(x[0], x[1]) < before; t += dt) {
        before = hypot(x[0], x[1]);
        for (int k = 0; k < 2; k++)
            x[k] += dt / 2 * v[k];
        const double r = hypot(x[0], x[1]), h = 1e-3 * r;
        const double pull =
            (passage_potential_at(&potential, r + h) - passage_potential_at(&potential, r - h)) /
            (2 * h);
        for (int k = 0; k < 2; k++) {
            v[k] -= dt * pull * x[k] / r;
            x[k] += dt / 2 * v[k];
        }
    }
    assert_about(t, time, 0.01);
    assert_about(before, pericentre, 0.005);
    assert_about(atan2(x[1], x[0]), orbit.pericentre, 0.01);
    /* half of either mass outside: far from what points would do */
    assert_true(passage_potential_at(&potential, pericentre) > -0.7 * potential.total / pericentre);
    assert_about(passage_potential_at(&potential, 11) * 11 / potential.total, -1, 0.12);
}

/* The order of the two does not matter for a passage at a given time. */
TEST(either_galaxy_may_be_the_first)
{
    struct galaxy_params a = {.name = "a", .halo_mass = 5, .halo_scale = 2},
                         b = {.name = "b", .halo_mass = 2, .halo_scale = 0.5};
    a.argument = b.argument = ARGUMENT_NONE;
    double speed[2], across[2];
    for (int swapped = 0; swapped < 2; swapped++) {
        struct galaxy_params galaxies[2] = {swapped ? b : a, swapped ? a : b};
        const struct bodies_params params = {.galaxies = galaxies,
                                             .galaxy_count = 2,
                                             .separation = 10,
                                             .pericentre = 1.2,
                                             .pericentre_time = 7.5};
        const double mass[] = {galaxies[0].halo_mass, galaxies[1].halo_mass};
        struct start start[GALAXIES_MOST];
        assert_ok(starts_find(&params, STARTS_OF_GALAXIES, mass, start));
        assert_about(start[1].position[0] - start[0].position[0], 10, 1e-12);
        speed[swapped] = start[1].velocity[0] - start[0].velocity[0];
        across[swapped] = start[1].velocity[1] - start[0].velocity[1];
    }
    assert_about(speed[1], speed[0], 2e-3);
    assert_about(across[1], across[0], 2e-3);
    assert_true(speed[0] < -0.5);
}

TESTS(NULL, NULL)
