/* Dark films whose light, colour, sharpness, place or order is another are found by `verify
 * --redraw` and by `compare --lossy`, and honest copies pass. */
#include "tests/support/test.h"

#include "render/reader/reader.h"
#include "render/reader/stream.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 72, SAMPLES = WIDTH * HEIGHT * 3, FRAMES = 24 };

#define FILM                                                                                       \
    "render", "plummer", "-n", "300", "--size", "128x72", "--frames", "24", "--metadata", "full"

static uint16_t rgb[FRAMES][SAMPLES], before[SAMPLES];

static uint16_t code(double v)
{
    return (uint16_t)lround(fmin(fmax(v, 0), 65535));
}

static void scale(double factor)
{
    for (int n = 0; n < FRAMES; n++)
        for (int i = 0; i < SAMPLES; i++)
            rgb[n][i] = code(factor * rgb[n][i]);
}

/* Turns and scales chroma, as FFmpeg's filter hue does. */
static void turn(double degrees, double saturation)
{
    const double c = saturation * cos(degrees * M_PI / 180),
                 s = saturation * sin(degrees * M_PI / 180);
    for (int i = 0; i < FRAMES * SAMPLES / 3; i++) {
        uint16_t *at = rgb[i / (SAMPLES / 3)] + i % (SAMPLES / 3) * 3;
        const double luma = 0.2126 * at[0] + 0.7152 * at[1] + 0.0722 * at[2];
        const double u = (at[2] - luma) / 1.8556, v = (at[0] - luma) / 1.5748;
        const double cb = c * u + s * v, cr = c * v - s * u;
        const double red = luma + 1.5748 * cr, blue = luma + 1.8556 * cb;
        at[0] = code(red);
        at[1] = code((luma - 0.2126 * red - 0.0722 * blue) / 0.7152);
        at[2] = code(blue);
    }
}

/* Sets each sample to a weighted sum of `before` along x or y. */
static void filter(uint16_t *to, const double *weight, int reach, bool down)
{
    memcpy(before, to, sizeof before);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < 3; c++) {
                double sum = 0;
                for (int k = -reach; k <= reach; k++) {
                    const int i = down ? x : x + k, j = down ? y + k : y;
                    if (i >= 0 && i < WIDTH && j >= 0 && j < HEIGHT)
                        sum += weight[k + reach] * before[(j * WIDTH + i) * 3 + c];
                }
                to[(y * WIDTH + x) * 3 + c] = code(sum);
            }
}

static void blur(void)
{
    double weight[11], sum = 0;
    for (int k = 0; k < 11; k++)
        sum += weight[k] = exp(-(k - 5) * (k - 5) / (2 * 1.5 * 1.5));
    for (int k = 0; k < 11; k++)
        weight[k] /= sum;
    for (int n = 0; n < 2 * FRAMES; n++)
        filter(rgb[n / 2], weight, 5, n % 2);
}

static void shift(void)
{
    for (int n = 0; n < FRAMES; n++)
        filter(rgb[n], (const double[]){1, 0, 0, 0, 0}, 2, false);
}

static void blacken(void)
{
    for (int n = 0; n < FRAMES; n++)
        for (int y = 0; y < HEIGHT; y++)
            memset(rgb[n] + (y * WIDTH + WIDTH / 2) * 3, 0, WIDTH / 2 * 3 * sizeof **rgb);
}

static void swap(void)
{
    memcpy(before, rgb[13], sizeof before);
    memcpy(rgb[13], rgb[12], sizeof before);
    memcpy(rgb[12], before, sizeof before);
}

static void darker_4(void)
{
    scale(0.96);
}
static void darker_10(void)
{
    scale(0.9);
}
static void brighter_4(void)
{
    scale(1.04);
}
static void hue_20(void)
{
    turn(20, 1);
}
static void hue_90(void)
{
    turn(90, 1);
}
static void grey(void)
{
    turn(0, 0);
}
static void gaudy(void)
{
    turn(0, 3);
}
static void repeat(void)
{
    memcpy(rgb[13], rgb[12], sizeof before);
}
static void nothing(void)
{
}

