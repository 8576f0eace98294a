/* `gravreel verify`: films of every codec and container are sound, and each kind of damage is found
 * in its stage. */
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/regression/report/report_json.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/sink_fixture.h"

#include <string.h>
#include <sys/stat.h>

#define SMALL                                                                                      \
    "-n", "256", "--size", "128x72", "--frames", "12", "--set", "look.preset=classic",             \
        "--metadata", "full"

static void render(const char *codec, const char *name)
{
    if (!cli_exists(name))
        cli(0, "render", TWO_GALAXIES, SMALL, "--codec", codec, "-o", name);
}

static int set_up(void **state)
{
    cli_set_up(state);
    if (!cli_has_gl())
        return 0;
    render("h264", "film.mp4");
    render("ffv1", "archive.mkv");
    return 0;
}

/* Fails unless the film ends with 3 and the report contains the words. */
static void found(const char *name, const char *words)
{
    const struct run *run = cli(3, "verify", name);
    assert_says(run->out, words);
    assert_says(run->err, "film");
}

static void change(const char *in, const char *out, struct remux what)
{
    remux(cli_path(in), cli_path(out), &what);
}

#define found_by(words, ...) assert_says(cli(3, "verify", __VA_ARGS__)->out, words)

/* A bit that decodes to another picture without a warning is found by the manifest. */
TEST(packets_are_those_of_the_manifest)
{
    cli_need_gl();
    cli(0, "render", TWO_GALAXIES, SMALL, "--seed", "5", "-o", "named.mp4", "--manifest",
        "named.json");
    assert_says(cli(0, "verify", "named.mp4")->out,
                "bits packets container were not checked --manifest checks them");
    const struct run *run = cli(0, "verify", "named.mp4", "--manifest", "named.json");
    assert_says(run->out, "sound '4 of 4' stages every bit manifest examined '12 of 12' frames");
    assert_lacks(run->out, "checked");
    assert_says(cli(0, "verify", "named.mp4", "--redraw", "3")->out,
                "'3 of 12' frames limits packets container were not checked");
    assert_says(cli(0, "verify", "named.mp4", "--redraw", "12")->out,
                "'12 of 12' frames bit container were not checked");
    char *data;
    size_t size;
    assert_ok(file_read(cli_path("named.mp4"), 1 << 24, &data, &size));
    const char *packets = memmem(data, size, "mdat", 4);
    assert_non_null(packets);
    for (int i = 0; i < 6; i++) {
        char *at = data + (packets - data) + 1200 + 97 * i;
        *at ^= 4;
        assert_ok(file_write(cli_path("flipped.mp4"), data, size));
        run = cli(3, "verify", "flipped.mp4", "--manifest", "named.json");
        assert_says(run->out, "manifest");
        assert_contains(run->out, "container ok");
        *at ^= 4;
    }
    /* No picture depends on x264's description of itself in the first packet. */
    char *sei = memmem(packets, size - (size_t)(packets - data), "cabac=", 6);
    assert_non_null(sei);
    sei[6] ^= 1;
    assert_ok(file_write(cli_path("sei.mp4"), data, size));
    free(data);
    cli(0, "verify", "sei.mp4");
    found_by("'1 of 12' packets 'encoded again' frame 0", "sei.mp4", "--redraw", "12");
    found_by("'1 of 12' packets manifest frame 0", "sei.mp4", "--manifest", "named.json");
    assert_says(cli(3, "verify", "film.mp4", "--manifest", "named.json")->out, "frame 0");
    cli_write("broken.json", "{}");
    cli_fails(5, "not film's manifest", "verify", "named.mp4", "--manifest", "broken.json");
    cli_fails(2, "--manifest film", "verify", "named.mp4", "film.mp4", "--manifest", "named.json");
}

/* Data outside packets: the manifest names the box; without it, the damage cannot be detected,
 * which the report says. */
