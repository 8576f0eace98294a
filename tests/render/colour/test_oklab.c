/* The perceptual colours of velocities, and the colours of stars, against independently computed
 * values. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/colour/legend.h"
#include "render/params.h"

#include <math.h>
#include <string.h>

/* Linear light to OKLab, by the published matrices. */
static void to_lab(const double light[3], double lab[3])
{
    static const double to_cone[3][3] = {{0.4122214708, 0.5363325363, 0.0514459929},
                                         {0.2119034982, 0.6806995451, 0.1073969566},
                                         {0.0883024619, 0.2817188376, 0.6299787005}};
    static const double to_lab[3][3] = {{0.2104542553, 0.7936177850, -0.0040720468},
                                        {1.9779984951, -2.4285922050, 0.4505937099},
                                        {0.0259040371, 0.7827717662, -0.8086757660}};
    double root[3];
    for (int i = 0; i < 3; i++)
        root[i] =
            cbrt(to_cone[i][0] * light[0] + to_cone[i][1] * light[1] + to_cone[i][2] * light[2]);
    for (int i = 0; i < 3; i++)
        lab[i] = to_lab[i][0] * root[0] + to_lab[i][1] * root[1] + to_lab[i][2] * root[2];
}

TEST(there_and_back)
{
    static const double colours[][3] = {
        {1, 1, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.2, 0.5, 0.1}};
    for (size_t i = 0; i < sizeof colours / sizeof *colours; i++) {
        double lab[3], light[3];
        to_lab(colours[i], lab);
        oklab_to_light(lab, light);
        for (int c = 0; c < 3; c++)
            assert_true(fabs(light[c] - colours[i][c]) < 2e-6);
    }
    double light[3];
    oklab_to_light((double[]){1, 0, 0}, light);
    for (int c = 0; c < 3; c++)
        assert_true(fabs(light[c] - 1) < 1e-6); /* what rests is white */
}

/* The legend's disk has a hue for each direction and the same chroma all around; motion towards the
 * viewer is lighter. */
TEST(directions_are_hues)
{
    const struct colour *colour = choose(&colour_registry, "velocity");
    const struct legend_look look = {.saturation = 0.8};
    double rest[3] = {0};
    for (int step = 0; step <= 4; step++)
        for (int degrees = 0; degrees < 360; degrees += 5) {
            const double angle = degrees * M_PI / 180, size = step / 4.0;
            const double moves[3] = {size * cos(angle), size * sin(angle), 0};
            double light[3], lab[3];
            float shown[3];
            colour->legend.disk(&look, moves, shown);
            for (int c = 0; c < 3; c++)
                light[c] = pow((double)shown[c], 2.2);
            to_lab(light, lab);
            if (step == 0)
                memcpy(rest, lab, sizeof rest);
            const double hue = angle + 50 * M_PI / 180;
            const double chroma = 0.8 * 0.21 * rest[0] * size * (2 - size);
            assert_true(fabs(lab[0] - rest[0]) < 0.003);
            assert_true(fabs(lab[1] - chroma * cos(hue)) < 0.003);
            assert_true(fabs(lab[2] - chroma * sin(hue)) < 0.003);
        }
    float near[3], far[3];
    colour->legend.disk(&look, (double[]){0, 0, 1}, near);
    colour->legend.disk(&look, (double[]){0, 0, -1}, far);
    assert_true(near[0] > far[0] + 0.1);
    assert_true(fabsf(near[0] - near[1]) < 1e-4f && fabsf(near[1] - near[2]) < 1e-4f);
}

/* Chromaticities of black bodies, CIE 1931: a published fit to the observer's functions is within
 * 0.006 of their tables. */
TEST(black_bodies_lie_on_their_locus)
{
    static const double known[][3] = {{2856, 0.4476, 0.4074},
                                      {4000, 0.3805, 0.3768},
                                      {5000, 0.3451, 0.3516},
                                      {6500, 0.3135, 0.3237},
                                      {10000, 0.2807, 0.2884}};
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        float shown[3];
        double xyz[3] = {0};
        black_body_shown(known[i][0], shown);
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                xyz[k] += to_xyz[k][c] * pow((double)shown[c], 2.2);
        const double sum = xyz[0] + xyz[1] + xyz[2];
        if (fabs(xyz[0] / sum - known[i][1]) > 0.006 || fabs(xyz[1] / sum - known[i][2]) > 0.006)
            fail_msg("%g K: found %.4f %.4f", known[i][0], xyz[0] / sum, xyz[1] / sum);
    }
}

