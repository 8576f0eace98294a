/* Gas drawn by its kernels: maps against sums of the cubic spline's line integral in double
 * precision, integrated independently here. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/draw.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

enum { SIDE = 160, GAS = 2500, STEPS = 400, OVERLAP = 10 };

static float *kernels;           /* the view's */
static double column[STEPS + 1]; /* at i / STEPS of the kernel's radius, for a radius of 1 */

static double pixels_per_unit(void)
{
    return SIDE / (2 * tan(10 * M_PI / 180) * 100);
}

/* J. Monaghan and J. Lattanzio's spline, whose integral over a sphere of radius 1 is 1. */
static double spline(double r)
{
    const double outside = 1 - r;
    if (r >= 1)
        return 0;
    return 8 / M_PI * (r < 0.5 ? 1 - 6 * r * r * outside : 2 * outside * outside * outside);
}

static void integrate(void)
{
    enum { POINTS = 2000 };
    for (int i = 0; i <= STEPS; i++) {
        const double b = (double)i / STEPS, end = sqrt(1 - b * b);
        column[i] = 0;
        for (int k = 0; k < POINTS; k++) {
            const double z = end * (k + 0.5) / POINTS;
            column[i] += 2 * end / POINTS * spline(sqrt(b * b + z * z));
        }
    }
}

static double column_at(double part)
{
    const double at = part * STEPS;
    const int below = (int)fmin(at, STEPS - 1);
    return column[below] + (at - below) * (column[below + 1] - column[below]);
}

/* Two clumps and what lies between, with kernels from 2 to 120 pixels and masses of 0.5 to 1.5. */
static void gas(void)
{
    for (int i = 0; i < GAS; i++) {
        const double part = (i + 0.5) / GAS, reach = SIDE * 0.6 * pow(part, 1.5);
        const int clump = i % 2;
        place(i, SIDE, SIDE, SIDE * (clump ? 0.3 : 0.62) + reach * cos(2.4 * i),
              SIDE * (clump ? 0.4 : 0.55) + reach * sin(2.4 * i));
        ((struct view *)view_of(GAS, 0))->position[4 * i + 3] = (float)(0.5 + i % 7 / 6.0);
        kernels[i] = (float)((2 + 118 * part * part) / pixels_per_unit());
    }
}

static struct renderer_params measured(void)
{
    struct renderer_params params = usual(PICTURE_RGBAF32, SIDE, SIDE);
    params.look.size = choose(&sprite_sizing_registry, "kernel");
    params.look.tone = choose(&tone_registry, "linear");
    params.look.weight = choose(&light_weight_registry, "mass");
    params.look.exposure = (struct exposure){.surface = true};
    params.look.map = choose(&colour_map_registry, "grey");
    params.found.look.spacing = 0.37; /* which changes nothing */
    params.found.look.mean_mass = 1;
    kernels = values_of(COLUMN_KERNEL);
    params.count = GAS;
    gas();
    return params;
}

/* Mass over the area of a square of the unit of length, in the middle of a pixel; times each body's
 * `number`, unless NULL. */
static double sum_at(double x, double y, const float *number, int *overlap)
{
    const struct view *view = view_of(GAS, 0);
    double sum = 0;
    *overlap = 0;
    for (int i = 0; i < GAS; i++) {
        const float *at = view->position + 4 * (size_t)i;
        const double h = (double)kernels[i] * pixels_per_unit();
        const double part = hypot(SIDE / 2.0 + (double)at[1] * pixels_per_unit() - x,
                                  SIDE / 2.0 - (double)at[2] * pixels_per_unit() - y) /
                            h;
        if (part >= 1)
            continue;
        ++*overlap;
        sum += (double)at[3] * column_at(part) / ((double)kernels[i] * (double)kernels[i]) *
               (number ? (double)number[i] : 1);
    }
    return sum;
}

static double light_at(const struct picture *picture, uint32_t x, uint32_t y)
{
    float value;
    memcpy(&value,
           picture->data + picture->layout.plane[0].offset + y * picture->layout.plane[0].stride +
               4 * x * sizeof value,
           sizeof value);
    return (double)value;
}

TEST(surface_density_of_mass)
{
    need_gl(state);
    struct renderer_params params = measured();
    struct picture map;
    double worst = 0, signed_off = 0, tested = 0;
    draw(&params, 0, &map);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            int overlap;
            const double wanted = sum_at(x + 0.5, y + 0.5, NULL, &overlap);
            if (overlap < OVERLAP)
                continue;
            const double off = light_at(&map, x, y) / wanted - 1;
            worst = fmax(worst, fabs(off));
            signed_off += off;
            tested++;
        }
    print_message("%.0f pixels, at most %.3f %% off, %.4f %% in the mean\n", tested, 100 * worst,
                  100 * signed_off / tested);
    assert_true(tested > 0.5 * SIDE * SIDE);
    assert_true(worst < 0.02);
    assert_true(fabs(signed_off / tested) < 0.001);
    free(map.data);
}

/* The mass of a map, in pixels that are squares of the unit of length over pixels_per_unit^2. */
static double mass_of(const struct picture *map)
{
    double sum = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            sum += light_at(map, x, y);
    return sum / (pixels_per_unit() * pixels_per_unit());
}

