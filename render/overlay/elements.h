/* An entry of the registry of elements (elements.h). An element is a line of text, optionally with
 * a bar under it, or a box that it paints itself. Each has a corner of the picture; from the edge
 * inwards, lines are stacked in the order of the registry, then boxes. Only for the overlay. */
#pragma once

#include "base/choice.h"
#include "render/camera/project.h"
#include "render/draw.h"
#include "render/overlay/ink.h"
#include "render/overlay/layout.h"
#include "render/overlay/number_text.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>

enum overlay_corner { TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, TOP_MIDDLE, BOTTOM_MIDDLE };

enum { OVERLAY_NUMBER = 12 }; /* widest number, in letter sizes */

struct overlay_caption {
    double from, to; /* seconds */
    char text[OVERLAY_TEXT_MAX + 4];
};

/* The contents that lines can show. Texts are cleaned and shortened to fit. */
struct overlay_facts {
    struct overlay_layout layout;
    struct film_labels labels; /* without title and panels */
    double duration;           /* simulated time of the last frame */
    double epoch;              /* of the clock at frame 0 */
    const char *event_name; /* NULL: the clock counts from the epoch; "": from `event`, unnamed */
    double event;           /* simulated time */
    double event_reach;     /* as in struct overlay_clock */
    size_t bodies;
    const struct length_unit *length_unit;
    const struct clock_scale *clock_as;
    struct universe_found universe;
    char title[OVERLAY_TEXT_MAX + 4];
    struct overlay_caption *captions;
    uint32_t caption_count;
    int caption_lines;    /* largest number of lines of a caption */
    bool captions_lifted; /* above lines in the corners that they would touch */
    double fade;
    const struct view *view; /* of the current frame, like the pose */
    const struct camera_pose *pose;
};

/* The contents of a line in one frame. */
struct overlay_words {
    char text[OVERLAY_TEXT_MAX + 4]; /* on entry: what the line showed last */
    double bar;                      /* pixels; 0: none */
    double opacity;                  /* 0 .. 1 */
};

/* A picture with labels: one of look.panels, an eye's, or the only one. */
struct overlay_sight {
    const struct view *view;
    struct camera_eye eye;
    int x, y; /* of its upper left corner, from that of the overlay */
};

/* An element that paints a rectangle in one of the lower corners. */
struct overlay_box {
    bool by_panel; /* each panel may have one, on the left; otherwise the film has one */
    /* Opens the box of panel `picture` with letters of layout->size pixels. Sets *box to NULL when
     * there is nothing to show. */
    void (*open)(void **box, struct ink *ink, const struct renderer_params *params,
                 const struct overlay_layout *layout, int picture);
    void (*close)(void *box);
    void (*size)(const void *box, int *width, int *height);
    bool (*changed)(const void *box, const struct view *view); /* must be repainted */
    /* Paints with its upper left corner at (x, y) of the plate that was begun. */
    void (*paint)(void *box, struct ink *ink, int x, int y, const struct view *view);
};

extern const struct overlay_box overlay_legend, overlay_energy;

struct overlay_element {
    const char *name, *doc;                              /* the key is overlay.NAME */
    size_t key;                                          /* offset in struct overlay_params */
    bool (*shown)(const struct renderer_params *params); /* NULL: the key is a flag */
    enum overlay_corner corner;    /* BOTTOM_LEFT is the first panel's, if there are any */
    const struct overlay_box *box; /* NULL: it is a line, described by the remaining fields */
    enum ink_role role;
    bool bright;
    bool on_card;      /* also on the title card, and hidden while that is shown */
    bool timed;        /* has its own times, even while the title card covers the film */
    double bar_height; /* in letter sizes; 0: it has no bar */
    /* The largest number of its lines, which are separated by line feeds; NULL: one. */
    int (*lines)(const struct overlay_facts *facts);
    void (*say)(const struct overlay_facts *facts, struct overlay_words *words);
    /* Its largest width in pixels over the film; NULL: OVERLAY_NUMBER letter sizes. */
    double (*widest)(const struct overlay_facts *facts, struct ink *ink, double size);
};

/* The energy graph: kinetic, potential and total energy in units of the first total's size, over
 * the time of the whole film, so that it fills from left to right. Only for the overlay. */

/* The graph's lower and upper end: round numbers, low <= 0 <= high, low < high, that hold all
 * points so far. They change only when a point lies outside them. */
void overlay_energy_limits(const struct energy_point *points, size_t count, double *low,
                           double *high);

/* All elements of the overlay, and the texts of those that are lines. A new element is an entry
 * here, its flag in render/params.h and its key in scenes/keys.c; a box also has a file of its own.
 * Only for the overlay. */

enum { OVERLAY_ELEMENTS_MAX = 16 };

extern const struct registry overlay_registry; /* Entries are struct overlay_element. */

bool overlay_shows(const struct overlay_element *element, const struct renderer_params *params);

/* Copies what the lines need, with texts shortened to fit. The caller frees the captions, and sets
 * view and pose for each frame. */
void overlay_facts_open(struct overlay_facts *out, struct ink *ink,
                        const struct renderer_params *params, const struct overlay_layout *layout);

/* Copies `text`, cleaned for the ink and shortened to `room` pixels at letter size `size`. `out`
 * has room for OVERLAY_TEXT_MAX + 4 bytes; longer text is cut between letters. Whether all fits. */
bool overlay_fit_text(char *out, struct ink *ink, double size, double room, const char *text);
