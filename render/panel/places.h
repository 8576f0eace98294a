/* How a picture is divided between panels, or between the eyes of a stereo pair, and where the
 * overlay goes. Pure, thread-safe. */
#pragma once

#include "base/status.h"
#include "render/draw.h"

struct panel_place {
    uint32_t x, y, width, height;       /* from the upper left corner */
    uint32_t whole_width, whole_height; /* size of the picture that this is a tile of */
    double eye;                         /* -1, 1: left and right of a stereo pair; 0: no pair */
    bool whole_sphere;                  /* equirectangular or a dome, not flat */
    double dome;                        /* see camera_dome */
};

/* Fills in up to PANELS_MAX places. STATUS_USAGE when panels do not fit into the picture, or cannot
 * be combined with the projection. */
enum status panel_places(const struct renderer_params *params, struct panel_place *places,
                         int *count);

/* The places of `count` panels whose pictures are drawn separately and then joined. Sizes and
 * places are even, because chroma planes may have half of the size. */
void panel_places_apart(uint32_t width, uint32_t height, int count, struct panel_place *places);

/* The size of each panel's picture, or of each eye's. */
void panel_size(const struct renderer_params *params, uint32_t *width, uint32_t *height);

/* The camera_found.stretch of the panels. In a portrait picture the field of view spans the width,
 * also in its panels that are in portrait format; in a landscape picture it spans each panel's
 * height. */
double panel_stretch(const struct renderer_params *params);

/* The rectangles that the overlay treats as the whole picture: in each eye's half, in the middle of
 * a whole sphere, at the lower front of a dome, or extending beyond the edges of a tile. */
struct overlay_places {
    uint32_t width, height;
    int count;
    struct {
        int x, y; /* upper left corner in the drawn picture */
    } at[2];
};
void panel_overlay_places(const struct panel_place *places, int count,
                          const struct renderer_params *params, struct overlay_places *out);

/* The overlay's rectangle in a dome, in widths of its picture from the middle, downwards: within
 * the 50 degrees to either side, and about the 10 to 60 degrees above the horizon, that the working
 * specification for dome masters of IMERSA's standards group names as safe. There letters are
 * upright for an audience. */
#define DOME_TEXT_WIDTH  0.48
#define DOME_TEXT_HEIGHT 0.27
#define DOME_TEXT_TOP    0.115

/* Places the titles of look.panels. */
void panel_labels(const struct renderer_params *params, const struct panel_place *places,
                  struct overlay_label *labels);
