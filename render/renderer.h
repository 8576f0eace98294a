/* Draws views into pictures: point sprites added up in a linear float target, tone-mapped, dithered
 * and converted to the sink's format on the GPU (or on Mesa's software GL).
 *
 * One thread at a time, and that thread between renderer_bind and renderer_unbind. Two pictures can
 * be under way: submit picture n + 1, then wait for picture n. */
#ifndef RENDER_RENDERER_H
#define RENDER_RENDERER_H

#include "base/status.h"
#include "render/camera/camera.h"
#include "render/found.h"
#include "render/params.h"
#include "render/picture/picture.h"
#include "sim/view.h"

#include <stdbool.h>

/* Bodies first .. first + count - 1, drawn alike. */
struct draw_group {
    size_t first, count;
    float light;      /* against the other groups */
    float tint[3];    /* as shown; for the colour modes "galaxy" and "component" */
    const char *name; /* what the tint stands for, for the legend; NULL: nothing. Copied */
};

/* The title of a part of the picture, such as one of several panels. */
struct overlay_label {
    const char *text;        /* "": none */
    int x, y, width, height; /* the part, in pixels from the picture's upper left corner */
};

/* What the overlay says of the film. */
struct film_labels {
    const char *title; /* copied */
    double length_kpc; /* of the scene's unit; 0: not known */
    double time_myr;
    double velocity_kms;
    double duration;                    /* the time of the film's last frame, in the scene's unit */
    double fps;                         /* for captions, > 0 if there are any */
    const struct overlay_label *panels; /* copied; the legend stands in the first one */
    int panel_count;                    /* at most 4 */
};

enum { PANELS_MAX = 4 };

/* How full-screen passes run: as suits the GL, or, for tests, one way; see render/gl/pass.h. */
enum renderer_passes { PASSES_USUAL, PASSES_DRAWN, PASSES_COMPUTED };

struct renderer_params {
    uint32_t width, height;
    uint32_t whole_width, whole_height; /* of the picture that this is a tile of; 0: no tile. One
                                           panel, flat */
    enum picture_format format;
    struct camera_params camera;
    const struct camera_part *parts; /* what camera.follow can name; copied */
    int part_count;
    struct look_params look; /* exposure_factor 0: set by renderer_meter */
    struct overlay_params overlay;
    struct found found;              /* arrays are copied */
    struct film_labels labels;       /* only read when the overlay shows something */
    size_t count;                    /* bodies in a view */
    int sources;                     /* simulations whose views are drawn; 0: 1 */
    int panel_source[PANELS_MAX];    /* which of them each of look.panels shows */
    const struct draw_group *groups; /* copied */
    const struct draw_group *panel_groups[PANELS_MAX]; /* the same with the tints of each of
                                                          look.panels; NULL: groups. Copied */
    int group_count;
    uint64_t frames; /* of the whole film: the camera's path runs over them */
    int cuda_device; /* where views lie, or -1 */
    enum renderer_passes passes;
    bool quads; /* for tests: sprites are quads even where points would do */
};

/* The size of each panel's picture, or of either eye's. */
void renderer_panel_size(const struct renderer_params *params, uint32_t *width, uint32_t *height);

/* The camera of a picture, one of look.panels or the only one, as the renderer will open it: for
 * who asks where a film is taken from. Needs no GL. See camera_open. */
enum status renderer_camera_open(struct camera **out, const struct renderer_params *params,
                                 int picture);

struct renderer;

/* STATUS_DEVICE without a usable GL, STATUS_USAGE for an unknown colour, colour map or draw mode
 * (lists them) or a size beyond the GL's limit. Nothing is current on this thread afterwards. */
enum status renderer_open(struct renderer **out, const struct renderer_params *params);
void renderer_close(struct renderer **renderer); /* unbound, or bound to this thread */

enum status renderer_bind(struct renderer *renderer);
void renderer_unbind(struct renderer *renderer);

/* Sets the exposure from a view (the film's first): the brighter parts of what is lit come out well
 * exposed. Does nothing when the scene gave one. */
enum status renderer_meter(struct renderer *renderer, const struct view *view);
double renderer_exposure(const struct renderer *renderer);

/* For a frame that is not drawn, in its order, where one that follows is: an exposure that adapts
 * sees it. */
enum status renderer_observe(struct renderer *renderer, const struct view *view);

/* Whether it does, and must be shown every frame. */
bool renderer_meters_every_frame(const struct renderer *renderer);

/* All that the pictures to come depend on besides the views: what renderer_meter found, and how
 * an exposure that adapts has gone on. Restoring it takes the place of both. */
enum { RENDERER_STATE = 16 };
void renderer_state(const struct renderer *renderer, double state[RENDERER_STATE]);
void renderer_resume(struct renderer *renderer, const double state[RENDERER_STATE]);

/* Memory for one finished picture, page-locked where that helps. Needs the renderer bound. */
enum status renderer_picture_create(struct renderer *renderer, struct picture **out);
size_t renderer_picture_bytes(const struct renderer *renderer);
void renderer_picture_destroy(struct renderer *renderer, struct picture **picture);

/* Where the next pictures lie within the whole one, beyond which they may reach; only for tiles.
 * Those of a frame follow each other and share exposure and glow. */
void renderer_set_tile(struct renderer *renderer, uint32_t x, uint32_t y);

/* Starts drawing; view->next leads to the other sources' views of the frame. They must stay as they
 * are and the picture untouched until renderer_wait. */
enum status renderer_submit(struct renderer *renderer, const struct view *view,
                            struct picture *picture);
/* Waits for the oldest submitted picture. */
enum status renderer_wait(struct renderer *renderer);

/* "NVIDIA H200 (EGL device 0, CUDA device 0), pictures through CUDA-GL interop". */
const char *renderer_description(const struct renderer *renderer);

#endif