/* A slab has the mass of the bodies within it, and their map; along the line of sight, it has all
 * or none of bodies in a plane. */
TEST(mass_in_a_slab)
{
    need_gl(state);
    struct renderer_params params = measured();
    const struct view *view = view_of(GAS, 0);
    const double thick = 40 / pixels_per_unit(), middle = 11 / pixels_per_unit();
    struct picture map, alone;
    double within = 0, all = 0;
    for (int i = 0; i < GAS; i++) { /* none beyond the picture's edge */
        view->position[4 * (size_t)i + 1] *= 0.3f;
        view->position[4 * (size_t)i + 2] *= 0.3f;
        kernels[i] = (float)(20 / pixels_per_unit());
        all += (double)view->position[4 * (size_t)i + 3];
        if (fabs((double)view->position[4 * (size_t)i + 1] - middle) <= thick / 2)
            within += (double)view->position[4 * (size_t)i + 3];
    }
    params.look.slab = thick;
    params.look.slab_at = middle;
    params.look.slab_axis = choose(&slab_axis_registry, "y");
    draw(&params, 0, &map);
    print_message("%g of %g, found %.7g\n", within, all, mass_of(&map));
    assert_true(within > 0.2 * all && within < 0.9 * all);
    assert_true(fabs(mass_of(&map) / within - 1) < 1e-4);
    params.look.slab = 0;
    for (int i = 0; i < GAS; i++)
        if (fabs((double)view->position[4 * (size_t)i + 1] - middle) > thick / 2)
            view->position[4 * (size_t)i + 3] = 0;
    draw(&params, 0, &alone);
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++)
            assert_true(light_at(&map, x, y) == light_at(&alone, x, y));
    free(map.data);
    free(alone.data);
    params.look.slab = 0.1;
    params.look.slab_axis = choose(&slab_axis_registry, "view");
    for (int k = 0; k < 2; k++) {
        params.look.slab_at = k ? 0.2 : (double)view->position[0];
        draw(&params, 0, &map);
        assert_true(k ? mass_of(&map) == 0 : fabs(mass_of(&map) / within - 1) < 1e-4);
        free(map.data);
    }
}

/* The mean of a column of the bodies, weighted by mass: the map of its values divided by that of
 * the mass. */
TEST(mean_of_a_column)
{
    need_gl(state);
    struct renderer_params params = measured();
    struct picture mass, numbers;
    draw(&params, 0, &mass);
    params.look.color = choose(&colour_registry, "quantity");
    draw(&params, 0, &numbers);
    double worst = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            int overlap;
            const double below = sum_at(x + 0.5, y + 0.5, NULL, &overlap);
            const double wanted =
                sum_at(x + 0.5, y + 0.5, values_of(COLUMN_QUANTITY), &overlap) / below;
            if (overlap >= OVERLAP)
                worst = fmax(worst,
                             fabs(light_at(&numbers, x, y) / light_at(&mass, x, y) / wanted - 1));
        }
    print_message("at most %.3f %% off\n", 100 * worst);
    assert_true(worst < 0.02);
    free(mass.data);
    free(numbers.data);
}

/* A film adds up the same light on coarser grids, which smooth the kernels' edges. */
TEST(films_have_the_same_light)
{
    need_gl(state);
    struct renderer_params params = measured();
    struct picture map, film;
    draw(&params, 0, &map);
    const double area = params.found.look.spacing * params.found.look.spacing;
    params.look.exposure = (struct exposure){.factor = 3 / (M_PI * area)};
    draw(&params, 0, &film);
    double off = 0, all = 0, signed_off = 0;
    for (uint32_t y = 0; y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            const double a = light_at(&map, x, y), b = light_at(&film, x, y);
            off += fabs(b - a);
            signed_off += b - a;
            all += a;
        }
    print_message("%.3f %% apart, %.4f %% brighter\n", 100 * off / all, 100 * signed_off / all);
    assert_true(off < 0.003 * all);
    assert_true(fabs(signed_off) < 0.0005 * all);
    free(map.data);
    free(film.data);
}

/* Gas is not resolved into stars, other bodies are. */
TEST(gas_has_no_stars)
{
    need_gl(state);
    struct renderer_params params = measured();
    struct picture plain, starry;
    for (int others = 0; others < 2; others++) {
        for (int i = 0; i < GAS && others; i += 3)
            kernels[i] = 0;
        params.look.stars = 8;
        params.look.resolved = 0;
        draw(&params, 0, &plain);
        params.look.resolved = 0.55;
        draw(&params, 0, &starry);
        assert_true(same_pixels(&plain, &starry) == (others == 0));
        free(plain.data);
        free(starry.data);
    }
}

TEST(what_does_not_go_together)
{
    need_gl(state);
    struct renderer *renderer;
    struct renderer_params params = measured();
    params.look.size = choose(&sprite_sizing_registry, "fixed");
    assert_fails(renderer_open(&renderer, &params), STATUS_USAGE, "look.size adaptive kernel");
}

int main(void)
{
    integrate();
    return tests_run(__FILE__, open_gl, NULL);
}
