/* The models: counts, masses, balance and equilibrium, repeatability. */
#include "tests/support/choose.h"
#include "tests/support/test.h"
#include "tests/support/forces/potential.h"

#include <math.h>
#include <string.h>

#include "sim/diagnostics.h"
#include "sim/models/models.h"

static struct galaxy_params galaxies[] = {
    {.name = "Milky Way",
     .disk_mass = 1,
     .disk_scale = 1,
     .disk_height = 0.2,
     .toomre_q = 1.4,
     .bulge_mass = 0.3,
     .bulge_scale = 0.3,
     .halo_mass = 5,
     .halo_scale = 4,
     .inclination = 10,
     .argument = ARGUMENT_NONE},
    {.name = "Andromeda",
     .disk_mass = 1.5,
     .disk_scale = 1.2,
     .disk_height = 0.24,
     .toomre_q = 1.4,
     .bulge_mass = 0.45,
     .bulge_scale = 0.36,
     .halo_mass = 7.5,
     .halo_scale = 4.8,
     .inclination = 45,
     .node = 60,
     .argument = ARGUMENT_NONE},
};

static struct bodies_params params_of(const char *model, uint64_t count, uint32_t galaxy_count)
{
    return (struct bodies_params){.model = choose(&model_registry, model),
                                  .file = "",
                                  .count = count,
                                  .seed = 1,
                                  .use = "all",
                                  .position_scale = 1,
                                  .velocity_scale = 1,
                                  .mass_scale = 1,
                                  .galaxies = galaxies,
                                  .galaxy_count = galaxy_count,
                                  .separation = 22,
                                  .pericentre = 4.5,
                                  .eccentricity = 1};
}

static struct bodies *make(struct bodies_params params)
{
    struct bodies *bodies;
    assert_ok(bodies_make(&params, &bodies));
    return bodies;
}

static void check_whole(struct bodies_params params, double mass)
{
    struct bodies *bodies = make(params);
    struct diagnostics d;
    diagnostics_compute(bodies, 0, &d);
    assert_int_equal(bodies->count, params.count);
    assert_about(d.mass, mass, 1e-9);
    size_t next = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        assert_int_equal(component->first, next);
        assert_true(component->count > 0);
        assert_int_equal(component->draw, strcmp(component->name, "halo") != 0);
        for (size_t i = next; i < next + component->count; i++)
            assert_true(bodies->mass[i] == bodies->mass[next] && bodies->mass[i] > 0);
        next += component->count;
    }
    assert_int_equal(next, bodies->count);
    for (int k = 0; k < 3; k++) {
        assert_about(d.centre[k], 0, 1e-12);
        assert_about(d.momentum[k], 0, 1e-11);
    }
    bodies_destroy(&bodies);
}

static const uint64_t counts[] = {1, 2, 3, 5, 7, 17, 256, 1021, 16384};
enum { COUNTS = sizeof counts / sizeof *counts };

TEST(every_count)
{
    for (size_t i = 0; i < COUNTS; i++) {
        check_whole(params_of("plummer", counts[i], 0), 1);
        check_whole(params_of("galaxies", counts[i], 1), 6.3);
        /* one body is the heavier galaxy alone */
        check_whole(params_of("galaxies", counts[i], 2), counts[i] == 1 ? 9.45 : 15.75);
    }
}

