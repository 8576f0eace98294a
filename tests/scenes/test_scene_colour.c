/* Colours as people write them, alone and by name. */
#include "tests/support/test.h"

#include "scenes/value.h"
#include "scenes/print.h"
#include "scenes/scene.h"

#include <stdlib.h>
#include <string.h>

static void assert_colour(const double shown[3], int r, int g, int b)
{
    const int expected[3] = {r, g, b};
    for (int c = 0; c < 3; c++)
        assert_true(shown[c] == expected[c] / 255.0);
}

TEST(numbers_and_names)
{
    static const struct {
        const char *text;
        int r, g, b;
    } good[] = {
        {"#ff8000", 255, 128, 0}, {"#FfA501", 255, 165, 1},        {"orange", 255, 165, 0},
        {"Orange", 255, 165, 0},  {"aliceblue", 240, 248, 255},    {"yellowgreen", 154, 205, 50},
        {"black", 0, 0, 0},       {"rebeccapurple", 102, 51, 153},
    };
    static const char *const bad[] = {"",        "#ff800",  "#ff80000", "ff8000", "#gg8000",
                                      "#ff 800", "oranges", " orange",  "#-ff800"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double shown[3] = {-1, -1, -1};
        assert_ok(colour_parse(good[i].text, strlen(good[i].text), shown));
        assert_colour(shown, good[i].r, good[i].g, good[i].b);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double shown[3] = {-1, -1, -1};
        assert_fails(colour_parse(bad[i], strlen(bad[i]), shown), STATUS_USAGE,
                     "colour #rrggbb name orange");
        assert_true(shown[0] == -1);
    }
    double shown[3];
    assert_fails(colour_parse("orang", 5, shown), STATUS_USAGE, "orang mean orange");
    assert_ok(colour_parse("redder", 3, shown));
    assert_colour(shown, 255, 0, 0);
}

TEST(who_has_which)
{
    struct tints tints = {0};
    assert_ok(tints_parse(" disk=#010203,Milky Way = Gold ,A/bulge=white, a=b=red", &tints));
    assert_int_equal(tints.count, 4);
    assert_string_equal(tints.list[0].name, "disk");
    assert_colour(tints.list[0].shown, 1, 2, 3);
    assert_string_equal(tints.list[1].name, "Milky Way");
    assert_colour(tints.list[1].shown, 255, 215, 0);
    assert_string_equal(tints.list[2].name, "A/bulge");
    assert_string_equal(tints.list[3].name, "a=b");
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"disk", "NAME=COLOUR disk"}, {"disk=red,", "NAME=COLOUR"},
        {"=red", "NAME=COLOUR"},      {"disk=red, bulge=rad", "rad mean red"},
        {"disk=", "colour"},          {"disk=red, disk=blue", "disk colour twice"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_fails(tints_parse(bad[i].text, &tints), STATUS_USAGE, bad[i].says);
        assert_int_equal(tints.count, 4); /* as before */
    }
    assert_ok(tints_parse("", &tints));
    assert_int_equal(tints.count, 0);
    tints_free(&tints);

    char many[1024] = "";
    for (int i = 0; i < 65; i++) {
        assert_true(strlen(many) + 12 < sizeof many);
        snprintf(many + strlen(many), sizeof many - strlen(many), "%sn%d=red", i ? "," : "", i);
    }
    assert_fails(tints_parse(many, &tints), STATUS_USAGE, "64 colours");
    *strrchr(many, ',') = '\0';
    assert_ok(tints_parse(many, &tints));
    assert_int_equal(tints.count, 64);
    tints_free(&tints);
}

/* Scenes without them keep their text, and therefore their hash and their films. */
TEST(printed_only_where_given)
{
    struct scene *plain, *empty, *given, *again;
    assert_ok(scene_parse(&plain, "", "test"));
    assert_ok(scene_parse(&empty, "look: {colors: \"\"}", "test"));
    assert_ok(scene_parse(&given, "look: {colors: 'disk=#ff8000, bulge = gold'}", "test"));
    char *a = scene_print(plain), *b = scene_print(empty), *c = scene_print(given);
    assert_lacks(a, "colors");
    assert_string_equal(a, b);
    assert_contains(c, "\n  colors: \"disk=#ff8000, bulge = gold\"\n");
    assert_ok(scene_parse(&again, c, "test"));
    assert_int_equal(again->look.colors.count, 2);
    assert_colour(again->look.colors.list[0].shown, 255, 128, 0);
    char *d = scene_print(again);
    assert_string_equal(c, d);
    assert_fails(scene_set(again, "look.colors", "disk=#ff80", "--set"), STATUS_USAGE,
                 "--set look.colors colour");
    assert_ok(scene_set(again, "look.colors", "disk=#ff8001", "--set"));
    assert_colour(again->look.colors.list[0].shown, 255, 128, 1);
    free(a);
    free(b);
    free(c);
    free(d);
    scene_close(&plain);
    scene_close(&empty);
    scene_close(&given);
    scene_close(&again);
}

TEST(a_background)
{
    struct scene *plain, *black, *given;
    assert_ok(scene_parse(&plain, "", "test"));
    assert_ok(scene_parse(&black, "look: {background: black, fade_in: 0}", "test"));
    assert_ok(scene_parse(&given, "look: {background: \"#081020\", fade_out: 1.5}", "test"));
    assert_colour(plain->look.background.shown, 0, 0, 0);
    assert_colour(given->look.background.shown, 8, 16, 32);
    char *a = scene_print(plain), *b = scene_print(black), *c = scene_print(given);
    assert_lacks(a, "background");
    assert_lacks(a, "fade_");
    assert_lacks(a, "card");
    assert_lacks(a, "subtitle");
    assert_lacks(a, "wrap");
    assert_string_equal(a, b);
    assert_contains(c, "\n  background: \"#081020\"\n  fade_out: 1.5\n");
    assert_fails(scene_set(given, "look.background", "navvy", "--set"), STATUS_USAGE,
                 "navvy mean navy");
    assert_ok(scene_set(given, "look.background", "#081021", "--set"));
    assert_colour(given->look.background.shown, 8, 16, 33);
    assert_ok(scene_set(given, "overlay.subtitle", "Two \"galaxies\"\\nmeet\nhere", "--set"));
    assert_string_equal(given->overlay.subtitle, "Two \"galaxies\"\nmeet\nhere");
    assert_ok(scene_set(given, "overlay.subtitle", "\"A\\\\nB\\nC\"", "--set"));
    assert_string_equal(given->overlay.subtitle, "A\\nB\nC");
    assert_ok(scene_set(given, "bodies.file", "a\\new", "--set"));
    assert_string_equal(given->bodies.file, "a\\new");
    assert_fails(scene_set(given, "output.title", "A\nB", "--set"), STATUS_USAGE, "--set control");
    free(a);
    free(b);
    free(c);
    scene_close(&plain);
    scene_close(&black);
    scene_close(&given);
    /* Without quotes YAML takes it for a comment. */
    assert_fails(scene_parse(&given, "look:\n  background: #081020\n", "test"), STATUS_USAGE,
                 "test:2 look.background value colour orange #ff8800 quotes scene file missing");
}

TESTS(NULL, NULL)
