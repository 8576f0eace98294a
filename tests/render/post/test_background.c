/* Areas without light, and films that fade in from black and out to black. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/legend.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOP = 65535, CORNERS = 4 };
static const double blue[3] = {0x10 / 255.0, 0x20 / 255.0, 0x60 / 255.0};

static struct renderer_params over(enum picture_format format, const double background[3])
{
    struct renderer_params params = usual(format, WIDTH, HEIGHT);
    memcpy(params.look.background.shown, background, sizeof params.look.background.shown);
    place(0, WIDTH, HEIGHT, 32, 18);
    return params;
}

static double value(const struct picture *picture, uint32_t x, uint32_t y, int c)
{
    return sample(picture, 0, 4 * x + (uint32_t)c, y, 2) / (double)TOP;
}

/* Where the sky is empty the background is shown, and a lit pixel has the light of both. */
TEST(light_is_added_to_it)
{
    need_gl(state);
    static const char *const modes[] = {"sprites", "sprites-plain", "points"};
    static const double black[3] = {0, 0, 0};
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        struct renderer_params params = over(PICTURE_RGBA16, black);
        struct picture dark, lit;
        int seen = 0;
        params.look.mode = choose(&draw_mode_registry, modes[m]);
        params.look.plain[0] = params.look.plain[1] = 1;
        params.look.exposure.factor = 0.5;
        draw(&params, 0, &dark);
        memcpy(params.look.background.shown, blue, sizeof blue);
        draw(&params, 0, &lit);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++)
                for (int c = 0; c < 3; c++) {
                    const double a = pow(blue[c], 2.2), b = pow(value(&dark, x, y, c), 2.2);
                    const double expected = pow(a + b - a * b, 1 / 2.2);
                    assert_true(fabs(value(&lit, x, y, c) - expected) < 3.0 / TOP);
                    seen += value(&lit, x, y, c) > blue[c] + 0.1;
                }
        assert_true(seen > 8); /* there is a body */
        free(dark.data);
        free(lit.data);
    }
}

/* The map's cells stay the same; those without bodies are transparent. */
TEST(empty_cells_let_it_through)
{
    need_gl(state);
    static const double black[3] = {0, 0, 0};
    struct renderer_params params = over(PICTURE_RGBA16, black);
    struct picture dark, lit;
    int cells = 0, empty = 0;
    params.look.mode = choose(&draw_mode_registry, "activity");
    draw(&params, 0, &dark);
    memcpy(params.look.background.shown, blue, sizeof blue);
    draw(&params, 0, &lit);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++) {
            const bool body = value(&dark, x, y, 2) > 0;
            cells += body;
            empty += !body;
            for (int c = 0; c < 3; c++)
                assert_true(fabs(value(&lit, x, y, c) - (body ? value(&dark, x, y, c) : blue[c])) <
                            3.0 / TOP);
        }
    assert_int_equal(cells, 16);
    assert_int_equal(empty, WIDTH * HEIGHT - 16);
    free(dark.data);
    free(lit.data);
}

/* What a print of a colour lets through, see look.glsl. */
static double printed(const double lit[3], double covered, int c)
{
    const double white = fmin(fmin(lit[0], lit[1]), lit[2]) / covered;
    const double chroma = fmax(1 - white, 1e-6);
    const double passed = (lit[c] / covered - white) / pow(chroma, 0.7);
    return 1 - covered * (1 - passed) * (0.7 + 0.3 * pow(chroma, 0.3));
}

/* On a light page light is ink. A pale colour, such as the mean
 * of many, is not muddy: where the page is darkest, the hue is seen, and nothing is black. */