TEST(bodies_are_shared_out)
{
    struct bodies *bodies = make(params_of("galaxies", 10000, 2));
    /* by mass, bodies of a halo 2.5 times as heavy as the others */
    static const size_t wanted[] = {1212, 364, 2424, 1818, 546, 3636};
    assert_int_equal(bodies->component_count, 6);
    double least = INFINITY, most = 0;
    for (size_t c = 0; c < 6; c++) {
        assert_int_equal(bodies->components[c].count, wanted[c]);
        const double mass = bodies->mass[bodies->components[c].first];
        least = fmin(least, mass);
        most = fmax(most, mass);
    }
    assert_true(most < 2.52 * least);
    assert_string_equal(bodies->components[4].name, "bulge");
    assert_string_equal(bodies->components[4].galaxy, "Andromeda");
    bodies_destroy(&bodies);

    struct bodies_params params = params_of("galaxies", 10000, 2);
    params.use = "disk,bulge";
    bodies = make(params);
    assert_int_equal(bodies->count, 3940);
    bodies_destroy(&bodies);

    struct galaxy_params own = galaxies[0];
    own.disk_share = 3;
    own.bulge_share = own.halo_share = 1;
    params = params_of("galaxies", 10000, 1);
    params.galaxies = &own;
    bodies = make(params);
    assert_int_equal(bodies->components[0].count, 6000);
    assert_int_equal(bodies->components[1].count, 2000);
    bodies_destroy(&bodies);
    own.gas_share = 7; /* naming a component that does not exist */
    bodies = make(params);
    assert_int_equal(bodies->component_count, 3);
    assert_int_equal(bodies->components[0].count, 6000);
    bodies_destroy(&bodies);
    own.halo_share = 0;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "halo_share");
}

/* A galaxy too light for a body leaves the other one in the middle. */
TEST(a_galaxy_without_a_body_is_left_out)
{
    struct galaxy_params pair[2] = {galaxies[0], galaxies[1]};
    pair[1].disk_mass = pair[1].bulge_mass = pair[1].halo_mass = 1e-4;
    struct bodies_params params = params_of("galaxies", 1000, 2);
    params.galaxies = pair;
    check_whole(params, 6.3);
}

static void centre_of(const struct bodies *bodies, const char *galaxy, double x[3], double v[3])
{
    double mass = 0;
    for (int k = 0; k < 3; k++)
        x[k] = v[k] = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        if (strcmp(component->galaxy, galaxy) != 0)
            continue;
        for (size_t i = component->first; i < component->first + component->count; i++) {
            mass += bodies->mass[i];
            for (int k = 0; k < 3; k++) {
                x[k] += bodies->mass[i] * bodies->position[i][k];
                v[k] += bodies->mass[i] * bodies->velocity[i][k];
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        x[k] /= mass;
        v[k] /= mass;
    }
}

/* Energy and angular momentum of the two-body problem at the pericentre: v^2 = GM (1 + e) / q. */
TEST(galaxies_are_on_their_orbit)
{
    static const double shapes[] = {0.8, 1, 1.5};
    for (size_t i = 0; i < 3; i++) {
        struct bodies_params params = params_of("galaxies", 1021, 2);
        const double e = shapes[i], q = params.pericentre, total = 15.75;
        params.eccentricity = e;
        struct bodies *bodies = make(params);
        double xa[3], va[3], xb[3], vb[3], v2 = 0;
        centre_of(bodies, "Milky Way", xa, va);
        centre_of(bodies, "Andromeda", xb, vb);
        for (int k = 0; k < 3; k++)
            v2 += (vb[k] - va[k]) * (vb[k] - va[k]);
        assert_about(xb[0] - xa[0], 22, 1e-9);
        assert_about(hypot(xb[1] - xa[1], xb[2] - xa[2]), 0, 1e-9);
        assert_true(vb[0] - va[0] < 0);
        double at_q = sqrt(total * (1 + e) / q);
        assert_about(v2 / 2 - total / 22, at_q * at_q / 2 - total / q, 1e-9);
        assert_about(22 * (vb[1] - va[1]), q * at_q, 1e-9);
        bodies_destroy(&bodies);
    }
}

/* The spin of a disk against the orbit's axis. */
TEST(disks_are_tilted)
{
    struct bodies *bodies = make(params_of("galaxies", 16384, 2));
    for (size_t g = 0; g < 2; g++) {
        const struct component *disk = &bodies->components[3 * g];
        double x[3] = {0}, v[3] = {0}, spin[3] = {0};
        for (size_t i = disk->first; i < disk->first + disk->count; i++) {
            for (int k = 0; k < 3; k++) {
                x[k] += bodies->position[i][k] / (double)disk->count;
                v[k] += bodies->velocity[i][k] / (double)disk->count;
            }
        }
        for (size_t i = disk->first; i < disk->first + disk->count; i++) {
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                spin[k] += (bodies->position[i][a] - x[a]) * (bodies->velocity[i][b] - v[b]) -
                           (bodies->position[i][b] - x[b]) * (bodies->velocity[i][a] - v[a]);
            }
        }
        double size = sqrt(spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]);
        double i = galaxies[g].inclination * M_PI / 180, n = galaxies[g].node * M_PI / 180;
        assert_about(spin[0] / size, sin(i) * sin(n), 0.02);
        assert_about(spin[1] / size, -sin(i) * cos(n), 0.02);
        assert_about(spin[2] / size, cos(i), 0.02);
    }
    bodies_destroy(&bodies);
}