static void draw(struct picture *picture, uint64_t n)
{
    fixture_rgb(picture, rgb[n]);
    picture->frame = n;
}

/* Encodes the pictures of a film again, after a change, under the tags of film.mp4. */
static void encode(const char *from, const char *to, double crf, void (*change)(void))
{
    struct reader *reader;
    struct sink_params params = fixture_params(cli_path(to));
    assert_ok(reader_open(&reader, cli_path(from)));
    for (uint64_t n = 0; n < FRAMES; n++)
        assert_ok(reader_read(reader, n, rgb[n]));
    reader_close(&reader);
    change();
    assert_ok(film_info_read_tags(cli_path("film.mp4"), &params.tags));
    params.width = WIDTH;
    params.height = HEIGHT;
    params.output.codec = fixture_codec("h264");
    params.output.crf = crf;
    assert_ok(fixture_film(&params, FRAMES, draw));
    tags_free(&params.tags);
}

static int set_up(void **state)
{
    cli_set_up(state);
    if (cli_has_gl())
        cli(0, FILM, "-o", "film.mp4");
    return 0;
}

static void found(const char *name, const char *says)
{
    for (int k = 0; k < 2; k++) {
        const struct run *run = k == 0 ? cli(3, "verify", name, "--redraw", "3")
                                       : cli(3, "compare", "film.mp4", name, "--lossy");
        assert_contains(run->out, "picture CHANGED");
        assert_contains(run->out, says);
    }
}

TEST(mistakes_are_found)
{
    static const struct {
        const char *says;
        void (*change)(void);
        bool often; /* with few and with many frames too */
    } mistakes[] = {
        {".brightness ", darker_4, false},
        {".brightness ", darker_10, true},
        {".brightness ", brighter_4, false},
        {".hue ", hue_20, false},
        {".hue ", hue_90, true},
        {".paler ", grey, true},
        {".richer ", gaudy, true},
        {".detail ", blur, false},
        {".shift ", shift, false},
        {".layout ", blacken, false},
        {"frames 12 and 13 are swapped", swap, false},
        {"the one before", repeat, false},
    };
    cli_need_gl();
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        encode("film.mp4", "wrong.mp4", 23, mistakes[i].change);
        found("wrong.mp4", mistakes[i].says);
        if (!mistakes[i].often)
            continue;
        cli(3, "verify", "wrong.mp4", "--redraw", "1");
        cli(3, "verify", "wrong.mp4", "--redraw", "12");
    }
}

TEST(other_films_under_these_tags_are_found)
{
    cli_need_gl();
    cli(0, FILM, "--set", "look.color=speed", "-o", "speed.mp4");
    encode("speed.mp4", "wrong.mp4", 23, nothing);
    found("wrong.mp4", ".richer ");
    cli(3, "verify", "wrong.mp4", "--redraw", "1");
    cli(3, "verify", "wrong.mp4", "--redraw", "12");
    cli(0, FILM, "--seed", "77", "-o", "seed.mp4");
    encode("seed.mp4", "wrong.mp4", 23, nothing);
    found("wrong.mp4", ".layout ");
}

TEST(honest_copies_pass)
{
    static const double crf[] = {18, 23, 28};
    cli_need_gl();
    for (size_t i = 0; i < sizeof crf / sizeof *crf; i++) {
        encode("film.mp4", "copy.mp4", crf[i], nothing);
        cli(0, "compare", "film.mp4", "copy.mp4", "--lossy");
        assert_says(cli(0, "verify", "copy.mp4", "--redraw", "3")->out,
                    "'3 of 24' frames order '24 of 24' checked");
    }
}

/* A film of white stars has no hue. */
TEST(what_was_not_compared_is_said)
{
    cli_need_gl();
    encode("film.mp4", "grey.mp4", 18, grey);
    encode("grey.mp4", "copy.mp4", 23, nothing);
    assert_says(cli(0, "compare", "grey.mp4", "copy.mp4", "--lossy")->out,
                "not compared hue saturation colours");
}

TESTS(set_up, cli_tear_down)
