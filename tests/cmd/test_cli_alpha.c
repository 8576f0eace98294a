/* output.alpha: films and pictures that are transparent where they are dark. */
#include "tests/support/test.h"

#include "render/reader/reader.h"
#include "tests/support/programs/cli.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 96, HEIGHT = 64, SAMPLES = WIDTH * HEIGHT * 3 };

#define SMALL "plummer", "-n", "128", "--size", "96x64", "--frames", "4", "-y"

static struct reader_info read_frame(const char *name, uint64_t frame, uint16_t rgb[SAMPLES])
{
    struct reader *reader;
    assert_ok(reader_open(&reader, cli_path(name)));
    const struct reader_info info = *reader_info(reader);
    assert_int_equal(info.width, WIDTH);
    assert_ok(reader_read(reader, frame, rgb));
    reader_close(&reader);
    return info;
}

/* Frame 2 of both, composited on black; the largest difference in 16-bit codes, and the RMS. */
static int furthest(const char *a, const char *b, double *rms)
{
    static uint16_t rgb[2][SAMPLES];
    int most = 0, light = 0;
    double squares = 0;
    read_frame(a, 2, rgb[0]);
    read_frame(b, 2, rgb[1]);
    for (int i = 0; i < SAMPLES; i++) {
        const int apart = abs(rgb[0][i] - rgb[1][i]);
        most = apart > most ? apart : most;
        squares += (double)apart * apart;
        light = rgb[0][i] > light ? rgb[0][i] : light;
    }
    assert_true(light > 30000);
    if (rms)
        *rms = sqrt(squares / SAMPLES);
    return most;
}

/* FFV1 is lossless: the only differences are the dithers of alpha and of colours, a few codes of 10
 * bits. */
TEST(films_on_black_are_the_ordinary_film)
{
    cli_need_gl();
    static uint16_t rgb[SAMPLES];
    cli(0, "render", SMALL, "-o", "none.mkv", "--codec", "ffv1");
    assert_int_equal(read_frame("none.mkv", 0, rgb).alpha, ALPHA_NONE);
    static const char *const kinds[] = {"straight", "premultiplied"};
    for (int i = 0; i < 2; i++) {
        cli(0, "render", SMALL, "-o", "clear.mkv", "--codec", "ffv1", "--alpha", kinds[i]);
        const struct reader_info info = read_frame("clear.mkv", 0, rgb);
        assert_int_equal(info.alpha, i ? ALPHA_PREMULTIPLIED : ALPHA_STRAIGHT);
        assert_string_equal(info.pixel_format, "yuva444p10le");
        if (i)
            assert_int_equal(furthest("none.mkv", "clear.mkv", NULL), 0);
        else
            assert_true(furthest("none.mkv", "clear.mkv", NULL) < 6 * 64);
    }
}

/* The default codec of .mov is then ProRes; segments and their join keep alpha. */
TEST(mov_means_prores_and_keeps_alpha)
{
    cli_need_gl();
    static uint16_t rgb[SAMPLES];
    cli(0, "render", SMALL, "-o", "none.mov", "--codec", "prores");
    cli(0, "render", SMALL, "-o", "clear.mov", "--alpha", "straight", "--set", "output.segment=2");
    const struct reader_info info = read_frame("clear.mov", 0, rgb);
    assert_int_equal(info.alpha, ALPHA_STRAIGHT);
    assert_contains(info.pixel_format, "yuva444p1");
    assert_contains(cli(0, "info", "clear.mov")->out, "yuva444p10 straight");
    double rms;
    furthest("none.mov", "clear.mov", &rms);
    assert_true(rms < 300);
    cli(0, "render", SMALL, "-o", "half.mov", "--alpha", "straight", "--frames", "0..1", "--set",
        "output.frames=4");
    cli(0, "render", SMALL, "-o", "rest.mov", "--alpha", "straight", "--frames", "2..3", "--set",
        "output.frames=4");
    cli(0, "join", "half.mov", "rest.mov", "-o", "joined.mov", "-y");
    assert_int_equal(read_frame("joined.mov", 3, rgb).alpha, ALPHA_STRAIGHT);
    cli(0, "verify", "clear.mov");
    cli(0, "verify", "--redraw", "2", "clear.mov");
    cli(0, "render", SMALL, "-o", "clear.mov", "--alpha", "premultiplied");
    cli(0, "verify", "--redraw", "2", "clear.mov");
}

