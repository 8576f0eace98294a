/* What an entry of the registry of elements (elements.h) says about one. An element is a line of
 * text, which may have a bar under it, or a box that it paints. Each has a corner of the picture,
 * where lines are stacked away from the edge in the order of the registry, and boxes after them.
 * Only for the overlay. */
#ifndef RENDER_OVERLAY_ENTRY_H
#define RENDER_OVERLAY_ENTRY_H

#include "render/camera/project.h"
#include "render/draw.h"
#include "render/overlay/ink.h"
#include "render/overlay/layout.h"
#include "render/overlay/numbers.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>

/* The first four as found.corner has them. */
enum overlay_corner { TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, BOTTOM_MIDDLE };

enum { OVERLAY_NUMBER = 20 }; /* sizes of letters that a number takes at most */

struct overlay_caption {
    double from, to; /* seconds */
    char text[OVERLAY_TEXT_MAX + 4];
};

/* What lines are about. Their texts are cleaned, and shortened until they fit. */
struct overlay_facts {
    struct overlay_layout layout;
    struct film_labels labels; /* without title and panels */
    double duration;           /* simulated time of the last frame */
    double epoch;              /* of the clock at frame 0 */
    size_t bodies;
    const struct length_unit *length_unit;
    char title[OVERLAY_TEXT_MAX + 4];
    struct overlay_caption *captions;
    uint32_t caption_count;
    int caption_lines; /* the most */
    double fade;
    const struct view *view; /* of the frame, as is the pose */
    const struct camera_pose *pose;
};

/* What a line says in one frame. */
struct overlay_words {
    char text[OVERLAY_TEXT_MAX + 4]; /* before it is set: what the line says so far */
    double bar;                      /* pixels; 0: none */
    double opacity;                  /* 0 .. 1 */
};

/* An element that paints a rectangle, in one of the lower corners. */
struct overlay_box {
    bool by_panel; /* each panel may have one, at the left; else there is one of the film */
    /* For letters of layout->small pixels, of panel `picture`. Leaves NULL when there is nothing
     * to show. */
    void (*open)(void **box, struct ink *ink, const struct renderer_params *params,
                 const struct overlay_layout *layout, int picture);
    void (*close)(void *box);
    void (*size)(const void *box, int *width, int *height);
    bool (*changed)(const void *box, const struct view *view); /* since it was painted */
    /* With its upper left corner at (x, y) of the plate that has been begun. */
    void (*paint)(void *box, struct ink *ink, int x, int y, const struct view *view);
};

extern const struct overlay_box overlay_legend, overlay_energy;

struct overlay_element {
    const char *name, *doc;                              /* the key is overlay.NAME */
    size_t key;                                          /* where struct overlay_params has it */
    bool (*shown)(const struct renderer_params *params); /* NULL: the key is a flag that says it */
    enum overlay_corner corner;    /* BOTTOM_LEFT is the first panel's, if there are any */
    const struct overlay_box *box; /* NULL: it is a line, which the rest describes */
    enum ink_role role;
    bool large; /* letters of the title's size */
    bool bright;
    bool on_card;      /* a title card says it as well, and takes its place */
    bool timed;        /* shown at times of its own, also while a title card covers the film */
    double bar_height; /* in sizes of the letters; 0: it has no bar */
    /* The most lines that it has, with line feeds between them; NULL: one. */
    int (*lines)(const struct overlay_facts *facts);
    void (*say)(const struct overlay_facts *facts, struct overlay_words *words);
    /* The most pixels that it takes over the film; NULL: OVERLAY_NUMBER sizes of the letters. */
    double (*widest)(const struct overlay_facts *facts, struct ink *ink, double size);
};

#endif
