/* Keyframes of numbers: a picture at a keyframe is that of a film whose key has its value
 * throughout, and a range or a resumed film has the bytes of the whole. */
#include "tests/support/test.h"

#include "scenes/keys.h"
#include "tests/support/programs/cli.h"
#include "tests/support/programs/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys at frames 0 and 4. The rest of their scene makes them matter. */
static const struct keyed_case {
    const char *rest, *size; /* NULL: 160x96 */
    struct keyed_value {
        const char *key;
        double from, to;
        const char *same[2]; /* settings of films that look so; NULL: the key's own values */
    } values[14];
    bool rounds; /* the picture's margin is that of the largest value */
} cases[] = {
    {.rest = "bodies: {count: 400, galaxies: [{name: near, gas_mass: 0.4}, {name: far}]}\n"
             "look: {size: adaptive, background_stars: 500, color: velocity}\n"
             "overlay: {legend: true, labels: [{of: galaxies}]}\n",
     .values = {{"look.exposure", 0.5, 3},
                {"look.glow", 0, 0.5},
                {"look.bloom", 0.1, 0.4},
                {"look.spikes", 0.3, 0.6},
                {"look.dust", 1, 40},
                {"look.saturation", 0.2, 1},
                {"look.smallest", 2, 6},
                {"look.resolved", 0.3, 0.9},
                {"look.background_light", 1, 4},
                {"look.shutter", 0.1, 0.9},
                {"overlay.size", 60, 120},
                {"overlay.transparency", 0.2, 0.7},
                {"overlay.label_transparency", 0.1, 0.6}}},
    {.rest = "bodies: {count: 200, galaxies: [{name: near}]}\n"
             "look: {size: fixed, color: quantity, quantity: birth_radius, exposure: 1}\n"
             "overlay: {legend: true}\n",
     .values = {{"look.quantity_from", 0, 2}, {"look.quantity_to", 3, 6}}},
    {.rest = "bodies: {model: plummer, count: 200}\nlook: {size: fixed, exposure: 1}\n",
     .values = {{"look.point_size", 10, 40}},
     .rounds = true},
    {.rest = "bodies: {model: plummer, count: 200}\nlook: {size: fixed, exposure: 1, shutter: 0}\n",
     .values = {{"camera.fov", 20, 50},
                {"camera.distance", 10, 30},
                {"camera.azimuth", 10, 130},
                {"camera.elevation", -20, 60}}},
    {.rest = "bodies: {model: plummer, count: 200}\nlook: {size: fixed, exposure: 1, shutter: 0}\n"
             "camera: {distance: 20, azimuth: 0, orbit: 0}\n",
     .values = {{"camera.orbit", 30, -200, {"camera.azimuth=30", "camera.azimuth=-200"}},
                {"camera.zoom", 2, 0.8, {"camera.distance=10", "camera.distance=25"}}}},
    {.rest =
         "bodies: {model: plummer, count: 200}\nlook: {size: fixed, color: speed, exposure: 1}\n"
         "camera: {projection: side-by-side}\n",
     .values = {{"look.slab", 0.5, 1.5},
                {"look.slab_at", 0.2, 0.6},
                {"look.radius", 0.05, 0.2},
                {"look.speed", 0.5, 3},
                {"camera.eye_distance", 0.1, 1}}},
    {.rest = "bodies: {model: plummer, count: 200}\nlook: {size: fixed, exposure: 1, shutter: 0}\n"
             "camera: {projection: dome}\n",
     .size = "128x128",
     .values = {{"camera.dome_height", 20, 70}}},
    {.rest = "bodies: {model: plummer, count: 200}\nlook: {color: acceleration, exposure: 1}\n",
     .values = {{"look.acceleration", 0.1, 3}}},
};

enum { CASES = sizeof cases / sizeof *cases };

TEST(every_key_with_keyframes_is_in_a_case)
{
    for (size_t i = 0; i < scene_key_count; i++) {
        char path[64];
        bool found = scene_keys[i].keyed == KEYED_NOT;
        snprintf(path, sizeof path, "%s.%s", scene_keys[i].section, scene_keys[i].name);
        for (size_t c = 0; c < CASES; c++)
            for (const struct keyed_value *value = cases[c].values; value->key; value++)
                found |= strcmp(value->key, path) == 0;
        if (!found)
            fail_msg("%s has no case", path);
    }
}

/* Pixels, because each file has its own scene. */
static void assert_same_pictures(const char *a, const char *b, const char *frames, bool rounds)
{
    char one[64], other[64];
    snprintf(one, sizeof one, "%s/%%d.png", a);
    snprintf(other, sizeof other, "%s/%%d.png", b);
    const struct run *run = cli(0, "compare", one, other, "--frames", frames);
    if (!rounds && !strstr(run->out, ": the same in ") && !strstr(run->err, ": the same in "))
        fail_msg("%s and %s differ: %s%s", a, b, run->out, run->err);
}

enum keys_have { KEYFRAMES, FIRST, LAST };

/* Draws the case's frames first .. last into the folder. */
static void draw(const struct keyed_case *one, enum keys_have have, const char *frames,
                 const char *folder)
{
    char output[64], set[14][160];
    const char *words[40] = {
        "render",   "one.yaml", "-y", "-o", output, "--size", one->size ? one->size : "160x96",
        "--frames", frames};
    size_t count = 9, n = 0;
    snprintf(output, sizeof output, "%s/%%d.png", folder);
    for (const struct keyed_value *value = one->values; value->key; value++, n++) {
        if (have == KEYFRAMES)
            snprintf(set[n], sizeof set[n],
                     "%s=[{at: start, value: %g}, {at: frame 4, value: %g, ease: linear}]",
                     value->key, value->from, value->to);
        else if (value->same[0])
            snprintf(set[n], sizeof set[n], "%s", value->same[have == LAST]);
        else
            snprintf(set[n], sizeof set[n], "%s=%.17g", value->key,
                     have == FIRST ? value->from : value->to);
        words[count++] = "--set";
        words[count++] = set[n];
    }
    cli_run(NULL, 0, words);
}

TEST(a_keyframe_is_what_it_says)
{
    cli_need_gl();
    for (size_t c = 0; c < CASES; c++) {
        char scene[1024];
        print_message("%s", cases[c].rest);
        snprintf(scene, sizeof scene, "%soutput: {frames: 6, start_number: 0}\n", cases[c].rest);
        cli_write("one.yaml", scene);
        draw(&cases[c], KEYFRAMES, "0..5", "keyed");
        draw(&cases[c], FIRST, "0..0", "first");
        draw(&cases[c], LAST, "4..5", "last");
        assert_same_pictures("keyed", "first", "0..0", cases[c].rounds);
        assert_same_pictures("keyed", "last", "4..5", cases[c].rounds);
        draw(&cases[c], KEYFRAMES, "2..3", "range");
        assert_same_pictures("keyed", "range", "2..3", false);
    }
}

TESTS(cli_set_up, cli_tear_down)
