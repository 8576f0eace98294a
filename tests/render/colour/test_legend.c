/* Numbers and colours of the legend, against independently computed values. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/colour/legend.h"
#include "render/params.h"
#include "render/sprites/modes.h"
#include "sim/view.h"

#include <math.h>
#include <string.h>

#define MINUS "\xe2\x88\x92"

static const struct legend *legend_of(const char *name)
{
    const struct colour *colour = choose(&colour_registry, name);
    return &colour->legend;
}

TEST(ticks_are_round_and_in_place)
{
    static const struct {
        const char *colour;
        double full;
        int most, count;
        const char *labels[7];
        double places[7];
    } cases[] = {
        {"speed", 384, 4, 4, {"0", "100", "200", "300"}, {0, 0.260417, 0.520833, 0.78125}},
        {"speed", 400, 4, 5, {"0", "100", "200", "300", "400"}, {0, 0.25, 0.5, 0.75, 1}},
        {"speed", 456, 2, 3, {"0", "200", "400"}, {0, 0.438596, 0.877193}}, /* 0 alone would be
                                                                               meaningless */
        {"velocity-rgb", 456, 1, 3, {MINUS "400", "0", "400"}, {0.0614035, 0.5, 0.938596}},
        {"speed", 400, 2, 3, {"0", "200", "400"}, {0, 0.5, 1}},
        {"speed", 0.9, 4, 2, {"0", "0.5"}, {0, 0.555556}},
        {"speed", 2e-5, 2, 3, {"0", "1e-5", "2e-5"}, {0, 0.5, 1}},
        {"speed", 3e9, 4, 4, {"0", "1e9", "2e9", "3e9"}, {0, 1. / 3, 2. / 3, 1}},
        {"radial", 384, 2, 3, {MINUS "200", "0", "200"}, {0.239583, 0.5, 0.760417}},
        {"velocity-rgb",
         1,
         2,
         5,
         {MINUS "1", MINUS "0.5", "0", "0.5", "1"},
         {0, 0.25, 0.5, 0.75, 1}},
        {"acceleration", 7.3, 4, 2, {"0.1", "1"}, {0.068339, 0.568339}},
        {"acceleration", 100, 4, 3, {"1", "10", "100"}, {0, 0.5, 1}},
        {"acceleration", 100, 1, 1, {"1"}, {0}},
        {"acceleration", 0.02, 4, 2, {"0.001", "0.01"}, {0.349485, 0.849485}},
        {"speed", 0, 4, 0, {NULL}, {0}},
        {"speed", NAN, 4, 0, {NULL}, {0}},
        {"speed", INFINITY, 4, 0, {NULL}, {0}},
        {"acceleration", -1, 4, 0, {NULL}, {0}},
        {"speed", 1, 0, 0, {NULL}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct legend_ticks ticks;
        legend_ticks(&ticks, legend_of(cases[i].colour), cases[i].full, cases[i].most);
        assert_int_equal(ticks.count, cases[i].count);
        for (int t = 0; t < ticks.count; t++) {
            assert_string_equal(ticks.tick[t].label, cases[i].labels[t]);
            assert_true(fabs(ticks.tick[t].place - cases[i].places[t]) < 1e-5);
        }
    }
    for (int i = 0; i < 4000; i++)
        for (int most = 1; most <= 4; most++) {
            struct legend_ticks ticks;
            const double full = pow(10, -6 + 0.003 * i);
            const bool log_scale = i % 2;
            legend_ticks(&ticks, legend_of(log_scale ? "acceleration" : "speed"), full, most);
            assert_in_range(ticks.count, 1, most + 1);
            for (int t = 0; t < ticks.count; t++) {
                double value = strtod(ticks.tick[t].label, NULL);
                double expected = log_scale ? 1 + log10(value / full) / 2 : value / full;
                assert_true(fabs(ticks.tick[t].place - expected) < 1e-6);
                assert_true(expected > -1e-6 && expected < 1 + 1e-6);
            }
        }
}

