/* gravreel compare as a user runs it: its output and its exit code. */
#include "tests/support/test.h"

#include "base/file.h"
#include "cmd/regression/record/record.h"
#include "cmd/regression/report/report_json.h"
#include "render/picture/png_pdf.h"
#include "render/reader/reader.h"
#include "tests/support/programs/cli.h"
#include "tests/support/films/decode.h"
#include "tests/support/films/remux.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 10 };

/* The first numbers of a track's matrix (ISO/IEC 14496-12, 8.3.2), by a quarter clockwise. */
#define TURNED "\0\0\0\0\0\x01\0\0\0\0\0\0\xff\xff\0\0\0\0\0\0"

static void make_of(const char *name, uint32_t width, uint32_t height, uint64_t frames, double crf)
{
    struct sink_params params = fixture_params(cli_path(name));
    params.width = width;
    params.height = height;
    params.output.crf = crf;
    assert_ok(fixture_film(&params, frames, fixture_draw));
}

static void make(const char *name, uint64_t frames, double crf)
{
    make_of(name, FIXTURE_WIDTH, FIXTURE_HEIGHT, frames, crf);
}

/* The whole file, or its first half. */
static void copy(const char *from, const char *to, bool whole)
{
    char *data;
    size_t size;
    assert_ok(file_read(cli_path(from), (size_t)1 << 26, &data, &size));
    assert_ok(file_write(cli_path(to), data, whole ? size : size / 2));
    free(data);
}

TEST(equal_films_pass)
{
    make("a.mp4", FRAMES, -1);
    copy("a.mp4", "copy.mp4", true);
    const struct run *run = cli(0, "compare", "a.mp4", "copy.mp4");
    assert_says(run->out, "'10 of 10' frames");
    cli(0, "compare", "a.mp4", "copy.mp4", "--fail-on", "different");
    run = cli(0, "compare", "a.mp4", "copy.mp4", "--quiet");
    assert_string_equal(run->out, "");
    assert_string_equal(run->err, "");
}

TEST(one_file_is_no_comparison)
{
    make("a.mp4", FRAMES, -1);
    make("p%02d.png", 2, -1);
    assert_int_equal(symlink(cli_path("a.mp4"), cli_path("link.mp4")), 0);
    assert_says(cli(3, "compare", "a.mp4", "a.mp4")->out, "A B file");
    assert_says(cli(3, "compare", "a.mp4", "link.mp4")->out, "A B file");
    assert_says(cli(3, "compare", "p%02d.png", "p##.png")->out, "A B file");
}

TEST(films_that_differ_end_with_3)
{
    make("a.mp4", FRAMES, 10);
    make("b.mp4", FRAMES, 45);
    make("short.mp4", FRAMES - 1, 10);
    make_of("small.mp4", 64, 48, FRAMES, 10);
    const struct run *run = cli(3, "compare", "a.mp4", "b.mp4");
    assert_contains(run->out, "picture.counted");
    assert_says(run->err, "gravreel films");
    assert_contains(cli(3, "compare", "a.mp4", "short.mp4")->out, "10 frames");
    run = cli(3, "compare", "a.mp4", "small.mp4");
    assert_contains(run->out, "128x96");
    assert_contains(run->out, "64x48");
    assert_contains(cli(3, "compare", "a.mp4", "small.mp4", "--limit", "picture.size=never")->out,
                    "64x48");
    cli(0, "compare", "a.mp4", "short.mp4", "--frames", "0..8");
    cli(0, "compare", "a.mp4", "short.mp4", "--frames", "..8");
    cli(0, "compare", "a.mp4", "short.mp4", "--frames", "9");
    cli(2, "compare", "a.mp4", "short.mp4", "--frames", "0");
    cli_fails(2, "--frames short.mp4 frames 0 8", "compare", "a.mp4", "short.mp4", "--frames",
              "0..9");
}