static double virial(const struct bodies *bodies, double softening, double *energy)
{
    struct diagnostics d;
    diagnostics_compute(bodies, potential_by_pairs(bodies, softening), &d);
    *energy = d.energy;
    return 2 * d.kinetic / -d.potential;
}

TEST(plummer_is_in_equilibrium)
{
    struct bodies *bodies = make(params_of("plummer", 8192, 0));
    double energy;
    assert_about(virial(bodies, 1e-6, &energy), 1, 0.05);
    assert_about(energy, -0.25, 0.01);
    size_t inside = 0; /* half the mass lies within 0.769 */
    for (size_t i = 0; i < bodies->count; i++) {
        const double *x = bodies->position[i];
        inside += x[0] * x[0] + x[1] * x[1] + x[2] * x[2] < 0.769 * 0.769;
    }
    assert_about((double)inside / 8192, 0.5, 0.02);
    bodies_destroy(&bodies);
}

TEST(a_galaxy_is_in_equilibrium)
{
    struct bodies *bodies = make(params_of("galaxies", 8192, 1));
    double energy;
    assert_about(virial(bodies, 0.05, &energy), 1, 0.1);
    bodies_destroy(&bodies);
    /* a sphere alone is balanced more closely, as nothing about it is approximate */
    struct galaxy_params whole = galaxies[0];
    galaxies[0].disk_mass = galaxies[0].bulge_mass = 0;
    bodies = make(params_of("galaxies", 8192, 1));
    galaxies[0] = whole;
    assert_int_equal(bodies->component_count, 1);
    assert_about(virial(bodies, 0.05, &energy), 1, 0.03);
    bodies_destroy(&bodies);
}

/* The disk as it was asked for: half its mass within 1.64 scale lengths (its edge takes 0.04),
 * sech^2 of the scale height (rms height pi / sqrt(12) of it), rotating at about the circular
 * velocity. */
TEST(a_disk_has_its_shape)
{
    galaxies[0].inclination = 0;
    struct bodies *bodies = make(params_of("galaxies", 16384, 1));
    galaxies[0].inclination = 10;
    size_t inside = 0, ring = 0;
    double height2 = 0, rotation = 0;
    const struct component *disk = &bodies->components[0];
    for (size_t i = 0; i < disk->count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i];
        double radius = hypot(x[0], x[1]);
        inside += radius < 1.64;
        height2 += x[2] * x[2] / (double)disk->count;
        if (radius > 2 && radius < 3) {
            rotation += (x[0] * v[1] - x[1] * v[0]) / radius;
            ring++;
        }
    }
    assert_about((double)inside / (double)disk->count, 0.5, 0.01);
    assert_about(sqrt(height2), 0.2 * M_PI / sqrt(12), 0.01);
    /* the circular velocity at 2.5: at most what Freeman's thin disk, 0.38, bulge and halo, 0.49,
     * would give */
    assert_true(rotation / (double)ring > 0.8 && rotation / (double)ring < sqrt(0.38 + 0.49));
    bodies_destroy(&bodies);
}

static bool same(const struct bodies *a, const struct bodies *b)
{
    return a->count == b->count && memcmp(a->mass, b->mass, a->count * sizeof *a->mass) == 0 &&
           memcmp(a->position, b->position, a->count * sizeof *a->position) == 0 &&
           memcmp(a->velocity, b->velocity, a->count * sizeof *a->velocity) == 0;
}

TEST(a_seed_repeats)
{
    static const char *const models[] = {"galaxies", "plummer"};
    for (size_t m = 0; m < 2; m++) {
        struct bodies_params params = params_of(models[m], 1021, 2);
        struct bodies *a = make(params), *b = make(params);
        assert_true(same(a, b));
        bodies_destroy(&b);
        params.seed = 2;
        b = make(params);
        assert_false(same(a, b));
        bodies_destroy(&a);
        bodies_destroy(&b);
    }
}

