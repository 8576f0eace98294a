/* render -o film.html: a page is an output like others, and refuses what it cannot draw. */
#include "tests/support/test.h"

#include "tests/support/programs/cli.h"

#include <stdlib.h>
#include <string.h>

#define SMALL "plummer", "-n", "64", "--size", "64x36", "--frames", "4"

TEST(a_page_is_an_output_like_others)
{
    cli_need_gl();
    const char *told = cli(0, "render", SMALL, "-o", "a.html")->err;
    assert_says(told, "64 bodies err by at most pixels");
    assert_contains(told, "motion blur (look.shutter)");
    assert_true(cli_exists("a.scene.yaml"));
    assert_false(cli_exists("a.html.parts"));
    cli_fails(2, "a.html -y", "render", SMALL, "-o", "a.html");
    cli(0, "render", SMALL, "-o", "a.html", "-y");
    cli(0, "render", SMALL, "-o", "b", "--format", "html");
    char *a = cli_read("a.html"), *b = cli_read("b");
    assert_string_equal(a, b);
    assert_contains(a, "default-src 'none'");
    assert_lacks(a, "http://");
    assert_lacks(a, "https://");
    assert_contains(a, "\"bodies\": 64");
    free(a);
    free(b);
    cli(0, "render", SMALL, "--frames", "1..2", "-o", "range.html");
    a = cli_read("range.html");
    assert_contains(a, "\"frames\": [1, 2]");
    free(a);
    assert_contains(cli(0, "render", SMALL, "-o", "c.html", "--dry-run")->out, "WebGL 2");
    assert_false(cli_exists("c.html"));
}

TEST(snapshots_make_a_page)
{
    cli_need_gl();
    cli(0, "simulate", "plummer", "-n", "64", "--every", "0.05", "--until", "0.2", "-o",
        "s%d.hdf5");
    cli(0, "render", "--snapshots", "s*.hdf5", "--size", "64x36", "--frames", "3", "-o", "s.html");
    char *text = cli_read("s.html");
    assert_contains(text, "\"bodies\": 64");
    free(text);
}

TEST(many_bodies_are_chosen_evenly)
{
    cli_need_gl();
    const char *told = cli(0, "render", "plummer", "-n", "61000", "--size", "64x36", "--frames",
                           "1", "-o", "many.html")
                           ->err;
    assert_contains(told, "60000 of 61000 drawn bodies");
    char *text = cli_read("many.html");
    assert_contains(text, "\"bodies\": 60000");
    assert_true(strlen(text) < 20000000);
    free(text);
}

TEST(what_a_page_cannot_draw_is_refused)
{
    cli_need_gl();
    cli_fails(2, "look.mode", "render", SMALL, "-o", "x.html", "--set", "look.mode=activity");
    cli_fails(2, "look.color", "render", SMALL, "-o", "x.html", "--set", "look.color=density");
    cli_fails(2, "look.panels", "render", "comparison", "-o", "x.html");
    cli_fails(2, "camera.projection", "render", SMALL, "--size", "64x32", "-o", "x.html", "--set",
              "camera.projection=equirect");
    cli_fails(2, "output.alpha", "render", SMALL, "-o", "x.html", "--alpha", "straight");
    cli_fails(2, "output.codec", "render", SMALL, "-o", "x.html", "--codec", "hevc");
    cli_fails(2, "manifest html", "render", SMALL, "-o", "x.html", "--manifest", "m.json");
    cli_fails(2, "--resume segments", "render", SMALL, "-o", "x.html", "--resume");
    assert_false(cli_exists("x.html"));
}

TESTS(cli_set_up, cli_tear_down)
