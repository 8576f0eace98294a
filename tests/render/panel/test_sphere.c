/* Round things in space are round on a whole sphere, wherever they are: sprites and their glow, on
 * the seam, across the edges and corners of the faces, and at the poles. */
#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/drawing.h"

#include <math.h>

enum { ACROSS = 512, ROWS = 256, WAYS = 3 };
static const double distance = 100;

/* Degrees of longitude and latitude: ahead; the seam; a face's edge and its corner, and beside
 * them; towards and at the poles. */
static const double places[][2] = {{0, 0},      {180, 0},  {-179, 10}, {45, 0},
                                   {45, 35.26}, {40, 30},  {100, -44}, {20, 70},
                                   {-130, 84},  {77, -89}, {30, 90}};
enum { PLACES = sizeof places / sizeof places[0] };

static struct renderer_params sphere(int way)
{
    struct renderer_params params = usual(PICTURE_RGBA16, ACROSS, ROWS);
    params.camera.projection = choose(&projection_registry, "equirect");
    params.look.exposure.factor = 0.1;
    params.look.point_size = 20.0 * 1080 / ROWS;
    params.quads = way == 1;
    if (way == 2) {
        params.look.size = choose(&sprite_sizing_registry, "adaptive");
        params.found.look.spacing = 7;
        params.look.exposure.factor = 0.05;
    }
    return params;
}

/* The camera is at (100, 0, 0) and looks along -x. */
static void direction(double longitude, double latitude, double out[3])
{
    out[0] = -cos(latitude) * cos(longitude);
    out[1] = cos(latitude) * sin(longitude);
    out[2] = sin(latitude);
}

static void put(const double *degrees, double near)
{
    double towards[3];
    direction(degrees[0] * M_PI / 180, degrees[1] * M_PI / 180, towards);
    place(0, ACROSS, ROWS, 0, 0);
    for (int i = 0; i < 3; i++)
        view_of(1, 0)->position[i] = (float)((i == 0 ? distance : 0) + distance * towards[i]);
    values_of(COLUMN_DISTANCE)[0] = (float)near;
}

/* Light by solid angle, in total or within `radius` radians of a direction: its amount, and its
 * second moments along the meridian and across it. */
struct shape {
    double light, along, across;
};

static struct shape measure(const struct picture *picture, const double *degrees, double radius)
{
    const double longitude = degrees[0] * M_PI / 180, latitude = degrees[1] * M_PI / 180;
    const double east[3] = {sin(longitude), cos(longitude), 0};
    const double north[3] = {sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude),
                             cos(latitude)};
    struct shape shape = {0};
    double middle[3];
    direction(longitude, latitude, middle);
    for (uint32_t y = 0; y < ROWS; y++)
        for (uint32_t x = 0; x < ACROSS; x++) {
            double at[3], along = 0, across = 0, cosine = 0;
            const double row = (0.5 - (y + 0.5) / ROWS) * M_PI;
            direction(((x + 0.5) / ACROSS - 0.5) * 2 * M_PI, row, at);
            for (int i = 0; i < 3; i++) {
                along += at[i] * north[i];
                across += at[i] * east[i];
                cosine += at[i] * middle[i];
            }
            const double apart = acos(fmin(fmax(cosine, -1), 1));
            const double off = (apart - radius) / (0.3 * radius);
            const double seen = radius > 0 ? exp(-0.5 * off * off) : 1;
            const double here = light(picture, x, y) * cos(row) * seen;
            shape.light += here;
            shape.along += here * along * along;
            shape.across += here * across * across;
        }
    shape.along /= shape.light;
    shape.across /= shape.light;
    return shape;
}

TEST(sprites_are_round_everywhere)
{
    need_gl(state);
    for (int way = 0; way < WAYS; way++) {
        struct renderer_params params = sphere(way);
        struct shape ahead = {0};
        for (int i = 0; i < PLACES; i++) {
            struct picture picture;
            put(places[i], 10);
            draw(&params, 0, &picture);
            const struct shape shape = measure(&picture, places[i], 0);
            free(picture.data);
            if (i == 0)
                ahead = shape;
            assert_true(ahead.light > 1);
            if (fabs(shape.light / ahead.light - 1) > 0.02)
                fail_msg("light %g of that ahead", shape.light / ahead.light);
            if (fabs(shape.along / ahead.along - 1) > 0.06 ||
                fabs(shape.across / ahead.across - 1) > 0.06)
                fail_msg("not round");
        }
    }
}

/* Bodies with few neighbours, seen by a camera among them: so large and close that on a face they
 * are several times as long as wide. */
TEST(large_ones_shine_everywhere)
{
    need_gl(state);
    static const struct {
        double near,
            off; /* error of the light, by the coarse grid in which such a sprite is drawn */
    } cases[] = {{60, 0.04}, {100, 0.3}};
    for (int n = 0; n < 2; n++) {
        struct renderer_params params = sphere(2);
        double ahead = 0;
        for (int i = 0; i < PLACES; i++) {
            struct picture picture;
            put(places[i], cases[n].near);
            draw_measured(&params, 0, &picture);
            assert_int_equal(picture.light.broken, 0);
            const double all = measure(&picture, places[i], 0).light;
            free(picture.data);
            ahead = i == 0 ? all : ahead;
            assert_true(ahead > 0.1);
            if (fabs(all / ahead - 1) > cases[n].off)
                fail_msg("light %g of that ahead, at %g, %g", all / ahead, places[i][0],
                         places[i][1]);
        }
    }
}

/* In rings around a dot, whose light is all spread. */
TEST(glow_is_round_everywhere)
{
    need_gl(state);
    static const double rings[] = {0, 0.12, 0.2, 0.4, 0.8};
    enum { RINGS = sizeof rings / sizeof rings[0] };
    struct renderer_params params = sphere(0);
    struct shape ahead[RINGS];
    params.look.glow = 1;
    params.look.exposure.factor = 1;
    for (int i = 0; i < PLACES; i++) {
        struct picture picture;
        put(places[i], 10);
        draw(&params, 0, &picture);
        for (int r = 0; r < RINGS; r++) {
            const struct shape ring = measure(&picture, places[i], rings[r]);
            if (i == 0)
                ahead[r] = ring;
            if (fabs(ring.light / ahead[r].light - 1) > (r == 0 ? 0.05 : 0.12))
                fail_msg("light %g of that ahead", ring.light / ahead[r].light);
            if (fabs(ring.along / ring.across - 1) > 0.18)
                fail_msg("not round");
        }
        free(picture.data);
    }
}

/* The row of a spot's middle, just below the equator. */
static double row_of(uint32_t rows, double glow)
{
    static const double below[] = {0, -30};
    struct renderer_params params = sphere(0);
    struct picture picture;
    params.width = 2 * rows;
    params.height = rows;
    params.look.glow = glow;
    put(below, 10);
    draw(&params, 0, &picture);
    const double row = spot_within(&picture, 0, rows - 30, 2 * rows / 3 - 30, 60, 60).y;
    free(picture.data);
    return row;
}

TEST(glow_is_where_its_light_is)
{
    need_gl(state);
    for (uint32_t rows = ROWS; rows < ROWS + 2; rows++) {
        const double off = row_of(rows, 1) - row_of(rows, 0);
        print_message("%u rows: the glow is %.3f rows off\n", rows, off);
        assert_true(fabs(off) < 0.1);
    }
}

TESTS(open_gl, NULL)