TEST(boxes_are_those_of_the_manifest)
{
    static const struct {
        const char *near, *box;
        int skip, bit;
    } flips[] = {
        {"stss", "moov.trak.mdia.minf.stbl.stss", 4 + 4 + 4 + 3, 2},
        {"avc1", "moov.trak.mdia.minf.stbl.stsd", 4 + 25, 4},
        {"Two galaxies", "moov.udta.meta", 1, 1},
        {"vmhd", "moov.trak.mdia.minf.vmhd", 7, 1},
        {"free", "free (missing)", 0, 1},
        {"isom", "ftyp", 4, 1},
    };
    cli_need_gl();
    if (!cli_exists("named.mp4"))
        cli(0, "render", TWO_GALAXIES, SMALL, "--seed", "5", "-o", "named.mp4", "--manifest",
            "named.json");
    char *data;
    size_t size;
    assert_ok(file_read(cli_path("named.mp4"), 1 << 24, &data, &size));
    for (size_t i = 0; i < sizeof flips / sizeof *flips; i++) {
        const char *near = strcmp(flips[i].near, "avc1") == 0
                               ? memmem(data + 64, size - 64, "avc1", 4)
                               : memmem(data, size, flips[i].near, strlen(flips[i].near));
        assert_non_null(near);
        char *at = data + (near - data) + flips[i].skip;
        *at = (char)(*at ^ flips[i].bit);
        assert_ok(file_write(cli_path("boxed.mp4"), data, size));
        *at = (char)(*at ^ flips[i].bit);
        const struct run *run = cli(3, "verify", "boxed.mp4", "--manifest", "named.json");
        assert_contains(run->out, "container: ");
        assert_says(run->out, "manifest box");
        assert_contains(run->out, flips[i].box);
        assert_contains(run->out, i == 0 ? "container CHANGED" : "packets ok, container CHANGED");
        if (i == 0) /* which the stream contradicts */
            found_by("film key frame", "boxed.mp4");
    }
    free(data);
    assert_says(cli(0, "verify", "boxed.mp4")->out, "packets container were not checked");
    /* A container without boxes is one entry; a bit of a packet is only that packet's fault. */
    cli(0, "render", TWO_GALAXIES, SMALL, "-o", "named.mkv", "--manifest", "mkv.json");
    assert_says(cli(0, "verify", "named.mkv", "--manifest", "mkv.json")->out, "every bit");
    assert_ok(file_read(cli_path("named.mkv"), 1 << 24, &data, &size));
    char *title = memmem(data, size, "Two galaxies", 12);
    assert_non_null(title);
    title[2] ^= 1;
    assert_ok(file_write(cli_path("boxed.mkv"), data, size));
    free(data);
    found_by("manifest file", "boxed.mkv", "--manifest", "mkv.json");
    change("named.mkv", "flipped.mkv", (struct remux){.flip = 3, .flip_at = 40});
    found_by("packets manifest", "flipped.mkv", "--manifest", "mkv.json");
}

/* A flipped bit in the tag with the scene does not make it another program's film: 80 such bits, 8
 * of them in its name. */
