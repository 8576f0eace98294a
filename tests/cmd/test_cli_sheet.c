/* Contact sheets, by their pixels. */
#include "tests/support/test.h"

#include "cmd/film/stills/sheets.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <png.h>
#include <string.h>

/* --width 640 --columns 3 of pictures of 128x96: margins of 640 / 200, three of (640 - 4 * 3) / 3.
 */
enum { WIDTH = 640, MARGIN = 3, THUMB = 209, THUMB_HEIGHT = 157, LABEL = 16 };

struct image {
    uint32_t width, height;
    uint8_t *rgb;
};

static struct image read_png(const char *name)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, cli_path(name)))
        fail_msg("%s: %s", name, png.message);
    png.format = PNG_FORMAT_RGB;
    struct image image = {png.width, png.height, malloc(PNG_IMAGE_SIZE(png))};
    assert_non_null(image.rgb);
    assert_true(png_image_finish_read(&png, NULL, image.rgb, 0, NULL));
    return image;
}

static const uint8_t *at(const struct image *image, uint32_t x, uint32_t y)
{
    assert_true(x < image->width && y < image->height);
    return image->rgb + 3 * ((size_t)y * image->width + x);
}

static void check_block(const struct image *image, uint32_t x, uint32_t y, int column, int row)
{
    double wanted[3];
    int px = column * FIXTURE_BLOCK + 8, py = row * FIXTURE_BLOCK + 8;
    fixture_colour(px, py, 0, wanted);
    const uint8_t *found = at(image, x + (uint32_t)(px * THUMB / FIXTURE_WIDTH),
                              y + (uint32_t)(py * THUMB_HEIGHT / FIXTURE_HEIGHT));
    for (int c = 0; c < 3; c++)
        if (fabs(found[c] / 255.0 - wanted[c]) > 0.012)
            fail_msg("block %d %d: channel %d is %.3f and not %.3f", column, row, c,
                     found[c] / 255.0, wanted[c]);
}

/* The white square is where frame n has it and nowhere else. */
static void check_square(const struct image *image, uint32_t x, uint32_t y, int n)
{
    uint32_t row = y + (uint32_t)((FIXTURE_GRADIENT + 8) * THUMB_HEIGHT / FIXTURE_HEIGHT);
    int left = n * 4 % (FIXTURE_WIDTH - FIXTURE_BLOCK);
    for (int px = 1; px < FIXTURE_WIDTH - 1; px++) {
        if (abs(px - left) <= 1 || abs(px - left - FIXTURE_BLOCK) <= 1)
            continue; /* on an edge */
        bool white = px > left && px < left + FIXTURE_BLOCK;
        const uint8_t *found = at(image, x + (uint32_t)((px + 0.5) * THUMB / FIXTURE_WIDTH), row);
        if (white != (found[0] > 200))
            fail_msg("expected the square of frame %d, found %d in column %d", n, found[0], px);
    }
}

static void check_thumb(const struct image *image, int index, int n, int label)
{
    uint32_t x = MARGIN + (uint32_t)(index % 3) * (THUMB + MARGIN);
    uint32_t y = MARGIN + (uint32_t)(index / 3) * (uint32_t)(THUMB_HEIGHT + label + MARGIN);
    for (int row = 0; row < FIXTURE_GRADIENT / FIXTURE_BLOCK; row++)
        for (int column = 0; column < FIXTURE_WIDTH / FIXTURE_BLOCK; column++)
            check_block(image, x, y, column, row);
    check_square(image, x, y, n);
}

/* Pixels of a label that are clearly brighter than the ground, and a hash of them. */
static int label_ink(const struct image *image, int index, uint32_t *hash)
{
    uint32_t x = MARGIN + (uint32_t)(index % 3) * (THUMB + MARGIN);
    uint32_t y = MARGIN + (uint32_t)(index / 3) * (THUMB_HEIGHT + LABEL + MARGIN) + THUMB_HEIGHT;
    int bright = 0;
    *hash = 2166136261u;
    for (uint32_t row = 0; row < LABEL; row++)
        for (uint32_t column = 0; column < THUMB; column++) {
            int value = at(image, x + column, y + row)[1];
            bright += value > 90;
            *hash = (*hash ^ (uint32_t)value) * 16777619u;
        }
    return bright;
}

