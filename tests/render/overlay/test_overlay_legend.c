/* The legend in pictures: its colours are those of bodies, its numbers are at the right places. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/legend.h"
#include "tests/support/films/overlay_fixture.h"

#include <math.h>
#include <string.h>

static struct renderer_params with_legend(uint32_t width, uint32_t height, const char *colour)
{
    struct renderer_params params = dark(width, height);
    params.overlay.legend = true;
    params.look.color = choose(&colour_registry, colour);
    params.look.speed = 1.6;
    params.look.acceleration = 0.5;
    params.labels.velocity_kms = 240; /* 384 km/s in all */
    return params;
}

TEST(bar_shows_the_colour_map)
{
    need_gl(state);
    static const char *const maps[] = {"plasma", "turbo"};
    static const double saturations[] = {1, 0.5};
    struct extent bar = {0};
    for (int m = 0; m < 2; m++)
        for (int s = 0; s < 2; s++) {
            struct renderer_params params = with_legend(1280, 720, "speed");
            params.look.map = choose(&colour_map_registry, maps[m]);
            params.look.saturation = saturations[s];
            struct picture picture;
            draw(&params, 0, &picture);
            if (m == 0 && s == 0)
                bar = colour_within(&picture, 0, 360, 640, 720);
            assert_int_equal(bar.left, 64);
            assert_in_range(bar.right - bar.left, 150, 250);
            assert_in_range(bar.bottom - bar.top, 6, 14);
            const uint32_t width = bar.right - bar.left;
            for (uint32_t x = bar.left; x < bar.right; x += 7) {
                float expected[3];
                double shown[3], grey = 0;
                colour_map_at(choose(&colour_map_registry, maps[m]),
                              (float)((x - bar.left + 0.5) / width), expected);
                grey = 0.2126 * pow(expected[0], 2.2) + 0.7152 * pow(expected[1], 2.2) +
                       0.0722 * pow(expected[2], 2.2);
                shown_at(&picture, x, (bar.top + bar.bottom) / 2, shown);
                for (int c = 0; c < 3; c++) {
                    double linear = grey + saturations[s] * (pow(expected[c], 2.2) - grey);
                    assert_true(fabs(255 * (shown[c] - pow(linear, 1 / 2.2))) <= 2);
                }
            }
            free(picture.data);
        }
}

/* Centres of the strokes under the bar, as parts of its length. */
static int find_ticks(const struct picture *picture, const struct extent *bar, double *places)
{
    int count = 0;
    for (uint32_t x = bar->left; x < bar->right; x++) {
        uint32_t end = x;
        while (end < bar->right && red(picture, end, bar->bottom + 1) > 128)
            end++;
        if (end > x && count < 8)
            places[count++] = ((x + end) / 2.0 - bar->left) / (bar->right - bar->left);
        x = end;
    }
    return count;
}

