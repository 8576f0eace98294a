/* The arms of look.spikes: straight, equal, with as much light as they take, the same at any size.
 */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "base/choice.h"
#include "render/post/glow.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 360 };

/* The dot's light is the same part of the picture at any size. */
static struct renderer_params dot(uint32_t side, double spikes, const char *arms)
{
    struct renderer_params params = usual(PICTURE_RGBA16, side, side);
    params.look.point_size = 24;
    params.look.spikes = spikes;
    params.look.spike_arms = choose(&spike_arms_registry, arms);
    params.look.exposure.factor = 8;
    place(0, side, side, side / 2 + 0.5, side / 2 + 0.5);
    return params;
}

/* The light across an arm, for a pixel of its length, at `part` of the height from the middle;
 * `degrees` from the right, counter-clockwise. */
static double across(const struct picture *picture, double degrees, double part)
{
    const double side = picture->layout.width, middle = side / 2;
    const double turn = degrees * M_PI / 180, reach = 0.02 * side;
    double sum = 0;
    for (double aside = -reach; aside <= reach; aside += 0.5) {
        const double x = middle + part * side * cos(turn) - aside * sin(turn);
        const double y = middle - part * side * sin(turn) - aside * cos(turn);
        const uint32_t left = (uint32_t)floor(x), top = (uint32_t)floor(y);
        const double right = x - left, low = y - top;
        sum += 0.5 * ((1 - low) * ((1 - right) * light(picture, left, top) +
                                   right * light(picture, left + 1, top)) +
                      low * ((1 - right) * light(picture, left, top + 1) +
                             right * light(picture, left + 1, top + 1)));
    }
    return sum / side;
}

TEST(they_keep_the_light)
{
    need_gl(state);
    struct picture picture;
    struct renderer_params params = dot(SIDE, 0, "four");
    draw(&params, 0, &picture);
    const double all = total_light(&picture);
    free(picture.data);
    for (size_t i = 0; choice_at(&spike_arms_registry, i); i++) {
        for (double share = 0.25; share <= 1; share *= 2) {
            params.look.spikes = share;
            params.look.spike_arms = choice_at(&spike_arms_registry, i);
            draw(&params, 0, &picture);
            const double kept = total_light(&picture) / all;
            free(picture.data);
            print_message("%s arms, %g of the light: %.4f is left\n", params.look.spike_arms->name,
                          share, kept);
            assert_true(fabs(kept - 1) < 0.01);
        }
    }
}

/* All arms are equally bright, and it is dark between them; a cross is upright, and so are two of
 * six arms. */
TEST(they_are_alike)
{
    need_gl(state);
    for (size_t i = 0; choice_at(&spike_arms_registry, i); i++) {
        const struct spike_arms *arms = choice_at(&spike_arms_registry, i);
        struct renderer_params params = dot(SIDE, 0.5, arms->name);
        struct picture picture;
        double least = INFINITY, most = 0, between = 0;
        draw(&params, 0, &picture);
        for (int arm = 0; arm < arms->count; arm++) {
            const double turn = 90 + 360.0 * arm / arms->count;
            least = fmin(least, across(&picture, turn, 0.1));
            most = fmax(most, across(&picture, turn, 0.1));
            between = fmax(between, across(&picture, turn + 180.0 / arms->count, 0.1));
        }
        free(picture.data);
        print_message("%s arms: %g to %g, between them %g\n", arms->name, least, most, between);
        assert_true(most < 1.03 * least && between < 0.01 * least);
    }
}

TEST(they_fall_off_evenly)
{
    need_gl(state);
    struct renderer_params params = dot(SIDE, 0.5, "four");
    struct picture picture;
    draw(&params, 0, &picture);
    for (double part = 0.05; part < 0.14; part += 0.03) {
        const double ratio = across(&picture, 0, part) / across(&picture, 0, part + 0.035);
        print_message("from %g of the height on: %g\n", part, ratio);
        assert_true(fabs(ratio / M_E - 1) < 0.05);
    }
    free(picture.data);
}

TEST(they_are_the_same_at_any_size)
{
    need_gl(state);
    static const double parts[] = {0.05, 0.08, 0.12};
    for (size_t i = 0; choice_at(&spike_arms_registry, i); i++) {
        const struct spike_arms *arms = choice_at(&spike_arms_registry, i);
        struct picture small, large;
        struct renderer_params params = dot(SIDE, 0.5, arms->name);
        draw(&params, 0, &small);
        params = dot(4 * SIDE, 0.5, arms->name); /* which is halved */
        draw(&params, 0, &large);
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
            const double one = across(&small, arms->first, parts[k]);
            const double other = across(&large, arms->first, parts[k]);
            print_message("%s arms, at %g: %g, four times as large %g\n", arms->name, parts[k], one,
                          other);
            assert_true(fabs(other / one - 1) < 0.05);
        }
        free(small.data);
        free(large.data);
    }
}

TESTS(open_gl, NULL)