/* A part's bodies do not depend on the other parts' numbers, and twice as many begin with the same
 * ones. */
TEST(bodies_do_not_depend_on_others)
{
    for (int noisy = 0; noisy < 2; noisy++) {
        struct galaxy_params one = galaxies[0], other = one;
        one.disk_share = 2, one.bulge_share = 1, one.halo_share = 3;
        other.disk_share = 2, other.bulge_share = 5, other.halo_share = 1;
        struct bodies_params params = params_of("galaxies", 600, 1), more = params;
        params.noisy = more.noisy = noisy;
        params.galaxies = &one;
        more.galaxies = &other;
        more.count = 800;
        struct bodies *a = make(params), *b = make(more);
        assert_int_equal(a->components[0].count, 200);
        assert_int_equal(b->components[0].count, 200);
        assert_memory_equal(a->position, b->position, 200 * sizeof *a->position);
        assert_memory_equal(a->velocity, b->velocity, 200 * sizeof *a->velocity);
        const size_t x = a->components[1].first, y = b->components[1].first;
        assert_int_equal(a->components[1].count, 100);
        for (size_t i = 0; !noisy && i < 100; i++) /* those that are centred differ by it */
            assert_memory_equal(a->position[x + i], b->position[y + i], sizeof *a->position);
        bodies_destroy(&a);
        bodies_destroy(&b);
    }
}

/* Two equal galaxies have no body at the same place, relative to their first one. */
TEST(galaxies_have_streams_of_their_own)
{
    struct galaxy_params twins[2] = {galaxies[0], galaxies[0]};
    struct bodies_params params = params_of("galaxies", 600, 2);
    twins[1].name = "twin";
    params.galaxies = twins;
    struct bodies *bodies = make(params);
    assert_true(bodies->component_count % 2 == 0);
    for (size_t c = 0, half = bodies->component_count / 2; c < half; c++) {
        const struct component *one = &bodies->components[c],
                               *other = &bodies->components[half + c];
        assert_string_equal(one->name, other->name);
        assert_int_equal(one->count, other->count);
        double(*a)[3] = &bodies->position[one->first], (*b)[3] = &bodies->position[other->first];
        for (size_t i = 1; i < one->count; i++)
            assert_true(fabs(b[i][0] - b[0][0] - (a[i][0] - a[0][0])) > 1e-9);
    }
    bodies_destroy(&bodies);
}

/* A galaxy's tables are reused for the next one only if none of their inputs differs. */
TEST(a_galaxy_is_the_same_after_any_other)
{
    struct galaxy_params usual = galaxies[0];
    usual.gas_mass = 0.2;
    for (int k = 0; k < 4; k++) {
        struct galaxy_params pair[2] = {usual, usual}, *own = &pair[1];
        double *const numbers[] = {&own->toomre_q, &own->gas_toomre_q, &own->gas_softening,
                                   &own->halo_edge};
        static const double others[] = {1.6, 2, 0.04, 30};
        struct bodies_params params = params_of("galaxies", 600, 2);
        params.softening = 0.1;
        params.galaxies = pair;
        own->name = "own";
        *numbers[k] = others[k];
        struct bodies *like = make(params);
        pair[0].disk_scale *= 1.5;
        struct bodies *unlike = make(params);
        const size_t half = like->component_count / 2, first = like->components[half].first;
        assert_string_equal(like->components[half].galaxy, "own");
        assert_int_equal(unlike->components[half].first, first);
        assert_memory_equal(like->position + first, unlike->position + first,
                            (like->count - first) * sizeof *like->position);
        assert_memory_equal(like->velocity + first, unlike->velocity + first,
                            (like->count - first) * sizeof *like->velocity);
        bodies_destroy(&like);
        bodies_destroy(&unlike);
    }
}

