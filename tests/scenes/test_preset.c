/* look.preset: which keys it sets, and which it leaves. */
#include "tests/support/test.h"
#include "base/choice.h"
#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "scenes/scene_check.h"
#include "scenes/keys.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>

static struct scene *opened(const char *text)
{
    struct scene *scene;
    assert_ok(scene_parse(&scene, text, "film.yaml"));
    return scene;
}

TEST(each_sets_what_it_says)
{
    const struct look_preset *preset;
    for (size_t i = 0; (preset = choice_at(&preset_registry, i)); i++) {
        struct scene *scene = opened("");
        struct scene *spelled = opened("");
        assert_ok(scene_set(scene, "look.preset", preset->name, "--set"));
        assert_ok(scene_validate(scene));
        for (int k = 0; k < PRESET_KEYS && preset->set[k].key; k++)
            assert_ok(scene_set(spelled, preset->set[k].key, preset->set[k].value, "--set"));
        assert_ok(scene_validate(spelled));
        char *one = scene_print(scene), *other = scene_print(spelled);
        assert_string_equal(one, other);
        char line[64];
        snprintf(line, sizeof line, "preset: %s", preset->name);
        assert_lacks(one, line);
        free(one);
        free(other);
        scene_close(&scene);
        scene_close(&spelled);
    }
}

TEST(the_text_keeps_its_keys)
{
    struct scene *scene = opened("look: {preset: flat, bloom: 0.3}");
    assert_ok(scene_validate(scene));
    assert_true(scene->look.bloom == 0.3 && scene->look.glow == 0);
    assert_string_equal(scene->look.size->name, "fixed");
    scene_close(&scene);
}

TEST(an_option_goes_before_the_text)
{
    struct scene *scene = opened("look: {bloom: 0.3, color: galaxy, preset: cinema}");
    assert_ok(scene_set(scene, "look.preset", "science", "--set"));
    assert_ok(scene_set(scene, "look.color", "speed", "--set"));
    assert_ok(scene_validate(scene));
    assert_true(scene->look.bloom == 0 && scene->overlay.legend);
    assert_string_equal(scene->look.color->name, "speed");
    assert_string_equal(scene->look.mode->name, "points");
    assert_ok(scene_validate(scene)); /* again, it changes nothing */
    assert_string_equal(scene->look.color->name, "speed");
    scene_close(&scene);

    /* But the meaning of the scene's colours does not change. */
    scene = opened("look: {bloom: 0.3, color: galaxy}");
    assert_ok(scene_set(scene, "look.preset", "cinema", "--set"));
    assert_ok(scene_validate(scene));
    assert_true(scene->look.bloom == 0);
    assert_string_equal(scene->look.color->name, "galaxy");
    char *whole = scene_print(scene); /* as in a film, with every default */
    scene_close(&scene);
    scene = opened(whole);
    assert_ok(scene_set(scene, "look.preset", "science", "--set"));
    assert_ok(scene_validate(scene));
    assert_string_equal(scene->look.color->name, "galaxy");
    assert_string_equal(scene->look.map->name, "viridis");
    free(whole);
    scene_close(&scene);
}

TESTS(NULL, NULL)
