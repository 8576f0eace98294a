/* Stills against the pictures of their film. */
#include "tests/support/test.h"

#include "base/file.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <png.h>
#include <string.h>
#include <zlib.h>

#define SCENE                                                                                      \
    "-n", "300", "--size", "160x90", "--set", "output.frames=12", "--set", "simulation.dt=0.0625", \
        "--set", "simulation.steps_per_frame=2", "--set", "simulation.slow=[]"

/* The samples as they are stored. The caller frees them. */
static uint8_t *read_pixels(const char *name, size_t *size)
{
    FILE *file = fopen(cli_path(name), "rb");
    assert_non_null(file);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, NULL);
    size_t row = png_get_rowbytes(png, info), rows = png_get_image_height(png, info);
    *size = row * rows;
    uint8_t *pixels = malloc(*size);
    assert_non_null(pixels);
    for (size_t y = 0; y < rows; y++)
        memcpy(pixels + y * row, png_get_rows(png, info)[y], row);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    return pixels;
}

static bool same_pixels(const char *a, const char *b)
{
    size_t size, other;
    uint8_t *left = read_pixels(a, &size), *right = read_pixels(b, &other);
    bool same = size == other && memcmp(left, right, size) == 0;
    free(left);
    free(right);
    return same;
}

static void check_head(const char *name, int width, int height, int bits)
{
    char *text;
    size_t size;
    assert_ok(file_read(cli_path(name), (size_t)1 << 24, &text, &size));
    assert_true(size > 200);
    const unsigned char *head = (const unsigned char *)text;
    assert_int_equal(head[18] << 8 | head[19], width);
    assert_int_equal(head[22] << 8 | head[23], height);
    assert_int_equal(head[24], bits);
    free(text);
}

TEST(a_still_is_the_films_frame)
{
    cli_need_gl();
    static const struct {
        const char *at;
        int frame;
    } moments[] = {
        {"frame 7", 7}, {"0.1", 3},   {"0", 0},    {"start", 0},
        {"end", 11},    {"t=0.5", 4}, {"0.26", 8}, {"frame 11", 11},
    };
    cli(0, "render", SCENE, "-o", "film/%02d.png");
    for (size_t i = 0; i < sizeof moments / sizeof moments[0]; i++) {
        char name[32], says[64];
        const struct run *run =
            cli(0, "still", SCENE, "--as-film", "-y", "-o", "still.png", "--at", moments[i].at);
        snprintf(says, sizeof says, "still.png: frame %d, ", moments[i].frame);
        assert_says(run->err, says);
        snprintf(name, sizeof name, "film/%02d.png", moments[i].frame);
        if (!same_pixels(name, "still.png"))
            fail_msg("--at %s is not %s", moments[i].at, name);
    }
    assert_false(cli_exists("still.scene.yaml"));
    assert_false(same_pixels("film/04.png", "film/07.png"));
    check_head("still.png", 160, 90, 8);
}

/* A body is named by its id, where the file has ids. */
TEST(a_body_is_followed)
{
    cli_need_gl();
    cli_write("five.ids", "70 1 0 0 0 0 0 0\n1 1e-9 1 0 0 0 1 0\n9 1e-9 -1 0 0 0 -1 0\n"
                          "20 1e-9 0 1 0 -1 0 0\n5 1e-9 0 -1 0 1 0 0\n");
    cli_write("five.yaml",
              "bodies: {model: file, file: five.ids, count: 0}\ncamera: {distance: 6}\n"
              "simulation: {softening: 0.01}\noutput: {frames: 12, size: 160x90}\nlook: {exposure: "
              "0.05, shutter: 0}\n");
    cli(0, "still", "five.yaml", "--set", "camera.follow=body 9", "--at", "0", "-o", "nine.png");
    cli(0, "still", "five.yaml", "--set", "camera.target=[-1, 0, 0]", "--at", "0", "-o", "at.png");
    assert_true(same_pixels("nine.png", "at.png"));
    cli(0, "still", "five.yaml", "--set", "camera.follow=body 9", "--at", "end", "-o", "later.png");
    assert_false(same_pixels("nine.png", "later.png"));
    cli(0, "simulate", "five.yaml", "-o", "five.gvr");
    cli(0, "still", "five.gvr", "--set", "camera.follow=body 9", "--at", "end", "-o", "run.png");
    assert_true(same_pixels("later.png", "run.png"));
    cli_fails(2, "no body has the id 2", "still", "five.yaml", "--set", "camera.follow=body 2",
              "--at", "0", "-o", "two.png");
    cli_fails(2, "camera.frame auto camera.distance", "still", "five.yaml", "--set",
              "camera.follow=body 9", "--set", "camera.frame=auto", "--set", "camera.distance=0",
              "--at", "0", "-o", "two.png");
}

