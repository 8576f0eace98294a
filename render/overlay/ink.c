#include "render/overlay/ink.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/overlay/letters.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char ellipsis[] = "\xe2\x80\xa6";
static const double shadow_strength = 5, shadow_darkest = 0.7;

static const int weights[INK_ROLES] = {
    [INK_TEXT] = 400, [INK_NUMBER] = 400, [INK_LABEL] = 500, [INK_TITLE] = 600};

struct ink {
    bool by_role, prints;
    struct letters *letters;
    int width, height; /* of the plate; the surface is as large or larger */
    int radius;
    int columns, rows; /* of the surface */
    double dark[256];  /* opacity of the shadow, 0 .. 255, by blurred coverage */
    float colour[3];
    cairo_surface_t *surface;
    cairo_t *cairo;
    uint8_t *pixels;             /* [height][width][4] */
    uint8_t *shade, *transposed; /* [height][width], after the pixels */
};

void ink_letters(const struct ink *ink, char out[INK_LETTERS])
{
    letters_names(ink->letters, out, INK_LETTERS);
}

static void drop_surface(struct ink *ink)
{
    cairo_destroy(ink->cairo);
    cairo_surface_destroy(ink->surface);
    free(ink->pixels);
}

/* Provides a surface for plates of up to width x height. */
static enum status make_room(struct ink *ink, int width, int height)
{
    drop_surface(ink);
    const size_t pixels = (size_t)width * (size_t)height;
    ink->columns = width;
    ink->rows = height;
    ink->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
    ink->cairo = cairo_create(ink->surface);
    ink->pixels = malloc(6 * pixels);
    ink->shade = ink->pixels ? ink->pixels + 4 * pixels : NULL;
    ink->transposed = ink->pixels ? ink->shade + pixels : NULL;
    cairo_status_t status = cairo_status(ink->cairo);
    if (status == CAIRO_STATUS_SUCCESS && ink->pixels)
        return STATUS_OK;
    ink->columns = ink->rows = 0;
    return status_fail(STATUS_RUNTIME, "the overlay cannot be drawn: %s",
                       status == CAIRO_STATUS_SUCCESS ? "no memory left"
                                                      : cairo_status_to_string(status));
}

enum status ink_create(struct ink **out, const char *font, double shadow)
{
    struct ink *ink = *out = memory_new(1, sizeof *ink);
    ink->radius = (int)fmax(1, round(shadow / 3)); /* of each of three passes */
    for (int i = 0; i < 256; i++)
        ink->dark[i] = 255 * shadow_darkest * (1 - fn_exp(-shadow_strength * i / 255));
    enum status status = make_room(ink, 1, 1);
    if (status == STATUS_OK)
        letters_create(&ink->letters, font);
    else
        ink_destroy(out);
    return status;
}

void ink_destroy(struct ink **ink)
{
    struct ink *self = *ink;
    if (!self)
        return;
    letters_destroy(&self->letters);
    drop_surface(self);
    free(self);
    *ink = NULL;
}

void ink_print(struct ink *ink)
{
    ink->prints = true;
}

void ink_weigh(struct ink *ink)
{
    ink->by_role = true;
}

void ink_role(struct ink *ink, enum ink_role role)
{
    if (ink->by_role)
        letters_choose(ink->letters, weights[role], role == INK_NUMBER);
}

void ink_clean(struct ink *ink, char *text)
{
    const bool valid = letters_valid(text);
    for (unsigned char *at = (unsigned char *)text; *at; at++)
        if (*at < ' ' || *at == 0x7f)
            *at = ' ';
        else if (!valid && *at >= 0x80)
            *at = '?';
    letters_find(ink->letters, text);
}

double ink_width(struct ink *ink, double size, const char *text)
{
    return letters_width(ink->letters, ink->cairo, size, text);
}

size_t ink_break(struct ink *ink, double size, double room, const char *text)
{
    return letters_line(ink->letters, size, room, text);
}

void ink_fit(struct ink *ink, double size, double room, char *text)
{
    size_t length = strlen(text);
    bool fits = ink_width(ink, size, text) <= room;
    while (!fits && length > 0) {
        text[length] = '\0';
        length = letters_before_last(text);
        while (length > 0 && text[length - 1] == ' ')
            length--;
        strcpy(text + length, length > 0 ? ellipsis : "");
        fits = ink_width(ink, size, text) <= room;
    }
}

enum status ink_begin(struct ink *ink, int width, int height)
{
    static const float white[3] = {1, 1, 1};
    if (width > ink->columns || height > ink->rows) {
        enum status status = make_room(ink, width > ink->columns ? width : ink->columns,
                                       height > ink->rows ? height : ink->rows);
        if (status != STATUS_OK)
            return status;
    }
    ink->width = width;
    ink->height = height;
    cairo_save(ink->cairo);
    cairo_set_operator(ink->cairo, CAIRO_OPERATOR_CLEAR);
    cairo_rectangle(ink->cairo, 0, 0, width, height);
    cairo_fill(ink->cairo);
    cairo_restore(ink->cairo);
    ink_colour(ink, white);
    return STATUS_OK;
}

void ink_exactly(struct ink *ink, const float shown[3])
{
    memcpy(ink->colour, shown, sizeof ink->colour);
}