TEST(a_damaged_tag_is_found)
{
    enum { FLIPS = 80, OF_NAME = 8 };
    static char names[FLIPS][16];
    const char *arguments[FLIPS + 5] = {"verify", "--quiet", "--json", "tags.json"};
    cli_need_gl();
    cli(0, "render", "plummer", "-n", "128", "--size", "64x36", "--frames", "3", "-o",
        "tagged.mp4");
    char *data;
    size_t size;
    assert_ok(file_read(cli_path("tagged.mp4"), 1 << 24, &data, &size));
    char *name = memmem(data, size, "mdtagravreel", 12),
         *from = memmem(data, size, "{\"gravreel_", 11),
         *seal = memmem(data, size, "gravreel_seal", 13);
    assert_true(name && from && seal);
    const size_t length = (size_t)(seal - from) + 50;
    assert_int_equal(from[length - 1], '}');
    for (size_t i = 0; i < FLIPS; i++) {
        char *at = i < OF_NAME ? name + 4 + i : from + (i - OF_NAME) * length / (FLIPS - OF_NAME);
        *at = (char)(*at ^ 1 << 5 * i % 8);
        snprintf(names[i], sizeof names[i], "tag-%zu.mp4", i);
        assert_ok(file_write(cli_path(names[i]), data, size));
        arguments[4 + i] = names[i];
        *at = (char)(*at ^ 1 << 5 * i % 8);
    }
    free(data);
    struct report report;
    cli_run(NULL, 3, arguments);
    assert_ok(report_read_json(&report, cli_path("tags.json")));
    assert_int_equal(report.case_count, FLIPS);
    for (int i = 0; i < FLIPS; i++)
        if (report.cases[i].verdict != VERDICT_CHANGED ||
            !strstr(report.cases[i].sentence, "the tag 'gravreel' is damaged"))
            fail_msg("%s: %s", names[i], report.cases[i].sentence);
    report_free(&report);
    cli(3, "verify", "tag-40.mp4", "--redraw", "1");
    cli_fails(3, "tag gravreel tag-40.mp4", "info", "tag-40.mp4");
    assert_contains(cli(3, "info", "--json", "tag-40.mp4")->out, "\"frames\": 3");
    cli_fails(3, "restore file", "render", "tag-40.mp4", "-o", "again.mp4");
    cli_fails(3, "restore file", "join", "tag-40.mp4", "-o", "again.mp4");
    assert_false(cli_exists("again.mp4"));
    assert_says(cli(3, "compare", "tagged.mp4", "tag-40.mp4")->out, "tag gravreel B");
    assert_says(cli(3, "compare", "tag-40.mp4", "tagged.mp4")->out, "tag gravreel A");
}

TEST(films_of_every_kind_are_sound)
{
    static const char *const kinds[][2] = {
        {"h264", "mp4"},   {"h264", "mkv"},     {"h264", "mov"}, {"h264-lossless", "mp4"},
        {"hevc", "mp4"},   {"hevc", "mkv"},     {"vp9", "webm"}, {"vp9", "mp4"},
        {"av1", "webm"},   {"av1", "mp4"},      {"ffv1", "mkv"}, {"prores", "mov"},
        {"prores", "mkv"}, {"rawvideo", "y4m"},
    };
    cli_need_gl();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char name[64];
        if (!fixture_codec_opens(kinds[i][0]))
            continue;
        snprintf(name, sizeof name, "%s-%s.%s", kinds[i][0], kinds[i][1], kinds[i][1]);
        render(kinds[i][0], name);
        const bool silent = strcmp(kinds[i][1], "y4m") == 0; /* contains no scene */
        const struct run *run =
            silent ? cli(0, "verify", name) : cli(0, "verify", name, "--redraw", "3");
        assert_says(run->out, silent ? "sound '3 of 3' stages" : "sound '6 of 6' stages");
        assert_says(run->out, silent ? "" : "examined '12 of 12' frames");
    }
}

TEST(other_films_are_sound)
{
    cli_need_gl();
    cli(0, "render", TWO_GALAXIES, SMALL, "-o", "frames/%06d.png");
    assert_says(cli(0, "verify", "frames/%06d.png")->out, "sound '3 of 3' stages");
    assert_says(cli(0, "verify", "frames/%06d.png", "--redraw", "3")->out, "sound '4 of 4' stages");
    assert_says(cli(3, "verify", "frames/000003.png", "--redraw", "1")->out, "picture alone frame");
    cli(0, "render", TWO_GALAXIES, SMALL, "--seed", "2", "-o", "others/%06d.png");
    remove(cli_path("frames/000007.png"));
    assert_says(cli(3, "verify", "frames/%06d.png")->out, "'1 of 12' pictures");
    assert_int_equal(rename(cli_path("others/000007.png"), cli_path("frames/000007.png")), 0);
    assert_says(cli(3, "verify", "frames/%06d.png", "--redraw", "12")->out, "frame 7");
    cli(0, "render", TWO_GALAXIES, SMALL, "--frames", "5..9", "-o", "part.mp4");
    cli(0, "verify", "part.mp4", "--redraw", "5");
    cli(0, "render", TWO_GALAXIES, SMALL, "--size", "127x71", "--set", "output.pad=true", "-o",
        "odd.mp4");
    cli(0, "verify", "odd.mp4", "--redraw", "1");
    cli(0, "render", TWO_GALAXIES, SMALL, "--fps", "29.97", "--set", "output.segment=5", "-o",
        "parts.mkv");
    cli(0, "verify", "parts.mkv", "--redraw", "12");
    /* Black at its ends, or a title card without light, as in the scene. */
    cli(0, "render", TWO_GALAXIES, SMALL, "--fps", "12", "--set", "overlay.card=0.5", "--set",
        "overlay.card_covers=true", "--set", "overlay.fade=0.1", "-o", "carded.mp4");
    cli(0, "verify", "carded.mp4", "--redraw", "12");
    cli(0, "render", TWO_GALAXIES, SMALL, "--fps", "12", "--set", "look.fade_in=0.2", "--set",
        "look.fade_out=0.2", "--set", "look.background=#081020", "-o", "faded.mp4");
    cli(0, "verify", "faded.mp4", "--redraw", "12");
    cli(0, "render", TWO_GALAXIES, SMALL, "--frames", "1", "-o", "one.mp4");
    cli(0, "verify", "one.mp4", "--redraw", "9");
    const struct run *run = cli(0, "verify", "film.mp4", "archive.mkv");
    assert_says(run->out, "2 cases");
    cli(0, "verify", "film.mp4", "--json", "v.json", "--junit", "v.xml", "--markdown", "v.md",
        "--html", "v.html");
    assert_true(cli_exists("v.json") && cli_exists("v.xml"));
    assert_true(cli_exists("v.md") && cli_exists("v.html"));
}