TEST(other_sizes_and_depths)
{
    cli_need_gl();
    cli(0, "render", SCENE, "--set", "output.png_bits=16", "-o", "deep/%02d.png", "--frames",
        "5..5");
    const struct run *run = cli(0, "still", SCENE, "--as-film", "--png-bits", "16", "-o",
                                "to/deep.png", "--at", "frame 5");
    assert_says(run->err, "160x90 16 bits");
    check_head("to/deep.png", 160, 90, 16);
    assert_true(same_pixels("deep/05.png", "to/deep.png"));
    run = cli(0, "still", "plummer", "-n", "50", "--size", "301x77", "-o", "odd.png", "--at", "0",
              "--quiet", "--set", "look.color=constant");
    assert_string_equal(run->err, "");
    check_head("odd.png", 301, 77, 8);
}

/* Stills show in full what the film fades, with a message, and keep the fades in their scene. */
TEST(stills_do_not_fade)
{
    cli_need_gl();
#define FADES "--set", "look.fade_in=0.2", "--set", "look.fade_out=0.1"
#define LIT   "--set", "look.fade_in=0", "--set", "look.fade_out=0"
    static const struct {
        const char *at, *says;
    } moments[] = {{"start", "frame 0 black because of a fade"},
                   {"frame 3", "dimmed to 50 by a fade --as-film keeps"},
                   {"end", "frame 11"}};
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        const struct run *run =
            cli(0, "still", "plummer", SCENE, FADES, "-y", "-o", "full.png", "--at", moments[i].at);
        assert_says(run->err, moments[i].says);
        cli(0, "still", "plummer", SCENE, LIT, "-y", "-o", "lit.png", "--at", moments[i].at);
        assert_true(same_pixels("full.png", "lit.png"));
        run = cli(0, "still", "full.png", "--as-film", "-y", "-o", "faded.png", "--at",
                  moments[i].at);
        assert_lacks(run->err, "fades");
        assert_false(same_pixels("full.png", "faded.png"));
    }
    assert_lacks(
        cli(0, "still", "plummer", SCENE, FADES, "-y", "-o", "full.png", "--at", "frame 7")->err,
        "leaves the");
    /* a card that covers the picture is left out, one upon it is not */
    const char *const cards[][3] = {
        {"full.png", "overlay.card=0", "overlay.card_covers=false"},
        {"covered.png", "overlay.card=0.3", "overlay.card_covers=true"},
        {"carded.png", "overlay.card=0.3", "overlay.card_covers=false"}};
    for (int i = 0; i < 3; i++)
        cli(0, "still", "plummer", SCENE, LIT, "-y", "-o", cards[i][0], "--at", "frame 4", "--set",
            "output.title=x", "--set", "overlay.title=true", "--set", cards[i][1], "--set",
            cards[i][2]);
    assert_true(same_pixels("full.png", "covered.png"));
    assert_false(same_pixels("full.png", "carded.png"));
}

/* Two units determine the time: the clock shows the same as if it had been stated. */
TEST(the_clock_has_units)
{
    cli_need_gl();
#define CLOCK                                                                                      \
    "plummer", SCENE, "--at", "frame 7", "--set", "overlay.clock=true", "--set",                   \
        "units.length_kpc=1", "--set", "units.velocity_kms=100"
    cli(0, "still", CLOCK, "-o", "derived.png");
    cli(0, "still", CLOCK, "--set", "units.time_myr=9.77792221681", "-o", "stated.png");
    cli(0, "still", "plummer", SCENE, "--at", "frame 7", "--set", "overlay.clock=true", "-o",
        "none.png");
    assert_true(same_pixels("derived.png", "stated.png"));
    assert_false(same_pixels("derived.png", "none.png"));
}

/* The pixels of the page's picture, which cairo packs with zlib; the page itself must contain
 * `box`. The caller frees them. */
static uint8_t *read_page(const char *name, const char *box, size_t size)
{
    char *text, *end;
    size_t length;
    assert_ok(file_read(cli_path(name), (size_t)1 << 24, &text, &length));
    assert_memory_equal(text, "%PDF-1.", 7);
    assert_non_null(memmem(text, length, box, strlen(box)));
    char *at = memmem(text, length, "/Subtype /Image", 15);
    assert_non_null(at);
    at = memmem(at, length - (size_t)(at - text), "stream\n", 7);
    assert_non_null(at);
    end = memmem(at, length - (size_t)(at - text), "endstream", 9);
    assert_non_null(end);
    uint8_t *pixels = malloc(size);
    uLongf unpacked = size;
    assert_int_equal(uncompress(pixels, &unpacked, (uint8_t *)at + 7, (uLong)(end - at - 7)), Z_OK);
    assert_int_equal(unpacked, size);
    free(text);
    return pixels;
}

/* A page has the pixels of a PNG, 300 per inch, in tiles or in one piece, and the same bytes each
 * time. */