/* Properties that pictures lack, such as a rate or colour tags, are not compared. */
TEST(a_film_passes_against_its_own_pictures)
{
    struct sink_params params = fixture_params(cli_path("own.mkv"));
    params.output.codec = fixture_codec("ffv1");
    params.output.bits = 10;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    struct reader *reader;
    struct picture picture = {.frame = 0};
    uint64_t bytes;
    assert_ok(reader_open(&reader, cli_path("own.mkv")));
    picture_layout(&picture.layout, PICTURE_RGBA8, FIXTURE_WIDTH, FIXTURE_HEIGHT);
    picture.data = malloc(picture.layout.size);
    uint16_t *rgb = malloc(3 * FIXTURE_WIDTH * FIXTURE_HEIGHT * sizeof *rgb);
    assert_true(picture.data && rgb);
    for (uint64_t f = 0; f < FRAMES; f++) {
        char name[32];
        assert_ok(reader_read(reader, f, rgb));
        for (size_t i = 0; i < FIXTURE_WIDTH * FIXTURE_HEIGHT; i++) {
            for (size_t c = 0; c < 3; c++)
                picture.data[4 * i + c] = (uint8_t)((rgb[3 * i + c] + 128) / 257);
            picture.data[4 * i + 3] = 255;
        }
        snprintf(name, sizeof name, "own%02d.png", (int)f);
        assert_ok(png_file_write(cli_path(name), &picture, &(struct png_settings){.level = 1}, 0,
                                 &bytes));
    }
    free(rgb);
    free(picture.data);
    reader_close(&reader);
    const struct run *run = cli(0, "compare", "own.mkv", "own%02d.png");
    assert_lacks(run->out, "unsaid");
    assert_lacks(run->out, "pixel format");
    assert_lacks(run->out, "rate");
    assert_says(run->out, "'10 of 10' frames '2 of 2' stages");
    cli(0, "compare", "own%02d.png", "own.mkv");
    assert_int_equal(remove(cli_path("own09.png")), 0);
    assert_says(cli(3, "compare", "own.mkv", "own%02d.png")->out, "frame 9 A B missing");
}

static void draw_without_4(struct picture *picture, uint64_t n);

/* The loss of another encoding is allowed; frames and colours are judged as strictly as ever. */
TEST(a_lossy_copy_passes_as_one)
{
    make("a.mp4", FRAMES, 10);
    make("copy.mp4", FRAMES, 24);
    make("bad.mp4", FRAMES, 51);
    cli(3, "compare", "a.mp4", "copy.mp4");
    const struct run *run = cli(0, "compare", "a.mp4", "copy.mp4", "--lossy");
    assert_says(run->out, "'10 of 10' frames");
    run = cli(3, "compare", "a.mp4", "bad.mp4", "--lossy");
    assert_contains(run->out, "picture.psnr ");
    assert_lacks(run->out, "unpaired_stars");
    assert_says(cli(3, "compare", "a.mp4", "copy.mp4", "--lossy", "--limit", "picture.psnr=1")->out,
                "PSNR luma");
    cli(3, "compare", "a.mp4", "copy.mp4", "--limit", "picture.psnr=1", "--lossy");
    run = cli(0, "compare", "--lossy", "--limit", "help");
    assert_says(run->out, "fails 65 dB PSNR luma 35 film");
    struct sink_params params = fixture_params(cli_path("short.mp4"));
    params.output.crf = 24;
    assert_ok(fixture_film(&params, FRAMES - 1, draw_without_4));
    assert_says(cli(3, "compare", "a.mp4", "short.mp4", "--lossy")->out, "frame 4 A missing");
    params = fixture_params(cli_path("range.mp4"));
    params.output.codec_options = "fullrange=on";
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    assert_says(cli(3, "compare", "a.mp4", "range.mp4", "--lossy")->out,
                "colour range tv container pc stream");
    /* Another format and bit depth is included, and measured as well. */
    params = fixture_params(cli_path("deep.mkv"));
    params.output.codec = fixture_codec("ffv1");
    params.output.bits = 10;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    run = cli(0, "compare", "deep.mkv", "a.mp4", "--lossy", "--json", "lossy.json");
    struct report report;
    assert_ok(report_read_json(&report, cli_path("lossy.json")));
    const struct stage_report *picture = &report.cases[0].stages[JUDGED_PICTURE];
    double psnr = 0;
    for (uint32_t i = 0; i < picture->finding_count; i++)
        if (picture->findings[i].rule == &rules[RULE_PICTURE_PSNR])
            psnr = 100 - picture->findings[i].value;
    assert_true(psnr > 30 && psnr < 70);
    report_free(&report);
    cli_fails(2, "--lossy films", "compare", "lossy.json", "lossy.json", "--lossy");
}