/* Nothing is overwritten by mistake. */
TEST(reports_replace_no_film)
{
    cli_need_gl();
    cli(0, "render", TWO_GALAXIES, SMALL, "--frames", "3", "-o", "kept/%06d.png");
    cli(0, "render", TWO_GALAXIES, SMALL, "--frames", "2", "-o", "kept.mp4");
    static const char *const options[] = {"--json", "--html", "--junit", "--markdown"};
    char *before = cli_read("kept.mp4");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        cli_fails(2, "films", "verify", "kept.mp4", options[i], "kept.mp4", "-y");
        cli_fails(2, "films", "verify", "kept.mp4", options[i], "kept/../kept.mp4", "-y");
        cli_fails(2, "films", "verify", "kept/%06d.png", options[i], "kept/000001.png", "-y");
        cli_write("there", "mine");
        cli_fails(2, "exists", "verify", "kept.mp4", options[i], "there");
        char *there = cli_read("there");
        assert_string_equal(there, "mine");
        free(there);
        cli(0, "verify", "kept.mp4", options[i], "there", "-y");
        there = cli_read("there");
        assert_string_not_equal(there, "mine");
        free(there);
    }
    assert_int_equal(rename(cli_path("kept.mp4"), cli_path("kept.mp4.gravreel.part")), 0);
    cli_fails(2, "films", "verify", "kept.mp4.gravreel.part", "--json", "kept.mp4");
    cli_fails(2, "twice", "verify", "kept.mp4.gravreel.part", "--json", "j", "--html", "./j");
    assert_false(cli_exists("j"));
    cli(0, "verify", "kept.mp4.gravreel.part", "--json", "/dev/null", "--html", "/dev/null");
    char *after = cli_read("kept.mp4.gravreel.part");
    assert_string_equal(before, after);
    free(before);
    free(after);
}

TEST(a_film_that_was_only_copied_is_sound)
{
    cli_need_gl();
    change("film.mp4", "copy.mp4", (struct remux){0});
    cli(0, "verify", "copy.mp4");
    change("archive.mkv", "copy.mkv", (struct remux){0});
    cli(0, "verify", "copy.mkv");
}

/* FFV1 has a checksum in every slice. x264's arithmetic code mostly loses synchronization;
 * otherwise the picture differs. */
TEST(a_flipped_bit_is_found)
{
    cli_need_gl();
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "flip-%d.mkv", i);
        change("archive.mkv", name, (struct remux){.flip = 1 + 2 * i, .flip_at = 40 + i});
        found(name, "packets decode warning");
    }
    for (int i = 0; i < 6; i++) {
        char name[32];
        snprintf(name, sizeof name, "flip-%d.mp4", i);
        change("film.mp4", name, (struct remux){.flip = 1 + 2 * i, .flip_at = 60 + i});
        cli(3, "verify", name, "--redraw", "12");
    }
}