TEST(numbers_stand_where_they_belong)
{
    need_gl(state);
    static const struct {
        const char *colour;
        double kms, myr;
        int count;
        double places[5];
    } cases[] = {
        {"speed", 240, 13, 4, {0, 100 / 384., 200 / 384., 300 / 384.}},
        {"speed", 0, 13, 4, {0, 0.5 / 1.6, 1 / 1.6, 1.5 / 1.6}},
        {"radial", 240, 13, 3, {0.5 - 100 / 384., 0.5, 0.5 + 100 / 384.}},
        {"velocity-rgb", 240, 13, 3, {0.5 - 100 / 384., 0.5, 0.5 + 100 / 384.}},
        /* 0.5 * 240 km/s in 13 Myr are 9.23 km/s per Myr */
        {"acceleration", 240, 13, 2, {1 - log10(92.3077) / 2, 1 - log10(9.23077) / 2}},
        {"acceleration", 240, 0, 2, {1 - 0.849485, 1 - 0.349485}}, /* 0.01 and 0.1 of 0.5 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = with_legend(1280, 720, cases[i].colour);
        params.labels.velocity_kms = cases[i].kms;
        params.labels.time_myr = cases[i].myr;
        struct picture picture;
        double places[8];
        draw(&params, 0, &picture);
        struct extent bar = colour_within(&picture, 0, 360, 640, 720);
        int count = find_ticks(&picture, &bar, places);
        assert_int_equal(count, cases[i].count);
        for (int t = 0; t < count; t++)
            assert_true(fabs(places[t] - cases[i].places[t]) * (bar.right - bar.left) <= 1.01);
        free(picture.data);
    }
}

TEST(a_quantity_has_its_name_unit_and_range)
{
    need_gl(state);
    static const struct {
        const char *scale;
        double from, to;
        int count;
        double places[5];
    } cases[] = {
        {"linear", -3, 2, 3, {0.2, 0.6, 1}},
        {"log", 0.5, 500, 3, {log(2) / log(1000), log(20) / log(1000), log(200) / log(1000)}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = with_legend(1280, 720, "quantity");
        params.look.quantity = "Metallicity";
        params.look.quantity_scale = choose(&quantity_scale_registry, cases[i].scale);
        params.found.look.quantity_from = cases[i].from;
        params.found.look.quantity_to = cases[i].to;
        struct picture named, unit, longest, most;
        double places[8];
        draw(&params, 0, &named);
        struct extent bar = colour_within(&named, 0, 360, 640, 720);
        const int count = find_ticks(&named, &bar, places);
        assert_int_equal(count, cases[i].count);
        for (int t = 0; t < count; t++)
            assert_true(fabs(places[t] - cases[i].places[t]) * (bar.right - bar.left) <= 1.01);
        params.labels.quantity_unit = "solar";
        draw(&params, 0, &unit);
        assert_false(same_pixels(&named, &unit));
        params.look.quantity = "A name that is much too long for the room above the legend's bar";
        draw(&params, 0, &longest);
        params.look.quantity =
            "A name that is much too long for the room above the legend's bar, too";
        draw(&params, 0, &most);
        assert_true(same_pixels(&longest, &most)); /* both are cut */
        free(named.data);
        free(unit.data);
        free(longest.data);
        free(most.data);
    }
}

/* A body's light at its brightest pixel, strongest channel 1. */
static void light_of_body(const struct renderer_params *given, double out[3])
{
    struct renderer_params params = *given;
    struct picture picture;
    params.overlay.legend = false;
    params.format = PICTURE_RGBA16;
    params.look.mode = choose(&draw_mode_registry, "points");
    params.look.point_size = 30;
    params.look.exposure.factor = 0.02; /* where the tone curve is straight */
    draw(&params, 0, &picture);
    double most = 0;
    for (uint32_t c = 0; c < 3; c++) {
        double shown =
            sample(&picture, 0, 4 * (params.width / 2) + c, params.height / 2, 2) / 65535.0;
        out[c] = pow(shown, 2.2);
        most = fmax(most, out[c]);
    }
    assert_true(most > 1e-4);
    for (int c = 0; c < 3; c++)
        out[c] /= most;
    free(picture.data);
}

/* The middle row of one of the bars, which all have a colour at their left ends. */
static uint32_t row_of_bar(const struct picture *picture, const struct extent *all, int bar)
{
    uint32_t top = all->top, bottom;
    for (;; bar--) {
        while (colour_within(picture, all->left, top, all->left + 1, top + 1).right == 0)
            top++;
        bottom = top;
        while (colour_within(picture, all->left, bottom, all->left + 1, bottom + 1).right > 0)
            bottom++;
        if (bar == 0)
            return (top + bottom) / 2;
        top = bottom;
    }
}

