/* The title card, and captions of several lines. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/overlay/ink.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>
#include <stdlib.h>

enum { W = 640, H = 360, MARGIN = 18 };

static struct renderer_params carded(void)
{
    struct renderer_params params = dark(W, H);
    params.overlay.card = 4;
    params.overlay.fade = 1;
    params.overlay.subtitle = "a line below it\nand another one";
    params.overlay.size = 60;
    params.labels.fps = 10;
    params.frames = 100;
    return params;
}

static int brightest(const struct picture *picture, const struct extent *where)
{
    int most = 0;
    for (uint32_t y = where->top; y < where->bottom; y++)
        for (uint32_t x = where->left; x < where->right; x++)
            most = red(picture, x, y) > most ? red(picture, x, y) : most;
    return most;
}

/* If it does not cover the film, it leaves the middle free. */
TEST(in_the_lower_third)
{
    need_gl(state);
    struct renderer_params params = carded();
    struct picture picture;
    params.overlay.size = 30;
    params.overlay.subtitle = "";
    draw(&params, 30, &picture);
    const struct extent ink = ink_within(&picture, 0, 0, W, H);
    assert_true((int)ink.top >= 2 * H / 3 && (int)ink.bottom <= H - MARGIN + 4);
    free(picture.data);
}

/* A line at the lower edge that the card would cross is hidden while the card is shown. */
TEST(lines_make_way)
{
    need_gl(state);
    static const struct {
        const char *subtitle;
        uint64_t frame;
        bool hidden;
    } cases[] = {{"a line that is wide enough to reach it in its corner", 30, true},
                 {"a line that is wide enough to reach it in its corner", 50, false},
                 {"short", 30, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = carded();
        struct picture without, with;
        params.overlay.size = 52;
        params.overlay.subtitle = (char *)cases[i].subtitle;
        draw(&params, cases[i].frame, &without);
        params.overlay.frame = true;
        draw(&params, cases[i].frame, &with);
        assert_true(same_pixels(&without, &with) == cases[i].hidden);
        free(without.data);
        free(with.data);
    }
}

TEST(in_the_middle_for_its_seconds)
{
    need_gl(state);
    static const struct {
        uint64_t frame;
        double opacity;
    } cases[] = {{0, 0}, {5, 0.5}, {30, 1}, {35, 0.5}, {40, 0}};
    struct renderer_params params = carded();
    params.overlay.card_covers = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        draw(&params, cases[i].frame, &picture);
        const struct extent ink = ink_within(&picture, 0, 0, W, H);
        assert_true(abs(brightest(&picture, &ink) - (int)(0.95 * 255 * cases[i].opacity)) <= 6);
        if (cases[i].opacity == 1) {
            assert_true(abs((int)ink.left + (int)ink.right - W) <= 4);
            assert_true(abs((int)ink.top + (int)ink.bottom - H) <= 24);
            assert_true(ink.right - ink.left > W / 3); /* the title is large */
            /* Three lines, the title's letters the highest. */
            int lines = 0, from = 0, highest[3] = {0};
            for (uint32_t y = ink.top; y <= ink.bottom; y++) {
                const bool lit = ink_within(&picture, 0, y, W, y + 1).right > 0;
                if (lit && !from)
                    from = (int)y;
                if (!lit && from && lines < 3)
                    highest[lines++] = (int)y - from;
                from = lit ? from : 0;
            }
            assert_int_equal(lines, 3);
            assert_true(highest[0] > 1.5 * highest[1] && highest[0] > 1.5 * highest[2]);
        }
        free(picture.data);
    }
}

/* Long titles are wrapped; nothing leaves the picture. */
TEST(broken_into_lines)
{
    need_gl(state);
    struct renderer_params params = carded();
    struct picture picture;
    params.width = 180;
    params.height = 320;
    params.labels.title = "A title of many words that no telephone has in one line";
    params.overlay.size = 54;
    draw(&params, 20, &picture);
    const struct extent ink = ink_within(&picture, 0, 0, 180, 320);
    assert_true(ink.left >= 9 && ink.right <= 171 && ink.top >= 9 && ink.bottom <= 311);
    assert_true(ink.bottom - ink.top > 100);
    free(picture.data);
}

