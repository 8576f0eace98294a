/* What the program says of a scene that does what it was told, and not what was meant. */
#include "tests/support/test.h"

#include "tests/support/cli.h"

#include <string.h>

/* Twelve frames of 0.04, ten a second. */
#define SCENE                                                                                      \
    "bodies: {model: plummer, count: 64}\n"                                                        \
    "output: {frames: 12, fps: 10, size: 64x48}\n"                                                 \
    "simulation: {dt: 0.01, steps_per_frame: 4}\n"

static void never_says(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("'%s' is said in: %s", part, text);
}

static void times_that_move_are_told(void **state)
{
    (void)state;
    cli_write("told.yaml", SCENE "overlay: {captions: [{text: a, from: 0.5, to: 1}]}\n");
    const struct run *run = cli(0, "render", "told.yaml", "--duration", "0.6", "--save-scene", "-");
    cli_says(run->err, "move with the action: 0.5 s is 0.25 s now");
    cli_says(run->out, "from: 0.25\n");
    run = cli(0, "render", "told.yaml", "--duration", "0.6", "--save-scene", "-", "--set",
              "overlay.captions=[{text: a, from: 0.5, to: 1}]");
    never_says(run->err, "move with");
    cli_says(run->out, "from: 0.5\n");
    never_says(cli(0, "render", "told.yaml", "--fps", "20", "--save-scene", "-")->err, "move with");
}

static void slow_motion_says_what_it_takes(void **state)
{
    (void)state;
    cli_need_gl();
    cli_write("slow.yaml", SCENE);
#define SLOW "--set", "simulation.slow=[{at: 0.5, factor: 4}]"
    const struct run *run = cli(0, "render", "slow.yaml", SLOW, "-o", "slow.hash");
    cli_says(run->err, "slow motion takes 2 frames: the film ends at t=0.379657, ");
    cli_says(run->err, "without it at t=0.44; for the story up to there set output.frames to 14");
    never_says(cli(0, "render", "slow.yaml", SLOW, "--frames", "14", "-o", "slow2.hash")->err,
               "slow motion takes");
    run = cli(0, "render", "slow.yaml", "--set", "simulation.slow=[{at: start, factor: 1000}]",
              "-o", "slow3.hash");
    cli_says(run->err, "give a smaller factor or a span");
#undef SLOW
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_that_move_are_told),
        cmocka_unit_test(slow_motion_says_what_it_takes),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