static void draw_without_4(struct picture *picture, uint64_t n)
{
    fixture_draw(picture, n < 4 ? n : n + 1);
}

/* The fault is the frame, not the number of frames. */
TEST(a_frame_that_is_missing_is_named)
{
    make("a.mp4", FRAMES, 10);
    struct sink_params params = fixture_params(cli_path("without.mp4"));
    params.output.crf = 10;
    assert_ok(fixture_film(&params, FRAMES - 1, draw_without_4));
    const struct run *run = cli(3, "compare", "a.mp4", "without.mp4", "--json", "without.json");
    assert_says(run->out, "picture frame 4 A B CHANGED packets none container");
    struct report report;
    assert_ok(report_read_json(&report, cli_path("without.json")));
    assert_int_equal(report.cases[0].stage, JUDGED_PICTURE);
    assert_int_equal(report.cases[0].stages[JUDGED_PICTURE].first_frame, 4);
    assert_int_equal(report.cases[0].alignment[4].kind, STEP_DROPPED);
    report_free(&report);
}

/* A frame before the compared range may be shown at any time. */
TEST(times_are_those_of_the_frames_compared)
{
    char in[256], out[256];
    make("a.mkv", FRAMES, 10);
    snprintf(in, sizeof in, "%s", cli_path("a.mkv"));
    snprintf(out, sizeof out, "%s", cli_path("late.mkv"));
    remux(in, out, &(struct remux){.late = 1, .ticks = 11});
    assert_says(cli(3, "compare", "a.mkv", "late.mkv")->out, "frames times");
    const struct run *run = cli(0, "compare", "a.mkv", "late.mkv", "--frames", "3..8");
    assert_lacks(run->out, "times");
}

static int lines_that_say(const char *text, const char *words)
{
    int count = 0;
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        char line[4096];
        length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        count += has_words(line, words);
    }
    return count;
}

/* Both streams in one log, as CI services keep them. */
static void assert_told_once(const struct run *run, const char *words)
{
    assert_int_equal(lines_that_say(run->out, words) + lines_that_say(run->err, words), 1);
}

TEST(why_is_told_once)
{
    make("a.mp4", FRAMES, 10);
    make("short.mp4", FRAMES - 1, 10);
    const struct run *run = cli(3, "compare", "a.mp4", "short.mp4");
    assert_told_once(run, "A 10 frames B 9");
    assert_says(run->out, "A 10 frames '9 of 10'");
    run = cli(3, "compare", "a.mp4", "short.mp4", "--quiet");
    assert_told_once(run, "A 10 frames B 9");
    assert_string_equal(run->out, "");
}

TEST(other_words_of_a_film_are_named)
{
    make("a.mkv", FRAMES, 10);
    struct sink_params params = fixture_params(cli_path("fast.mkv"));
    params.output.crf = 10;
    params.fps_num = 60;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    const struct run *run = cli(3, "compare", "a.mkv", "fast.mkv");
    assert_says(run->out, "frame rate 30/1 60/1");
    assert_lacks(strstr(run->out, "30/1 against 60/1") + 1, "30/1 against 60/1");
    params = fixture_params(cli_path("deep.mkv"));
    params.output.codec = fixture_codec("ffv1");
    params.output.bits = 10;
    assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    run = cli(3, "compare", "a.mkv", "deep.mkv");
    assert_says(run->out, "depth 8 bits 10");
    assert_contains(run->out, "pixel format");
}

