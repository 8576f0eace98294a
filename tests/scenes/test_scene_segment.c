/* The meaning of output.segment: auto: a function of the scene alone, because a film's bytes depend
 * on it. */
#include "tests/support/test.h"

#include "scenes/print.h"
#include "scenes/scene.h"

#include <stdlib.h>

static uint64_t length(const char *fps, const char *frames, const char *segment)
{
    struct scene *scene;
    assert_ok(scene_open(&scene, "plummer"));
    assert_ok(scene_set(scene, "output.fps", fps, "--fps"));
    assert_ok(scene_set(scene, "output.frames", frames, "--frames"));
    if (segment)
        assert_ok(scene_set(scene, "output.segment", segment, "--set"));
    const uint64_t found = scene_segment_length(scene);
    scene_close(&scene);
    return found;
}

TEST(a_second_of_the_film)
{
    assert_int_equal(length("30", "300", NULL), 30);
    assert_int_equal(length("30", "10", NULL), 30);
    assert_int_equal(length("60000/1001", "300", NULL), 60);
    assert_int_equal(length("23.976", "300", NULL), 24);
    assert_int_equal(length("5", "300", NULL), 12);
    assert_int_equal(length("30", "60000", NULL), 30);
    assert_int_equal(length("30", "60001", NULL), 31);
    assert_int_equal(length("30", "10000000", NULL), 5000);
}

TEST(a_number_is_itself)
{
    assert_int_equal(length("30", "10000000", "7"), 7);
    assert_int_equal(length("30", "300", "240"), 240);
    assert_int_equal(length("30", "300", "auto"), 30);
}

TEST(auto_is_printed_and_read)
{
    struct scene *scene, *again;
    assert_ok(scene_open(&scene, "plummer"));
    char *text = scene_print(scene);
    assert_contains(text, "  segment: auto\n");
    assert_ok(scene_parse(&again, text, "printed"));
    assert_int_equal(scene_segment_length(again), 30);
    scene_close(&again);
    free(text);
    const char *const wrong[] = {"0", "-1", "often", "\"auto.\""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_fails(scene_set(scene, "output.segment", wrong[i], "--set"), STATUS_USAGE,
                     "--set auto number 1 100000");
        assert_int_equal(scene_segment_length(scene), 30);
    }
    scene_close(&scene);
}

TESTS(NULL, NULL)
