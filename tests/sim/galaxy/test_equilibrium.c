/* An isolated galaxy stays in equilibrium: half a rotation with few bodies; docs/physics.md has the
 * long run. */
#include "tests/sim/galaxy/shape.h"
#include "tests/support/choose.h"
#include "tests/support/test.h"

TEST(a_galaxy_stays)
{
    /* the default galaxy of the scene format */
    struct galaxy_params galaxy = {.name = "a",
                                   .disk_mass = 1,
                                   .disk_scale = 1,
                                   .disk_height = 0.2,
                                   .toomre_q = 1.8,
                                   .bulge_mass = 0.5,
                                   .bulge_scale = 0.9,
                                   .halo_mass = 9,
                                   .halo_scale = 5};
    struct bodies_params params = {.model = choose(&model_registry, "galaxies"),
                                   .file = "",
                                   .count = 8192,
                                   .seed = 1,
                                   .use = "all",
                                   .softening = 0.1,
                                   .position_scale = 1,
                                   .velocity_scale = 1,
                                   .mass_scale = 1,
                                   .galaxies = &galaxy,
                                   .galaxy_count = 1};
    struct simulation_params how = {.dt = 0.05,
                                    .softening = 0.1,
                                    .force = choose(&force_registry, "fast"),
                                    .integrator = choose(&integrator_registry, "kdk"),
                                    .damping = 1,
                                    .subset = 1};
    struct bodies *bodies;
    struct simulation *simulation;
    struct shape first, now;
    how.steps_per_frame = (uint32_t)(shape_rotation(&params) / 2 / how.dt);
    assert_ok(bodies_make(&params, &bodies));
    assert_ok(simulation_open(&simulation, &how, "cpu", 0, bodies));
    assert_ok(shape_measure(simulation, &first));
    assert_about(first.virial, 1, 0.01);
    assert_true(first.drift < 1e-9);
    assert_ok(simulation_advance(simulation, 1, NULL));
    assert_ok(shape_measure(simulation, &now));
    /* the tolerance for so few bodies: the noise of a thousand of the bulge is 5 % */
    assert_about(now.virial, 1, 0.02);
    assert_about(now.disk_radius / first.disk_radius, 1, 0.05);
    assert_about(now.disk_height / first.disk_height, 1, 0.2);
    assert_about(now.bulge_radius / first.bulge_radius, 1, 0.12);
    assert_about(now.energy / first.energy, 1, 1e-3);
    assert_true(now.drift < 0.05);
    simulation_close(&simulation);
    bodies_destroy(&bodies);
}

TESTS(NULL, NULL)