/* bodies.position_scale makes a galaxy for softenings that are as much smaller. */
TEST(softenings_are_of_what_comes_out)
{
    struct galaxy_params one = galaxies[0];
    one.gas_mass = 0.2;
    double *const softening[] = {&one.disk_softening, &one.gas_softening, &one.bulge_softening};
    struct bodies_params params = params_of("galaxies", 600, 1);
    params.galaxies = &one;
    params.softening = 0.25;
    for (int k = 0; k < 3; k++) /* the halo's is the simulation's */
        *softening[k] = 0.1 * (k + 1);
    struct bodies *small = make(params);
    params.position_scale = 2;
    params.softening *= 2;
    for (int k = 0; k < 3; k++)
        *softening[k] *= 2;
    struct bodies *large = make(params);
    for (size_t i = 0; i < small->count; i++)
        for (int c = 0; c < 3; c++) {
            assert_true(large->position[i][c] == 2 * small->position[i][c]);
            assert_true(large->velocity[i][c] == small->velocity[i][c]);
        }
    bodies_destroy(&small);
    bodies_destroy(&large);
}

TEST(galaxies_lie_where_they_are_put)
{
    static char *const names[] = {"a", "b", "c", "d"};
    struct galaxy_params four[4];
    struct bodies_params params = params_of("galaxies", 2000, 4);
    double x[3], v[3], first_x[3], first_v[3];
    for (int g = 0; g < 4; g++) {
        four[g] = galaxies[g % 2];
        four[g].name = names[g];
        for (int k = 0; k < 3; k++) {
            four[g].position[k] = 10 * sin(5 * g + k);
            four[g].velocity[k] = cos(3 * g + k);
        }
    }
    params.galaxies = four;
    struct bodies *bodies = make(params);
    centre_of(bodies, "a", first_x, first_v);
    for (int g = 1; g < 4; g++) {
        centre_of(bodies, names[g], x, v);
        for (int k = 0; k < 3; k++) {
            assert_about(x[k] - first_x[k], four[g].position[k] - four[0].position[k], 1e-12);
            assert_about(v[k] - first_v[k], four[g].velocity[k] - four[0].velocity[k], 1e-12);
        }
    }
    bodies_destroy(&bodies);
}

TEST(bad_requests)
{
    struct bodies *bodies;
    struct bodies_params params = params_of("plummer", 0, 0);
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.count");
    params = params_of("galaxies", 0, 2);
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.count");
    for (uint32_t n = 0; n <= 9; n += 9) {
        params = params_of("galaxies", 10, n);
        assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.galaxies 8");
    }
    params = params_of("galaxies", 10, 2);
    params.pericentre = 30;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "separation 22");
    params.pericentre = 2;
    params.eccentricity = 0.5;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "2 6");
    params.eccentricity = NAN;
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "separation 22 eccentricity orbit");
    params = params_of("galaxies", 10, 1);
    params.use = "gas";
    assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, "bodies.use Milky Way/disk");
}

TEST(bad_galaxies)
{
    enum { BAD = 13 };
    struct galaxy_params bad[BAD];
    for (size_t i = 0; i < BAD; i++)
        bad[i] = galaxies[0];
    bad[8].disk_mass = bad[8].halo_mass = 0.01;
    bad[8].bulge_mass = 5;
    bad[8].bulge_scale = 0.1;
    bad[8].halo_scale = 400;
    bad[8].halo_edge = 4;
    bad[8].halo_profile = choose(&halo_profile_registry, "isothermal");
    bad[9].gas_mass = 0.1;
    bad[9].gas_scale = 20;
    bad[10].halo_scale = 1e7;
    bad[11].halo_softening = -1;
    bad[12].disk_edge = 100;
    bad[0].disk_mass = -1;
    bad[1].halo_mass = NAN;
    bad[2].disk_scale = 0;
    bad[3].toomre_q = INFINITY;
    bad[4].disk_mass = bad[4].bulge_mass = bad[4].halo_mass = 0;
    bad[5].inclination = NAN;
    bad[6].name = "a name that is very much too long for a galaxy anywhere";
    bad[7].bulge_scale = -2;
    static const char *const parts[] = {"disk_mass",
                                        "halo_mass",
                                        "disk_scale",
                                        "toomre_q",
                                        "mass 0",
                                        "inclination",
                                        "47 bytes",
                                        "bulge_scale",
                                        "halo isothermal 0.7",
                                        "disks heights edge",
                                        "scales edges 6e+07",
                                        "halo_softening",
                                        "disk_edge"};
    for (size_t i = 0; i < BAD; i++) {
        struct bodies_params params = params_of("galaxies", 100, 1);
        struct bodies *bodies;
        params.galaxies = &bad[i];
        assert_fails(bodies_make(&params, &bodies), STATUS_USAGE, parts[i]);
    }
}

