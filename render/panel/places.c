#include "render/panel/places.h"

#include "render/camera/project.h"
#include "render/picture/picture.h"

enum { SMALLEST = 16 };

/* Columns and rows of panels or eyes, and the black pixels between them. */
struct grid {
    int columns, rows, count;
    uint32_t gap;
};

static const struct projection *projection_of(const struct renderer_params *params)
{
    return params->camera.projection ? params->camera.projection : &projection_flat;
}

static struct grid grid_of_panels(uint32_t width, uint32_t height, int panels)
{
    const bool wide = width >= height;
    const uint32_t gap = (wide ? height : width) / 360;
    if (panels == 4)
        return (struct grid){2, 2, 4, gap};
    return wide ? (struct grid){panels, 1, panels, gap} : (struct grid){1, panels, panels, gap};
}

static struct grid grid_of(const struct renderer_params *params)
{
    const struct projection *projection = projection_of(params);
    const int panels = (int)params->look.panel_count;
    if (panels > 0)
        return grid_of_panels(params->width, params->height, panels);
    /* The right eye alone is drawn over the left, whose exposure it has. */
    const int eyes = projection->eye > 0 ? 2 : projection->columns * projection->rows;
    return (struct grid){projection->columns, projection->rows, eyes, 0};
}

void panel_size(const struct renderer_params *params, uint32_t *width, uint32_t *height)
{
    const struct grid grid = grid_of(params);
    const uint32_t columns = (uint32_t)grid.columns, rows = (uint32_t)grid.rows;
    *width = (params->width - grid.gap * (columns - 1)) / columns;
    *height = (params->height - grid.gap * (rows - 1)) / rows;
}

double panel_stretch(const struct renderer_params *params)
{
    uint32_t width, height;
    panel_size(params, &width, &height);
    const bool tall = params->height > params->width && height > width;
    return tall && projection_of(params)->flat ? (double)height / width : 0;
}

static enum status check(const struct renderer_params *params, const struct grid *grid,
                         const struct projection *projection)
{
    const bool flat = projection->flat;
    if (params->look.panel_count > 0 && !flat)
        return status_fail(STATUS_USAGE,
                           "look.panels need the projection flat, and camera.projection is %s; "
                           "remove one of them",
                           projection->name);
    if (params->whole_width && (grid->count > 1 || !flat))
        return status_fail(
            STATUS_USAGE,
            "a picture of %ux%u has to be drawn in tiles, which is only possible for "
            "a single flat picture, and this one has %s; ask for a smaller --size",
            params->whole_width, params->whole_height, flat ? "panels" : "another projection");
    if ((params->width < 2 * SMALLEST || params->height < 2 * SMALLEST) &&
        (grid->count > 1 || !flat))
        return status_fail(STATUS_USAGE,
                           "a picture of %ux%u is too small for panels or two eyes; ask for a "
                           "larger --size",
                           params->width, params->height);
    const uint32_t columns = (uint32_t)projection->columns;
    if (projection->dome && params->width != columns * params->height)
        return status_fail(STATUS_USAGE,
                           "camera.projection %s needs %s, and this picture is %ux%u; ask for "
                           "--size %ux%u",
                           projection->name,
                           columns > 1 ? "two squares beside each other" : "a square picture",
                           params->width, params->height, columns * params->height, params->height);
    if (projection->whole_sphere && !projection->dome && params->width != 2 * params->height)
        return status_fail(STATUS_USAGE,
                           "camera.projection equirect needs a picture twice as wide as high, and "
                           "this one is %ux%u; ask for --size %ux%u",
                           params->width, params->height, 2 * params->height, params->height);
    return STATUS_OK;
}