TEST(pages_for_print)
{
    cli_need_gl();
    static const struct {
        const char *size, *page;
    } cases[] = {{"300x150", "/MediaBox [ 0 0 72 36 ]"}, {"4200x30", "[ 0 0 1008 7.2 ]"}};
    for (int i = 0; i < 2; i++) {
        size_t size;
        const struct run *run = cli(0, "still", "plummer", "-n", "60", "--size", cases[i].size,
                                    "--at", "1", "-y", "-o", "page.pdf");
        assert_says(run->err, "300 pixels per inch");
        cli(0, "still", "plummer", "-n", "60", "--size", cases[i].size, "--at", "1", "-y", "-o",
            "page.png");
        uint8_t *png = read_pixels("page.png", &size);
        uint8_t *pdf = read_page("page.pdf", cases[i].page, size);
        assert_memory_equal(pdf, png, size);
        free(png);
        free(pdf);
    }
    cli(0, "still", "plummer", "-n", "60", "--size", "4200x30", "--at", "1", "-o", "again.pdf");
    assert_true(fixture_same_files(cli_path("page.pdf"), cli_path("again.pdf")));
    cli_fails(2, "output.alpha PDF page opaque", "still", "plummer", "--at", "0", "-o", "x.pdf",
              "--alpha", "straight");
    assert_false(cli_exists("x.pdf"));
}

TEST(info_tells_what_a_picture_is)
{
    static const char *const names[][2] = {{"told.png", "picture PNG"},
                                           {"told.exr", "picture EXR"}};
    cli_need_gl();
    for (int i = 0; i < 2; i++) {
        cli(0, "still", "plummer", "-n", "50", "--seed", "77", "--size", "64x36", "-o", names[i][0],
            "--at", "0");
        const char *told = cli(0, "info", names[i][0])->out;
        assert_says(told, names[i][1]);
        assert_contains(told, "gravreel_seed: 77");
        assert_contains(told, "scene, as YAML that renders this picture again:\nunits:");
        assert_contains(cli(0, "info", "--json", names[i][0])->out, "\"gravreel_seed\": \"77\"");
    }
    cli_write("cut.png", "\x89PNG\r\n\x1a\n");
    cli_fails(2, "cut.png PNG", "info", "cut.png");
}

/* The moment is that from which the clock counts, not that of a second pilot run. */
TEST(the_first_passage_is_the_clocks)
{
    cli_need_gl();
    const struct run *run =
        cli(0, "still", "-n", "600", "--at", "pericentre", "--size", "160x90", "-o", "passage.png");
    assert_says(run->err, "pilot run for the camera");
    assert_lacks(run->err, "for the first passage");
}

TEST(what_cannot_be_drawn)
{
    cli_write("there.png", "old");
    static const struct {
        int code;
        const char *words[8], *says;
    } cases[] = {
        {2, {"--at", "1"}, "output file example -o still.png"},
        {2, {"-o", "x.png"}, "moment example --at"},
        {2, {"-o", "x.mp4", "--at", "1"}, ".png"},
        {2, {"-o", "there.png", "--at", "1"}, "exists"},
        {2, {"-o", "x.png", "--at", "soon"}, "soon"},
        {2, {"-o", "x.png", "--at", ""}, ""},
        {2, {"-o", "x.png", "--at", "-1"}, "-1"},
        {2, {"-o", "x.png", "--at", "nan"}, "nan"},
        {2, {"-o", "x.png", "--at", "1e999"}, "1e999"},
        {2, {"-o", "x.png", "--at", "frame 1.5"}, "'frame 1.5'"},
        {2, {"-n", "300", FIXED, "-o", "x.png", "--at", "frame 99999"}, "frame 99999 film"},
        {2, {"-n", "300", FIXED, "-o", "x.png", "--at", "1e30"}, "film ends"},
        {2, {"-o", "x.png", "--at", "1", "--png-bits", "12"}, "png_bits"},
        {2, {"-o", "x.png", "--at", "1", "--size", "0x0"}, "--size"},
        {2, {"-o", "x.png", "--at", "1", "--set", "look.colr=speed"}, "look.color"},
        {2, {"-o", "x.png", "--at", "1", "--codec", "h264"}, "option --codec"},
        {2, {"plumer", "-o", "x.png", "--at", "1"}, "plumer mean plummer"},
        {5, {"dubinski", "-o", "x.png", "--at", "1"}, "dubinski.tab.gz"},
        {5, {"none.yaml", "-o", "x.png", "--at", "1"}, "none.yaml"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *words[10] = {"still"};
        memcpy(words + 1, cases[i].words, sizeof cases[i].words);
        const struct run *run = cli_run(ARGUMENTS("GRAVREEL_DATA"), cases[i].code, words);
        assert_says(run->err, cases[i].says);
        assert_false(cli_exists("x.png"));
    }
    const struct run *run = cli(0, "still", "--set", "look.color=help");
    assert_contains(run->out, "velocity");
}

TESTS(cli_set_up, cli_tear_down)
