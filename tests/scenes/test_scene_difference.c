/* The first key in which two resolved scenes differ. */
#include "tests/support/test.h"

#include "scenes/print.h"
#include "scenes/scene.h"

#include <string.h>

static char *printed(const char *text)
{
    struct scene *scene;
    assert_ok(scene_parse(&scene, text, "test.yaml"));
    char *resolved = scene_print(scene);
    assert_non_null(resolved);
    scene_close(&scene);
    return resolved;
}

static void assert_difference(const char *a, const char *b, const char *key, const char *value_a,
                              const char *value_b)
{
    struct scene_difference found;
    assert_true(scene_difference(a, b, &found));
    assert_string_equal(found.key, key);
    assert_string_equal(found.a, value_a);
    assert_string_equal(found.b, value_b);
}

/* For two scenes as a person writes them. */
static void assert_scenes_differ(const char *a, const char *b, const char *key, const char *value_a,
                                 const char *value_b)
{
    char *x = printed(a), *y = printed(b);
    assert_difference(x, y, key, value_a, value_b);
    assert_difference(y, x, key, value_b, value_a);
    free(x);
    free(y);
}

TEST(test_alike)
{
    const struct scene_builtin *builtin;
    for (size_t k = 0; (builtin = choice_at(&builtin_registry, k)); k++) {
        char *x = printed(builtin->text), *y = printed(builtin->text);
        struct scene_difference found;
        assert_false(scene_difference(x, y, &found));
        assert_true(!found.key[0] && !found.a[0] && !found.b[0]);
        free(x);
        free(y);
    }
}

TEST(test_values)
{
    assert_scenes_differ("camera:\n  azimuth: 30\n", "camera:\n  azimuth: 45\n", "camera.azimuth",
                         "30", "45");
    assert_scenes_differ("output:\n  title: \"a: b\"\n", "output:\n  title: c\n", "output.title",
                         "\"a: b\"", "c");
    assert_scenes_differ("camera:\n  target: [1, 2, 3]\n", "camera:\n  target: [1, 2, 4]\n",
                         "camera.target", "[1, 2, 3]", "[1, 2, 4]");
    /* the first one in the order of the scene */
    assert_scenes_differ("bodies:\n  seed: 1\noutput:\n  crf: 3\n",
                         "output:\n  crf: 4\nbodies:\n  seed: 2\n", "bodies.seed", "1", "2");
}

TEST(test_lists)
{
    const char *const two =
        "overlay:\n  captions:\n    - text: one\n    - text: two\n      to: 7\n";
    const char *const other =
        "overlay:\n  captions:\n    - text: one\n    - text: two\n      to: 8\n";
    assert_scenes_differ(two, other, "overlay.captions[2].to", "7", "8");
    assert_scenes_differ(two, "overlay:\n  captions:\n    - text: one\n",
                         "overlay.captions[2].text", "two", "not given");
    assert_scenes_differ(two, "overlay: {}\n", "overlay.captions[1].text", "one", "not given");
}

TEST(test_all)
{
    struct scene_difference found[2];
    const char *const a = "a:\n  x: 1\n  y: 2\nb:\n  z: 3\n",
                      *const b = "a:\n  x: 4\n  y: 2\nb:\n  v: 5\n";
    assert_int_equal(scene_differences(a, a, found, 2), 0);
    assert_int_equal(scene_differences(a, b, NULL, 0), 3);
    assert_int_equal(scene_differences(a, b, found, 2), 3);
    assert_string_equal(found[0].key, "a.x");
    assert_string_equal(found[1].key, "b.z");
    assert_string_equal(found[1].b, "not given");
    assert_int_equal(scene_differences("a:\n  x: 1\n", "a:\n  x: 1\n  x: 2\n", found, 2), 1);
    assert_string_equal(found[0].key, "a.x");
}

/* Texts of other versions, or of none. */
TEST(test_foreign)
{
    assert_difference("a:\n  x: 1\n  y: 2\n", "a:\n  y: 2\n  x: 1\n  z: 3\n", "a.z", "not given",
                      "3");
    assert_difference("a:\n  x: 1\nb:\n  x: 2\n", "a:\n  x: 1\nb:\n  x: 3\n", "b.x", "2", "3");
    assert_difference("a:\n  rubbish\n", "a:\n", "line 2", "rubbish", "not given");
    assert_difference("", "a:\n  x: 1", "a.x", "not given", "1");
    char text[512] = "a:\n  x: ", want[DIFFERENCE_VALUE_MAX];
    memset(text + 8, 'w', 300);
    memset(want, 'w', sizeof want);
    strcpy(want + sizeof want - 4, "...");
    assert_difference(text, "", "a.x", want, "not given");
    /* Nothing here may read beyond its text. */
    static const char *const odd[] = {"",
                                      "\n",
                                      ":",
                                      " ",
                                      "    -",
                                      "    - ",
                                      "a:\n  b:\n    -",
                                      "  :",
                                      "a:\n  b:\n      ",
                                      "      x",
                                      "a:\n  b:\n    - :"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++)
        for (size_t k = 0; k < sizeof odd / sizeof *odd; k++) {
            struct scene_difference found;
            char *x = strdup(odd[i]), *y = strdup(odd[k]);
            const bool differ = scene_difference(x, y, &found);
            assert_true(i != k || !differ);
            free(x);
            free(y);
        }
}

/* A value left to the codec is shown with the codec's choice, if that is known. */
TEST(test_told)
{
    static const struct {
        const char *key, *value, *encoding, *told;
    } cases[] = {
        {"output.crf", "-1", "libx264 medium crf 23, 8 threads", "default (23)"},
        {"output.crf", "-1", "hevc_nvenc p5 cq 19.5", "default (19.5)"},
        {"output.crf", "-1", "libx264 crf 18", "default (18)"},
        {"output.crf", "-1", "ffv1, yuv444p, 8 threads", "default"},
        {"output.crf", "-1", NULL, "default"},
        {"output.crf", "23", "libx264 medium crf 23", "23"},
        {"output.preset", "\"\"", "libx264 medium crf 23, 8 threads", "default (medium)"},
        {"output.preset", "\"\"", "libx264 crf 18", "default"},
        {"output.preset", "fast", "libx264 fast crf 18", "fast"},
        {"camera.azimuth", "-1", "libx264 medium crf 23", "-1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int side = 0; side < 2; side++) {
            struct scene_difference found = {0};
            char *value = side ? found.b : found.a;
            snprintf(found.key, sizeof found.key, "%s", cases[i].key);
            snprintf(value, DIFFERENCE_VALUE_MAX, "%s", cases[i].value);
            scene_differences_say(&found, 1, side ? "other p1 cq 7" : cases[i].encoding,
                                  side ? cases[i].encoding : "other p1 cq 7");
            assert_string_equal(value, cases[i].told);
            assert_string_equal(side ? found.a : found.b, "");
        }
}

TESTS(NULL, NULL)
