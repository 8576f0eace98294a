/* Spheres, the cube and the shell, rings of test particles, bodies of the scene itself. */
#include "tests/support/choose.h"
#include "tests/support/forces/potential.h"
#include "tests/support/test.h"

#include <math.h>
#include <stdlib.h>

#include "sim/diagnostics.h"
#include "sim/models/models.h"

static struct bodies_params params_of(const char *model, uint64_t count)
{
    return (struct bodies_params){.model = choose(&model_registry, model),
                                  .file = "",
                                  .count = count,
                                  .seed = 1,
                                  .use = "all",
                                  .position_scale = 1,
                                  .velocity_scale = 1,
                                  .mass_scale = 1,
                                  .concentration = 10,
                                  .king_w0 = 6,
                                  .separation = 2,
                                  .pericentre = 1,
                                  .eccentricity = 1};
}

static struct bodies *make(struct bodies_params params)
{
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    return bodies;
}

static double virial(const struct bodies *bodies, double *potential)
{
    struct diagnostics d;
    diagnostics_compute(bodies, potential_by_pairs(bodies, 1e-6), &d);
    *potential = d.potential;
    return 2 * d.kinetic / -d.potential;
}

TEST(clouds_are_in_units_and_balance)
{
    static const struct {
        const char *model;
        double ratio; /* its own */
    } clouds[] = {{"plummer", 1}, {"hernquist", 1}, {"nfw", 1},    {"king", 1},
                  {"uniform", 1}, {"cube", 0},      {"shell", 0.3}};
    for (size_t i = 0; i < sizeof clouds / sizeof *clouds; i++) {
        struct bodies_params params = params_of(clouds[i].model, 4096);
        struct bodies *bodies = make(params);
        double potential, ratio = virial(bodies, &potential);
        assert_about(potential, -0.5, 0.025);
        assert_about(ratio, clouds[i].ratio, 0.06);
        bodies_destroy(&bodies);
        params.virial_ratio = 0.1;
        bodies = make(params);
        assert_about(virial(bodies, &potential) * potential, 0.1 * -0.5, 1e-9);
        bodies_destroy(&bodies);
    }
}

static double plummer(double r, const void *user)
{
    (void)user;
    return 3 / (4 * M_PI) * pow(1 + r * r, -2.5);
}

/* Plummer's distribution function is a power of the energy, psi^(7/2). */
TEST(the_inversion_finds_a_known_function)
{
    struct isotropic *sphere = malloc(sizeof *sphere);
    isotropic_make(plummer, NULL, 1e-3, 1e4, sphere);
    double unit = 0;
    for (int k = 0; k < ISOTROPIC_POINTS; k++) {
        const double r = sphere->radius[k], psi = 1 / sqrt(1 + r * r);
        assert_about(sphere->mass[k], pow(r / sqrt(1 + r * r), 3), 1e-4);
        assert_about(sphere->psi[k], psi, 3e-4);
        if (r < 0.1 || r > 10)
            continue;
        unit = unit > 0 ? unit : sphere->f[k] / pow(psi, 3.5);
        assert_about(sphere->f[k] / pow(psi, 3.5) / unit, 1, 0.01);
    }
    free(sphere);
}

/* The radius that holds part of the mass. */
static double radius_of(const struct bodies *bodies, double part)
{
    double low = 0, high = 100;
    for (int n = 0; n < 60; n++) {
        const double middle = (low + high) / 2;
        size_t inside = 0;
        for (size_t i = 0; i < bodies->count; i++) {
            const double *x = bodies->position[i];
            inside += sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) < middle;
        }
        *((double)inside < part * (double)bodies->count ? &low : &high) = middle;
    }
    return low;
}

/* King's concentration for W0 = 6, log10(r_t / r_0) = 1.255 (King 1966), and half of the mass
 * within 0.1447 of the edge; W0 = 3 has 0.672. */
