/* The overlay's texts of numbers, against independently computed ones. */
#include "tests/support/test.h"

#include "render/overlay/number_text.h"
#include "render/params.h"
#include "tests/support/choose.h"

#include <math.h>
#include <string.h>

TEST(clock_is_in_physical_units)
{
    static const struct {
        double time, time_myr, duration;
        const char *text;
    } cases[] = {
        {0, 13.0372, 89.7, "0 Gyr"},
        {44.85, 13.0372, 89.7, "0.58 Gyr"},
        {89.7, 13.0372, 89.7, "1.17 Gyr"},
        {10, 18, 53.91, "180 Myr"},
        {3, 1, 20, "3.0 Myr"},
        {500, 1, 999, "500 Myr"},
        {1, 1, 2, "1.00 Myr"},
        {1000, 1, 12000, "1.0 Gyr"},
        {0.5, 0.1, 1, "50 kyr"},
        {0.5, 1e-6, 1, "0.50 yr"},
        {0.5, 1e-6, 0.9, "183 days"},
        {1, 2.737851e-9, 88, "1.0 days"},
        {0.5, 2.737851e-9, 0.99, "12.0 h"},
        {0.01, 2.737851e-9, 0.02, "14.4 min"},
        {5e-5, 2.737851e-9, 1e-4, "4.32 s"},
        {5, 2, 0, "10 Myr"},
        {0, 0, 30, "t = 0"},
        {12.34, 0, 30, "t = 12.3"},
        {1234, 0, 5000, "t = 1234"},
        {-1e-9, 0, 30, "t = 0"},
        {-4.5, 13.0372, 89.7,
         "\xe2\x88\x92"
         "0.06 Gyr"},
        {0.25, 0, 1, "t = 0.25"},
        {0, 0, 0, "t = 0"},
        {1e300, 0, 1e300, "t = 1e+300"},
        {1e-9, 0, 1e-9, "t = 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[OVERLAY_TEXT_MAX];
        overlay_clock_text(text, sizeof text, cases[i].time, cases[i].time_myr, cases[i].duration);
        assert_string_equal(text, cases[i].text);
    }
}

/* Flat, with matter 0.3 and h = 0.7, in a scene whose unit of time is 100 Myr. Ages by astropy. */
TEST(clock_of_a_universe)
{
    static const struct {
        const char *as;
        double gyr;
        const char *text;
    } cases[] = {
        {"time", 2.793853202, "2.8 Gyr"},
        {"redshift", 13.46698395, "z = 0"},
        {"redshift", 2.793853202, "z = 2.31"},
        {"redshift", 8.426346018, "z = 0.50"},
        {"redshift", 0.4658872382, "z = 10.0"},
        {"redshift", 0.01174036548, "z = 127"},
        {"scale-factor", 13.46698395, "a = 1.000"},
        {"scale-factor", 2.793853202, "a = 0.302"},
        {"scale-factor", 0.01174036548, "a = 0.0078"},
        {"age", 2.793853202, "2.79 Gyr after the Big Bang"},
        {"age", 0.4658872382, "466 Myr after the Big Bang"},
        {"lookback", 2.793853202, "10.67 Gyr ago"},
        {"lookback", 13.46698395, "today"},
        {"lookback", 14, "533 Myr from now"},
    };
    const double hubble_gyr = 3.0856775814913673e19 / 70 / 3.15576e16, unit_gyr = 0.1;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double began = 0.01;
        const struct overlay_clock clock = {
            .time_myr = 1e3 * unit_gyr,
            .duration = 134.6,
            .epoch = began / unit_gyr,
            .as = choose(&clock_scale_registry, cases[i].as),
            .cosmology = {0.3, 0.7, unit_gyr / hubble_gyr, 0.7},
            .age = began / unit_gyr,
        };
        char text[OVERLAY_TEXT_MAX];
        overlay_clock_say(&clock, (cases[i].gyr - began) / unit_gyr, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* At its event, or as near as the frames and the digits are, the clock says its name alone. */
TEST(a_clock_names_its_event)
{
    static const struct {
        double time, reach;
        const char *text;
    } cases[] = {
        {39.485, 0, "first passage"},
        {39.2, 0, "first passage"}, /* 0.004 Gyr */
        {39.0, 0, "0.01 Gyr before first passage"},
        {40.0, 0, "0.01 Gyr after first passage"},
        {40.0, 0.6, "first passage"}, /* the nearest frame of a coarse film */
        {40.2, 0.6, "0.01 Gyr after first passage"},
        {0, 0.6, "0.51 Gyr before first passage"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[OVERLAY_TEXT_MAX];
        const struct overlay_clock clock = {.time_myr = 13.0372,
                                            .duration = 373.8,
                                            .event_name = "first passage",
                                            .event = 39.485,
                                            .event_reach = cases[i].reach};
        overlay_clock_say(&clock, cases[i].time, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* The same length in every unit; that of a comoving frame is called so. */
TEST(bars_of_a_universe)
{
    static const struct {
        const char *unit;
        bool comoving;
        const char *label;
    } cases[] = {{"kpc", false, "20 Mpc"},
                 {"kpc", true, "20 cMpc"},
                 {"kpc/h", false, "10 Mpc/h"},
                 {"kpc/h", true, "10 cMpc/h"},
                 {"ly", true, "50 million comoving ly"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overlay_scale bar;
        const struct length_unit *unit = choose(&length_unit_registry, cases[i].unit);
        const double scale = length_unit_scale(unit, 0.7);
        assert_true(scale == (strcmp(cases[i].unit, "kpc/h") == 0 ? 0.7 : 1));
        overlay_scale_bar(&bar, 10, 250, 1000 * scale, unit, cases[i].comoving);
        if (i < 4 && strcmp(bar.label, cases[i].label) != 0)
            fail_msg("%s, not %s", bar.label, cases[i].label);
        assert_non_null(strstr(bar.label, cases[i].comoving ? "c" : "Mpc"));
        /* pixels: of the label's length, 10 per Mpc */
        const double length = atof(bar.label) / (i == 4 ? 3.261563777 : 1) / scale;
        assert_true(fabs(bar.pixels - 10 * length) < 1e-6 * bar.pixels);
    }
}

TEST(clock_keeps_its_form_over_a_film)
{
    char first[OVERLAY_TEXT_MAX], text[OVERLAY_TEXT_MAX], before[OVERLAY_TEXT_MAX] = "";
    overlay_clock_text(first, sizeof first, 89.7, 13.0372, 89.7);
    int different = 0;
    for (int frame = 0; frame < 300; frame++) {
        overlay_clock_text(text, sizeof text, frame * 0.3, 13.0372, 89.7);
        if (strcmp(text, "0 Gyr") != 0) /* the only one without decimals */
            assert_int_equal(strlen(text), strlen(first));
        assert_contains(text, " Gyr");
        double read = atof(text);
        assert_true(fabs(read - frame * 0.3 * 13.0372e-3) <= 0.005 + 1e-9);
        different += strcmp(text, before) != 0;
        strcpy(before, text);
    }
    assert_in_range(different, 100, 150);
}

/* A label's length in kiloparsecs, as a person reads it. */
static double read_kpc(const char *label)
{
    static const struct {
        const char *unit;
        double kpc;
    } units[] = {{"pc", 1e-3},
                 {"kpc", 1},
                 {"Mpc", 1e3},
                 {"Gpc", 1e6},
                 {"au", M_PI / 648000e3},
                 {"km", M_PI / 648000e3 / 149597870.7},
                 {"million km", M_PI / 648000e3 / 149.5978707},
                 {"ly", 1e-3 / 3.261563777},
                 {"million ly", 1e3 / 3.261563777},
                 {"billion ly", 1e6 / 3.261563777}};
    char digits[64];
    size_t used = 0;
    while (*label && *label != ' ') {
        if (*label != ',')
            digits[used++] = *label;
        label++;
    }
    digits[used] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(label + 1, units[i].unit) == 0)
            return atof(digits) * units[i].kpc;
    fail_msg("no unit known in '%s'", label);
    return 0;
}

static bool is_round(double value)
{
    double mantissa = value / pow(10, floor(log10(value * (1 + 1e-12))));
    return fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6;
}

TEST(bar_is_round_and_true)
{
    for (int i = 0; i < 4000; i++) {
        double pixels_per_unit = pow(10, -5 + i * 0.0025), length_kpc = 0.3 + 0.01 * (i % 500);
        for (int light_years = 0; light_years < 2; light_years++) {
            struct overlay_scale bar;
            overlay_scale_bar(&bar, pixels_per_unit, 230.4, length_kpc,
                              light_years ? &length_light_years : &length_parsecs, false);
            assert_true(bar.pixels <= 230.4 * (1 + 1e-9) && bar.pixels > 230.4 / 2.51);
            double kpc = read_kpc(bar.label);
            assert_true(fabs(kpc / length_kpc * pixels_per_unit / bar.pixels - 1) < 1e-5);
            assert_true(fabs(bar.units * length_kpc / kpc - 1) < 1e-5);
            assert_true(is_round(light_years ? kpc * 3261.563777 : kpc));
            assert_int_equal(light_years, strstr(bar.label, "ly") != NULL);
        }
    }
}

TEST(bar_labels)
{
    enum { SIXTY = 7 };
    static const double AU = M_PI / 648000; /* in pc */
    const struct {
        double pixels_per_unit, length_kpc;
        bool light_years;
        const char *label;
        double pixels;
    } cases[] = {
        {10, 1, false, "20 kpc", 200},
        {100, 1, false, "2 kpc", 200},
        {0.1, 1, false, "2 Mpc", 200},
        {400, 1, false, "500 pc", 200},
        {10, 0, false, "20 units", 200},
        {150, 0, true, "1 unit", 150},
        {800, 0, false, "0.2 units", 160},
        {10, 3.2, true, "50,000 ly", 15.33007 / 3.2 * 10},
        {0.1, 1, true, "5 million ly", 153.3007},
        {4, 1, false, "50 kpc", 200},
        {400, 1e-3, false, "0.5 pc", 200},
        {20, 1e-3 * AU, false, "10 au", 200},
        {20, 1e-3 * AU, true, "10 au", 200},
        {1, 1e-3 * AU, false, "200 au", 200},
        {0.1, 1e-3 * AU, false, "2,000 au", 200},
        {1000, 1e-3 * AU, false, "0.2 au", 200},
        {10, 1e-3 * AU / 149597870.7 * 1e4, false, "200,000 km", 200},
        {1, 1e-3 * AU / 149597870.7 * 1e4, false, "2 million km", 200},
        {10, 1e-3 * AU / 149597870.7, true, "20 km", 200},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct overlay_scale bar;
        double longest = i == SIXTY ? 60 : 200;
        overlay_scale_bar(&bar, cases[i].pixels_per_unit, longest, cases[i].length_kpc,
                          cases[i].light_years ? &length_light_years : &length_parsecs, false);
        assert_string_equal(bar.label, cases[i].label);
        assert_true(fabs(bar.pixels - cases[i].pixels) < 1e-3);
    }
    struct overlay_scale fixed;
    overlay_scale_bar(&fixed, 20, 200, 1, choose(&length_unit_registry, "au"), false);
    assert_string_equal(fixed.label, "2 billion au");
    overlay_scale_bar(&fixed, 20, 200, 1e-3 * AU, choose(&length_unit_registry, "km"), false);
    assert_string_equal(fixed.label, "1 billion km");
    static const double wrong[] = {0, -1, NAN, INFINITY, 1e-300, 1e300};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct overlay_scale bar;
        overlay_scale_bar(&bar, wrong[i], 200, 1, &length_parsecs, false);
        assert_true(bar.pixels == 0);
        assert_string_equal(bar.label, "");
    }
}

TEST(captions_come_and_go)
{
    static const struct {
        double seconds, from, to, fade, opacity;
    } cases[] = {
        {1.99, 2, 6, 1, 0},   {2, 2, 6, 1, 0},          {2.5, 2, 6, 1, 0.5}, {3, 2, 6, 1, 1},
        {4, 2, 6, 1, 1},      {5, 2, 6, 1, 1},          {5.5, 2, 6, 1, 0.5}, {6, 2, 6, 1, 0},
        {2, 2, 6, 0, 1},      {5.999, 2, 6, 0, 1},      {6, 2, 6, 0, 0},     {2.5, 2, 3, 9, 1},
        {2.25, 2, 3, 9, 0.5}, {2.25, 2, 6, 1, 0.15625},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(fabs(overlay_caption_opacity(cases[i].seconds, cases[i].from, cases[i].to,
                                                 cases[i].fade) -
                         cases[i].opacity) < 1e-9);
}

TEST(numbers_are_grouped)
{
    static const struct {
        uint64_t count;
        const char *text;
    } cases[] = {{1, "1 body"},
                 {999, "999 bodies"},
                 {16384, "16,384 bodies"},
                 {1048576, "1,048,576 bodies"},
                 {UINT64_MAX, "18,446,744,073,709,551,615 bodies"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        overlay_count_text(text, sizeof text, cases[i].count);
        assert_string_equal(text, cases[i].text);
    }
}

TEST(drift_has_two_digits)
{
    static const struct {
        double percent;
        const char *text;
    } cases[] = {{0, "0 %"},
                 {3e-7, "0 %"},
                 {0.0123, "+0.012 %"},
                 {-0.0123, "\xe2\x88\x92"
                           "0.012 %"},
                 {0.1, "+0.10 %"},
                 {-4.56, "\xe2\x88\x92"
                         "4.6 %"},
                 {123.4, "+123 %"},
                 {2.2e-6, "+0.0000022 %"},
                 {1.5e9, "+2e+09 %"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        overlay_drift_text(text, sizeof text, cases[i].percent);
        assert_memory_equal(text, "drift of total ", 15);
        assert_string_equal(text + 15, cases[i].text);
    }
}

TESTS(NULL, NULL)