/* VP9's alpha is a second stream beside each packet's colours, which only libvpx decodes. */
TEST(webm_keeps_alpha)
{
    cli_need_gl();
    static uint16_t rgb[SAMPLES];
    cli(0, "render", SMALL, "-o", "none/%d.png");
    static const char *const kinds[] = {"straight", "premultiplied"};
    for (int i = 0; i < 2; i++) {
        double rms;
        cli(0, "render", SMALL, "-o", "clear.webm", "--alpha", kinds[i], "--set",
            "output.segment=2");
        const struct reader_info info = read_frame("clear.webm", 0, rgb);
        assert_int_equal(info.alpha, i ? ALPHA_PREMULTIPLIED : ALPHA_STRAIGHT);
        assert_string_equal(info.pixel_format, "yuva420p");
        furthest("none/%d.png", "clear.webm", &rms);
        assert_true(rms < 1000);
        cli(0, "verify", "--redraw", "2", "clear.webm");
    }
    cli(0, "render", SMALL, "-o", "half.webm", "--alpha", "straight", "--frames", "0..1", "--set",
        "output.frames=4");
    cli(0, "render", SMALL, "-o", "rest.webm", "--alpha", "straight", "--frames", "2..3", "--set",
        "output.frames=4");
    cli(0, "join", "half.webm", "rest.webm", "-o", "joined.webm", "-y");
    assert_int_equal(read_frame("joined.webm", 3, rgb).alpha, ALPHA_STRAIGHT);
    double rms;
    furthest("none/%d.png", "joined.webm", &rms);
    assert_true(rms < 1000);
}

TEST(pngs_on_black_are_the_ordinary_ones)
{
    cli_need_gl();
    static uint16_t rgb[2][SAMPLES];
    cli(0, "render", SMALL, "-o", "n/%d.png");
    cli(0, "render", SMALL, "-o", "s/%d.png", "--alpha", "straight");
    cli(0, "render", SMALL, "-o", "p/%d.png", "--alpha", "premultiplied");
    assert_int_equal(furthest("n/%d.png", "p/%d.png", NULL), 0);
    assert_true(furthest("n/%d.png", "s/%d.png", NULL) <= 128);
    assert_int_equal(read_frame("s/%d.png", 0, rgb[0]).alpha, ALPHA_STRAIGHT);
    assert_int_equal(read_frame("p/%d.png", 0, rgb[0]).alpha, ALPHA_PREMULTIPLIED);
    cli(0, "still", SMALL, "--at", "0", "-o", "still.png", "--alpha", "straight", "--png-bits",
        "16");
    const struct reader_info info = read_frame("still.png", 0, rgb[1]);
    assert_int_equal(info.alpha, ALPHA_STRAIGHT);
    assert_string_equal(info.pixel_format, "rgba64be");
    /* The pictures are the same on black, and a message says that one of the two has alpha. */
    assert_says(cli(3, "compare", "n/%d.png", "s/%d.png")->out, "alpha straight");
    assert_says(cli(3, "compare", "p/%d.png", "s/%d.png")->out, "alpha premultiplied straight");
    cli(0, "render", SMALL, "-o", "s.hash", "--alpha", "straight");
    cli(0, "render", SMALL, "-o", "n.hash");
    char *a = cli_read("s.hash"), *b = cli_read("n.hash");
    assert_string_not_equal(a, b);
    free(a);
    free(b);
}

TEST(tiffs_have_the_samples_of_pngs)
{
    cli_need_gl();
    static const char *const kinds[] = {"none", "straight", "premultiplied"};
    for (int i = 0; i < 6; i++) {
        static uint16_t rgb[2][SAMPLES];
        const char *bits = i < 3 ? "8" : "16";
        cli(0, "still", SMALL, "--at", "0", "--alpha", kinds[i % 3], "--png-bits", bits, "-o",
            "a.png");
        cli(0, "still", SMALL, "--at", "0", "--alpha", kinds[i % 3], "--png-bits", bits, "-o",
            "a.tif");
        const enum picture_alpha alpha = read_frame("a.png", 0, rgb[0]).alpha;
        assert_int_equal(read_frame("a.tif", 0, rgb[1]).alpha, alpha);
        assert_memory_equal(rgb[0], rgb[1], sizeof rgb[0]);
    }
}

TEST(what_cannot_carry_it_refuses)
{
    cli_need_gl();
    static const struct {
        const char *name, *codec, *says;
    } cases[] = {
        {"x.mp4", "auto", "mp4 carry transparency alpha mov mkv webp PNG pictures"},
        {"x.y4m", "auto", "y4m carry transparency"},
        {"x.mp4", "vp9", "codec vp9 carries transparency webm"},
        {"x.mov", "h264", "codec h264 carry transparency alpha prores mov mkv"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_fails(2, cases[i].says, "render", SMALL, "-o", cases[i].name, "--codec", cases[i].codec,
                  "--alpha", "premultiplied");
        assert_false(cli_exists(cases[i].name));
    }
    cli_fails(2, "output.bits", "render", SMALL, "-o", "x.mov", "--bits", "8", "--alpha",
              "straight");
    cli_fails(2, "--alpha none straight premultiplied", "render", SMALL, "-o", "x.mov", "--alpha",
              "some");
}

/* A scene states it, and scenes without it are printed as before. */
TEST(only_a_scene_with_alpha_names_it)
{
    assert_lacks(cli(0, "render", "plummer", "--save-scene", "-")->out, "alpha");
    assert_contains(cli(0, "render", "plummer", "--alpha", "straight", "--save-scene", "-")->out,
                    "  alpha: straight\n");
    assert_lacks(cli(0, "render", "plummer", "--alpha", "none", "--save-scene", "-")->out, "alpha");
}

TESTS(cli_set_up, cli_tear_down)