static int64_t container_frame(const char *json)
{
    struct report report;
    assert_ok(report_read_json(&report, cli_path(json)));
    assert_int_equal(report.cases[0].stage, JUDGED_CONTAINER);
    const int64_t frame = report.cases[0].stages[JUDGED_CONTAINER].first_frame;
    report_free(&report);
    return frame;
}

/* The same packets in a file with other metadata. */
TEST(a_container_that_is_wrong_is_named)
{
    static const struct {
        const char *box, *with;
        int skip, size;
        const char *says;
        int64_t frame;
    } cases[] = {
        {"stss", "\0\0\0\x03", 12, 4, "index B calls frame 0 key", 0},
        {"colrnclx", "\0\x06", 8, 2, "primaries bt709 smpte170m container stream", -1},
        {"pasp", "\0\0\0\x04\0\0\0\x03", 4, 8, "pixel aspect ratio 1:1 4:3", -1},
        {"stsd", "\0\x82", 44, 2, "size container 128x96 130x96", -1},
        {"tkhd", TURNED, 44, 20, "rotation none 90 degrees clockwise", -1},
        {"mvhd", "\0\x02", 24, 2, "playback speed none 2", -1},
    };
    (void)state;
    make("a.mp4", FRAMES, 10);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        copy("a.mp4", "b.mp4", true);
        patch_file(cli_path("b.mp4"), cases[i].box, cases[i].skip, cases[i].with, cases[i].size);
        const struct run *run = cli(3, "compare", "a.mp4", "b.mp4", "--json", "b.json", "-y");
        assert_says(run->out, cases[i].says);
        assert_int_equal(container_frame("b.json"), cases[i].frame);
    }
    remux(cli_path("a.mp4"), cli_path("same.mp4"), &(struct remux){0});
    cli(0, "compare", "a.mp4", "same.mp4");
    remux(cli_path("a.mp4"), cli_path("late.mp4"),
          &(struct remux){.filter = "setts=pts=if(eq(PTS\\,4*DURATION)\\,PTS+1\\,PTS)"});
    const struct run *run = cli(3, "compare", "a.mp4", "late.mp4", "--json", "b.json", "-y");
    assert_says(run->out, "container frame 4 time");
    assert_int_equal(container_frame("b.json"), 4);
}

TEST(limits_are_heard)
{
    make("a.mp4", FRAMES, 10);
    make("b.mp4", FRAMES, 28);
    cli(3, "compare", "a.mp4", "b.mp4");
    cli(0, "compare", "a.mp4", "b.mp4", "--limit", "picture.counted=never", "--limit",
        "picture.counted_of_lit=100", "--limit", "picture.pixel=never", "--limit",
        "picture.tile_counted=never", "--limit", "picture.tile_mean=never", "--limit",
        "picture.tile_light=never", "--limit", "picture.tile_line=never", "--limit",
        "picture.unpaired_stars=never", "--limit", "picture.bias=never", "--limit",
        "picture.light=never", "--limit", "picture.ssim=never", "--limit", "picture.colour=never",
        "--limit", "sequence.light=never", "--limit", "sequence.trend=never");
    cli_fails(2, "picture.counted", "compare", "a.mp4", "b.mp4", "--limit", "picture.contued=3");
    cli_write("limits.yaml", "picture.counted: {fail: 3}\n");
    cli_fails(2, "limits.yaml", "compare", "a.mp4", "b.mp4", "--limits", "limits.yaml");
    cli(5, "compare", "a.mp4", "b.mp4", "--limits", "none.yaml");
    cli_fails(2, "chnaged mean changed", "compare", "a.mp4", "b.mp4", "--fail-on", "chnaged");
}