/* Sizes and masses of very different magnitude give bodies or a message, and never hang. */
TEST(absurd_galaxies)
{
    static const double values[] = {1e-300, 1e-3, 1e3, 1e300};
    enum { VALUES = sizeof values / sizeof *values };
    for (size_t i = 0; i < VALUES * VALUES; i++) {
        struct galaxy_params galaxy = galaxies[0];
        galaxy.disk_scale = values[i % VALUES];
        galaxy.halo_mass = values[i / VALUES];
        galaxy.bulge_scale = values[(i * 5 + 1) % VALUES];
        struct bodies_params params = params_of("galaxies", 100, 1);
        struct bodies *bodies;
        params.galaxies = &galaxy;
        enum status status = bodies_make(&params, &bodies);
        assert_true(status == STATUS_OK || status == STATUS_USAGE);
        for (size_t k = 0; status == STATUS_OK && k < 100; k++)
            assert_true(isfinite(bodies->position[k][2]) && isfinite(bodies->velocity[k][2]));
        bodies_destroy(&bodies);
    }
}

/* Bodies of the disk by their distance from its axis, those inside older than those outside. */
TEST(galaxies_have_populations)
{
    enum { RINGS = 4 };
    struct galaxy_params galaxy = galaxies[0];
    galaxy.gas_mass = 0.1;
    galaxy.disk_scale = 2;
    struct bodies_params params = params_of("galaxies", 40000, 1);
    params.galaxies = &galaxy;
    params.position_scale = 3;
    struct bodies *bodies = make(params), *again = make(params);
    const struct body_column *radius = body_columns_find(&bodies->columns, "birth_radius");
    const struct body_column *age = body_columns_find(&bodies->columns, "age");
    double sum[RINGS] = {0}, square[RINGS] = {0}, of[RINGS] = {0};
    assert_non_null(radius);
    assert_non_null(age);
    assert_string_equal(radius->unit, "scale lengths");
    assert_string_equal(age->unit, "Gyr");
    assert_memory_equal(age->value, body_columns_find(&again->columns, "age")->value,
                        bodies->count * sizeof *age->value);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const bool disk = strcmp(component->name, "disk") == 0;
        const bool gas = strcmp(component->name, "gas") == 0;
        const double old = strcmp(component->name, "bulge") == 0 ? 10 : 12;
        for (size_t i = component->first; i < component->first + component->count; i++) {
            if (!disk && !gas) {
                assert_true(isnan(radius->value[i]) && age->value[i] == old);
                continue;
            }
            /* A tilt does not change the thickness: only the disk's height is between both radii.
             */
            const double *x = bodies->position[i], r = hypot(hypot(x[0], x[1]), x[2]) / 6;
            assert_true(radius->value[i] <= r * (1 + 1e-12));
            assert_about(radius->value[i], r, 1);
            if (gas)
                assert_true(age->value[i] == 0);
            if (!disk || radius->value[i] >= RINGS)
                continue;
            const int ring = (int)radius->value[i];
            const double x2 = pow(radius->value[i] / 2, 2), mean = 1.5 + 6.5 / (1 + x2);
            assert_true(age->value[i] >= 0.1 && age->value[i] <= 13);
            of[ring]++;
            sum[ring] += age->value[i] / mean;
            square[ring] += pow(age->value[i] / mean - 1, 2);
        }
    }
    for (int ring = 0; ring < RINGS; ring++) {
        assert_true(of[ring] > 100);
        assert_about(sum[ring] / of[ring], 1, 0.04);
        assert_about(sqrt(square[ring] / of[ring]), 0.3, 0.03);
    }
    bodies_destroy(&bodies);
    bodies_destroy(&again);
}

TESTS(NULL, NULL)