/* Every packet decodes without a warning, but two pictures are swapped in the stream: readers show
 * each at the time given by the container. */
TEST(pictures_out_of_order_are_found)
{
    static const char swapped[] = "setts=pts=if(eq(N\\,4)\\,PTS-DURATION\\,"
                                  "if(eq(N\\,5)\\,PTS+DURATION\\,PTS))";
    cli_need_gl();
    change("film.mp4", "order.mp4", (struct remux){.filter = swapped});
    found("order.mp4", "packets decode warning stream picture place container");
    cli(0, "sheet", "order.mp4", "-o", "order.png");
    const struct run *run = cli(3, "compare", "film.mp4", "order.mp4");
    assert_says(run->out, "picture frame 4 frames 5");
}

/* Fast motion that an encoder rounds differently from frame to frame is not out of order. */
TEST(fast_motion_is_in_order)
{
    cli_need_gl();
    const char *const codecs[] = {"h264", "hevc", "vp9"};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        cli(0, "render", "cartwheel", "-n", "300", "--size", "128x72", "--frames", "24", "--set",
            "camera.frame=fixed", "--set", "camera.distance=12", "--codec", codecs[i], "--crf",
            i < 2 ? "28" : "31", "-y", "-o", "fast.mp4");
        assert_lacks(cli(0, "verify", "fast.mp4")->out, "the order of the frames was not judged");
    }
}

TEST(times_of_decoding_that_stand_still_are_found)
{
    cli_need_gl();
    change("film.mp4", "still.mp4", (struct remux){0});
    patch_file(cli_path("still.mp4"), "stts", 16, "\0\0\0\0", 4); /* how long a packet lasts */
    found("still.mp4", "decoded later");
}

TEST(a_cut_film_is_found)
{
    cli_need_gl();
    static const int parts[] = {95, 75, 55}; /* the first half is the scene and the index */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        cut_file(cli_path("film.mp4"), cli_path("cut.mp4"), parts[i]);
        found("cut.mp4", "not sound");
        cut_file(cli_path("archive.mkv"), cli_path("cut.mkv"), parts[i]);
        found("cut.mkv", "container frames tags 12");
        assert_says(cli(3, "verify", "cut.mkv")->out, "12 frames");
    }
    cut_file(cli_path("film.mp4"), cli_path("stump.mp4"), 2);
    cli_fails(2, "stump.mp4", "verify", "stump.mp4");
}

/* Encoders make a key frame at least every 240 frames; here the index names only the first. */
TEST(a_key_frame_that_is_overdue_is_found)
{
    cli_need_gl();
    cli(0, "render", "plummer", "-n", "64", "--size", "64x36", "--frames", "241", "-o", "keys.mp4");
    cli(0, "verify", "keys.mp4");
    patch_file(cli_path("keys.mp4"), "stss", 8, "\0\0\0\1", 4);
    found("keys.mp4", "packets 240 key frame encoder interval");
}

TEST(times_that_are_off_are_found)
{
    cli_need_gl();
    change("film.mp4", "late.mp4", (struct remux){.late = 6, .ticks = 1});
    found("late.mp4", "container tick");
    change("archive.mkv", "late.mkv", (struct remux){.late = 6, .ticks = -1});
    found("late.mkv", "container tick");
    cli(0, "render", TWO_GALAXIES, SMALL, "-o", "shifted.mp4");
    patch_file(cli_path("shifted.mp4"), "edts", 0, "free", 4);
    found("shifted.mp4", "container frame 0 tick");
}

TEST(frames_that_are_lost_or_repeated_are_found)
{
    cli_need_gl();
    change("archive.mkv", "dropped.mkv", (struct remux){.drop = 5});
    found("dropped.mkv", "11 frames tags 12");
    change("archive.mkv", "repeated.mkv", (struct remux){.repeat = 5});
    found("repeated.mkv", "13 frames tags 12 repeat amid motion 5");
    /* The count is correct again. */
    change("archive.mkv", "again.mkv", (struct remux){.repeat = 5, .drop = 10});
    found("again.mkv", "repeat amid motion 5");
    change("archive.mkv", "swapped.mkv", (struct remux){.swap = 7});
    found("swapped.mkv", "picture frames 6 7 swapped");
    const struct run *run = cli(3, "verify", "swapped.mkv", "--redraw", "12");
    assert_says(run->out, "pixels frame 6");
}

