/* Films and stills rendered again from the scene that they contain. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SMALL                                                                                      \
    "render", "plummer", "-n", "64", "--size", "64x36", "--seed", "7", "--set", "output.frames=6", \
        "--set", "output.preset=veryfast", "--set", "output.segment=2"

static bool have_gl;

static int set_up(void **state)
{
    if (cli_set_up(state) != 0)
        return -1;
    have_gl = cli_has_gl();
    if (!have_gl)
        return 0;
    cli(0, SMALL, "-o", "a.mp4");
    cli(0, SMALL, "-o", "a.mkv");
    cli(0, SMALL, "-o", "part.mp4", "--frames", "0..1");
    cli(0, SMALL, "-o", "rest.mp4", "--frames", "2..5");
    cli(0, "join", "part.mp4", "rest.mp4", "-o", "joined.mp4");
    cli(0, SMALL, "-o", "%02d.png", "--frames", "2..3");
    return 0;
}

static void need_gl(void)
{
    if (!have_gl)
        outcome_skip(MISSING_GL, "see above");
}

/* A range, a joined film and a picture of a sequence contain the whole scene, too. */
TEST(films_make_themselves_again)
{
    need_gl();
    static const char *const from[] = {"a.mp4", "a.mkv", "part.mp4", "joined.mp4", "02.png"};
    for (size_t i = 0; i < sizeof from / sizeof from[0]; i++) {
        cli(0, "render", from[i], "-y", "-o", "again.mp4");
        assert_true(fixture_same_files(cli_path("a.mp4"), cli_path("again.mp4")));
    }
    cli(0, "render", cli_path("a.mp4"), "-y", "-o", "again.mkv");
    assert_true(fixture_same_files(cli_path("a.mkv"), cli_path("again.mkv")));
}

TEST(stills_of_a_film)
{
    need_gl();
    cli(0, SMALL, "--save-scene", "a.yaml");
    cli(0, "still", "a.yaml", "--at", "frame 5", "-o", "of_scene.png");
    cli(0, "still", "a.mp4", "--at", "frame 5", "-o", "of_film.png");
    assert_true(fixture_same_files(cli_path("of_scene.png"), cli_path("of_film.png")));
    cli(0, "render", "of_film.png", "-y", "-o", "again.mp4");
    assert_true(fixture_same_files(cli_path("a.mp4"), cli_path("again.mp4")));
}

/* Changes to the scene work as for any other scene. */
TEST(settings_apply)
{
    need_gl();
    cli(0, "render", "a.mp4", "--seed", "8", "-y", "-o", "other.mp4");
    assert_false(fixture_same_files(cli_path("a.mp4"), cli_path("other.mp4")));
    char *text = cli_read("other.scene.yaml");
    assert_contains(text, "seed: 8");
    assert_contains(text, "count: 64");
    free(text);
}

/* A table beside the film is found from any current folder. */
TEST(bodies_beside_the_film)
{
    need_gl();
    assert_ok(file_make_folder(cli_path("sub")));
    cli_write("sub/two.tab", "1 -1 0 0 0 -0.3 0\n1 1 0 0 0 0.3 0\n");
    cli_write("sub/two.yaml",
              "bodies: {model: file, file: two.tab, count: 0}\noutput: {size: 64x36, frames: 3}\n");
    cli(0, "render", "sub/two.yaml", "-o", "sub/two.mp4");
    cli(0, "render", "sub/two.mp4", "-o", "two.mp4");
    assert_true(fixture_same_files(cli_path("two.mp4"), cli_path("sub/two.mp4")));
}