enum status panel_places(const struct renderer_params *params, struct panel_place *places,
                         int *count)
{
    const struct projection *projection = projection_of(params);
    const struct grid grid = grid_of(params);
    uint32_t width, height;
    enum status status = check(params, &grid, projection);
    if (status != STATUS_OK)
        return status;
    panel_size(params, &width, &height);
    *count = grid.count;
    for (int i = 0; i < grid.count; i++) {
        const int at = projection->eye ? 0 : i;
        places[i] = (struct panel_place){
            .x = (uint32_t)(at % grid.columns) * (width + grid.gap),
            .y = (uint32_t)(at / grid.columns) * (height + grid.gap),
            .width = width,
            .height = height,
            .whole_width = params->whole_width ? params->whole_width : width,
            .whole_height = params->whole_height ? params->whole_height : height,
            .eye = params->look.panel_count > 0 || (grid.count == 1 && !projection->eye) ? 0
                   : i == 0                                                              ? -1
                                                                                         : 1,
            .whole_sphere = projection->whole_sphere,
            .dome = camera_dome(&params->camera),
        };
    }
    return STATUS_OK;
}

/* The even size of one of `parts` along a length. */
static uint32_t even_size(uint32_t length, uint32_t parts, uint32_t gap)
{
    return (length - gap * (parts - 1)) / parts & ~1u;
}

/* The even start of part `i`. The last part ends at the end of the length, or one pixel before. */
static uint32_t even_start(uint32_t length, uint32_t parts, uint32_t size, uint32_t i)
{
    return parts > 1 ? i * (length - size) / (parts - 1) & ~1u : 0;
}

void panel_places_apart(uint32_t width, uint32_t height, int count, struct panel_place *places)
{
    const struct grid grid = grid_of_panels(width, height, count);
    const uint32_t columns = (uint32_t)grid.columns, rows = (uint32_t)grid.rows;
    const uint32_t own_width = even_size(width, columns, grid.gap);
    const uint32_t own_height = even_size(height, rows, grid.gap);
    for (uint32_t i = 0; i < (uint32_t)count; i++)
        places[i] = (struct panel_place){
            .x = even_start(width, columns, own_width, i % columns),
            .y = even_start(height, rows, own_height, i / columns),
            .width = own_width,
            .height = own_height,
            .whole_width = own_width,
            .whole_height = own_height,
        };
}

static void place_on_dome(const struct panel_place *places, struct overlay_places *out)
{
    const double side = places[0].width;
    out->width = (uint32_t)(DOME_TEXT_WIDTH * side);
    out->height = (uint32_t)(DOME_TEXT_HEIGHT * side);
    for (int i = 0; i < out->count; i++) {
        out->at[i].x = (int)places[i].x + (int)((1 - DOME_TEXT_WIDTH) / 2 * side);
        out->at[i].y = (int)places[i].y + (int)((0.5 + DOME_TEXT_TOP) * side);
    }
}

/* On a sphere, the overlay takes the quarter that a player shows first, where lines are straight
 * and upright. */
static void place_on_sphere(const struct renderer_params *params, struct overlay_places *out)
{
    out->width = params->width / 4;
    out->height = out->width * 9 / 16;
    out->at[0].x = (int)(params->width - out->width) / 2;
    out->at[0].y = ((int)params->height - (int)out->height) / 2;
}

void panel_overlay_places(const struct panel_place *places, int count,
                          const struct renderer_params *params, struct overlay_places *out)
{
    const bool stereo = places[0].eye != 0;
    *out = (struct overlay_places){
        .width = params->whole_width ? params->whole_width : params->width,
        .height = params->whole_height ? params->whole_height : params->height,
        .count = stereo && !projection_of(params)->eye ? count : 1,
    };
    if (places[0].dome > 0)
        place_on_dome(places, out);
    else if (places[0].whole_sphere)
        place_on_sphere(params, out);
    if (!stereo || places[0].dome > 0)
        return;
    out->width = places[0].width;
    out->height = places[0].height;
    for (int i = 0; i < out->count; i++) {
        out->at[i].x = (int)places[i].x;
        out->at[i].y = (int)places[i].y;
    }
}

void panel_labels(const struct renderer_params *params, const struct panel_place *places,
                  struct overlay_label *labels)
{
    for (uint32_t i = 0; i < params->look.panel_count; i++)
        labels[i] = (struct overlay_label){.text = params->look.panels[i].title,
                                           .x = (int)places[i].x,
                                           .y = (int)places[i].y,
                                           .width = (int)places[i].width,
                                           .height = (int)places[i].height};
}