TEST(a_black_frame_is_found)
{
    cli_need_gl();
    /* In such a small picture a clock is a large part, and it changes. */
    cli(0, "render", TWO_GALAXIES, SMALL, "--codec", "ffv1", "--set", "overlay.clock=false", "-o",
        "lit.mkv");
    cli(0, "render", TWO_GALAXIES, SMALL, "--codec", "ffv1", "--set", "overlay.clock=false",
        "--set", "look.exposure=1e-9", "-o", "black.mkv");
    static const int places[] = {0, 7, 11};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char says[64];
        change("lit.mkv", "hole.mkv",
               (struct remux){.replace = places[i] + 1, .from = cli_path("black.mkv")});
        snprintf(says, sizeof says, "picture '1 of 12' frames black lit %d", places[i]);
        found("hole.mkv", says);
    }
    cli(0, "render", "plummer", SMALL, "--set", "look.exposure=1e-9", "-o", "dark.mp4");
    found("dark.mp4", "'12 of 12' frames black");
    assert_lacks(cli(3, "verify", "dark.mp4")->out, "lit");
}

/* One picture, except for the encoder's noise. */
static void draw_still(struct picture *picture, uint64_t n)
{
    fixture_draw(picture, 3);
    picture->data[n * 7 % picture->layout.size] ^= 1;
    picture->frame = n;
}

TEST(a_film_that_stands_still_is_found)
{
    static const char *const codecs[] = {"h264", "ffv1"};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
        struct sink_params params = fixture_params(cli_path("still.mkv"));
        params.output.codec = fixture_codec(codecs[i]);
        assert_ok(fixture_film(&params, 12, draw_still));
        found("still.mkv", "picture '12 of 12' frames repeat");
    }
    struct sink_params params = fixture_params(cli_path("moves.mkv"));
    params.output.codec = fixture_codec("h264");
    assert_ok(fixture_film(&params, 12, fixture_draw));
    cli(0, "verify", "moves.mkv");
}

TEST(colours_that_disagree_are_found)
{
    cli_need_gl();
    /* After "colr": "nclx", three numbers of two bytes, then the range's bit. */
    change("film.mp4", "range.mp4", (struct remux){0});
    patch_file(cli_path("range.mp4"), "colrnclx", 14, "\x80", 1);
    found("range.mp4", "container range pc tv stream");
    change("film.mp4", "matrix.mp4", (struct remux){0});
    patch_file(cli_path("matrix.mp4"), "colrnclx", 12, "\0\x06", 2);
    found("matrix.mp4", "container matrix smpte170m bt709");
    change("film.mp4", "both.mp4",
           (struct remux){.filter = "h264_metadata=video_full_range_flag=1"});
    found("both.mp4", "container range tv pc stream");
    patch_file(cli_path("both.mp4"), "colrnclx", 14, "\x80", 1);
    found("both.mp4", "container range pc instead tv");
    change("archive.mkv", "untold.mkv", (struct remux){.without_colours = true});
    found("untold.mkv", "container matrix");
    change("film.mp4", "untold.mp4", (struct remux){0});
    patch_file(cli_path("untold.mp4"), "colrnclx", 0, "free", 4);
    found("untold.mp4", "container transfer");
}

TEST(sizes_that_disagree_are_found)
{
    cli_need_gl();
    change("film.mp4", "wide.mp4", (struct remux){0});
    patch_file(cli_path("wide.mp4"), "stsd", 44, "\0\x82", 2);
    found("wide.mp4", "container size 130x72 128x72 stream");
    change("film.mp4", "aspect.mp4", (struct remux){0});
    patch_file(cli_path("aspect.mp4"), "pasp", 4, "\0\0\0\x04\0\0\0\x03", 8);
    found("aspect.mp4", "container pixel aspect ratio 4:3 instead 1:1");
    change("film.mp4", "turned.mp4", (struct remux){0});
    patch_file(cli_path("turned.mp4"), "tkhd", 44, "\0\0\0\0\0\x01\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0",
               20);
    found("turned.mp4", "container rotation 90 degrees clockwise");
    change("film.mp4", "titled.mp4", (struct remux){.tag = "title", .value = "Mine"});
    assert_says(cli(0, "verify", "titled.mp4")->out, "title Mine scene");
}

