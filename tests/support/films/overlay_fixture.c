#include "tests/support/choose.h"
#include "tests/support/test.h"

#include "tests/support/films/overlay_fixture.h"

#include <math.h>

struct renderer_params dark(uint32_t width, uint32_t height)
{
    struct renderer_params params = usual(PICTURE_RGBA8, width, height);
    place(0, width, height, -10.0 * width, 0);
    params.overlay = (struct overlay_params){
        .length_unit = choose(&length_unit_registry, "kpc"), .size = 27, .font = "DejaVu Sans"};
    params.labels =
        (struct film_labels){.title = "Two galaxies", .length_kpc = 3.2, .time_myr = 13};
    params.found.duration = 90;
    params.frames = 3;
    return params;
}

void show_all(struct renderer_params *params)
{
    params->overlay.title = params->overlay.clock = params->overlay.scale_bar = true;
    params->overlay.bodies = params->overlay.frame = true;
}

void shown_at(const struct picture *picture, uint32_t x, uint32_t y, double shown[3])
{
    for (uint32_t c = 0; c < 3; c++)
        shown[c] = sample(picture, 0, 4 * x + c, y, 1) / 255.0;
}

static bool is_bright(const double shown[3])
{
    return shown[0] * 255 >= 24;
}

static bool is_coloured(const double shown[3])
{
    double most = fmax(fmax(shown[0], shown[1]), shown[2]);
    return most - fmin(fmin(shown[0], shown[1]), shown[2]) > 0.1;
}

static struct extent find(const struct picture *picture, uint32_t x0, uint32_t y0, uint32_t x1,
                          uint32_t y1, bool (*counts)(const double shown[3]))
{
    struct extent found = {x1, y1, x0, y0};
    for (uint32_t y = y0; y < y1; y++)
        for (uint32_t x = x0; x < x1; x++) {
            double shown[3];
            shown_at(picture, x, y, shown);
            if (!counts(shown))
                continue;
            found.left = x < found.left ? x : found.left;
            found.top = y < found.top ? y : found.top;
            found.right = x + 1 > found.right ? x + 1 : found.right;
            found.bottom = y + 1 > found.bottom ? y + 1 : found.bottom;
        }
    return found.right > found.left ? found : (struct extent){0};
}

struct extent ink_within(const struct picture *picture, uint32_t x0, uint32_t y0, uint32_t x1,
                         uint32_t y1)
{
    return find(picture, x0, y0, x1, y1, is_bright);
}

struct extent colour_within(const struct picture *picture, uint32_t x0, uint32_t y0, uint32_t x1,
                            uint32_t y1)
{
    return find(picture, x0, y0, x1, y1, is_coloured);
}

void stderr_of(void (*call)(void *data), void *data, char *out, size_t size)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    int before = dup(STDERR_FILENO);
    assert_true(before >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
    call(data);
    fflush(stderr);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    rewind(file);
    out[fread(out, 1, size - 1, file)] = '\0';
    fclose(file);
}

void bare_display_open(struct bare_display *display, uint32_t width, uint32_t height)
{
    assert_ok(gl_context_open(&display->context, -1));
    assert_ok(gl_context_bind(display->context));
    glGenVertexArrays(1, &display->vertex_array);
    glBindVertexArray(display->vertex_array);
    assert_ok(gl_target_create(&display->target, GL_RGBA16, (GLsizei)width, (GLsizei)height));
}

void bare_display_close(struct bare_display *display)
{
    gl_target_destroy(&display->target);
    glDeleteVertexArrays(1, &display->vertex_array);
    gl_context_unbind(display->context);
    gl_context_close(&display->context);
}
