/* --audio: sound with the pictures, in sync, cut to the film's length. */
#include "tests/support/test.h"

#include "render/reader/played.h"
#include "render/reader/stream.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/tone.h"

#include <math.h>
#include <stdlib.h>

/* Two seconds. */
#define SMALL "plummer", "-n", "64", "--size", "64x36", "--fps", "10", "--frames", "20", "-y"

static void make(const char *name, double seconds)
{
    if (!tone_write(cli_path(name), seconds, 0.7))
        outcome_skip(MISSING_ENCODER, name);
}

TEST(sound_is_where_it_was)
{
    cli_need_gl();
    static const struct {
        const char *file, *film, *codec;
    } cases[] = {
        {"t.wav", "a.mkv", "pcm_s16le"}, {"t.wav", "a.mov", "pcm_s16le"},
        {"t.m4a", "a.mp4", "aac"},       {"t.m4a", "a.mkv", "aac"},
        {"t.m4a", "a.mov", "aac"},       {"t.flac", "a.mp4", "flac"},
    };
    make("t.wav", 3);
    make("t.m4a", 3);
    make("t.flac", 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli(0, "render", SMALL, "-o", cases[i].film, "--audio", cases[i].file, "--set",
            "output.segment=12");
        const struct tone tone = tone_find(cli_path(cases[i].film));
        assert_true(tone.found);
        assert_string_equal(tone.codec, cases[i].codec);
        if (!(fabs(tone.at - 0.7) < 0.003) || !(tone.end <= 2.001 && tone.end > 1.9))
            fail_msg("%s in %s: at %g, ends at %g", cases[i].file, cases[i].film, tone.at,
                     tone.end);
        struct film_info info;
        assert_ok(film_info_read(cli_path(cases[i].film), &info));
        assert_int_equal(info.frames, 20);
        assert_true(fabs(info.duration - 2) < 0.002);
        assert_string_equal(tags_find(&info.tags, "title"), "Plummer sphere");
        film_info_free(&info);
    }
    /* The scene names it, and a film rendered again has it as well. */
    assert_contains(cli(0, "info", "a.mp4")->out, "  audio: ");
    cli(0, "render", "a.mp4", "-o", "again.mp4", "-y");
    assert_true(tone_find(cli_path("again.mp4")).found);
    cli(0, "verify", "again.mp4");
    cli(0, "compare", "again.mp4", "a.mp4");
}

TEST(short_sound_ends_early)
{
    cli_need_gl();
    make("short.wav", 1);
    assert_says(cli(0, "render", SMALL, "-o", "b.mkv", "--audio", "short.wav")->err,
                "sound 1.0 film 2.0");
    const struct tone tone = tone_find(cli_path("b.mkv"));
    assert_true(tone.found && tone.end < 1.03);
}

/* Ranges have no sound; joined they are the film of a single run. */
TEST(joining_adds_it)
{
    cli_need_gl();
    make("t.wav", 3);
    cli(0, "render", SMALL, "-o", "whole.mkv", "--audio", "t.wav");
    assert_says(cli(0, "render", "plummer", "-n", "64", "--size", "64x36", "--fps", "10", "--set",
                    "output.frames=20", "-y", "--frames", "0..9", "-o", "p.mkv", "--audio", "t.wav")
                    ->err,
                "range film sound");
    cli(0, "render", "plummer", "-n", "64", "--size", "64x36", "--fps", "10", "--set",
        "output.frames=20", "-y", "--frames", "10..19", "-o", "q.mkv", "--audio", "t.wav");
    assert_false(tone_find(cli_path("p.mkv")).found);
    cli(0, "join", "p.mkv", "q.mkv", "-o", "joined.mkv", "-y");
    char *a = cli_read("whole.mkv"), *b = cli_read("joined.mkv");
    assert_string_equal(a, b);
    free(a);
    free(b);
    const struct tone tone = tone_find(cli_path("joined.mkv"));
    assert_true(tone.found && fabs(tone.at - 0.7) < 0.002);
}

#define differs(words, a, b) assert_says(cli(3, "compare", a, b)->out, words)

/* Sound is compared packet by packet: what one container needs more than another before the film
 * is no difference, but other sound, none, and sound at another time are. */
TEST(films_with_other_sound_are_not_the_same)
{
    cli_need_gl();
    if (!tone_write(cli_path("late.m4a"), 3, 0.9))
        outcome_skip(MISSING_ENCODER, "late.m4a");
    make("t.m4a", 3);
    cli(0, "render", SMALL, "-o", "s.mp4", "--audio", "t.m4a");
    cli(0, "render", SMALL, "-o", "s.mkv", "--audio", "t.m4a");
    cli(0, "render", SMALL, "-o", "s.mov", "--audio", "t.m4a");
    cli(0, "render", SMALL, "-o", "other.mp4", "--audio", "late.m4a");
    cli(0, "render", SMALL, "-o", "mute.mp4");
    assert_lacks(cli(0, "compare", "s.mp4", "s.mkv")->out, "not compared");
    cli(0, "compare", "s.mp4", "s.mov");
    differs("container packets sound", "s.mp4", "other.mp4");
    differs("container sound aac 48000 Hz none", "s.mp4", "mute.mp4");
    differs("container sound none aac", "mute.mp4", "s.mkv");
    cli(3, "compare", "s.mp4", "mute.mp4", "--lossy");
    assert_says(cli(0, "compare", "s.mp4", "other.mp4", "--lossy")->out,
                "not compared packets sound encoded");
    /* A film whose scene has sound, without it; and one whose scene has none, with it. */
    remux(cli_path("s.mp4"), cli_path("lost.mp4"), &(struct remux){0});
    assert_says(cli(3, "verify", "lost.mp4")->out, "container sound scene missing");
    assert_says(cli(0, "verify", "s.mp4")->out, "sound was not decoded");
}

