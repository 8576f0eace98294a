#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "render/colour/colour.h"
#include "render/sprites/modes.h"
#include "tests/support/films/drawing.h"

#include <math.h>
#include <string.h>

/* A camera on the x axis that looks along -x: y to the right, z up. */
static const struct camera_params camera = {.distance = 100, .zoom = 1, .fov = 20};

static struct bodies_view {
    struct view view;
    float position[BODIES_MAX][4], velocity[BODIES_MAX][4];
    float distance[BODIES_MAX], dispersion[BODIES_MAX], acceleration[BODIES_MAX];
    float quantity[BODIES_MAX], age[BODIES_MAX], kernel[BODIES_MAX];
    float absent[BODIES_MAX];
} scene;

static const struct draw_group everything = {.first = 0, .count = 1, .light = 1, .tint = {1, 1, 1}};

struct renderer_params usual(enum picture_format format, uint32_t width, uint32_t height)
{
    for (int i = 0; i < BODIES_MAX; i++) {
        scene.quantity[i] = (float)((i + 5) % 11) / 10;
        scene.age[i] = -1;
    }
    return (struct renderer_params){
        .width = width,
        .height = height,
        .format = format,
        .camera = camera,
        .look = {.mode = choose(&draw_mode_registry, "sprites"),
                 .color = choose(&colour_registry, "constant"),
                 .map = choose(&colour_map_registry, "plasma"),
                 .point_size = 8.0 * 1080 / height,
                 .smallest = 3,
                 .size = choose(&sprite_sizing_registry, "fixed"),
                 .tone = choose(&tone_registry, "filmic"),
                 .profile = choose(&sprite_profile_registry, "soft"),
                 .optics = choose(&optics_registry, "lens"),
                 .spike_arms = choose(&spike_arms_registry, "four"),
                 .weight = choose(&light_weight_registry, "component"),
                 .samples = 1,
                 .cells = 9,
                 .exposure.factor = 1,
                 .speed = 1,
                 .acceleration = 1,
                 .quantity = "",
                 .quantity_scale = choose(&quantity_scale_registry, "linear"),
                 .saturation = 1},
        .found.look = {.fullest = 100, .densest = 100, .extent = 1, .mean_mass = 1},
        .count = 1,
        .groups = &everything,
        .group_count = 1,
        .frames = 1,
        .views = {VIEW_HOST, -1},
        .gl_device = -1,
    };
}

static double unit(uint32_t height)
{
    return height / (2 * tan(10 * M_PI / 180) * 100);
}

void place(int i, uint32_t width, uint32_t height, double x, double y)
{
    scene.position[i][0] = 0;
    scene.position[i][1] = (float)((x - width / 2.0) / unit(height));
    scene.position[i][2] = (float)((height / 2.0 - y) / unit(height));
    scene.position[i][3] = 1;
    scene.distance[i] = 1;
    scene.acceleration[i] = scene.absent[i] = 0;
    memset(scene.velocity[i], 0, sizeof scene.velocity[i]);
}

const struct view *view_of(size_t count, uint64_t frame)
{
    for (size_t i = 0; i < count; i++)
        scene.dispersion[i] = 0.05f * (float)(i % 11);
    scene.view =
        (struct view){.memory = VIEW_HOST,
                      .device = -1,
                      .count = count,
                      .position = scene.position[0],
                      .velocity = scene.velocity[0],
                      .columns = {{.name = COLUMN_DISTANCE, .value = scene.distance},
                                  {.name = COLUMN_DISPERSION, .value = scene.dispersion},
                                  {.name = COLUMN_ACCELERATION, .value = scene.acceleration},
                                  {.name = COLUMN_QUANTITY, .value = scene.quantity},
                                  {.name = COLUMN_AGE, .value = scene.age},
                                  {.name = COLUMN_KERNEL, .value = scene.kernel},
                                  {.name = COLUMN_ABSENT, .value = scene.absent}},
                      .column_count = 7,
                      .time = 0.5 * (double)frame,
                      .frame = frame};
    return &scene.view;
}

float *values_of(const char *name)
{
    return view_values(view_of(1, 0), name);
}

