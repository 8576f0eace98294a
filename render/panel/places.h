/* How a picture is shared out between panels, or between the eyes of a stereo pair, and where the
 * overlay goes. Pure, thread-safe. */
#ifndef RENDER_PANEL_PLACES_H
#define RENDER_PANEL_PLACES_H

#include "base/status.h"
#include "render/draw.h"

struct panel_place {
    uint32_t x, y, width, height;       /* from the upper left corner */
    uint32_t whole_width, whole_height; /* of the picture that this is a tile of */
    double eye;                         /* -1, 1: left and right of a stereo pair; 0: neither */
    bool whole_sphere;                  /* equirectangular instead of flat */
};

/* Places for PANELS_MAX. STATUS_USAGE where panels do not fit into the picture or do not go with
 * the projection. */
enum status panel_places(const struct renderer_params *params, struct panel_place *places,
                         int *count);

/* The size of each panel's picture, or of either eye's. */
void panel_size(const struct renderer_params *params, uint32_t *width, uint32_t *height);

/* The camera_found.stretch of the panels: a picture higher than wide has its field of view across
 * its width, and so have its panels that are higher than wide; what a wide picture shows is
 * measured by its height, panel by panel. */
double panel_stretch(const struct renderer_params *params);

/* The rectangle that the overlay takes for the whole picture, and where it is: in either eye's
 * half, in the middle of a whole sphere, or reaching beyond the edges of a tile. */
struct overlay_places {
    uint32_t width, height;
    int count;
    struct {
        int x, y; /* of the upper left corner within the picture that is drawn */
    } at[2];
};
void panel_overlay_places(const struct panel_place *places, int count,
                          const struct renderer_params *params, struct overlay_places *out);

/* The titles of look.panels in their places. */
void panel_labels(const struct renderer_params *params, const struct panel_place *places,
                  struct overlay_label *labels);

#endif