static void make_film(const char *name, uint64_t frames, uint64_t first)
{
    struct sink_params params = fixture_params(cli_path(name));
    params.first_frame = first;
    params.output.codec = fixture_codec(strstr(name, ".mkv") ? "ffv1" : "auto");
    assert_ok(fixture_film(&params, frames, fixture_draw));
}

#define SHEET "sheet", "--columns", "3", "--rows", "2", "--width", "640"
#define SCENE "plummer", "-n", "200", "--set", "output.size=160x90", "--frames", "9"

TEST(sheet_of_a_film)
{
    make_film("film.mkv", 28, 0);
    const struct run *run = cli(0, SHEET, "film.mkv", "-o", "deep/film.png");
    assert_says(run->err, "deep/film.png 6 frames 0 27 3 x 2");
    struct image image = read_png("deep/film.png");
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, MARGIN + 2 * (THUMB_HEIGHT + LABEL + MARGIN));
    static const int frames[6] = {0, 5, 11, 16, 22, 27};
    uint32_t hashes[6];
    for (int i = 0; i < 6; i++) {
        check_thumb(&image, i, frames[i], LABEL);
        int bright = label_ink(&image, i, &hashes[i]);
        assert_true(bright > 60 && bright < THUMB * LABEL / 4);
        for (int k = 0; k < i; k++)
            assert_int_not_equal(hashes[i], hashes[k]);
    }
    assert_true(at(&image, 0, 0)[0] < 40 && at(&image, WIDTH - 1, image.height - 1)[2] < 40);
    free(image.rgb);

    cli(0, SHEET, "film.mkv", "-o", "part.png", "--no-labels", "--frames=3..10", "-y");
    image = read_png("part.png");
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, MARGIN + 2 * (THUMB_HEIGHT + MARGIN));
    static const int part[6] = {3, 4, 6, 7, 9, 10};
    for (int i = 0; i < 6; i++)
        check_thumb(&image, i, part[i], 0);
    free(image.rgb);
}

TEST(sheet_of_a_sequence)
{
    make_film("seq/%04d.png", 4, 20);
    const struct run *run =
        cli(0, SHEET, "seq/####.png", "-o", "seq.png", "--no-labels", "--quiet");
    assert_string_equal(run->err, "");
    struct image image = read_png("seq.png");
    assert_int_equal(image.height, MARGIN + 2 * (THUMB_HEIGHT + MARGIN));
    for (int i = 0; i < 4; i++)
        check_thumb(&image, i, i, 0);
    assert_true(at(&image, WIDTH - 100, image.height - 50)[0] <
                40); /* nothing in the last places */
    free(image.rgb);
    run = cli(0, "sheet", "seq/%04d.png", "-o", "two.png", "--frames", "21..22");
    assert_says(run->err, "2 frames 21 22 x 1");
    image = read_png("two.png");
    assert_int_equal(image.width, 1600);
    free(image.rgb);
    cli(0, "sheet", "seq/0020.png", "-o", "one.png");
    run = cli(2, "sheet", "seq/%04d.png", "-o", "x.png", "--frames", "5..22");
    assert_says(run->err, "frames 20 23");
    assert_int_equal(remove(cli_path("seq/0022.png")), 0);
    run = cli(5, "sheet", "seq/%04d.png", "-o", "x.png");
    assert_says(run->err, "seq/0022.png");
    assert_false(cli_exists("x.png"));
}

TEST(sheet_of_a_scene)
{
    cli_need_gl();
    cli(0, "render", SCENE, "--set", "output.png_bits=16", "-o", "frames/%d.png");
    cli(0, SHEET, "--no-labels", "frames/%d.png", "-o", "of_frames.png");
    const struct run *run = cli(0, SHEET, "--no-labels", SCENE, "-o", "of_scene.png");
    assert_says(run->err, "6 frames 0 8");
    assert_true(fixture_same_files(cli_path("of_frames.png"), cli_path("of_scene.png")));
}

