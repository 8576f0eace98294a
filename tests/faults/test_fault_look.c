/* Films that are interrupted, and whose title is another when they are made again: nothing that was
 * drawn is lost or mixed in, and a run that was kept is not simulated again. */
#include "tests/support/test.h"

#include "tests/faults/faults.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOK                                                                                       \
    "plummer", "-n", "300", "--set", "output.size=160x90", "--set", "output.frames=60", "--set",   \
        "output.segment=4", "--set", "output.threads=1", "--set", "overlay.title=true", "--set"
/* One encoder, so that the simulation is not far ahead of what is encoded. */
#define KEPT  "--keep-run", "k.gvr", "--encoders", "1"
#define RANGE "--frames", "8..20"

static const char *const titled_one[] = {LOOK, "output.title=One", NULL},
                         *const titled_two[] = {LOOK, "output.title=Two", NULL},
                         *const kept_one[] = {LOOK, "output.title=One", KEPT, NULL},
                         *const kept_two[] = {LOOK, "output.title=Two", KEPT, NULL},
                         *const range_one[] = {LOOK, "output.title=One", RANGE, NULL},
                         *const range_two[] = {LOOK, "output.title=Two", RANGE, NULL};

static const struct fault_film one = {"one", "film.mp4", titled_one, false},
                               two = {"two", "film.mp4", titled_two, false},
                               one_kept = {"one kept", "film.mp4", kept_one, false},
                               two_kept = {"two kept", "film.mp4", kept_two, false},
                               one_range = {"range of one", "film.mp4", range_one, false},
                               two_range = {"range of two", "film.mp4", range_two, false},
                               one_pictures = {"pictures", "%02d.png", titled_one, false},
                               two_pictures = {"pictures", "%02d.png", titled_two, false};

static void hash_of(const char *name, char out[HASH_TEXT])
{
    struct hash_stream *stream = hash_open();
    assert_ok(hash_add_file(stream, cli_path(name), 0, NULL));
    hash_end(&stream, out);
}

static void assert_same_bytes(const char *name, const char *wanted)
{
    char own[HASH_TEXT], other[HASH_TEXT];
    hash_of(name, own);
    hash_of(wanted, other);
    if (strcmp(own, other) != 0)
        fail_msg("%s and %s differ", name, wanted);
}

static int cut(const struct fault_film *film, const char *whole, const char *kind)
{
    char fault[32];
    snprintf(fault, sizeof fault, "%s %ld", kind,
             fault_count(film, whole) * (strcmp(kind, "kill") == 0 ? 2 : 1) / 3);
    return fault_run(film, "cut", fault, NULL, NULL);
}

/* Makes the film again in the place of the one that was cut short. */
static void make_again(const struct fault_film *film, const char *extra, int code,
                       const char *words)
{
    struct run run;
    assert_int_equal(fault_run(film, "cut", NULL, extra, &run), code);
    assert_says(run.err, words);
    run_free(&run);
}

TEST(what_was_drawn_is_set_aside)
{
    cli_need_gl();
    assert_int_equal(fault_run(&two, "two", NULL, NULL, NULL), 0);
    assert_int_equal(cut(&one, "one", "kill"), 1000 + 9);
    make_again(&two, NULL, 2,
               "interrupted look otherwise output.title One Two --resume `gravreel resume -y");
    make_again(&two, "--resume", 0, "look otherwise set aside film.before.mp4 drawn anew");
    assert_same_bytes("cut/film.mp4", "two/film.mp4");
    cli(0, "resume", "cut/film.before.mp4");
    assert_same_bytes("cut/film.before.mp4", "one/film.mp4");
    FAULT_HOLDS("cut", "film.mp4", "film.scene.yaml", "film.before.mp4", "film.before.scene.yaml");
    make_again(&one, "--resume", 2, "film.mp4 exists");
}

/* A stop also leaves the film so far, and its scene. */
TEST(the_film_so_far_is_set_aside)
{
    cli_need_gl();
    assert_int_equal(cut(&one, "one", "stop"), 130);
    FAULT_HOLDS("cut", "film.mp4", "film.scene.yaml", "film.mp4.parts");
    make_again(&two, "--resume", 0, "look otherwise set aside");
    FAULT_HOLDS("cut", "film.mp4", "film.scene.yaml", "film.before.mp4", "film.before.scene.yaml",
                "film.before.mp4.parts");
    assert_same_bytes("cut/film.mp4", "two/film.mp4");
    cli(0, "resume", "cut/film.before.mp4");
    assert_same_bytes("cut/film.before.mp4", "one/film.mp4");
}

/* A range keeps the checkpoint at its first frame for this. */
TEST(a_range_is_not_simulated_from_the_start)
{
    cli_need_gl();
    assert_int_equal(fault_run(&two_range, "range", NULL, NULL, NULL), 0);
    assert_int_equal(cut(&one_range, "other", "kill"), 1000 + 9);
    make_again(&two_range, "--resume", 0, "set aside starts at its checkpoint frame 8");
    assert_same_bytes("cut/film.mp4", "range/film.mp4");
}

/* Pictures of a sequence have no other place. */
TEST(pictures_of_two_looks_are_not_mixed)
{
    cli_need_gl();
    assert_int_equal(cut(&one_pictures, "pictures", "kill"), 1000 + 9);
    make_again(&two_pictures, "--resume", 2, "look different output.title One Two -y");
}

/* Of the run, only the frames after its checkpoint are simulated again; once it is complete, none.
 */
TEST(a_run_that_was_kept_is_drawn)
{
    cli_need_gl();
    char fault[32];
    snprintf(fault, sizeof fault, "kill %ld", 2 * fault_count(&one_kept, "kept") / 3);
    assert_int_equal(unlink(cli_path("k.gvr")), 0);
    assert_int_equal(fault_run(&one_kept, "cut", fault, NULL, NULL), 1000 + 9);
    cli(0, "simulate", LOOK, "output.title=One", "-y", "-o", "whole.gvr");
    make_again(&two_kept, "--resume", 0, "continues from frame 32 drawn from the run set aside");
    assert_same_bytes("cut/film.mp4", "two/film.mp4");
    assert_same_bytes("k.gvr", "whole.gvr");
    make_again(&one_kept, "-y", 0, "drawn from the run");
    assert_same_bytes("cut/film.mp4", "one/film.mp4");
}

TESTS(cli_set_up, cli_tear_down)