static double linear(float shown)
{
    return pow((double)shown, 2.2);
}

/* 1.8 times as far from grey as a black body, with the same luma (Rec. 709), and never without a
 * fiftieth of it in any channel. */
TEST(ages_are_vivid_and_as_bright)
{
    static const double luma[3] = {0.2126, 0.7152, 0.0722};
    int whole = 0, least = 0;
    for (int i = 0; i < STAR_AGES; i++) {
        const double place = (double)i / (STAR_AGES - 1);
        float black[3], shown[3];
        double grey = 0, wanted[3], most = 0;
        black_body_shown(star_kelvin(STAR_YOUNGEST * pow(STAR_OLDEST / STAR_YOUNGEST, place)),
                         black);
        star_age_shown(place, shown);
        for (int c = 0; c < 3; c++)
            grey += luma[c] * linear(black[c]);
        for (int c = 0; c < 3; c++) {
            wanted[c] = grey + 1.8 * (linear(black[c]) - grey);
            whole += wanted[c] >= 0.02 * grey;
            least += wanted[c] < 0.02 * grey;
            wanted[c] = fmax(wanted[c], 0.02 * grey);
            most = fmax(most, wanted[c]);
        }
        for (int c = 0; c < 3; c++)
            assert_true(fabs(linear(shown[c]) - wanted[c] / most) < 1e-5);
    }
    assert_true(whole > 0 && least > 0);
}

TEST(parts_are_known_by_their_names)
{
    static const struct {
        const char *name;
        bool known, warm;
        double brightness;
    } cases[] = {
        {"disk", true, false, 1},      {"Bulge", true, true, 2},    {"halo", true, true, 0.2},
        {"thin disc", true, false, 1}, {"long bar", true, true, 1}, {"GAS", true, true, 0.6},
        {"stars", true, true, 1},      {"first", false, false, 0},  {"", false, false, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct star_kind *kind = star_kind_of(cases[i].name);
        float shown[3];
        assert_int_equal(kind != NULL, cases[i].known);
        if (!kind)
            continue;
        star_kind_shown(kind, shown);
        assert_int_equal(shown[0] > shown[2], cases[i].warm);
        assert_true(fabs((double)kind->brightness - cases[i].brightness) < 1e-6);
    }
}

/* Old stars are orange, young ones blue, and the change in between is monotonic. */
TEST(the_younger_stars_are_the_bluer)
{
    assert_true(star_kelvin(10) == 4000 && fabs(star_kelvin(1) / 4000 - pow(10, 0.6)) < 1e-12);
    assert_true(star_kelvin(0) == star_kelvin(STAR_YOUNGEST));
    float before = 0, shown[3];
    for (int i = 0; i < STAR_AGES; i++) {
        star_age_shown((double)i / (STAR_AGES - 1), shown);
        assert_true(fmaxf(fmaxf(shown[0], shown[1]), shown[2]) == 1);
        assert_true(shown[0] / shown[2] > before);
        before = shown[0] / shown[2];
        if (i == 0)
            assert_true(shown[2] == 1 && shown[0] < 0.75f);
    }
    assert_true(shown[0] == 1 && shown[2] < 0.5f);
}

TEST(palettes_are_complete)
{
    const struct tint_palette *palette;
    for (size_t i = 0; (palette = choice_at(&palette_registry, i)); i++) {
        assert_in_range(palette->count, 2, TINT_PALETTE_MAX);
        for (int k = 0; k < TINT_PALETTE_MAX; k++) /* all that it has */
            assert_int_equal(palette->shown[k][0] + palette->shown[k][1] + palette->shown[k][2] > 0,
                             k < palette->count);
        for (int k = 0; k < palette->count; k++)
            for (int other = 0; other < k; other++)
                assert_memory_not_equal(palette->shown[k], palette->shown[other],
                                        sizeof palette->shown[k]);
    }
}

TESTS(NULL, NULL)
