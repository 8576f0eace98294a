/* Full-screen passes, drawn as triangles or computed: the same pictures. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/overlay_fixture.h"

static const enum picture_format formats[] = {PICTURE_RGBA8, PICTURE_RGBA16, PICTURE_NV12,
                                              PICTURE_YUV420P10, PICTURE_YUV444P10};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static int open_compute(void **state)
{
    open_gl(state);
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    params.passes = PASSES_COMPUTED;
    if (!*state)
        return 0;
    if (renderer_open(&renderer, &params) != STATUS_OK) {
        print_message("no GL: %s\n", status_text());
        *state = NULL;
    }
    renderer_close(&renderer);
    return 0;
}

/* The levels of a glow are half floats, rounded to nearest when drawn and maybe otherwise when
 * computed: a step of 2^-10 of their value. */
static void compare(const struct picture *drawn, const struct picture *computed, bool glows)
{
    const struct picture_layout *layout = &drawn->layout;
    const int bytes = picture_format_bits(layout->format) > 8 ? 2 : 1;
    int least = 1 << 16, most = 0;
    assert_int_equal(layout->size, computed->layout.size);
    for (int p = 0; p < layout->planes; p++)
        for (uint32_t y = 0; y < layout->plane[p].rows; y++)
            for (uint32_t x = 0; x < layout->plane[p].bytes / (uint32_t)bytes; x++) {
                const int a = sample(drawn, p, x, y, bytes), b = sample(computed, p, x, y, bytes);
                if (abs(a - b) > 1 + (glows ? a >> 10 : 0))
                    fail_msg("%s: %d drawn, %d computed in plane %d at %u,%u",
                             picture_format_name(layout->format), a, b, p, x, y);
                least = a < least ? a : least;
                most = a > most ? a : most;
            }
    assert_true(most - least > (64 << picture_format_bits(layout->format)) / 256);
}

static void both_ways(struct renderer_params params, uint64_t frame)
{
    struct picture drawn, computed;
    for (size_t i = 0; i < FORMATS; i++) {
        params.format = formats[i];
        params.passes = PASSES_DRAWN;
        draw(&params, frame, &drawn);
        params.passes = PASSES_COMPUTED;
        draw(&params, frame, &computed);
        compare(&drawn, &computed, params.look.bloom > 0);
        free(drawn.data);
        free(computed.data);
    }
}

static struct renderer_params colourful(uint32_t width, uint32_t height)
{
    struct renderer_params params = usual(PICTURE_RGBA8, width, height);
    colour_params(&params);
    return params;
}

TEST(formats_agree)
{
    need_gl(state);
    both_ways(colourful(WIDTH, HEIGHT), 0);
    both_ways(colourful(2 * WIDTH, 2 * HEIGHT), 7);
    struct renderer_params print = colourful(WIDTH, HEIGHT);
    for (int c = 0; c < 3; c++)
        print.look.background.shown[c] = 1;
    both_ways(print, 0);
}

/* The size is a multiple neither of the groups nor of the words of a row. */
TEST(odd_sizes_agree)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{63, 35}, {97, 41}, {17, 17}, {33, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        both_ways(colourful(sizes[i][0], sizes[i][1]), i);
}

/* The levels of the glow are added up where they lie. */
TEST(glow_agrees)
{
    need_gl(state);
    struct renderer_params params = colourful(201, 151);
    params.look.bloom = 0.6;
    both_ways(params, 1);
}

/* The overlay is blended onto what was computed. */
TEST(overlay_agrees)
{
    need_gl(state);
    struct renderer_params params = dark(240, 160), lit = colourful(240, 160);
    params.look = lit.look;
    params.count = lit.count;
    params.look.bloom = 0.3;
    show_all(&params);
    both_ways(params, 2);
}

/* Each panel covers a part of the display and nothing beside it. */
TEST(panels_agree)
{
    need_gl(state);
    struct panel_params panels[3] = {{.zoom = 1}, {.zoom = 1.5}, {.zoom = 0.7}};
    for (int i = 0; i < 3; i++)
        panels[i].title = panels[i].follow = "";
    struct renderer_params params = colourful(203, 57);
    params.look.panels = panels;
    params.look.panel_count = 3;
    params.look.bloom = 0.4;
    both_ways(params, 3);
}

/* A face of the cube fills its part of the sphere and leaves the rest unchanged. */
TEST(spheres_agree)
{
    need_gl(state);
    struct renderer_params params = colourful(192, 96);
    char projection[] = "equirect";
    params.camera.projection = choose(&projection_registry, projection);
    params.camera.distance = 12;
    params.look.bloom = 0.2;
    params.look.exposure.factor = 0; /* reads the light back */
    both_ways(params, 0);
}

TESTS(open_compute, NULL)