TEST(reports_are_written)
{
    make("a.mp4", FRAMES, 10);
    make("b.mp4", FRAMES, 30);
    cli(3, "compare", "a.mp4", "b.mp4", "--json", "r.json", "--junit", "r.xml", "--html", "r.html",
        "--markdown", "r.md", "--quality");
    char *json = cli_read("r.json"), *xml = cli_read("r.xml"), *html = cli_read("r.html"),
         *markdown = cli_read("r.md");
    assert_contains(json, "\"compare\"");
    assert_says(json, "PSNR luma");
    assert_contains(xml, "<testsuite");
    assert_contains(html, "<html");
    assert_contains(markdown, "picture");
    free(json);
    free(xml);
    free(html);
    free(markdown);
    cli_fails(2, "exists", "compare", "a.mp4", "b.mp4", "--json", "r.json");
    cli(3, "compare", "a.mp4", "b.mp4", "--json", "r.json", "-y");
    cli_fails(2, "report", "compare", "a.mp4", "-y", "--json", "b.mp4");
    assert_true(cli_exists("b.mp4"));
    cli_fails(2, "films", "compare", "a.mp4", "b.mp4", "--diff", "a.mp4", "-y");
    cli_fails(2, "twice", "compare", "a.mp4", "b.mp4", "--diff", "new.mp4", "--html", "./new.mp4");
    assert_false(cli_exists("new.mp4"));
    cli(2, "compare", "a.mp4", "b.mp4", "--markdown");
    cli(5, "compare", "a.mp4", "b.mp4", "--json", "a.mp4/r.json");
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

static uint64_t skipped; /* this frame is left out */

static void draw_without(struct picture *picture, uint64_t n)
{
    fixture_draw(picture, n < skipped ? n : n + 1);
}

/* A | B | difference of the worst frames, with marks and a clip, and only the page remains; frames
 * missing in B are included. */
TEST(the_page_shows_what_differs)
{
    struct report report;
    make("a.mp4", 24, 10);
    make("b.mp4", 24, 45);
    const char *temporary = cli_path("temporary");
    assert_ok(file_make_folder(temporary));
    char setting[4200];
    snprintf(setting, sizeof setting, "TMPDIR=%s", temporary);
    cli_with((setting), 3, "compare", "a.mp4", "b.mp4", "--html", "r.html", "--json", "r.json");
    assert_int_equal(fixture_count_files(temporary), 0);
    char *html = cli_read("r.html");
    assert_true(strlen(html) < 10000000);
    assert_ok(report_read_json(&report, cli_path("r.json")));
    const struct case_report *one = &report.cases[0];
    assert_in_range(one->shown_count, 2, 8);
    assert_int_equal(count(html, "src=\"data:image/png"), 3 * (int)one->shown_count);
    assert_int_equal(count(html, "src=\"data:video/mp4"), 1);
    assert_true(count(html, "\"kind\": \"") > 0); /* of a mark */
    assert_contains(html, "\"a\": \"a.mp4\"");
    assert_lacks(html, "frame-0000"); /* no file that was removed */
    double worst = 0;
    for (uint32_t s = 0; s < one->shown_count; s++) {
        assert_null(one->shown[s].a);
        assert_true(one->shown[s].mark_count > 0);
        worst = one->shown[s].worst > worst ? one->shown[s].worst : worst;
    }
    assert_true(worst > 1);
    free(html);
    report_free(&report);

    skipped = 13;
    struct sink_params params = fixture_params(cli_path("cut.mp4"));
    params.width = FIXTURE_WIDTH;
    params.height = FIXTURE_HEIGHT;
    params.output.crf = 10;
    assert_ok(fixture_film(&params, 23, draw_without));
    cli(3, "compare", "a.mp4", "cut.mp4", "--html", "cut.html", "--json", "cut.json");
    html = cli_read("cut.html");
    assert_ok(report_read_json(&report, cli_path("cut.json")));
    assert_int_equal(report.cases[0].shown[0].frame, 13);
    assert_string_equal(report.cases[0].shown[0].why, "the first that is missing in B");
    assert_contains(html, "id=\"p:0:0:0\"");
    assert_contains(html, "[12, 12], [13, null], [14, 13]");
    assert_contains(html, "[\"dropped\", 13, null]");
    free(html);
    report_free(&report);
    /* equal films need no pictures */
    copy("a.mp4", "copy.mp4", true);
    cli(0, "compare", "a.mp4", "copy.mp4", "--html", "same.html");
    html = cli_read("same.html");
    assert_lacks(html, "data:image/png");
    free(html);
}

/* Frames have the numbers of their files. */
TEST(a_sequence_is_counted_from_its_first_file)
{
    make("a%02d.png", 5, -1);
    make("b%02d.png", 5, -1);
    static const char *const first[] = {"a00.png", "a01.png", "b00.png", "b01.png"};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        assert_int_equal(remove(cli_path(first[i])), 0);
    assert_says(cli(0, "compare", "a%02d.png", "b%02d.png", "--frames", "2..4")->out,
                "'3 of 3' frames");
    assert_says(cli(0, "compare", "a%02d.png", "b%02d.png", "--frames", "3..4")->out,
                "'2 of 2' frames");
    cli_fails(2, "--frames frames 2 4", "compare", "a%02d.png", "b%02d.png", "--frames", "1..3");
}

TEST(a_difference_has_the_films_rate)
{
    static const char *const names[] = {"a.mp4", "b.mp4"};
    for (int i = 0; i < 2; i++) {
        struct sink_params params = fixture_params(cli_path(names[i]));
        params.fps_num = 30000;
        params.fps_den = 1001;
        params.output.crf = i == 0 ? 10 : 40;
        assert_ok(fixture_film(&params, FRAMES, fixture_draw));
    }
    cli(3, "compare", "a.mp4", "b.mp4", "--diff", "d.mp4");
    struct reader *reader;
    assert_ok(reader_open(&reader, cli_path("d.mp4")));
    assert_int_equal(reader_info(reader)->fps_num, 30000);
    assert_int_equal(reader_info(reader)->fps_den, 1001);
    reader_close(&reader);
}

TEST(a_difference_is_a_film)
{
    make("a.mp4", FRAMES, 10);
    make("b.mp4", FRAMES, 40);
    cli(3, "compare", "a.mp4", "b.mp4", "--diff", "d.mp4", "--gain", "16");
    struct decoded film;
    assert_true(decode_open(&film, cli_path("d.mp4")));
    assert_int_equal(film.width, 3 * FIXTURE_WIDTH);
    assert_int_equal(film.height, FIXTURE_HEIGHT);
    double most = 0, least = 1;
    while (decode_next(&film))
        for (int x = 0; x < FIXTURE_WIDTH; x += 3) {
            double a[3], d[3];
            decode_rgb(&film, x, FIXTURE_GRADIENT + 6, a);
            decode_rgb(&film, 2 * FIXTURE_WIDTH + x, FIXTURE_GRADIENT + 6, d);
            most = a[1] > most ? a[1] : most;
            least = d[1] < least ? d[1] : least;
        }
    assert_int_equal(film.frames, FRAMES);
    decode_close(&film);
    if (!(most > 0.9 && least < 0.2))
        fail_msg("A is at most %g, the difference at least %g", most, least);
    cli(3, "compare", "a.mp4", "b.mp4", "--diff", "d%02d.png", "--frames", "3..4");
    assert_true(cli_exists("d00.png") && cli_exists("d01.png") && !cli_exists("d02.png"));
    cli_fails(2, "--gain", "compare", "a.mp4", "b.mp4", "--diff", "d2.mp4", "--gain", "0");
    assert_false(cli_exists("d2.mp4"));
}

/* Light from far below black to far above white, with a fault in the last frame. */
static struct {
    uint32_t x; /* of the fault, in the middle row; UINT32_MAX: everywhere */
    float factor;
} light_fault;

static void draw_light(struct picture *picture, uint64_t n)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        float *row = (float *)(void *)(picture->data + y * layout->plane[0].stride);
        for (uint32_t x = 0; x < layout->width; x++) {
            const bool here =
                light_fault.x == UINT32_MAX || (light_fault.x == x && y == layout->height / 2);
            float light = 1e-5f * powf(10, 7 * (float)x / (float)layout->width);
            light *= n == 2 && here ? light_fault.factor : 1;
            for (int c = 0; c < 4; c++)
                row[4 * x + (uint32_t)c] = light * (c == 1 ? 0.5f : 1);
        }
    }
}