/* The legend's colour at a place, against a body that moves at the speed labelled there. */
TEST(bars_show_the_colours_of_bodies)
{
    need_gl(state);
    static const struct {
        const char *colour;
        int bar;
        double saturation;
    } cases[] = {{"speed", 0, 1},        {"speed", 0, 0.6},       {"acceleration", 0, 1},
                 {"radial", 0, 1},       {"radial", 0, 0.6},      {"velocity-rgb", 0, 1},
                 {"velocity-rgb", 1, 1}, {"velocity-rgb", 2, 0.6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = with_legend(640, 360, cases[i].colour);
        struct picture picture;
        params.look.saturation = cases[i].saturation;
        draw(&params, 0, &picture);
        struct extent all = colour_within(&picture, 0, 180, 320, 360);
        const double width = all.right - all.left;
        for (int part = 1; part < 10; part += 2) {
            const double column = floor(0.1 * part * width), where = (column + 0.5) / width;
            const double whole = 2 * where - 1; /* of the scales that have two signs */
            double shown[3], most = 0, body[3];
            shown_at(&picture, all.left + (uint32_t)column,
                     row_of_bar(&picture, &all, cases[i].bar), shown);
            place(0, 640, 360, 320, 180);
            float *velocity = view_of(1, 0)->velocity;
            values_of(COLUMN_ACCELERATION)[0] = (float)(0.5 * pow(10, 2 * (where - 1)));
            if (strcmp(cases[i].colour, "speed") == 0)
                velocity[1] = (float)(1.6 * where);
            else if (strcmp(cases[i].colour, "radial") == 0)
                velocity[0] = (float)(-1.6 * whole); /* the camera looks along -x */
            else if (strcmp(cases[i].colour, "velocity-rgb") == 0)
                velocity[cases[i].bar] = (float)(1.6 * whole);
            light_of_body(&params, body);
            for (int c = 0; c < 3; c++)
                most = fmax(most, pow(shown[c], 2.2));
            for (int c = 0; c < 3; c++)
                if (fabs(pow(shown[c], 2.2) / most - body[c]) > 0.03)
                    fail_msg("%s, bar %d at %.2f, channel %d: %.3f in the legend, %.3f in a body",
                             cases[i].colour, cases[i].bar, where, c, pow(shown[c], 2.2) / most,
                             body[c]);
        }
        free(picture.data);
    }
}

/* The disk's colour at a place, against a body that moves that way; the text below gives the speed
 * at its edge. */
TEST(disk_shows_the_colours_of_bodies)
{
    need_gl(state);
    static const double speeds[] = {1.6, 4.2};
    for (int i = 0; i < 2; i++) { /* 384 and 1008 km/s */
        struct renderer_params params = with_legend(640, 360, "velocity");
        struct picture picture;
        params.look.speed = speeds[i];
        params.look.saturation = 0.8;
        draw(&params, 0, &picture);
        const struct extent disk = colour_within(&picture, 0, 180, 320, 360);
        const struct extent ink = ink_within(&picture, 0, 180, 320, 360);
        assert_in_range(disk.right - disk.left, 40, 80);
        assert_true(abs((int)(disk.right - disk.left) - (int)(disk.bottom - disk.top)) <= 2);
        assert_true(ink.bottom >= disk.bottom + 8); /* numbers */
        const double radius = (disk.right - disk.left) / 2.0;
        const double x = (disk.left + disk.right) / 2.0, y = (disk.top + disk.bottom) / 2.0;
        for (int turn = i; turn < 8; turn += 2) {
            const double right = floor(0.6 * radius * cos(turn * M_PI / 4)) + 0.5;
            const double up = floor(0.6 * radius * sin(turn * M_PI / 4)) + 0.5;
            double shown[3], body[3], most = 0;
            shown_at(&picture, (uint32_t)(x + right), (uint32_t)(y - up), shown);
            place(0, 640, 360, 320, 180);
            float *velocity = view_of(1, 0)->velocity;
            velocity[1] = (float)(params.look.speed * right / radius);
            velocity[2] = (float)(params.look.speed * up / radius);
            light_of_body(&params, body);
            for (int c = 0; c < 3; c++)
                most = fmax(most, pow(shown[c], 2.2));
            for (int c = 0; c < 3; c++)
                if (fabs(pow(shown[c], 2.2) / most - body[c]) > 0.05)
                    fail_msg("turn %d, channel %d: %.3f in the legend, %.3f in a body", turn, c,
                             pow(shown[c], 2.2) / most, body[c]);
        }
        free(picture.data);
    }
}

TEST(swatches_show_each_tint_once)
{
    need_gl(state);
    static const float tints[2][3] = {{1, 0.2f, 0.3f}, {0.2f, 0.5f, 1}};
    const struct draw_group groups[] = {
        {.count = 1, .light = 1, .tint = {1, 0.2f, 0.3f}, .name = "disk"},
        {.light = 1, .tint = {0.2f, 0.5f, 1}, .name = "bulge"},
        {.light = 1, .tint = {1, 0.2f, 0.3f}, .name = "disk"},
        {.light = 1, .tint = {0.2f, 0.5f, 1}, .name = "halo"},
        {.light = 1, .tint = {0, 1, 0}, .name = NULL}};
    struct draw_group given[5];
    uint32_t plain_width = 0;
    memcpy(given, groups, sizeof given);
    for (int g = 0; g < 5; g++)
        given[g].given = true;
    for (int turn = 0; turn < 4; turn++) {
        struct renderer_params params = with_legend(640, 360, turn ? "galaxy" : "component");
        const double saturation = turn == 1 ? 0.5 : 1;
        params.look.saturation = turn == 3 ? 0.5 : saturation; /* colours of the scene stay */
        params.groups = turn == 3 ? given : groups;
        params.group_count = turn == 2 ? 2 : 5;
        struct picture picture;
        draw(&params, 0, &picture);
        struct extent both = colour_within(&picture, 0, 180, 320, 360);
        struct extent ink = ink_within(&picture, 0, 180, 320, 360);
        assert_int_equal(both.left, 32);
        assert_in_range(both.right - both.left, 5, 12); /* one column of squares */
        int squares = 0;
        for (uint32_t y = both.top; y < both.bottom; y++) {
            double shown[3];
            struct extent row = colour_within(&picture, both.left, y, both.right, y + 1);
            if (row.right == row.left)
                continue;
            shown_at(&picture, both.left + 1, y, shown);
            if (colour_within(&picture, both.left, y - 1, both.right, y).right == 0)
                squares++;
            for (int c = 0; c < 3; c++) {
                double expected = 1 + saturation * (tints[squares - 1][c] - 1);
                assert_true(fabs(shown[c] - expected) < 2.1 / 255);
            }
        }
        assert_int_equal(squares, 2);
        if (turn == 0)
            plain_width = ink.right;
        if (turn == 2) /* without the halo's name beside the bulge's */
            assert_true(ink.right + 10 < plain_width);
        free(picture.data);
    }
}

/* Both galaxies have a disk of the same colour: it is named once. */
TEST(names_stand_once)
{
    need_gl(state);
    const struct draw_group groups[] = {
        {.count = 1, .light = 1, .tint = {1, 0.2f, 0.3f}, .name = "disk"},
        {.light = 1, .tint = {0.2f, 0.5f, 1}, .name = "bulge"},
        {.light = 1, .tint = {1, 0.2f, 0.3f}, .name = "disk"}};
    struct renderer_params params = with_legend(320, 180, "component");
    struct picture two, three;
    params.groups = groups;
    params.group_count = 2;
    draw(&params, 0, &two);
    params.group_count = 3;
    draw(&params, 0, &three);
    assert_true(same_pixels(&two, &three));
    assert_true(ink_within(&two, 0, 0, 320, 180).right > 0);
    free(two.data);
    free(three.data);
}

TEST(nothing_where_colours_mean_nothing)
{
    need_gl(state);
    static const struct {
        const char *mode, *colour;
    } cases[] = {{"sprites", "constant"}, {"sprites-plain", "speed"}, {"sprites", "galaxy"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = with_legend(320, 180, cases[i].colour);
        params.look.mode = choose(&draw_mode_registry, cases[i].mode);
        struct picture shown, none;
        draw(&params, 0, &shown);
        params.overlay.legend = false;
        draw(&params, 0, &none);
        assert_true(same_pixels(&shown, &none));
        free(shown.data);
        free(none.data);
    }
}

static void draw_three(void *data)
{
    struct renderer *renderer;
    struct picture *picture;
    assert_ok(renderer_open(&renderer, data));
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_picture_create(renderer, &picture));
    for (uint64_t frame = 0; frame < 3; frame++) {
        assert_ok(renderer_submit(renderer, view_of(1, frame), picture));
        assert_ok(renderer_wait(renderer));
    }
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
}

static int count_in(const char *text, const char *part)
{
    int count = 0;
    for (; (text = strstr(text, part)); text++)
        count++;
    return count;
}

TEST(small_pictures_do_without_and_say_so_once)
{
    need_gl(state);
    static const uint32_t sizes[][2] = {{100, 100}, {400, 24}, {240, 900}, {640, 360}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct renderer_params params = with_legend(sizes[i][0], sizes[i][1], "speed");
        params.overlay.energy = true;
        char text[4096];
        stderr_of(draw_three, &params, text, sizeof text);
        assert_int_equal(
            count_in(text, " pixels, is too small for overlay.legend, which is left out"), i < 2);
        assert_int_equal(
            count_in(text, " pixels, is too small for overlay.energy, which is left out"), i < 2);
    }
}

/* Lines below the legend raise it. In small pictures, whose letters do not shrink with them, it
 * would then be beside the middle. */
TEST(the_middle_of_small_pictures_stays_free)
{
    need_gl(state);
    static char words[] = "a caption that is so wide that it reaches below the legend, too";
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    struct caption_params captions[] = {{.text = words}};
    static const struct {
        uint32_t width, height;
        bool captions, shown;
    } cases[] = {{480, 270, false, true}, {480, 270, true, false}, {320, 180, true, false},
                 {640, 360, true, true},  {270, 480, true, true},  {1280, 720, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const uint32_t width = cases[i].width, height = cases[i].height;
        struct renderer_params params = with_legend(width, height, "velocity");
        struct picture picture;
        params.overlay.scale_bar = true;
        params.overlay.captions = captions;
        params.overlay.caption_count = cases[i].captions;
        params.found.captions = times;
        params.frames = 100;
        draw(&params, 20, &picture);
        const struct extent legend = colour_within(&picture, 0, 0, width, height);
        print_message("%ux%u, %s: colours from %u to %u\n", width, height,
                      cases[i].captions ? "with a caption" : "without", legend.top, legend.bottom);
        assert_int_equal(legend.right > legend.left, cases[i].shown);
        if (cases[i].shown)
            assert_true(legend.top > 0.6 * height);
        free(picture.data);
    }
}

TEST(panels_have_titles)
{
    need_gl(state);
    const struct overlay_label labels[] = {
        {"First", 0, 0, 318, 178},
        {"Second", 322, 0, 318, 178},
        {"", 0, 182, 318, 178},
        {"WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", 322, 182, 318, 178}};
    struct renderer_params params = dark(640, 360);
    struct picture picture;
    params.labels.panels = labels;
    params.labels.panel_count = 4;
    draw(&params, 0, &picture);
    static const int shown[] = {1, 1, 0, 1};
    for (int i = 0; i < 4; i++) {
        const uint32_t x = (uint32_t)labels[i].x, y = (uint32_t)labels[i].y;
        struct extent ink = ink_within(&picture, x, y, x + 318, y + 178);
        assert_int_equal(ink.right > ink.left, shown[i]);
        if (!shown[i])
            continue;
        assert_in_range(ink.left, x + (x ? 18 : 32), x + (x ? 21 : 35)); /* inside the safe area */
        assert_in_range(ink.top, y + 17, y + 20);
        assert_in_range(ink.bottom, y + 23, y + 32);
        assert_in_range(ink.right, x + (i == 3 ? 280 : 30), x + 318 - 17);
    }
    free(picture.data);

    params.overlay.title = params.overlay.legend = true; /* one line lower, in the upper row only */
    params.look.color = choose(&colour_registry, "speed");
    draw(&params, 0, &picture);
    assert_in_range(ink_within(&picture, 322, 0, 640, 178).top, 30, 38);
    assert_in_range(ink_within(&picture, 322, 182, 640, 360).top, 182 + 17, 182 + 20);
    assert_int_equal(ink_within(&picture, 0, 182, 318, 360).right, 0);
    struct extent bar = colour_within(&picture, 0, 0, 640, 360); /* within the first panel */
    assert_true(bar.right < 318 && bar.bottom < 178 && bar.top > 100);
    free(picture.data);
}

/* Light at one time of the film: its share near the upper left, upper right, lower left and lower
 * right corner; the rest is in the middle. */
static void light_corners(struct found_light *light, double frame, const double share[4])
{
    const int near[] = {2, FOUND_LIGHT_SIDE - 3};
    double rest = 1;
    for (int i = 0; i < 4; i++) {
        light->cell[light->times][near[i / 2]][near[i % 2]] =
            (uint16_t)(FOUND_LIGHT_ALL * share[i]);
        rest -= share[i];
    }
    light->cell[light->times][FOUND_LIGHT_SIDE / 2][FOUND_LIGHT_SIDE / 2] =
        (uint16_t)(FOUND_LIGHT_ALL * rest);
    light->frame[light->times++] = frame;
}

/* Where there is much less light over the film, and below a title there. */
TEST(the_darkest_corner_is_taken)
{
    need_gl(state);
    static const struct {
        double light[4];
        int corner; /* 1 upper right, 2 lower left, 0 hidden */
    } cases[] = {{{0}, 2},
                 {{0.2, 0.2, 0.2, 0.2}, 0},
                 {{0.2, 0, 0.3, 0.2}, 1},
                 {{0, 0, 5e-4, 0}, 2}, /* too small a difference to move for */
                 {{0.05, 0.05, 0, 0}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct renderer_params params = with_legend(640, 360, "speed");
        struct picture picture;
        light_corners(&params.found.light, 0, cases[i].light);
        params.overlay.title = true;
        draw(&params, 0, &picture);
        struct extent right = colour_within(&picture, 320, 0, 640, 180),
                      left = colour_within(&picture, 0, 180, 320, 360);
        assert_int_equal(right.right > right.left, cases[i].corner == 1);
        assert_int_equal(left.right > left.left, cases[i].corner == 2);
        if (cases[i].corner == 1)
            assert_in_range(right.top, 40, 80);
        free(picture.data);
    }
}

/* A scale bar that leaves the light for the title's corner stands below the title, within the
 * margin, also if it is alone there; and captions stand below both. */
TEST(a_scale_bar_stands_below_the_title)
{
    need_gl(state);
    static const double below[4] = {0, 0, 0.2, 0.2};
    static char words[] = "a caption across the picture, which is as wide as that";
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    struct caption_params captions[] = {{.text = words}};
    for (int titled = 0; titled < 2; titled++) {
        struct renderer_params params = dark(640, 360);
        struct picture picture;
        uint32_t end = 18; /* the margin */
        params.overlay.size = 36;
        light_corners(&params.found.light, 0, below);
        if (titled) {
            params.overlay.title = true;
            draw(&params, 0, &picture);
            end = ink_within(&picture, 0, 0, 320, 180).bottom + 1;
            free(picture.data);
        }
        params.overlay.scale_bar = true;
        draw(&params, 0, &picture);
        const struct extent gap = ink_within(&picture, 0, end - 1, 320, end),
                            bar = ink_within(&picture, 0, end, 320, 180);
        assert_true(gap.right == gap.left && bar.right > bar.left);
        free(picture.data);
        params.overlay.captions = captions;
        params.overlay.caption_count = 1;
        params.found.captions = times;
        params.frames = 100;
        params.labels.fps = 30;
        for (int row = FOUND_LIGHT_SIDE - 5; row < FOUND_LIGHT_SIDE; row++)
            params.found.light.cell[0][row][FOUND_LIGHT_SIDE / 2] = FOUND_LIGHT_ALL / 5;
        draw(&params, 20, &picture);
        const struct extent caption = ink_within(&picture, 320, 0, 640, 180);
        assert_true(caption.right > caption.left && caption.top >= bar.bottom);
        free(picture.data);
    }
}

/* A clock that leaves the light for the lower edge lifts captions that reach its corner. */
TEST(captions_stand_above_a_moved_clock)
{
    need_gl(state);
    static const double dark_corners[4] = {0};
    static char words[] = "a caption as wide as the picture is, or nearly";
    static const struct caption_found times[] = {{.begins = 0, .ends = 99}};
    struct caption_params captions[] = {{.text = words}};
    uint32_t end[2];
    for (int moved = 0; moved < 2; moved++) {
        struct renderer_params params = dark(270, 480);
        struct picture picture;
        params.overlay.clock = true;
        params.overlay.captions = captions;
        params.overlay.caption_count = 1;
        params.found.captions = times;
        params.frames = 100;
        params.labels.fps = 30;
        light_corners(&params.found.light, 0, dark_corners);
        for (int row = 0; row < 4 && moved; row++)
            for (int column = 16; column < FOUND_LIGHT_SIDE; column++)
                params.found.light.cell[0][row][column] = FOUND_LIGHT_ALL / 50;
        draw(&params, 20, &picture);
        end[moved] = ink_within(&picture, 60, 240, 140, 480).bottom;
        free(picture.data);
    }
    assert_true(end[0] > 440 && end[1] + 15 < end[0]);
}

/* Where no corner is dark for all of the film, and never before a bright time. */
TEST(light_hides_the_legend)
{
    need_gl(state);
    static const double dark[4] = {0}, bright[4] = {0.2, 0.2, 0.2, 0.2};
    static const bool shown[] = {true, true, false, false, true, true, true};
    struct renderer_params params = with_legend(640, 360, "speed");
    params.frames = 7 * 90;
    params.labels.fps = 30;
    for (int i = 0; i < 7; i++)
        light_corners(&params.found.light, 90 * i, i == 3 ? bright : dark);
    for (int i = 0; i < 7; i++) {
        struct picture picture;
        draw(&params, i == 1 ? 150 : 90 * (uint64_t)i + 30, &picture);
        const struct extent bar = colour_within(&picture, 0, 0, 640, 360);
        assert_int_equal(bar.right > bar.left, shown[i]);
        free(picture.data);
    }
}

/* Each panel has a legend unless the one before has the same. */
TEST(panels_have_their_own)
{
    need_gl(state);
    const struct colour *speed = choose(&colour_registry, "speed");
    struct panel_params panels[] = {{.title = "", .follow = "", .zoom = 1},
                                    {.title = "", .follow = "", .zoom = 1, .color = speed},
                                    {.title = "", .follow = "", .zoom = 1, .difference = true}};
    static const uint32_t sizes[][2] = {{960, 270}, {360, 900}, {720, 600}};
    for (int i = 0; i < 3; i++) {
        const bool portrait = i == 1;
        const uint32_t width = sizes[i][0], height = sizes[i][1];
        struct renderer_params params = with_legend(width, height, "speed");
        struct extent bar[3];
        struct picture picture;
        params.look.panels = panels;
        params.look.panel_count = 3;
        params.found.look.extent = 100;
        draw(&params, 0, &picture);
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t x = portrait ? 0 : k * width / 3, y = portrait ? k * height / 3 : 0;
            bar[k] = colour_within(&picture, x + 2, y + 2, x + (portrait ? width : width / 3) - 4,
                                   y + (portrait ? height / 3 : height) - 4);
            assert_int_equal(bar[k].right > bar[k].left, k != 1);
        }
        assert_int_equal(bar[2].right - bar[2].left, bar[0].right - bar[0].left);
        free(picture.data);
    }
}

TESTS(open_gl, NULL)
