/* render -o film.gif and film.webp, and what other commands make of them. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#define SMALL "plummer", "-n", "64", "--size", "64x36", "--frames", "4", "-y"

TEST(a_gif_is_a_film_like_others)
{
    cli_need_gl();
    assert_says(cli(0, "render", SMALL, "-o", "a.gif")->err, "frames 3 4");
    assert_contains(cli(0, "info", "a.gif")->out, "gif, gif, 64x36, 4 frames");
    assert_true(cli_exists("a.scene.yaml"));
    assert_false(cli_exists("a.gif.parts"));
    cli(0, "sheet", "a.gif", "-o", "sheet.png");
    cli(0, "render", SMALL, "-o", "b.gif");
    cli(0, "compare", "a.gif", "b.gif");
    cli(0, "render", SMALL, "-o", "c.gif", "--set", "camera.azimuth=60");
    cli(3, "compare", "a.gif", "c.gif");
    cli(0, "render", SMALL, "-o", "m.gif", "--manifest", "m.json");
    assert_lacks(cli(0, "render", SMALL, "--fps", "20", "-o", "d.gif")->err, "hundredths");
}

TEST(what_is_not_possible_is_said)
{
    cli_need_gl();
    cli_fails(2, "--fps 50", "render", SMALL, "-o", "x.gif", "--fps", "60");
    cli(0, "render", SMALL, "-o", "a.gif");
    cli_fails(2, "--resume segments", "render", SMALL, "-o", "a.gif", "--resume");
    cli_fails(2, "tag gravreel_scene", "render", "a.gif", "-o", "x.mp4");
    cli(2, "join", "a.gif", "a.gif", "-o", "x.gif");
    cli_fails(2, "webp format", "render", SMALL, "-o", "x.webp", "--manifest", "m.json");
    cli_write("a.webp", "RIFF----WEBPVP8X and what follows");
    static const char *const readers[] = {"info", "verify"};
    for (int i = 0; i < 2; i++)
        cli_fails(2, "WebP gravreel", readers[i], "a.webp");
    cli_fails(2, "WebP gravreel", "compare", "a.webp", "a.gif");
}

TESTS(cli_set_up, cli_tear_down)