static void make_light(const char *name, uint32_t bits, uint32_t x, float factor)
{
    struct sink_params params = fixture_params(cli_path(name));
    params.output.exr_bits = bits;
    light_fault.x = x;
    light_fault.factor = factor;
    assert_ok(fixture_film(&params, 3, draw_light));
}

TEST(differences_of_light_are_found)
{
    const struct {
        uint32_t x;
        float factor;
        bool differs;
        const char *says;
    } cases[] = {
        {UINT32_MAX, 1, false, "the same"},
        {UINT32_MAX, 1.0005f, false, "within the limits"}, /* a step of half floats */
        {UINT32_MAX, 1.01f, true, "picture.light_pixels"}, /* exposure */
        {UINT32_MAX, 0.99f, true, "picture.light_pixels"},
        {90, 1.02f, true, "picture.light_pixels 1 pixel"},  /* near white */
        {25, 1.02f, true, "picture.light_pixels 1 pixel"},  /* 2.4e-4: displayed as black */
        {127, 1.02f, true, "picture.light_pixels 1 pixel"}, /* 90: displayed as white */
        {60, NAN, true, "picture.light_pixels 1 pixel"},
        {60, INFINITY, true, "picture.light_pixels 1 pixel"},
    };
    for (uint32_t bits = 16; bits <= 32; bits += 16) {
        make_light("a%d.exr", bits, 0, 1);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            make_light("b%d.exr", bits, cases[i].x, cases[i].factor);
            const struct run *run = cli(cases[i].differs ? 3 : 0, "compare", "a%d.exr", "b%d.exr");
            assert_contains(run->out, cases[i].says);
            if (cases[i].differs)
                assert_contains(run->out, "from frame 2");
        }
    }
    make_light("a%d.exr", 16, 0, 1);
    make_light("b%d.exr", 16, 90, 1.02f);
    cli(0, "compare", "a%d.exr", "b%d.exr", "--limit", "picture.light_above=3");
    cli(0, "compare", "a%d.exr", "b%d.exr", "--limit", "picture.light_pixels=1");
    make("a%d.png", 3, -1);
    assert_says(cli(3, "compare", "a%d.png", "a%d.exr")->out, "samples display scene-linear light");
}