/* Same as ink() in render/shaders/look.glsl, except that letters, which are white, become black. */
static float printed(const float shown[3], int c)
{
    const float covered = fmaxf(fmaxf(shown[0], shown[1]), shown[2]), most = fmaxf(covered, 1e-6f);
    const float white = fminf(fminf(shown[0], shown[1]), shown[2]) / most;
    const float chroma = fmaxf(1 - white, 1e-6f),
                passed = (shown[c] / most - white) / (float)fn_pow(chroma, 0.7);
    return 1 - covered * (1 - passed) * (0.7f + 0.3f * (float)fn_pow(chroma, 0.3));
}

void ink_colour(struct ink *ink, const float shown[3])
{
    const bool letters = fminf(fminf(shown[0], shown[1]), shown[2]) >= 1;
    for (int c = 0; c < 3; c++)
        ink->colour[c] = !ink->prints ? shown[c] : letters ? 0 : printed(shown, c);
}

static void set_source(struct ink *ink, double opacity)
{
    cairo_set_source_rgba(ink->cairo, ink->colour[0], ink->colour[1], ink->colour[2], opacity);
}

void ink_text(struct ink *ink, double x, double baseline, double size, double opacity,
              const char *text)
{
    set_source(ink, opacity);
    letters_show(ink->letters, ink->cairo, x, baseline, size, text);
}

void ink_box(struct ink *ink, double x, double y, double width, double height, double opacity)
{
    set_source(ink, opacity);
    cairo_rectangle(ink->cairo, x, y, width, height);
    cairo_fill(ink->cairo);
}

void ink_line(struct ink *ink, const double (*points)[2], size_t count, double width,
              double opacity)
{
    set_source(ink, opacity);
    cairo_set_line_width(ink->cairo, width);
    cairo_set_line_cap(ink->cairo, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_join(ink->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_new_path(ink->cairo);
    cairo_move_to(ink->cairo, points[0][0], points[0][1]);
    for (size_t i = count > 1; i < count; i++)
        cairo_line_to(ink->cairo, points[i][0], points[i][1]);
    if (count == 1) /* a dot */
        cairo_line_to(ink->cairo, points[0][0], points[0][1]);
    cairo_stroke(ink->cairo);
}

/* Blurs each row with a box of 2 * radius + 1 pixels, and writes the result transposed. */
static void blur_transposing(const uint8_t *from, uint8_t *to, int width, int height, int radius)
{
    const int span = 2 * radius + 1;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = from + (size_t)y * (size_t)width;
        int sum = 0;
        for (int x = -radius; x < width; x++) {
            sum += x + radius < width ? row[x + radius] : 0;
            sum -= x - radius - 1 >= 0 ? row[x - radius - 1] : 0;
            if (x >= 0)
                to[(size_t)x * (size_t)height + (size_t)y] = (uint8_t)((sum + radius) / span);
        }
    }
}

/* A pixel in cairo's format: alpha in the highest byte, then red, green and blue. */
static uint32_t drawn_at(const struct ink *ink, size_t at)
{
    uint32_t drawn;
    memcpy(&drawn, ink->pixels + 4 * at, sizeof drawn);
    return drawn;
}

enum status ink_end(struct ink *ink, const uint8_t **pixels, int *width, int *height)
{
    cairo_surface_flush(ink->surface);
    cairo_status_t status = cairo_status(ink->cairo);
    if (status != CAIRO_STATUS_SUCCESS)
        return status_fail(STATUS_RUNTIME, "the overlay cannot be drawn: %s",
                           cairo_status_to_string(status));
    const uint8_t *surface = cairo_image_surface_get_data(ink->surface);
    const size_t pitch = (size_t)cairo_image_surface_get_stride(ink->surface);
    const size_t columns = (size_t)ink->width, rows = (size_t)ink->height;
    for (size_t y = 0; y < rows; y++)
        memcpy(ink->pixels + 4 * y * columns, surface + y * pitch, 4 * columns);
    for (size_t at = 0; at < rows * columns; at++)
        ink->shade[at] = (uint8_t)(drawn_at(ink, at) >> 24);
    for (int pass = 0; pass < 3; pass++) {
        blur_transposing(ink->shade, ink->transposed, ink->width, ink->height, ink->radius);
        blur_transposing(ink->transposed, ink->shade, ink->height, ink->width, ink->radius);
    }
    /* Colour is already premultiplied by alpha, as GL needs it; only the byte order differs. */
    for (size_t at = 0; at < rows * columns; at++) {
        const uint32_t drawn = drawn_at(ink, at);
        const double alpha = drawn >> 24, shadow = ink->dark[ink->shade[at]] * (1 - alpha / 255);
        const double lit = ink->prints ? shadow + 0.5 : 0;
        uint8_t *pixel = ink->pixels + 4 * at;
        for (int c = 0; c < 3; c++)
            pixel[c] = (uint8_t)((drawn >> (16 - 8 * c) & 255) + lit);
        pixel[3] = (uint8_t)(alpha + shadow + 0.5);
    }
    *pixels = ink->pixels;
    *width = ink->width;
    *height = ink->height;
    return STATUS_OK;
}