/* The film's light and the other elements are hidden behind it; captions are not. */
TEST(covering_the_film)
{
    need_gl(state);
    struct caption_params captions[] = {{.text = "caption"}};
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    struct renderer_params params = carded();
    struct picture picture;
    params.overlay.frame = true;
    params.overlay.title = true;
    place(0, W, H, 100, 100);
    params.look.background.shown[0] = 32 / 255.0;
    for (int covers = 0; covers < 2; covers++)
        for (uint64_t frame = 0; frame <= 40; frame += 20) {
            params.overlay.card_covers = covers;
            params.overlay.captions = captions;
            params.overlay.caption_count = frame == 20;
            params.found.captions = times;
            draw(&params, frame, &picture);
            const bool hidden = covers && frame < 40;
            const struct extent corner = {3 * W / 4, H - 2 * MARGIN, W, H},
                                top = {0, 0, W / 3, 2 * MARGIN};
            assert_int_equal(red(&picture, 100, 100) > 100, !hidden);
            assert_int_equal(red(&picture, 300, 20), 32);
            assert_int_equal(brightest(&picture, &corner) > 100, !hidden);
            /* The title is not shown twice. */
            assert_int_equal(brightest(&picture, &top) > 100, frame == 40);
            const struct extent low = {W / 3, H - 130, 2 * W / 3, H - MARGIN};
            if (frame == 20)
                assert_true(brightest(&picture, &low) > 200);
            free(picture.data);
        }
    /* Half-way through the fade. */
    params.overlay = (struct overlay_params){.size = 27,
                                             .font = "DejaVu Sans",
                                             .card = 4,
                                             .fade = 1,
                                             .subtitle = "x",
                                             .card_covers = true};
    params.look.mode = choose(&draw_mode_registry, "points");
    params.look.exposure.factor = 9;
    double shown[2];
    for (int i = 0; i < 2; i++) {
        draw(&params, i ? 40 : 35, &picture);
        shown[i] = pow(red(&picture, 100, 100) / 255.0, 2.2);
        free(picture.data);
    }
    const double sky = pow(32 / 255.0, 2.2);
    assert_true(fabs(shown[0] - sky - (shown[1] - sky) / 2) < 0.01);
}

/* The letters of a small picture are as large as necessary, and no larger: the title scales with
 * the picture, lines that would crowd it are left out, and the legend waits. */
TEST(small_pictures)
{
    need_gl(state);
    struct renderer_params params = carded();
    struct picture large, small, after;
    struct extent ink[2];
    params.overlay.size = 27;
    params.overlay.subtitle = "a line below it that is rather long";
    draw(&params, 20, &large);
    params.width = W / 2;
    params.height = H / 2;
    draw(&params, 20, &small); /* with a warning */
    ink[0] = ink_within(&large, 0, 0, W, H);
    ink[1] = ink_within(&small, 0, 0, W / 2, H / 2);
    assert_true(2 * (ink[1].right - ink[1].left) < 1.1 * (ink[0].right - ink[0].left));
    assert_in_range(ink[1].bottom - ink[1].top, 6, 16); /* one line */
    free(small.data);
    free(large.data);

    params.labels.title =
        "A title that goes on and on, from one line to the next and from there to "
        "another one, until it comes down to the corner where the legend is and "
        "would lie upon it if that did not wait for the title to go";
    params.look.color = choose(&colour_registry, "velocity");
    params.overlay.legend = true;
    draw(&params, 20, &small);
    draw(&params, 40, &after);
    assert_int_equal(colour_within(&small, 0, 0, W / 2, H / 2).right, 0);
    const struct extent legend = colour_within(&after, 0, 0, W / 2, H / 2);
    assert_true(legend.right > legend.left);
    assert_in_range(legend.bottom - legend.top, 20, 36); /* its disk */
    free(small.data);
    free(after.data);
}

TEST(nothing_to_write)
{
    need_gl(state);
    struct renderer_params params = carded();
    struct picture picture;
    params.labels.title = "";
    params.overlay.subtitle = "";
    draw(&params, 20, &picture); /* with a warning */
    assert_int_equal(ink_within(&picture, 0, 0, W, H).right, 0);
    free(picture.data);
}

static void draw_caption(struct renderer_params *params, char *text, struct picture *picture)
{
    struct caption_params captions[] = {{.text = text}};
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    params->overlay.captions = captions;
    params->overlay.caption_count = 1;
    params->found.captions = times;
    draw(params, 20, picture);
}

/* The last line is where a caption of one line is; the others are above it. */
TEST(captions_of_several_lines)
{
    need_gl(state);
    struct renderer_params params = carded();
    struct picture one, last, three;
    params.overlay.card = 0;
    params.overlay.size = 54; /* 18 pixels */
    draw_caption(&params, "the third line", &one);
    draw_caption(&params, "the third line\n", &last);
    draw_caption(&params, "first\n2\nthe third line", &three);
    assert_true(same_pixels(&one, &last));
    const struct extent below = ink_within(&one, 0, 0, W, H);
    const struct extent all = ink_within(&three, 0, 0, W, H);
    assert_int_equal(all.bottom, below.bottom);
    assert_int_equal(below.top - all.top, 50); /* twice 25; both begin with a high letter */
    for (uint32_t y = below.top; y < below.bottom; y++)
        for (uint32_t x = below.left; x < below.right; x++)
            assert_int_equal(red(&one, x, y), red(&three, x, y));
    const struct extent first = ink_within(&three, 0, all.top, W, all.top + 14);
    assert_true(abs((int)first.left + (int)first.right - W) <= 4);
    assert_true(first.right - first.left < below.right - below.left);
    free(one.data);
    free(last.data);
    free(three.data);

    /* Wrapped only where it is asked for. */
    char text[] =
        "a caption of so many words that it does not fit into one line of such a picture, "
        "however small the letters may be in it";
    draw_caption(&params, text, &one);
    params.overlay.wrap = true;
    draw_caption(&params, text, &three);
    const struct extent cut = ink_within(&one, 0, 0, W, H), whole = ink_within(&three, 0, 0, W, H);
    assert_true(cut.bottom - cut.top < 26);
    assert_true(whole.bottom - whole.top > 26 && whole.left > MARGIN && whole.right < W - MARGIN);
    free(one.data);
    free(three.data);
}

TESTS(open_gl, NULL)