TEST(what_cannot_be_read_ends_with_a_sentence)
{
    make("a.mp4", FRAMES, -1);
    make("a.mkv", FRAMES, -1);
    copy("a.mp4", "cut.mp4", false);
    copy("a.mkv", "cut.mkv", false);
    cli_write("text.mp4", "this is no film, and it is long enough to be one\n");
    cli_write("empty.mp4", "");
    static const struct {
        const char *name;
        int code;
    } bad[] = {{"cut.mp4", 5},
               {"text.mp4", 2},
               {"empty.mp4", 2},
               {"missing.mp4", 5},
               {"missing%02d.png", 5}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct report report;
        cli_write("stale.json", "all pass");
        cli_write("stale.xml", "all pass");
        cli(bad[i].code, "compare", "a.mp4", bad[i].name, "-y", "--json", "stale.json", "--junit",
            "stale.xml");
        assert_ok(report_read_json(&report, cli_path("stale.json")));
        assert_int_equal(report.cases[0].verdict, VERDICT_NOT_JUDGED);
        assert_contains(report.cases[0].sentence, bad[i].name);
        report_free(&report);
        char *junit = cli_read("stale.xml");
        assert_contains(junit, "errors=\"7\"");
        free(junit);
        const struct run *run = cli(bad[i].code, "compare", bad[i].name, "a.mp4");
        assert_says(run->err, "gravreel");
        assert_lacks(run->out, "pass");
    }
    cli_fails(2, "no frames", "compare", "a.mkv", "cut.mkv");
    cli(2, "compare", "a.mp4", "--junit", "stale.xml", "-y");
    char *junit = cli_read("stale.xml");
    assert_contains(junit, "message=\"expected two films");
    free(junit);
    cli(2, "compare");
    cli(2, "compare", "a.mp4", "a.mkv", "a.mp4");
}

