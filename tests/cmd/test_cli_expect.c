/* A run judges its own physics: the scene's limits, a large energy drift, mass left out. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#define SMALL                                                                                      \
    "render", "plummer", "-n", "64", "--size", "64x64", "--frames", "3", "--set",                  \
        "simulation.steps_per_frame=1"

/* The first film of a new user, shortened. */
TEST(the_usual_film_conserves)
{
    cli_need_gl();
    cli(0, "render", "-n", "2048", "--size", "64x36", "--frames", "13", "--set",
        "expect.energy_drift=0.003", "--set", "expect.momentum_drift=1e-6", "--set",
        "expect.angular_momentum_drift=1e-5", "-o", "usual.mp4");
}

TEST(a_run_outside_a_limit_ends_with_3_and_keeps_its_film)
{
    cli_need_gl();
    const struct run *run =
        cli(3, SMALL, "--set", "expect.energy_drift=1e-15", "-o", "outside.mp4");
    assert_says(run->err, "outside.mp4 complete physics scene frame 2 energy");
    assert_true(cli_exists("outside.mp4"));
    assert_false(cli_exists("outside.mp4.parts"));
    assert_contains(cli(0, "info", "outside.mp4")->out, "expect:\n  energy_drift: 1e-15\n");
    run = cli(0, SMALL, "--set", "expect.energy_drift=0.1", "-o", "inside.mp4");
    assert_lacks(run->err, "expect");
    cli(3, SMALL, "--set", "expect.virial_max=1e-3", "-o", "virial.hash");
    assert_true(cli_exists("virial.hash"));
}

TEST(limits_that_exclude_everything_are_refused)
{
    const struct run *run = cli(2, SMALL, "--set", "expect.virial_min=2", "--set",
                                "expect.virial_max=1", "-o", "never.mp4");
    assert_says(run->err, "expect.virial_min virial_max 1 2");
    assert_false(cli_exists("never.mp4"));
}

TEST(a_large_drift_is_told)
{
    cli_need_gl();
    const struct run *run = cli(0, SMALL, "--set", "simulation.dt=5", "-o", "coarse.hash");
    assert_says(run->err, "energy motion gravity steps short");
    run = cli(0, SMALL, "-o", "fine.hash");
    assert_lacks(run->err, "drifted");
}

TEST(mass_left_out_is_told)
{
    cli_need_gl();
    static const char scene[] = "bodies: {model: galaxies, count: 300, use: 'disk, bulge'}\n"
                                "output: {size: 64x64, frames: 1}\n";
    cli_write("disks.yaml", scene);
    const struct run *run = cli(0, "render", "disks.yaml", "-o", "disks.hash");
    assert_says(run->err, "bodies.use=disk bulge leaves components mass");
    run =
        cli(0, "render", "disks.yaml", "--set", "bodies.use='disk, bulge, halo'", "-o", "all.hash");
    assert_lacks(run->err, "of the mass");
}

TEST(a_file_thinned_to_less_than_its_components_is_told)
{
    cli_need_gl();
    cli_write("three.txt", "1 0 0 0 0 0 0\n1 1 0 0 0 0 0\n5 0 1 0 0 0 0\n");
    cli_write("three.yaml", "bodies:\n  model: file\n  file: three.txt\n  components:\n"
                            "    - {name: a, first: 1, last: 1}\n"
                            "    - {name: b, first: 2, last: 2}\n"
                            "    - {name: c, first: 3, last: 3}\n"
                            "output: {size: 64x64, frames: 1}\n");
    const struct run *run = cli(0, "render", "three.yaml", "-n", "2", "-o", "two.hash");
    assert_says(run->err, "2 bodies fewer components 71.4 mass");
    run = cli(0, "render", "three.yaml", "-n", "3", "-o", "three.hash");
    assert_lacks(run->err, "of the mass");
}

TESTS(cli_set_up, cli_tear_down)
