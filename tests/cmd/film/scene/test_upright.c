/* A wide scene in a picture higher than wide, and an upright film in a wide one. */
#include "tests/support/test.h"

#include "cmd/film/scene/request.h"
#include "scenes/scene.h"

#include <math.h>
#include <stdio.h>

#define TWO "bodies: {galaxies: [{name: a}, {name: b}]}\n"

/* The azimuth of a scene made for 160x90 when it is rendered in 90x160. */
static double turned(const char *text, bool turns)
{
    struct scene *scene = NULL;
    assert_ok(scene_parse(&scene, text, "film.yaml"));
    assert_ok(scene_set(scene, "output.size", "90x160", "--size"));
    assert_int_equal(upright_turn(scene, (struct picture_size){160, 90}), turns);
    const double azimuth = scene->camera.azimuth;
    scene_close(&scene);
    return azimuth;
}

TEST(galaxies_come_above_each_other)
{
    assert_true(turned(TWO "camera: {azimuth: -100}\n", true) == -10);
    assert_true(turned(TWO "camera: {azimuth: 90}\n", true) == 180);
    assert_true(turned(TWO "camera: {azimuth: 100}\n", true) == -170);
    assert_true(turned(TWO "camera: {azimuth: 134}\n", true) == -136);
}

TEST(other_cameras_stay)
{
    assert_true(turned(TWO "camera: {azimuth: -10}\n", false) ==
                -10); /* above each other already */
    assert_true(turned(TWO "camera: {azimuth: 136}\n", false) == 136);
    assert_true(turned("bodies: {model: plummer}\ncamera: {azimuth: 90}\n", false) == 90);
    assert_true(turned("bodies: {galaxies: [{name: a}]}\ncamera: {azimuth: 90}\n", false) == 90);
    assert_true(turned(TWO "camera:\n  azimuth: 90\n  keyframes: [{at: 0, position: [9, 0, 0]}]\n",
                       false) == 90);
    assert_true(turned(TWO "camera: {azimuth: 90}\nlook: {panels: [{title: a}, {title: b}]}\n",
                       false) == 90);
    assert_true(turned(TWO "camera: {azimuth: 90, projection: equirect}\n", false) == 90);
}

TEST(only_what_becomes_higher_than_wide)
{
    struct scene *scene = NULL;
    assert_ok(
        scene_parse(&scene, TWO "camera: {azimuth: 90}\noutput: {size: 90x160}\n", "film.yaml"));
    assert_false(upright_turn(scene, (struct picture_size){80, 120})); /* made for it */
    assert_ok(scene_set(scene, "output.size", "100x100", "--size"));
    assert_false(upright_turn(scene, (struct picture_size){160, 90}));
    assert_true(scene->camera.azimuth == 90);
    scene_close(&scene);
}

/* The azimuth of a scene made for 90x160 when it is rendered in `size`. */
static double turned_back(const char *text, const char *size, bool turns)
{
    struct scene *scene = NULL;
    assert_ok(scene_parse(&scene, text, "film.mp4"));
    assert_ok(scene_set(scene, "output.size", size, "--size"));
    assert_int_equal(upright_turn(scene, (struct picture_size){90, 160}), turns);
    const double azimuth = scene->camera.azimuth;
    scene_close(&scene);
    return azimuth;
}

TEST(upright_films_turn_back)
{
    assert_true(turned_back(TWO "camera: {azimuth: 30}\n", "160x90", true) == -60);
    for (int azimuth = -179; azimuth <= 180; azimuth++) {
        char text[128];
        snprintf(text, sizeof text, TWO "camera: {azimuth: %d}\n", azimuth);
        const bool across = fabs(sin(azimuth * M_PI / 180)) > M_SQRT1_2;
        const double upright = turned(text, across);
        snprintf(text, sizeof text, TWO "camera: {azimuth: %.12g}\n", upright);
        if (across)
            assert_true(turned_back(text, "160x90", true) == azimuth);
    }
    assert_true(turned_back(TWO "camera: {azimuth: 80}\n", "160x90", false) == 80);
    assert_true(turned_back(TWO "camera: {azimuth: 30}\n", "100x100", false) == 30);
    assert_true(turned_back("bodies: {model: plummer}\ncamera: {azimuth: 30}\n", "160x90", false) ==
                30);
}

TESTS(NULL, NULL)