#define FILM "render", "plummer", "-n", "64", "--size", "64x48", "--frames", "3", "--quiet"

TEST(scenes_that_differ_are_named)
{
    cli(0, FILM, "-o", "a.mp4");
    cli(0, FILM, "-o", "b.mp4", "--set", "bodies.seed=3", "--set", "look.point_size=9");
    const struct run *run = cli(3, "compare", "a.mp4", "b.mp4", "--json", "r.json");
    assert_says(run->out, "scenes bodies.seed 1 3 look.point_size A B beyond limits");
    char *json = cli_read("r.json");
    assert_says(json, "scenes");
    free(json);
    cli(0, FILM, "-o", "small.mp4", "--crf", "40");
    assert_says(cli(3, "compare", "a.mp4", "small.mp4")->out, "crf default 23 40");
    cli(0, FILM, "-o", "one%02d.png");
    cli(0, FILM, "-o", "two%02d.png", "--set", "bodies.seed=3");
    assert_says(cli(3, "compare", "one%02d.png", "two%02d.png")->out, "scenes bodies.seed 1 3");
    /* the displayed pictures decide, not the requested ones */
    cli(0, FILM, "-o", "named.mp4", "--set", "output.title=Other");
    assert_lacks(cli(0, "compare", "a.mp4", "named.mp4")->out, "differ");
}

TEST(manifests_say_where_films_part)
{
    cli(0, FILM, "-o", "a.mp4", "--manifest", "a.json");
    cli(0, FILM, "-o", "again.mp4", "--manifest", "again.json", "--encoders", "1");
    cli(0, FILM, "-o", "dt.mp4", "--manifest", "dt.json", "--set", "simulation.dt=0.02");
    cli(0, FILM, "-o", "look.mp4", "--manifest", "look.json", "--set", "look.exposure=1");
    assert_says(cli(0, "compare", "a.json", "again.json", "--fail-on", "different")->out,
                "'3 of 3' frames '7 of 7' stages");
    const struct run *run = cli(3, "compare", "a.json", "dt.json", "--json", "r.json");
    assert_says(run->out,
                "scene simulation.dt 0.02 0.01 films differ stage physics frame 1 start ok");
    run = cli(3, "compare", "a.json", "look.json");
    assert_says(run->out, "look.exposure 1 films differ stage picture frame 0");
    /* the same scene, but another state from frame 1 on: a change of the program */
    struct record record;
    assert_ok(record_read(&record, cli_path("a.json")));
    record.frames[1].state[0] = record.frames[1].state[0] == '0' ? '1' : '0';
    assert_ok(record_write(&record, cli_path("changed.json")));
    record_free(&record);
    run = cli(3, "compare", "a.json", "changed.json");
    assert_says(run->out, "physics frame 1");
    assert_says(cli(3, "compare", "a.json", "a.json")->out, "A B file");
    assert_ok(record_read(&record, cli_path("a.json")));
    record.count = 0;
    assert_ok(record_write(&record, cli_path("none.json")));
    record_free(&record);
    assert_says(cli(3, "compare", "a.json", "none.json")->out, "frames compared");
    cli(3, "compare", "none.json", "a.json");
    cli(3, "compare", "none.json", "again.json", "--html", "none.html");
    cli_fails(2, "gravreel verify FILM --manifest a.json", "compare", "a.json", "a.mp4");
    cli_fails(2, "--diff films", "compare", "a.json", "dt.json", "--diff", "d.mp4");
    cli_fails(5, "gone.json", "compare", "a.json", "gone.json");
    cli(5, "compare", "a.json", "r.json");
}

TESTS_EACH(cli_set_up, cli_tear_down)