/* A film's scene may name any file; it is read only if the user asks for it. */
TEST(bodies_elsewhere_are_asked_for)
{
    need_gl();
    char *whole = text_format("%s/two.tab", cli_folder);
    const char *const names[] = {whole, "../two.tab", "theirs/link.tab"};
    assert_ok(file_make_folder(cli_path("theirs")));
    cli_write("two.tab", "1 -1 0 0 0 -0.3 0\n1 1 0 0 0 0.3 0\n");
    assert_int_equal(symlink("../two.tab", cli_path("theirs/link.tab")), 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *made = i == 1 ? "theirs/made.yaml" : "made.yaml";
        char *scene = text_format("bodies: {model: file, file: '%s', count: 0}\n"
                                  "simulation: {dt: 0.1, softening: 0.1}\n"
                                  "output: {size: 64x36, frames: 2}\n",
                                  names[i]);
        cli_write(made, scene);
        cli(0, "render", made, "-y", "-o", "theirs/film.mp4");
        const struct run *run = cli(2, "render", "theirs/film.mp4", "-o", "no.mp4");
        assert_says(run->err, "film folder name --bodies-from");
        free(scene);
    }
    free(whole);
    assert_false(cli_exists("no.mp4"));
    cli_fails(2, "outside folder", "still", "theirs/film.mp4", "--at", "0", "-o", "no.png");
    cli(0, "render", "theirs/film.mp4", "--bodies-from", "two.tab", "--frames", "1", "-o",
        "asked.mp4");
    assert_says(cli_with(("GRAVREEL_DATA=."), 0, "render", "theirs/film.mp4", "--frames", "1", "-o",
                         "data.mp4")
                    ->err,
                "bodies theirs/link.tab scene theirs/film.mp4");
    assert_says(cli(0, "render", "sub/two.mp4", "--frames", "1", "-o", "below.mp4")->err,
                "bodies sub/two.tab");
}

TEST(the_film_itself_is_safe)
{
    need_gl();
    cli(0, "render", "a.mp4", "-y", "-o", "kept.mp4");
    cli_fails(2, "scene made kept.mp4", "render", "kept.mp4", "-y", "-o", "kept.mp4");
    cli_fails(2, "scene made kept.mp4", "render", "kept.mp4", "--resume", "-o", "./kept.mp4");
    cli_fails(2, "scene made kept.mp4", "render", "kept.mp4", "-y", "--save-scene", "kept.mp4");
    cli_fails(2, "--manifest already", "render", "kept.mp4", "-y", "-o", "b.mp4", "--manifest",
              "kept.mp4");
    cli_fails(2, "scene made", "render", "02.png", "-y", "-o", "%02d.png");
    assert_true(fixture_same_files(cli_path("a.mp4"), cli_path("kept.mp4")));
    assert_false(cli_exists("b.mp4"));
}

/* Replaces the bytes `from` in a file by as many others. */
static void patch(const char *film, const char *name, const char *from, const char *to)
{
    char *data;
    size_t size;
    assert_ok(file_read(cli_path(film), 1 << 24, &data, &size));
    char *at = memmem(data, size, from, strlen(from));
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    assert_ok(file_write(cli_path(name), data, size));
    free(data);
}

TEST(films_without_a_usable_scene)
{
    need_gl();
    patch("a.mp4", "damaged.mp4", "count: 64", "count: 65");
    cli_fails(3, "tag gravreel", "render", "damaged.mp4", "-o", "x.mp4");
    cli_fails(3, "damaged", "still", "damaged.mp4", "--at", "1", "-o", "x.png");
    cli(0, SMALL, "-o", "full.mp4", "--metadata", "full");
    patch("full.mp4", "bare.mp4", "gravreel_scene", "gravreel_sceme");
    cli_fails(2, "bare.mp4", "render", "bare.mp4", "-o", "x.mp4");
    cli_fails(2, "not say", "still", "bare.mp4", "--at", "1", "-o", "x.png");
    patch("full.mp4", "odd.mp4", "count: 64", "count: x4");
    cli_fails(2, "odd.mp4", "render", "odd.mp4", "-o", "x.mp4");
    cli_write("text.mp4", "this is no film at all, only its name is\n");
    cli_fails(2, "text.mp4 film", "render", "text.mp4", "-o", "x.mp4");
    cli_write("broken.png", "\x89PNG\r\n\x1a\nand then nothing");
    cli_fails(2, "PNG", "render", "broken.png", "-o", "x.mp4");
    cli_fails(5, "none.mp4", "render", "none.mp4", "-o", "x.mp4");
    cli(0, SMALL, "-o", "y.y4m", "--set", "output.preset=\"\"", "--frames", "0..1");
    cli_fails(2, "not say", "render", "y.y4m", "-o", "x.mp4");
    assert_false(cli_exists("x.mp4"));
}

TESTS(set_up, cli_tear_down)