TEST(a_light_page_is_darkened)
{
    need_gl(state);
    static const double black[3] = {0, 0, 0}, pages[2][3] = {{1, 1, 1}, {0.9, 0.8, 0.6}};
    static const double pale[3] = {1, 0.9, 0.8}, grey[3] = {1, 0.98, 0.97};
    const double *const colours[] = {blue, pale, grey};
    for (int p = 0; p < 6; p++) {
        struct renderer_params params = over(PICTURE_RGBA16, black);
        const double *page = pages[p % 2];
        struct picture dark, print;
        int seen = 0, coloured = 0;
        params.look.mode = choose(&draw_mode_registry, "sprites-plain");
        memcpy(params.look.plain, colours[p / 2], sizeof blue);
        params.look.tone = choose(&tone_registry, p % 2 ? "filmic" : "log");
        params.look.exposure.factor = 10;
        draw(&params, 0, &dark);
        memcpy(params.look.background.shown, page, sizeof pages[0]);
        draw(&params, 0, &print);
        for (uint32_t y = 0; y < HEIGHT; y++)
            for (uint32_t x = 0; x < WIDTH; x++) {
                const double lit[3] = {value(&dark, x, y, 0), value(&dark, x, y, 1),
                                       value(&dark, x, y, 2)};
                const double amount = fmax(fmax(lit[0], lit[1]), lit[2]);
                double least = 1, most = 0;
                for (int c = 0; c < 3; c++) {
                    const double passed = value(&print, x, y, c) / page[c];
                    if (amount > 0.1) /* the hue of less has few codes */
                        assert_true(fabs(passed - printed(lit, amount, c)) < 0.01);
                    least = fmin(least, passed);
                    most = fmax(most, passed);
                }
                seen += least < 0.6;
                coloured += p >= 4 || (least < 0.4 && most - least > 0.2);
                assert_true(p < 2 || most > 0.29);
            }
        assert_true(seen > 8 && coloured > 0); /* there is a body */
        free(dark.data);
        free(print.data);
    }
}

/* Colours explained by the legend are the same on paper. */
TEST(a_map_covers_a_light_page)
{
    need_gl(state);
    static const double white[3] = {1, 1, 1};
    struct renderer_params params = over(PICTURE_RGBA16, white);
    struct picture picture;
    float expected[3];
    params.look.color = choose(&colour_registry, "speed");
    params.look.map = choose(&colour_map_registry, "viridis");
    params.look.tone = choose(&tone_registry, "linear");
    params.look.exposure.factor = 1e4;
    view_of(1, 0)->velocity[0] = 0.5f;
    draw(&params, 0, &picture);
    colour_map_at(params.look.map, 0.5f, expected);
    for (int c = 0; c < 3; c++) {
        assert_true(fabs(value(&picture, 32, 18, c) - (double)expected[c]) < 0.01);
        assert_true(value(&picture, 1, 1, c) == 1);
    }
    free(picture.data);
}

/* Letters are dark on a light page. */
TEST(letters_are_dark_on_a_light_page)
{
    need_gl(state);
    static const double white[3] = {1, 1, 1};
    struct renderer_params params = over(PICTURE_RGBA16, white);
    struct picture picture;
    int dark = 0;
    params.width = 320;
    params.height = 180;
    params.frames = 21;
    params.overlay = (struct overlay_params){.frame = true, .size = 80, .font = "DejaVu Sans"};
    params.labels.fps = 10;
    place(0, WIDTH, HEIGHT, -5000, 0);
    draw(&params, 10, &picture);
    for (uint32_t y = 0; y < params.height; y++)
        for (uint32_t x = 0; x < params.width; x++)
            dark += value(&picture, x, y, 0) < 0.25;
    assert_true(dark > 10);
    free(picture.data);
}

