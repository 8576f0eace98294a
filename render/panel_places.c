#include "render/panel.h"

#include <string.h>

enum { SMALLEST = 16 };

static void share(const struct renderer_params *params, int columns, int rows, uint32_t gap,
                  struct panel_place *places, int count)
{
    const uint32_t width = (params->width - gap * (uint32_t)(columns - 1)) / (uint32_t)columns;
    const uint32_t height = (params->height - gap * (uint32_t)(rows - 1)) / (uint32_t)rows;
    for (int i = 0; i < count; i++)
        places[i] = (struct panel_place){.x = (uint32_t)(i % columns) * (width + gap),
                                         .y = (uint32_t)(i / columns) * (height + gap),
                                         .width = width,
                                         .height = height};
}

enum status panel_places(const struct renderer_params *params, struct panel_place *places,
                         int *count)
{
    const char *projection = params->camera.projection ? params->camera.projection : "flat";
    const bool flat = strcmp(projection, "flat") == 0;
    const int panels = (int)params->look.panel_count;
    const bool wide = params->width >= params->height;
    *count = panels;
    if (panels > 0 && !flat)
        return status_fail(STATUS_USAGE,
                           "look.panels are for the projection flat, and camera.projection is %s; "
                           "leave one of them out",
                           projection);
    if (params->width < 2 * SMALLEST || params->height < 2 * SMALLEST)
        if (panels > 0 || !flat)
            return status_fail(STATUS_USAGE,
                               "a picture of %ux%u is too small to be shared out; ask for a larger "
                               "--size",
                               params->width, params->height);
    if (panels > 0) {
        const int columns = panels == 4 ? 2 : wide ? panels : 1;
        const int rows = panels == 4 ? 2 : wide ? 1 : panels;
        const uint32_t gap = (wide ? params->height : params->width) / 360;
        share(params, columns, rows, gap, places, panels);
        return STATUS_OK;
    }
    *count = 1;
    share(params, 1, 1, 0, places, 1);
    places[0].whole_sphere = strcmp(projection, "equirect") == 0;
    const bool beside = strcmp(projection, "side-by-side") == 0;
    if (!beside && strcmp(projection, "over-under") != 0)
        return STATUS_OK;
    *count = 2;
    share(params, beside ? 2 : 1, beside ? 1 : 2, 0, places, 2);
    places[0].eye = -1;
    places[1].eye = 1;
    return STATUS_OK;
}

/* Of a sphere what a player shows at first, a quarter of the way around: there lines are straight
 * and upright. */
static void place_on_sphere(const struct renderer_params *params, struct overlay_places *out)
{
    out->width = params->width / 4;
    out->height = out->width * 9 / 16;
    out->at[0].x = (int)(params->width - out->width) / 2;
    out->at[0].y = ((int)params->height - (int)out->height) / 2;
}

void overlay_places(const struct renderer_params *params, const struct panel_place *panels,
                    int count, struct overlay_places *out)
{
    const bool stereo = panels[0].eye != 0;
    *out = (struct overlay_places){
        .width = params->whole_width ? params->whole_width : params->width,
        .height = params->whole_height ? params->whole_height : params->height,
        .count = stereo ? count : 1,
    };
    if (panels[0].whole_sphere)
        place_on_sphere(params, out);
    if (!stereo)
        return;
    out->width = panels[0].width;
    out->height = panels[0].height;
    for (int i = 0; i < count; i++) {
        out->at[i].x = (int)panels[i].x;
        out->at[i].y = (int)panels[i].y;
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

void panel_apply(const struct panel_params *panel, struct look_params *look,
                 struct camera_params *camera, struct camera_setup *setup)
{
    if (panel->mode[0])
        look->mode = panel->mode;
    if (panel->color[0])
        look->color = panel->color;
    if (panel->map[0])
        look->map = panel->map;
    if (panel->follow[0])
        camera->follow = panel->follow;
    setup->azimuth = panel->azimuth;
    setup->elevation = panel->elevation;
    setup->zoom = panel->zoom;
}