TEST(counts_begin_at_one_and_end_at_the_most)
{
    static const struct {
        double full;
        int most, count;
        const char *labels[4];
        double places[4];
    } cases[] = {
        {100, 4, 3, {"1", "10", "100"}, {0, 0.5, 1}},
        {37, 4, 3, {"1", "10", "37"}, {0, 0.637673, 1}},
        {12, 4, 2, {"1", "12"}, {0, 1}}, /* 10 would be too close */
        {2, 4, 2, {"1", "2"}, {0, 1}},
        {5000, 2, 3, {"1", "100", "5000"}, {0, 0.540691, 1}},
    };
    const struct draw_mode *activity = choose(&draw_mode_registry, "activity");
    const struct legend *legend = &activity->legend;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct legend_ticks ticks;
        legend_ticks(&ticks, legend, cases[i].full, cases[i].most);
        assert_int_equal(ticks.count, cases[i].count);
        for (int t = 0; t < ticks.count; t++) {
            assert_string_equal(ticks.tick[t].label, cases[i].labels[t]);
            assert_true(fabs(ticks.tick[t].place - cases[i].places[t]) < 1e-5);
        }
    }
}

TEST(numbers_of_a_range)
{
    static const struct {
        bool logarithmic;
        double from, to;
        int most, count;
        const char *labels[6];
        double places[6];
    } cases[] = {
        {false, 0, 10, 4, 3, {"0", "5", "10"}, {0, 0.5, 1}},
        {false, 0.1, 9.9, 4, 4, {"2", "4", "6", "8"}, {0.193878, 0.397959, 0.602041, 0.806122}},
        {false, -3, 2, 4, 3, {MINUS "2", "0", "2"}, {0.2, 0.6, 1}},
        {false, 0.1, 9.9, 1, 2, {"0.1", "9.9"}, {0, 1}},
        {false, 4.71, 4.73, 2, 3, {"4.71", "4.72", "4.73"}, {0, 0.5, 1}},
        {false,
         5e-8,
         0.96,
         4,
         4,
         {"0.2", "0.4", "0.6", "0.8"},
         {0.208333, 0.416667, 0.625, 0.833333}},
        {true, 0.001, 10, 4, 3, {"0.001", "0.1", "10"}, {0, 0.5, 1}},
        {true, 0.001, 1, 4, 4, {"0.001", "0.01", "0.1", "1"}, {0, 1 / 3., 2 / 3., 1}},
        {true, 0.5, 20000, 2, 2, {"1", "1000"}, {0.065412, 0.717294}},
        {true, 1.1e4, 1.9e4, 4, 2, {"11000", "19000"}, {0, 1}},
        {true, 3, 40, 4, 3, {"5", "10", "20"}, {0.197210, 0.464806, 0.732403}},
        {true, 0, 40, 4, 0, {NULL}, {0}},
        {false, 2, 2, 4, 0, {NULL}, {0}},
        {false, NAN, 2, 4, 0, {NULL}, {0}},
        {false, 0, INFINITY, 4, 0, {NULL}, {0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct legend_ticks ticks;
        legend_ticks_between(&ticks, cases[i].logarithmic, cases[i].from, cases[i].to,
                             cases[i].most);
        assert_int_equal(ticks.count, cases[i].count);
        for (int t = 0; t < ticks.count; t++) {
            assert_string_equal(ticks.tick[t].label, cases[i].labels[t]);
            assert_true(fabs(ticks.tick[t].place - cases[i].places[t]) < 1e-5);
        }
    }
    for (int i = 0; i < 4000; i++) /* any range has numbers, if the bar is labelled */
        for (int most = 1; most <= 4; most++) {
            struct legend_ticks ticks;
            const bool logarithmic = i % 2;
            const double size = pow(10, -6 + 0.003 * (i % 1000)),
                         from = logarithmic ? size : (i % 3 - 1) * size,
                         to = from + size * (0.2 + 0.01 * i);
            legend_ticks_between(&ticks, logarithmic, from, to, most);
            assert_in_range(ticks.count, 2, most + 1 > 2 ? most + 1 : 2);
            for (int t = 0; t < ticks.count; t++) {
                const char *label = ticks.tick[t].label;
                const bool below = strncmp(label, MINUS, strlen(MINUS)) == 0;
                const double value =
                    below ? -strtod(label + strlen(MINUS), NULL) : strtod(label, NULL);
                const double place =
                    logarithmic ? log(value / from) / log(to / from) : (value - from) / (to - from);
                assert_true(fabs(ticks.tick[t].place - place) < 1e-6);
                assert_true(place > -1e-6 && place < 1 + 1e-6);
            }
        }
}

TEST(numbers_are_short)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},       {-0.0, "0"},           {-300, MINUS "300"},
                 {0.25, "0.25"}, {0.001, "0.001"},      {200000, "200000"},
                 {1e6, "1e6"},   {-2e-5, MINUS "2e-5"}, {1e300, "1e300"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[24];
        legend_number(text, sizeof text, cases[i].value);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(ends_have_the_colours_of_the_modes)
{
    static const struct {
        const char *colour;
        int bar;
        double place;
        float shown[3];
    } cases[] = {
        {"velocity-rgb", 0, 1, {1, 0.5f, 0.5f}}, {"velocity-rgb", 1, 1, {0.5f, 1, 0.5f}},
        {"velocity-rgb", 2, 1, {0.5f, 0.5f, 1}}, {"velocity-rgb", 0, 0.5, {1, 1, 1}},
        {"velocity-rgb", 0, 0, {0, 1, 1}},       {"velocity-rgb", 1, 0, {1, 0, 1}},
        {"velocity-rgb", 2, 0, {1, 1, 0}},       {"velocity-rgb", 1, 0.75, {2 / 3.f, 1, 2 / 3.f}},
        {"radial", 0, 1, {1, 0.1f, 0.02f}},      {"radial", 0, 0, {0.02f, 0.25f, 1}},
        {"radial", 0, 0.5, {1, 1, 1}},           {"radial", 0, 0.75, {1, 0.325f, 0.265f}},
    };
    const struct legend_look full = {choice_at(&colour_map_registry, 0), 1}, grey = {full.map, 0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct legend *legend = legend_of(cases[i].colour);
        float shown[3];
        legend->colour(&full, cases[i].bar, cases[i].place, shown);
        for (int c = 0; c < 3; c++)
            assert_true(fabsf(shown[c] - cases[i].shown[c]) < 1e-5f);
        legend->colour(&grey, cases[i].bar, cases[i].place, shown);
        assert_true(shown[0] == 1 && shown[1] == 1 && shown[2] == 1);
    }
}

/* Every mode explains its colours, or has none to explain. */
TEST(every_mode_is_complete)
{
    const struct colour *colour;
    for (size_t i = 0; (colour = choice_at(&colour_registry, i)); i++) {
        const struct legend *legend = &colour->legend;
        assert_in_range(legend->bars, 0, LEGEND_BARS_MAX);
        assert_true(!legend->low == !legend->high);
        assert_int_equal(legend->swatches, colour->tint != TINT_NONE);
        if (legend->disk)
            assert_true(legend->quantity && legend->low && legend->bars == 0 && !legend->swatches);
        if (legend->bars > 0)
            assert_true(legend->quantity && legend->colour && !legend->swatches);
        if (colour->mapped)
            assert_ptr_equal(legend->colour, legend_mapped);
        if (colour_uses(colour, COLUMN_ACCELERATION))
            assert_int_equal(legend->scale, LEGEND_ACCELERATION);
        assert_int_equal(legend->scale == LEGEND_QUANTITY, colour_uses(colour, COLUMN_QUANTITY));
        assert_int_equal(legend->bars > 0 || legend->swatches || legend->disk,
                         strcmp(colour->name, "constant") != 0);
    }
}

/* Between two stops a map's colour is their weighted mean; of a proportional map the light is the
 * value. */
TEST(maps_are_straight_between_stops)
{
    const struct colour_map *map;
    for (size_t m = 0; (map = choice_at(&colour_map_registry, m)); m++)
        for (int stop = 0; stop + 1 < COLOUR_MAP_STOPS; stop++)
            for (float part = 0; part <= 1; part += 0.25f) {
                const float last = COLOUR_MAP_STOPS - 1;
                float low[3], high[3], found[3];
                colour_map_at(map, (float)stop / last, low);
                colour_map_at(map, (float)(stop + 1) / last, high);
                colour_map_at(map, ((float)stop + part) / last, found);
                for (int c = 0; c < 3 && map->proportional; c++)
                    assert_true(fabsf(powf(found[c], 2.2f) - ((float)stop + part) / last) < 1e-5f);
                for (int c = 0; c < 3 && !map->proportional; c++)
                    if (!(fabsf(found[c] - (1 - part) * low[c] - part * high[c]) < 1e-5f))
                        fail_msg("%s at %g: %g", map->name, (double)stop + (double)part,
                                 (double)found[c]);
            }
}

TESTS(NULL, NULL)