/* An empty sky in 8 bits is flat and not dithered, also between panels. */
TEST(flat_and_exact)
{
    need_gl(state);
    static const int codes[3] = {0x10, 0x20, 0x60};
    struct panel_params panels[2] = {{.title = "", .follow = "", .zoom = 1},
                                     {.title = "", .follow = "", .zoom = 1}};
    struct renderer_params params = over(PICTURE_RGBA8, blue);
    struct picture picture;
    for (int turn = 0; turn < 2; turn++) {
        params.width = turn ? 720 : WIDTH;
        params.height = turn ? 360 : HEIGHT;
        params.look.panels = panels;
        params.look.panel_count = turn ? 2 : 0;
        place(0, WIDTH, HEIGHT, -5000, 0);
        draw(&params, 3, &picture);
        for (uint32_t y = 0; y < params.height; y++)
            for (uint32_t x = 0; x < params.width; x++)
                for (uint32_t c = 0; c < 3; c++)
                    if (sample(&picture, 0, 4 * x + c, y, 1) != codes[c])
                        fail_msg("(%u, %u)[%u]: %d", x, y, c, sample(&picture, 0, 4 * x + c, y, 1));
        free(picture.data);
    }
}

/* The exposure depends on the light alone, not on the background. */
TEST(exposure_does_not_see_it)
{
    need_gl(state);
    static const double black[3] = {0, 0, 0};
    double found[2];
    for (int i = 0; i < 2; i++) {
        struct renderer_params params = over(PICTURE_RGBA16, i ? blue : black);
        struct renderer *renderer;
        params.look.exposure.factor = 0;
        struct draw_group group = *params.groups;
        params.groups = &group;
        assert_ok(renderer_open(&renderer, &params));
        assert_ok(renderer_bind(renderer));
        assert_ok(renderer_meter(renderer, view_of(1, 0)));
        found[i] = renderer_exposure(renderer);
        renderer_unbind(renderer);
        renderer_close(&renderer);
    }
    assert_true(found[0] > 0 && found[0] == found[1]);
}

TEST(fades_begin_and_end_in_black)
{
    const struct look_params look = {.fade_in = 1, .fade_out = 2}, none = {.fade_in = 0};
    assert_true(look_fade(&look, 0, 300, 30) == 0);
    assert_true(look_fade(&look, 299, 300, 30) == 0);
    assert_true(fabs(look_fade(&look, 15, 300, 30) - 0.5) < 1e-12);
    assert_true(fabs(look_fade(&look, 269, 300, 30) - 0.5) < 1e-12);
    for (uint64_t f = 0; f < 300; f++) {
        const double now = look_fade(&look, f, 300, 30);
        assert_true(look_fade(&none, f, 300, 30) == 1);
        assert_int_equal(now == 1, f >= 30 && f <= 239);
        assert_true(f == 0 || f > 30 || now > look_fade(&look, f - 1, 300, 30));
        assert_true(f < 240 || now < look_fade(&look, f - 1, 300, 30));
    }
    assert_true(look_fade(&none, 0, 1, 30) == 1);
    assert_true(look_fade(&look, 0, 1, 30) == 0);
}

/* Bodies, background and overlay, in display values. */
TEST(all_of_the_picture_fades)
{
    need_gl(state);
    struct renderer_params params = over(PICTURE_RGBA16, blue);
    struct picture full, part;
    params.width = 320;
    params.height = 180;
    params.frames = 21;
    params.overlay = (struct overlay_params){.frame = true, .size = 80, .font = "DejaVu Sans"};
    params.labels.fps = 10;
    for (uint64_t frame = 0; frame < 3; frame++) {
        params.look.fade_in = params.look.fade_out = 0;
        draw(&params, frame * 10, &full);
        params.look.fade_in = params.look.fade_out = 2;
        draw(&params, frame * 10, &part);
        const double seen = look_fade(&params.look, frame * 10, 21, 10);
        assert_true(fabs(seen - (frame == 1 ? 0.25 : 0)) < 1e-12);
        int bright = 0;
        for (uint32_t y = 0; y < params.height; y++)
            for (uint32_t x = 0; x < params.width; x++)
                for (int c = 0; c < 3; c++) {
                    const double expected = seen * value(&full, x, y, c);
                    assert_true(fabs(value(&part, x, y, c) - expected) < 2.5 / TOP);
                    bright += value(&full, x, y, c) > 0.8;
                }
        assert_true(bright > 30); /* there are letters */
        free(full.data);
        free(part.data);
    }
}

TESTS(open_gl, NULL)