static void make(const struct renderer_params *params, const struct view *view, bool measures,
                 struct picture *out)
{
    struct renderer_params all = *params;
    struct draw_group group = *params->groups;
    if (params->groups == &everything) {
        group.count = params->count;
        all.groups = &group;
    }
    struct renderer *renderer;
    struct picture *picture;
    assert_ok(renderer_open(&renderer, &all));
    if (measures)
        renderer_measure_light(renderer);
    assert_ok(renderer_bind(renderer));
    assert_ok(renderer_meter(renderer, view));
    assert_ok(renderer_picture_create(renderer, &picture));
    memset(picture->data, 0x5a, picture->layout.size);
    assert_ok(renderer_submit(renderer, view, picture));
    assert_ok(renderer_wait(renderer));
    *out = *picture;
    out->data = malloc(picture->layout.size);
    assert_non_null(out->data);
    memcpy(out->data, picture->data, picture->layout.size);
    renderer_picture_destroy(renderer, &picture);
    renderer_unbind(renderer);
    renderer_close(&renderer);
    assert_null(renderer);
    assert_int_equal(out->frame, view->frame);
}

void draw_view(const struct renderer_params *params, const struct view *view, struct picture *out)
{
    make(params, view, false, out);
}

void draw_measured(const struct renderer_params *params, uint64_t frame, struct picture *out)
{
    make(params, view_of(params->count, frame), true, out);
}

void draw(const struct renderer_params *params, uint64_t frame, struct picture *out)
{
    draw_view(params, view_of(params->count, frame), out);
}

int sample(const struct picture *picture, int plane, uint32_t index, uint32_t y, int bytes)
{
    const uint8_t *at = picture->data + picture->layout.plane[plane].offset +
                        (size_t)y * picture->layout.plane[plane].stride + (size_t)index * bytes;
    return bytes == 2 ? at[0] | at[1] << 8 : at[0];
}

int red(const struct picture *picture, uint32_t x, uint32_t y)
{
    return sample(picture, 0, 4 * x, y, 1);
}

double light(const struct picture *picture, uint32_t x, uint32_t y)
{
    double shown = pow(sample(picture, 0, 4 * x, y, 2) / 65535.0, 2.2);
    return -log1p(-shown);
}

struct spot spot_within(const struct picture *picture, int channel, uint32_t left, uint32_t top,
                        uint32_t width, uint32_t height)
{
    struct spot spot = {0};
    for (uint32_t y = top; y < top + height; y++) {
        for (uint32_t x = left; x < left + width; x++) {
            double shown = pow(sample(picture, 0, 4 * x + (uint32_t)channel, y, 2) / 65535.0, 2.2);
            double here = -log1p(-shown);
            spot.light += here;
            spot.x += here * (x + 0.5);
            spot.y += here * (y + 0.5);
        }
    }
    if (spot.light > 0) {
        spot.x /= spot.light;
        spot.y /= spot.light;
    }
    return spot;
}

double total_light(const struct picture *picture)
{
    double sum = 0;
    for (uint32_t y = 0; y < picture->layout.height; y++)
        for (uint32_t x = 0; x < picture->layout.width; x++)
            sum += light(picture, x, y);
    return sum;
}

bool same_pixels(const struct picture *a, const struct picture *b)
{
    return a->layout.size == b->layout.size && memcmp(a->data, b->data, a->layout.size) == 0;
}

int open_gl(void **state)
{
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    enum status status = renderer_open(&renderer, &params);
    if (status == STATUS_DEVICE) {
        print_message("no GL: %s\n", status_text());
        *state = NULL;
    } else {
        assert_ok(status);
        print_message("drawn by %s\n", renderer_description(renderer));
        *state = &scene;
        renderer_close(&renderer);
    }
    return 0;
}

void need_gl(void **state)
{
    if (!*state)
        outcome_skip(MISSING_GL, "see above");
}

static size_t colourful(uint32_t width, uint32_t height)
{
    enum { COUNT = 120 };
    for (int i = 0; i < COUNT; i++) {
        double turn = i * 2.39996, reach = sqrt((i + 0.5) / COUNT);
        place(i, width, height, width * (0.5 + 0.45 * reach * cos(turn)),
              height * (0.5 + 0.45 * reach * sin(turn)));
        scene.velocity[i][0] = (float)cos(0.7 * i);
        scene.velocity[i][1] = (float)sin(1.1 * i);
        scene.velocity[i][2] = (float)cos(1.9 * i + 1);
    }
    return COUNT;
}

void colour_params(struct renderer_params *params)
{
    params->look.color = choose(&colour_registry, "velocity-rgb");
    params->look.exposure.factor = 0.6;
    params->count = colourful(params->width, params->height);
}

bool drawn_by_software(void)
{
    struct renderer_params params = usual(PICTURE_RGBA8, WIDTH, HEIGHT);
    struct renderer *renderer;
    assert_ok(renderer_open(&renderer, &params));
    const bool found = strstr(renderer_description(renderer), "llvmpipe") ||
                       strstr(renderer_description(renderer), "softpipe");
    renderer_close(&renderer);
    return found;
}