TEST(spheres_have_their_shapes)
{
    struct bodies_params params = params_of("king", 40000);
    params.seed = 2; /* one whose outermost body is near the edge, which few reach */
    struct bodies *bodies = make(params);
    const double edge = radius_of(bodies, 1);
    assert_about(radius_of(bodies, 0.5) / edge, 0.1447, 0.012);
    bodies_destroy(&bodies);

    bodies =
        make(params_of("hernquist", 40000)); /* of (r / (r + a))^2, 0.87 is left within the edge */
    assert_about(radius_of(bodies, 0.09) / radius_of(bodies, 0.01), 3.77, 0.3);
    bodies_destroy(&bodies);

    /* of x^-1 (1 + x)^-2 sech(x / c), which is not cut off anywhere */
    params = params_of("nfw", 40000);
    params.concentration = 4;
    bodies = make(params);
    double all = 0, inside = 0, half = 0, most = 0;
    for (int pass = 0; pass < 2; pass++)
        for (double x = 0.0005; x < 200; x += 0.001) {
            const double shell = 0.001 * x / ((1 + x) * (1 + x) * cosh(x / 4));
            *(pass ? &inside : &all) += shell;
            half = pass && half == 0 && inside > 0.5 * all ? x : half;
            most = pass && most == 0 && inside > 0.99 * all ? x : most;
        }
    assert_about(radius_of(bodies, 0.99) / radius_of(bodies, 0.5) / (most / half), 1, 0.05);
    bodies_destroy(&bodies);

    bodies = make(params_of("plummer", 40000)); /* without the outermost thousandth */
    const double length = 3 * M_PI / 16, outermost = length / sqrt(pow(0.999, -2. / 3) - 1);
    assert_about(radius_of(bodies, 1) / outermost, 1, 0.1);
    assert_about(radius_of(bodies, 0.5) / length, 1.305, 0.02);
    bodies_destroy(&bodies);

    bodies = make(params_of("uniform", 40000));
    assert_about(radius_of(bodies, 1), 1.2, 0.01);
    assert_about(radius_of(bodies, 0.125), 0.6, 0.01);
    bodies_destroy(&bodies);
}

TEST(unusable_numbers_are_refused)
{
    struct bodies *bodies;
    struct bodies_params params = params_of("king", 10);
    params.king_w0 = 40;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "king_w0");
    params = params_of("nfw", 10);
    params.concentration = NAN;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.concentration concentration");
    params = params_of("cube", 0);
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.count");
    params = params_of("list", 10);
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.list");
}

TEST(rings_circle_their_points)
{
    struct galaxy_params galaxies[2] = {
        {.name = "victim",
         .disk_mass = 1,
         .rings = 5,
         .ring_inner = 0.2,
         .ring_outer = 0.6,
         .inclination = 60,
         .argument = -30},
        {.name = "intruder",
         .disk_mass = 0.05,
         .bulge_mass = 0.05,
         .halo_mass = 0.15,
         .argument = ARGUMENT_NONE},
    };
    struct bodies_params params = params_of("rings", 122);
    params.galaxies = galaxies;
    params.galaxy_count = 2;
    struct bodies *bodies = make(params);
    assert_int_equal(bodies->component_count, 3);
    assert_string_equal(bodies->components[1].name, "disk");
    assert_int_equal(bodies->components[1].count, 120);
    assert_true(bodies->mass[0] == 1 && fabs(bodies->mass[121] - 0.25) < 1e-15);
    const double *x = bodies->position[0], *v = bodies->velocity[0];
    size_t on[5] = {0};
    for (size_t i = 1; i < 121; i++) {
        double r2 = 0, v2 = 0, along = 0;
        assert_true(bodies->mass[i] == 0);
        for (int k = 0; k < 3; k++) {
            const double away = bodies->position[i][k] - x[k], fast = bodies->velocity[i][k] - v[k];
            r2 += away * away;
            v2 += fast * fast;
            along += away * fast;
        }
        assert_about(v2 * sqrt(r2), 1, 1e-9);
        assert_about(along, 0, 1e-9);
        on[(int)lround(sqrt(r2) * 10) - 2]++;
    }
    for (int k = 0; k < 5; k++) /* as in their figures */
        assert_int_equal(on[k], 12 + 6 * k);
    bodies_destroy(&bodies);

    galaxies[0].inclination = 0; /* each ring begins with a part of a step of its own */
    galaxies[0].argument = ARGUMENT_NONE;
    params.galaxy_count = 1;
    params.count = 121;
    bodies = make(params);
    double begins[5];
    for (int k = 0, first = 1; k < 5; first += 12 + 6 * k++) {
        const double *at = bodies->position[first];
        begins[k] = atan2(at[1], at[0]) * (12 + 6 * k) / (2 * M_PI);
        assert_true(begins[k] >= 0 && begins[k] < 1);
        for (int other = 0; other < k; other++)
            assert_true(fabs(begins[k] - begins[other]) > 1e-3);
    }
    bodies_destroy(&bodies);
    params.galaxy_count = 2;

    params.count = 1;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.count centre");
    params.count = 9;
    galaxies[0].ring_inner = 0;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "victim 5 rings");
    galaxies[0].rings = 0;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "galaxy");
}

TEST(listed_bodies_are_as_given)
{
    struct body_params list[] = {{.name = "sun", .mass = 3, .position = {1, 2, 3}},
                                 {.name = "planet", .velocity = {4, 5, 6}}};
    struct bodies_params params = params_of("list", 100);
    params.list = list;
    params.list_count = 2;
    struct bodies *bodies = make(params);
    assert_int_equal(bodies->count, 2);
    assert_string_equal(bodies->components[1].name, "planet");
    assert_true(bodies->mass[0] == 3 && bodies->mass[1] == 0);
    assert_true(bodies->position[0][2] == 3 && bodies->velocity[1][0] == 4);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