/* Chosen moments, in the order of the command line. */
TEST(sheet_of_moments)
{
    make_film("film.mkv", 28, 0);
    const struct run *run =
        cli(0, "sheet", "--columns", "3", "--width", "640", "--no-labels", "-y", "film.mkv", "-o",
            "at.png", "--at", "frame 7, end", "--at", "start", "--at", "0.34,end - 0.1");
    assert_says(run->err, "at.png 5 moments 3 x 2");
    struct image image = read_png("at.png");
    static const int frames[5] = {7, 27, 0, 10, 24};
    for (int i = 0; i < 5; i++)
        check_thumb(&image, i, frames[i], 0);
    free(image.rgb);
    static const struct {
        const char *words[6], *says;
    } cases[] = {
        {{"--at", "pericentre"}, "pericentre scene film"},
        {{"--at", "3"}, "film.mkv 0.9"},
        {{"--at", "frame 28"}, "frames 0 27"},
        {{"--at", "1,,2"}, "''"},
        {{"--at", "0", "--rows", "2"}, "--at --rows pictures"},
        {{"--at", "0", "--frames", "2..3"}, "--at --frames A..B pictures"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *words[12] = {"sheet", "film.mkv", "-o", "x.png"};
        memcpy(words + 4, cases[i].words, sizeof cases[i].words);
        assert_says(cli_run(NULL, 2, words)->err, cases[i].says);
    }
    make_film("seq/%04d.png", 4, 20);
    cli(0, "sheet", "seq/%04d.png", "-o", "at.png", "-y", "--at", "frame 22,start,end");
    cli_fails(2, "frames name --at frame 20", "sheet", "seq/%04d.png", "-o", "x.png", "--at",
              "0.1");
    assert_false(cli_exists("x.png"));
}

/* The first and the last picture are as bright as in a film without fades. */
TEST(sheets_do_not_fade)
{
    cli_need_gl();
#define ENDS  "sheet", "--at", "end,start"
#define FADED SCENE, "--set", "look.fade_in=0.1", "--set", "look.fade_out=0.1"
    cli(0, ENDS, SCENE, "-o", "plain.png");
    const struct run *run = cli(0, ENDS, FADED, "-o", "full.png");
    assert_says(run->err, "sheet leaves film fades --as-film includes moments");
    assert_true(fixture_same_files(cli_path("plain.png"), cli_path("full.png")));
    cli(0, ENDS, FADED, "-o", "faded.png", "--as-film");
    assert_false(fixture_same_files(cli_path("plain.png"), cli_path("faded.png")));
}

/* The sheet of a film leaves out its fades, too, if the film contains its scene. */
TEST(sheets_of_films_leave_out_fades)
{
    cli_need_gl();
    cli(0, "render", FADED, "-o", "faded.mkv", "-y");
    const struct run *run = cli(0, "sheet", "faded.mkv", "-o", "film.png", "-y");
    assert_says(run->err, "sheet leaves film fades --as-film includes frames 3 5");
    run = cli(0, "sheet", "faded.mkv", "-o", "film.png", "-y", "--as-film");
    assert_says(run->err, "frames 0 8");
    assert_lacks(run->err, "leaves");
    run = cli(0, "sheet", "faded.mkv", "-o", "film.png", "-y", "--frames", "1..8");
    assert_says(run->err, "frames 1 8");
    cli(0, "render", FADED, "-o", "faded.mkv", "-y", "--metadata", "none");
    run = cli(0, "sheet", "faded.mkv", "-o", "film.png", "-y");
    assert_says(run->err, "frames 0 8");
}

/* Four moments beside each other, none of them black. */
TEST(sheet_of_a_scene_that_ships)
{
    cli_need_gl();
    cli(0, "scenes", "plummer", "--sheet", "ships.png", "--bodies", "64");
    struct image image = read_png("ships.png");
    assert_int_equal(image.width, 1960);
    for (int k = 0; k < 4; k++) {
        int lit = 0;
        for (uint32_t y = 0; y < image.height; y++)
            for (uint32_t x = 0; x < 480; x++)
                lit += at(&image, (uint32_t)k * 490 + 5 + x, y)[0] > 60;
        assert_true(lit > 20);
    }
    free(image.rgb);
    cli_fails(2, "-y", "scenes", "plummer", "--sheet", "ships.png");
}

TEST(what_cannot_be_shown)
{
    make_film("f.y4m", 3, 0);
    cli_write("text.txt", "no film, but some words to read");
    cli_write("there.png", "old");
    cli_write("empty.y4m", "YUV4MPEG2 W16 H16 F25:1 C420jpeg\n");
    static const struct {
        int code;
        const char *words[8], *says;
    } cases[] = {
        {2, {"f.y4m"}, "output file example -o sheet.png"},
        {2, {"f.y4m", "-o", "sheet.jpg"}, "sheet.jpg .png"},
        {2, {"f.y4m", "-o", "there.png"}, "there.png -y"},
        {2, {"there.png", "-o", "there.png", "-y"}, "file shown"},
        {2, {"text.txt", "-o", "x.png"}, "neither film"},
        {2, {"empty.y4m", "-o", "x.png"}, "empty.y4m"},
        {5, {"none.mp4", "-o", "x.png"}, "none.mp4"},
        {5, {"none%d.png", "-o", "x.png"}, "file sequence"},
        {2, {"plumer", "-o", "x.png"}, "plumer mean plummer"},
        {2, {"f.y4m", "-o", "x.png", "--width", "100"}, "32"},
        {2, {"f.y4m", "-o", "x.png", "--width", "99999"}, "--width number 1 32768"},
        {2, {"f.y4m", "-o", "x.png", "--columns", "0"}, "--columns number 1 100"},
        {2, {"f.y4m", "-o", "x.png", "--rows", "2x"}, "2x"},
        {2, {"f.y4m", "-o", "x.png", "--rows", "-1"}, "-1"},
        {2, {"f.y4m", "-o", "x.png", "--row", "101"}, "1 100"},
        {2, {"f.y4m", "-o", "x.png", "--frames", "2..3"}, "frames 0 2"},
        {2, {"f.y4m", "-o", "x.png", "--frames", "2..1"}, "A B"},
        {2, {"f.y4m", "-o", "x.png", "--frames", "3"}, "--frames A..B"},
        {2, {"f.y4m", "-o", "x.png", "-n", "9"}, "--bodies scene f.y4m film"},
        {2, {"f.y4m", "-o", "x.png", "--bodies-from", "text.txt"}, "--bodies-from scene"},
        {2, {"f.y4m", "-o", "x.png", "--colums", "3"}, "mean --columns"},
        {2, {"f.y4m", "f.y4m", "-o", "x.png"}, "f.y4m"},
        {5, {"f.y4m", "-o", "text.txt/x.png"}, "text.txt"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *words[10] = {"sheet"};
        memcpy(words + 1, cases[i].words, sizeof cases[i].words);
        const struct run *run = cli_run(NULL, cases[i].code, words);
        assert_says(run->err, cases[i].says);
        assert_false(cli_exists("x.png"));
    }
    char *kept = cli_read("there.png");
    assert_string_equal(kept, "old");
    free(kept);
    cli(0, "sheet", "f.y4m", "-o", "there.png", "-y");
    free(read_png("there.png").rgb);
}

/* Frames that are close in time have times with more decimals. */
TEST(times_differ)
{
    static uint16_t rgb[3 * FIXTURE_WIDTH * FIXTURE_HEIGHT];
    for (int close = 0; close < 2; close++) {
        const struct sheet_params params = {.width = WIDTH,
                                            .columns = 3,
                                            .count = 3,
                                            .film_width = FIXTURE_WIDTH,
                                            .film_height = FIXTURE_HEIGHT,
                                            .interval = close ? 1 / 30.0 : 0.1,
                                            .labels = true};
        struct sheet_page *page;
        uint64_t bytes;
        uint32_t hashes[3];
        assert_ok(sheet_page_open(&page, &params));
        for (uint32_t i = 0; i < 3; i++)
            assert_ok(sheet_page_put_named(page, i, rgb, "", (2 + i) / 30.0));
        assert_ok(sheet_page_write(page, cli_path("times.png"), &bytes));
        sheet_page_close(&page);
        struct image image = read_png("times.png");
        for (int i = 0; i < 3; i++)
            assert_true(label_ink(&image, i, &hashes[i]) > 30);
        free(image.rgb);
        assert_int_equal(hashes[0] != hashes[1] && hashes[1] != hashes[2], close);
    }
}

TESTS(cli_set_up, cli_tear_down)