#define TIMED(from, to)                                                                            \
    "plummer", "-n", "64", "--size", "64x36", "--fps", "29.97", "--set", "output.frames=8",        \
        "--set", "output.segment=4", "-y", "--frames", from ".." to, "--set"

/* A range has the timecode of its first frame, and joining ranges makes the whole film. */
TEST(timecode_is_that_of_the_first_frame)
{
    cli_need_gl();
    static const char *const ends[] = {"mov", "mp4"};
    for (int i = 0; i < 2; i++) {
        char name[4][16];
        for (int k = 0; k < 4; k++)
            snprintf(name[k], sizeof name[k], "%c.%s", "wabj"[k], ends[i]);
        static const char start[] = "output.timecode=00:59:59;28";
        cli(0, "render", TIMED("0", "7"), start, "-o", name[0]);
        cli(0, "render", TIMED("0", "3"), start, "-o", name[1]);
        cli(0, "render", TIMED("4", "7"), start, "-o", name[2]);
        cli(0, "join", name[2], name[1], "-o", name[3], "-y");
        static const char *const codes[] = {"00:59:59;28", "00:59:59;28", "01:00:00;02",
                                            "00:59:59;28"};
        for (int k = 0; k < 4; k++) {
            struct played played;
            assert_ok(played_read(cli_path(name[k]), &played));
            const struct played_stream *track = played_stream(&played, "timecode");
            assert_non_null(track);
            assert_string_equal(track->form, codes[k]);
            played_free(&played);
            cli(0, "verify", name[k]);
        }
        char *whole = cli_read(name[0]), *joined = cli_read(name[3]);
        assert_string_equal(whole, joined);
        free(whole);
        free(joined);
    }
    cli(0, "render", TIMED("0", "7"), "output.timecode=02:00:00:00", "-o", "o.mp4");
    assert_says(cli(3, "compare", "w.mp4", "o.mp4")->out, "timecode 00:59:59;28 02:00:00:00");
    remux(cli_path("w.mp4"), cli_path("lost.mp4"), &(struct remux){0});
    assert_says(cli(3, "verify", "lost.mp4")->out, "timecode missing 00:59:59;28");
}

TEST(what_cannot_be_is_said_before_the_film)
{
    cli_need_gl();
    cli_fails(2, "timecode mp4 mov output.timecode", "render", "plummer", "--fps", "25", "--set",
              "output.timecode=01:00:00:00", "-o", "x.mkv");
    cli_fails(2, "10 frames per second output.timecode", "render", SMALL, "--set",
              "output.timecode=01:00:00:00", "-o", "x.mp4");
    make("t.wav", 3);
    make("t.m4a", 3);
    cli_write("text.wav", "no sound at all, only words");
    cli_write("list.m3u8", "#EXTM3U\n#EXTINF:1,\nt.wav\n");
    cli(0, "render", "plummer", "-n", "64", "--size", "64x36", "--frames", "4", "-y", "-o",
        "mute.mp4");
    static const struct {
        int code;
        const char *file, *film, *says;
    } cases[] = {
        {5, "none.wav", "x.mp4", "none.wav"},
        {2, "text.wav", "x.mp4", "sound"},
        {2, "list.m3u8", "x.mp4", "sound"},
        {2, "mute.mp4", "x.mp4", "sound"},
        {2, "t.wav", "x.mp4", "pcm_s16le mp4 convert"},
        {2, "t.m4a", "x.webm", "-c:a libopus"},
        {2, "t.wav", "x.gif", "sound files mp4 mov mkv webm"},
        {2, "t.wav", "x/%d.png", "--audio output.audio"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_says(
            cli(cases[i].code, "render", SMALL, "-o", cases[i].film, "--audio", cases[i].file)->err,
            cases[i].says);
        assert_false(cli_exists(cases[i].film));
        assert_false(cli_exists("x.mp4.parts"));
    }
    /* Pictures of a scene with sound are silent. */
    cli_write("sound.yaml", "bodies: {model: plummer, count: 64}\n"
                            "output: {audio: t.m4a, size: 64x36, frames: 2}\n");
    assert_says(cli(0, "render", "sound.yaml", "-o", "silent/%d.png")->err,
                "silent/%d.png silent scene sound");
    assert_true(cli_exists("silent/1.png"));
    assert_lacks(cli(0, "render", "plummer", "--save-scene", "-")->out, "audio");
}

TESTS(cli_set_up, cli_tear_down)