TEST(another_scene_is_found)
{
    cli_need_gl();
    const char *told = cli(0, "info", "film.mp4")->out;
    char *scene = strdup(strstr(told, "renders this film again:\n") + 25);
    strcpy(strstr(scene, "dt: 0.0") + 6, "1");
    change("film.mp4", "scene.mp4", (struct remux){.tag = "gravreel_scene", .value = "{"});
    found("scene.mp4", "scene hash refused");
    change("film.mp4", "none.mp4", (struct remux){.tag = "gravreel_scene", .value = ""});
    found("none.mp4", "scene tags program");
    change("film.mp4", "seed.mp4", (struct remux){.tag = "gravreel_seed", .value = "2"});
    found("seed.mp4", "scene seed 1 tag 2");
    change("film.mp4", "hash.mp4", (struct remux){.tag = "gravreel_scene_hash", .value = "0"});
    found("hash.mp4", "scene tag 0");
    change("film.mp4", "state.mp4", (struct remux){.tag = "gravreel_last_state", .value = "0"});
    assert_says(cli(3, "verify", "state.mp4", "--redraw", "1")->out, "bodies film last frame tag");
    free(scene);
}

/* The tags are consistent, but the pictures show something else. */
TEST(another_film_under_this_scene_is_found)
{
    cli_need_gl();
    static const char *const tags[] = {"gravreel_scene", "gravreel_scene_hash", "gravreel_seed"};
    cli(0, "render", TWO_GALAXIES, SMALL, "--crf", "16", "-o", "fine.mp4");
    cli(0, "render", TWO_GALAXIES, SMALL, "--crf", "16", "--seed", "2", "-o", "other.mp4");
    char *told = strdup(cli(0, "info", "other.mp4")->out);
    const char *in = "fine.mp4";
    char names[sizeof tags / sizeof *tags][32];
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        char mark[64], value[1 << 14];
        snprintf(names[i], sizeof names[i], "borrowed-%zu.mp4", i);
        snprintf(mark, sizeof mark, "%s: ", tags[i]);
        const char *at =
            i == 0 ? strstr(told, "this film again:\n") + 17 : strstr(told, mark) + strlen(mark);
        snprintf(value, sizeof value, "%.*s", i == 0 ? (int)strlen(at) : (int)strcspn(at, "\n"),
                 at);
        change(in, names[i], (struct remux){.tag = tags[i], .value = value});
        in = names[i];
    }
    cli(0, "verify", in);
    const struct run *run = cli(3, "verify", in, "--redraw", "2");
    assert_says(run->out, "bodies frame 0 film tag picture brightness");
    free(told);
}

/* film.mp4 with `from` in its scene replaced, and a matching hash. */
static void change_scene(const char *from, const char *to, const char *out)
{
    char *scene =
        strdup(strstr(cli(0, "info", "film.mp4")->out, "renders this film again:\n") + 25);
    char *at = strstr(scene, from), text[1 << 14], hash[17] = "";
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - scene), scene, to, at + strlen(from));
    change("film.mp4", "forged.mp4", (struct remux){.tag = "gravreel_scene", .value = text});
    at = strstr(cli(3, "verify", "forged.mp4")->out, "the scene's hash is ");
    assert_non_null(at);
    snprintf(hash, sizeof hash, "%.*s", (int)strcspn(at + 20, ","), at + 20);
    change("forged.mp4", out, (struct remux){.tag = "gravreel_scene_hash", .value = hash});
    free(scene);
}

