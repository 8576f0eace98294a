#include "tests/support/test.h"

#include "render/panel/places.h"
#include "render/picture/picture.h"
#include "render/sprites/setup.h"

#include "base/choice.h"

static double stretch_of(uint32_t width, uint32_t height, uint32_t panels, const char *projection)
{
    struct renderer_params params = {.width = width, .height = height};
    params.look.panel_count = panels;
    params.camera.projection = choice_find(&projection_registry, projection);
    return panel_stretch(&params);
}

/* The width counts if both the film and each panel's picture are in portrait format. */
TEST(upright_pictures_are_measured_by_their_width)
{
    assert_float_equal(stretch_of(1080, 1920, 0, "flat"), 1920.0 / 1080, 1e-6);
    assert_float_equal(stretch_of(1920, 1080, 0, "flat"), 0, 0);
    assert_float_equal(stretch_of(1080, 1080, 0, "flat"), 0, 0);
    assert_float_equal(stretch_of(1920, 1080, 3, "flat"), 0, 0);
    assert_float_equal(stretch_of(1080, 1920, 3, "flat"), 0, 0);
    assert_float_equal(stretch_of(1080, 1920, 4, "flat"), 958.0 / 538, 1e-2);
    assert_float_equal(stretch_of(320, 360, 0, "over-under"), 0, 0);
    assert_float_equal(stretch_of(1080, 1920, 0, "over-under"), 0, 0);
}

static struct sprite_size sizes_of(const char *mode, uint32_t width, uint32_t height,
                                   double stretch)
{
    const struct sprites_setup setup = {
        .look = {.mode = choice_find(&draw_mode_registry, mode),
                 .size = choice_find(&sprite_sizing_registry, "fixed"),
                 .profile = choice_find(&sprite_profile_registry, "soft"),
                 .smallest = 1},
        .width = width,
        .height = height,
        .whole_width = width,
        .whole_height = height,
        .stretch = stretch,
    };
    struct sprite_size size;
    sprite_size_choose(&size, &setup, 1024);
    return size;
}

static float size_of(const char *mode, uint32_t width, uint32_t height, double stretch)
{
    return sizes_of(mode, width, height, stretch).nominal;
}

static float sprite_of(uint32_t width, uint32_t height, double stretch)
{
    return size_of("sprites", width, height, stretch);
}

/* Close bodies grow up to six times the usual size, or to the smallest size if that is larger. */
TEST(near_sprites_grow)
{
    const struct sprite_size large = sizes_of("sprites", 1920, 1080, 0),
                             small = sizes_of("sprites", 64, 36, 0);
    assert_float_equal(large.largest, 6 * large.nominal, 1e-5);
    assert_true(small.nominal < small.smallest);
    assert_float_equal(small.largest, 6 * small.smallest, 1e-5);
}

/* Of 3 at 1080 rows. */
TEST(points_are_whole_pixels)
{
    assert_float_equal(size_of("points", 1920, 1080, 0), 3, 0);
    assert_float_equal(size_of("points", 1280, 720, 0), 2, 0);
    assert_float_equal(size_of("points", 1500, 1000, 0), 3, 0);
    assert_float_equal(size_of("points", 64, 36, 0), 1, 0);
    assert_float_equal(size_of("points", 3840, 2000, 0), 6, 0);
}

TEST(sprites_grow_with_what_the_field_of_view_spans)
{
    const float wide = sprite_of(1920, 1080, 0);
    assert_true(wide > 1);
    assert_float_equal(sprite_of(1080, 1920, 1920.0 / 1080), wide, 1e-5);
    assert_float_equal(sprite_of(1080, 1920, 0), wide * 1920 / 1080, 1e-4);
}

/* Panels of any number fit into a picture of any size without meeting, at even places. */
TEST(panels_apart_lie_at_even_places)
{
    static const uint32_t sizes[][2] = {
        {1280, 720}, {1920, 1080}, {720, 1281}, {255, 131}, {90, 90}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int count = 2; count <= PANELS_MAX; count++) {
            const uint32_t width = sizes[k][0], height = sizes[k][1];
            struct panel_place places[PANELS_MAX];
            panel_places_apart(width, height, count, places);
            for (int i = 0; i < count; i++) {
                const struct panel_place *place = &places[i];
                assert_int_equal((place->x | place->y | place->width | place->height) & 1, 0);
                assert_int_equal(place->width, places[0].width);
                assert_int_equal(place->height, places[0].height);
                assert_true(place->x + place->width <= width);
                assert_true(place->y + place->height <= height);
                for (int j = 0; j < i; j++)
                    assert_true(place->x >= places[j].x + places[j].width ||
                                place->y >= places[j].y + places[j].height);
            }
            const struct panel_place *last = &places[count - 1];
            assert_true(last->x + last->width + 1 >= width);
            assert_true(last->y + last->height + 1 >= height);
            assert_true(16 * places[0].width * places[0].height * (uint32_t)count >
                        15 * width * height);
        }
}

TESTS(NULL, NULL)
