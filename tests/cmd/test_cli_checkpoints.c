/* Ranges of a film that begin at checkpoints of other runs. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/hash.h"
#include "tests/support/cli.h"

#include <string.h>

#define SCENE                                                                                      \
    "render", "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set",               \
        "output.segment=4"

static void hash_of(const char *name, char out[HASH_TEXT])
{
    struct hash_stream *stream = hash_open();
    assert_ok(hash_add_file(stream, cli_path(name), 0, NULL));
    hash_end(&stream, out);
}

static void assert_same_picture(const char *folder, int frame)
{
    char name[64], a[HASH_TEXT], b[HASH_TEXT];
    snprintf(name, sizeof name, "whole/%02d.png", frame);
    hash_of(name, a);
    snprintf(name, sizeof name, "%s/%02d.png", folder, frame);
    hash_of(name, b);
    assert_string_equal(a, b);
}

static void ranges_begin_where_others_were(void **state)
{
    (void)state;
    cli_need_gl();
    cli(0, SCENE, "-o", "whole/%02d.png");
    cli(0, SCENE, "--frames", "0..7", "--checkpoints", "points", "-o", "a/%02d.png");
    assert_true(cli_exists("points/checkpoint-000004.h5"));
    assert_false(cli_exists("points/checkpoint-000008.h5"));
    const struct run *run =
        cli(0, SCENE, "--frames", "9..11", "--checkpoints", "points", "-o", "b/%02d.png");
    cli_says(run->err, "starts at frame 4");
    assert_true(cli_exists("points/checkpoint-000008.h5"));
    run = cli(0, SCENE, "--frames", "11..11", "--checkpoints", "points", "-o", "c/%02d.png");
    cli_says(run->err, "starts at frame 9");
    for (int frame = 0; frame < 8; frame++)
        assert_same_picture("a", frame);
    for (int frame = 9; frame < 12; frame++)
        assert_same_picture("b", frame);
    assert_same_picture("c", 11);
}

static void damaged_and_foreign_checkpoints(void **state)
{
    (void)state;
    cli_need_gl();
    cli_write("points/checkpoint-000009.h5", "no checkpoint");
    const struct run *run =
        cli(0, SCENE, "--frames", "10..10", "--checkpoints", "points", "-o", "d/%02d.png");
    cli_says(run->err, "checkpoint-000009.h5");
    cli_says(run->err, "starts at frame 8");
    assert_same_picture("d", 10);
    run = cli(2, SCENE, "--seed", "2", "--frames", "5..6", "--checkpoints", "points", "-o",
              "e/%02d.png");
    cli_says(run->err, "another scene");
    run = cli(0, SCENE, "--set", "look.exposure=adapt", "--frames", "5..6", "--checkpoints",
              "other", "-o", "f/%02d.png");
    run = cli(0, SCENE, "--set", "look.exposure=adapt", "--frames", "6..7", "--checkpoints",
              "other", "-o", "g/%02d.png");
    cli_says(run->err, "are not used");
}

static void pictures_that_are_not_kept_leave_none(void **state)
{
    (void)state;
    cli_need_gl();
    const struct run *run =
        cli(0, SCENE, "--frames", "0..7", "--checkpoints", "none", "--format", "null", "-o", "-");
    cli_says(run->err, "no checkpoint is stored in 'none'");
    assert_false(file_exists(cli_path("none")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_begin_where_others_were),
        cmocka_unit_test(damaged_and_foreign_checkpoints),
        cmocka_unit_test(pictures_that_are_not_kept_leave_none),
    };
    return cmocka_run_group_tests(tests, cli_set_up, cli_tear_down);
}