/* A film's author can neither exhaust the machine nor make it open a file. */
TEST(a_scene_is_not_drawn_on_its_own_word)
{
    cli_need_gl();
    change("film.mp4", "hash.mp4", (struct remux){.tag = "gravreel_scene_hash", .value = "0"});
    assert_says(cli(3, "verify", "hash.mp4", "--redraw", "1")->out, "frame scene hash");
    change_scene("count: 256", "count: 100000000", "many.mp4");
    assert_says(cli(3, "verify", "many.mp4", "--redraw", "1")->out,
                "scene 100000000 bodies 4194304");
    cli_write("two.tab", "1 0 0 0 0 0 0\n1 1 0 0 0 1 0\n");
    cli(0, "render", "plummer", "--bodies-from", "two.tab", "--size", "64x36", "--frames", "3",
        "-o", "two.mp4");
    cli(0, "verify", "two.mp4", "--redraw", "1");
    assert_int_equal(mkdir(cli_path("elsewhere"), 0700), 0);
    change("two.mp4", "elsewhere/two.mp4", (struct remux){0});
    assert_says(cli(3, "verify", "elsewhere/two.mp4", "--redraw", "1")->out,
                "film folder $GRAVREEL_DATA");
    char data[4200];
    snprintf(data, sizeof data, "GRAVREEL_DATA=/nowhere:%s", cli_path("."));
    cli_with((data), 0, "verify", "elsewhere/two.mp4", "--redraw", "1");
    /* a folder whose name begins with the file's does not contain the file */
    assert_int_equal(mkdir(cli_path("tw"), 0700), 0);
    snprintf(data, sizeof data, "GRAVREEL_DATA=%s", cli_path("tw"));
    assert_says(cli_with((data), 3, "verify", "elsewhere/two.mp4", "--redraw", "1")->out,
                "film folder $GRAVREEL_DATA");
}

TEST(films_by_others_are_judged_as_far_as_they_go)
{
    struct sink_params params = fixture_params(cli_path("foreign.mkv"));
    params.output.codec = fixture_codec("h264");
    assert_ok(fixture_film(&params, 8, fixture_draw));
    const struct run *run = cli(0, "verify", "foreign.mkv");
    assert_says(run->out, "sound '3 of 3' stages");
    run = cli(3, "verify", "foreign.mkv", "--redraw", "2");
    assert_says(run->out, "foreign.mkv picture frame");
    assert_lacks(run->out, "not sound");
}

TEST(nothing_else_is_a_film)
{
    cli_write("text.mp4", "not a film");
    cli_fails(2, "neither film", "verify", "text.mp4");
    cli_fails(5, "nowhere.mp4", "verify", "nowhere.mp4");
    cli_fails(2, "no film given", "verify");
    cli_write("stale.xml", "all pass");
    cli(5, "verify", "film.mp4", "--manifest", "none.json", "-y", "--junit", "stale.xml");
    char *junit = cli_read("stale.xml");
    assert_contains(junit, "none.json");
    free(junit);
    cli_fails(2, "--redraw", "verify", "--redraw", "x", "a.mp4");
    cli_fails(2, "--limit film.black", "verify", "--limit", "film.blak=1", "a.mp4");
}

/* It is a separate case, and the others are still judged. */
TEST(one_that_cannot_be_read_stands_beside_the_others)
{
    cli_need_gl();
    cli_write("words.mp4", "not a film");
    const struct run *run =
        cli(2, "verify", "film.mp4", "words.mp4", "nowhere.mp4", "archive.mkv", "--json",
            "some.json", "--junit", "some.xml", "--html", "some.html", "--markdown", "some.md");
    assert_says(run->out, "words.mp4 nowhere.mp4 archive.mkv sound '4 of 4' stages");
    assert_says(run->err, "words.mp4");
    static const char *const views[] = {"some.json", "some.xml", "some.html", "some.md"};
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char *text = cli_read(views[i]);
        assert_contains(text, "film.mp4");
        assert_contains(text, "archive.mkv");
        assert_says(text, "neither film");
        free(text);
    }
    cli(5, "verify", "nowhere.mp4", "words.mp4", "film.mp4");
    cut_file(cli_path("archive.mkv"), cli_path("unsound.mkv"), 70);
    cli_fails(3, "films", "verify", "words.mp4", "unsound.mkv");
}

TESTS(set_up, cli_tear_down)
